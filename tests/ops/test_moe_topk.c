/* SPDX-License-Identifier: Apache-2.0 */
/* test_moe_topk.c: routing by hand: scores, order, ties, NaN, bias, near ties. */
#include "helpers/op_case.h"

#include <math.h>
#include <string.h>

#include "opmark/moe_topk.h"

/* exp(0) = 1, exp(ln 2) = 2, exp(ln 5) = 5: the softmax weights are eighths. */
static void softmax_weights_are_shares(void **state)
{
    (void)state;
    op_case c = op_case_create("moe_topk", NULL, "t=1 e=3 k=2 dtype=f32");
    op_case_set(&c, "gating", log(2), log(5), 0);
    op_case_reference(&c);
    op_case_expect(&c, "ids", 0, 1, 0);
    op_case_expect(&c, "weights", 1e-6, 5.0 / 8, 2.0 / 8);
    op_case_release(&c);
}

static void renormalised_weights_add_up_and_are_scaled(void **state)
{
    (void)state;
    op_case c = op_case_create("moe_topk", NULL,
                               "t=1 e=3 k=2 dtype=f32 renormalize=1 routed_scaling_factor=2.5");
    op_case_set(&c, "gating", log(2), log(5), 0);
    op_case_reference(&c);
    op_case_expect(&c, "weights", 1e-6, 2.5 * 5 / 7, 2.5 * 2 / 7);
    op_case_release(&c);
}

/* sigmoid(0) = 1/2, sigmoid(ln 3) = 3/4, sigmoid(-ln 3) = 1/4. */
static void sigmoid_scores_each_logit(void **state)
{
    (void)state;
    op_case c = op_case_create("moe_topk", NULL, "t=1 e=3 k=3 dtype=f32 score=sigmoid");
    op_case_set(&c, "gating", 0, log(3), -log(3));
    op_case_reference(&c);
    op_case_expect(&c, "ids", 0, 1, 0, 2);
    op_case_expect(&c, "weights", 1e-6, 0.75, 0.5, 0.25);
    op_case_release(&c);
}

/* Sigmoids that are both 1 in f32 are still ordered by their logits. */
static void order_goes_by_logit_where_scores_saturate(void **state)
{
    (void)state;
    op_case c = op_case_create("moe_topk", NULL, "t=1 e=3 k=2 score=sigmoid");
    op_case_set(&c, "gating", 40, 60, 50);
    op_case_reference(&c);
    op_case_expect(&c, "ids", 0, 1, 2);
    op_case_expect(&c, "weights", 0, 1, 1);
    op_case_release(&c);
}

static void equal_logits_go_to_the_lower_id(void **state)
{
    (void)state;
    op_case c = op_case_create("moe_topk", NULL, "t=2 e=5 k=3");
    op_case_set(&c, "gating", 1, 2, 2, 1, 2, 0, -0.0, 0, -0.0, 0);
    op_case_reference(&c);
    op_case_expect(&c, "ids", 0, 1, 2, 4, 0, 1, 2);
    op_case_release(&c);
}

static void nan_orders_last_and_spoils_a_softmax(void **state)
{
    (void)state;
    op_case c = op_case_create("moe_topk", NULL, "t=1 e=4 k=4 dtype=f32");
    op_case_set(&c, "gating", NAN, 1, NAN, -INFINITY);
    op_case_reference(&c);
    op_case_expect(&c, "ids", 0, 1, 3, 0, 2);
    op_case_expect(&c, "weights", 0, NAN, NAN, NAN, NAN);
    op_case_release(&c);

    c = op_case_create("moe_topk", NULL, "t=1 e=4 k=4 dtype=f32 score=sigmoid");
    op_case_set(&c, "gating", NAN, 0, NAN, -INFINITY);
    op_case_reference(&c);
    op_case_expect(&c, "ids", 0, 1, 3, 0, 2);
    op_case_expect(&c, "weights", 1e-7, 0.5, 0, NAN, NAN);
    op_case_release(&c);
}

/* The bias lifts expert 2 over expert 0; its weight stays the unbiased sigmoid. */
static void bias_selects_but_does_not_weigh(void **state)
{
    (void)state;
    op_case c = op_case_create("moe_topk", NULL, "t=1 e=3 k=2 dtype=f32 score=sigmoid has_bias=1");
    op_case_set(&c, "gating", 0, log(3), -log(3));
    op_case_set(&c, "bias", 0, 0, 1);
    op_case_reference(&c);
    op_case_expect(&c, "ids", 0, 2, 1);
    op_case_expect(&c, "weights", 1e-6, 0.25, 0.75);
    op_case_release(&c);
}

