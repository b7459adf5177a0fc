/* SPDX-License-Identifier: Apache-2.0 */
/* test_run.c: the run always ends, and every planned row has an outcome, however contenders die: on
 * the fake device, with workers of the real program. */
#include "helpers/helper.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "bench/rounds.h"
#include "bench/run.h"

typedef struct setting {
    om_run_options options;
    om_run_result result;
    om_case cases[4];
    size_t count;
    om_record_set records;
    volatile int interrupts;
    /* What a callback does, and when. */
    const char *kill_in, *kill_provider, *interrupt_in;
    int kills, raise_to;
    size_t fail_after;
} setting;

static om_status keep(void *self, const om_record *record, om_error *err)
{
    setting *s = self;
    char *line;
    if (s->fail_after > 0 && s->records.count >= s->fail_after)
        return om__error_set(err, OM_IO, "disk full");
    if (s->records.count == s->records.capacity) {
        s->records.capacity = s->records.capacity * 2 + 64;
        s->records.items =
            realloc(s->records.items, s->records.capacity * sizeof *s->records.items);
    }
    assert_int_equal(om__record_format(record, &line, NULL), OM_OK);
    om__record_init(&s->records.items[s->records.count]);
    assert_int_equal(om__record_parse(line, strlen(line), "test", 1,
                                      &s->records.items[s->records.count++], NULL),
                     OM_OK);
    free(line);
    return OM_OK;
}

/* The first child of this process: the worker in a run of one launch. */
static pid_t first_child(void)
{
    char path[64];
    int pid = 0;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    FILE *file = fopen(path, "r");
    if (file != NULL) {
        if (fscanf(file, "%d", &pid) != 1)
            pid = 0;
        fclose(file);
    }
    return pid;
}

static void on_step(void *self, const char *provider, const char *step)
{
    setting *s = self;
    bool whose = s->kill_provider == NULL || strcmp(s->kill_provider, provider) == 0;
    if (s->kill_in != NULL && s->kills > 0 && whose && strcmp(step, s->kill_in) == 0) {
        pid_t pid = first_child();
        if (pid > 0 && kill(pid, SIGKILL) == 0)
            s->kills--;
    }
    if (s->interrupt_in != NULL && strcmp(step, s->interrupt_in) == 0 && provider[0] != '\0')
        s->interrupts = s->raise_to;
}

static void set_up(setting *s, const char *const *providers, size_t provider_count, size_t cases,
                   int launches)
{
    memset(s, 0, sizeof *s);
    s->count = cases;
    for (size_t i = 0; i < cases; i++) {
        om_case *c = &s->cases[i];
        c->suite = om__strdup("test");
        c->op = om__strdup("gemm");
        c->pass = om__strdup("forward");
        c->name = om__strdup("small");
        assert_int_equal(om__pairs_setf(&c->params, "m", NULL, "%zu", 8 + i), OM_OK);
        assert_int_equal(om__pairs_set(&c->params, "n", "8", NULL), OM_OK);
        assert_int_equal(om__pairs_set(&c->params, "k", "8", NULL), OM_OK);
    }
    s->options = (om_run_options){
        .launch = {.session = {.device = "fake:0",
                               .warm = true,
                               .threads = 1,
                               .named = true,
                               .time_s = 0.05,
                               .seed = 7,
                               .providers = providers,
                               .provider_count = provider_count},
                   .program = OM_BUILD_DIR "/opmark",
                   .step_limit_s = 1.5,
                   .progress = on_step,
                   .self = s},
        .launches = launches,
        .record = keep,
        .self = s,
    };
    s->options.launch.interrupts = &s->interrupts;
}

static void tear_down(setting *s)
{
    for (size_t i = 0; i < s->count; i++)
        om__case_release(&s->cases[i]);
    om__record_set_release(&s->records);
}

static om_status run(setting *s, om_error *err)
{
    return om__run(&s->options, s->cases, s->count, &s->result, err);
}

