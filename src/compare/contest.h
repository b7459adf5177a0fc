/* SPDX-License-Identifier: Apache-2.0 */
/* contest.h: ours against theirs: the providers of one run, case by case, with ratios and verdicts.
 *
 * A case is one benchmark on one device of one machine class under one cache state, with one
 * metric; a row is one provider (and variant) in it, over all its launches. Where several runs hold
 * the same row the newest one speaks. Providers of a case ran interleaved in rounds of the same
 * launches, so a ratio's interval comes from the paired rounds, and a verdict from that interval.
 * This is what reports print; they add nothing but form.
 */
#ifndef OM_COMPARE_CONTEST_H
#define OM_COMPARE_CONTEST_H

#include <stdbool.h>
#include <stddef.h>

#include "record/record.h"
#include "stats/words.h"

typedef struct om_contest_options {
    double tolerance;     /* the level band; 0: 0.02 */
    bool all_runs;        /* rows of older runs too, each run as a case of its own */
    bool first_call_rows; /* first calls as cases of their own besides their place in the rows */
} om_contest_options;

#define OM_CONTEST_NO_ROW ((size_t)-1)

typedef struct om_contest_row {
    /* Of the row's first launch in its run: texts (benchmark, metric, subject, place, method,
     * work, check, evidence). Borrowed from the record set. */
    const om_record *record;
    const om_record *const *launches; /* launch_count records of the row's run, by launch number;
                                         their samples serve strip plots */
    size_t launch_count;
    /* Launches that are mistrusted and left out above; `lost` is the first of them. None are left
     * out where fewer than two others remain or a launch failed otherwise. */
    size_t lost_count;
    const om_record *lost;
    const om_record *first_call; /* the record of the first call (metric `first_call`), or NULL */
    const char *key_params;      /* params as one text, "m=16 n=32" */
    char *variant_name;          /* "own", or "own [variant]": the provider as printed */

    om_outcome outcome;                 /* of the row: ok only when every launch counted is ok */
    char *reason;                       /* NULL with ok */
    size_t sample_count, invalid_count; /* over all launches; invalid ones are excluded */

    /* The row's value in its metric's unit: median over launches of the launch medians, and the
     * 95 % interval of the launch effect (one launch: that of its own rounds). NaN where the row
     * has no value. */
    double value, value_low, value_high;
    double time_ms, ci_low_ms, ci_high_ms; /* NaN for metrics that are no times */
    double first_call_ms;                  /* NaN: not measured */
    double tflops, gbps;                   /* from work and time; NaN: unknown */
    /* gbps ÷ what the memory gave a plain copy, a plain read in the same rounds; NaN: unknown */
    double copy_share, read_share;
    double check_error; /* NaN: not checked */

    /* Rows of role own and previous that are ok and have an ok competitor: the fastest competitor's
     * printed time / this row's printed time (above 1: this row is faster). Else NaN. */
    double ratio, ratio_low, ratio_high;
    om_verdict verdict; /* faster, slower, same (level), unclear; none without a ratio */
    char *note;         /* why the verdict is what it is, or what else to know; NULL: nothing */
    bool one_launch;    /* the interval stems from one launch's own rounds: marked so */
    size_t alternative; /* index of the fastest competitor's row, or OM_CONTEST_NO_ROW */
    size_t faster_bystander; /* index of a listed non-competitor that is faster than this row, or
                                OM_CONTEST_NO_ROW: to be footnoted */
    size_t case_index;
} om_contest_row;

typedef struct om_contest_case {
    const om_record
        *record;  /* of its first row: the benchmark, the device, the cache, the metric */
    size_t *rows; /* indices: own, previous, then the others, the fastest first; rows
                     without a value last */
    size_t row_count;
    size_t own; /* index of the own row (the first variant), or OM_CONTEST_NO_ROW */
} om_contest_case;

typedef struct om_contest {
    om_contest_row *rows; /* case by case, in the order of the record files */
    size_t row_count;
    om_contest_case *cases;
    size_t case_count;
    size_t outcomes[OM_OUTCOME_COUNT];  /* of all rows */
    size_t verdicts[OM_VERDICT_COUNT];  /* of own rows */
    size_t own_rows, own_without_rival; /* own rows, and those ok ones that met no ok competitor */
    char **runs; /* the runs whose rows the table shows, in order of appearance */
    size_t run_count;
    size_t older_rows; /* records left out because a newer run holds the row */
    double geomean;    /* of the own rows' ratios; NaN without any */
    size_t geomean_rows;
    void *store; /* what the texts above point into */
} om_contest;

/* The records are borrowed: the set must outlive the contest. options NULL: defaults. */
om_status om__contest_init(const om_record_set *records, const om_contest_options *options,
                           om_contest *contest, om_error *err);
void om__contest_release(om_contest *contest);

#endif
