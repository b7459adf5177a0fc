/* SPDX-License-Identifier: Apache-2.0 */
/* import_google_benchmark.c: the JSON of Google Benchmark (--benchmark_out), 1.5 to 1.9.
 *
 * Repetitions are samples. Aggregates are taken only where the file holds no repetitions of that
 * benchmark: then the median, or the mean where there is no median.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "store/import_rows.h"

typedef struct entry {
    om_text run_name, unit, aggregate, error;
    om_text name;      /* without its settings */
    om_pairs settings; /* its arguments, by name */
    om_pairs how;      /* how often and how long it was run */
    om_pairs counters; /* name → value as it stands */
    double real_time, cpu_time;
    const char *real_reason, *cpu_reason;
    int64_t iterations;
    bool is_aggregate, failed, skipped, has_time, has_cpu;
} entry;

static bool claims(const om_import_probe *probe)
{
    return om__pairs_find(&probe->keys, "context") != NULL &&
           om__pairs_find(&probe->keys, "benchmarks") != NULL;
}

static om_status set_text(om_text *text, om_json *json, om_error *err)
{
    const char *value;
    OM_TRY(om__json_read_any(json, &value, NULL, err));
    om__text_clear(text);
    om__text_add(text, value);
    return om__text_check(text, err);
}

static void entry_clear(entry *e)
{
    om__text_clear(&e->run_name);
    om__text_clear(&e->unit);
    om__text_clear(&e->aggregate);
    om__text_clear(&e->error);
    om__pairs_release(&e->counters);
    om__pairs_release(&e->settings);
    om__pairs_release(&e->how);
    e->real_time = e->cpu_time = NAN;
    e->real_reason = e->cpu_reason = "missing";
    e->iterations = -1;
    e->is_aggregate = e->failed = e->skipped = e->has_time = e->has_cpu = false;
}

static void entry_release(entry *e)
{
    om__text_release(&e->run_name);
    om__text_release(&e->unit);
    om__text_release(&e->aggregate);
    om__text_release(&e->error);
    om__text_release(&e->name);
    om__pairs_release(&e->counters);
    om__pairs_release(&e->settings);
    om__pairs_release(&e->how);
}

/* Members that are no counters of the user's. */
static bool is_known(const char *key)
{
    static const char *const known[] = {"family_index",
                                        "per_family_instance_index",
                                        "repetitions",
                                        "repetition_index",
                                        "threads",
                                        "aggregate_unit",
                                        "label",
                                        "big_o",
                                        "rms",
                                        "cpu_coefficient",
                                        "real_coefficient",
                                        "max_bytes_used",
                                        "allocs_per_iter",
                                        "total_allocated_bytes",
                                        "net_heap_growth"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(key, known[i]) == 0)
            return true;
    return false;
}

/* Rates are known to be numbers, whatever stands there; a counter of any other name may as well be
 * a label. */
static bool is_rate(const char *key)
{
    return strcmp(key, "bytes_per_second") == 0 || strcmp(key, "items_per_second") == 0;
}

static om_status read_rate(om_json *json, const char *key, entry *e, om_error *err)
{
    const char *value;
    double number;
    bool plain = om__json_peek(json) == OM_JSON_NUMBER;
    if (json->numbers && !plain)
        return om__json_fail(json, err, "expected a number");
    OM_TRY(om__json_read_any(json, &value, NULL, err));
    if (!plain && strcmp(value, "null") != 0 && !om__parse_double(value, &number))
        value = "\"\""; /* a value that is none */
    return om__import_set(&e->counters, key, value, err);
}