/* How many records of metric time a provider has, and how many with this outcome. */
static size_t count(const setting *s, const char *provider, int outcome)
{
    size_t found = 0;
    for (size_t i = 0; i < s->records.count; i++) {
        const om_record *r = &s->records.items[i];
        found += strcmp(r->metric.name, "time") == 0 &&
                 strcmp(r->subject.provider, provider) == 0 &&
                 (outcome < 0 || r->outcome == (om_outcome)outcome);
    }
    return found;
}

static const om_record *first(const setting *s, const char *provider, const char *metric)
{
    for (size_t i = 0; i < s->records.count; i++)
        if (strcmp(s->records.items[i].metric.name, metric) == 0 &&
            strcmp(s->records.items[i].subject.provider, provider) == 0)
            return &s->records.items[i];
    return NULL;
}

static void test_all_is_well(void **state)
{
    (void)state;
    const char *const providers[] = {"fake", "fake_slow"};
    setting s;
    set_up(&s, providers, 2, 2, 3);
    assert_int_equal(run(&s, NULL), OM_OK);
    assert_int_equal(count(&s, "fake", OM_OUTCOME_OK), 6);
    assert_int_equal(count(&s, "fake_slow", OM_OUTCOME_OK), 6);
    assert_int_equal(s.result.others[OM_OUTCOME_OK], 12);
    assert_int_equal(s.result.records, s.records.count);
    const om_record *a = first(&s, "fake", "time"), *b = first(&s, "fake_slow", "time");
    assert_true(fabs(a->summary.median / 10000 - 1) < 0.003);
    assert_true(fabs(b->summary.median / a->summary.median - 2) < 0.01);
    assert_int_equal(a->sample_count, b->sample_count);
    assert_true(a->sample_count >= 10);
    assert_string_equal(a->when.run, s.result.run);
    assert_string_equal(a->method.clock, "fake");
    assert_string_equal(a->method.cache, "warm");
    assert_string_equal(a->check.mode, "whole");
    assert_true(a->check.error == 0);
    assert_true(a->work.flops == 2 * 8 * 8 * 8);
    assert_string_equal(om__pairs_find(&a->benchmark.params, "dtype"), "bf16");
    /* Contenders of a launch share its order, launches do not. */
    uint64_t seeds[3];
    for (size_t i = 0; i < s.records.count; i++) {
        const om_record *r = &s.records.items[i];
        if (strcmp(om__pairs_find(&r->benchmark.params, "m"), "8") == 0)
            seeds[r->when.launch] = r->when.order_seed;
    }
    for (size_t i = 0; i < s.records.count; i++) {
        const om_record *r = &s.records.items[i];
        if (strcmp(om__pairs_find(&r->benchmark.params, "m"), "8") == 0)
            assert_true(seeds[r->when.launch] == r->when.order_seed);
    }
    assert_true(seeds[0] != seeds[1] && seeds[1] != seeds[2]);
    /* The first call is a record of its own. */
    const om_record *call = first(&s, "fake", "first_call");
    assert_non_null(call);
    assert_int_equal(call->sample_count, 1);
    tear_down(&s);
}

