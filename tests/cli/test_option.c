/* SPDX-License-Identifier: Apache-2.0 */
/* test_option.c: reading an argument vector by an option table. */
#include "helpers/helper.h"

#include <string.h>

#include "cli/option.h"

typedef struct sample_config {
    bool quiet;
    const char *out;
    int64_t launches;
    om_words providers, variants;
} sample_config;

static const char *const formats[] = {"csv", "terminal", NULL};

static const om_option sample_options[] = {
    {"quiet", 'q', OM_OPTION_FLAG, offsetof(sample_config, quiet), NULL, NULL, NULL, "say less"},
    {"out", 'o', OM_OPTION_TEXT, offsetof(sample_config, out), "FORMAT", "terminal", formats,
     "format of the table"},
    {"launches", 'n', OM_OPTION_INT, offsetof(sample_config, launches), "N", "3", NULL,
     "processes a row is measured in"},
    {"provider", 0, OM_OPTION_LIST, offsetof(sample_config, providers), "NAME", NULL, NULL,
     "who takes part"},
    {"variant", 0, OM_OPTION_TEXTS, offsetof(sample_config, variants), "NAME:VAR=VALUE", NULL, NULL,
     "a setting"},
};

static const om_command sample = {
    .name = "sample",
    .summary = "do nothing",
    .operands = "[FILE…]",
    OM_OPTIONS(sample_options),
    .config_size = sizeof(sample_config),
};

typedef struct parsed {
    om_arguments arguments;
    sample_config *config;
    om_status status;
    om_error err;
} parsed;

static parsed parse(const char *first, ...)
{
    const char *argv[16];
    int argc = 0;
    va_list args;
    va_start(args, first);
    for (const char *word = first; word != NULL; word = va_arg(args, const char *))
        argv[argc++] = word;
    va_end(args);
    parsed p = {0};
    p.status =
        om__arguments_parse(&sample, argc, (char *const *)(uintptr_t)argv, &p.arguments, &p.err);
    p.config = p.arguments.config;
    return p;
}

static void release(parsed *p)
{
    om__arguments_release(&sample, &p->arguments);
}

static void nothing_given_means_standards(void **state)
{
    (void)state;
    parsed p = parse(NULL);
    assert_int_equal(p.status, OM_OK);
    assert_false(p.config->quiet);
    assert_string_equal(p.config->out, "terminal");
    assert_int_equal(p.config->launches, 3);
    assert_int_equal(p.config->providers.count, 0);
    assert_int_equal(p.arguments.operands.count, 0);
    release(&p);
}

static void both_forms_of_a_value(void **state)
{
    (void)state;
    parsed p = parse("a", "--launches=5", "--out", "csv", "b", "-q", NULL);
    assert_int_equal(p.status, OM_OK);
    assert_true(p.config->quiet);
    assert_string_equal(p.config->out, "csv");
    assert_int_equal(p.config->launches, 5);
    assert_int_equal(p.arguments.operands.count, 2);
    assert_string_equal(p.arguments.operands.items[1], "b");
    release(&p);
}

static void letters_stand_together(void **state)
{
    (void)state;
    parsed p = parse("-qn7", "-o", "csv", NULL);
    assert_int_equal(p.status, OM_OK);
    assert_true(p.config->quiet);
    assert_int_equal(p.config->launches, 7);
    assert_string_equal(p.config->out, "csv");
    release(&p);
}

static void lists_split_texts_do_not(void **state)
{
    (void)state;
    parsed p = parse("--provider", "own,openblas", "--provider=blis", "--variant", "x:A=1,2", NULL);
    assert_int_equal(p.status, OM_OK);
    assert_int_equal(p.config->providers.count, 3);
    assert_string_equal(p.config->providers.items[1], "openblas");
    assert_string_equal(p.config->providers.items[2], "blis");
    assert_int_equal(p.config->variants.count, 1);
    assert_string_equal(p.config->variants.items[0], "x:A=1,2");
    release(&p);
}

