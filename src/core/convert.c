/* SPDX-License-Identifier: Apache-2.0 */
/* convert.c: the scalar conversions: the definition that faster ones are tested against.
 *
 * Plain integer arithmetic on the bits, so the results depend on no rounding mode and no denormal
 * mode of the processor.
 */
#include "core/convert.h"

#include <math.h>
#include <string.h>

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* A small binary float: sign, `exponent` bits of exponent, `mantissa` bits of mantissa. */
typedef struct small_float {
    int exponent, mantissa;
    uint32_t max_code; /* largest finite magnitude */
    uint32_t nan_code;
    int has_infinity; /* values that round beyond max_code become infinity, else they saturate */
} small_float;

static const small_float f16 = {5, 10, 0x7BFF, 0x7E00, 1};
static const small_float e4m3 = {4, 3, 0x7E, 0x7F, 0};
static const small_float e5m2 = {5, 2, 0x7B, 0x7F, 0};

/* The magnitude bits of |value| (no NaN) in the format, rounded to nearest even. */
static uint32_t encode(const small_float *format, uint32_t magnitude)
{
    int bias = (1 << (format->exponent - 1)) - 1;
    int exponent = (int)(magnitude >> 23) - 127;
    uint32_t code;
    if (exponent < -126) {
        code = 0; /* an f32 denormal is below half of the smallest value of every format here */
    } else {
        uint32_t significand = (magnitude & 0x7FFFFF) | 0x800000;
        int drop = 23 - format->mantissa;
        int denormal = 1 - bias - exponent; /* > 0: how far below the normal range */
        if (denormal > 0)
            drop += denormal;
        if (drop > 25) {
            code = 0;
        } else {
            uint32_t kept = significand >> drop;
            uint32_t rest = significand & ((1u << drop) - 1);
            uint32_t half = 1u << (drop - 1);
            kept += rest > half || (rest == half && (kept & 1));
            /* A normal value has its hidden bit in `kept`; adding it to the exponent field carries.
             */
            code =
                denormal > 0 ? kept : ((uint32_t)(exponent + bias - 1) << format->mantissa) + kept;
        }
    }
    if (code <= format->max_code)
        return code;
    return format->has_infinity ? format->max_code + 1 : format->max_code;
}

static uint32_t encode_signed(const small_float *format, float value)
{
    uint32_t bits = bits_of(value);
    uint32_t magnitude = bits & 0x7FFFFFFF;
    uint32_t sign = (bits >> 31) << (format->exponent + format->mantissa);
    if (magnitude > 0x7F800000)
        return sign | format->nan_code;
    if (magnitude == 0x7F800000)
        return sign | (format->has_infinity ? format->max_code + 1 : format->max_code);
    return sign | encode(format, magnitude);
}

/* Every code but NaN and infinity, which the callers handle. */
static float decode(const small_float *format, uint32_t code)
{
    int bias = (1 << (format->exponent - 1)) - 1;
    uint32_t sign = code >> (format->exponent + format->mantissa);
    int exponent = (int)(code >> format->mantissa) & ((1 << format->exponent) - 1);
    uint32_t mantissa = code & ((1u << format->mantissa) - 1);
    float magnitude = exponent == 0 ? ldexpf((float)mantissa, 1 - bias - format->mantissa)
                                    : ldexpf((float)(mantissa + (1u << format->mantissa)),
                                             exponent - bias - format->mantissa);
    return sign ? -magnitude : magnitude;
}

float om__f32_from_bf16(uint16_t bits)
{
    return float_of((uint32_t)bits << 16);
}

float om__f32_from_f16(uint16_t bits)
{
    uint32_t magnitude = bits & 0x7FFF;
    uint32_t sign = (uint32_t)(bits & 0x8000) << 16;
    if (magnitude > 0x7C00)
        return float_of(sign | 0x7FC00000 | (magnitude & 0x3FF) << 13);
    if (magnitude == 0x7C00)
        return float_of(sign | 0x7F800000);
    return decode(&f16, bits);
}

float om__f32_from_e4m3(uint8_t bits)
{
    if ((bits & 0x7F) == 0x7F)
        return float_of((uint32_t)(bits & 0x80) << 24 | 0x7FC00000);
    return decode(&e4m3, bits);
}

float om__f32_from_e5m2(uint8_t bits)
{
    uint32_t magnitude = bits & 0x7F;
    uint32_t sign = (uint32_t)(bits & 0x80) << 24;
    if (magnitude > 0x7C)
        return float_of(sign | 0x7FC00000);
    if (magnitude == 0x7C)
        return float_of(sign | 0x7F800000);
    return decode(&e5m2, bits);
}

