/* SPDX-License-Identifier: Apache-2.0 */
/* test_fill.c: the counter-based fill: regenerable alone, of the promised distribution, the same
 * everywhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "core/convert.h"
#include "core/fill.h"

#define COUNT 40000

static om_tensor vector(void *data, om_dtype dtype, int64_t count)
{
    return (om_tensor){.data = data, .dtype = dtype, .rank = 1, .shape = {count}};
}

/* A golden value pins the generator: a change of it would silently change every record's inputs. */
static void bits_are_pinned(void **state)
{
    (void)state;
    uint64_t z = 1 * 0x9E3779B97F4A7C15u + 2 * 0xD1B54A32D192ED03u + 3 * 0x8CB92BA72F3D8DD7u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    assert_true(om__fill_bits(1, 2, 3) == (z ^ (z >> 31)));
    assert_true(om__fill_bits(1, 2, 3) != om__fill_bits(1, 3, 2));
    assert_true(om__fill_bits(0, 0, 0) == 0); /* the one fixed point of the finaliser */
}

static void normal_has_its_mean_and_deviation(void **state)
{
    (void)state;
    static float values[COUNT];
    om_tensor tensor = vector(values, OM_F32, COUNT);
    om_fill fill = {.kind = OM_FILL_NORMAL, .seed = 7, .tensor = 1, .scale = 2};
    assert_int_equal(om__fill_tensor(&fill, &tensor, NULL), OM_OK);
    double sum = 0, squares = 0;
    for (int i = 0; i < COUNT; i++) {
        sum += values[i];
        squares += (double)values[i] * values[i];
    }
    assert_true(fabs(sum / COUNT) < 0.04); /* 4 standard errors */
    assert_true(fabs(sqrt(squares / COUNT) / 2 - 1) < 0.02);
    assert_true(squares > 0);
}

/* Any element can be drawn alone: a tensor that starts later holds other values, one drawn twice
 * the same. */
static void elements_do_not_depend_on_the_run(void **state)
{
    (void)state;
    static uint16_t once[5000], twice[5000];
    om_fill fill = {.kind = OM_FILL_NORMAL, .seed = 11, .tensor = 3, .scale = 1};
    om_tensor whole = vector(once, OM_BF16, 5000), part = vector(twice, OM_BF16, 1234);
    assert_int_equal(om__fill_tensor(&fill, &whole, NULL), OM_OK);
    assert_int_equal(om__fill_tensor(&fill, &part, NULL), OM_OK);
    assert_memory_equal(once, twice, 1234 * sizeof *once);
    uint64_t bits = om__fill_bits(11, 3, 1233);
    int32_t sum = (int32_t)(bits & 0xFFFF) + (int32_t)(bits >> 16 & 0xFFFF) +
                  (int32_t)(bits >> 32 & 0xFFFF) + (int32_t)(bits >> 48) - 131070;
    assert_int_equal(once[1233], om__bf16_from_f32((float)sum * (float)(1 / 37837.0)));
}

static void uniform_and_integers_keep_their_bounds(void **state)
{
    (void)state;
    static float values[COUNT];
    static uint8_t nibbles[COUNT / 2];
    om_tensor tensor = vector(values, OM_F32, COUNT);
    om_fill fill = {.kind = OM_FILL_UNIFORM, .seed = 5, .low = 0.5, .high = 1.5};
    assert_int_equal(om__fill_tensor(&fill, &tensor, NULL), OM_OK);
    double sum = 0;
    for (int i = 0; i < COUNT; i++) {
        assert_true(values[i] >= 0.5f && values[i] <= 1.5f);
        sum += values[i];
    }
    assert_true(fabs(sum / COUNT - 1) < 0.01);
    int seen[16] = {0};
    tensor = vector(nibbles, OM_U4X2, COUNT);
    fill = (om_fill){.kind = OM_FILL_INTEGER, .seed = 5, .low = 0, .high = 15};
    assert_int_equal(om__fill_tensor(&fill, &tensor, NULL), OM_OK);
    for (int i = 0; i < COUNT; i++)
        seen[(int)om__load_f64(nibbles, OM_U4X2, i)]++;
    for (int i = 0; i < 16; i++)
        assert_true(seen[i] > COUNT / 16 * 8 / 10 && seen[i] < COUNT / 16 * 12 / 10);
}

static void ids_are_distinct_and_uniform(void **state)
{
    (void)state;
    enum { ROWS = 4000, K = 4, N = 10 };
    static int32_t ids[ROWS * K];
    om_tensor tensor = {.data = ids, .dtype = OM_I32, .rank = 2, .shape = {ROWS, K}};
    om_fill fill = {.kind = OM_FILL_IDS, .seed = 3, .high = N - 1, .columns = K};
    assert_int_equal(om__fill_tensor(&fill, &tensor, NULL), OM_OK);
    int seen[K][N] = {{0}};
    for (int row = 0; row < ROWS; row++)
        for (int j = 0; j < K; j++) {
            int32_t id = ids[row * K + j];
            assert_true(id >= 0 && id < N);
            for (int i = 0; i < j; i++)
                assert_int_not_equal(ids[row * K + i], id);
            seen[j][id]++;
        }
    for (int j = 0; j < K; j++) /* every place sees every id alike: 400 expected, 19 a deviation */
        for (int id = 0; id < N; id++)
            assert_true(seen[j][id] > 310 && seen[j][id] < 490);
}

static void impossible_fills_are_refused(void **state)
{
    (void)state;
    int32_t ids[4];
    om_error err;
    om_tensor tensor = vector(ids, OM_I32, 4);
    om_fill fill = {.kind = OM_FILL_NORMAL, .scale = 1};
    assert_int_equal(om__fill_tensor(&fill, &tensor, &err), OM_INVALID);
    fill = (om_fill){.kind = OM_FILL_IDS, .high = 2, .columns = 4};
    assert_int_equal(om__fill_tensor(&fill, &tensor, &err), OM_INVALID);
    assert_non_null(strstr(err.text, "4 distinct ids out of 3"));
}

static void poison_is_a_nan_in_every_float_dtype(void **state)
{
    (void)state;
    for (int d = OM_F32; d <= OM_E5M2; d++) {
        unsigned char bytes[4];
        memset(bytes, om__poison_byte((om_dtype)d), sizeof bytes);
        assert_true(isnan(om__load_f64(bytes, (om_dtype)d, 0)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_are_pinned),
        cmocka_unit_test(normal_has_its_mean_and_deviation),
        cmocka_unit_test(elements_do_not_depend_on_the_run),
        cmocka_unit_test(uniform_and_integers_keep_their_bounds),
        cmocka_unit_test(ids_are_distinct_and_uniform),
        cmocka_unit_test(impossible_fills_are_refused),
        cmocka_unit_test(poison_is_a_nan_in_every_float_dtype),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
