/* SPDX-License-Identifier: Apache-2.0 */
/* test_convert.c: the scalar conversions over every 8- and 16-bit pattern, and hand-worked
 * roundings. */
#include "helpers/helper.h"

#include <math.h>
#include <string.h>

#include "core/convert.h"

static void bf16_round_trips(void **state)
{
    (void)state;
    for (uint32_t bits = 0; bits < 65536; bits++) {
        float value = om__f32_from_bf16((uint16_t)bits);
        uint16_t back = om__bf16_from_f32(value);
        if (isnan(value))
            assert_int_equal(back, (bits & 0x8000) | 0x7FC0);
        else
            assert_int_equal(back, bits);
    }
}

static void f16_round_trips_and_agrees_with_compiler(void **state)
{
    (void)state;
#ifndef __FLT16_DIG__
    skip_because("this compiler has no _Float16");
#else
    for (uint32_t bits = 0; bits < 65536; bits++) {
        uint16_t code = (uint16_t)bits;
        _Float16 half;
        memcpy(&half, &code, sizeof half);
        float value = om__f32_from_f16(code);
        if (isnan(value)) {
            assert_true(isnan((float)half));
            assert_int_equal(om__f16_from_f32(value), (bits & 0x8000) | 0x7E00);
            continue;
        }
        assert_true(value == (float)half);
        assert_int_equal(om__f16_from_f32(value), bits);
    }
#endif
}

/* Every bf16 number is a fair spread of f32 inputs; halfway cases of fp16 lie between neighbouring
 * codes. */
static void f16_rounds_as_the_compiler_does(void **state)
{
    (void)state;
#ifndef __FLT16_DIG__
    skip_because("this compiler has no _Float16");
#else
    for (uint32_t high = 0; high < 65536; high++)
        for (uint32_t low = 0; low < 65536; low += 0x1000) {
            uint32_t bits = high << 16 | low;
            float value;
            memcpy(&value, &bits, sizeof value);
            if (isnan(value))
                continue;
            _Float16 half = (_Float16)value;
            uint16_t code;
            memcpy(&code, &half, sizeof code);
            assert_int_equal(om__f16_from_f32(value), code);
        }
#endif
}

/* The nearest code by search over all codes, ties to the even code: slow, and nothing to get wrong.
 */
static uint8_t nearest_code(double value, float (*decode)(uint8_t), int largest)
{
    double magnitude = fabs(value);
    int best = magnitude >= decode((uint8_t)largest) ? largest : 0;
    for (int code = 1; best != largest && code <= largest; code++) {
        double distance = fabs(decode((uint8_t)code) - magnitude);
        double best_distance = fabs(decode((uint8_t)best) - magnitude);
        if (distance < best_distance || (distance == best_distance && code % 2 == 0))
            best = code;
    }
    return (uint8_t)(best | (signbit(value) ? 0x80 : 0));
}

static void check_fp8(float (*decode)(uint8_t), uint8_t (*encode)(float), int largest, int nan_from)
{
    for (int code = 0; code < 256; code++) {
        float value = decode((uint8_t)code);
        if ((code & 0x7F) >= nan_from) {
            assert_true(isnan(value));
            assert_int_equal(encode(value), (code & 0x80) | 0x7F);
        } else if ((code & 0x7F) > largest) {
            assert_true(isinf(value));
            assert_int_equal(encode(value), (code & 0x80) | largest);
        } else {
            assert_int_equal(encode(value), code);
        }
    }
    for (uint32_t bits = 0; bits < 65536; bits++) {
        float value = om__f32_from_bf16((uint16_t)bits);
        if (!isfinite(value))
            continue;
        assert_int_equal(encode(value), nearest_code(value, decode, largest));
    }
}

