/* SPDX-License-Identifier: Apache-2.0 */
/* dtype.h: the element types of tensors.
 *
 * Conversions round to nearest, ties to even, and keep NaN a NaN. e4m3 is the OCP "fn" variant
 * (largest value 448, no infinity): values beyond the range saturate. e5m2 (largest value 57344)
 * saturates as well. bf16 and fp16 overflow to infinity.
 */
#ifndef OPMARK_DTYPE_H
#define OPMARK_DTYPE_H

#include <stddef.h>
#include <stdint.h>

#include "opmark/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum om_dtype {
    OM_DTYPE_DEFAULT = 0, /* in an argument struct: the operator's documented default */
    OM_F32,
    OM_BF16,
    OM_F16,
    OM_E4M3,
    OM_E5M2,
    OM_U4X2, /* two unsigned nibbles a byte, the element with the even index in the low one */
    OM_U8,
    OM_I32,
    OM_I64,
    OM_DTYPE_COUNT
} om_dtype;

/* Short name ("bf16", "fp16", "f32", "e4m3", "e5m2", "u4x2", "u8", "i32", "i64"); "default" for
 * OM_DTYPE_DEFAULT, "unknown" outside the enumeration. Never NULL. */
OM_API const char *om_dtype_name(om_dtype dtype);

/* Accepts the short names and the common long ones (bfloat16, torch.bfloat16, float16, float32,
 * float8_e4m3fn, float8_e5m2, uint8, int32, int64). OM_INVALID with the list of names otherwise;
 * *dtype is then untouched. */
OM_API OM_MUST_USE om_status om_dtype_parse(const char *text, om_dtype *dtype, om_error *err);

/* Bits of one element: 4 for OM_U4X2, 0 for OM_DTYPE_DEFAULT and values outside the enumeration. */
OM_API int om_dtype_bits(om_dtype dtype);

/* 1 for the floating-point types. */
OM_API int om_dtype_is_float(om_dtype dtype);

#ifdef __cplusplus
}
#endif

#endif
