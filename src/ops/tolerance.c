/* SPDX-License-Identifier: Apache-2.0 */
/* tolerance.c: the numbers of tolerance.h; they stand nowhere else. */
#include "ops/tolerance.h"

static om_tolerance relative(double rtol, double frobenius)
{
    return (om_tolerance){.rtol = rtol, .atol_rms = rtol, .frobenius = frobenius};
}

om_tolerance om__tolerance_rounded(om_dtype dtype)
{
    switch (dtype) {
    case OM_F32:
        return relative(2e-5, 2e-5);
    case OM_F16:
        return relative(1e-3, 1e-3 / 3);
    case OM_BF16:
        return relative(1.6e-2, 1.6e-2 / 3);
    case OM_E4M3:
    case OM_E5M2:
        return om__tolerance_codes();
    default:
        return om__tolerance_exact();
    }
}

om_tolerance om__tolerance_rounded_rows(om_dtype dtype)
{
    om_tolerance tolerance = om__tolerance_rounded(dtype);
    tolerance.by_row = true;
    if (om_dtype_bits(dtype) == 16) {
        tolerance.atol_rms *= 3;
        tolerance.frobenius *= 1.5;
    }
    return tolerance;
}

om_tolerance om__tolerance_fp8_product(void)
{
    return relative(2e-2, 2e-2 / 3);
}

om_tolerance om__tolerance_w4a16(void)
{
    return (om_tolerance){.rtol = 5e-2, .atol_abs = 7e-2, .frobenius = 5e-2 / 3};
}

om_tolerance om__tolerance_codes(void)
{
    return (om_tolerance){.max_codes = 1, .max_share = 1e-3};
}

om_tolerance om__tolerance_exact(void)
{
    return (om_tolerance){.exact = true};
}
