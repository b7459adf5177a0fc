/* SPDX-License-Identifier: Apache-2.0 */
/* test_gemm_kernels.c: every dense GEMM kernel at every level: tile edges, layouts, types, K
 * blocks, threads, NaN, and denormals. */
#include "helpers/helper.h"
#include "helpers/kernel_check.h"

#include <math.h>
#include <string.h>

#include "core/convert.h"
#include "opmark/gemm.h"

static const char *const types[] = {"f32", "bf16", "fp16"};

/* Sums of small integers are exact in f32, and their rounding to the type is one step: every kernel
 * must give the bits of the reference. */
static const kernel_check integers = {.op = "gemm", .integers = 1, .exact = 1};
static const kernel_check normal = {.op = "gemm"};

static void all_layouts(const kernel_check *check, int m, int n, int k, const char *dtype)
{
    for (int layout = 0; layout < 4; layout++)
        kernel_check_runf(check, "m=%d n=%d k=%d trans_a=%d trans_b=%d dtype=%s", m, n, k,
                          layout & 1, layout >> 1, dtype);
}

static void rows_at_tile_edges(void **state)
{
    (void)state;
    static const int m[] = {0, 1, 2, 5, 6, 7, 8, 13, 47, 48, 49, 96, 97};
    for (size_t i = 0; i < sizeof m / sizeof *m; i++)
        for (int t = 0; t < 3; t++)
            all_layouts(&integers, m[i], 33, 17, types[t]);
}

static void columns_at_tile_edges(void **state)
{
    (void)state;
    static const int n[] = {0,  1,  7,  8,  15, 16, 17,  31,  32,  33,  47,
                            48, 49, 63, 64, 65, 79, 127, 128, 129, 144, 176};
    for (size_t i = 0; i < sizeof n / sizeof *n; i++)
        for (int t = 0; t < 3; t++)
            all_layouts(&integers, 7, n[i], 18, types[t]);
}

static void contractions_at_block_edges(void **state)
{
    (void)state;
    static const int k[] = {0,  1,  2,   15,  16,  17,  31,   33,  63,
                            64, 65, 127, 128, 129, 255, 1023, 1025};
    for (size_t i = 0; i < sizeof k / sizeof *k; i++)
        for (int t = 0; t < 3; t++)
            all_layouts(&integers, 9, 21, k[i], types[t]);
}

static void long_contractions(void **state)
{
    (void)state;
    static const int k[] = {2048, 2049, 4096, 4099};
    for (size_t i = 0; i < sizeof k / sizeof *k; i++)
        for (int t = 0; t < 3; t++)
            all_layouts(&integers, 50, 70, k[i], types[t]);
    /* A packed block by block: whole vectors of columns, f32. */
    all_layouts(&integers, 50, 96, 4099, "f32");
    all_layouts(&integers, 200, 16, 6000, "f32");
}

/* Rows of B past a panel of A: widths of the panel, one and two of them, remainders of B, K blocks.
 */
static void few_rows_by_many_columns(void **state)
{
    (void)state;
    static const int m[] = {7, 8, 9, 16, 17, 32, 33, 48, 49, 64, 65, 97, 128, 129};
    for (int t = 0; t < 3; t++) {
        for (size_t i = 0; i < sizeof m / sizeof *m; i++)
            kernel_check_runf(&integers, "m=%d n=%d k=34 trans_b=1 dtype=%s", m[i], 256 + (int)i,
                              types[t]);
        kernel_check_runf(&integers, "m=70 n=261 k=3300 trans_b=1 dtype=%s", types[t]);
        kernel_check_runf(&integers, "m=12 n=319 k=12400 trans_b=1 dtype=%s", types[t]);
        kernel_check_runf(&normal, "m=33 n=300 k=2100 trans_b=1 dtype=%s", types[t]);
    }
}

static void random_numbers_stay_within_tolerance(void **state)
{
    (void)state;
    for (int t = 0; t < 3; t++) {
        all_layouts(&normal, 61, 83, 257, types[t]);
        all_layouts(&normal, 3, 130, 700, types[t]);
        all_layouts(&normal, 130, 5, 2500, types[t]);
    }
}

/* One element off the page end, and so off every vector boundary. */
static void unaligned_tensors(void **state)
{
    (void)state;
    kernel_check check = integers;
    check.slack = 1;
    for (int t = 0; t < 3; t++)
        all_layouts(&check, 13, 37, 19, types[t]);
}

static void put(om_tensor *t, int64_t index, double value)
{
    om__store_f64(t->data, t->dtype, index, value);
}

/* a[2,5] = NaN. */
static void poison_one_row(const om_op *op, const void *arguments, om_tensor *tensors)
{
    const om_gemm_args *args = arguments;
    (void)op;
    put(&tensors[0], args->trans_a ? 5 * args->m + 2 : 2 * args->k + 5, NAN);
}

static void only_row_two_is_nan(const om_op *op, const void *arguments, const om_tensor *tensors,
                                const char *kernel)
{
    const om_gemm_args *args = arguments;
    (void)op;
    for (int64_t i = 0; i < args->m; i++)
        for (int64_t j = 0; j < args->n; j++)
            if (!isnan(om__load_f64(tensors[2].data, args->dtype, i * args->n + j)) != (i != 2))
                fail_msg("%s: element %d,%d", kernel, (int)i, (int)j);
}