static om_status read_member(om_json *json, const char *key, entry *e, om_error *err)
{
    const char *value;
    if (strcmp(key, "run_name") == 0 || (strcmp(key, "name") == 0 && e->run_name.size == 0))
        return set_text(&e->run_name, json, err);
    if (strcmp(key, "time_unit") == 0)
        return set_text(&e->unit, json, err);
    if (strcmp(key, "aggregate_name") == 0)
        return set_text(&e->aggregate, json, err);
    if (strcmp(key, "error_message") == 0 || strcmp(key, "skip_message") == 0)
        return set_text(&e->error, json, err);
    if (strcmp(key, "real_time") == 0) {
        e->has_time = true;
        return om__json_read_value(json, &e->real_time, &e->real_reason, err);
    }
    if (strcmp(key, "cpu_time") == 0) {
        e->has_cpu = true;
        return om__json_read_value(json, &e->cpu_time, &e->cpu_reason, err);
    }
    if (strcmp(key, "name") == 0)
        return om__json_skip(json, NULL, NULL, err);
    if (is_rate(key))
        return read_rate(json, key, e, err);
    bool number = om__json_peek(json) == OM_JSON_NUMBER;
    OM_TRY(om__json_read_any(json, &value, NULL, err));
    if (strcmp(key, "run_type") == 0)
        e->is_aggregate = strcmp(value, "aggregate") == 0;
    else if (strcmp(key, "error_occurred") == 0)
        e->failed = strcmp(value, "true") == 0;
    else if (strcmp(key, "skipped") == 0)
        e->skipped = strcmp(value, "true") == 0;
    else if (strcmp(key, "iterations") == 0)
        om__parse_int64(value, &e->iterations);
    else if (number && !is_known(key))
        return om__import_set(&e->counters, key, value, err);
    return OM_OK;
}

static om_status read_entry(om_json *json, entry *e, om_error *err)
{
    om_text key = {0};
    om_status status = OM_OK;
    entry_clear(e);
    OM_TRY_OUT(om__json_enter(json, '{', err));
    for (;;) {
        const char *name;
        OM_TRY_OUT(om__json_next_key(json, &name, err));
        if (name == NULL)
            break;
        om__text_clear(&key);
        om__text_add(&key, name);
        OM_TRY_OUT(om__text_check(&key, err));
        OM_TRY_OUT(read_member(json, key.data, e, err));
    }
    if (e->run_name.size == 0)
        status = om__json_fail(json, err, "a benchmark without a name");
out:
    om__text_release(&key);
    return status;
}

static om_status add_counters(om_import *im, const entry *e, om_import_row *row, om_error *err)
{
    for (size_t i = 0; i < e->counters.count; i++) {
        const char *name = e->counters.items[i].key;
        om_json json;
        om__json_init(&json, e->counters.items[i].value, strlen(e->counters.items[i].value),
                      im->path, 0);
        json.lenient = true;
        row->metric = name;
        row->better = OM_BETTER_UNKNOWN;
        row->unit = NULL;
        if (strcmp(name, "bytes_per_second") == 0) {
            row->unit = "B/s";
            row->better = OM_BETTER_HIGHER;
        } else if (strcmp(name, "items_per_second") == 0) {
            row->unit = "items/s";
            row->better = OM_BETTER_HIGHER;
        }
        om_status status = om__json_read_value(&json, &row->value, &row->reason, err);
        om__json_release(&json);
        OM_TRY(status);
        OM_TRY(om__import_add(im, row, err));
    }
    return OM_OK;
}

/* ---- names: "fill/rows:8/64/min_time:2.000/real_time/threads:2" ---- */

static bool is_number(const char *text, size_t size)
{
    char copy[40];
    double value;
    if (size == 0 || size >= sizeof copy)
        return false;
    memcpy(copy, text, size);
    copy[size] = '\0';
    return om__parse_double(copy, &value);
}

/* What kind of part one is: an argument, its value from *value on; a setting of the run; none. */
typedef enum part { PART_NAME, PART_BARE, PART_NAMED, PART_HOW, PART_CLOCK } part;

static part tell_part(const char *text, size_t size, size_t *value)
{
    static const char *const how[] = {"repeats", "iterations", "min_time", "min_warmup_time"};
    static const char *const clocks[] = {"real_time", "process_time", "manual_time"};
    const char *colon = memchr(text, ':', size);
    *value = 0;
    for (size_t i = 0; i < sizeof clocks / sizeof clocks[0]; i++)
        if (strlen(clocks[i]) == size && memcmp(text, clocks[i], size) == 0)
            return PART_CLOCK;
    if (is_number(text, size))
        return PART_BARE;
    if (colon == NULL || colon == text)
        return PART_NAME;
    *value = (size_t)(colon - text) + 1;
    if (!is_number(text + *value, size - *value))
        return PART_NAME; /* of a template: std::vector */
    for (size_t i = 0; i < sizeof how / sizeof how[0]; i++)
        if (strlen(how[i]) == *value - 1 && memcmp(text, how[i], *value - 1) == 0)
            return PART_HOW;
    return PART_NAMED;
}

