/* SPDX-License-Identifier: Apache-2.0 */
/* turns.c: replays the looks of an A/B run from its records. */
#include "compare/turns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { LOOKS = 3 };

static const char *const arm_names[] = {"base", "head", "base-again"};
static const char *const look_names[LOOKS] = {"first", "1", "2"};

const char *om__turns_arm_name(unsigned arm)
{
    return arm_names[arm];
}

const char *om__turns_look_name(unsigned look)
{
    return look_names[look];
}

static bool find_word(const char *text, const char *const *words, size_t count, unsigned *found)
{
    for (size_t i = 0; text != NULL && i < count; i++)
        if (strcmp(words[i], text) == 0) {
            *found = (unsigned)i;
            return true;
        }
    return false;
}

static bool arm_of(const om_record *record, unsigned *arm)
{
    return find_word(om__pairs_find(&record->evidence, OM_TURNS_ARM), arm_names,
                     sizeof arm_names / sizeof *arm_names, arm);
}

bool om__turns_are(const om_record *base, const om_record *head)
{
    const char *a = om__pairs_find(&base->evidence, OM_TURNS_RUN);
    const char *b = om__pairs_find(&head->evidence, OM_TURNS_RUN);
    unsigned base_arm, head_arm;
    return a != NULL && b != NULL && strcmp(a, b) == 0 && arm_of(base, &base_arm) &&
           arm_of(head, &head_arm) && base_arm != 1 && head_arm == 1;
}

/* One launch: its column in y. */
typedef struct turn {
    int launch;
    size_t column;
    unsigned char arm;
    unsigned look;
} turn;

static int compare_turns(const void *left, const void *right)
{
    const turn *a = left, *b = right;
    return (a->launch > b->launch) - (a->launch < b->launch);
}

static om_status read_turns(const om_record *const *firsts, size_t launches, turn *list,
                            size_t counts[LOOKS], bool *control, om_error *err)
{
    for (size_t t = 0; t < launches; t++) {
        unsigned arm = 0, look = 0;
        if (!arm_of(firsts[t], &arm) ||
            !find_word(om__pairs_find(&firsts[t]->evidence, OM_TURNS_LOOK), look_names, LOOKS,
                       &look))
            return om__error_set(err, OM_PARSE, "launch %d of an A/B run lacks its arm or look",
                                 firsts[t]->when.launch);
        list[t] = (turn){firsts[t]->when.launch, t, (unsigned char)arm, look};
        counts[look]++;
        *control = *control || arm == 2;
    }
    qsort(list, launches, sizeof *list, compare_turns);
    return OM_OK;
}

/* The columns of `count` launches of one look, in order of time. */
static void take_look(const turn *list, size_t launches, unsigned look, size_t count,
                      const double *y, size_t rows, const bool *wanted, unsigned char *arms,
                      double *values)
{
    size_t at = 0;
    for (size_t t = 0; t < launches && at < count; t++) {
        if (list[t].look != look)
            continue;
        arms[at] = list[t].arm;
        for (size_t i = 0; i < rows; i++)
            values[i * count + at] =
                wanted == NULL || wanted[i] ? y[i * launches + list[t].column] : NAN;
        at++;
    }
}

static om_status judge_looks(om_turns *turns, const om_ab_design *design, const turn *list,
                             size_t launches, const size_t counts[LOOKS], const double *y,
                             size_t rows, om_error *err)
{
    om_status status = OM_OK;
    unsigned char *arms = malloc(launches);
    double *values = malloc(rows * launches * sizeof *values);
    if (arms == NULL || values == NULL) {
        status = om__error_set(err, OM_NO_MEMORY, "no memory for %zu launches", launches);
        goto out;
    }
    size_t first = design->first_blocks * design->block_size;
    take_look(list, launches, 0, first, y, rows, NULL, arms, values);
    OM_TRY_OUT(om__ab_first(turns->ab, arms, first, values, err));
    turns->next_look = 1;
    size_t part = design->part_blocks * design->block_size;
    for (; turns->next_look < LOOKS; turns->next_look++) {
        turns->due_count = om__ab_next(turns->ab, turns->due);
        if (turns->due_count == 0 || counts[turns->next_look] < part)
            break;
        take_look(list, launches, (unsigned)turns->next_look, part, y, rows, turns->due, arms,
                  values);
        OM_TRY_OUT(om__ab_second(turns->ab, arms, part, values, err));
    }
    turns->due_count = om__ab_next(turns->ab, turns->due);
    OM_TRY_OUT(om__ab_finish(turns->ab, &turns->report, err));
out:
    free(arms);
    free(values);
    return status;
}

om_status om__turns_judge(const om_record *const *firsts, size_t launches, const double *y,
                          size_t rows, const om_judged_setup *setup, om_turns *turns, om_error *err)
{
    om_status status = OM_OK;
    size_t counts[LOOKS] = {0};
    *turns = (om_turns){0};
    turn *list = malloc((launches + 1) * sizeof *list);
    turns->due = calloc(rows + 1, sizeof *turns->due);
    if (list == NULL || turns->due == NULL) {
        status = om__error_set(err, OM_NO_MEMORY, "no memory for %zu launches", launches);
        goto out;
    }
    OM_TRY_OUT(read_turns(firsts, launches, list, counts, &turns->control, err));
    om_ab_design design = om__ab_design(turns->control);
    design.first_blocks = counts[0] / design.block_size;
    turns->unfinished = design.first_blocks < OM_AB_LEAST_BLOCKS;
    if (turns->unfinished)
        goto out;
    OM_TRY_OUT(om__ab_create(setup, rows, &design, &turns->ab, err));
    OM_TRY_OUT(judge_looks(turns, &design, list, launches, counts, y, rows, err));
out:
    free(list);
    if (status != OM_OK)
        om__turns_release(turns);
    return status;
}

void om__turns_release(om_turns *turns)
{
    om__ab_report_release(&turns->report);
    om__ab_destroy(turns->ab);
    free(turns->due);
    *turns = (om_turns){0};
}
