/* SPDX-License-Identifier: Apache-2.0 */
/* test_gpu_facts.c: facts about GPUs are told on any machine, each with a reason where one is
 * missing. */
#include <stdio.h>
#include <string.h>

#include "bench/gpu_facts.h"
#include "helpers/helper.h"

static void test_facts_on_this_machine(void **state)
{
    om_fact facts[OM_GPU_FACTS_MOST];
    om_error error = {0};
    size_t count = 0;
    (void)state;
    assert_int_equal(om__gpu_facts(NULL, NULL, facts, &count, &error), OM_OK);
    assert_true(count >= 1);
    for (size_t i = 0; i < count; i++) {
        printf("%s: %d %s\n", facts[i].name, facts[i].state, facts[i].text);
        assert_true(facts[i].name[0] != '\0' && facts[i].text[0] != '\0');
    }
    assert_string_equal(facts[0].name, "kernels");
}

static void test_a_folder_without_the_objects(void **state)
{
    om_fact facts[OM_GPU_FACTS_MOST];
    om_error error = {0};
    size_t count = 0;
    (void)state;
    assert_int_equal(om__gpu_facts("/nowhere", NULL, facts, &count, &error), OM_OK);
    assert_int_equal(count, 1);
    assert_int_equal(facts[0].state, OM_FACT_MISSING);
    assert_non_null(strstr(facts[0].text, "/nowhere"));
    assert_non_null(strstr(facts[0].text, "nvcc"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_facts_on_this_machine),
        cmocka_unit_test(test_a_folder_without_the_objects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