/* Field case C-39. */
static void test_every_way_to_fail(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        om_outcome outcome;
        const char *reason;
    } ways[] = {
        {"fake_wrong", OM_OUTCOME_WRONG, "first call: d["},
        {"fake_late", OM_OUTCOME_WRONG, "after the timed calls: d["},
        {"fake_nan", OM_OUTCOME_WRONG, "nan"},
        {"fake_holes", OM_OUTCOME_WRONG, "never written"},
        {"fake_idle", OM_OUTCOME_WRONG, "never written"},
        {"fake_liar", OM_OUTCOME_ERROR, "said that it serves"},
        {"fake_fails", OM_OUTCOME_ERROR, "the launch failed"},
        {"fake_crash", OM_OUTCOME_CRASHED, "signal 11"},
        {"fake_crash_open", OM_OUTCOME_CRASHED, "in open"},
        {"fake_crash_late", OM_OUTCOME_CRASHED, "in time"},
        {"fake_exit", OM_OUTCOME_CRASHED, "exit code 0"},
        {"fake_hang", OM_OUTCOME_TIMEOUT, "still in first call"},
        {"fake_hang_late", OM_OUTCOME_TIMEOUT, "still in time"},
        {"fake_garbage", OM_OUTCOME_ERROR, "wrote into a pipe"},
        {"fake_greedy", OM_OUTCOME_SKIPPED, "GiB of workspace"},
        {"own", OM_OUTCOME_UNSUPPORTED, "no kernel"},
    };
    enum { WAYS = sizeof ways / sizeof ways[0] };
    const char *providers[WAYS + 1] = {"fake"};
    setting s;
    for (size_t i = 0; i < WAYS; i++)
        providers[i + 1] = ways[i].name;
    set_up(&s, providers, WAYS + 1, 1, 2);
    assert_int_equal(run(&s, NULL), OM_OK);
    assert_int_equal(count(&s, "fake", OM_OUTCOME_OK), 2); /* nobody took it down */
    for (size_t i = 0; i < WAYS; i++) {
        const om_record *r = first(&s, ways[i].name, "time");
        if (count(&s, ways[i].name, -1) != 2)
            fail_msg("%s has %zu records", ways[i].name, count(&s, ways[i].name, -1));
        if (r->outcome != ways[i].outcome || strstr(r->reason, ways[i].reason) == NULL)
            fail_msg("%s is %s: %s", ways[i].name, om__outcome_name(r->outcome), r->reason);
        assert_int_equal(count(&s, ways[i].name, ways[i].outcome), 2);
        assert_string_equal(r->place.device, "fake accelerator");
    }
    assert_int_equal(s.result.others[OM_OUTCOME_WRONG], 10);
    tear_down(&s);
}

static void test_hanging_on_every_row_ends(void **state)
{
    (void)state;
    const char *const providers[] = {"fake", "fake_hang"};
    setting s;
    set_up(&s, providers, 2, 4, 1);
    s.options.launch.step_limit_s = 1;
    assert_int_equal(run(&s, NULL), OM_OK);
    assert_int_equal(count(&s, "fake", OM_OUTCOME_OK), 4);
    assert_int_equal(count(&s, "fake_hang", OM_OUTCOME_TIMEOUT), 3);
    assert_int_equal(count(&s, "fake_hang", OM_OUTCOME_NOT_RUN), 1); /* it had its chances */
    tear_down(&s);
}

/* Field case C-28. */
static void test_killed_worker(void **state)
{
    (void)state;
    const char *const providers[] = {"fake", "fake_slow"}, *const hanging[] = {"fake", "fake_hang"};
    setting s;
    set_up(&s, hanging, 2, 2, 1);
    s.options.launch.step_limit_s = 60;
    s.kill_in = "first call";
    s.kill_provider = "fake_hang";
    s.kills = 2;
    assert_int_equal(run(&s, NULL), OM_OK);
    assert_int_equal(count(&s, "fake", OM_OUTCOME_OK), 2);
    assert_int_equal(count(&s, "fake_hang", OM_OUTCOME_CRASHED), 2);
    assert_non_null(strstr(first(&s, "fake_hang", "time")->reason, "signal 9"));
    tear_down(&s);
    /* At any other moment, once or always: it ends, and every row has one outcome. */
    const char *const steps[] = {"opening", "fill", "reference", "judge", "evaluate"};
    for (int i = 0; i < 10; i++) {
        set_up(&s, providers, 2, 2, 1);
        s.kill_in = steps[i % 5];
        s.kills = i < 5 ? 1 : 1000;
        om_status status = run(&s, NULL);
        if (i % 5 != 0) /* no session ever opens: that fails the run, and says so */
            assert_int_equal(status, OM_OK);
        if (status == OM_OK) {
            assert_int_equal(count(&s, "fake", -1), 2);
            assert_int_equal(count(&s, "fake_slow", -1), 2);
        }
        tear_down(&s);
    }
}

