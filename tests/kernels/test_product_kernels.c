/* SPDX-License-Identifier: Apache-2.0 */
/* test_product_kernels.c: backward, batched, grouped, fp8 and int4 products at every level. */
#include "helpers/helper.h"
#include "helpers/kernel_check.h"

#include <string.h>

#include "core/convert.h"
#include "opmark/bmm_fp8.h"
#include "opmark/gemm_fp8.h"
#include "opmark/gemm_w4a16.h"

static const char *const types[] = {"f32", "bf16", "fp16"};
static const char *const out_types[] = {"bf16", "fp16"};

static void gemm_backward(void **state)
{
    (void)state;
    kernel_check check = {.op = "gemm", .pass = "backward", .integers = 1, .exact = 1};
    for (int t = 0; t < 3; t++) {
        kernel_check_runf(&check, "m=13 n=37 k=70 dtype=%s", types[t]);
        kernel_check_runf(&check, "m=64 n=48 k=96 dtype=%s", types[t]);
        kernel_check_runf(&check, "m=0 n=48 k=9 dtype=%s", types[t]);
    }
}

static void batches(void **state)
{
    (void)state;
    kernel_check check = {.op = "bmm", .integers = 1, .exact = 1};
    for (int t = 0; t < 3; t++) {
        kernel_check_runf(&check, "batch=5 m=7 n=33 k=18 dtype=%s", types[t]);
        kernel_check_runf(&check, "batch=3 m=64 n=80 k=65 dtype=%s", types[t]);
        kernel_check_runf(&check, "batch=2 m=3 n=5 k=0 dtype=%s", types[t]);
        kernel_check_runf(&check, "batch=0 m=3 n=5 k=4 dtype=%s", types[t]);
    }
}

static void fp8_batches(void **state)
{
    (void)state;
    static const char *const ops[] = {"bmm_fp8_nk", "bmm_fp8_kn"};
    for (int o = 0; o < 2; o++)
        for (int t = 0; t < 2; t++) {
            kernel_check check = {.op = ops[o]};
            kernel_check_runf(&check, "batch=3 m=7 n=33 k=18 out_dtype=%s", out_types[t]);
            kernel_check_runf(&check, "batch=2 m=20 n=80 k=67 out_dtype=%s", out_types[t]);
            kernel_check_runf(&check, "batch=2 m=20 n=64 k=128 out_dtype=%s", out_types[t]);
            kernel_check_runf(&check, "batch=2 m=2 n=3 k=0 out_dtype=%s", out_types[t]);
        }
}

static void equal_groups(void **state)
{
    (void)state;
    for (int t = 0; t < 3; t++) {
        kernel_check check = {.op = "grouped_gemm", .integers = 1, .exact = 1};
        kernel_check_runf(&check, "g=3 m=9 n=33 k=18 dtype=%s", types[t]);
        kernel_check_runf(&check, "g=2 m=65 n=64 k=32 dtype=%s", types[t]);
        check.pass = "backward";
        kernel_check_runf(&check, "g=3 m=9 n=33 k=18 dtype=%s", types[t]);
        kernel_check_runf(&check, "g=2 m=65 n=64 k=33 dtype=%s", types[t]);
    }
}

static void ragged_groups(void **state)
{
    (void)state;
    static const char *const ops[] = {"grouped_gemm_nt", "grouped_gemm_nn", "grouped_gemm_tn",
                                      "grouped_gemm_tt", "moe_grouped_gemm"};
    static const char *const routings[] = {"uniform", "skewed", "one"};
    for (size_t o = 0; o < sizeof ops / sizeof *ops; o++)
        for (int r = 0; r < 3; r++)
            for (int t = 0; t < 3; t++) {
                kernel_check check = {.op = ops[o], .integers = 1, .exact = 1};
                kernel_check_runf(&check, "g=7 s=61 n=34 k=50 dtype=%s routing=%s", types[t],
                                  routings[r]);
                kernel_check_runf(&check, "g=4 s=2 n=65 k=7 dtype=%s routing=%s", types[t],
                                  routings[r]);
            }
}

static void fp8_with_scales(void **state)
{
    (void)state;
    static const char *const modes[] = {"per_tensor", "block128"};
    static const int k[] = {0, 1, 31, 128, 130, 300, 2100};
    kernel_check check = {.op = "gemm_fp8"};
    for (int mode = 0; mode < 2; mode++)
        for (int t = 0; t < 2; t++)
            for (size_t i = 0; i < sizeof k / sizeof *k; i++)
                kernel_check_runf(&check, "m=%d n=%d k=%d scale_mode=%s has_bias=%d out_dtype=%s",
                                  i % 2 ? 3 : 19, i % 3 ? 64 : 37, k[i], modes[mode], (int)i % 2,
                                  out_types[t]);
}

/* Every code of e4m3 in both operands, one at a time, against ones. */
static void all_codes(const om_op *op, const void *arguments, om_tensor *tensors)
{
    const om_gemm_fp8_args *args = arguments;
    uint8_t *a = tensors[0].data, *b = tensors[1].data;
    (void)op;
    for (int64_t i = 0; i < args->m * args->k; i++)
        a[i] = i % args->k == 0 ? (uint8_t)(i / args->k) : 0;
    for (int64_t i = 0; i < args->n * args->k; i++)
        b[i] = 0x38; /* 1 */
    for (int i = 2; i < 4; i++)
        for (int64_t s = 0; s < om_tensor_count(&tensors[i]); s++)
            ((float *)tensors[i].data)[s] = 1;
}