static void nan_stays_in_its_row(void **state)
{
    (void)state;
    kernel_check check = {.op = "gemm", .integers = 1, .unjudged = 1};
    check.change = poison_one_row;
    check.look = only_row_two_is_nan;
    for (int t = 0; t < 3; t++) {
        all_layouts(&check, 9, 19, 7, types[t]);
        all_layouts(&check, 4, 70, 300, types[t]);
    }
}

/* bf16 denormals times large numbers give ordinary ones. */
static void make_denormal(const om_op *op, const void *arguments, om_tensor *tensors)
{
    const om_gemm_args *args = arguments;
    (void)op;
    uint16_t *a = tensors[0].data, *b = tensors[1].data;
    for (int64_t i = 0; i < args->m * args->k; i++)
        a[i] = i % 3 == 0 ? (uint16_t)(1 + i % 100) : a[i] & 0x8000;
    for (int64_t i = 0; i < args->k * args->n; i++)
        b[i] = om__bf16_from_f32(ldexpf(1 + (float)(i % 5), 120));
}

static void make_denormal_b(const om_op *op, const void *arguments, om_tensor *tensors)
{
    const om_gemm_args *args = arguments;
    (void)op;
    uint16_t *a = tensors[0].data, *b = tensors[1].data;
    for (int64_t i = 0; i < args->m * args->k; i++)
        a[i] = om__bf16_from_f32(ldexpf(1 + (float)(i % 5), 120));
    for (int64_t i = 0; i < args->k * args->n; i++)
        b[i] = i % 3 == 0 ? (uint16_t)(1 + i % 100) : b[i] & 0x8000;
}

/* A short K and many columns: several panels a task, results past the cache where they are large,
 * and the last panels of every width. */
static void short_and_wide(void **state)
{
    (void)state;
    static const int n[] = {560, 577};
    kernel_check check = {.op = "gemm", .integers = 1, .exact = 1};
    for (int t = 0; t < 3; t++)
        for (size_t i = 0; i < sizeof n / sizeof *n; i++) {
            kernel_check_runf(&check, "m=40 n=%d k=33 dtype=%s", n[i], types[t]);
            kernel_check_runf(&check, "m=70 n=%d k=130 trans_a=1 dtype=%s", n[i], types[t]);
        }
    kernel_check_run(&check, "m=2048 n=1088 k=4 trans_a=1");
    kernel_check strange = {.op = "gemm", .change = make_denormal};
    kernel_check_run(&strange, "m=40 n=577 k=34");
    strange.change = make_denormal_b;
    kernel_check_run(&strange, "m=40 n=577 k=34");
}

/* Sums that cancel to what rounding leaves, and one denormal in the last panel but one. */
static void cancel_beside_denormal(const om_op *op, const void *arguments, om_tensor *tensors)
{
    const om_gemm_args *args = arguments;
    uint16_t *a = tensors[0].data, *b = tensors[1].data;
    const int64_t half = args->k / 2;
    (void)op;
    for (int64_t i = 0; i < args->m; i++)
        memcpy(a + i * args->k + half, a + i * args->k, (size_t)half * sizeof *a);
    for (int64_t i = 0; i < half * args->n; i++)
        b[half * args->n + i] = b[i] ^ 0x8000;
    b[args->n - 18] = 1;
}

/* Which columns go the way of denormals must not depend on how panels make tasks. */
static void denormals_take_the_same_columns(void **state)
{
    (void)state;
    kernel_check check = {.op = "gemm", .change = cancel_beside_denormal, .unjudged = 1};
    kernel_check_run(&check, "m=40 n=456 k=128");
    kernel_check_run(&check, "m=40 n=968 k=128");
}

/* Few rows of a transposed A, and more of K than a block. */
static void few_rows_of_a_long_k(void **state)
{
    (void)state;
    static const int m[] = {1, 3, 10, 16, 17};
    for (size_t i = 0; i < sizeof m / sizeof *m; i++)
        for (int t = 0; t < 3; t++)
            all_layouts(&integers, m[i], 32, 4104, types[t]);
}

static void bf16_denormals_count(void **state)
{
    (void)state;
    kernel_check check = {.op = "gemm", .integers = 1};
    check.change = make_denormal;
    all_layouts(&check, 20, 70, 64, "bf16");
    all_layouts(&check, 20, 260, 66, "bf16");
    all_layouts(&check, 3, 70, 640, "bf16");
    check.change = make_denormal_b;
    all_layouts(&check, 20, 70, 64, "bf16");
    all_layouts(&check, 20, 260, 66, "bf16");
    all_layouts(&check, 3, 70, 640, "bf16");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_at_tile_edges),
        cmocka_unit_test(columns_at_tile_edges),
        cmocka_unit_test(contractions_at_block_edges),
        cmocka_unit_test(long_contractions),
        cmocka_unit_test(few_rows_by_many_columns),
        cmocka_unit_test(random_numbers_stay_within_tolerance),
        cmocka_unit_test(unaligned_tensors),
        cmocka_unit_test(nan_stays_in_its_row),
        cmocka_unit_test(short_and_wide),
        cmocka_unit_test(bf16_denormals_count),
        cmocka_unit_test(denormals_take_the_same_columns),
        cmocka_unit_test(few_rows_of_a_long_k),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
