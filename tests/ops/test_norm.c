/* SPDX-License-Identifier: Apache-2.0 */
/* test_norm.c: layernorm and the backward passes of both norms, by hand and by differences. */
#include "helpers/op_case.h"

#include <math.h>
#include <string.h>

/* x = [1 3]: mean 2, variance 1. */
static void layernorm_centres_and_scales(void **state)
{
    (void)state;
    op_case c = op_case_create("layernorm", NULL, "m=2 h=2 dtype=f32");
    op_case_set(&c, "x", 1, 3, 5, 5);
    op_case_set(&c, "gamma", 2, 10);
    op_case_set(&c, "beta", 0.5, 0);
    op_case_reference(&c);
    op_case_expect(&c, "mean", 0, 2, 5);
    op_case_expect(&c, "rstd", 1e-3, 1, 1 / sqrt(1e-5)); /* 316.2 */
    op_case_expect(&c, "y", 1e-4, -1.5, 10, 0.5, 0);
    op_case_release(&c);
}

static void eps_is_read(void **state)
{
    (void)state;
    op_case c = op_case_create("layernorm", NULL, "m=1 h=2 dtype=f32 eps=3");
    op_case_set(&c, "x", 1, 3);
    op_case_reference(&c);
    op_case_expect(&c, "rstd", 1e-7, 0.5);
    op_case_release(&c);
}

/* rstd = 1/2, xh = [1 0], c = [3 1]: grad_x = 1/2 · (c - xh · mean(3, 0)). */
static void rmsnorm_gradients_by_hand(void **state)
{
    (void)state;
    op_case c = op_case_create("rmsnorm", "backward", "m=1 h=2 dtype=f32");
    op_case_set(&c, "x", 2, 0);
    op_case_set(&c, "gamma", 3, 0.5);
    op_case_set(&c, "rstd", 0.5);
    op_case_set(&c, "grad_y", 1, 2);
    op_case_reference(&c);
    op_case_expect(&c, "grad_x", 1e-7, 0.5 * (3 - 1.5), 0.5);
    op_case_expect(&c, "grad_gamma", 0, 1, 0);
    op_case_release(&c);
}

/* x = [1 3], mean 2, rstd 1: xh = [-1 1], c = grad_y = [4 2]: grad_x = c - 3 - xh · (-1). */
static void layernorm_gradients_by_hand(void **state)
{
    (void)state;
    op_case c = op_case_create("layernorm", "backward", "m=1 h=2 dtype=f32");
    op_case_set(&c, "x", 1, 3);
    op_case_set(&c, "gamma", 1, 1);
    op_case_set(&c, "mean", 2);
    op_case_set(&c, "rstd", 1);
    op_case_set(&c, "grad_y", 4, 2);
    op_case_reference(&c);
    op_case_expect(&c, "grad_x", 1e-7, 4 - 3 - 1, 2 - 3 + 1);
    op_case_expect(&c, "grad_gamma", 0, -4, 2);
    op_case_expect(&c, "grad_beta", 0, 4, 2);
    op_case_release(&c);
}

static void copy(op_case *to, const op_case *from, const char *port)
{
    assert_int_equal(op_case_count(to, port), op_case_count(from, port));
    memcpy(op_case_data(to, port), op_case_data(from, port), (size_t)op_case_count(from, port) * 4);
}

static void gradients_equal_finite_differences(void **state)
{
    (void)state;
    const char *names[] = {"rmsnorm", "layernorm"};
    for (int i = 0; i < 2; i++) {
        op_case forward = op_case_create(names[i], NULL, "m=3 h=5 dtype=f32");
        op_case back = op_case_create(names[i], "backward", "m=3 h=5 dtype=f32");
        copy(&back, &forward, "x");
        copy(&back, &forward, "gamma");
        op_case_reference(&forward);
        copy(&back, &forward, "rstd");
        if (i == 1)
            copy(&back, &forward, "mean");
        op_case_reference(&back);
        op_case_expect_gradient(&back, "grad_x", &forward, "x", "y", "grad_y");
        op_case_expect_gradient(&back, "grad_gamma", &forward, "gamma", "y", "grad_y");
        if (i == 1)
            op_case_expect_gradient(&back, "grad_beta", &forward, "beta", "y", "grad_y");
        op_case_release(&back);
        op_case_release(&forward);
    }
}

static void drawn_statistics_are_those_of_x(void **state)
{
    (void)state;
    op_case c = op_case_create("layernorm", "backward", "m=4 h=64 dtype=f32");
    for (int64_t row = 0; row < 4; row++) {
        double mean = 0, squares = 0;
        for (int64_t j = 0; j < 64; j++)
            mean += op_case_get(&c, "x", row * 64 + j) / 64;
        for (int64_t j = 0; j < 64; j++)
            squares += pow(op_case_get(&c, "x", row * 64 + j) - mean, 2) / 64;
        assert_true(fabs(op_case_get(&c, "mean", row) - mean) < 1e-6);
        assert_true(fabs(op_case_get(&c, "rstd", row) - 1 / sqrt(squares + 1e-5)) < 1e-5);
    }
    op_case_release(&c);
}

static void no_rows_give_zero_gradients(void **state)
{
    (void)state;
    op_case c = op_case_create("layernorm", "backward", "m=0 h=2 dtype=f32");
    op_case_reference(&c);
    op_case_expect(&c, "grad_gamma", 0, 0, 0);
    op_case_expect(&c, "grad_beta", 0, 0, 0);
    op_case_release(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layernorm_centres_and_scales),
        cmocka_unit_test(eps_is_read),
        cmocka_unit_test(rmsnorm_gradients_by_hand),
        cmocka_unit_test(layernorm_gradients_by_hand),
        cmocka_unit_test(gradients_equal_finite_differences),
        cmocka_unit_test(drawn_statistics_are_those_of_x),
        cmocka_unit_test(no_rows_give_zero_gradients),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
