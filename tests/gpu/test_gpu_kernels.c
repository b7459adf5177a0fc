/* SPDX-License-Identifier: Apache-2.0 */
/* test_gpu_kernels.c: the kernels of libopmark-cuda.so on the operators' own workloads, and on
 * problems at the borders of their schedules.
 *
 * `--list` prints the operators that have kernels, `OPERATOR` tests that one alone: a tool that
 * slows everything down a hundredfold runs the parts one by one, or side by side.
 */
#include <stdio.h>
#include <string.h>

#include "helpers/device_check.h"
#include "helpers/gpu.h"

static const char border_problems[] =
    "[edge]\n"
    "moe_topk t=0 e=8 k=2\n"
    "moe_topk t=3 e=5 k=5\n"
    "moe_topk t=130 e=8 k=8 dtype=fp16 renormalize=1\n"
    "moe_topk t=65 e=127 k=8 routed_scaling_factor=2.5\n"
    "moe_topk t=33 e=128 k=8 dtype=fp16\n"
    "moe_topk t=17 e=129 k=8\n"
    "moe_topk t=40 e=256 k=8 renormalize=1\n"
    "moe_topk t=40 e=257 k=33\n"
    "moe_topk t=2100 e=384 k=8 score=sigmoid renormalize=1 routed_scaling_factor=2.827\n"
    "moe_topk t=31 e=385 k=7 score=sigmoid dtype=fp16\n"
    "moe_topk t=31 e=512 k=8 score=sigmoid\n"
    "moe_topk t=31 e=512 k=512\n"
    "moe_topk t=50 e=384 k=8 score=sigmoid has_bias=1 renormalize=1\n"
    "moe_topk t=50 e=100 k=9 score=sigmoid has_bias=1 dtype=f32\n"
    "moe_topk t=2049 e=128 k=8 dtype=f32\n"
    "moe_topk t=9 e=1 k=1 renormalize=1\n"
    "moe_permute_align t=0 e=384 k=8\n"
    "moe_permute_align t=1 e=1 k=1 block_size=1\n"
    "moe_permute_align t=1 e=512 k=8 block_size=3\n"
    "moe_permute_align t=64 e=128 k=8 block_size=16\n"
    "moe_permute_align t=65 e=129 k=8 block_size=128\n"
    "moe_permute_align t=511 e=256 k=8 block_size=64 routing=one\n"
    "moe_permute_align t=512 e=384 k=8 block_size=64\n"
    "moe_permute_align t=513 e=385 k=8 block_size=7 routing=zipf\n"
    "moe_permute_align t=1023 e=8 k=7 block_size=1\n"
    "moe_permute_align t=1024 e=512 k=8 block_size=64 routing=skewed\n"
    "moe_permute_align t=1025 e=512 k=8 block_size=64\n"
    "moe_permute_align t=600 e=512 k=8 block_size=2047\n"
    "moe_permute_align t=60 e=300 k=8 block_size=3001\n"
    "moe_permute_align t=4096 e=256 k=8 block_size=64\n"
    "moe_permute_align t=4099 e=8 k=8 block_size=64 routing=one\n"
    "moe_permute_align t=20011 e=40 k=3 block_size=32 routing=zipf\n"
    "moe_permute t=0 h=64 e=300 k=8\n"
    "moe_permute t=1 h=1 e=1 k=1 dtype=f32\n"
    "moe_permute t=1 h=7168 e=384 k=8\n"
    "moe_permute t=3 h=1025 e=61 k=5 dtype=fp16\n"
    "moe_permute t=32 h=3072 e=62 k=8\n"
    "moe_permute t=64 h=2048 e=63 k=8 e_local=31 has_map=1\n"
    "moe_permute t=65 h=1032 e=93 k=8 routing=zipf\n"
    "moe_permute t=40 h=24 e=64 k=17\n"
    "moe_permute t=127 h=64 e=128 k=8 routing=one\n"
    "moe_permute t=128 h=64 e=512 k=8\n"
    "moe_permute t=131 h=128 e=512 k=8 e_local=256 has_map=1\n"
    "moe_permute t=512 h=256 e=256 k=8 routing=skewed\n"
    "moe_permute t=500 h=18432 e=16 k=4\n"
    "moe_permute t=300 h=18440 e=16 k=4\n"
    "moe_permute t=100 h=8 e=600 k=40 e_local=500 has_map=1\n"
    "moe_permute t=1100 h=40 e=20 k=1\n"
    "moe_permute t=2000 h=1024 e=200 k=8\n"
    "moe_permute t=9000 h=8 e=64 k=8 routing=zipf\n"
    "moe_permute t=40000 h=8 e=32 k=3\n"
    "moe_unpermute t=0 h=64 k=8\n"
    "moe_unpermute t=5 h=0 k=8\n"
    "moe_unpermute t=7 h=1 k=1\n"
    "moe_unpermute t=33 h=7168 k=8 missing=40\n"
    "moe_unpermute t=9 h=1025 k=8\n"
    "moe_unpermute t=9 h=1027 k=3 dtype=f32\n"
    "moe_unpermute t=11 h=1032 k=9 dtype=fp16 missing=20\n"
    "moe_unpermute t=5 h=4096 k=33 dtype=f32\n"
    "moe_unpermute t=3 h=24 k=7 missing=21\n"
    "fp8_quant s=0 d=64\n"
    "fp8_quant s=1 d=1\n"
    "fp8_quant s=33 d=64 g=3 b=2\n"
    "fp8_quant s=67 d=128 dtype=f32\n"
    "fp8_quant s=67 d=8 dtype=f32\n"
    "fp8_quant s=29 d=256 dtype=fp16\n"
    "fp8_quant s=29 d=16 dtype=bf16\n"
    "fp8_quant s=29 d=264 dtype=bf16\n"
    "fp8_quant s=29 d=100 dtype=f32\n"
    "fp8_quant s=9000 d=32\n"
    "lightning_indexer s=16 n=32 h=8 d=32 windows=full\n"
    "lightning_indexer s=17 n=33 h=32 d=64 windows=full\n"
    "lightning_indexer s=100 n=900 h=32 d=64\n"
    "lightning_indexer s=33 n=257 h=33 d=72 windows=documents\n"
    "lightning_indexer s=20 n=300 h=64 d=128 dtype=e4m3 has_k_scale=1\n"
    "lightning_indexer s=3 n=5000 h=16 d=128\n"
    "lightning_indexer s=50 n=130 h=12 g=3 d=24 b=2 windows=documents\n"
    "lightning_indexer s=50 n=131 h=4 g=4 d=8 keep_masked=1\n"
    "lightning_indexer s=40 n=2050 h=8 d=64 windows=beyond\n"
    "lightning_indexer s=300 n=600 h=32 d=64\n"
    "lightning_indexer s=257 n=777 h=64 d=128 windows=documents\n"
    "lightning_indexer s=256 n=512 h=33 d=80 windows=full\n"
    "lightning_indexer s=259 n=514 h=12 g=3 d=48 b=2 keep_masked=1 windows=documents\n"
    "lightning_indexer s=256 n=1000 h=16 d=64 dtype=e4m3 has_k_scale=1\n"
    "lightning_indexer s=264 n=640 h=32 d=128 windows=beyond\n"
    "gemm m=1,7,9,63,65 n=31,57 k=8,72 trans_b=1\n"
    "gemm m=64,128,129 n=32,176,184 k=64,200,1032 trans_b=0,1 dtype=bf16,fp16\n"
    "gemm m=17,128 n=2112 k=520 trans_b=0,1\n"
    "gemm m=255 n=264 k=1088 trans_b=0,1 dtype=fp16\n"
    "gemm m=1000 n=1096 k=136 trans_b=0,1\n"
    "gemm m=2000 n=2200 k=72 trans_b=0,1\n"
    "gemm m=2100 n=3000 k=328 trans_b=1\n"
    "gemm m=8,72,264 n=8,136,264 k=31,200 trans_a=1 dtype=bf16,fp16\n"
    "gemm m=8,72,264 n=9,136,264 k=8,200 trans_a=1 trans_b=1 dtype=bf16,fp16\n"
    "gemm m=1000 n=1096 k=136 trans_a=1 trans_b=0,1\n"
    "bmm batch=1,3 m=1,64,65,129 n=8,128,136 k=8,72,136 dtype=bf16,fp16\n"
    "bmm batch=5 m=255 n=520 k=328\n"
    "bmm batch=70 m=130 n=136 k=64\n";

