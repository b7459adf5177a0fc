/* SPDX-License-Identifier: Apache-2.0 */
/* test_record.c: one record to its line and back, unknown fields, newer schemas, the summary. */
#include "helpers/helper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/record.h"

static void fill_record(om_record *r)
{
    om__record_init(r);
    r->benchmark.suite = om__strdup("quick");
    r->benchmark.table = om__strdup("Gemm \"t\"");
    r->benchmark.name = om__strdup("p\nq|µ");
    r->benchmark.op = om__strdup("gemm");
    r->benchmark.pass = om__strdup("forward");
    r->benchmark.dtype = om__strdup("bf16");
    assert_int_equal(om__pairs_set(&r->benchmark.params, "m", "16", NULL), OM_OK);
    assert_int_equal(om__pairs_set(&r->benchmark.params, "k", "a b", NULL), OM_OK);
    r->metric.name = om__strdup("time");
    r->metric.unit = om__strdup("ns");
    r->metric.better = OM_BETTER_LOWER;
    r->subject.provider = om__strdup("own");
    r->subject.role = OM_ROLE_OWN;
    r->subject.version = om__strdup("0.1.0");
    r->place.machine_class = om__strdup("x86 2 cores");
    assert_int_equal(om__pairs_set(&r->place.environment, "OMP_NUM_THREADS", "2", NULL), OM_OK);
    r->when.started = om__strdup("2026-11-30T12:00:00.000Z");
    r->when.run = om__strdup("r1");
    r->when.launch = 2;
    r->when.order_seed = UINT64_MAX;
    r->method.clock = om__strdup("cpu");
    r->method.inner = 10;
    r->method.tick_ns = 0.5;
    r->sample_count = 3;
    r->samples = malloc(3 * sizeof *r->samples);
    r->samples[0] = 100.25f;
    r->samples[1] = NAN;
    r->samples[2] = 1e9f / 3;
    r->sample_reasons = calloc(3, sizeof *r->sample_reasons);
    r->sample_reasons[1] = om__strdup("clock went backwards");
    r->work.flops = 1e12;
    r->outcome = OM_OUTCOME_WRONG;
    r->reason = om__strdup("error 0.5");
    r->check.error = 0.5;
    r->check.mode = om__strdup("whole");
    r->peak_bytes = 4096;
    assert_int_equal(om__record_summarise(r, NULL), OM_OK);
}

static void test_line_and_back(void **state)
{
    (void)state;
    om_record r, back;
    char *line, *again;
    fill_record(&r);
    assert_int_equal(om__record_format(&r, &line, NULL), OM_OK);
    assert_null(strchr(line, '\n'));
    assert_int_equal(strncmp(line, "{\"schema\":1,", 12), 0);
    assert_int_equal(om__record_parse(line, strlen(line), "t", 1, &back, NULL), OM_OK);
    assert_string_equal(back.benchmark.name, "p\nq|µ");
    assert_true(om__pairs_equal(&back.benchmark.params, &r.benchmark.params));
    assert_true(back.when.order_seed == UINT64_MAX);
    assert_int_equal(back.when.launch, 2);
    assert_int_equal(back.sample_count, 3);
    assert_true(back.samples[2] == r.samples[2]);
    assert_true(isnan(back.samples[1]));
    assert_string_equal(back.sample_reasons[1], "clock went backwards");
    assert_null(back.sample_reasons[0]);
    assert_int_equal(back.summary.n, 2);
    assert_true(isnan(back.summary.ci_low));
    assert_int_equal(back.outcome, OM_OUTCOME_WRONG);
    assert_int_equal(back.workspace_bytes, -1);
    assert_int_equal(back.peak_bytes, 4096);
    assert_null(back.unknown);
    assert_null(back.subject.commit);
    assert_int_equal(om__record_format(&back, &again, NULL), OM_OK);
    assert_string_equal(line, again);
    free(line);
    free(again);
    om__record_release(&r);
    om__record_release(&back);
}