/* Field case C-28. */
static void test_interrupts(void **state)
{
    (void)state;
    const char *const providers[] = {"fake", "fake_slow"}, *const hanging[] = {"fake", "fake_hang"};
    setting s;
    set_up(&s, providers, 2, 4, 2);
    s.interrupt_in = "first call";
    s.raise_to = 1; /* the row in this launch is finished, the rest is not */
    assert_int_equal(run(&s, NULL), OM_OK);
    assert_true(s.result.interrupted);
    assert_int_equal(count(&s, "fake", OM_OUTCOME_OK), 1);
    assert_int_equal(count(&s, "fake", OM_OUTCOME_NOT_RUN), 3);
    assert_int_equal(count(&s, "fake_slow", OM_OUTCOME_NOT_RUN), 3);
    assert_non_null(strstr(s.records.items[s.records.count - 1].reason, "interrupted"));
    tear_down(&s);
    set_up(&s, hanging, 2, 2, 1);
    s.interrupt_in = "first call";
    s.raise_to = 2; /* at once */
    s.options.launch.step_limit_s = 60;
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    assert_int_equal(run(&s, NULL), OM_OK);
    clock_gettime(CLOCK_MONOTONIC, &end);
    assert_true(end.tv_sec - start.tv_sec < 20);
    assert_int_equal(count(&s, "fake", OM_OUTCOME_NOT_RUN), 2);
    assert_int_equal(count(&s, "fake_hang", OM_OUTCOME_NOT_RUN), 2);
    tear_down(&s);
}

static void test_skips_and_unknown_operators(void **state)
{
    (void)state;
    const char *const providers[] = {"fake"};
    const char *skips[] = {"needs 120.0 GiB, 3.0 GiB are free", NULL, NULL};
    const unsigned char finished[] = {0, 0, 1};
    setting s;
    set_up(&s, providers, 1, 3, 2);
    free(s.cases[1].op);
    s.cases[1].op = om__strdup("no_such_operator");
    s.options.skips = skips;
    s.options.finished = finished;
    assert_int_equal(run(&s, NULL), OM_OK);
    assert_int_equal(s.records.count, 2);
    assert_int_equal(s.records.items[0].outcome, OM_OUTCOME_SKIPPED);
    assert_string_equal(s.records.items[0].reason, skips[0]);
    assert_int_equal(s.records.items[1].outcome, OM_OUTCOME_UNSUPPORTED);
    assert_string_equal(s.records.items[1].benchmark.op, "no_such_operator");
    tear_down(&s);
}

static void test_variants(void **state)
{
    (void)state;
    const char *const providers[] = {"fake"};
    const om_variant variants[] = {{"plain", NULL}, {"tuned", "OMP_WAIT_POLICY=passive\nOMP_X=1"}};
    setting s;
    set_up(&s, providers, 1, 1, 2);
    s.options.variants = variants;
    s.options.variant_count = 2;
    assert_int_equal(run(&s, NULL), OM_OK);
    size_t plain = 0, tuned = 0;
    for (size_t i = 0; i < s.records.count; i++) {
        const om_record *r = &s.records.items[i];
        const char *x = om__pairs_find(&r->place.environment, "OMP_X");
        if (strcmp(r->metric.name, "time") != 0)
            continue;
        bool is_tuned = strcmp(r->subject.variant, "tuned") == 0;
        tuned += is_tuned;
        plain += !is_tuned;
        assert_int_equal(is_tuned, x != NULL && strcmp(x, "1") == 0);
    }
    assert_int_equal(plain, 2);
    assert_int_equal(tuned, 2);
    tear_down(&s);
}