static device_check start(void)
{
    device_check check = {.api = the.context->api, .device = the.context->device};
    om__context_kernel_env(the.context, &check.env);
    return check;
}

static void finish(const device_check *check, const char *what)
{
    device_check_print(check, what);
    assert_false(check->is_lost);
    assert_int_equal(check->failures, 0);
    assert_true(check->calls > 0);
}

static const char *only = NULL; /* the one operator to test */

/* Calls visit once for each operator that has a kernel here. */
static void each_operator(void (*visit)(const char *op))
{
    size_t count;
    const om_kernel *const *kernels = the.context->api->kernels(&count);
    for (size_t i = 0; i < count; i++) {
        bool is_new = true;
        for (size_t j = 0; j < i && is_new; j++)
            is_new = strcmp(kernels[i]->op, kernels[j]->op) != 0;
        if (is_new && (only == NULL || strcmp(only, kernels[i]->op) == 0))
            visit(kernels[i]->op);
    }
}

static void check_workload(const char *op)
{
    om_error error = {0};
    char backward[80];
    device_check check = start();
    assert_ok(device_check_workload(&check, op, "smoke edge", &error), &error);
    snprintf(backward, sizeof backward, "%s_backward", op);
    if (device_check_has_workload(backward))
        assert_ok(device_check_workload(&check, backward, "smoke edge", &error), &error);
    finish(&check, op);
}

static void test_workloads(void **state)
{
    (void)state;
    gpu_need(&the);
    each_operator(check_workload);
}

static void check_borders(const char *op)
{
    om_wl wl = {0};
    om_error error = {0};
    size_t kept = 0;
    assert_ok(om__wl_parse(border_problems, sizeof border_problems - 1, "borders", &wl, &error),
              &error);
    for (size_t i = 0; i < wl.count; i++)
        kept += strcmp(wl.lines[i].words[0], op) == 0;
    if (kept > 0) {
        device_check check = start();
        for (size_t i = 0; i < wl.count; i++)
            if (strcmp(wl.lines[i].words[0], op) != 0)
                wl.lines[i].section[0] = '\0'; /* a line that the check passes over */
        assert_ok(device_check_run(&check, &wl, "edge", &error), &error);
        finish(&check, "borders");
    }
    om__wl_release(&wl);
}

static void test_borders(void **state)
{
    (void)state;
    gpu_need(&the);
    each_operator(check_borders);
}

static void print_operator(const char *op)
{
    puts(op);
}

static int list_operators(void)
{
    gpu_set_up(NULL);
    if (the.context != NULL)
        each_operator(print_operator);
    return gpu_tear_down(NULL);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--list") == 0)
        return list_operators();
    only = argc > 1 ? argv[1] : NULL;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_workloads),
        cmocka_unit_test(test_borders),
    };
    return cmocka_run_group_tests(tests, gpu_set_up, gpu_tear_down);
}
