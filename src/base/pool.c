/* SPDX-License-Identifier: Apache-2.0 */
/* pool.c: the interning table and its arena. */
#include "base/pool.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

#define CHUNK_SIZE ((size_t)1 << 18)

typedef struct chunk {
    struct chunk *next;
    size_t used, size;
    _Alignas(16) char bytes[];
} chunk;

typedef struct slot {
    uint64_t hash;
    size_t size;
    char *bytes; /* NULL: free */
} slot;

struct om_pool {
    chunk *chunks;
    slot *slots;
    size_t count, capacity; /* of slots; a power of two */
};

om_pool *om__pool_create(void)
{
    return calloc(1, sizeof(om_pool));
}

void om__pool_destroy(om_pool *pool)
{
    if (pool == NULL)
        return;
    while (pool->chunks != NULL) {
        chunk *next = pool->chunks->next;
        free(pool->chunks);
        pool->chunks = next;
    }
    free(pool->slots);
    free(pool);
}

void *om__pool_reserve(om_pool *pool, size_t size)
{
    if (size > SIZE_MAX / 2)
        return NULL;
    size = (size + 7) & ~(size_t)7;
    chunk *c = pool->chunks;
    if (c == NULL || c->size - c->used < size) {
        size_t room = size > CHUNK_SIZE ? size : CHUNK_SIZE;
        c = malloc(sizeof *c + room);
        if (c == NULL)
            return NULL;
        c->used = 0;
        c->size = room;
        c->next = pool->chunks;
        pool->chunks = c;
    }
    void *place = c->bytes + c->used;
    c->used += size;
    return place;
}

static int grow(om_pool *pool)
{
    size_t capacity = pool->capacity == 0 ? 256 : pool->capacity * 2;
    slot *slots = calloc(capacity, sizeof *slots);
    if (slots == NULL)
        return 0;
    for (size_t i = 0; i < pool->capacity; i++) {
        if (pool->slots[i].bytes == NULL)
            continue;
        size_t at = pool->slots[i].hash & (capacity - 1);
        while (slots[at].bytes != NULL)
            at = (at + 1) & (capacity - 1);
        slots[at] = pool->slots[i];
    }
    free(pool->slots);
    pool->slots = slots;
    pool->capacity = capacity;
    return 1;
}

void *om__pool_keep(om_pool *pool, const void *bytes, size_t size)
{
    if (pool->count * 4 >= pool->capacity * 3 && !grow(pool))
        return NULL;
    uint64_t hash = om__hash_quick(bytes, size, 0);
    size_t at = hash & (pool->capacity - 1);
    for (; pool->slots[at].bytes != NULL; at = (at + 1) & (pool->capacity - 1))
        if (pool->slots[at].hash == hash && pool->slots[at].size == size &&
            memcmp(pool->slots[at].bytes, bytes, size) == 0)
            return pool->slots[at].bytes;
    char *copy = om__pool_reserve(pool, size + 1);
    if (copy == NULL)
        return NULL;
    if (size > 0)
        memcpy(copy, bytes, size);
    copy[size] = '\0';
    pool->slots[at] = (slot){hash, size, copy};
    pool->count++;
    return copy;
}
