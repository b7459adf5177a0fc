/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_ab.c: `opmark ab`: is the new build slower? Launches of both take turns. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/ab.h"
#include "cli/compare_sides.h"
#include "cli/measure.h"
#include "cli/output.h"

typedef struct ab_config {
    om_measure_words words;
    om_words suites;
    const char *base, *head, *out, *time, *format, *report, *floor, *tolerance;
    int64_t launches, order_seed, rows;
    bool no_control, selftest, all, quiet;
} ab_config;

#define FIRST_FORWARDED "provider"
#define AT(field)       offsetof(ab_config, field)
static const om_option options[] = {
    {"base", 'b', OM_OPTION_TEXT, AT(base), "WHAT", NULL, NULL,
     "the old side: an opmark program, a plug-in (.so), or VAR=VALUE (standard: this program)"},
    {"head", 0, OM_OPTION_TEXT, AT(head), "WHAT", NULL, NULL, "the new side, likewise"},
    {"suite", 's', OM_OPTION_LIST, AT(suites), "NAME", NULL, NULL,
     "measure the workloads of a suite, or of a .wl file; operands then filter them"},
    {"out", 'o', OM_OPTION_TEXT, AT(out), "DIR", "opmark-ab", NULL,
     "folder of the records: DIR/base and DIR/head"},
    {"launches", 'n', OM_OPTION_INT, AT(launches), "N", NULL, NULL,
     "launches of head in the first look, 4 or more (standard: 5; 8 without a control)"},
    {"no-control", 0, OM_OPTION_FLAG, AT(no_control), NULL, NULL, NULL,
     "do not measure base twice: nothing then tells how often this machine cries wolf"},
    {"order-seed", 0, OM_OPTION_INT, AT(order_seed), "N", NULL, NULL,
     "of the order of launches (standard: drawn, and kept in the records)"},
    {"floor", 0, OM_OPTION_TEXT, AT(floor), "P%", NULL, NULL,
     "smallest change that may be called slower or faster (2%)"},
    {"tolerance", 0, OM_OPTION_TEXT, AT(tolerance), "P%", NULL, NULL,
     "a row is the same when its interval lies inside this (2%)"},
    {"format", 'f', OM_OPTION_TEXT, AT(format), "FORMAT", "terminal", om__format_words,
     "form of the report"},
    {"report", 'r', OM_OPTION_TEXT, AT(report), "FILE", NULL, NULL,
     "write the report to FILE instead of standard output"},
    {"rows", 0, OM_OPTION_INT, AT(rows), "N", "40", NULL,
     "most rows of each table for people, the worst first; 0: all"},
    {"all", 0, OM_OPTION_FLAG, AT(all), NULL, NULL, NULL,
     "show the rows that are the same as well"},
    {"selftest", 0, OM_OPTION_FLAG, AT(selftest), NULL, NULL, NULL,
     "put known delays into some rows of own, and say what was found (5 min with --suite quick)"},
    {"quiet", 'q', OM_OPTION_FLAG, AT(quiet), NULL, NULL, NULL, "no progress"},
    /* From here on (FIRST_FORWARDED): options of `run`, passed on to each launch as they are. */
    {"provider", 'p', OM_OPTION_LIST, AT(words.providers), "NAME", NULL, NULL,
     "whose rows are compared (standard: own)"},
    {"time", 0, OM_OPTION_TEXT, AT(time), "TIME", "300ms", NULL,
     "time for the samples of a row in one launch"},
    OM_MEASURE_OPTIONS,
};
#undef AT

/* ---- options that go to each launch ---- */

/* Argv words, owned. */
typedef struct word_list {
    char **items;
    size_t count;
    om_status status;
} word_list;

static void add_word(word_list *list, const char *name, const char *value)
{
    om_text text = {0};
    char **more = realloc(list->items, (list->count + 1) * sizeof *more);
    if (more == NULL) {
        list->status = OM_NO_MEMORY;
        return;
    }
    list->items = more;
    om__text_addf(&text, value != NULL ? "--%s=%s" : "--%s", name, value);
    if (text.failed)
        list->status = OM_NO_MEMORY;
    else
        more[list->count++] = text.data;
}

