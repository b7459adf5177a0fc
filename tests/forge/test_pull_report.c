/* SPDX-License-Identifier: Apache-2.0 */
/* test_pull_report.c: comparisons as sections of one comment, from the published tables and from
 * tables that are far too long. */
#include "helpers/helper.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *folder;

static int make_folder(void **state)
{
    (void)state;
    folder = helper_folder_create();
    return folder != NULL ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    helper_folder_remove(folder);
    return 0;
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at++)
        count++;
    return count;
}

static void run(const char *line)
{
    helper_output o = helper_run(folder, "%s", line);
    if (o.code != 0)
        fail_msg("exit %d of %s: %s", o.code, line, o.err);
    helper_output_release(&o);
}

static char *read_comment(void)
{
    char path[4096];
    size_t size;
    snprintf(path, sizeof path, "%s/comment.md", folder);
    return helper_file_read(path, &size);
}

/* Both machines of the published report in one comment, with the counts of the plain threshold. */
static void the_published_report_fits_one_comment(void **state)
{
    (void)state;
    run(": > none.md; F=" OM_SOURCE_DIR "/tests/fixtures/te-pr;"
        "for m in mi325 mi355; do opmark compare $F/$m/base $F/$m/pr --threshold 5% "
        "--comment $m.json --section $m --commit abc123 --sequence 7 --budget 32000 -o $m.txt "
        "|| exit 1; done;"
        "opmark comment merge none.md mi325.json > one.md &&"
        "opmark comment merge one.md mi355.json > comment.md &&"
        "opmark comment merge comment.md mi325.json > again.md && cmp comment.md again.md");
    char *comment = read_comment();
    assert_true(strlen(comment) <= 65536);
    assert_non_null(strstr(comment, "752 rows compared: 94 slower, 56 faster, 602 same"));
    assert_non_null(strstr(comment, "752 rows compared: 70 slower"));
    assert_int_equal(count_of(comment, "plain threshold, no noise estimate"), 2);
    assert_int_equal(count_of(comment, "<!-- opmark:section key="), 2);
    assert_int_equal(count_of(comment, "<details>"), count_of(comment, "</details>"));
    free(comment);
}

/* Field case C-20: two machines with 900 changed rows each, names of 60 characters with letters of
 * two bytes. Every cut is announced, no row or block is cut open, both keep their headline. */
static void a_report_that_is_far_too_long_is_cut_by_rows(void **state)
{
    (void)state;
    run("for side in base new; do { echo case,impl,sample,ms; i=0; while [ $i -lt 900 ]; do "
        "[ $side = base ] && v=1.000 || v=1.$((200 + i % 300)); "
        "printf 'µ×-%057d,ours,0,%s\\n' $i $v; i=$((i + 1)); done; } > $side.csv; done;"
        ": > none.md; for m in a b; do opmark compare base.csv new.csv --machine $m --threshold 5% "
        "--comment $m.json --section $m --commit c2 --sequence 2 --budget 32000 "
        "--full 'the job artifact' -o $m.txt || exit 1; done;"
        "opmark comment merge none.md a.json > one.md &&"
        "opmark comment merge one.md b.json > comment.md");
    char *comment = read_comment();
    assert_true(strlen(comment) <= 65536);
    assert_int_equal(count_of(comment, "900 rows compared: 900 slower"), 2);
    assert_int_equal(count_of(comment, " of 900 rows"), 2);
    assert_int_equal(count_of(comment, "Full report: the job artifact"), 2);
    assert_int_equal(count_of(comment, "<details>"), count_of(comment, "</details>"));
    for (char *line = strtok(comment, "\n"); line != NULL; line = strtok(NULL, "\n"))
        if (strstr(line, "µ×-") != NULL)
            assert_true(line[0] == '|' && line[strlen(line) - 1] == '|');
    free(comment);
}

static void a_section_needs_a_name_and_a_commit(void **state)
{
    (void)state;
    helper_output o = helper_run(
        folder, "printf 'case,impl,sample,ms\\na,x,0,1\\n' > b.csv; cp b.csv n.csv;"
                "opmark compare b.csv n.csv --machine 'My Machine, 2 cores' --comment x.json "
                "--budget 4096 >out.txt");
    assert_int_equal(o.code, 2);
    assert_non_null(strstr(o.err, "no commit is known"));
    helper_output_release(&o);
    run("opmark compare b.csv n.csv --machine 'My Machine, 2 cores' --commit c1 --comment x.json "
        "--budget 4096 >out.txt && grep -q '\"key\": \"My-Machine-2-cores\"' x.json");
    o = helper_run(folder, "opmark compare b.csv n.csv --commit c1 --section m --comment x.json "
                           "--budget 100 >out.txt");
    assert_int_equal(o.code, 2);
    helper_output_release(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_published_report_fits_one_comment),
        cmocka_unit_test(a_report_that_is_far_too_long_is_cut_by_rows),
        cmocka_unit_test(a_section_needs_a_name_and_a_commit),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