static void test_unknown_fields_are_kept(void **state)
{
    (void)state;
    const char *line =
        "{\"new\":{\"x\":[1,{\"y\":\"z\"}]},\"benchmark\":{\"name\":\"a\",\"hue\":7},"
        "\"schema\":1,\"when\":{\"moon\":{\"phase\":\"full\"}},\"outcome\":\"ok\"}";
    om_record r, back;
    char *out, *again;
    om_error err;
    if (om__record_parse(line, strlen(line), "t", 1, &r, &err) != OM_OK)
        fail_msg("%s", err.text);
    assert_non_null(r.unknown);
    assert_int_equal(om__record_format(&r, &out, NULL), OM_OK);
    assert_non_null(strstr(out, "\"new\":{\"x\":[1,{\"y\":\"z\"}]}"));
    assert_non_null(strstr(out, "\"hue\":7}"));
    assert_non_null(strstr(out, "\"moon\":{\"phase\":\"full\"}}"));
    assert_int_equal(om__record_parse(out, strlen(out), "t", 1, &back, NULL), OM_OK);
    assert_int_equal(om__record_format(&back, &again, NULL), OM_OK);
    assert_string_equal(out, again);
    free(out);
    free(again);
    om__record_release(&r);
    om__record_release(&back);
}

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *line, *part;
    } cases[] = {
        {"{\"benchmark\":{\"name\":\"a\"},\"schema\":2,\"strange\":1}", "record schema 2 is newer"},
        {"{\"benchmark\":{\"name\":\"a\"}}", "states no schema"},
        {"{\"schema\":0}", "no schema has the number 0"},
        {"{\"schema\":1}", "names no benchmark"},
        {"[1]", "expected an object"},
        {"{\"schema\":1,\"outcome\":\"fine\",\"benchmark\":{\"name\":\"a\"}}",
         "\"fine\" is not an outcome (ok, wrong"},
        {"{\"schema\":1,\"benchmark\":5}", "expected an object, found a number"},
        {"{\"schema\":1,\"benchmark\":{\"name\":3}}", "expected a text"},
        {"{\"schema\":1,\"samples\":[NaN],\"benchmark\":{\"name\":\"a\"}}", "not JSON"},
        {"{\"schema\":1,\"samples\":[1e300],\"benchmark\":{\"name\":\"a\"}}", "range of float"},
        {"{\"schema\":1,\"samples\":[1],\"invalid\":{\"1\":\"x\"},\"benchmark\":{\"name\":\"a\"}}",
         "names sample 1 of 1"},
        {"{\"schema\":1,\"when\":{\"launch\":-1},\"benchmark\":{\"name\":\"a\"}}", "launch"},
        {"{\"schema\":1,\"benchmark\":{\"name\":\"a\"}} x", "after the end"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        om_record r;
        om_error err;
        assert_int_equal(
            om__record_parse(cases[i].line, strlen(cases[i].line), "f.jsonl", 9, &r, &err),
            OM_PARSE);
        assert_int_equal(err.line, 9);
        assert_string_equal(err.file, "f.jsonl");
        if (strstr(err.text, cases[i].part) == NULL)
            fail_msg("case %zu says: %s", i, err.text);
    }
}

static void test_a_reason_is_never_missing(void **state)
{
    (void)state;
    om_record r;
    char *line;
    om__record_init(&r);
    r.benchmark.name = om__strdup("a");
    r.outcome = OM_OUTCOME_CRASHED;
    assert_int_equal(om__record_format(&r, &line, NULL), OM_OK);
    assert_non_null(strstr(line, "\"outcome\":\"crashed\",\"reason\":\"no reason given\""));
    free(line);
    om__record_release(&r);
}

/* Ten samples 1..10: quartiles by linear interpolation at 0.25·9 = 2.25 and 6.75; the interval of
 * the median at 95 % is the 2nd and the 9th value (P(X <= 1) = 11/1024 = 1.07 % a side). */
static void test_summary(void **state)
{
    (void)state;
    om_record r;
    om__record_init(&r);
    r.samples = malloc(11 * sizeof *r.samples);
    r.sample_count = 11;
    for (int i = 0; i < 10; i++)
        r.samples[i] = (float)(10 - i);
    r.samples[10] = NAN;
    assert_int_equal(om__record_summarise(&r, NULL), OM_OK);
    assert_int_equal(r.summary.n, 10);
    assert_true(r.summary.min == 1);
    assert_true(r.summary.p25 == 3.25);
    assert_true(r.summary.median == 5.5);
    assert_true(r.summary.p75 == 7.75);
    assert_true(r.summary.ci_low == 2);
    assert_true(r.summary.ci_high == 9);
    om__record_release(&r);
    assert_int_equal(om__record_summarise(&r, NULL), OM_OK);
    assert_int_equal(r.summary.n, 0);
    assert_true(isnan(r.summary.median));
}

static void test_words(void **state)
{
    (void)state;
    for (int i = 0; i < OM_OUTCOME_COUNT; i++) {
        om_outcome outcome;
        assert_int_equal(om__outcome_parse(om__outcome_name((om_outcome)i), &outcome, NULL), OM_OK);
        assert_int_equal(outcome, i);
    }
    om_role role;
    om_better better;
    om_error err;
    assert_int_equal(om__role_parse("previous", &role, NULL), OM_OK);
    assert_int_equal(role, OM_ROLE_PREVIOUS);
    assert_int_equal(om__role_parse("boss", &role, &err), OM_INVALID);
    assert_non_null(strstr(err.text, "competitor, own"));
    assert_int_equal(om__better_parse("higher", &better, NULL), OM_OK);
    assert_int_equal(better, OM_BETTER_HIGHER);
    assert_string_equal(om__outcome_name((om_outcome)77), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line_and_back), cmocka_unit_test(test_unknown_fields_are_kept),
        cmocka_unit_test(test_refusals),      cmocka_unit_test(test_a_reason_is_never_missing),
        cmocka_unit_test(test_summary),       cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
