/* SPDX-License-Identifier: Apache-2.0 */
/* tolerance.h: the tolerances of operators.md 5, by the type a result is rounded to. */
#ifndef OM_OPS_TOLERANCE_H
#define OM_OPS_TOLERANCE_H

#include "ops/op.h"

/* rtol f32 2e-5, fp16 1e-3, bf16 1.6e-2; atol = rtol · rms(ref); relative Frobenius error at most
 * rtol / 3 (f32: rtol). Integer dtypes: exact. */
om_tolerance om__tolerance_rounded(om_dtype dtype);

/* Attention: probabilities and gradients of scores may be rounded to the type before they are
 * multiplied, and so may the share of each query head, before the result is. So atol of a 16-bit
 * type is three times that above, of the row's rms where that is larger (rows add up as many
 * roundings as they see keys), and the Frobenius error may reach rtol / 2. */
om_tolerance om__tolerance_rounded_rows(om_dtype dtype);

/* The same for products of fp8 operands: rtol 2e-2. */
om_tolerance om__tolerance_fp8_product(void);

/* Products of int4 weights: rtol 5e-2, atol 7e-2. */
om_tolerance om__tolerance_w4a16(void);

/* fp8 codes: at most one code off, in at most 0.1 % of the values. */
om_tolerance om__tolerance_codes(void);

om_tolerance om__tolerance_exact(void);

#endif
