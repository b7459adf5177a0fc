/* SPDX-License-Identifier: Apache-2.0 */
/* test_report_command.c: `opmark report` as a user calls it. */
#include "helpers/helper.h"

#include <string.h>

static void expect(const char *folder, int code, const char *out, const char *err, const char *line)
{
    helper_output o = helper_run(folder, "%s", line);
    if (o.code != code)
        fail_msg("'%s' ended with %d: %s", line, o.code, o.err);
    if (out != NULL && strstr(o.out, out) == NULL)
        fail_msg("'%s' printed no '%s' but: %s", line, out, o.out);
    if (err != NULL && strstr(o.err, err) == NULL)
        fail_msg("'%s' complained not '%s' but: %s", line, err, o.err);
    helper_output_release(&o);
}

#define LINE                                                                                       \
    "printf '{\"schema\":1,\"benchmark\":{\"suite\":\"s\",\"name\":\"n\"},\"metric\":{\"name\":"   \
    "\"time\",\"unit\":\"ns\",\"better\":\"lower\"},\"subject\":{\"provider\":\"own\",\"role\":"   \
    "\"own\"},\"samples\":[1000,1001,1002]}\\n' "

static void reports_are_written(void **state)
{
    (void)state;
    char *folder = helper_folder_create();
    expect(folder, 0, NULL, NULL, LINE "> records.jsonl");
    expect(folder, 0, "no rival", NULL, "opmark report records.jsonl");
    expect(folder, 0, "suite,table,op,workload", NULL, "opmark report . --format csv");
    expect(folder, 0, NULL, NULL, "opmark report . -f html -o r.html && grep -q '</html>' r.html");
    expect(folder, 0, "<testsuites", NULL, "opmark report . -f junit -o /dev/stdout");
    expect(folder, 3, NULL, "cannot write", "opmark report . -o /nonexistent/r.txt");
    helper_folder_remove(folder);
}

static void bad_input_is_named(void **state)
{
    (void)state;
    char *folder = helper_folder_create();
    expect(folder, 2, NULL, "no record file", "opmark report");
    expect(folder, 2, NULL, "absent.jsonl: ", "opmark report absent.jsonl");
    expect(folder, 2, NULL, "empty.jsonl: ", ": > empty.jsonl; opmark report empty.jsonl");
    expect(folder, 2, NULL, "bad.jsonl:2: ",
           LINE "> bad.jsonl; echo WARN >> bad.jsonl; " LINE
                ">> bad.jsonl; opmark report bad.jsonl");
    expect(folder, 0, "no rival", NULL, "opmark report --lenient bad.jsonl");
    expect(folder, 0, "incomplete", NULL,
           LINE
           "> cut.jsonl; printf '{\"schema\":1,\"benchm' >> cut.jsonl; opmark report cut.jsonl");
    expect(folder, 3, NULL, "only.jsonl:1: truncated before its first row ended",
           "printf '{\"schema\":1,\"benchm' > only.jsonl; opmark report only.jsonl");
    expect(folder, 2, NULL, "is none of", "opmark report cut.jsonl --format xml");
    expect(folder, 2, NULL, "t.csv: ", "opmark report cut.jsonl --targets t.csv");
    expect(folder, 2, NULL, "t.csv:1: there is no column 'op'",
           "echo a,b > t.csv; opmark report cut.jsonl --targets t.csv");
    helper_folder_remove(folder);
}

/* Every line that a report gives for running a row again is understood by `opmark run`. */
static void rerun_lines_run(void **state)
{
    (void)state;
    char *folder = helper_folder_create();
    expect(folder, 0, NULL, NULL,
           "opmark run gemm m=8,16 n=8 k=8 pass=forward,backward --device fake "
           "--provider fake,fake_slow --launches 1 -q -o .");
    expect(folder, 0, "4 lines", NULL,
           "opmark report . --rerun | sed -n 's/^ *\\$ //p' >lines; echo $(wc -l <lines) lines; "
           "while read -r line; do eval \"$line --dry-run\" || exit 9; done <lines");
    helper_folder_remove(folder);
}

/* The line that reruns a row loads the plug-in that the row needs. */
static void a_plugin_stands_on_the_rerun_line(void **state)
{
    (void)state;
    char *folder = helper_folder_create();
    helper_output o = helper_run(
        folder,
        "opmark run gemm m=8 n=8 k=8 dtype=f32 --provider own,loops --launches 1 --time 20ms "
        "-q --plugin " OM_BUILD_DIR "/tests/plugin_provider.so -o r; "
        "opmark report r --format csv | grep -c -- '--provider loops --plugin " OM_BUILD_DIR
        "/tests/plugin_provider.so'");
    assert_string_equal(o.out, "1\n");
    helper_output_release(&o);
    helper_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reports_are_written),
        cmocka_unit_test(bad_input_is_named),
        cmocka_unit_test(rerun_lines_run),
        cmocka_unit_test(a_plugin_stands_on_the_rerun_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
