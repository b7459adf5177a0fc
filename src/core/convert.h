/* SPDX-License-Identifier: Apache-2.0 */
/* convert.h: element conversions between f32 and the narrow types, and integers as f64.
 *
 * The scalar forms are the definition that every vector kernel and device kernel is tested against,
 * over all 8- and 16-bit patterns.
 */
#ifndef OM_CORE_CONVERT_H
#define OM_CORE_CONVERT_H

#include <stdint.h>

#include "opmark/dtype.h"

float om__f32_from_bf16(uint16_t bits);
float om__f32_from_f16(uint16_t bits);
float om__f32_from_e4m3(uint8_t bits);
float om__f32_from_e5m2(uint8_t bits);
uint16_t om__bf16_from_f32(float value); /* NaN keeps its sign and becomes quiet: 0x7FC0 */
uint16_t om__f16_from_f32(float value);  /* overflows to infinity */
uint8_t om__e4m3_from_f32(
    float value); /* saturates, infinity included, to ±448; NaN becomes 0x7F with its sign */
uint8_t om__e5m2_from_f32(
    float value); /* saturates, infinity included, to ±57344; NaN becomes 0x7F with its sign */

/* Element `index` of an array of any dtype as f64 (i64 beyond 2^53 rounds). OM_U4X2 counts nibbles.
 */
double om__load_f64(const void *array, om_dtype dtype, int64_t index);
/* The reverse, by the rules of dtype.h; integers round to nearest even and saturate, NaN becomes 0.
 */
void om__store_f64(void *array, om_dtype dtype, int64_t index, double value);

/* Whole arrays of the float dtypes, to and from f32. */
void om__load_f32_array(float *to, const void *from, om_dtype dtype, int64_t count);
void om__store_f32_array(void *to, om_dtype dtype, const float *from, int64_t count);

#endif
