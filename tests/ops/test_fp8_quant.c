/* SPDX-License-Identifier: Apache-2.0 */
/* test_fp8_quant.c: fp8_quant and lightning_indexer by hand. */
#include "helpers/op_case.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/convert.h"

/* amax 448·2 gives the scale 2; a row of zeros has the smallest scale. */
static void rows_have_scales_of_their_own(void **state)
{
    (void)state;
    op_case c = op_case_create("fp8_quant", NULL, "s=3 d=3 dtype=f32");
    op_case_set(&c, "x", 896, -2, 0.5, 0, 0, 0, 448, 1e9 / 1e9, -448);
    op_case_reference(&c);
    op_case_expect(&c, "scale", 1e-12, 2, (double)(1e-4f / 448), 1);
    op_case_expect(&c, "out", 0, 448, -1, 0.25, 0, 0, 0, 448, 1, -448);
    op_case_release(&c);
}

static void nan_spoils_its_row_only(void **state)
{
    (void)state;
    op_case c = op_case_create("fp8_quant", NULL, "s=2 d=2");
    op_case_set(&c, "x", 1, NAN, 7, 14);
    op_case_reference(&c);
    op_case_expect(&c, "scale", 1e-9, NAN, 14.0 / 448);
    op_case_expect(&c, "out", 0, NAN, NAN, 224, 448);
    op_case_release(&c);
}

/* The value that comes back is within half a step of e4m3: 2^-4 of itself, or half of 2^-9. */
static void quantised_values_come_back_within_half_a_step(void **state)
{
    (void)state;
    const char *dtypes[] = {"bf16", "fp16", "f32"};
    for (int i = 0; i < 3; i++) {
        char params[64];
        snprintf(params, sizeof params, "b=2 s=5 g=3 d=64 dtype=%s", dtypes[i]);
        op_case c = op_case_create("fp8_quant", NULL, params);
        op_case_reference(&c);
        for (int64_t j = 0; j < op_case_count(&c, "out"); j++) {
            double scale = op_case_get(&c, "scale", j / 64), x = op_case_get(&c, "x", j);
            double back = op_case_get(&c, "out", j) * scale;
            assert_true(fabs(back - x) <= fmax(fabs(x) / 16, scale * 0x1p-10) * (1 + 1e-6));
        }
        op_case_expect_sampling(&c, NULL);
        op_case_release(&c);
    }
}

/* One key row is its own group; relu drops the negative product, weights may be negative. */
static void logits_are_weighted_sums_of_positive_products(void **state)
{
    (void)state;
    op_case c = op_case_create("lightning_indexer", NULL,
                               "s=1 n=3 h=2 d=2 dtype=e4m3 has_k_scale=1 windows=full");
    op_case_set(&c, "q", 1, 2, -1, 1);
    op_case_set(&c, "k", 1, 1, 2, -1, 0, 1);
    op_case_set(&c, "k_scale", 1, 10, 0.5);
    op_case_set(&c, "weights", 3, -2);
    op_case_reference(&c);
    /* products of head 0: 3, 0, 2; of head 1: 0, -3, 1 */
    op_case_expect(&c, "logits", 0, 9, 0, 0.5 * (6 - 2));
    op_case_release(&c);
}

/* Keys [2,0] and [0,-4] quantise to ±448 with scales 2/448 and 4/448. */
static void bf16_keys_are_quantised_by_row(void **state)
{
    (void)state;
    op_case c = op_case_create("lightning_indexer", NULL, "s=1 n=2 h=1 d=2 windows=full");
    op_case_set(&c, "q", 1.0625, -1000); /* to e4m3: 1 (tie to even), -448 */
    op_case_set(&c, "k", 2, 0, 0, -4);
    op_case_set(&c, "weights", 1);
    op_case_reference(&c);
    op_case_expect(&c, "logits", 1e-3, 2, 4 * 448);
    op_case_release(&c);
}

static void heads_belong_to_groups(void **state)
{
    (void)state;
    op_case c =
        op_case_create("lightning_indexer", NULL, "s=1 n=1 h=4 g=2 d=1 dtype=e4m3 windows=full");
    op_case_set(&c, "q", 1, 2, 3, 4);
    op_case_set(&c, "k", 1, 10);
    op_case_set(&c, "weights", 1, 1, 1, 1);
    op_case_reference(&c);
    op_case_expect(&c, "logits", 0, 3, 70);
    op_case_release(&c);
}

static void windows_mask(void **state)
{
    (void)state;
    double out = -INFINITY;
    op_case c = op_case_create("lightning_indexer", NULL, "s=3 n=2 h=1 d=1 dtype=e4m3");
    op_case_expect(&c, "ks", 0, 0, 0, 0);
    op_case_expect(&c, "ke", 0, 0, 1, 2); /* causal: the last query sees both keys */
    op_case_set(&c, "q", 1, 1, 1);
    op_case_set(&c, "k", 1, 2);
    op_case_set(&c, "weights", 1, 1, 1);
    op_case_reference(&c);
    op_case_expect(&c, "logits", 0, out, out, 1, out, 1, 2);
    op_case_set(&c, "ks", -5, 1, 5);
    op_case_set(&c, "ke", 9, 1, 6); /* clipped, empty, beyond */
    op_case_reference(&c);
    op_case_expect(&c, "logits", 0, 1, 2, out, out, out, out);
    op_case_release(&c);

    c = op_case_create("lightning_indexer", NULL,
                       "s=2 n=3 h=1 d=1 dtype=e4m3 windows=beyond keep_masked=1");
    op_case_reference(&c);
    const uint32_t *bits = op_case_data(&c, "logits");
    for (int i = 0; i < 6; i++)
        assert_int_equal(bits[i], 0xFFFFFFFF);
    op_case_release(&c);
}

static void document_windows_are_causal_runs(void **state)
{
    (void)state;
    op_case c = op_case_create("lightning_indexer", NULL, "s=64 n=64 h=1 d=1 windows=documents");
    int starts = 0;
    for (int64_t s = 0; s < 64; s++) {
        double ks = op_case_get(&c, "ks", s);
        assert_true(op_case_get(&c, "ke", s) == (double)(s + 1));
        assert_true(ks <= (double)s);
        if (ks == (double)s)
            starts++;
        else
            assert_true(ks == op_case_get(&c, "ks", s - 1));
    }
    assert_in_range(starts, 4, 32);
    op_case_expect_sampling(&c, NULL);
    op_case_release(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_have_scales_of_their_own),
        cmocka_unit_test(nan_spoils_its_row_only),
        cmocka_unit_test(quantised_values_come_back_within_half_a_step),
        cmocka_unit_test(logits_are_weighted_sums_of_positive_products),
        cmocka_unit_test(bf16_keys_are_quantised_by_row),
        cmocka_unit_test(heads_belong_to_groups),
        cmocka_unit_test(windows_mask),
        cmocka_unit_test(document_windows_are_causal_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