static void two_dashes_end_the_options(void **state)
{
    (void)state;
    parsed p = parse("--", "--quiet", "-", NULL);
    assert_int_equal(p.status, OM_OK);
    assert_false(p.config->quiet);
    assert_int_equal(p.arguments.operands.count, 2);
    assert_string_equal(p.arguments.operands.items[0], "--quiet");
    release(&p);
}

static void help_wins(void **state)
{
    (void)state;
    parsed p = parse("-h", "--nonsense", NULL);
    assert_int_equal(p.status, OM_OK);
    assert_true(p.arguments.help);
    release(&p);
}

static void expect_error(parsed p, const char *text)
{
    assert_int_equal(p.status, OM_INVALID);
    assert_string_equal(p.err.text, text);
    release(&p);
}

static void faults_are_named(void **state)
{
    (void)state;
    expect_error(parse("--lanches", "3", NULL),
                 "unknown option --lanches; did you mean --launches?");
    expect_error(parse("--zzzzzz", NULL), "unknown option --zzzzzz");
    expect_error(parse("-x", NULL), "unknown option -x");
    expect_error(parse("--launches", NULL), "--launches needs a value: --launches N");
    expect_error(parse("--launches", "many", NULL), "--launches: 'many' is not a whole number");
    expect_error(parse("--launches=99999999999999999999", NULL),
                 "--launches: '99999999999999999999' is not a whole number");
    expect_error(parse("--quiet=yes", NULL), "--quiet takes no value");
    expect_error(parse("--out=cvs", NULL),
                 "--out: 'cvs' is none of csv, terminal; did you mean csv?");
    expect_error(parse("--provider", "own,,blis", NULL),
                 "--provider: 'own,,blis' has an empty part");
}

static void help_page_comes_from_the_table(void **state)
{
    (void)state;
    om_text page = {0};
    om__command_help(&sample, 72, &page);
    assert_string_equal(page.data,
                        "Usage: opmark sample [OPTION…] [FILE…]\n"
                        "\n"
                        "do nothing.\n"
                        "\n"
                        "Options:\n"
                        "  -q, --quiet               say less\n"
                        "  -o, --out FORMAT          format of the table: csv, terminal\n"
                        "                            [terminal]\n"
                        "  -n, --launches N          processes a row is measured in [3]\n"
                        "      --provider NAME       who takes part\n"
                        "      --variant NAME:VAR=VALUE\n"
                        "                            a setting\n"
                        "  -h, --help                print this page\n");
    om__text_release(&page);
}

/* A table whose names or letters collide would make an option unreachable. */
static void tables_of_all_commands_are_sound(void **state)
{
    (void)state;
    size_t count;
    const om_command *const *commands = om__commands_get(&count);
    for (size_t c = 0; c < count; c++) {
        const om_command *command = commands[c];
        assert_non_null(command->summary);
        assert_non_null(command->operands);
        assert_non_null(command->run);
        for (size_t i = 0; i < command->option_count; i++) {
            const om_option *a = &command->options[i];
            assert_non_null(a->help);
            assert_true((a->kind == OM_OPTION_FLAG) == (a->value_name == NULL));
            assert_true(a->offset < command->config_size);
            assert_string_not_equal(a->name, "help");
            assert_int_not_equal(a->letter, 'h');
            for (size_t j = 0; j < i; j++) {
                assert_string_not_equal(a->name, command->options[j].name);
                assert_true(a->letter == 0 || a->letter != command->options[j].letter);
            }
        }
        om_arguments arguments;
        om_error err;
        assert_int_equal(om__arguments_parse(command, 0, NULL, &arguments, &err), OM_OK);
        om__arguments_release(command, &arguments);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_given_means_standards),
        cmocka_unit_test(both_forms_of_a_value),
        cmocka_unit_test(letters_stand_together),
        cmocka_unit_test(lists_split_texts_do_not),
        cmocka_unit_test(two_dashes_end_the_options),
        cmocka_unit_test(help_wins),
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test(help_page_comes_from_the_table),
        cmocka_unit_test(tables_of_all_commands_are_sound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
