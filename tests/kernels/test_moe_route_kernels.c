/* SPDX-License-Identifier: Apache-2.0 */
/* test_moe_route_kernels.c: routing, permutes and sums of rows at every level. */
#include "helpers/helper.h"
#include "helpers/kernel_check.h"

#include <math.h>

#include "core/convert.h"
#include "opmark/moe_topk.h"

static const char *const types[] = {"f32", "bf16", "fp16"};

static void choosing_experts(void **state)
{
    (void)state;
    static const int experts[] = {1, 2, 8, 15, 16, 17, 60, 64, 128, 256, 257};
    kernel_check check = {.op = "moe_topk"};
    for (int t = 0; t < 3; t++)
        for (size_t i = 0; i < sizeof experts / sizeof *experts; i++) {
            int k = experts[i] < 8 ? experts[i] : 8;
            kernel_check_runf(&check, "t=9 e=%d k=%d dtype=%s", experts[i], k, types[t]);
            kernel_check_runf(&check,
                              "t=9 e=%d k=%d dtype=%s score=sigmoid renormalize=1 "
                              "routed_scaling_factor=2.5",
                              experts[i], k, types[t]);
            kernel_check_runf(&check, "t=9 e=%d k=1 dtype=%s score=sigmoid has_bias=1", experts[i],
                              types[t]);
        }
    kernel_check_run(&check, "t=0 e=8 k=2");
    kernel_check_run(&check, "t=3000 e=64 k=6 renormalize=1");
}

/* Ties, infinities, zeros of both signs and NaN: ids must be those of the reference. */
static void make_odd(const om_op *op, const void *arguments, om_tensor *tensors)
{
    const om_moe_topk_args *args = arguments;
    static const float odd[] = {1, 1, -0.0f, 0, NAN, -INFINITY, 3, 3, -2, INFINITY, NAN, 0.5f};
    (void)op;
    for (int64_t i = 0; i < args->t * args->e; i++) {
        float x = odd[i % 12];
        if (i / args->e % 2 == 0 && (isnan(x) || isinf(x)))
            x = 1;
        om__store_f64(tensors[0].data, args->dtype, i, x);
    }
}

static void odd_logits(void **state)
{
    (void)state;
    kernel_check check = {.op = "moe_topk", .change = make_odd};
    for (int t = 0; t < 3; t++) {
        kernel_check_runf(&check, "t=24 e=12 k=12 dtype=%s", types[t]);
        kernel_check_runf(&check, "t=24 e=13 k=5 dtype=%s score=sigmoid", types[t]);
        kernel_check_runf(&check, "t=24 e=37 k=20 dtype=%s renormalize=1", types[t]);
    }
}

static void permuting(void **state)
{
    (void)state;
    kernel_check check = {.op = "moe_permute"};
    static const char *const routings[] = {"uniform", "skewed", "zipf", "one"};
    for (int r = 0; r < 4; r++)
        for (int t = 0; t < 3; t++) {
            kernel_check_runf(&check, "t=37 h=33 e=16 k=4 dtype=%s routing=%s", types[t],
                              routings[r]);
            kernel_check_runf(&check, "t=21 h=64 e=16 k=4 e_local=8 has_map=1 dtype=%s routing=%s",
                              types[t], routings[r]);
        }
    kernel_check_run(&check, "t=0 h=16 e=4 k=2");
    kernel_check_run(&check, "t=5 h=0 e=4 k=2");
    kernel_check_run(&check, "t=600 h=1027 e=32 k=4");
    kernel_check_run(&check, "t=150 h=512 e=32 k=8"); /* past the cache */
    kernel_check_run(&check, "t=310 h=512 e=32 k=11 e_local=16 has_map=1");
}

static void aligning(void **state)
{
    (void)state;
    kernel_check check = {.op = "moe_permute_align"};
    kernel_check_run(&check, "t=37 e=16 k=4");
    kernel_check_run(&check, "t=37 e=16 k=4 block_size=1");
    kernel_check_run(&check, "t=100 e=7 k=3 block_size=16 routing=skewed");
    kernel_check_run(&check, "t=0 e=7 k=3 block_size=16");
    for (int t = 1; t < 9; t++)
        kernel_check_runf(&check, "t=%d e=3 k=1 block_size=4", t);
    kernel_check_run(&check, "t=1001 e=64 k=7 block_size=128");
    kernel_check_run(&check, "t=4001 e=256 k=8");
    kernel_check_run(&check, "t=4001 e=9 k=7 block_size=1 routing=skewed");
}

static void summing_rows(void **state)
{
    (void)state;
    kernel_check check = {.op = "moe_unpermute"};
    static const int lengths[] = {0, 1, 15, 17, 63, 64, 65, 1000};
    for (int t = 0; t < 3; t++)
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
            kernel_check_runf(&check, "t=11 h=%d k=3 dtype=%s", lengths[i], types[t]);
            kernel_check_runf(&check, "t=11 h=%d k=4 dtype=%s missing=20", lengths[i], types[t]);
        }
    kernel_check_run(&check, "t=0 h=8 k=2");
    kernel_check_run(&check, "t=300 h=700 k=8");
    kernel_check_run(&check, "t=300 h=2048 k=8 missing=30"); /* past the cache */
    kernel_check_run(&check, "t=9 h=512 k=16");
    kernel_check_run(&check, "t=9 h=512 k=17");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(choosing_experts), cmocka_unit_test(odd_logits),
        cmocka_unit_test(permuting),        cmocka_unit_test(aligning),
        cmocka_unit_test(summing_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