static void e4m3_is_nearest_even_and_saturates(void **state)
{
    (void)state;
    check_fp8(om__f32_from_e4m3, om__e4m3_from_f32, 0x7E, 0x7F);
    assert_true(om__f32_from_e4m3(0x7E) == 448.0f);
    assert_true(om__f32_from_e4m3(0x01) == 0x1p-9f);
    assert_int_equal(om__e4m3_from_f32(1e30f), 0x7E);
    assert_int_equal(om__e4m3_from_f32(-INFINITY), 0xFE);
    assert_int_equal(om__e4m3_from_f32(17.0f),
                     0x58); /* halfway between 16 and 18: the even code is 16 */
    assert_int_equal(om__e4m3_from_f32(19.0f),
                     0x5A); /* halfway between 18 and 20: the even code is 20 */
}

static void e5m2_is_nearest_even_and_saturates(void **state)
{
    (void)state;
    check_fp8(om__f32_from_e5m2, om__e5m2_from_f32, 0x7B, 0x7D);
    assert_true(om__f32_from_e5m2(0x7B) == 57344.0f);
    assert_true(isinf(om__f32_from_e5m2(0x7C)));
    assert_int_equal(om__e5m2_from_f32(INFINITY), 0x7B);
}

static void bf16_rounds_to_nearest_even(void **state)
{
    (void)state;
    assert_int_equal(om__bf16_from_f32(1.0f + 0x1p-8f), 0x3F80);           /* tie, even below */
    assert_int_equal(om__bf16_from_f32(1.0f + 0x1p-7f + 0x1p-8f), 0x3F82); /* tie, even above */
    assert_int_equal(om__bf16_from_f32(1.0f + 0x1p-8f + 0x1p-20f), 0x3F81);
    assert_int_equal(om__bf16_from_f32(3.4e38f), 0x7F80); /* overflows to infinity */
    assert_int_equal(om__bf16_from_f32(-0.0f), 0x8000);
}

static void nibbles_stand_low_first(void **state)
{
    (void)state;
    uint8_t bytes[2] = {0, 0};
    om__store_f64(bytes, OM_U4X2, 0, 3);
    om__store_f64(bytes, OM_U4X2, 1, 12);
    om__store_f64(bytes, OM_U4X2, 3, 99);
    assert_int_equal(bytes[0], 0xC3);
    assert_int_equal(bytes[1], 0xF0);
    assert_true(om__load_f64(bytes, OM_U4X2, 1) == 12);
}

static void integers_saturate(void **state)
{
    (void)state;
    int32_t small;
    int64_t large;
    om__store_f64(&small, OM_I32, 0, 1e12);
    assert_int_equal(small, INT32_MAX);
    om__store_f64(&small, OM_I32, 0, NAN);
    assert_int_equal(small, 0);
    om__store_f64(&small, OM_I32, 0, 2.5);
    assert_int_equal(small, 2);
    om__store_f64(&large, OM_I64, 0, 1e30);
    assert_true(large == INT64_MAX);
    om__store_f64(&large, OM_I64, 0, -1e30);
    assert_true(large == INT64_MIN);
}

static void arrays_agree_with_elements(void **state)
{
    (void)state;
    static const om_dtype dtypes[] = {OM_F32, OM_BF16, OM_F16, OM_E4M3, OM_E5M2};
    for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++) {
        float values[37], back[37];
        char storage[37 * 4];
        for (int i = 0; i < 37; i++)
            values[i] = (float)(i - 18) * 0.37f;
        om__store_f32_array(storage, dtypes[d], values, 37);
        om__load_f32_array(back, storage, dtypes[d], 37);
        for (int i = 0; i < 37; i++) {
            assert_true((double)back[i] == om__load_f64(storage, dtypes[d], i));
            assert_true(fabsf(back[i] - values[i]) <= fabsf(values[i]) * 0.13f);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bf16_round_trips),
        cmocka_unit_test(f16_round_trips_and_agrees_with_compiler),
        cmocka_unit_test(f16_rounds_as_the_compiler_does),
        cmocka_unit_test(e4m3_is_nearest_even_and_saturates),
        cmocka_unit_test(e5m2_is_nearest_even_and_saturates),
        cmocka_unit_test(bf16_rounds_to_nearest_even),
        cmocka_unit_test(nibbles_stand_low_first),
        cmocka_unit_test(integers_saturate),
        cmocka_unit_test(arrays_agree_with_elements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
