/* SPDX-License-Identifier: Apache-2.0 */
/* test_child.c: other programs run to their end: what they say, how they end, and when they do not.
 */
#include "helpers/helper.h"

#include <string.h>
#include <time.h>

#include "base/child.h"

static om_status read_shell(const char *line, size_t limit, double seconds, om_text *output,
                            int *code, om_error *err)
{
    const char *argv[] = {"/bin/sh", "-c", line, NULL};
    static const char *const settings[] = {"CHILD_SETTING=it's \"here\""};
    const om_child child = {.argv = argv, .settings = settings, .setting_count = 1};
    *err = (om_error){0};
    return om__child_read(&child, limit, seconds, output, code, err);
}

static void output_and_code_come_back(void **state)
{
    (void)state;
    om_text output = {0};
    om_error err;
    int code = -1;
    assert_int_equal(read_shell("echo \"$CHILD_SETTING\"; echo no >&2; cat; exit 3", 100, 10,
                                &output, &code, &err),
                     OM_OK);
    assert_string_equal(output.data, "it's \"here\"\n");
    assert_int_equal(code, 3);
    assert_int_equal(read_shell("kill -9 $$", 100, 10, &output, &code, &err), OM_OK);
    assert_int_equal(code, 128 + 9);
    assert_int_equal(output.size, 0);
    om__text_release(&output);
}

static void what_does_not_end_is_ended(void **state)
{
    (void)state;
    om_text output = {0};
    om_error err;
    int code;
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    assert_int_equal(read_shell("sleep 30 & sleep 30", 100, 0.2, &output, &code, &err), OM_TIMEOUT);
    assert_int_equal(read_shell("while :; do echo too much; done", 1000, 10, &output, &code, &err),
                     OM_INVALID);
    clock_gettime(CLOCK_MONOTONIC, &to);
    assert_true(to.tv_sec - from.tv_sec < 8);
    assert_non_null(strstr(err.text, "more than 1000 bytes"));
    om__text_release(&output);
}

static void programs_are_found_in_path_alone(void **state)
{
    (void)state;
    om_text path = {0};
    om_error err = {0};
    assert_int_equal(om__child_find("sh", &path, &err), OM_OK);
    assert_true(path.data[0] == '/');
    assert_int_equal(om__child_find("no-such-program-anywhere", &path, &err), OM_IO);
    assert_int_equal(om__child_find("./sh", &path, &err), OM_IO);
    om__text_release(&path);
    const char *argv[] = {"/no/such/program", NULL};
    const om_child child = {.argv = argv};
    int code = 0;
    om_text output = {0};
    assert_int_equal(om__child_read(&child, 100, 10, &output, &code, &err), OM_OK);
    assert_int_equal(code, 127);
    om__text_release(&output);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(output_and_code_come_back),
        cmocka_unit_test(what_does_not_end_is_ended),
        cmocka_unit_test(programs_are_found_in_path_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
