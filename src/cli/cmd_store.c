/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_store.c: `opmark store add|list|show|gc|check`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/text.h"
#include "base/width.h"
#include "cli/command.h"
#include "cli/output.h"
#include "store/import.h"
#include "store/store.h"

typedef struct config {
    const char *store, *older_than, *format;
    bool lenient;
} config;

/* ---- add ---- */

static om_status add_set(om_store *store, const om_record_set *set, int64_t *added, om_error *err)
{
    OM_TRY(om__store_begin(store, err));
    for (size_t i = 0; i < set->count; i++) {
        bool is_new;
        OM_TRY(om__store_add(store, &set->items[i], &is_new, err));
        *added += is_new;
    }
    return om__store_commit(store, err);
}

static void print_warnings(const om_record_set *set)
{
    for (size_t i = 0; i < set->warnings.count; i++)
        om__cli_say(stderr, "opmark: %s: %s", set->warnings.items[i].key,
                    set->warnings.items[i].value);
}

/* A file of another tool, which the reader of records would call damaged. */
static bool is_foreign(const char *file, om_error *err)
{
    const om_importer *importer = NULL;
    if (om__import_detect(file, &importer, NULL) != OM_OK || importer == NULL)
        return false;
    om__error_set_at(err, OM_PARSE, file, 0,
                     "results of another tool (%s), not opmark's records: opmark import %s --store "
                     "STORE takes them",
                     importer->name, file);
    return true;
}

/* A file that cannot be read stops the command; those before it are in the store. */
static int run_add(const config *c, om_store *store, const char *const *files, size_t count)
{
    om_error err;
    int code = OM_EXIT_OK;
    if (count == 0)
        return om__cli_usage(&om__cmd_store, "store add: name record files or result folders");
    for (size_t i = 0; i < count && code == OM_EXIT_OK; i++) {
        om_record_set set = {0};
        int64_t added = 0;
        if (is_foreign(files[i], &err) ||
            om__records_read(files[i], c->lenient, &set, &err) != OM_OK)
            code = om__cli_fail_input(&err);
        else if (add_set(store, &set, &added, &err) != OM_OK)
            code = om__cli_fail(&err);
        print_warnings(&set);
        if (code == OM_EXIT_OK)
            printf("%s: %lld of %zu records added%s\n", files[i], (long long)added, set.count,
                   (size_t)added < set.count ? ", the others were there" : "");
        om__record_set_release(&set);
    }
    return code;
}

/* ---- list and show ---- */

/* Operands are joined to one query: "commit=abc machine=h200" is "commit=abc,machine=h200". */
static om_status join_query(const char *const *parts, size_t count, om_text *query, om_error *err)
{
    om__text_add(query, "");
    for (size_t i = 0; i < count; i++)
        om__text_addf(query, "%s%s", i == 0 ? "" : ",", parts[i]);
    return om__text_check(query, err);
}

static void add_padded(om_text *out, const char *text, int width)
{
    om__text_add_cut(out, text, width);
    int used = om__text_width(text);
    for (used = used < width ? used : width; used < width + 2; used++)
        om__text_add_char(out, ' ');
}

static om_status print_runs(const om_store_run *runs, size_t count, om_error *err)
{
    om_text out = {0};
    om__text_addf(&out, "%-28s%-26s%7s %5s  %7s  %8s  %-20s%-20s%-16s%s\n", "run", "started",
                  "records", "ok", "samples", "launches", "commit", "device", "suites", "machine");
    for (size_t i = 0; i < count; i++) {
        const om_store_run *r = &runs[i];
        add_padded(&out, r->run[0] != '\0' ? r->run : "-", 26);
        add_padded(&out, r->started[0] != '\0' ? r->started : "-", 24);
        om__text_addf(&out, "%7lld %5lld  %7lld  %8lld  ", (long long)r->records, (long long)r->ok,
                      (long long)r->samples, (long long)r->launches);
        add_padded(&out, r->commit[0] != '\0' ? r->commit : "-", 18);
        add_padded(&out, r->device[0] != '\0' ? r->device : "-", 18);
        add_padded(&out, r->suites[0] != '\0' ? r->suites : "-", 14);
        om__text_add_visible(&out, r->machine);
        om__text_add_char(&out, '\n');
    }
    om_status status = om__text_check(&out, err);
    if (status == OM_OK)
        status = om__output_write(NULL, &out, err);
    om__text_release(&out);
    return status;
}

