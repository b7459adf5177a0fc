/* SPDX-License-Identifier: Apache-2.0 */
/* test_strict_json.c: json-c, as an independent strict reader, accepts the records we write and
 * finds in them what was put there. */
#include "helpers/helper.h"

#include <json-c/json.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/record.h"

static const char awkward[] = "a \"b\" \\c\n\t\x01 <é> \xF0\x9F\x98\x80 </script>";

static struct json_object *parse_strictly(const char *line)
{
    struct json_tokener *tokener = json_tokener_new();
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
    struct json_object *object = json_tokener_parse_ex(tokener, line, (int)strlen(line) + 1);
    if (object == NULL)
        fail_msg("json-c refuses it: %s in %s",
                 json_tokener_error_desc(json_tokener_get_error(tokener)), line);
    json_tokener_free(tokener);
    return object;
}

static struct json_object *member(struct json_object *object, const char *name)
{
    struct json_object *found = NULL;
    if (!json_object_object_get_ex(object, name, &found))
        fail_msg("no member %s", name);
    return found;
}

static void fill(om_record *record)
{
    om__record_init(record);
    record->benchmark.suite = om__strdup("quick");
    record->benchmark.name = om__strdup(awkward);
    record->benchmark.op = om__strdup("gemm");
    assert_int_equal(om__pairs_set(&record->benchmark.params, "m", "16", NULL), OM_OK);
    assert_int_equal(om__pairs_set(&record->benchmark.params, "odd \"key\"", awkward, NULL), OM_OK);
    record->metric.name = om__strdup("time");
    record->metric.unit = om__strdup("ns");
    record->metric.better = OM_BETTER_LOWER;
    record->subject.provider = om__strdup("own");
    record->when.order_seed = UINT64_MAX;
    record->sample_count = 4;
    record->samples = malloc(4 * sizeof *record->samples);
    record->samples[0] = 1.5f;
    record->samples[1] = NAN;
    record->samples[2] = 0.1f;
    record->samples[3] = 16777217.0f;
    record->outcome = OM_OUTCOME_WRONG;
    record->reason = om__strdup(awkward);
    assert_int_equal(om__record_summarise(record, NULL), OM_OK);
}

static void awkward_records_are_strict_json(void **state)
{
    (void)state;
    om_record record;
    char *line = NULL;
    om_error err = {0};
    fill(&record);
    if (om__record_format(&record, &line, &err) != OM_OK)
        fail_msg("%s", err.text);
    assert_null(strchr(line, '\n'));
    struct json_object *object = parse_strictly(line);
    struct json_object *benchmark = member(object, "benchmark");
    assert_string_equal(json_object_get_string(member(benchmark, "name")), awkward);
    struct json_object *params = member(benchmark, "params");
    assert_string_equal(json_object_get_string(member(params, "odd \"key\"")), awkward);
    struct json_object *samples = member(object, "samples");
    assert_int_equal(json_object_array_length(samples), 4);
    assert_true((float)json_object_get_double(json_object_array_get_idx(samples, 0)) == 1.5f);
    assert_null(json_object_array_get_idx(samples, 1)); /* NaN: null */
    assert_true((float)json_object_get_double(json_object_array_get_idx(samples, 2)) == 0.1f);
    assert_string_equal(json_object_get_string(member(object, "outcome")), "wrong");
    json_object_put(object);
    free(line);
    om__record_release(&record);
}

static void an_empty_record_is_strict_json_too(void **state)
{
    (void)state;
    om_record record;
    char *line = NULL;
    om__record_init(&record);
    record.metric.name = om__strdup("time");
    record.metric.unit = om__strdup("ns");
    record.outcome = OM_OUTCOME_NOT_RUN;
    record.reason = om__strdup("interrupted");
    assert_int_equal(om__record_format(&record, &line, NULL), OM_OK);
    struct json_object *object = parse_strictly(line);
    assert_string_equal(json_object_get_string(member(object, "reason")), "interrupted");
    json_object_put(object);
    free(line);
    om__record_release(&record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(awkward_records_are_strict_json),
        cmocka_unit_test(an_empty_record_is_strict_json_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
