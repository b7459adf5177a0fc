/* SPDX-License-Identifier: Apache-2.0 */
/* contract.h: short forms for writing contracts: table rows, shapes, fills.
 *
 * The name of a field or port is the name of its member in the argument struct.
 */
#ifndef OM_OPS_CONTRACT_H
#define OM_OPS_CONTRACT_H

#include "base/error.h"
#include "ops/op.h"
#include "ops/tolerance.h"

/* ---- fields ---- */

#define OM_INT_FIELD(args, member, standard, low, high, help)                                      \
    {                                                                                              \
#member, OM_FIELD_INT, offsetof(args, member), standard, NULL, low, high, help             \
    }
#define OM_FLAG_FIELD(args, member, help)                                                          \
    {                                                                                              \
#member, OM_FIELD_FLAG, offsetof(args, member), "0", NULL, 0, 1, help                      \
    }
#define OM_FLOAT_FIELD(args, member, standard, help)                                               \
    {                                                                                              \
#member, OM_FIELD_FLOAT, offsetof(args, member), standard, NULL, 0, 0, help                \
    }
#define OM_DTYPE_FIELD(args, member, standard, help)                                               \
    {                                                                                              \
#member, OM_FIELD_DTYPE, offsetof(args, member), standard, NULL, 0, 0, help                \
    }
#define OM_WORD_FIELD(args, member, standard, words, help)                                         \
    {                                                                                              \
#member, OM_FIELD_WORD, offsetof(args, member), standard, words, 0, 0, help                \
    }

/* The largest value of a field that ends up in an int32. */
#define OM_INT32_MAX 2147483647.0
#define OM_INT_MAX   4611686018427387904.0

/* ---- ports ---- */

#define OM_IN(args, member)                                                                        \
    {                                                                                              \
#member, offsetof(args, member), OM_PORT_IN, false, false                                  \
    }
#define OM_IN_OPTIONAL(args, member)                                                               \
    {                                                                                              \
#member, offsetof(args, member), OM_PORT_IN, true, false                                   \
    }
#define OM_WEIGHT(args, member)                                                                    \
    {                                                                                              \
#member, offsetof(args, member), OM_PORT_IN, false, true                                   \
    }
#define OM_OUT(args, member)                                                                       \
    {                                                                                              \
#member, offsetof(args, member), OM_PORT_OUT, false, false                                 \
    }
#define OM_OUT_OPTIONAL(args, member)                                                              \
    {                                                                                              \
#member, offsetof(args, member), OM_PORT_OUT, true, false                                  \
    }

#define OM_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- shapes ---- */

/* om_tensor_init with the dimensions written out. */
#define OM_SHAPE(tensor, dtype, err, ...)                                                          \
    om_tensor_init(tensor, dtype, (int)OM_COUNT(((int64_t[]){__VA_ARGS__})),                       \
                   (int64_t[]){__VA_ARGS__}, err)

#define OM_DTYPE_BIT(dtype) (1u << (dtype))
#define OM_FLOATS_16        (OM_DTYPE_BIT(OM_BF16) | OM_DTYPE_BIT(OM_F16))
#define OM_FLOATS_16_32     (OM_FLOATS_16 | OM_DTYPE_BIT(OM_F32))

/* OM_INVALID ("dtype is i32, must be bf16, fp16 or f32") unless the dtype's bit is in `allowed`. */
om_status om__dtype_check(const char *field, om_dtype dtype, unsigned allowed, om_error *err);
/* OM_INVALID unless the product of two sizes fits in an int32 (indices are stored as int32). */
om_status om__index_check(const char *what, int64_t a, int64_t b, om_error *err);
/* OM_INVALID unless the value is finite. */
om_status om__finite_check(const char *field, double value, om_error *err);

/* ---- fills ---- */

static inline void om__fill_set_normal(om_fill *fill, double scale)
{
    fill->kind = OM_FILL_NORMAL;
    fill->scale = scale;
}

static inline void om__fill_set_uniform(om_fill *fill, double low, double high)
{
    fill->kind = OM_FILL_UNIFORM;
    fill->low = low;
    fill->high = high;
}

/* Rows of `columns` distinct ids out of 0..count-1. */
static inline void om__fill_set_ids(om_fill *fill, int64_t columns, int64_t count)
{
    fill->kind = OM_FILL_IDS;
    fill->columns = columns;
    fill->high = (double)(count - 1);
}

static inline void om__fill_set_host(om_fill *fill)
{
    fill->kind = OM_FILL_HOST;
}

#endif
