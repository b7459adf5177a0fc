/* SPDX-License-Identifier: Apache-2.0 */
/* test_gpu_products.c: products on the tensor cores bit for bit: small integers, the identity,
 * and equal bits of many repeats while another stream works. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/convert.h"
#include "helpers/gpu.h"
#include "opmark/opmark.h"

enum { REPEATS = 24 };

/* batch 0: gemm in the layout that trans_a and trans_b say; else bmm. */
typedef struct product {
    int64_t batch, m, n, k;
    om_dtype dtype;
    int trans_a, trans_b;
    uint16_t *a, *b, *d; /* of the host */
    void *on_device[3];
} product;

static int64_t count_of(const product *p)
{
    return p->batch == 0 ? 1 : p->batch;
}

static uint16_t narrow(const product *p, float value)
{
    return p->dtype == OM_F16 ? om__f16_from_f32(value) : om__bf16_from_f32(value);
}

static float widen(const product *p, uint16_t bits)
{
    return p->dtype == OM_F16 ? om__f32_from_f16(bits) : om__f32_from_bf16(bits);
}

static uint16_t *a_at(const product *p, int64_t batch, int64_t m, int64_t k)
{
    return p->a + batch * p->m * p->k + (p->trans_a ? k * p->m + m : m * p->k + k);
}

static uint16_t *b_at(const product *p, int64_t batch, int64_t k, int64_t n)
{
    return p->b + batch * p->n * p->k + (p->trans_b ? n * p->k + k : k * p->n + n);
}

static size_t size_of(const product *p, int which)
{
    const int64_t sizes[3] = {p->m * p->k, p->n * p->k, p->m * p->n};
    return (size_t)(count_of(p) * sizes[which]) * 2;
}

static product product_of(int64_t batch, int64_t m, int64_t n, int64_t k, om_dtype dtype,
                          int trans_a, int trans_b)
{
    product p = {batch, m, n, k, dtype, trans_a, trans_b, NULL, NULL, NULL, {NULL}};
    om_error error = {0};
    p.a = malloc(size_of(&p, 0));
    p.b = malloc(size_of(&p, 1));
    p.d = malloc(size_of(&p, 2));
    assert_true(p.a != NULL && p.b != NULL && p.d != NULL);
    for (int i = 0; i < 3; i++)
        assert_ok(om_memory_create(the.context, size_of(&p, i), &p.on_device[i], &error), &error);
    return p;
}

static void product_release(product *p)
{
    for (int i = 0; i < 3; i++)
        om_memory_destroy(the.context, p->on_device[i]);
    free(p->a);
    free(p->b);
    free(p->d);
}

static void product_upload(const product *p)
{
    om_error error = {0};
    assert_ok(om_memory_upload(the.context, p->on_device[0], p->a, size_of(p, 0), &error), &error);
    assert_ok(om_memory_upload(the.context, p->on_device[1], p->b, size_of(p, 1), &error), &error);
}

static void product_call(om_context *context, const product *p)
{
    om_error error = {0};
    const om_gemm_args gemm = {p->m,
                               p->n,
                               p->k,
                               p->dtype,
                               p->trans_a,
                               p->trans_b,
                               p->on_device[0],
                               p->on_device[1],
                               p->on_device[2]};
    const om_bmm_args bmm = {p->batch,        p->m,           p->n, p->k, p->dtype, p->on_device[0],
                             p->on_device[1], p->on_device[2]};
    if (p->batch == 0)
        assert_ok(om_gemm(context, &gemm, &error), &error);
    else
        assert_ok(om_bmm(context, &bmm, &error), &error);
}

/* Runs into poisoned memory and brings d back. */
static void product_run(const product *p)
{
    om_error error = {0};
    assert_ok(
        the.context->api->set(the.context->device, p->on_device[2], 0xFF, size_of(p, 2), &error),
        &error);
    product_call(the.context, p);
    assert_ok(om_memory_download(the.context, p->d, p->on_device[2], size_of(p, 2), &error),
              &error);
}

static void product_expect(const product *p, int64_t batch, int64_t m, int64_t n, uint16_t expected)
{
    const uint16_t found = p->d[(batch * p->m + m) * p->n + n];
    if (found != expected)
        fail_msg("batch %lld of %lld, %lld x %lld x %lld, %s, trans %d %d: d[%lld][%lld] is %04x, "
                 "not %04x",
                 (long long)batch, (long long)p->batch, (long long)p->m, (long long)p->n,
                 (long long)p->k, om_dtype_name(p->dtype), p->trans_a, p->trans_b, (long long)m,
                 (long long)n, found, expected);
}

/* Sums of integers this small are exact in f32 in any order. */
static void check_integers(product *p)
{
    for (int64_t i = 0; i < count_of(p) * p->m * p->k; i++)
        p->a[i] = narrow(p, (float)((i * 7 + i / 13 + i / 1021) % 7 - 3));
    for (int64_t i = 0; i < count_of(p) * p->n * p->k; i++)
        p->b[i] = narrow(p, (float)((i * 5 + i / 11 + i / 709) % 5 - 2));
    product_upload(p);
    product_run(p);
    for (int64_t batch = 0; batch < count_of(p); batch++)
        for (int64_t m = 0; m < p->m; m++)
            for (int64_t n = 0; n < p->n; n++) {
                float sum = 0.0f;
                for (int64_t k = 0; k < p->k; k++)
                    sum += widen(p, *a_at(p, batch, m, k)) * widen(p, *b_at(p, batch, k, n));
                product_expect(p, batch, m, n, narrow(p, sum));
            }
}

