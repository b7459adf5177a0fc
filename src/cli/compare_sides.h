/* SPDX-License-Identifier: Apache-2.0 */
/* compare_sides.h: what `compare` and `gate` share: their options, and opening and comparing sides.
 */
#ifndef OM_CLI_COMPARE_SIDES_H
#define OM_CLI_COMPARE_SIDES_H

#include "cli/command.h"
#include "compare/comparison.h"
#include "compare/policy.h"
#include "report/compare_document.h"

typedef struct om_compare_config {
    const char *map, *replicate, *threshold, *floor, *tolerance, *aliases, *policy, *merge_base;
    const char *base_commit, *commit, *repository;
    om_words machine;
    bool all_runs, first_calls, lenient, strict;
} om_compare_config;

/* The rows of an option table for the config that stands at offset 0 of a command's own. */
#define OM_COMPARE_OPTIONS                                                                           \
    {"machine",                                                                                      \
     0,                                                                                              \
     OM_OPTION_TEXTS,                                                                                \
     offsetof(om_compare_config, machine),                                                           \
     "NAME",                                                                                         \
     NULL,                                                                                           \
     NULL,                                                                                           \
     "machine of a foreign file, or of records that state none: once for all sides, or once a "      \
     "side"},                                                                                        \
        {"map",                                                                                      \
         0,                                                                                          \
         OM_OPTION_TEXT,                                                                             \
         offsetof(om_compare_config, map),                                                           \
         "MAP",                                                                                      \
         NULL,                                                                                       \
         NULL,                                                                                       \
         "columns of a foreign table: 'case=COL,value=COL unit=us better=lower', also impl=, "       \
         "sample=, launch=, suite=, params=A+B or *, metric="},                                      \
        {"replicate",                                                                                \
         0,                                                                                          \
         OM_OPTION_TEXT,                                                                             \
         offsetof(om_compare_config, replicate),                                                     \
         "UNIT",                                                                                     \
         "launches",                                                                                 \
         om__replicate_words,                                                                        \
         "what counts as one repetition: launches, or the samples of one process"},                  \
        {"threshold",                                                                                \
         0,                                                                                          \
         OM_OPTION_TEXT,                                                                             \
         offsetof(om_compare_config, threshold),                                                     \
         "P%",                                                                                       \
         NULL,                                                                                       \
         NULL,                                                                                       \
         "no statistics: slower is a ratio below 1 - P, faster one above 1 / (1 - P)"},              \
        {"floor", 0,    OM_OPTION_TEXT, offsetof(om_compare_config, floor),                          \
         "P%",    NULL, NULL,           "smallest change that may be called slower or faster (2%)"}, \
        {"tolerance",    0,                                                                          \
         OM_OPTION_TEXT, offsetof(om_compare_config, tolerance),                                     \
         "P%",           NULL,                                                                       \
         NULL,           "a row is the same when its interval lies inside this (2%)"},               \
        {"aliases", 0,    OM_OPTION_TEXT, offsetof(om_compare_config, aliases),                      \
         "FILE.wl", NULL, NULL,           "declared renames: name, param, value, provider, suite"},  \
        {"policy",  0,    OM_OPTION_TEXT, offsetof(om_compare_config, policy),                       \
         "FILE.wl", NULL, NULL,           "floors of some rows, and what a gate allows"},            \
        {"merge-base", 0,    OM_OPTION_TEXT, offsetof(om_compare_config, merge_base),                \
         "COMMIT",     NULL, NULL,           "say where the base was not measured at this commit"},  \
        {"base-commit", 0,    OM_OPTION_TEXT, offsetof(om_compare_config, base_commit),              \
         "NAME",        NULL, NULL,           "the base's commit (standard: as its records say)"},   \
        {"commit", 0,    OM_OPTION_TEXT, offsetof(om_compare_config, commit),                        \
         "NAME",   NULL, NULL,           "the new side's commit (standard: as its records say)"},    \
        {"repository",                                                                               \
         0,                                                                                          \
         OM_OPTION_TEXT,                                                                             \
         offsetof(om_compare_config, repository),                                                    \
         "DIR",                                                                                      \
         NULL,                                                                                       \
         NULL,                                                                                       \
         "the git clone that is asked how both commits are related (standard: the folder one is "    \
         "in, if it knows them)"},                                                                   \
        {"all-runs",     0,                                                                          \
         OM_OPTION_FLAG, offsetof(om_compare_config, all_runs),                                      \
         NULL,           NULL,                                                                       \
         NULL,           "take the launches of every run of a side, not only of each row's newest"}, \
        {"first-calls", 0,    OM_OPTION_FLAG, offsetof(om_compare_config, first_calls),              \
         NULL,          NULL, NULL,           "compare the times of first calls as well"},           \
        {"strict",                                                                                   \
         0,                                                                                          \
         OM_OPTION_FLAG,                                                                             \
         offsetof(om_compare_config, strict),                                                        \
         NULL,                                                                                       \
         NULL,                                                                                       \
         NULL,                                                                                       \
         "refuse NaN, infinities and numbers out of range in foreign files, by line and column"},    \
    {                                                                                                \
        "lenient", 0, OM_OPTION_FLAG, offsetof(om_compare_config, lenient), NULL, NULL, NULL,        \
            "skip and count lines that cannot be read, keep contradicting duplicates"                \
    }

extern const char *const om__replicate_words[];

/* Opened sides and their comparisons: the first operand against each of the others. */
typedef struct om_compare_job {
    om_side *sides;
    size_t side_count;
    om_aliases aliases;
    om_policy policy;
    om_comparison *comparisons; /* side_count - 1 */
} om_compare_job;

/* Returns OM_EXIT_OK, or the exit code of what it has already said on stderr. To be released in
 * any case. */
int om__compare_job_run(const om_command *command, const om_compare_config *config,
                        const om_words *operands, om_compare_job *job);
void om__compare_job_release(om_compare_job *job);
/* Writes the report of all comparisons to `out` (NULL: standard output). defuse: see
 * om_format_options. */
om_status om__compare_job_write(const om_compare_job *job, const om_compare_view *view,
                                const char *format, const char *out, bool defuse, om_error *err);

#endif