static int run_list(om_store *store, const char *query)
{
    om_store_run *runs;
    size_t count;
    om_error err;
    int code = OM_EXIT_OK;
    if (om__store_runs(store, query, &runs, &count, &err) != OM_OK)
        return om__cli_fail(&err);
    if (count == 0)
        printf("the store is empty\n");
    else if (print_runs(runs, count, &err) != OM_OK)
        code = om__cli_fail(&err);
    om__store_runs_release(runs, count);
    return code;
}

static om_status print_lines(const om_record_set *set, om_error *err)
{
    om_status status = OM_OK;
    om_text out = {0};
    for (size_t i = 0; i < set->count && status == OM_OK; i++) {
        char *line = NULL;
        status = om__record_format(&set->items[i], &line, err);
        if (status == OM_OK)
            om__text_addf(&out, "%s\n", line);
        free(line);
    }
    if (status == OM_OK)
        status = om__text_check(&out, err);
    if (status == OM_OK)
        status = om__output_write(NULL, &out, err);
    om__text_release(&out);
    return status;
}

static int run_show(const config *c, om_store *store, const char *query)
{
    om_record_set set = {0};
    om_error err;
    int code = OM_EXIT_OK;
    om_status status = om__store_query(store, query, &set, &err);
    if (status == OM_OK)
        status = strcmp(c->format, "jsonl") == 0 ? print_lines(&set, &err)
                                                 : om__output_contest(&set, &err);
    if (status != OM_OK)
        code = om__cli_fail(&err);
    om__record_set_release(&set);
    return code;
}

/* ---- gc ---- */

/* "90d", "12h", "8w" ago, or a date; as UTC. */
static om_status parse_before(const char *text, char before[32], om_error *err)
{
    static const struct {
        char letter;
        double seconds;
    } units[] = {{'h', 3600}, {'d', 86400}, {'w', 604800}};
    size_t size = strlen(text);
    char number[32];
    double value;
    for (size_t i = 0; size > 1 && size < sizeof number && i < 3; i++) {
        if (text[size - 1] != units[i].letter)
            continue;
        memcpy(number, text, size - 1);
        number[size - 1] = '\0';
        if (!om__parse_double(number, &value) || value < 0 || value > 1e6)
            break;
        time_t then = time(NULL) - (time_t)(value * units[i].seconds);
        struct tm utc;
        gmtime_r(&then, &utc);
        strftime(before, 32, "%Y-%m-%dT%H:%M:%SZ", &utc);
        return OM_OK;
    }
    int year, month, day;
    char rest;
    if (size == 10 && sscanf(text, "%4d-%2d-%2d%c", &year, &month, &day, &rest) == 3 &&
        month >= 1 && month <= 12 && day >= 1 && day <= 31) {
        memcpy(before, text, size + 1);
        return OM_OK;
    }
    return om__error_set(err, OM_INVALID,
                         "--older-than %s: write 90d, 8w, 12h or a date such as 2026-11-30", text);
}

static int run_gc(const config *c, om_store *store)
{
    char before[32];
    int64_t dropped = 0;
    om_error err;
    if (c->older_than == NULL)
        return om__cli_usage(&om__cmd_store, "store gc: say of which samples, --older-than 90d");
    if (parse_before(c->older_than, before, &err) != OM_OK ||
        om__store_gc(store, before, &dropped, &err) != OM_OK)
        return om__cli_fail(&err);
    printf("%lld records from before %s lost their samples and kept their summaries\n",
           (long long)dropped, before);
    return OM_EXIT_OK;
}

/* ---- check ---- */

static int run_check(const config *c, om_store *store)
{
    om_pairs faults = {0};
    int64_t records = 0;
    om_error err;
    int code = OM_EXIT_OK;
    if (om__store_check(store, &faults, &records, &err) != OM_OK) {
        code = om__cli_fail(&err);
    } else if (faults.count == 0) {
        printf("%s: %lld records, all sound\n", c->store, (long long)records);
    } else {
        for (size_t i = 0; i < faults.count; i++)
            printf("%s: %s: %s\n", c->store, faults.items[i].key, faults.items[i].value);
        printf("%s: %zu faults; %lld records were read\n", c->store, faults.count,
               (long long)records);
        code = OM_EXIT_FOUND;
    }
    om__pairs_release(&faults);
    return code;
}