static void forward(const om_option *option, const void *config, word_list *list)
{
    const void *field = (const char *)config + option->offset;
    const om_words *words = field;
    char number[32];
    switch (option->kind) {
    case OM_OPTION_FLAG:
        if (*(const bool *)field)
            add_word(list, option->name, NULL);
        break;
    case OM_OPTION_TEXT:
        if (*(const char *const *)field != NULL)
            add_word(list, option->name, *(const char *const *)field);
        break;
    case OM_OPTION_INT:
        snprintf(number, sizeof number, "%lld", (long long)*(const int64_t *)field);
        if (*(const int64_t *)field != 0)
            add_word(list, option->name, number);
        break;
    case OM_OPTION_LIST:
    case OM_OPTION_TEXTS:
        for (size_t i = 0; i < words->count; i++)
            add_word(list, option->name, words->items[i]);
        break;
    }
}

static om_status forward_all(const ab_config *config, word_list *list, om_error *err)
{
    size_t first = 0;
    while (strcmp(options[first].name, FIRST_FORWARDED) != 0)
        first++;
    for (size_t i = first; i < sizeof options / sizeof *options; i++)
        forward(&options[i], config, list);
    if (config->words.providers.count == 0)
        add_word(list, FIRST_FORWARDED, config->selftest ? "own_delayed" : "own");
    return list->status == OM_OK ? OM_OK
                                 : om__error_set(err, OM_NO_MEMORY, "no memory for the options");
}

/* ---- the run ---- */

static om_status read_share(const char *text, const char *name, double *share, om_error *err)
{
    return text == NULL ? OM_OK : om__share_parse(text, name, share, err);
}

static om_status set_design(const ab_config *c, om_ab_run *run, om_error *err)
{
    run->design = om__ab_design(!c->no_control);
    size_t heads = run->design.block_size - 2; /* launches of head in a block */
    size_t least = OM_AB_LEAST_BLOCKS * heads;
    if (c->launches == 0)
        return OM_OK;
    if (c->launches < (int64_t)least || c->launches > 1000)
        return om__error_set(err, OM_INVALID,
                             "--launches %lld: %zu to 1000 (fewer cannot tell a change of all rows "
                             "from one of the machine)",
                             (long long)c->launches, least);
    run->design.first_blocks = ((size_t)c->launches + heads - 1) / heads;
    return OM_OK;
}

static om_status set_seed(const ab_config *c, om_ab_run *run, om_error *err)
{
    run->seed = (uint64_t)c->order_seed;
    if (c->order_seed == 0 && getrandom(&run->seed, sizeof run->seed, 0) != sizeof run->seed)
        return om__error_set(err, OM_IO, "cannot draw a seed: give --order-seed");
    return OM_OK;
}

static om_status prepare(const ab_config *c, const char *self, om_ab_run *run, om_error *err)
{
    om_measure_config checked = {0}; /* what the launches will read, checked before the first */
    run->out = c->out;
    run->quiet = c->quiet;
    if (strchr(c->out, ',') != NULL)
        return om__error_set(err, OM_INVALID, "--out %s: a folder without a comma in its name",
                             c->out);
    if (c->selftest && (c->base != NULL || c->head != NULL || c->words.providers.count > 0))
        return om__error_set(err, OM_INVALID,
                             "--selftest has sides of its own: no --base, --head or --provider");
    const char *base = c->selftest ? "OPMARK_DELAY=base" : c->base;
    const char *head = c->selftest ? "OPMARK_DELAY=head" : c->head;
    OM_TRY(om__ab_arm_read(base != NULL ? base : self, self, &run->arms[0], err));
    OM_TRY(om__ab_arm_read(head != NULL ? head : self, self, &run->arms[1], err));
    OM_TRY(om__measure_words_read(&c->words, c->time, &checked, err));
    OM_TRY(read_share(c->floor, "--floor", &run->floor, err));
    OM_TRY(read_share(c->tolerance, "--tolerance", &run->tolerance, err));
    OM_TRY(set_seed(c, run, err));
    return set_design(c, run, err);
}