/* A finite positive number of either type, another one for every index below 30,000. */
static uint16_t pattern(int64_t i)
{
    return (uint16_t)(64 + i * 7 % 29989);
}

/* One operand holds the identity (and zeros beyond it), the other a number an index. */
static void check_identity(product *p, bool in_a)
{
    const uint16_t one = narrow(p, 1.0f);
    const int64_t side = in_a ? p->m : p->n;
    for (int64_t batch = 0; batch < count_of(p); batch++) {
        for (int64_t m = 0; m < p->m; m++)
            for (int64_t k = 0; k < p->k; k++)
                *a_at(p, batch, m, k) =
                    in_a ? (m == k ? one : 0) : pattern((batch * p->m + m) * p->k + k);
        for (int64_t k = 0; k < p->k; k++)
            for (int64_t n = 0; n < p->n; n++)
                *b_at(p, batch, k, n) =
                    in_a ? pattern((batch * p->k + k) * p->n + n) : (k == n ? one : 0);
    }
    product_upload(p);
    product_run(p);
    for (int64_t batch = 0; batch < count_of(p); batch++)
        for (int64_t m = 0; m < p->m; m++)
            for (int64_t n = 0; n < p->n; n++) {
                const bool is_inside = (in_a ? m : n) < (side < p->k ? side : p->k);
                const uint16_t other = in_a ? *b_at(p, batch, is_inside ? m : 0, n)
                                            : *a_at(p, batch, m, is_inside ? n : 0);
                product_expect(p, batch, m, n, is_inside ? other : 0);
            }
}

static void test_integers_and_identity(void **state)
{
    static const int64_t shapes[][3] = {
        {64, 128, 128}, {8, 64, 72}, {136, 264, 200}, {328, 184, 64}};
    (void)state;
    gpu_need(&the);
    for (int layout = 0; layout < 5; layout++) /* the fifth is bmm's */
        for (int type = 0; type < 2; type++)
            for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
                product p = product_of(layout == 4 ? 3 : 0, shapes[i][0], shapes[i][1],
                                       shapes[i][2], type ? OM_F16 : OM_BF16,
                                       layout < 4 && layout >> 1, layout < 4 && (layout & 1));
                check_integers(&p);
                check_identity(&p, true);
                check_identity(&p, false);
                product_release(&p);
            }
}

/* A second context on a stream of its own keeps the multiprocessors busy beside the repeats. */
static void check_repeats(product *p, om_context *other, const product *load)
{
    om_error error = {0};
    uint32_t x = 1;
    for (int64_t i = 0; i < count_of(p) * p->m * p->k; i++, x = x * 1664525 + 1013904223)
        p->a[i] = narrow(p, (float)(int)(x >> 16) / 32768.0f - 1.0f);
    for (int64_t i = 0; i < count_of(p) * p->n * p->k; i++, x = x * 1664525 + 1013904223)
        p->b[i] = narrow(p, (float)(int)(x >> 16) / 32768.0f - 1.0f);
    product_upload(p);
    product_run(p);
    uint16_t *first = malloc(size_of(p, 2));
    assert_non_null(first);
    memcpy(first, p->d, size_of(p, 2));
    for (int i = 0; i < REPEATS; i++) {
        for (int j = 0; j < 3; j++)
            product_call(other, load);
        product_run(p);
        assert_memory_equal(first, p->d, size_of(p, 2));
    }
    assert_ok(om_context_synchronize(other, &error), &error);
    free(first);
}

static void test_repeats_beside_other_work(void **state)
{
    om_error error = {0};
    char folder[800];
    void *stream = NULL;
    om_context *other = NULL;
    (void)state;
    gpu_need(&the);
    assert_ok(the.measure->stream_open("cuda:0", &stream, &error), &error);
    const om_context_options options = {.device = "cuda:0",
                                        .library_dir = gpu_object_folder(folder, sizeof folder),
                                        .stream = stream};
    assert_ok(om_context_create(&options, &other, &error), &error);
    product load = product_of(0, 1280, 1280, 2048, OM_BF16, 0, 1);
    memset(load.a, 0, size_of(&load, 0));
    memset(load.b, 0, size_of(&load, 1));
    product_upload(&load);
    for (int layout = 0; layout < 5; layout++)
        for (int type = 0; type < 2; type++) {
            product p = product_of(layout == 4 ? 2 : 0, 520, 1032, 1096, type ? OM_F16 : OM_BF16,
                                   layout < 4 && layout >> 1, layout < 4 && (layout & 1));
            check_repeats(&p, other, &load);
            product_release(&p);
        }
    product_release(&load);
    om_context_destroy(other);
}

/* An argument is a pattern of the names of the tests to run. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers_and_identity),
        cmocka_unit_test(test_repeats_beside_other_work),
    };
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, gpu_set_up, gpu_tear_down);
}