uint16_t om__bf16_from_f32(float value)
{
    uint32_t bits = bits_of(value);
    if ((bits & 0x7FFFFFFF) > 0x7F800000)
        return (uint16_t)((bits >> 16 & 0x8000) | 0x7FC0);
    return (uint16_t)((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

uint16_t om__f16_from_f32(float value)
{
    return (uint16_t)encode_signed(&f16, value);
}

uint8_t om__e4m3_from_f32(float value)
{
    return (uint8_t)encode_signed(&e4m3, value);
}

uint8_t om__e5m2_from_f32(float value)
{
    return (uint8_t)encode_signed(&e5m2, value);
}

double om__load_f64(const void *array, om_dtype dtype, int64_t index)
{
    switch (dtype) {
    case OM_F32:
        return ((const float *)array)[index];
    case OM_BF16:
        return om__f32_from_bf16(((const uint16_t *)array)[index]);
    case OM_F16:
        return om__f32_from_f16(((const uint16_t *)array)[index]);
    case OM_E4M3:
        return om__f32_from_e4m3(((const uint8_t *)array)[index]);
    case OM_E5M2:
        return om__f32_from_e5m2(((const uint8_t *)array)[index]);
    case OM_U4X2:
        return ((const uint8_t *)array)[index / 2] >> (index % 2 * 4) & 15;
    case OM_U8:
        return ((const uint8_t *)array)[index];
    case OM_I32:
        return ((const int32_t *)array)[index];
    case OM_I64:
        return (double)((const int64_t *)array)[index];
    default:
        return NAN;
    }
}

static double clamp_integer(double value, double low, double high)
{
    if (isnan(value))
        return 0;
    value = nearbyint(value);
    return value < low ? low : value > high ? high : value;
}

void om__store_f64(void *array, om_dtype dtype, int64_t index, double value)
{
    switch (dtype) {
    case OM_F32:
        ((float *)array)[index] = (float)value;
        break;
    case OM_BF16:
        ((uint16_t *)array)[index] = om__bf16_from_f32((float)value);
        break;
    case OM_F16:
        ((uint16_t *)array)[index] = om__f16_from_f32((float)value);
        break;
    case OM_E4M3:
        ((uint8_t *)array)[index] = om__e4m3_from_f32((float)value);
        break;
    case OM_E5M2:
        ((uint8_t *)array)[index] = om__e5m2_from_f32((float)value);
        break;
    case OM_U4X2: {
        uint8_t *byte = (uint8_t *)array + index / 2;
        int shift = (int)(index % 2) * 4;
        int nibble = (int)clamp_integer(value, 0, 15);
        *byte = (uint8_t)((*byte & ~(15 << shift)) | nibble << shift);
        break;
    }
    case OM_U8:
        ((uint8_t *)array)[index] = (uint8_t)clamp_integer(value, 0, 255);
        break;
    case OM_I32:
        ((int32_t *)array)[index] = (int32_t)clamp_integer(value, INT32_MIN, INT32_MAX);
        break;
    case OM_I64:
        if (value >= 0x1p63)
            ((int64_t *)array)[index] = INT64_MAX;
        else
            ((int64_t *)array)[index] = (int64_t)clamp_integer(value, -0x1p63, 0x1p63);
        break;
    default:
        break;
    }
}

void om__load_f32_array(float *to, const void *from, om_dtype dtype, int64_t count)
{
    switch (dtype) {
    case OM_F32:
        memcpy(to, from, (size_t)count * sizeof *to);
        break;
    case OM_BF16:
        for (int64_t i = 0; i < count; i++)
            to[i] = om__f32_from_bf16(((const uint16_t *)from)[i]);
        break;
    case OM_F16:
        for (int64_t i = 0; i < count; i++)
            to[i] = om__f32_from_f16(((const uint16_t *)from)[i]);
        break;
    default:
        for (int64_t i = 0; i < count; i++)
            to[i] = (float)om__load_f64(from, dtype, i);
    }
}

void om__store_f32_array(void *to, om_dtype dtype, const float *from, int64_t count)
{
    switch (dtype) {
    case OM_F32:
        memcpy(to, from, (size_t)count * sizeof *from);
        break;
    case OM_BF16:
        for (int64_t i = 0; i < count; i++)
            ((uint16_t *)to)[i] = om__bf16_from_f32(from[i]);
        break;
    default:
        for (int64_t i = 0; i < count; i++)
            om__store_f64(to, dtype, i, from[i]);
    }
}