static void fp8_codes_are_exact(void **state)
{
    (void)state;
    kernel_check check = {.op = "gemm_fp8", .change = all_codes, .exact = 0};
    kernel_check_run(&check, "m=256 n=64 k=2");
    kernel_check_run(&check, "m=256 n=64 k=2 scale_mode=block128");
}

/* a is the identity, so that d is b: every finite code in every place of a panel, and one NaN,
 * which takes its column along. */
static void lines_of_codes(const om_op *op, const void *arguments, om_tensor *tensors)
{
    const om_bmm_fp8_args *args = arguments;
    uint8_t *a = tensors[0].data, *b = tensors[1].data;
    (void)op;
    for (int64_t i = 0; i < args->m * args->k; i++)
        a[i] = i / args->k == i % args->k ? 0x38 : 0; /* 1 */
    for (int64_t i = 0; i < args->k * args->n; i++) {
        const uint8_t code = (uint8_t)(i / args->n + i % args->n);
        b[i] = (code & 0x7f) == 0x7f ? code - 1 : code;
    }
    b[7 * args->n + 21] = 0xff;
    for (int i = 2; i < 4; i++)
        ((float *)tensors[i].data)[0] = 1;
}

static void fp8_lines_are_exact(void **state)
{
    (void)state;
    kernel_check check = {.op = "bmm_fp8_kn", .change = lines_of_codes};
    kernel_check_run(&check, "batch=1 m=256 n=64 k=256");
    kernel_check_run(&check, "batch=1 m=257 n=144 k=257");
    kernel_check_run(&check, "batch=1 m=33 n=65 k=33");
}

static void fp8_linear(void **state)
{
    (void)state;
    static const char *const scalings[] = {"delayed", "current"};
    for (int s = 0; s < 2; s++) {
        kernel_check check = {.op = "fp8_linear"};
        kernel_check_runf(&check, "m=19 n=37 k=70 scaling=%s", scalings[s]);
        kernel_check_runf(&check, "m=64 n=128 k=256 scaling=%s", scalings[s]);
        check.pass = "backward";
        kernel_check_runf(&check, "m=19 n=37 k=70 scaling=%s", scalings[s]);
        kernel_check_runf(&check, "m=64 n=128 k=256 scaling=%s", scalings[s]);
        kernel_check_runf(&check, "m=65 n=67 k=64 scaling=%s", scalings[s]);
    }
}

/* One activation in each row, of all sizes that fp16 has, and scales of 1: nothing is rounded but
 * the result, and infinities stay what they are. */
static void lone_activations(const om_op *op, const void *arguments, om_tensor *tensors)
{
    static const uint16_t values[16] = {0x0001, 0x03ff, 0x0400, 0x3bff, 0x3c01, 0x7bff,
                                        0x8001, 0x83ff, 0xb555, 0xaaab, 0x57ff, 0x0201,
                                        0x7c00, 0xfc00, 0x2001, 0x1fff};
    const om_gemm_w4a16_args *args = arguments;
    uint16_t *a = tensors[0].data;
    (void)op;
    for (int64_t i = 0; i < args->m * args->k; i++)
        a[i] = i % args->k == 7 * (i / args->k) ? values[i / args->k % 16] : 0;
    for (int64_t i = 0; i < om_tensor_count(&tensors[2]); i++)
        ((float *)tensors[2].data)[i] = 1;
}

static void int4_is_exact(void **state)
{
    (void)state;
    kernel_check check = {.op = "gemm_w4a16", .change = lone_activations, .exact = 1};
    kernel_check_run(&check, "m=16 n=64 k=256");
    kernel_check_run(&check, "m=1 n=64 k=128");
}

static void int4_weights(void **state)
{
    (void)state;
    kernel_check check = {.op = "gemm_w4a16"};
    kernel_check_run(&check, "m=1 n=64 k=8448");
    kernel_check_run(&check, "m=2 n=67 k=256");
    kernel_check_run(&check, "m=3 n=64 k=128");
    kernel_check_run(&check, "m=16 n=70 k=1152");
    kernel_check_run(&check, "m=1 n=33 k=128");
    kernel_check_run(&check, "m=7 n=64 k=384");
    kernel_check_run(&check, "m=65 n=100 k=256");
    kernel_check_run(&check, "m=5 n=17 k=2304");
    kernel_check_run(&check, "m=5 n=17 k=0");
    kernel_check_run(&check, "m=0 n=17 k=128");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gemm_backward),       cmocka_unit_test(batches),
        cmocka_unit_test(fp8_batches),         cmocka_unit_test(equal_groups),
        cmocka_unit_test(ragged_groups),       cmocka_unit_test(fp8_with_scales),
        cmocka_unit_test(fp8_codes_are_exact), cmocka_unit_test(fp8_lines_are_exact),
        cmocka_unit_test(fp8_linear),          cmocka_unit_test(int4_weights),
        cmocka_unit_test(int4_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