static om_status set_part(om_pairs *pairs, const char *key, size_t key_size, const char *value,
                          size_t value_size, om_error *err)
{
    om_text k = {0}, v = {0};
    om__text_add_bytes(&k, key, key_size);
    om__text_add_bytes(&v, value, value_size);
    om_status status = om__text_check(&k, err);
    if (status == OM_OK)
        status = om__text_check(&v, err);
    if (status == OM_OK)
        status = om__import_set(pairs, k.data, v.data, err);
    om__text_release(&k);
    om__text_release(&v);
    return status;
}

/* Arguments and settings stand at the end; where the first of them begins. */
static size_t find_arguments(const char *text, size_t *bare)
{
    size_t end = strlen(text), value;
    *bare = 0;
    for (;;) {
        size_t begin = end;
        while (begin > 0 && text[begin - 1] != '/')
            begin--;
        if (begin == 0)
            return end; /* the first part is the name, whatever it looks like */
        part kind = tell_part(text + begin, end - begin, &value);
        if (kind == PART_NAME)
            return end;
        *bare += kind == PART_BARE;
        end = begin - 1;
    }
}

static om_status split_name(const char *text, entry *e, om_error *err)
{
    size_t bare, number = 0, value, start = find_arguments(text, &bare);
    om_text head = {0};
    om__text_add_bytes(&head, text, start);
    om_status status = om__text_check(&head, err);
    if (status == OM_OK)
        status = om__import_split(head.data, &e->name, &e->settings, err);
    om__text_release(&head);
    for (const char *at = text + start; status == OM_OK && *at == '/';) {
        char key[24] = "arg";
        const char *word = ++at;
        size_t size = strcspn(at, "/");
        part kind = tell_part(word, size, &value);
        at += size;
        if (kind == PART_BARE && bare > 1)
            snprintf(key, sizeof key, "arg%zu", ++number);
        if (kind == PART_BARE)
            status = set_part(&e->settings, key, strlen(key), word, size, err);
        else if (kind == PART_CLOCK)
            status = set_part(&e->settings, "clock", 5, word, size, err);
        else
            status = set_part(kind == PART_HOW ? &e->how : &e->settings, word, value - 1,
                              word + value, size - value, err);
    }
    return status;
}

static om_status add_entry(om_import *im, entry *e, const char *table, om_error *err)
{
    char derivation[80] = "";
    OM_TRY(split_name(e->run_name.data, e, err));
    if (e->is_aggregate)
        snprintf(derivation, sizeof derivation, "%.40s of repetitions",
                 e->aggregate.size > 0 ? e->aggregate.data : "aggregate");
    om_import_row row = {.table = table,
                         .name = e->name.data,
                         .params = &e->settings,
                         .evidence = &e->how,
                         .provider = "google-benchmark",
                         .derivation = e->is_aggregate ? derivation : NULL,
                         .inner = e->iterations > 0 ? e->iterations : 0,
                         .metric = "time",
                         .unit = e->unit.size > 0 ? e->unit.data : "ns",
                         .better = OM_BETTER_LOWER};
    if (e->is_aggregate) {
        /* Repetitions, or an aggregate of an earlier pass, say more. */
        row.derivation = NULL;
        bool better = om__import_has(im, &row);
        row.derivation = "median of repetitions";
        if (better || (strcmp(derivation, row.derivation) != 0 && om__import_has(im, &row)))
            return OM_OK;
        row.derivation = derivation;
    }
    if (e->failed || e->skipped) {
        row.reason = e->error.size > 0 ? e->error.data : "failed without a message";
        row.outcome = e->skipped ? OM_OUTCOME_SKIPPED : OM_OUTCOME_ERROR;
        row.value = NAN;
        return om__import_add(im, &row, err);
    }
    row.value = e->real_time;
    row.reason = e->iterations == 0 ? "0 iterations" : e->real_reason;
    OM_TRY(om__import_add(im, &row, err));
    if (e->has_cpu) {
        row.metric = "cpu_time";
        row.value = e->cpu_time;
        row.reason = e->iterations == 0 ? "0 iterations" : e->cpu_reason;
        OM_TRY(om__import_add(im, &row, err));
    }
    return add_counters(im, e, &row, err);
}

