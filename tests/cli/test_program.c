/* SPDX-License-Identifier: Apache-2.0 */
/* test_program.c: the program as a user calls it: help, version, bad commands, exit codes. */
#include "helpers/helper.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"

static void expect(int code, const char *in_out, const char *in_err, const char *line)
{
    helper_output o = helper_run(NULL, "%s", line);
    assert_int_equal(o.code, code);
    if (in_out != NULL && strstr(o.out, in_out) == NULL)
        fail_msg("'%s' printed no '%s' but: %s", line, in_out, o.out);
    if (in_err != NULL && strstr(o.err, in_err) == NULL)
        fail_msg("'%s' complained not '%s' but: %s", line, in_err, o.err);
    helper_output_release(&o);
}

static void version_names_commit_compiler_and_parts(void **state)
{
    (void)state;
    expect(0, "opmark 0.", NULL, "opmark --version");
    expect(0, "\ncommit ", NULL, "opmark --version");
    expect(0, "\ncompiler ", NULL, "opmark --version");
    expect(0, "\nparts ", NULL, "opmark --version");
}

static void help_explains_every_command(void **state)
{
    (void)state;
    size_t count;
    const om_command *const *commands = om__commands_get(&count);
    for (size_t i = 0; i < count; i++) {
        om_text line = {0}, usage = {0};
        om__text_addf(&line, "opmark %s --help", commands[i]->name);
        om__text_addf(&usage, "Usage: opmark %s", commands[i]->name);
        expect(0, usage.data, NULL, line.data);
        om__text_release(&line);
        om__text_release(&usage);
    }
    expect(0, "Usage: opmark COMMAND", NULL, "opmark help");
    expect(0, "Usage: opmark COMMAND", NULL, "opmark --help");
    expect(0, "Usage: opmark help", NULL, "opmark help help");
}

static void bad_calls_are_usage_errors(void **state)
{
    (void)state;
    expect(2, "Usage: opmark COMMAND", NULL, "opmark");
    expect(2, NULL, "unknown command 'hlp'; did you mean help?", "opmark hlp");
    expect(2, NULL, "unknown option '--verzion'", "opmark --verzion");
    expect(2, NULL, "there is no command 'nosuch'", "opmark help nosuch");
    expect(2, NULL, "unknown option --nosuch", "opmark help --nosuch");
    expect(2, NULL, "Try 'opmark help --help'", "opmark help --nosuch");
}

static void a_full_disk_is_no_success(void **state)
{
    (void)state;
    if (system("test -w /dev/full") != 0)
        skip_because("no /dev/full here");
    expect(3, NULL, "cannot write the output", "opmark help >/dev/full");
}

/* Found on PATH, the program still looks beside itself for its loadable parts. */
static void a_bare_name_finds_the_parts_beside_it(void **state)
{
    (void)state;
    char *folder = helper_folder_create();
    helper_output o = helper_run(folder, "mkdir bin && cp " OM_BUILD_DIR "/opmark bin/ && "
                                         "PATH=$PWD/bin:$PATH opmark list devices");
    char beside[4200];
    snprintf(beside, sizeof beside, "%s/bin/libopmark-cuda.so", folder);
    if (strstr(o.out, beside) == NULL && strstr(o.out, "found none of") != NULL)
        fail_msg("it did not look for %s: %s", beside, o.out);
    assert_null(strstr(o.out, "found none of opmark/"));
    helper_output_release(&o);
    helper_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_names_commit_compiler_and_parts),
        cmocka_unit_test(help_explains_every_command),
        cmocka_unit_test(bad_calls_are_usage_errors),
        cmocka_unit_test(a_full_disk_is_no_success),
        cmocka_unit_test(a_bare_name_finds_the_parts_beside_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
