/* SPDX-License-Identifier: Apache-2.0 */
/* test_indexer_kernels.c: the lightning indexer at every level. */
#include "helpers/helper.h"
#include "helpers/kernel_check.h"

#include <math.h>

#include "core/convert.h"

static void windows(void **state)
{
    (void)state;
    static const char *const kinds[] = {"causal", "full", "beyond", "documents"};
    kernel_check check = {.op = "lightning_indexer"};
    for (int w = 0; w < 4; w++)
        for (int keep = 0; keep < 2; keep++) {
            kernel_check_runf(&check, "s=33 n=70 h=4 d=64 windows=%s keep_masked=%d", kinds[w],
                              keep);
            kernel_check_runf(&check,
                              "b=2 s=19 n=130 h=6 g=3 d=40 dtype=e4m3 has_k_scale=1 windows=%s "
                              "keep_masked=%d",
                              kinds[w], keep);
        }
}

static void shapes(void **state)
{
    (void)state;
    kernel_check check = {.op = "lightning_indexer"};
    kernel_check_run(&check, "s=0 n=8 h=2 d=16");
    kernel_check_run(&check, "s=8 n=0 h=2 d=16");
    kernel_check_run(&check, "s=1 n=1 h=1 d=1");
    kernel_check_run(&check, "s=5 n=64 h=32 d=128 windows=full");
    kernel_check_run(&check, "s=3 n=65 h=600 d=33 windows=full dtype=e4m3");
}

/* Large enough to be worth bypassing the cache; rows begin off the vectors. */
static void masked_fill(void **state)
{
    (void)state;
    kernel_check check = {.op = "lightning_indexer"};
    kernel_check_run(&check, "s=1100 n=1003 h=1 d=8 windows=beyond");
}

/* Sums of small integers are exact in any order. */
static void integers_are_exact(void **state)
{
    (void)state;
    kernel_check check = {.op = "lightning_indexer", .integers = 1, .exact = 1};
    kernel_check_run(&check, "s=20 n=150 h=16 d=64 dtype=e4m3 windows=full");
}

static void spoil(const om_op *op, const void *args, om_tensor *tensors)
{
    (void)op;
    (void)args;
    om__store_f64(tensors[0].data, tensors[0].dtype, 5, NAN);
    om__store_f64(tensors[1].data, tensors[1].dtype, 130, INFINITY);
}

static void nan_goes_where_the_reference_sends_it(void **state)
{
    (void)state;
    kernel_check check = {.op = "lightning_indexer", .change = spoil};
    kernel_check_run(&check, "s=5 n=70 h=4 d=32 windows=full");
    kernel_check_run(&check, "s=5 n=70 h=4 d=32 windows=full dtype=e4m3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows),
        cmocka_unit_test(shapes),
        cmocka_unit_test(masked_fill),
        cmocka_unit_test(integers_are_exact),
        cmocka_unit_test(nan_goes_where_the_reference_sends_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