static om_status read_context(om_import *im, om_text *table, om_error *err)
{
    om_status status = OM_OK;
    om_pairs context = {0};
    om_json json;
    bool found;
    OM_TRY_OUT(om__import_json_at(im, &json, "context", &found, err));
    OM_TRY_OUT(om__import_flatten(&json, "", &context, err));
    const char *schema = om__pairs_find(&context, "json_schema_version");
    if (schema != NULL && strcmp(schema, "1") != 0) {
        status = om__error_set_at(err, OM_PARSE, im->path, 0,
                                  "Google Benchmark JSON schema %s is not known (1 is)", schema);
        goto out;
    }
    const char *program = om__pairs_find(&context, "executable");
    if (program != NULL) {
        const char *slash = strrchr(program, '/');
        om__text_add(table, slash != NULL ? slash + 1 : program);
        OM_TRY_OUT(om__text_check(table, err));
    }
    om_record *c = &im->common;
    OM_TRY_OUT(om__import_set_text(&c->when.started, om__pairs_find(&context, "date"), err));
    OM_TRY_OUT(om__import_set_text(&c->place.instance, om__pairs_find(&context, "host_name"), err));
    OM_TRY_OUT(
        om__import_set_text(&c->method.harness, om__pairs_find(&context, "library_version"), err));
    static const char *const settings[] = {"num_cpus", "cpu_scaling_enabled", "aslr_enabled",
                                           "library_build_type"};
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        const char *value = om__pairs_find(&context, settings[i]);
        if (value != NULL)
            OM_TRY_OUT(om__import_set(&c->place.settings, settings[i], value, err));
    }
out:
    om__json_release(&json);
    om__pairs_release(&context);
    return status;
}

/* Takes the entries of one kind: aggregate NULL the repetitions, else those of that name whose
 * benchmark has nothing better yet. */
static om_status read_pass(om_import *im, const char *table, const char *aggregate,
                           bool *aggregates, om_error *err)
{
    om_status status = OM_OK;
    entry e = {0};
    om_json json;
    bool found, more;
    OM_TRY_OUT(om__import_json_at(im, &json, "benchmarks", &found, err));
    OM_TRY_OUT(om__json_enter(&json, '[', err));
    for (;;) {
        OM_TRY_OUT(om__json_next_item(&json, &more, err));
        if (!more)
            break;
        OM_TRY_OUT(read_entry(&json, &e, err));
        *aggregates |= e.is_aggregate;
        bool wanted = aggregate == NULL ? !e.is_aggregate
                                        : e.is_aggregate && e.aggregate.size > 0 &&
                                              strcmp(e.aggregate.data, aggregate) == 0;
        if (wanted)
            OM_TRY_OUT(add_entry(im, &e, table, err));
    }
    /* The file is read to its end: a cut one must not pass. */
    for (const char *key = "";;) {
        OM_TRY_OUT(om__json_next_key(&json, &key, err));
        if (key == NULL)
            break;
        OM_TRY_OUT(om__json_skip(&json, NULL, NULL, err));
    }
    status = om__json_finish(&json, err);
out:
    om__json_release(&json);
    entry_release(&e);
    return status;
}

static om_status read_file(om_import *im, om_error *err)
{
    om_status status = OM_OK;
    om_text table = {0};
    bool aggregates = false;
    OM_TRY_OUT(read_context(im, &table, err));
    OM_TRY_OUT(read_pass(im, table.data, NULL, &aggregates, err));
    if (aggregates)
        OM_TRY_OUT(read_pass(im, table.data, "median", &aggregates, err));
    if (aggregates)
        OM_TRY_OUT(read_pass(im, table.data, "mean", &aggregates, err));
out:
    om__text_release(&table);
    return status;
}

const om_importer om_importer_google_benchmark = {
    .name = "google-benchmark",
    .summary = "JSON of Google Benchmark (--benchmark_out)",
    .claims = claims,
    .read = read_file,
};
