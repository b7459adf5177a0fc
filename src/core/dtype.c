/* SPDX-License-Identifier: Apache-2.0 */
/* dtype.c: names and sizes of the element types, and tensor descriptions. */
#include "opmark/dtype.h"

#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "opmark/tensor.h"

typedef struct dtype_facts {
    const char *name;
    const char *aliases[3];
    int bits;
    int is_float;
} dtype_facts;

static const dtype_facts facts[OM_DTYPE_COUNT] = {
    [OM_DTYPE_DEFAULT] = {"default", {NULL}, 0, 0},
    [OM_F32] = {"f32", {"float32", "fp32", "torch.float32"}, 32, 1},
    [OM_BF16] = {"bf16", {"bfloat16", "torch.bfloat16"}, 16, 1},
    [OM_F16] = {"fp16", {"float16", "f16", "torch.float16"}, 16, 1},
    [OM_E4M3] = {"e4m3", {"float8_e4m3fn", "e4m3fn", "torch.float8_e4m3fn"}, 8, 1},
    [OM_E5M2] = {"e5m2", {"float8_e5m2", "torch.float8_e5m2"}, 8, 1},
    [OM_U4X2] = {"u4x2", {"uint4", "int4"}, 4, 0},
    [OM_U8] = {"u8", {"uint8", "torch.uint8"}, 8, 0},
    [OM_I32] = {"i32", {"int32", "torch.int32"}, 32, 0},
    [OM_I64] = {"i64", {"int64", "torch.int64"}, 64, 0},
};

static int is_known(om_dtype dtype)
{
    return (unsigned)dtype < OM_DTYPE_COUNT;
}

const char *om_dtype_name(om_dtype dtype)
{
    return is_known(dtype) ? facts[dtype].name : "unknown";
}

int om_dtype_bits(om_dtype dtype)
{
    return is_known(dtype) ? facts[dtype].bits : 0;
}

int om_dtype_is_float(om_dtype dtype)
{
    return is_known(dtype) ? facts[dtype].is_float : 0;
}

static int is_named(const dtype_facts *fact, const char *text)
{
    if (strcmp(text, fact->name) == 0)
        return 1;
    for (size_t i = 0; i < sizeof fact->aliases / sizeof *fact->aliases; i++)
        if (fact->aliases[i] != NULL && strcmp(text, fact->aliases[i]) == 0)
            return 1;
    return 0;
}

om_status om_dtype_parse(const char *text, om_dtype *dtype, om_error *err)
{
    for (int i = OM_DTYPE_DEFAULT + 1; i < OM_DTYPE_COUNT; i++)
        if (is_named(&facts[i], text)) {
            *dtype = (om_dtype)i;
            return OM_OK;
        }
    return om__error_set(
        err, OM_INVALID,
        "unknown dtype '%s': one of f32, bf16, fp16, e4m3, e5m2, u4x2, u8, i32, i64", text);
}

int64_t om_tensor_count(const om_tensor *tensor)
{
    if (tensor->dtype == OM_DTYPE_DEFAULT)
        return 0;
    int64_t count = 1;
    for (int i = 0; i < tensor->rank; i++)
        count *= tensor->shape[i];
    return count;
}

int64_t om_tensor_size_bytes(const om_tensor *tensor)
{
    int64_t count = om_tensor_count(tensor);
    int bits = om_dtype_bits(tensor->dtype);
    return bits == 4 ? (count + 1) / 2 : count * (bits / 8);
}

om_status om_tensor_init(om_tensor *tensor, om_dtype dtype, int rank, const int64_t *shape,
                         om_error *err)
{
    if (dtype <= OM_DTYPE_DEFAULT || dtype >= OM_DTYPE_COUNT)
        return om__error_set(err, OM_INVALID, "a tensor needs a dtype, not %d", (int)dtype);
    if (rank < 1 || rank > OM_MAX_RANK)
        return om__error_set(err, OM_INVALID, "a tensor of %d dimensions: 1 to %d are possible",
                             rank, OM_MAX_RANK);
    /* The product is bounded with empty axes left out, so that no order of axes can overflow. */
    int64_t size = (om_dtype_bits(dtype) + 7) / 8;
    for (int i = 0; i < rank; i++) {
        if (shape[i] < 0)
            return om__error_set(err, OM_INVALID, "dimension %d of a tensor is negative (%lld)", i,
                                 (long long)shape[i]);
        if (shape[i] > 0 && __builtin_mul_overflow(size, shape[i], &size))
            return om__error_set(err, OM_INVALID, "the size of a tensor overflows 64 bits");
    }
    *tensor = (om_tensor){.dtype = dtype, .rank = rank};
    memcpy(tensor->shape, shape, (size_t)rank * sizeof *shape);
    return OM_OK;
}
