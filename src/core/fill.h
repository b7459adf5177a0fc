/* SPDX-License-Identifier: Apache-2.0 */
/* fill.h: drawing the inputs of an operator, the same bits on every machine and device.
 *
 * value = f(seed, tensor number, flat index) in integer arithmetic, then one f32 multiplication and
 * one rounding to the dtype, so any element can be regenerated alone and a device kernel gives
 * equal bits.
 *
 *     bits(i)   = splitmix64 finaliser of (seed · C1 + tensor · C2 + i · C3), see om__fill_bits
 *     NORMAL    (sum of the four 16-bit parts of bits − 131070) as f32, times (float)(scale /
 * 37837.0) UNIFORM   low + (top 24 bits as f32) · (float)((high − low) / 16777216) INTEGER   low +
 * floor((top 32 bits · (high − low + 1)) / 2^32), both ends included; for float dtypes too IDS rows
 * of `columns` distinct integers out of 0..high, uniform: element j of a row is the j-th draw of a
 *               sampling without repetition that uses bits(row · columns + j) only
 */
#ifndef OM_CORE_FILL_H
#define OM_CORE_FILL_H

#include "opmark/tensor.h"

typedef enum om_fill_kind {
    OM_FILL_NONE =
        0, /* left as it is: outputs, and inputs the contract fills itself (om_op.fill_host) */
    OM_FILL_NORMAL,
    OM_FILL_UNIFORM,
    OM_FILL_INTEGER,
    OM_FILL_IDS,
    OM_FILL_HOST, /* computed on the host by the contract, then uploaded */
} om_fill_kind;

typedef struct om_fill {
    om_fill_kind kind;
    uint64_t seed;
    uint32_t tensor; /* number of the tensor in its operator, so that tensors of one row differ */
    double scale;    /* NORMAL: standard deviation */
    double low, high;
    int64_t columns; /* IDS: the row length */
} om_fill;

static inline uint64_t om__fill_bits(uint64_t seed, uint32_t tensor, uint64_t index)
{
    uint64_t z = seed * 0x9E3779B97F4A7C15u + (uint64_t)tensor * 0xD1B54A32D192ED03u +
                 index * 0x8CB92BA72F3D8DD7u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* Fills a host tensor, in parallel. OM_INVALID for a dtype the kind cannot draw. */
om_status om__fill_tensor(const om_fill *fill, om_tensor *tensor, om_error *err);

/* The bytes an output is poisoned with before a checked call: 0xFF for float dtypes (a NaN in
 * each), 0x7F for the others. */
unsigned char om__poison_byte(om_dtype dtype);

#endif
