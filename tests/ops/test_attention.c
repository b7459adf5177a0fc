/* SPDX-License-Identifier: Apache-2.0 */
/* test_attention.c: attention by hand, its properties, and its gradients. */
#include "helpers/op_case.h"

#include <math.h>
#include <string.h>

/* Scores 0 and ln 3 (scale 1): probabilities 1/4 and 3/4, lse = ln 4. */
static void probabilities_weigh_the_values(void **state)
{
    (void)state;
    op_case c = op_case_create("attention", NULL, "s=2 hq=1 d=1 dtype=f32 scale=1");
    op_case_set(&c, "q", 1, 0);
    op_case_set(&c, "k", 0, log(3));
    op_case_set(&c, "v", 4, 8);
    op_case_reference(&c);
    op_case_expect(&c, "o", 1e-6, 7, 6);
    op_case_expect(&c, "lse", 1e-6, log(4), log(2));
    op_case_release(&c);
}

static void causal_hides_later_keys(void **state)
{
    (void)state;
    op_case c = op_case_create("attention", NULL, "s=2 hq=1 d=1 dtype=f32 scale=1 causal=1");
    op_case_set(&c, "q", 1, 0);
    op_case_set(&c, "k", 0, 100);
    op_case_set(&c, "v", 4, 8);
    op_case_reference(&c);
    op_case_expect(&c, "o", 0, 4, 6);
    op_case_expect(&c, "lse", 1e-6, 0, log(2));
    op_case_release(&c);
}

/* Scores far beyond the range of exp, equal for both keys. */
static void large_scores_do_not_overflow(void **state)
{
    (void)state;
    op_case c = op_case_create("attention", NULL, "s=2 hq=1 d=1 dtype=f32 scale=1");
    op_case_set(&c, "q", 1000, -1000);
    op_case_set(&c, "k", 1000, 1000);
    op_case_set(&c, "v", 1, 3);
    op_case_reference(&c);
    op_case_expect(&c, "o", 1e-6, 2, 2);
    op_case_expect(&c, "lse", 0.1, 1e6 + log(2), -1e6 + log(2));
    op_case_release(&c);
}

static void the_standard_scale_is_one_over_root_d(void **state)
{
    (void)state;
    op_case c = op_case_create("attention", NULL, "s=1 hq=1 d=4 dtype=f32");
    op_case_set(&c, "q", 1, 2, 3, 4);
    op_case_set(&c, "k", 1, 1, 1, 1);
    op_case_reference(&c);
    op_case_expect(&c, "lse", 1e-6, 5);
    op_case_release(&c);
}

static void one_key_returns_its_value(void **state)
{
    (void)state;
    op_case c = op_case_create("attention", NULL, "b=3 s=1 hq=4 hkv=2 d=8");
    op_case_reference(&c);
    const uint16_t *o = op_case_data(&c, "o"), *v = op_case_data(&c, "v");
    for (int b = 0; b < 3; b++)
        for (int h = 0; h < 4; h++)
            assert_memory_equal(o + (b * 4 + h) * 8, v + (b * 2 + h / 2) * 8, 16);
    op_case_release(&c);
}

/* One more key head than needed each: equal heads give what grouping gives. */
static void groups_share_a_key_head(void **state)
{
    (void)state;
    op_case few = op_case_create("attention", NULL, "b=2 s=5 hq=4 hkv=2 d=3 dtype=f32 causal=1");
    op_case many = op_case_create("attention", NULL, "b=2 s=5 hq=4 d=3 dtype=f32 causal=1");
    memcpy(op_case_data(&many, "q"), op_case_data(&few, "q"), 2 * 5 * 4 * 3 * 4);
    const char *names[] = {"k", "v"};
    for (int i = 0; i < 2; i++) {
        const float *from = op_case_data(&few, names[i]);
        float *to = op_case_data(&many, names[i]);
        for (int row = 0; row < 10; row++)
            for (int h = 0; h < 4; h++)
                memcpy(to + (row * 4 + h) * 3, from + (row * 2 + h / 2) * 3, 12);
    }
    op_case_reference(&few);
    op_case_reference(&many);
    assert_memory_equal(op_case_data(&few, "o"), op_case_data(&many, "o"), 2 * 5 * 4 * 3 * 4);
    assert_memory_equal(op_case_data(&few, "lse"), op_case_data(&many, "lse"), 2 * 5 * 4 * 4);
    op_case_release(&many);
    op_case_release(&few);
}

