/* SPDX-License-Identifier: Apache-2.0 */
/* test_store_command.c: `opmark store` from adding a file to checking it, and its exit codes. */
#include "helpers/helper.h"

#include <stdlib.h>
#include <string.h>

#ifdef OM_HAVE_SQLITE

#define ROW(name)                                                                                  \
    "{\"schema\":1,\"benchmark\":{\"suite\":\"s\",\"name\":\"" name                                \
    "\",\"op\":\"gemm\"},\"metric\":{\"name\":\"time\",\"unit\":\"ns\",\"better\":\"lower\"},"     \
    "\"subject\":{\"provider\":\"own\",\"role\":\"own\",\"commit\":\"abc123\"},"                   \
    "\"place\":{\"machine_class\":\"box\"},"                                                       \
    "\"when\":{\"started\":\"2026-11-30T10:00:00.000Z\",\"run\":\"r1\",\"launch\":0},"             \
    "\"samples\":[3,4,5],\"summary\":{\"n\":3,\"min\":3,\"median\":4},\"outcome\":\"ok\"}\n"

static void check(const char *folder, const char *arguments, int code, const char *part)
{
    helper_output output = helper_run(folder, "opmark store %s", arguments);
    if (output.code != code)
        fail_msg("store %s: exit %d: %s%s", arguments, output.code, output.out, output.err);
    if (strstr(output.out, part) == NULL && strstr(output.err, part) == NULL)
        fail_msg("store %s says: %s%s", arguments, output.out, output.err);
    helper_output_release(&output);
}

static void write_in(const char *folder, const char *name, const char *text)
{
    om_text path = {0};
    om__text_addf(&path, "%s/%s", folder, name);
    helper_file_write(path.data, text);
    om__text_release(&path);
}

static void test_from_adding_to_checking(void **state)
{
    (void)state;
    char *folder = helper_folder_create();
    write_in(folder, "a.jsonl", ROW("one") ROW("two"));
    write_in(folder, "b.jsonl", ROW("two") ROW("three") "{\"schema\":1,\"bench");
    check(folder, "add a.jsonl --store s.db", 0, "2 of 2 records added");
    check(folder, "add b.jsonl --store s.db", 0, "truncated after row 2");
    check(folder, "add b.jsonl --store s.db", 0, "0 of 2 records added, the others were there");
    check(folder, "list --store s.db", 0, "abc123");
    check(folder, "list commit=zzz --store s.db", 2, "0 of 3 records match commit=zzz");
    check(folder, "show since=zz --store s.db", 2, "write a date such as");
    check(folder, "show since=2026-1 --store s.db", 2, "write a date such as");
    check(folder, "show until=2026-13-01 --store s.db", 2, "write a date such as");
    check(folder, "show since=2000-01-01T00:00:00.000Z until=2100 --store s.db", 0, "one");
    check(folder, "show machine=BOX name=one --store s.db", 0, "one");
    check(folder, "show name=one -f jsonl --store s.db", 0, "\"samples\":[3,4,5]");
    check(folder, "gc --older-than 2026-12-01 --store s.db", 0, "3 records");
    check(folder, "show name=one -f jsonl --store s.db", 0, "\"samples\":[]");
    check(folder, "check --store s.db", 0, "3 records, all sound");
    helper_folder_remove(folder);
}

static void test_faults(void **state)
{
    (void)state;
    char *folder = helper_folder_create();
    write_in(folder, "no.db",
             "this is no database, though it is long enough to be looked at for "
             "one: a hundred bytes at least are needed to be taken seriously");
    write_in(folder, "bad.jsonl", ROW("one") "oops\n" ROW("two"));
    check(folder, "", 2, "add, list, show, gc or check");
    check(folder, "lst", 2, "did you mean store list?");
    check(folder, "add --store s.db", 2, "name record files");
    check(folder, "add missing.jsonl --store s.db", 2, "missing.jsonl");
    check(folder, "add bad.jsonl --store s.db", 2, "bad.jsonl:2:");
    check(folder, "add bad.jsonl --lenient --store s.db", 0, "2 of 2 records added");
    write_in(folder, "g.json",
             "{\"context\":{\"date\":\"2026-11-30\"},\"benchmarks\":["
             "{\"name\":\"BM/n:8\",\"real_time\":5},{\"name\":\"BM/n:64\",\"real_time\":7}]}");
    check(folder, "add g.json --store s.db", 2, "another tool (google-benchmark)");
    check(folder, "add g.json --store s.db", 2, "opmark import g.json");
    helper_output import = helper_run(folder, "opmark import g.json --store g.db");
    assert_int_equal(import.code, 0);
    helper_output_release(&import);
    check(folder, "show --store g.db", 0, "BM n=8");
    check(folder, "show --store g.db", 0, "BM n=64");
    check(folder, "gc --store s.db", 2, "--older-than");
    check(folder, "gc --older-than soon --store s.db", 2, "soon");
    check(folder, "list --store none.db", 3, "none.db: there is no store");
    check(folder, "list --store no.db", 3, "no.db: is no store");
    check(folder, "check --store no.db", 1, "no.db: is no store");
    check(folder, "add a.jsonl --store /nonexistent/s.db", 3, "/nonexistent/s.db");
    helper_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_from_adding_to_checking),
        cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void test_absence_is_told(void **state)
{
    (void)state;
    helper_output output = helper_run(NULL, "opmark store list --store s.db");
    assert_int_equal(output.code, 3);
    assert_non_null(strstr(output.err, "libsqlite3-dev"));
    helper_output_release(&output);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_absence_is_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
