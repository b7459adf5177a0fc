/* SPDX-License-Identifier: Apache-2.0 */
/* contest_data.c: the rows of a contest for programs: CSV columns that scripts rely on, the line
 * that reruns a row, and checks. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/contest_rows.h"
#include "report/escape.h"
#include "report/number.h"

/* Names and order are documented in docs/records.md and stable: add at the end only. */
#define DATA_COLUMNS(TEXT, NUMBER)                                                                 \
    TEXT(suite)                                                                                    \
    TEXT(table)                                                                                    \
    TEXT(op)                                                                                       \
    TEXT(workload)                                                                                 \
    TEXT(pass)                                                                                     \
    TEXT(params)                                                                                   \
    TEXT(dtype)                                                                                    \
    TEXT(provider)                                                                                 \
    TEXT(role)                                                                                     \
    TEXT(device)                                                                                   \
    TEXT(machine)                                                                                  \
    TEXT(cache)                                                                                    \
    NUMBER(launches)                                                                               \
    TEXT(outcome)                                                                                  \
    TEXT(reason)                                                                                   \
    TEXT(metric)                                                                                   \
    TEXT(unit)                                                                                     \
    NUMBER(value)                                                                                  \
    NUMBER(time_ms)                                                                                \
    NUMBER(ci_low_ms)                                                                              \
    NUMBER(ci_high_ms)                                                                             \
    NUMBER(ratio)                                                                                  \
    NUMBER(ratio_low)                                                                              \
    NUMBER(ratio_high)                                                                             \
    TEXT(verdict)                                                                                  \
    TEXT(alternative)                                                                              \
    NUMBER(alternative_ms)                                                                         \
    NUMBER(tflops)                                                                                 \
    NUMBER(gbps)                                                                                   \
    NUMBER(check_error)                                                                            \
    TEXT(variant)                                                                                  \
    TEXT(version)                                                                                  \
    TEXT(commit)                                                                                   \
    TEXT(run)                                                                                      \
    TEXT(started)                                                                                  \
    NUMBER(samples)                                                                                \
    NUMBER(invalid_samples)                                                                        \
    NUMBER(first_call_ms)                                                                          \
    NUMBER(workspace_bytes)                                                                        \
    TEXT(note)                                                                                     \
    NUMBER(ticket_reach)                                                                           \
    NUMBER(ticket_rival)                                                                           \
    NUMBER(yardstick_share)                                                                        \
    TEXT(rerun)                                                                                    \
    NUMBER(copy_share)                                                                             \
    NUMBER(read_share)

#define INDEX(name) DATA_##name,
enum { DATA_COLUMNS(INDEX, INDEX) DATA_COUNT };

#define TEXT_COLUMN(column)   [DATA_##column] = {.name = #column, .title = #column},
#define NUMBER_COLUMN(column) [DATA_##column] = {.name = #column, .title = #column, .number = true},
static const om_column data_columns[DATA_COUNT] = {DATA_COLUMNS(TEXT_COLUMN, NUMBER_COLUMN)};

static const char *or_empty(const char *text)
{
    return text != NULL ? text : "";
}

static const char *exact(om_document *document, double value)
{
    return om__document_text(document, om__format_exact(value).text);
}

static const char *whole(om_document *document, long long value)
{
    return om__document_textf(document, "%lld", value);
}

/* "cuda:0" and the like: what --device takes. A record may name the model in its place; then the
 * settings have the name. */
static const char *device_name(const om_record *record)
{
    const char *name = om__pairs_find(&record->place.settings, "device");
    if (name == NULL)
        name = or_empty(record->place.device);
    size_t word = strspn(name, "abcdefghijklmnopqrstuvwxyz");
    size_t number = name[word] == ':' ? strspn(name + word + 1, "0123456789") : 0;
    bool is_name =
        word > 0 && (name[word] == '\0' || (number > 0 && name[word + 1 + number] == '\0'));
    return is_name && strcmp(name, "cpu") != 0 ? name : "";
}

