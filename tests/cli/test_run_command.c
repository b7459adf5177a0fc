/* SPDX-License-Identifier: Apache-2.0 */
/* test_run_command.c: `opmark run` and `opmark verify` as a user meets them: exit codes, one clear
 * line for what is wrong, dry runs, Ctrl-C, resuming. */
#include "helpers/helper.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "record/record.h"

/* On virtual time: rows take milliseconds. */
#define FAKE "--device fake:0 --cache warm --threads 1 --time 20ms "

static void expect(const char *arguments, int code, const char *said)
{
    char *folder = helper_folder_create();
    helper_output output = helper_run(folder, "opmark %s", arguments);
    if (output.code != code ||
        (said != NULL && strstr(output.err, said) == NULL && strstr(output.out, said) == NULL))
        fail_msg("opmark %s: exit code %d, not %d, or no \"%s\" in:\n%s%s", arguments, output.code,
                 code, said != NULL ? said : "", output.out, output.err);
    helper_output_release(&output);
    helper_folder_remove(folder);
}

/* Field case C-04. */
static void test_what_is_wrong_is_said(void **state)
{
    (void)state;
    expect("run", 2, "name an operator");
    expect("run gem m=1 n=1 k=1", 2, "did you mean gemm?");
    expect("run gemm m=1 n=1", 2, "needs k");
    expect("run gemm m=1 n=1 k=1 q=3", 2, "q");
    expect("run gemm m=1 n=1 k=x", 2, "k");
    expect("run gemm m=1 m=2 n=1 k=1", 2, "m is given twice");
    expect("run m=1 gemm", 2, "must be an operator");
    expect("run gemm m=1 n=1 k=9223372036854775807", 2, "k=");
    expect("run gemm m=4000000000 n=4000000000 k=2000000000", 2, "overflow");
    expect("run gemm m=1 n=1 k=1 --provider opnblas", 2, "did you mean openblas?");
    expect("run gemm m=1 n=1 k=1 --device nowhere", 2, "nowhere");
    expect("run gemm m=1 n=1 k=1 --device fake:9", 3, "fake:9");
    expect("run gemm m=1 n=1 k=1 --out /proc/none", 3, "/proc/none");
    expect("run gemm m=1 n=1 k=1 --cpus 4000", 2, "processor 4000");
    expect("run gemm m=1 n=1 k=1 --cpus 3-1", 2, "3-1");
    expect("run gemm m=1 n=1 k=1 --time never", 2, "duration");
    expect("run gemm m=1 n=1 k=1 --launches 0", 2, "--launches");
    expect("run gemm m=1 n=1 k=1 --cache hot", 2, "hot");
    expect("run gemm m=1 n=1 k=1 --variant X", 2, "variant");
    expect("run gemm m=1 n=1 k=1 --variant a:X=1 --variant a:X=2", 2,
           "variant 'a' has two settings (X=1 and X=2)");
    expect("run gemm m=1 n=1 k=1 --variant a: --variant a:X=2", 2, "(none and X=2)");
    expect("run gemm m=9223372036854775807 n=1 k=1", 2, "is outside 0 to 4611686018427387904");
    expect("run gemm m=1 n=1 k=1 --clock sundial", 2, "sundial");
    expect("run gemm m=1 n=1 k=1 --plugin ./none.so", 2, "none.so");
    expect("run --plugin " OM_BUILD_DIR "/tests/plugin_foreign.so", 3, "ABI");
    expect("run gemm m=1 n=1 k=1 --plugin " OM_BUILD_DIR "/tests/plugin_provider.so "
           "--plugin " OM_BUILD_DIR "/tests/plugin_provider.so",
           2, "there is a provider 'loops' already");
    expect("run --suite qick", 2, "did you mean quick?");
    expect("run --suite quick op=gem", 2, "gemm?");
    expect("verify", 2, "--all");
}

static void test_dry_run(void **state)
{
    (void)state;
    char *folder = helper_folder_create();
    helper_output o = helper_run(folder, "opmark run gemm m=16,64 n=8,9 k=4 --dry-run");
    assert_int_equal(o.code, 0);
    assert_non_null(strstr(o.out, "gemm m=64 n=9 k=4"));
    assert_non_null(strstr(o.out, "4 cases x 3 launches: about"));
    assert_non_null(strstr(o.out, "GiB"));
    helper_output_release(&o);
    o = helper_run(folder, "ls -A | wc -l");
    assert_int_equal(atoi(o.out), 0);
    helper_output_release(&o);
    helper_folder_remove(folder);
    expect("run gemm m=900000 n=900000 k=8 --dry-run", 0, "skipped: needs");
    expect("run gemm m=4096 n=4096 k=16384 dtype=f32 --threads 1 --dry-run", 0, "--force-skipped");
}

static void test_budget_says_what_it_sees(void **state)
{
    (void)state;
    expect("run gemm m=16,64 n=8 k=4 --budget 1min --dry-run", 0, "visible: changes above");
    expect("run gemm m=16,64 n=8 k=4 --budget 1s --dry-run", 0, "too small");
}