/* p = 1/4, 3/4; grad_o = 1 for the first query, 0 for the second; o = 7: delta = 7. grad_v = p;
 * ds = p · (v - 7) = -3/4, 3/4; grad_q = ds · k; grad_k = ds · q. */
static void gradients_by_hand(void **state)
{
    (void)state;
    op_case c = op_case_create("attention", "backward", "s=2 hq=1 d=1 dtype=f32 scale=1");
    op_case_set(&c, "q", 1, 0);
    op_case_set(&c, "k", 0, log(3));
    op_case_set(&c, "v", 4, 8);
    op_case_set(&c, "o", 7, 6);
    op_case_set(&c, "lse", log(4), log(2));
    op_case_set(&c, "grad_o", 1, 0);
    op_case_reference(&c);
    op_case_expect(&c, "grad_v", 1e-6, 0.25, 0.75);
    op_case_expect(&c, "grad_q", 1e-6, 0.75 * log(3), 0);
    op_case_expect(&c, "grad_k", 1e-6, -0.75, 0.75);
    op_case_release(&c);
}

static void gradients_equal_finite_differences(void **state)
{
    (void)state;
    const char *shapes[] = {"b=2 s=4 hq=4 hkv=2 d=3 dtype=f32 causal=1",
                            "s=5 hq=2 d=2 dtype=f32 scale=0.7"};
    for (int i = 0; i < 2; i++) {
        op_case forward = op_case_create("attention", NULL, shapes[i]);
        op_case back = op_case_create("attention", "backward", shapes[i]);
        const char *inputs[] = {"q", "k", "v"};
        for (int j = 0; j < 3; j++)
            memcpy(op_case_data(&back, inputs[j]), op_case_data(&forward, inputs[j]),
                   (size_t)op_case_count(&back, inputs[j]) * 4);
        op_case_reference(&forward);
        memcpy(op_case_data(&back, "o"), op_case_data(&forward, "o"),
               (size_t)op_case_count(&back, "o") * 4);
        memcpy(op_case_data(&back, "lse"), op_case_data(&forward, "lse"),
               (size_t)op_case_count(&back, "lse") * 4);
        op_case_reference(&back);
        op_case_expect_gradient(&back, "grad_q", &forward, "q", "o", "grad_o");
        op_case_expect_gradient(&back, "grad_k", &forward, "k", "o", "grad_o");
        op_case_expect_gradient(&back, "grad_v", &forward, "v", "o", "grad_o");
        op_case_release(&back);
        op_case_release(&forward);
    }
}

/* o and lse drawn for the backward pass are those of the forward pass over the same inputs. */
static void drawn_statistics_are_those_of_the_forward_pass(void **state)
{
    (void)state;
    op_case back = op_case_create("attention", "backward", "b=2 s=7 hq=4 hkv=2 d=8 causal=1");
    op_case forward = op_case_create("attention", NULL, "b=2 s=7 hq=4 hkv=2 d=8 causal=1");
    op_case_reference(&forward);
    assert_memory_equal(op_case_data(&back, "q"), op_case_data(&forward, "q"), 2 * 7 * 4 * 8 * 2);
    assert_memory_equal(op_case_data(&back, "o"), op_case_data(&forward, "o"), 2 * 7 * 4 * 8 * 2);
    assert_memory_equal(op_case_data(&back, "lse"), op_case_data(&forward, "lse"), 2 * 4 * 7 * 4);
    op_case_release(&forward);
    op_case_release(&back);
}

static void heads_must_divide(void **state)
{
    (void)state;
    char args[OM_MAX_ARGS_SIZE];
    om_error err;
    assert_int_equal(op_case_parse("attention", NULL, "s=1 hq=3 hkv=2 d=8", args, &err),
                     OM_INVALID);
    assert_non_null(strstr(err.text, "multiple"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(probabilities_weigh_the_values),
        cmocka_unit_test(causal_hides_later_keys),
        cmocka_unit_test(large_scores_do_not_overflow),
        cmocka_unit_test(the_standard_scale_is_one_over_root_d),
        cmocka_unit_test(one_key_returns_its_value),
        cmocka_unit_test(groups_share_a_key_head),
        cmocka_unit_test(gradients_by_hand),
        cmocka_unit_test(gradients_equal_finite_differences),
        cmocka_unit_test(drawn_statistics_are_those_of_the_forward_pass),
        cmocka_unit_test(heads_must_divide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
