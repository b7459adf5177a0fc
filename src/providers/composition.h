/* SPDX-License-Identifier: Apache-2.0 */
/* composition.h: what the families of the provider `composition` share: its state, workspace cut
 * into blocks, and the rows that each family adds to the table.
 */
#ifndef OM_PROVIDERS_COMPOSITION_H
#define OM_PROVIDERS_COMPOSITION_H

#include <stddef.h>
#include <stdint.h>

#include "opmark/opmark.h"
#include "providers/providers.h"

typedef struct om__composition {
    om_context *context;
    int threads;
} om__composition;

/* Blocks on cache lines, one after another. */
static inline size_t om__block_bytes(int64_t count, size_t element)
{
    return ((size_t)count * element + 63) / 64 * 64;
}

static inline void *om__block_take(char **at, int64_t count, size_t element)
{
    void *block = *at;
    *at += om__block_bytes(count, element);
    return block;
}

static inline size_t om__element_of(om_dtype dtype)
{
    return (size_t)om_dtype_bits(dtype) / 8;
}

/* The rows of a family, ended by one without an operator. */
extern const om_serve om__composition_moe[];
extern const om_serve om__composition_attention[];
extern const om_serve om__composition_indexer[];
extern const om_serve om__composition_fp8[];

#endif
