/* SPDX-License-Identifier: Apache-2.0 */
/* test_ab_command.c: `opmark ab` as a user meets it: two settings, two programs, what is wrong. */
#include "helpers/helper.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/comparison.h"
#include "compare/turns.h"

/* On virtual time; the fake's calls differ by ±0.2 %. */
#define FAKE "--provider fake --device fake:0 --cache warm --threads 1 --time 2ms --rounds 10 "

static void expect(const char *arguments, int code, const char *said)
{
    char *folder = helper_folder_create();
    helper_output output = helper_run(folder, "opmark ab %s", arguments);
    if (output.code != code ||
        (strstr(output.err, said) == NULL && strstr(output.out, said) == NULL))
        fail_msg("opmark ab %s: exit code %d, not %d, or no \"%s\" in:\n%s%s", arguments,
                 output.code, code, said, output.out, output.err);
    helper_output_release(&output);
    helper_folder_remove(folder);
}

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    expect("gemm m=1 n=1 k=1", 2, "--base, --head, or both");
    expect("--head X=1", 2, "name an operator");
    expect("--head X=1 gem m=1 n=1 k=1", 2, "did you mean gemm?");
    expect("--head ./none gemm m=1 n=1 k=1", 2, "./none is no file");
    expect("--head ./none.so gemm m=1 n=1 k=1", 2, "./none.so is no file");
    expect("--head /etc/passwd gemm m=1 n=1 k=1", 2, "/etc/passwd is no program");
    expect("--head X=1 gemm m=1 n=1 k=1 --out .. -n 4 --launches 1001", 2, "4 to 1000");
    expect("--selftest --head X=1 gemm m=1 n=1 k=1", 2, "sides of its own");
    expect("--head X=1 gemm m=1 n=1 k=1 --launches 3", 2, "--launches 3: 4 to 1000");
    expect("--head X=1 gemm m=1 n=1 k=1 --launches 7 --no-control", 2, "--launches 7: 8 to 1000");
    expect("--head X=1 gemm m=1 n=1 k=1 --time never", 2, "duration");
    expect("--head X=1 gemm m=1 n=1 k=1 --floor x", 2, "--floor");
    expect("--head X=1 gemm m=1 n=1 k=1 --out /proc/none", 3, "/proc/none");
    expect("--head X=1 gemm m=1 n=1 k=1 --out a,b", 2, "comma");
    expect("--head /bin/false gemm m=1 n=1 k=1 " FAKE "--base /bin/false -q", 3,
           "/bin/false: launch 1");
}

static void equal_sides_are_the_same(void **state)
{
    (void)state;
    char *folder = helper_folder_create();
    helper_output o =
        helper_run(folder, "opmark ab --head OPMARK_FAKE_PERCENT=0 gemm m=4,8 n=4 k=4 " FAKE
                           "--no-control --all --order-seed 7 -q");
    if (o.code != 0 || strstr(o.out, "2 rows compared: 0 slower, 0 faster, 2 same") == NULL)
        fail_msg("%d %s%s", o.code, o.out, o.err);
    assert_null(strstr(o.out, "base against base"));
    helper_output_release(&o);
    o = helper_run(folder, "opmark gate opmark-ab/base opmark-ab/head");
    assert_int_equal(o.code, 0);
    helper_output_release(&o);
    helper_folder_remove(folder);
}

/* Rows of several suites keep their names, the second look measures the suspicious ones, and a
 * comparison of the folders says the same again. */
