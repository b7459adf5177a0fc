/* SPDX-License-Identifier: Apache-2.0 */
/* quantise.c: amax and scales of fp8 values. */
#include "ops/quantise.h"

#include <math.h>

#include "core/convert.h"

float om__amax(const void *x, om_dtype dtype, int64_t first, int64_t count)
{
    float amax = 0;
    for (int64_t i = 0; i < count; i++) {
        float value = fabsf((float)om__load_f64(x, dtype, first + i));
        if (value > amax || isnan(value))
            amax = value;
        if (isnan(amax))
            return NAN; /* positive and quiet, whatever NaN was met */
    }
    return amax;
}

float om__fp8_limit(om_dtype dtype)
{
    return dtype == OM_E5M2 ? 57344.0f : 448.0f;
}

float om__quantise_row(const void *x, om_dtype dtype, int64_t first, int64_t count, uint8_t *out)
{
    float amax = om__amax(x, dtype, first, count);
    float scale = (amax < 1e-4f ? 1e-4f : amax) / 448.0f; /* false for NaN, which so stays */
    for (int64_t i = 0; out && i < count; i++)
        out[i] = om__e4m3_from_f32((float)om__load_f64(x, dtype, first + i) / scale);
    return scale;
}
