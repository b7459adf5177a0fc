/* SPDX-License-Identifier: Apache-2.0 */
/* fill.c: drawing host tensors from the counter-based generator of fill.h. */
#include "core/fill.h"

#include <string.h>

#include "base/error.h"
#include "core/convert.h"

static float draw_normal(uint64_t bits, float factor)
{
    int32_t sum = (int32_t)(bits & 0xFFFF) + (int32_t)(bits >> 16 & 0xFFFF) +
                  (int32_t)(bits >> 32 & 0xFFFF) + (int32_t)(bits >> 48) - 131070;
    return (float)sum * factor;
}

static float draw_uniform(uint64_t bits, float low, float step)
{
    return low + (float)(uint32_t)(bits >> 40) * step;
}

static int64_t draw_integer(uint64_t bits, int64_t low, uint64_t range)
{
    return low + (int64_t)(((bits >> 32) * range) >> 32);
}

/* Robert Floyd's sampling without repetition, which needs one number a draw: step j draws from
 * 0..n−columns+j and takes that upper end itself when the draw is already in the row. The row is
 * then put into a random order by the low halves of the same numbers. */
static void draw_ids(const om_fill *fill, int64_t row, int64_t n, int32_t *ids)
{
    int64_t columns = fill->columns;
    for (int64_t j = 0; j < columns; j++) {
        uint64_t bits = om__fill_bits(fill->seed, fill->tensor, (uint64_t)(row * columns + j));
        int64_t top = n - columns + j;
        int32_t id = (int32_t)draw_integer(bits, 0, (uint64_t)top + 1);
        for (int64_t i = 0; i < j; i++)
            if (ids[i] == id) {
                id = (int32_t)top;
                break;
            }
        ids[j] = id;
        int64_t other = (int64_t)(((bits & 0xFFFFFFFF) * (uint64_t)(j + 1)) >> 32);
        ids[j] = ids[other];
        ids[other] = id;
    }
}

static om_status fill_ids(const om_fill *fill, om_tensor *tensor, om_error *err)
{
    int64_t n = (int64_t)fill->high + 1;
    int64_t count = om_tensor_count(tensor);
    if (tensor->dtype != OM_I32)
        return om__error_set(err, OM_INVALID, "ids are drawn as i32, not %s",
                             om_dtype_name(tensor->dtype));
    if (fill->columns < 1 || fill->columns > n || n > INT32_MAX || count % fill->columns != 0)
        return om__error_set(err, OM_INVALID, "cannot draw rows of %lld distinct ids out of %lld",
                             (long long)fill->columns, (long long)n);
    int32_t *ids = tensor->data;
#pragma omp parallel for schedule(static)
    for (int64_t row = 0; row < count / fill->columns; row++)
        draw_ids(fill, row, n, ids + row * fill->columns);
    return OM_OK;
}

/* Blocks keep the conversion of a whole run of elements in one call, and nibble pairs in one
 * thread. */
#define BLOCK 1024

static void fill_block(const om_fill *fill, const om_tensor *tensor, int64_t first, int64_t count)
{
    float normal = (float)(fill->scale / 37837.0);
    float low = (float)fill->low;
    float step = (float)((fill->high - fill->low) / 16777216);
    uint64_t range = (uint64_t)((int64_t)fill->high - (int64_t)fill->low) + 1;
    float values[BLOCK];
    if (fill->kind == OM_FILL_INTEGER) {
        for (int64_t i = 0; i < count; i++) {
            uint64_t bits = om__fill_bits(fill->seed, fill->tensor, (uint64_t)(first + i));
            int64_t value = draw_integer(bits, (int64_t)fill->low, range);
            om__store_f64(tensor->data, tensor->dtype, first + i, (double)value);
        }
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        uint64_t bits = om__fill_bits(fill->seed, fill->tensor, (uint64_t)(first + i));
        values[i] = fill->kind == OM_FILL_NORMAL ? draw_normal(bits, normal)
                                                 : draw_uniform(bits, low, step);
    }
    char *to = (char *)tensor->data + first * om_dtype_bits(tensor->dtype) / 8;
    om__store_f32_array(to, tensor->dtype, values, count);
}

om_status om__fill_tensor(const om_fill *fill, om_tensor *tensor, om_error *err)
{
    if (fill->kind == OM_FILL_NONE || om_tensor_count(tensor) == 0)
        return OM_OK;
    if (fill->kind == OM_FILL_IDS)
        return fill_ids(fill, tensor, err);
    if (fill->kind == OM_FILL_HOST)
        return om__error_set(err, OM_INTERNAL, "a host-drawn tensor has no counter-based fill");
    if (fill->kind != OM_FILL_INTEGER && !om_dtype_is_float(tensor->dtype))
        return om__error_set(err, OM_INVALID, "a %s tensor can only be drawn as integers",
                             om_dtype_name(tensor->dtype));
    int64_t count = om_tensor_count(tensor);
#pragma omp parallel for schedule(static)
    for (int64_t first = 0; first < count; first += BLOCK)
        fill_block(fill, tensor, first, count - first < BLOCK ? count - first : BLOCK);
    return OM_OK;
}

unsigned char om__poison_byte(om_dtype dtype)
{
    return om_dtype_is_float(dtype) ? 0xFF : 0x7F;
}
