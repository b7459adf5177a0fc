/* SPDX-License-Identifier: Apache-2.0 */
/* test_compare_command.c: `opmark compare` and `opmark gate` as a user calls them. */
#include "helpers/helper.h"

#include <string.h>

#define PUBLISHED OM_SOURCE_DIR "/tests/fixtures/te-pr/mi325/"

static void expect(const char *folder, int code, const char *out, const char *err, const char *line)
{
    helper_output o = helper_run(folder, "%s", line);
    if (o.code != code)
        fail_msg("'%s' ended with %d: %s%s", line, o.code, o.out, o.err);
    if (out != NULL && strstr(o.out, out) == NULL)
        fail_msg("'%s' printed no '%s' but: %s", line, out, o.out);
    if (err != NULL && strstr(o.err, err) == NULL)
        fail_msg("'%s' complained not '%s' but: %s", line, err, o.err);
    helper_output_release(&o);
}

#define TABLES                                                                                     \
    "printf 'case,ms\\na,1\\nb,1\\n' > base.csv; printf 'case,ms\\na,2\\nb,1\\n' > slower.csv; "   \
    "printf 'case,ms\\na,0.5\\nb,1\\n' > faster.csv; printf 'case,ms\\nz,1\\n' > other.csv; "      \
    "printf 'case,ms\\na,1,5\\n' > bad.csv"

/* 256 slower rows, one faster row, malformed input, no common row: 0 0 2 3 without a gate. */
static void comparing_says_by_its_code_whether_it_could(void **state)
{
    (void)state;
    char *folder = helper_folder_create();
    expect(folder, 0, NULL, NULL, TABLES);
    expect(folder, 0, "decide nothing", NULL, "opmark compare base.csv slower.csv");
    expect(folder, 0, "plain threshold, no noise estimate", NULL,
           "opmark compare base.csv slower.csv --threshold 5%");
    expect(folder, 0, "1 faster", NULL, "opmark compare base.csv faster.csv --threshold 5%");
    expect(folder, 2, NULL, "bad.csv:2: ", "opmark compare base.csv bad.csv");
    expect(folder, 3, "nothing was compared", "nothing was compared",
           "opmark compare base.csv other.csv");
    expect(folder, 2, NULL, "two sides", "opmark compare base.csv");
    expect(folder, 2, NULL, "absent.csv: ", "opmark compare base.csv absent.csv");
    expect(folder, 2, NULL, "needs a unit", "opmark compare base.csv slower.csv --threshold 0.05");
    expect(folder, 2, NULL, "--machine",
           "opmark compare base.csv slower.csv faster.csv "
           "--machine a --machine b");
    helper_folder_remove(folder);
}

static void every_format_is_written(void **state)
{
    (void)state;
    char *folder = helper_folder_create();
    expect(folder, 0, NULL, NULL, TABLES);
    expect(folder, 0,
           "suite,case,params,machine,metric,unit,base,new,ratio,ratio_low,ratio_high,verdict,"
           "reason,",
           NULL, "opmark compare base.csv slower.csv --format csv");
    expect(folder, 0, "a,,m,time,ms,1,2,0.5,,,unclear,", NULL,
           "opmark compare base.csv slower.csv --format csv --machine m");
    expect(folder, 0, "# Comparison", NULL, "opmark compare base.csv slower.csv -f md");
    expect(folder, 0, "\"compare\"", NULL, "opmark compare base.csv slower.csv -f json");
    expect(folder, 0, NULL, NULL,
           "opmark compare base.csv slower.csv -f html -o r.html && grep -q '</html>' r.html");
    expect(folder, 0, "failures=\"1\"", NULL,
           "opmark compare base.csv slower.csv -f junit --threshold 5%");
    /* three sides: two comparisons in one table */
    expect(folder, 0, "5\n", NULL,
           "opmark compare base.csv slower.csv faster.csv -f csv | wc -l | tr -d ' '");
    helper_folder_remove(folder);
}

static void published_tables_compare(void **state)
{
    (void)state;
    char *folder = helper_folder_create();
    expect(folder, 0, "752 rows compared", NULL,
           "opmark compare " PUBLISHED "base " PUBLISHED "pr");
    expect(folder, 0, "showing 3 of 752 rows", NULL,
           "opmark compare --rows 3 " PUBLISHED "base " PUBLISHED "pr");
    expect(folder, 0, "94 slower", NULL,
           "opmark compare --threshold 5% " PUBLISHED "base " PUBLISHED "pr");
    expect(folder, 0, "753\n", NULL,
           "opmark compare -f csv " PUBLISHED "base " PUBLISHED "pr | wc -l | tr -d ' '");
    expect(folder, 0, NULL, NULL,
           "opmark compare -f csv " PUBLISHED "base " PUBLISHED
           "pr | grep -c ,mi325, | grep -qx 752");
    helper_folder_remove(folder);
}

static void gates_pass_or_trip(void **state)
{
    (void)state;
    char *folder = helper_folder_create();
    expect(folder, 0, NULL, NULL, TABLES);
    expect(folder, 1, "trips: 1 slower (2 rows compared)", NULL,
           "opmark gate base.csv slower.csv --threshold 5%");
    expect(folder, 0, "passes", NULL, "opmark gate base.csv faster.csv --threshold 5%");
    /* one number a side decides nothing */
    expect(folder, 0, "passes", NULL, "opmark gate base.csv slower.csv");
    expect(folder, 2, NULL, "bad.csv:2: ", "opmark gate base.csv bad.csv");
    expect(folder, 3, "nothing was compared", NULL, "opmark gate base.csv other.csv");
    expect(folder, 0, "1 acknowledged", NULL,
           "echo 'allow a max=99.9% reason=known until=2030-01-01' > p.wl; "
           "printf 'case,ms\\na,1.9\\nb,1\\n' > s.csv; "
           "opmark gate base.csv s.csv --threshold 5% --policy p.wl");
    expect(folder, 1, "out of date", NULL,
           "opmark gate base.csv s.csv --threshold 5% --policy p.wl --today 2031-01-01");
    expect(folder, 0, "passes", NULL,
           "opmark gate base.csv slower.csv --threshold 5% --fail missing,suspect");
    expect(folder, 2, NULL, "slower, missing or suspect",
           "opmark gate base.csv slower.csv --fail everything");
    expect(folder, 2, NULL, "p.wl:1: ",
           "echo 'allow a max=5' > p.wl; opmark gate base.csv slower.csv --policy p.wl");
    helper_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comparing_says_by_its_code_whether_it_could),
        cmocka_unit_test(every_format_is_written),
        cmocka_unit_test(published_tables_compare),
        cmocka_unit_test(gates_pass_or_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