static op_case near_tie(void)
{
    op_case c = op_case_create("moe_topk", NULL, "t=1 e=3 k=2 dtype=f32 score=sigmoid has_bias=1");
    op_case_set(&c, "gating", 0, 0, -1);
    op_case_set(&c, "bias", 0x1p-24, 0, 0.5); /* 0.5 + 2^-24 and 0.5 are f32 neighbours */
    return c;
}

/* Only one of the near pair fits beside expert 2: either is right, expert 2 is not replaceable. */
static void near_ties_may_change_places(void **state)
{
    (void)state;
    op_case want = near_tie(), got = near_tie();
    op_case_reference(&want);
    op_case_expect(&want, "ids", 0, 2, 0);
    op_case_set(&got, "ids", 2, 1);
    op_case_set(&got, "weights", 1 / (1 + exp(1)), 0.5);
    assert_true(op_case_judge(&got, &want).passed);
    op_case_set(&got, "ids", 1, 2); /* 0.5 is not near 0.769 */
    op_case_set(&got, "weights", 0.5, 1 / (1 + exp(1)));
    assert_false(op_case_judge(&got, &want).passed);
    op_case_set(&got, "ids", 2, 2);
    assert_false(op_case_judge(&got, &want).passed);
    op_case_set(&got, "ids", 2, 7);
    assert_false(op_case_judge(&got, &want).passed);
    op_case_set(&got, "ids", 2, 1);
    op_case_set(&got, "weights", 1 / (1 + exp(1)), 0.51); /* right id, wrong weight */
    assert_false(op_case_judge(&got, &want).passed);
    op_case_release(&got);
    op_case_release(&want);
}

/* Without a bias even the closest logits have one right order. */
static void no_bias_leaves_no_freedom(void **state)
{
    (void)state;
    op_case want = op_case_create("moe_topk", NULL, "t=1 e=2 k=1 dtype=f32 score=sigmoid");
    op_case got = op_case_create("moe_topk", NULL, "t=1 e=2 k=1 dtype=f32 score=sigmoid");
    op_case_set(&want, "gating", 1, 1 + 0x1p-23);
    op_case_set(&got, "gating", 1, 1 + 0x1p-23);
    op_case_reference(&want);
    op_case_reference(&got);
    assert_true(op_case_judge(&got, &want).passed);
    op_case_set(&got, "ids", 0);
    assert_false(op_case_judge(&got, &want).passed);
    op_case_release(&got);
    op_case_release(&want);
}

static void samples_match_the_whole(void **state)
{
    (void)state;
    op_case c = op_case_create("moe_topk", NULL, "t=20 e=16 k=4 score=sigmoid has_bias=1");
    op_case_expect_sampling(&c, NULL);
    op_case_release(&c);
    c = op_case_create("moe_topk", NULL, "t=0 e=16 k=4");
    op_case_reference(&c);
    op_case_release(&c);
}

static void bad_parameters_are_refused(void **state)
{
    (void)state;
    om_moe_topk_args args;
    om_error err;
    assert_int_equal(op_case_parse("moe_topk", NULL, "t=1 e=4 k=5", &args, &err), OM_INVALID);
    assert_non_null(strstr(err.text, "k is 5"));
    assert_int_equal(op_case_parse("moe_topk", NULL, "t=1 e=4 k=2 has_bias=1", &args, &err),
                     OM_INVALID);
    assert_int_equal(op_case_parse("moe_topk", NULL, "t=1 e=4 k=2 dtype=e4m3", &args, &err),
                     OM_INVALID);
    assert_int_equal(op_case_parse("moe_topk", NULL, "t=-1 e=4 k=2", &args, &err), OM_INVALID);
    assert_int_equal(op_case_parse("moe_topk", NULL, "t=1 e=4 k=0", &args, &err), OM_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(softmax_weights_are_shares),
        cmocka_unit_test(renormalised_weights_add_up_and_are_scaled),
        cmocka_unit_test(sigmoid_scores_each_logit),
        cmocka_unit_test(order_goes_by_logit_where_scores_saturate),
        cmocka_unit_test(equal_logits_go_to_the_lower_id),
        cmocka_unit_test(nan_orders_last_and_spoils_a_softmax),
        cmocka_unit_test(bias_selects_but_does_not_weigh),
        cmocka_unit_test(near_ties_may_change_places),
        cmocka_unit_test(no_bias_leaves_no_freedom),
        cmocka_unit_test(samples_match_the_whole),
        cmocka_unit_test(bad_parameters_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
