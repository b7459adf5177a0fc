/* SPDX-License-Identifier: Apache-2.0 */
/* contract.c: the checks that contracts share. */
#include "ops/contract.h"

#include <math.h>

om_status om__dtype_check(const char *field, om_dtype dtype, unsigned allowed, om_error *err)
{
    if ((unsigned)dtype < OM_DTYPE_COUNT && (allowed & OM_DTYPE_BIT(dtype)))
        return OM_OK;
    char names[96] = "";
    size_t used = 0;
    unsigned left = allowed;
    for (om_dtype d = OM_F32; d < OM_DTYPE_COUNT; d++) {
        if (!(left & OM_DTYPE_BIT(d)))
            continue;
        left &= ~OM_DTYPE_BIT(d);
        const char *join = used == 0 ? "" : left == 0 ? " or " : ", ";
        for (const char *part = join; *part && used + 1 < sizeof names; part++)
            names[used++] = *part;
        for (const char *part = om_dtype_name(d); *part && used + 1 < sizeof names; part++)
            names[used++] = *part;
    }
    names[used] = '\0';
    return om__error_set(err, OM_INVALID, "%s is %s, must be %s", field, om_dtype_name(dtype),
                         names);
}

om_status om__index_check(const char *what, int64_t a, int64_t b, om_error *err)
{
    int64_t product;
    if (__builtin_mul_overflow(a, b, &product) || product > INT32_MAX)
        return om__error_set(err, OM_INVALID, "%s is %lld times %lld, more than an int32 holds",
                             what, (long long)a, (long long)b);
    return OM_OK;
}

om_status om__finite_check(const char *field, double value, om_error *err)
{
    if (!isfinite(value))
        return om__error_set(err, OM_INVALID, "%s must be finite", field);
    return OM_OK;
}
