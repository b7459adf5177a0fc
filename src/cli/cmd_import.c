/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_import.c: `opmark import`: other tools' result files as records. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/side_openers.h"
#include "store/store.h"

typedef struct config {
    const char *kind, *machine, *map, *out, *store;
    bool lenient, strict;
} config;

static const om_option options[] = {
    {"kind", 'k', OM_OPTION_TEXT, offsetof(config, kind), "TOOL", NULL, NULL,
     "whose file it is (standard: told from its content)"},
    {"machine", 'm', OM_OPTION_TEXT, offsetof(config, machine), "NAME", NULL, NULL,
     "machine class of the rows (standard: what the file says)"},
    {"map", 0, OM_OPTION_TEXT, offsetof(config, map), "MAP", NULL, NULL,
     "of a plain table: which columns mean what ('case=…,value=… unit=us better=lower')"},
    {"out", 'o', OM_OPTION_TEXT, offsetof(config, out), "DIR", NULL, NULL,
     "append the records to DIR/records.jsonl instead of printing them"},
    {"store", 0, OM_OPTION_TEXT, offsetof(config, store), "FILE", NULL, NULL,
     "add the records to this store"},
    {"lenient", 0, OM_OPTION_FLAG, offsetof(config, lenient), NULL, NULL, NULL,
     "skip lines that cannot be read, and keep contradicting duplicates"},
    {"strict", 0, OM_OPTION_FLAG, offsetof(config, strict), NULL, NULL, NULL,
     "refuse NaN, infinities and numbers out of range, by line and column"},
};

static om_status read_file(const config *c, const char *path, om_side *side, om_error *err)
{
    size_t count;
    const om_side_opener *openers = om__side_openers_get(&count);
    om_side_options side_options = {
        .machine = c->machine, .map = c->map, .lenient = c->lenient, .strict = c->strict};
    if (c->kind == NULL)
        return om__side_open(path, &side_options, openers, count, side, err);
    const om_importer *importer = om__importer_find(c->kind);
    *side = (om_side){0};
    return om__side_import(importer, path, &side_options, side, err);
}

static om_status write_folder(const char *dir, const om_record_set *set, om_error *err)
{
    om_record_writer *writer;
    om_status status = OM_OK;
    OM_TRY(om__record_writer_open(dir, &writer, err));
    for (size_t i = 0; i < set->count && status == OM_OK; i++)
        status = om__record_writer_add(writer, &set->items[i], err);
    om_status closed = om__record_writer_close(writer, status == OM_OK ? err : NULL);
    return status == OM_OK ? closed : status;
}

static om_status write_store(const char *file, const om_record_set *set, om_error *err)
{
    om_status status = OM_OK;
    om_store *store;
    OM_TRY(om__store_open(file, OM_STORE_WRITE, &store, err));
    OM_TRY_OUT(om__store_begin(store, err));
    for (size_t i = 0; i < set->count; i++)
        OM_TRY_OUT(om__store_add(store, &set->items[i], NULL, err));
    status = om__store_commit(store, err);
out:
    om__store_close(store);
    return status;
}

static om_status print_records(const om_record_set *set, om_error *err)
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

static void print_facts(const char *path, const om_record_set *set)
{
    size_t values = 0, missing = 0;
    for (size_t i = 0; i < set->count; i++) {
        values += set->items[i].sample_count;
        missing += set->items[i].sample_count - (size_t)set->items[i].summary.n;
    }
    const char *suite = set->items[0].benchmark.suite;
    fprintf(stderr, "%s: %s%s%zu row%s, %zu value%s", path, suite != NULL ? suite : "",
            suite != NULL ? ", " : "", set->count, set->count == 1 ? "" : "s", values,
            values == 1 ? "" : "s");
    if (missing > 0)
        fprintf(stderr, ", %zu of them no number%s", missing, missing == 1 ? "" : "s");
    fputc('\n', stderr);
    for (size_t i = 0; i < set->warnings.count; i++)
        om__cli_say(stderr, "opmark: %s: %s", set->warnings.items[i].key,
                    set->warnings.items[i].value);
}

static int import_one(const config *c, const char *path)
{
    om_side side = {0};
    om_error err;
    int code = OM_EXIT_OK;
    if (read_file(c, path, &side, &err) != OM_OK) {
        code = om__cli_fail_input(&err);
        goto out;
    }
    om_status status = OM_OK;
    if (c->out != NULL)
        status = write_folder(c->out, &side.set, &err);
    if (status == OM_OK && c->store != NULL)
        status = write_store(c->store, &side.set, &err);
    if (status == OM_OK && c->out == NULL && c->store == NULL)
        status = print_records(&side.set, &err);
    if (status != OM_OK)
        code = om__cli_fail(&err);
    else if (side.set.count > 0)
        print_facts(path, &side.set);
out:
    om__side_release(&side);
    return code;
}

static int unknown_kind(const char *kind)
{
    size_t count;
    const om_importer *const *importers = om__importers_get(&count);
    om_text list = {0};
    for (size_t i = 0; i < count; i++)
        om__text_addf(&list, "%s%s", i == 0 ? "" : ", ", importers[i]->name);
    int code = om__cli_usage(&om__cmd_import, "--kind %s: not one of %s", kind,
                             list.data != NULL ? list.data : "");
    om__text_release(&list);
    return code;
}

static int run_import(void *config_pointer, const om_words *operands)
{
    const config *c = config_pointer;
    if (operands->count == 0)
        return om__cli_usage(&om__cmd_import, "no file to import");
    if (c->kind != NULL && om__importer_find(c->kind) == NULL)
        return unknown_kind(c->kind);
    if (c->strict && c->lenient)
        return om__cli_usage(&om__cmd_import, "--strict and --lenient exclude each other");
    for (size_t i = 0; i < operands->count; i++) {
        int code = import_one(c, operands->items[i]);
        if (code != OM_EXIT_OK)
            return code;
    }
    return OM_EXIT_OK;
}

const om_command om__cmd_import = {
    .name = "import",
    .summary = "read result files of other tools",
    .operands = "FILE…",
    .details =
        "Knows JSON of Google Benchmark, nvbench (with its binary samples), pytest-benchmark and "
        "hyperfine, results of asv, folders of Criterion.rs, messages of cargo criterion, text of "
        "go "
        "test -bench, and plain tables in CSV or JSON. The kind is told from the content. Values "
        "that "
        "are no numbers are kept as samples with a reason. `opmark compare` and `opmark gate` take "
        "the same files directly.",
    OM_OPTIONS(options),
    .config_size = sizeof(config),
    .run = run_import,
};