static void a_slower_side_is_found(void **state)
{
    (void)state;
    char *folder = helper_folder_create();
    char path[600];
    om_record_set set = {0};
    size_t looks[3] = {0};
    snprintf(path, sizeof path, "%s/a.wl", folder);
    helper_file_write(path, "gemm name=\"x, y\" m=4 n=4 k=4\ngemm name=z m=5 n=4 k=4\n");
    snprintf(path, sizeof path, "%s/b.wl", folder);
    helper_file_write(path, "gemm name=z m=5 n=4 k=4\n");
    helper_output o = helper_run(
        folder, "opmark ab --head OPMARK_FAKE_PERCENT=5 -s a.wl -s b.wl --out r " FAKE "-q");
    if (o.code != 0 || strstr(o.out, "3 rows compared: 3 slower, 0 faster") == NULL)
        fail_msg("%d %s%s", o.code, o.out, o.err);
    helper_output_release(&o);
    snprintf(path, sizeof path, "%s/r/head", folder);
    assert_int_equal(om__records_read(path, false, &set, NULL), OM_OK);
    for (size_t i = 0; i < set.count; i++) {
        if (strcmp(set.items[i].metric.name, "time") != 0)
            continue;
        for (unsigned look = 0; look < 3; look++)
            looks[look] += strcmp(om__pairs_find(&set.items[i].evidence, OM_TURNS_LOOK),
                                  om__turns_look_name(look)) == 0;
    }
    assert_int_equal(looks[0], 3 * 5);
    assert_int_equal(looks[1], 3 * 10);
    assert_int_equal(looks[2], 0); /* one part decides */
    om__record_set_release(&set);
    o = helper_run(folder, "opmark compare r/base r/head");
    assert_int_equal(o.code, 0);
    assert_non_null(strstr(o.out, "3 rows compared: 3 slower, 0 faster"));
    assert_non_null(strstr(o.out, "measured in turns"));
    assert_non_null(strstr(o.out, "base against base: 0 alarms in 3 rows"));
    assert_non_null(strstr(o.out, "OPMARK_FAKE_PERCENT=5"));
    helper_output_release(&o);
    o = helper_run(folder, "ls r");
    assert_string_equal(o.out, "base\nhead\n");
    helper_output_release(&o);
    o = helper_run(folder, "opmark ab --head X=5 gemm m=4 n=4 k=4 --out r " FAKE);
    assert_int_equal(o.code, 2);
    assert_non_null(strstr(o.err, "is there already, as after an A/B run"));
    helper_output_release(&o);
    helper_folder_remove(folder);
}

/* What others left in a folder of ours is not ours, and a run that failed leaves nothing. */
static void folders_of_others_are_left_alone(void **state)
{
    (void)state;
    char *folder = helper_folder_create();
    helper_output o = helper_run(folder, "mkdir -p o/launch && echo x > o/launch/records.jsonl && "
                                         "opmark ab --head X=1 gemm m=4 n=4 k=4 --out o " FAKE);
    assert_int_equal(o.code, 2);
    assert_non_null(strstr(o.err, "o/launch is there already"));
    helper_output_release(&o);
    o = helper_run(
        folder,
        "cat o/launch/records.jsonl; opmark ab --base /bin/true --head /bin/true --out p gemm "
        "m=4 n=4 k=4 -q " FAKE "; ls -d p/* | wc -l");
    assert_string_equal(o.out, "x\n0\n");
    helper_output_release(&o);
    helper_folder_remove(folder);
}

/* Small rows and little time: what this machine sees of the delays is its own business, but every
 * row is counted, and the verdict on the machine is the exit code. */
static void selftest_counts_every_row(void **state)
{
    (void)state;
    char *folder = helper_folder_create();
    helper_output o = helper_run(folder, "opmark ab --selftest gemm m=8,9,10,11,12,13 n=64 k=64 "
                                         "--threads 1 --time 5ms -q");
    size_t rows = 0, lines = 0, fit = strstr(o.out, "\nfit: ") != NULL;
    for (const char *at = o.out; (at = strchr(at, '\n')) != NULL; at++) {
        size_t n;
        if (sscanf(at, "\nnothing %zu", &n) == 1 || sscanf(at, "\n±%*d %% %zu", &n) == 1) {
            rows += n;
            lines++;
        }
    }
    if (rows != 6 || lines < 2 || o.code != (fit ? 0 : 1) ||
        strstr(o.out, "base against base: ") == NULL)
        fail_msg("%d %s%s", o.code, o.out, o.err);
    helper_output_release(&o);
    helper_folder_remove(folder);
}

/* An interrupted run keeps its launches, and says that it has no verdict. */
static void interrupted_is_unclear(void **state)
{
    (void)state;
    char *folder = helper_folder_create();
    helper_output o = helper_run(
        folder,
        "sh -c 'opmark ab --head X=1 gemm m=4 n=4 k=4 --provider fake_slow --threads 1 "
        "--time 200ms -q >out 2>err & pid=$!; until [ -s opmark-ab/base/records.jsonl ] && [ -s "
        "opmark-ab/head/records.jsonl ]; do sleep 0.1; done; kill -INT $pid; wait $pid; "
        "echo code $?'; cat out");
    helper_output gate = helper_run(folder, "opmark gate opmark-ab/base opmark-ab/head");
    assert_int_equal(gate.code, 1);
    assert_non_null(strstr(gate.out, "A/B run cut off"));
    helper_output_release(&gate);
    if (strstr(o.out, "code 130") == NULL ||
        strstr(o.out, "the first look was not finished") == NULL)
        fail_msg("%s%s", o.out, o.err);
    helper_output_release(&o);
    helper_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_wrong_is_said),
        cmocka_unit_test(equal_sides_are_the_same),
        cmocka_unit_test(a_slower_side_is_found),
        cmocka_unit_test(folders_of_others_are_left_alone),
        cmocka_unit_test(selftest_counts_every_row),
        cmocka_unit_test(interrupted_is_unclear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