static void test_what_cannot_go_on(void **state)
{
    (void)state;
    const char *const providers[] = {"fake"}, *const unknown[] = {"nobody"};
    om_error err = {0};
    setting s;
    set_up(&s, unknown, 1, 2, 1);
    assert_int_equal(run(&s, &err), OM_INVALID);
    assert_non_null(strstr(err.text, "nobody"));
    tear_down(&s);
    set_up(&s, providers, 1, 2, 1);
    s.options.launch.session.device = "fake:7";
    assert_int_equal(run(&s, &err), OM_UNSUPPORTED);
    assert_non_null(strstr(err.text, "fake:7"));
    tear_down(&s);
    set_up(&s, providers, 1, 2, 1);
    s.options.launch.program = "/nowhere/opmark";
    assert_int_not_equal(run(&s, &err), OM_OK);
    tear_down(&s);
    /* Records that cannot be written end the run and say why. */
    set_up(&s, providers, 1, 4, 1);
    s.fail_after = 3;
    assert_int_equal(run(&s, &err), OM_IO);
    assert_string_equal(err.text, "disk full");
    tear_down(&s);
}

static void test_plugins_in_workers(void **state)
{
    (void)state;
    const char *const crash[] = {OM_BUILD_DIR "/tests/plugin_crash.so"};
    const char *const foreign[] = {OM_BUILD_DIR "/tests/plugin_foreign.so"};
    const char *const sorting[] = {OM_BUILD_DIR "/tests/plugin_benchmark.so"};
    om_error err = {0};
    setting s;
    set_up(&s, NULL, 0, 1, 1);
    s.options.launch.session.plugins = crash;
    s.options.launch.session.plugin_count = 1;
    assert_int_equal(run(&s, &err), OM_PROVIDER);
    assert_non_null(strstr(err.text, "plugin_crash.so"));
    s.options.launch.session.plugins = foreign;
    assert_int_equal(run(&s, &err), OM_UNSUPPORTED);
    assert_non_null(strstr(err.text, "ABI"));
    tear_down(&s);
    /* A benchmark of one's own, on the real clock. */
    om_case *cases;
    size_t case_count;
    const char *const own[] = {"own"};
    set_up(&s, own, 1, 1, 1);
    s.options.launch.session.device = "cpu";
    s.options.launch.session.threads = 1;
    s.options.launch.session.plugins = sorting;
    s.options.launch.session.plugin_count = 1;
    s.options.launch.step_limit_s = 30;
    assert_int_equal(om__run_benchmarks(&s.options, &cases, &case_count, &err), OM_OK);
    assert_int_equal(case_count, 2);
    assert_string_equal(cases[0].suite, "sorting");
    assert_string_equal(cases[0].name, "sort small");
    assert_string_equal(om__pairs_find(&cases[0].params, "n"), "1000");
    assert_int_equal(om__run(&s.options, cases, 1, &s.result, &err), OM_OK);
    const om_record *r = first(&s, "qsort", "time");
    assert_non_null(r);
    assert_true(r->outcome == OM_OUTCOME_OK || r->outcome == OM_OUTCOME_MISTRUSTED);
    assert_null(r->benchmark.op);
    assert_true(r->work.bytes == 8000);
    for (size_t i = 0; i < case_count; i++)
        om__case_release(&cases[i]);
    free(cases);
    tear_down(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_is_well),
        cmocka_unit_test(test_every_way_to_fail),
        cmocka_unit_test(test_hanging_on_every_row_ends),
        cmocka_unit_test(test_killed_worker),
        cmocka_unit_test(test_interrupts),
        cmocka_unit_test(test_skips_and_unknown_operators),
        cmocka_unit_test(test_variants),
        cmocka_unit_test(test_what_cannot_go_on),
        cmocka_unit_test(test_plugins_in_workers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
