/* SPDX-License-Identifier: Apache-2.0 */
/* test_doctor.c: what `opmark doctor` says, and its exit codes. */
#include "helpers/helper.h"

#include <stdlib.h>
#include <string.h>

#include "cli/doctor.h"

static const char *find(const om_findings *findings, const char *area, om_finding_kind kind)
{
    for (size_t i = 0; i < findings->count; i++)
        if (strcmp(findings->items[i].area, area) == 0 && findings->items[i].kind == kind)
            return findings->items[i].text;
    return NULL;
}

static void findings_are_cut_never_overrun(void **state)
{
    (void)state;
    om_findings findings = {0};
    char longest[1000];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    for (int i = 0; i < 100; i++)
        om__finding_add(&findings, OM_FINDING_FACT, longest, longest, "%s", longest);
    assert_int_equal(findings.count, 100);
    assert_int_equal(strlen(findings.items[99].text), sizeof findings.items[99].text - 1);
    free(findings.items);
}

static void the_machine_is_described(void **state)
{
    (void)state;
    om_findings findings = {0};
    om__doctor_build(&findings);
    om__doctor_processor(&findings);
    om__doctor_clock(&findings);
    assert_non_null(find(&findings, "opmark", OM_FINDING_FACT));
    assert_non_null(find(&findings, "processor", OM_FINDING_FACT));
    assert_non_null(find(&findings, "processors", OM_FINDING_FACT));
    free(findings.items);
}

/* A busy processor is seen, with the process that is busy. */
static void a_busy_neighbour_is_named(void **state)
{
    (void)state;
    helper_output o =
        helper_run(NULL, "sh -c 'while :; do :; done' & a=$!; sh -c 'while :; do :; done' & b=$!; "
                         "opmark doctor; code=$?; kill $a $b; exit $code");
    assert_int_equal(o.code, 1);
    assert_non_null(strstr(o.out, "spoils"));
    assert_non_null(strstr(o.out, "other processes had"));
    assert_non_null(strstr(o.out, "Not fit to measure now"));
    helper_output_release(&o);
}

static void json_says_the_same(void **state)
{
    (void)state;
    if (system("python3 -c pass >/dev/null 2>&1") != 0)
        skip_because("no python3");
    helper_output o =
        helper_run(NULL, "opmark doctor --json >d.json; code=$?; python3 -c 'import json, sys; d = "
                         "json.load(open(\"d.json\")); print(d[\"exit_code\"] == int(sys.argv[1]), "
                         "len(d[\"findings\"]) > 8)' $code; rm d.json");
    assert_string_equal(o.out, "True True\n");
    helper_output_release(&o);
}

static void a_torn_installation_is_code_3(void **state)
{
    (void)state;
    char *folder = helper_folder_create();
    helper_output o = helper_run(folder, "cp '%s/opmark' . && ./opmark doctor", OM_BUILD_DIR);
    assert_int_equal(o.code, 3);
    assert_non_null(strstr(o.out, "missing"));
    assert_non_null(strstr(o.out, "make install"));
    helper_output_release(&o);
    helper_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(findings_are_cut_never_overrun),
        cmocka_unit_test(the_machine_is_described),
        cmocka_unit_test(a_busy_neighbour_is_named),
        cmocka_unit_test(json_says_the_same),
        cmocka_unit_test(a_torn_installation_is_code_3),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