/* The two folders compared, as `opmark compare` does it. */
static int report(const ab_config *c)
{
    om_error err = {0};
    om_compare_job job = {0};
    om_text paths[2] = {0};
    const char *sides[2];
    const om_compare_config common = {
        .replicate = om__replicate_words[0], .floor = c->floor, .tolerance = c->tolerance};
    const om_compare_view view = {.rows = c->rows > 0 ? (size_t)c->rows : 0, .all = c->all};
    om__text_addf(&paths[0], "%s/base", c->out);
    om__text_addf(&paths[1], "%s/head", c->out);
    for (int i = 0; i < 2; i++)
        sides[i] = paths[i].data != NULL ? paths[i].data : "";
    int code = om__compare_job_run(&om__cmd_ab, &common, &(om_words){sides, 2}, &job);
    if (code == OM_EXIT_OK && c->selftest) {
        bool passed = false;
        if (om__ab_selftest(&job.comparisons[0], &passed, &err) != OM_OK)
            code = om__cli_fail(&err);
        else
            code = passed ? OM_EXIT_OK : OM_EXIT_FOUND;
    } else if (code == OM_EXIT_OK &&
               om__compare_job_write(&job, &view, c->format, c->report, false, &err) != OM_OK)
        code = om__cli_fail(&err);
    if (job.side_count == 2 && code == OM_EXIT_OK && job.comparisons[0].compared == 0) {
        fprintf(stderr, "opmark: nothing was compared: the sides have no row in common\n");
        code = OM_EXIT_ENVIRONMENT;
    }
    om__compare_job_release(&job);
    for (int i = 0; i < 2; i++)
        om__text_release(&paths[i]);
    return code;
}

static int measure(const ab_config *c, om_ab_run *run)
{
    om_error err = {0};
    bool interrupted = false;
    om_status status = om__ab_measure(run, &interrupted, &err);
    if (status != OM_OK && !interrupted) {
        om__cli_fail(&err);
        return status == OM_INVALID ? OM_EXIT_USAGE : OM_EXIT_ENVIRONMENT;
    }
    om_text base = {0};
    om__text_addf(&base, "%s/base", run->out);
    bool measured = base.data != NULL && om__folder_is(base.data);
    om__text_release(&base);
    if (interrupted)
        fprintf(stderr,
                measured ? "opmark ab: interrupted; what was measured lies in %s\n"
                         : "opmark ab: interrupted before anything was measured\n",
                run->out);
    int code = measured ? report(c) : OM_EXIT_ENVIRONMENT;
    return interrupted ? OM_EXIT_INTERRUPTED : code;
}

static int run_ab(void *opaque, const om_words *operands)
{
    const ab_config *c = opaque;
    om_plan plan = {0};
    om_ab_run run = {.plan = &plan};
    word_list words = {0};
    om_error err = {0};
    om_status status = OM_OK;
    char self[4096];
    int code;
    ssize_t size = readlink("/proc/self/exe", self, sizeof self - 1);
    self[size > 0 ? size : 0] = '\0';
    if (c->rows < 0)
        return om__cli_usage(&om__cmd_ab, "--rows %lld: 0 (all) or more", (long long)c->rows);
    if (c->base == NULL && c->head == NULL && !c->selftest)
        return om__cli_usage(&om__cmd_ab, "name what to compare: --base, --head, or both");
    if (c->suites.count == 0 && operands->count == 0 && c->words.plugins.count == 0)
        return om__cli_usage(&om__cmd_ab, "name an operator (gemm m=64 n=64 k=64), a --suite, or "
                                          "a --plugin");
    OM_TRY_OUT(prepare(c, self, &run, &err));
    if (c->suites.count > 0 || operands->count > 0)
        OM_TRY_OUT(om__plan_make(&c->suites, operands, NULL, &plan, &err));
    OM_TRY_OUT(forward_all(c, &words, &err));
    run.forwarded = (om_words){(const char **)words.items, words.count};
out:
    code = status != OM_OK ? om__cli_fail_input(&err) : measure(c, &run);
    for (size_t i = 0; i < words.count; i++)
        free(words.items[i]);
    free(words.items);
    om__plan_release(&plan);
    return code;
}

const om_command om__cmd_ab = {
    .name = "ab",
    .summary = "measure two builds in turns: is the new one slower?",
    .operands = "[OP KEY=VALUE… | FILTER…]",
    .details =
        "Runs fresh processes of base, head and base again in an order drawn at random: five "
        "rounds of all rows, then ten to twenty more of the suspicious ones, whose verdicts come "
        "from these alone. At most one report in twenty shows any false alarm, over all its rows; "
        "a change of 3 % is found where launches differ by 1 %. The report says the smallest "
        "change it would have seen, and how often base alarmed against itself.\n\n"
        "A side is the path of an opmark program (another build), a plug-in (FILE.so, with "
        "--provider naming its provider), or VAR=VALUE of the environment. The records lie in "
        "DIR/base and DIR/head: `opmark compare` and `opmark gate` take them as sides and come to "
        "the same verdicts.\n\n"
        "Exit code 0 whatever was found; `opmark gate DIR/base DIR/head` says yes or no.",
    OM_OPTIONS(options),
    .config_size = sizeof(ab_config),
    .run = run_ab,
};
