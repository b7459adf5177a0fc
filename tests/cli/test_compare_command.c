/* SPDX-License-Identifier: Apache-2.0 */
/* test_compare_command.c: `opmark compare` and `opmark gate` as a user calls them. */
#include "helpers/helper.h"

#include <stdbool.h>
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

/* Field case C-30: 256 slower rows, one faster row, malformed input, no common row: 0 0 2 3 without
 * a gate. */
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
    expect(folder, 2, NULL, "nan.csv:2: column 2 (ms): 'nan' is no finite number",
           "printf 'case,ms\\na,nan\\n' > nan.csv; opmark compare --strict base.csv nan.csv");
    expect(folder, 2, NULL, "exclude each other",
           "opmark compare --strict --lenient base.csv slower.csv");
    expect(folder, 2, NULL, "nan.csv:2: ", "opmark import --strict nan.csv");
    expect(folder, 2, NULL, "--machine",
           "opmark compare base.csv slower.csv faster.csv "
           "--machine a --machine b");
    helper_folder_remove(folder);
}

static void what_is_asked_and_shown_is_named(void **state)
{
    (void)state;
    char *folder = helper_folder_create();
    expect(folder, 0, NULL, NULL, TABLES);
    expect(folder, 2, NULL, "--merge-base is empty",
           "opmark compare base.csv slower.csv --merge-base ''");
    expect(folder, 0, "Google Benchmark", NULL, "opmark compare --help | tr -s ' \\n' '  '");
    expect(folder, 0, "store:QUERY", NULL, "opmark compare --help");
    /* values in units that do not convert stand in their own */
    expect(folder, 3, "2.5 parsec", "no row is comparable",
           "printf 'case,unit,value\na,ms,7\n' > ms.csv; "
           "printf 'case,unit,value\na,parsec,2.5\n' > pc.csv; "
           "opmark compare ms.csv pc.csv");
    expect(folder, 3, "7.000 ms", NULL, "opmark compare pc.csv ms.csv");
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

/* C-09: main has m1, m2, m3; the pull request grew from m1 by p; t is p merged into m3, as CI
 * checks it out. In a repository of its own. */
static void git_tells_what_the_base_holds_too_much(void **state)
{
    (void)state;
    char *folder = helper_folder_create();
    helper_output git = helper_run(folder, "command -v git");
    bool has_git = git.code == 0;
    helper_output_release(&git);
    if (!has_git) {
        helper_folder_remove(folder);
        skip_because("no git");
    }
    expect(folder, 0, NULL, NULL,
           TABLES "; git init -q -b main r && cd r && git config user.name t && "
                  "git config user.email t@example.org && "
                  "for c in m1 m2 m3; do git commit -q --allow-empty -m $c && git tag $c; done && "
                  "git checkout -q -b pr m1 && git commit -q --allow-empty -m p && git tag p && "
                  "git checkout -q -b test m3 && git merge -q --no-ff -m t p && git tag t");
#define RELATED "opmark compare base.csv slower.csv --repository r "
    expect(folder, 0, "base has 2 commits the PR lacks, and the PR has 1 of its own", NULL,
           RELATED "--base-commit m3 --commit p");
    expect(folder, 0, "base has 0 commits the PR lacks, the PR 1 that base lacks", NULL,
           RELATED "--base-commit m1 --commit p");
    expect(folder, 0, "base has 1 commit the PR lacks, and the PR has 1 of its own", NULL,
           RELATED "--base-commit m2 --commit p");
    /* the base of a test merge is its first parent, m3; m1 would make m2 and m3 the PR's */
    expect(folder, 0, "base has 0 commits the PR lacks, the PR 2 that base lacks", NULL,
           RELATED "--base-commit m3 --commit t");
    expect(folder, 0, "base is none of its parents: the PR has 4 commits", NULL,
           RELATED "--base-commit m1 --commit t");
    expect(folder, 0, "not m2 as stated", NULL,
           RELATED "--base-commit m1 --commit p --merge-base m2");
    /* nothing wrong is nothing said; a name is no option, and no shell sees it */
    expect(folder, 0, NULL, NULL,
           RELATED "--base-commit m1 --commit p | grep -c 'lacks, and\\|none of its\\|not known' | "
                   "grep -qx 0");
    expect(folder, 0, "does not know the base side's commit --all", NULL,
           RELATED "--base-commit=--all --commit p");
    expect(folder, 0, "does not know the new side's commit $(touch x)", NULL,
           RELATED "--base-commit m1 --commit '$(touch x)' && ! test -e x && ! test -e r/x");
    expect(folder, 0, "does not know the new side's commit 0123456789ab", NULL,
           RELATED "--base-commit m1 --commit 0123456789ab");
    expect(folder, 0, "the new side states no commit", NULL, RELATED "--base-commit m1");
    expect(folder, 0, "is in no git repository", NULL,
           "GIT_CEILING_DIRECTORIES=$PWD/.. opmark compare base.csv slower.csv --repository . "
           "--base-commit m1 --commit p");
    expect(folder, 0, "there is no program git", NULL,
           "o=$(command -v opmark); PATH=/nowhere $o compare base.csv slower.csv --base-commit m1 "
           "--commit p");
    /* the note stands in the gate and in the comment as well */
    expect(folder, 1, "note     base has 2 commits the PR lacks", NULL,
           "opmark gate base.csv slower.csv --threshold 5% --repository r --base-commit m3 "
           "--commit p");
    expect(folder, 0, NULL, NULL,
           RELATED "--base-commit m3 --commit p --section s --comment a.json && "
                   "grep -q 'base has 2 commits the PR lacks' a.json");
    /* what records state is asked for without being told to, in the folder one is in */
    expect(folder, 0, "base has 2 commits the PR lacks", NULL,
           "row() { printf '{\"schema\":1,\"benchmark\":{\"name\":\"a\"},\"metric\":{\"name\":"
           "\"time\",\"unit\":\"ns\",\"better\":\"lower\"},\"subject\":{\"provider\":\"own\","
           "\"role\":\"own\",\"commit\":\"%s\"},\"samples\":[1]}\\n' $1; }; "
           "row $(git -C r rev-parse --short=12 m3)-dirty > r/b.jsonl; "
           "row $(git -C r rev-parse p) > r/n.jsonl; cd r && opmark compare b.jsonl n.jsonl");
    expect(folder, 0, NULL, NULL,
           "mkdir q && cp r/b.jsonl r/n.jsonl q && cd q && GIT_CEILING_DIRECTORIES=$PWD/../.. "
           "opmark compare b.jsonl n.jsonl | grep -c 'not known' | grep -qx 0");
    helper_folder_remove(folder);
}

/* A name that turns the writing direction round and speaks to the terminal: shown as text wherever
 * people look; CSV keeps it for programs, JSON escapes it. */
static void names_steer_nothing(void **state)
{
    (void)state;
    char *folder = helper_folder_create();
    static const char *const shown[] = {
        "opmark compare a.csv b.csv --threshold 5%",
        "opmark compare a.csv b.csv --threshold 5% -f md",
        "opmark compare a.csv b.csv --threshold 5% -f html",
        "opmark compare a.csv b.csv --threshold 5% -f json",
        "opmark compare a.csv b.csv --threshold 5% -f junit",
        "opmark gate a.csv b.csv --threshold 5% || true",
        "opmark compare a.csv b.csv --threshold 5% --comment a.json --section s --commit c "
        ">/dev/null && opmark comment merge /dev/null a.json",
        "opmark compare a.csv bad.csv 2>&1 || true",
    };
    expect(folder, 0, NULL, NULL,
           "printf 'case,ms\\nx\\342\\200\\256y\\033[31m,1\\n' > a.csv; "
           "sed 's/,1$/,2/' a.csv > b.csv; printf 'case,ms\\nx,\\342\\200\\256\\033[31m\\n' > "
           "bad.csv");
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        helper_output o = helper_run(folder, "%s", shown[i]);
        if (o.code != 0 || strstr(o.out, "u202e") == NULL)
            fail_msg("%s: %d: %s%s", shown[i], o.code, o.out, o.err);
        if (strstr(o.out, "\u202e") != NULL || strchr(o.out, '\033') != NULL)
            fail_msg("%s lets it through: %s", shown[i], o.out);
        helper_output_release(&o);
    }
    expect(folder, 0, "x\u202ey\033[31m", NULL, "opmark compare a.csv b.csv -f csv");
    expect(folder, 2, NULL, "--rows -1: ", "opmark compare a.csv b.csv --rows -1");
    expect(folder, 3, "new: overflow", "no row has a value on both sides",
           "printf 'case,ms\\nx,1e308\\n' > o.csv; opmark compare o.csv o.csv");
    helper_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comparing_says_by_its_code_whether_it_could),
        cmocka_unit_test(git_tells_what_the_base_holds_too_much),
        cmocka_unit_test(names_steer_nothing),
        cmocka_unit_test(what_is_asked_and_shown_is_named),
        cmocka_unit_test(every_format_is_written),
        cmocka_unit_test(published_tables_compare),
        cmocka_unit_test(gates_pass_or_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
