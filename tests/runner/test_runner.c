/* SPDX-License-Identifier: Apache-2.0 */
/* test_runner.c: the runner counts what fails, hangs, crashes, is skipped, and what runs nothing.
 */
#include "helpers/helper.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Runs a list of one test a line; %s of the sample programs is filled in. */
static helper_output run_list(const char *lines)
{
    char *folder = helper_folder_create();
    om_text path = {0};
    om__text_addf(&path, "%s/tests", folder);
    assert_int_equal(mkdir(path.data, 0777), 0);
    om__text_add(&path, "/list.txt");
    helper_file_write(path.data, lines);
    om__text_release(&path);
    helper_output output =
        helper_run(NULL, "sh '%s/scripts/run-tests' '%s'", OM_SOURCE_DIR, folder);
    helper_folder_remove(folder);
    return output;
}

static void expect(const char *lines, int code, const char *totals, const char *words)
{
    helper_output o = run_list(lines);
    size_t size = strlen(o.out), tail = strlen(totals);
    if (size <= tail || o.out[size - tail - 1] != '\n' || strcmp(o.out + size - tail, totals) != 0)
        fail_msg("the runner did not end with '%s' but printed: %s%s", totals, o.out, o.err);
    if (words != NULL && strstr(o.out, words) == NULL)
        fail_msg("the runner did not say '%s' but: %s", words, o.out);
    assert_int_equal(o.code, code);
    helper_output_release(&o);
}

#define SAMPLE(name) OM_BUILD_DIR "/tests/sample_" name "\n"

static void a_failure_is_counted(void **state)
{
    (void)state;
    expect("20 a/fails " SAMPLE("fails"), 1, "1 passed, 1 failed, 1 skipped\n", "failed: breaks");
    expect("20 a/fails " SAMPLE("fails"), 1, "1 passed, 1 failed, 1 skipped\n",
           "skipped lacks_something: no unicorn here");
}

static void a_hang_is_stopped_and_counted(void **state)
{
    (void)state;
    expect("1 a/hangs " SAMPLE("hangs"), 1, "1 passed, 1 failed, 0 skipped\n",
           "hung: stopped after 1 s in waits_for_ever");
}

static void a_crash_is_counted(void **state)
{
    (void)state;
    expect("20 a/crashes " SAMPLE("crashes"), 1, "1 passed, 1 failed, 0 skipped\n",
           "crashed: signal 9 in dies");
}

static void a_program_without_tests_fails(void **state)
{
    (void)state;
    expect("20 a/nothing true\n", 1, "0 passed, 1 failed, 0 skipped\n", "ran no test");
    expect("20 a/error false\n", 1, "0 passed, 1 failed, 0 skipped\n", "ended with code 1");
    expect("20 a/absent /nonexistent\n", 1, "0 passed, 1 failed, 0 skipped\n",
           "ended with code 127");
}

static void scripts_speak_in_lines(void **state)
{
    (void)state;
    expect(
        "20 a/script printf ok\\\\_one\\\\nok\\\\040two\\\\nskipped\\\\040three\\\\040(why)\\\\n\n",
        0, "1 passed, 0 failed, 1 skipped\n", "skipped three (why)");
}

static void a_second_try_is_said(void **state)
{
    (void)state;
    char *folder = helper_folder_create();
    helper_output o = helper_run(
        folder,
        "mkdir tests; printf '20 a/flaky sh flaky\n' >tests/list.txt; "
        "echo 'test -e seen && echo ok two && exit; touch seen; echo not ok one; exit 1' "
        ">flaky; RETRY=yes sh '%s/scripts/run-tests' .",
        OM_SOURCE_DIR);
    assert_int_equal(o.code, 0);
    assert_non_null(strstr(o.out, "at the second try; the first: failed: one"));
    assert_non_null(strstr(o.out, "\n1 passed, 0 failed, 0 skipped\n"));
    helper_output_release(&o);
    helper_folder_remove(folder);
}

static void all_good_is_success(void **state)
{
    (void)state;
    expect("20 a/one echo ok one\n20 a/two echo ok two\n", 0, "2 passed, 0 failed, 0 skipped\n",
           NULL);
    expect("", 1, "0 passed, 0 failed, 0 skipped\n", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failure_is_counted),   cmocka_unit_test(a_hang_is_stopped_and_counted),
        cmocka_unit_test(a_crash_is_counted),     cmocka_unit_test(a_program_without_tests_fails),
        cmocka_unit_test(scripts_speak_in_lines), cmocka_unit_test(a_second_try_is_said),
        cmocka_unit_test(all_good_is_success),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
