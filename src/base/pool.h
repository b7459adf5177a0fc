/* SPDX-License-Identifier: Apache-2.0 */
/* pool.h: texts and small blocks kept once, however often they are seen.
 *
 * A set of records repeats the same few texts a hundred thousand times; each is stored once here
 * and lives as long as the pool.
 */
#ifndef OM_BASE_POOL_H
#define OM_BASE_POOL_H

#include <stddef.h>

typedef struct om_pool om_pool;

om_pool *om__pool_create(void); /* NULL: no memory */
void om__pool_destroy(om_pool *pool);

/* The one copy of these bytes, followed by a NUL and aligned for pointers; equal bytes yield the
 * same pointer. NULL: no memory. */
void *om__pool_keep(om_pool *pool, const void *bytes, size_t size);

/* Storage of its own (aligned for pointers, not initialised), freed with the pool. */
void *om__pool_reserve(om_pool *pool, size_t size);

#endif
