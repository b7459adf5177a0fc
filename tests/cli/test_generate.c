/* SPDX-License-Identifier: Apache-2.0 */
/* test_generate.c: help, man pages and completion agree with the option tables. */
#include "helpers/helper.h"

#include <stdlib.h>
#include <string.h>

#include "cli/generate.h"
#include "cli/option.h"

static void expect_part(const om_text *text, const char *what, const char *part)
{
    assert_false(text->failed);
    if (strstr(text->data, part) == NULL)
        fail_msg("%s lacks '%s'", what, part);
}

/* "--dry-run" as roff has it. */
static void add_roff_option(om_text *out, const char *name)
{
    om__text_add(out, "\\-\\-");
    for (const char *c = name; *c != '\0'; c++)
        om__text_addf(out, *c == '-' ? "\\%c" : "%c", *c);
    om__text_add(out, "\\fR");
}

static void every_option_stands_everywhere(void **state)
{
    (void)state;
    om_text bash = {0}, zsh = {0}, fish = {0};
    om__completion_bash(&bash);
    om__completion_zsh(&zsh);
    om__completion_fish(&fish);
    size_t count;
    const om_command *const *commands = om__commands_get(&count);
    for (size_t c = 0; c < count; c++) {
        const om_command *command = commands[c];
        om_text man = {0}, help = {0}, part = {0};
        om__man_command(command, &man);
        om__command_help(command, 80, &help);
        for (size_t i = 0; i < command->option_count && !command->hidden; i++) {
            const char *name = command->options[i].name;
            add_roff_option(&part, name);
            expect_part(&man, "the man page", part.data);
            om__text_clear(&part);
            om__text_addf(&part, "--%s", name);
            expect_part(&help, "the help page", part.data);
            expect_part(&bash, "bash completion", part.data);
            expect_part(&zsh, "zsh completion", part.data);
            om__text_clear(&part);
            om__text_addf(&part, "'__fish_seen_subcommand_from %s' -l %s ", command->name, name);
            expect_part(&fish, "fish completion", part.data);
            om__text_clear(&part);
        }
        om__text_release(&man);
        om__text_release(&help);
        om__text_release(&part);
    }
    om__text_release(&bash);
    om__text_release(&zsh);
    om__text_release(&fish);
}

static void bash_completes(void **state)
{
    (void)state;
    if (system("command -v bash >/dev/null") != 0)
        skip_because("no bash");
    static const struct {
        const char *words, *reply;
    } cases[] = {
        {"opmark rep", "report\n"},
        {"opmark report --form", "--format\n"},
        {"opmark report --format js", "json\n"},
        {"opmark report -f ht", "html\n"},
        {"opmark help rep", "report\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        helper_output o = helper_run(
            NULL,
            "opmark generate bash > /dev/null && bash -c 'source <(opmark generate bash); "
            "COMP_WORDS=(%s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _opmark; "
            "printf \"%%s\\n\" \"${COMPREPLY[@]}\"'",
            cases[i].words);
        assert_string_equal(o.err, "");
        assert_string_equal(o.out, cases[i].reply);
        helper_output_release(&o);
    }
}

static void check_with(const char *program, const char *line)
{
    om_text look = {0};
    om__text_addf(&look, "command -v %s >/dev/null", program);
    bool here = system(look.data) == 0;
    om__text_release(&look);
    if (!here)
        skip_because("no %s", program);
    helper_output o = helper_run(NULL, "%s", line);
    assert_string_equal(o.err, "");
    assert_int_equal(o.code, 0);
    helper_output_release(&o);
}

static void zsh_reads_its_file(void **state)
{
    (void)state;
    check_with("zsh", "opmark generate zsh >f && zsh -n f; rm f");
}

static void fish_reads_its_file(void **state)
{
    (void)state;
    check_with("fish", "opmark generate fish >f && fish -n f; rm f");
}

static void man_pages_have_no_faults(void **state)
{
    (void)state;
    check_with("groff", "for c in '' $(opmark generate names); do opmark generate man $c | "
                        "groff -man -Tutf8 -Kutf8 -ww >/dev/null; done");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_option_stands_everywhere),
        cmocka_unit_test(bash_completes),
        cmocka_unit_test(zsh_reads_its_file),
        cmocka_unit_test(fish_reads_its_file),
        cmocka_unit_test(man_pages_have_no_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