void om__rerun_line(const om_record *record, const char *providers, om_text *out)
{
    if (record->benchmark.op == NULL)
        return; /* a foreign benchmark: nothing here can measure it */
    om__text_addf(out, "opmark run %s", record->benchmark.op);
    for (size_t i = 0; i < record->benchmark.params.count; i++) {
        om_text word = {0};
        om__text_addf(&word, "%s=%s", record->benchmark.params.items[i].key,
                      record->benchmark.params.items[i].value);
        om__text_add_char(out, ' ');
        om__escape_shell(out, or_empty(word.data));
        om__text_release(&word);
    }
    if (record->benchmark.pass != NULL && strcmp(record->benchmark.pass, "forward") != 0)
        om__text_addf(out, " pass=%s", record->benchmark.pass);
    if (device_name(record)[0] != '\0')
        om__text_addf(out, " --device %s", device_name(record));
    if (record->method.cache != NULL) {
        om__text_add(out, " --cache ");
        om__escape_shell(out, record->method.cache);
    }
    if (providers != NULL && providers[0] != '\0') {
        om__text_add(out, " --provider ");
        om__escape_shell(out, providers);
    }
    om__rerun_add_plugin(record, out);
}

void om__rerun_add_plugin(const om_record *record, om_text *line)
{
    const char *plugin = om__pairs_find(&record->subject.details, "plugin");
    om_text words = {0};
    if (plugin == NULL)
        return;
    om__text_add(&words, " --plugin ");
    om__escape_shell(&words, plugin);
    if (words.data != NULL && (line->data == NULL || strstr(line->data, words.data) == NULL))
        om__text_add(line, words.data);
    om__text_release(&words);
}

static void fill_identity(om_document *document, const om_contest_row *row, const char **cells)
{
    const om_record *record = row->record;
    cells[DATA_suite] = or_empty(record->benchmark.suite);
    cells[DATA_table] = or_empty(record->benchmark.table);
    cells[DATA_op] = or_empty(record->benchmark.op);
    cells[DATA_workload] = or_empty(record->benchmark.name);
    cells[DATA_pass] = or_empty(record->benchmark.pass);
    cells[DATA_params] = or_empty(row->key_params);
    cells[DATA_dtype] = or_empty(record->benchmark.dtype);
    cells[DATA_provider] = or_empty(record->subject.provider);
    cells[DATA_role] = om__role_name(record->subject.role);
    cells[DATA_device] = or_empty(record->place.device);
    cells[DATA_machine] = or_empty(record->place.machine_class);
    cells[DATA_cache] = or_empty(record->method.cache);
    cells[DATA_launches] = whole(document, (long long)row->launch_count);
    cells[DATA_outcome] = om__outcome_name(row->outcome);
    cells[DATA_reason] = or_empty(row->reason);
    cells[DATA_metric] = or_empty(record->metric.name);
    cells[DATA_unit] = or_empty(record->metric.unit);
    cells[DATA_variant] = or_empty(record->subject.variant);
    cells[DATA_version] = or_empty(record->subject.version);
    cells[DATA_commit] = or_empty(record->subject.commit);
    cells[DATA_run] = or_empty(record->when.run);
    cells[DATA_started] = or_empty(record->when.started);
}

static void fill_values(om_document *document, const om_contest *contest, const om_contest_row *row,
                        const char **cells)
{
    cells[DATA_value] = exact(document, row->value);
    cells[DATA_time_ms] = exact(document, row->time_ms);
    cells[DATA_ci_low_ms] = exact(document, row->ci_low_ms);
    cells[DATA_ci_high_ms] = exact(document, row->ci_high_ms);
    cells[DATA_ratio] = exact(document, row->ratio);
    cells[DATA_ratio_low] = exact(document, row->ratio_low);
    cells[DATA_ratio_high] = exact(document, row->ratio_high);
    cells[DATA_verdict] = om__verdict_name(row->verdict);
    if (row->alternative != OM_CONTEST_NO_ROW) {
        const om_contest_row *rival = &contest->rows[row->alternative];
        cells[DATA_alternative] = rival->variant_name;
        cells[DATA_alternative_ms] = exact(document, rival->time_ms);
    }
    cells[DATA_tflops] = exact(document, row->tflops);
    cells[DATA_gbps] = exact(document, row->gbps);
    cells[DATA_copy_share] = exact(document, row->copy_share);
    cells[DATA_read_share] = exact(document, row->read_share);
    cells[DATA_check_error] = exact(document, row->check_error);
    cells[DATA_samples] = whole(document, (long long)row->sample_count);
    cells[DATA_invalid_samples] = whole(document, (long long)row->invalid_count);
    cells[DATA_first_call_ms] = exact(document, row->first_call_ms);
    if (row->record->workspace_bytes >= 0)
        cells[DATA_workspace_bytes] = whole(document, row->record->workspace_bytes);
    cells[DATA_note] = or_empty(row->note);
}