/* ---- the command ---- */

static const char *const formats[] = {"terminal", "jsonl", NULL};

static const om_option options[] = {
    {"store", 0, OM_OPTION_TEXT, offsetof(config, store), "FILE", "opmark-results/opmark.db", NULL,
     "the store"},
    {"older-than", 0, OM_OPTION_TEXT, offsetof(config, older_than), "AGE", NULL, NULL,
     "gc: of records that started longer ago (90d, 8w, 12h) or before a date"},
    {"format", 'f', OM_OPTION_TEXT, offsetof(config, format), "FORMAT", "terminal", formats,
     "show: a table, or the records as they were (jsonl)"},
    {"lenient", 0, OM_OPTION_FLAG, offsetof(config, lenient), NULL, NULL, NULL,
     "add: skip and count lines that are no records"},
};

/* A damaged store is what `check` looks for; anything else that keeps it shut is the environment's
 * fault. */
static int fail_open(const char *verb, const om_error *err)
{
    int code = om__cli_fail(err);
    if (strcmp(verb, "check") == 0 && err->code == OM_DATABASE)
        return OM_EXIT_FOUND;
    return code;
}

static int run_store(void *config_pointer, const om_words *operands)
{
    static const char *const verbs[] = {"add", "list", "show", "gc", "check"};
    static const om_store_mode modes[] = {OM_STORE_WRITE, OM_STORE_READ, OM_STORE_READ,
                                          OM_STORE_CHANGE, OM_STORE_READ};
    enum { VERBS = sizeof verbs / sizeof verbs[0] };
    const config *c = config_pointer;
    const char *verb = operands->count > 0 ? operands->items[0] : "";
    const char *const *rest = operands->items + 1;
    size_t rest_count = operands->count > 0 ? operands->count - 1 : 0;
    om_store *store = NULL;
    om_text query = {0};
    om_error err;
    size_t which = 0;
    int code;
    while (which < VERBS && strcmp(verb, verbs[which]) != 0)
        which++;
    if (which == VERBS) {
        const char *close = om__closest_word(verb, verbs, VERBS);
        return om__cli_usage(&om__cmd_store, "%s%s%s%s",
                             close != NULL ? "did you mean " : "add, list, show, gc or check",
                             close != NULL ? "store " : "", close != NULL ? close : "",
                             close != NULL ? "?" : "");
    }
    if (which >= 3 && rest_count > 0)
        return om__cli_usage(&om__cmd_store, "store %s takes no operands", verb);
    if (om__store_open(c->store, modes[which], &store, &err) != OM_OK)
        return fail_open(verb, &err);
    if (join_query(rest, which == 1 || which == 2 ? rest_count : 0, &query, &err) != OM_OK)
        code = om__cli_fail(&err);
    else if (which == 0)
        code = run_add(c, store, rest, rest_count);
    else if (which == 1)
        code = run_list(store, query.data);
    else if (which == 2)
        code = run_show(c, store, query.data);
    else
        code = which == 3 ? run_gc(c, store) : run_check(c, store);
    om__store_close(store);
    om__text_release(&query);
    return code;
}

const om_command om__cmd_store = {
    .name = "store",
    .summary = "keep many runs in one file",
    .operands = "add FILE… | list [KEY=VALUE…] | show [KEY=VALUE…] | gc | check",
    .details =
        "add takes record files and result folders; a record that is there already is left alone. "
        "list shows the runs, show the records of those that match: commit (its beginning is "
        "enough), machine (part of its name), run, suite, table, name, op, pass, dtype, provider, "
        "role, variant, metric, outcome, cache, since, until. gc drops samples that are older than "
        "told, never summaries. check reads everything and says what is damaged (exit code 1).\n\n"
        "`opmark run --store FILE` adds while it measures; `opmark compare store:commit=abc …` "
        "reads from a store.",
    OM_OPTIONS(options),
    .config_size = sizeof(config),
    .run = run_store,
};