static void test_exit_codes(void **state)
{
    (void)state;
    expect("run gemm m=4 n=4 k=4 " FAKE "--provider fake", 0, "1 cases");
    expect("run gemm m=4 n=4 k=4 " FAKE "--provider fake,fake_wrong", 0, "wrong");
    expect("run gemm m=4 n=4 k=4 " FAKE "--provider fake,fake_wrong --strict", 1, "wrong");
    expect("run gemm m=4 n=4 k=4 " FAKE "--provider fake,fake_crash --strict", 1, "crashed");
    expect("verify rmsnorm m=3 --device fake:0 --threads 1 --provider fake", 0, "ok: fake");
    expect("verify rmsnorm m=3 --device fake:0 --threads 1 --provider fake_nan --strict", 1,
           "wrong");
    expect("verify rmsnorm m=3 --device fake:0 --threads 1 --provider fake_late --strict", 1,
           "after the timed calls");
    expect("verify rmsnorm m=3 --device fake:0 --threads 1 --provider fake_warming --strict", 0,
           "ok: fake_warming");
}

static size_t count_outcome(const char *folder, om_outcome outcome)
{
    char path[600];
    size_t found = 0;
    om_record_set set = {0};
    snprintf(path, sizeof path, "%s/opmark-results", folder);
    assert_int_equal(om__records_read(path, false, &set, NULL), OM_OK);
    for (size_t i = 0; i < set.count; i++)
        found += set.items[i].outcome == outcome && strcmp(set.items[i].metric.name, "time") == 0;
    om__record_set_release(&set);
    return found;
}

static void test_too_large_is_skipped(void **state)
{
    (void)state;
    char *folder = helper_folder_create();
    helper_output o =
        helper_run(folder, "opmark run gemm m=4,8000 n=4,8000 k=4 " FAKE "--provider fake -n 1");
    assert_int_equal(o.code, 0);
    assert_non_null(strstr(o.out, "GiB are free"));
    assert_int_equal(count_outcome(folder, OM_OUTCOME_SKIPPED), 1); /* 8000 x 8000 on 64 MiB */
    assert_int_equal(count_outcome(folder, OM_OUTCOME_OK), 3);
    helper_output_release(&o);
    helper_folder_remove(folder);
}

/* Levels of our own kernels side by side, each named in its records. */
static void test_levels(void **state)
{
    (void)state;
    char *folder = helper_folder_create();
    helper_output o = helper_run(
        folder, "opmark run rmsnorm m=2 h=64 -p own -t 1 -n 1 --time 10ms --variant "
                "plain:OPMARK_ISA=scalar --out s && grep -c '\"isa\":\"scalar\"' s/records.jsonl");
    if (o.code != 0)
        fail_msg("%s%s", o.out, o.err);
    helper_output_release(&o);
    o = helper_run(folder, "OPMARK_ISA=sse9 opmark verify rmsnorm m=2");
    assert_int_not_equal(o.code, 0);
    assert_non_null(strstr(o.err, "unknown instruction set 'sse9'"));
    helper_output_release(&o);
    helper_folder_remove(folder);
}

static void test_interrupt(void **state)
{
    (void)state;
    char *folder = helper_folder_create();
    /* The hanging provider keeps the run in its first row until both signals have come. */
    helper_output o = helper_run(
        folder, "sh -c 'opmark run gemm m=4,5,6 n=4 k=4 " FAKE
                "--provider fake,fake_hang -n 1 2>err & pid=$!; sleep 2; kill -INT $pid; sleep 1; "
                "kill -INT $pid; wait $pid; echo code $?'");
    if (strstr(o.out, "code 130") == NULL)
        fail_msg("%s%s", o.out, o.err);
    helper_output_release(&o);
    assert_int_equal(count_outcome(folder, OM_OUTCOME_NOT_RUN), 6);
    helper_folder_remove(folder);
}

/* Field case C-28. */
static void test_resume(void **state)
{
    (void)state;
    char *folder = helper_folder_create();
    const char *line = "opmark run gemm m=%s n=4 k=4 " FAKE "--provider fake,fake_slow -n 2 %s";
    helper_output o = helper_run(folder, line, "4,5", "");
    assert_int_equal(o.code, 0);
    helper_output_release(&o);
    assert_int_equal(count_outcome(folder, OM_OUTCOME_OK), 8);
    o = helper_run(folder, line, "4,5,6", "--resume");
    assert_int_equal(o.code, 0);
    assert_non_null(strstr(o.out, "1 cases in"));
    helper_output_release(&o);
    assert_int_equal(count_outcome(folder, OM_OUTCOME_OK), 12);
    /* Another seed is another contract: everything is measured. */
    o = helper_run(folder, line, "4,5,6", "--resume --seed 2");
    assert_non_null(strstr(o.out, "3 cases in"));
    helper_output_release(&o);
    /* And so is another machine. */
    o = helper_run(folder, "sed -i 's/\"machine_class\":\"[^\"]*/\"machine_class\":\"elsewhere/' "
                           "opmark-results/records.jsonl");
    assert_int_equal(o.code, 0);
    helper_output_release(&o);
    o = helper_run(folder, line, "4,5,6", "--resume");
    assert_non_null(strstr(o.out, "3 cases in"));
    helper_output_release(&o);
    helper_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_wrong_is_said),
        cmocka_unit_test(test_dry_run),
        cmocka_unit_test(test_budget_says_what_it_sees),
        cmocka_unit_test(test_exit_codes),
        cmocka_unit_test(test_too_large_is_skipped),
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_interrupt),
        cmocka_unit_test(test_resume),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
