/* SPDX-License-Identifier: Apache-2.0 */
/* test_gpu_run.c: `opmark run` on a GPU: rows with device evidence, and a row for every
 * misbehaviour. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "helpers/gpu.h"
#include "record/record.h"

static om_error absence; /* why there is no GPU; text empty: there is one */

static int look(void **state)
{
    (void)state;
    gpu g = gpu_open();
    absence = g.error;
    if (g.context != NULL)
        absence.text[0] = '\0';
    gpu_close(&g);
    return 0;
}

/* Runs the program with the arguments; its records are appended to the set. */
static int run(om_record_set *set, const char *arguments)
{
    char program[800], objects[800], command[4096];
    char *folder = helper_folder_create();
    om_error error = {0};
    snprintf(command, sizeof command,
             "timeout 120 %s/opmark run --device cuda:0 --library-dir %s --launches 1 --time 50ms "
             "--quiet --out %s %s",
             gpu_program_folder(program, sizeof program),
             gpu_object_folder(objects, sizeof objects), folder, arguments);
    int code = system(command);
    om_status status = om__records_read(folder, false, set, &error);
    helper_folder_remove(folder);
    assert_ok(status, &error);
    return WIFEXITED(code) ? WEXITSTATUS(code) : 128;
}

static const om_record *find(const om_record_set *set, const char *provider)
{
    for (size_t i = 0; i < set->count; i++)
        if (strcmp(set->items[i].subject.provider, provider) == 0 &&
            strcmp(set->items[i].metric.name, "time") == 0)
            return &set->items[i];
    fail_msg("no record of %s among %zu", provider, set->count);
    return NULL;
}

#define need_gpu()                                                                                 \
    do {                                                                                           \
        if (absence.text[0] != '\0')                                                               \
            skip_because("%s", absence.text);                                                      \
    } while (0)

static void test_a_row_with_evidence(void **state)
{
    om_record_set set = {0};
    (void)state;
    need_gpu();
    assert_int_equal(run(&set, "moe_topk t=512 e=128 k=8 --cache cold"), 0);
    const om_record *own = find(&set, "own");
    printf("own: %s, %lld samples, median %.0f ns, %s\n", om__outcome_name(own->outcome),
           (long long)own->summary.n, own->summary.median, own->reason != NULL ? own->reason : "");
    for (size_t i = 0; i < own->evidence.count; i++)
        printf("  %s = %s\n", own->evidence.items[i].key, own->evidence.items[i].value);
    assert_int_equal(own->outcome, OM_OUTCOME_OK);
    assert_string_equal(own->method.clock, "records");
    assert_true(own->summary.n >= 3 && own->summary.median > 500 && own->summary.median < 1e6);
    assert_non_null(om__pairs_find(&own->evidence, "flush"));
    assert_non_null(om__pairs_find(&own->evidence, "kernel_names"));
    assert_non_null(om__pairs_find(&own->evidence, "throttle"));
    om__record_set_release(&set);
}

/* The others of the row are measured all the same, in a worker that still has its device. */
static void check_fault(const char *fault, om_outcome outcome, const char *limit)
{
    char arguments[1200], folder[800], provider[32];
    om_record_set set = {0};
    snprintf(provider, sizeof provider, "gpu_%s", fault);
    snprintf(arguments, sizeof arguments,
             "moe_topk t=64 e=64 k=8 --provider own,%s --plugin %s/plugin_%s.so --timeout %s",
             provider, gpu_test_folder(folder, sizeof folder), provider, limit);
    (void)run(&set, arguments);
    const om_record *bad = find(&set, provider), *own = find(&set, "own");
    printf("%s: %s: %s; own: %s\n", provider, om__outcome_name(bad->outcome),
           bad->reason != NULL ? bad->reason : "", om__outcome_name(own->outcome));
    assert_int_equal(bad->outcome, outcome);
    assert_non_null(bad->reason);
    assert_int_equal(own->outcome, OM_OUTCOME_OK);
    om__record_set_release(&set);
}

static void test_an_illegal_access_ends_its_row_alone(void **state)
{
    (void)state;
    need_gpu();
    check_fault("illegal", OM_OUTCOME_ERROR, "30s");
}

static void test_a_hang_times_out(void **state)
{
    (void)state;
    need_gpu();
    check_fault("hang", OM_OUTCOME_TIMEOUT, "3s");
}

static void test_no_work_is_wrong(void **state)
{
    (void)state;
    need_gpu();
    check_fault("idle", OM_OUTCOME_WRONG, "30s");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_row_with_evidence),
        cmocka_unit_test(test_an_illegal_access_ends_its_row_alone),
        cmocka_unit_test(test_a_hang_times_out),
        cmocka_unit_test(test_no_work_is_wrong),
    };
    return cmocka_run_group_tests(tests, look, NULL);
}
