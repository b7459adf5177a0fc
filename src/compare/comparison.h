/* SPDX-License-Identifier: Apache-2.0 */
/* comparison.h: two sides compared row by row: values, ratios, verdicts, and what they add up to.
 *
 * A cell is one row of the comparison: one metric of one benchmark by one provider on one machine
 * class, with the value of each side where it has one. ratio is always new speed / base speed:
 * above 1 the new side is better, whichever direction the metric has. This is what reports print.
 */
#ifndef OM_COMPARE_COMPARISON_H
#define OM_COMPARE_COMPARISON_H

#include <stdbool.h>
#include <stddef.h>

#include "compare/alias.h"
#include "compare/side.h"
#include "stats/judged.h"

struct om_policy;

typedef enum om_replicate {
    OM_REPLICATE_LAUNCHES = 0, /* launches are the unit, as stored runs are judged */
    OM_REPLICATE_SAMPLES,      /* samples of one process are: the habit of other tools */
} om_replicate;

/* How the commits of both sides are related, as far as a repository says. */
typedef struct om_history {
    const char *base, *head;    /* the commits as named; NULL: not stated */
    bool known;                 /* the fields below hold */
    char merge_base[80];        /* the newest commit that both sides have */
    size_t base_only, new_only; /* commits that the other side lacks */
    bool shallow;               /* the clone is: the numbers may be too small */
    bool head_is_merge, base_is_parent;
    char first_parent[80]; /* of head */
    char skipped[200];     /* not known: why */
} om_history;

typedef struct om_compare_options {
    om_replicate replicate;
    double threshold; /* above 0: a plain threshold on ratios in place of statistics (0.05) */
    double floor, tolerance; /* as shares; 0: 0.02 */
    bool all_runs;    /* the launches of every run of a side, not only of each row's newest */
    bool first_calls; /* compare first calls as rows of their own */
    const om_aliases *aliases;      /* NULL: none */
    const struct om_policy *policy; /* floors of its own for some rows; NULL: none */
    const char *merge_base;         /* commit; NULL: not known */
    const om_history *history;      /* NULL: nobody was asked */
} om_compare_options;

typedef struct om_cell {
    const om_record *base, *head; /* of its first launch; NULL where the side lacks the row */
    const char *suite;            /* "te/benchmark_gemm", or "" */
    const char *name, *op, *pass, *provider, *dtype, *machine, *metric, *unit; /* never NULL */
    const char *params;                                                        /* "M=1024 N=6144" */
    double base_value, new_value; /* in `unit`, the base's; NaN: none. new_value is in the
                                     new side's own unit where the two do not convert */
    size_t base_launches, new_launches, base_samples, new_samples;
    double ratio, ratio_low, ratio_high; /* NaN: none */
    om_verdict verdict;                  /* as shown */
    om_verdict alone;                    /* by the row alone, before its section lowered it */
    om_doubt doubt;
    char *reason;   /* in words; "" where there is nothing to say */
    double visible; /* smallest change likely to be seen, as a share; NaN: none */
    om_modes modes;
    size_t section;  /* index */
    size_t twin;     /* 1-based number of the group of the same work under other names; 0: none */
    bool derived;    /* computed from other metrics: never gated */
    bool new_failed; /* the new side has the row, and it failed */
    bool rival;      /* of a competitor or reference: shown, never gated */
    bool due;        /* of an A/B run: its next part has to measure the row again */
} om_cell;

/* Rows judged together: one machine class and device kind, one pair of runs. */
typedef struct om_section {
    const char *machine, *device, *base_run, *new_run;
    size_t cells, compared;
    size_t base_launches, new_launches;
    bool judged; /* by launches; the fields below hold */
    double shift, shift_p;
    double correlation, seen; /* the guard */
    bool all_moved, one_sided, dependent;
    bool cannot_tell_dependence;       /* `seen` is above 0.05 */
    double visible_median, visible_90; /* shares; NaN: none */
    size_t launches_needed;
    bool in_turns;         /* an A/B run: its launches took turns; the guard is not needed */
    bool control;          /* base took part twice, and */
    size_t control_alarms; /* so many rows alarmed between its two halves */
    size_t due, next_look; /* rows that are due, and in which part of the second look */
    size_t counts[OM_VERDICT_COUNT];
} om_section;

/* Medians of ratios, as published reports have them: descriptive, no verdict. */
typedef struct om_suite_summary {
    const char *machine, *suite;
    size_t cases; /* distinct names with their parameters: one case may have several cells */
    size_t cells, compared;
    double median, low, high; /* NaN without a ratio */
    size_t counts[OM_VERDICT_COUNT];
} om_suite_summary;

/* The same work measured under several names, as a gauge of noise. */
typedef struct om_twins {
    size_t groups; /* of cells: one shape, pass and provider each */
    size_t shapes;
    double base_median, base_worst, new_median, new_worst; /* largest / smallest value - 1 */
} om_twins;

typedef struct om_comparison {
    char *base_label, *new_label;
    om_history history; /* zeroed: nobody was asked; its names are those of the options */
    om_replicate replicate;
    double threshold;
    om_cell *cells; /* the worst first */
    size_t cell_count;
    om_section *sections;
    size_t section_count;
    om_suite_summary *suites; /* by machine, then in order of appearance */
    size_t suite_count;
    om_twins twins;
    size_t counts[OM_VERDICT_COUNT]; /* every cell is in one of them */
    size_t compared;                 /* cells with a ratio */
    size_t suspect_sections;
    char **notes; /* what else differs, or was read leniently */
    size_t note_count;
    void *store; /* what the texts point into */
} om_comparison;

/* The sides are borrowed: they must outlive the comparison. options NULL: defaults. */
om_status om__comparison_init(const om_side *base, const om_side *head,
                              const om_compare_options *options, om_comparison *comparison,
                              om_error *err);
void om__comparison_release(om_comparison *comparison);

/* A section's shift as people read it: "+5.1 %", "+100 %", without an exponent. Yields text. */
#define OM_SHIFT_SIZE 32
const char *om__shift_format(double shift, char text[OM_SHIFT_SIZE]);

#endif