static void fill_ticket(om_document *document, const om_targets *targets, const om_contest_row *row,
                        const char **cells)
{
    const om_target *target =
        om__target_find(targets, row->record->benchmark.table, row->record->benchmark.name);
    if (target == NULL || isnan(row->time_ms) || row->outcome != OM_OUTCOME_OK)
        return;
    cells[DATA_ticket_reach] = exact(document, target->reach_us / (row->time_ms * 1e3));
    cells[DATA_ticket_rival] = exact(document, target->rival_us / (row->time_ms * 1e3));
    cells[DATA_yardstick_share] = exact(document, target->yardstick_us / (row->time_ms * 1e3));
}

void om__contest_data(const om_contest *contest, const om_targets *targets, om_document *document)
{
    document->data = (om_table){
        .heading = "", .remark = "", .columns = data_columns, .column_count = DATA_COUNT};
    for (size_t i = 0; i < contest->row_count; i++) {
        const om_contest_row *row = &contest->rows[i];
        om_row *out = om__document_row(document, &document->data);
        if (out == NULL)
            return;
        fill_identity(document, row, out->cells);
        fill_values(document, contest, row, out->cells);
        fill_ticket(document, targets, row, out->cells);
        om_text line = {0};
        om__rerun_line(row->record, row->record->subject.provider, &line);
        out->cells[DATA_rerun] = om__document_text(document, line.data);
        om__text_release(&line);
    }
}

void om__contest_checks(const om_contest *contest, om_document *document)
{
    static const om_check_result results[OM_OUTCOME_COUNT] = {
        [OM_OUTCOME_OK] = OM_CHECK_PASSED,           [OM_OUTCOME_WRONG] = OM_CHECK_FAILED,
        [OM_OUTCOME_UNSUPPORTED] = OM_CHECK_SKIPPED, [OM_OUTCOME_SKIPPED] = OM_CHECK_SKIPPED,
        [OM_OUTCOME_MISTRUSTED] = OM_CHECK_FAILED,   [OM_OUTCOME_TIMEOUT] = OM_CHECK_ERROR,
        [OM_OUTCOME_CRASHED] = OM_CHECK_ERROR,       [OM_OUTCOME_ERROR] = OM_CHECK_ERROR,
        [OM_OUTCOME_NOT_RUN] = OM_CHECK_SKIPPED,
    };
    for (size_t i = 0; i < contest->row_count; i++) {
        const om_contest_row *row = &contest->rows[i];
        om_document_check *check = om__document_check_add(document);
        if (check == NULL)
            return;
        const char *suite = or_empty(row->record->benchmark.suite);
        const char *table = or_empty(row->record->benchmark.table);
        check->suite = om__document_textf(document, "%s%s%s", suite,
                                          suite[0] != '\0' && table[0] != '\0' ? "." : "", table);
        check->name =
            om__document_textf(document, "%s %s [%s]", or_empty(row->record->benchmark.name),
                               or_empty(row->record->benchmark.pass), row->variant_name);
        check->type = om__outcome_name(row->outcome);
        check->message = or_empty(row->reason);
        check->result = results[row->outcome];
        check->seconds = isnan(row->time_ms) ? 0 : row->time_ms * 1e-3;
    }
}
