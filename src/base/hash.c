/* SPDX-License-Identifier: Apache-2.0 */
/* hash.c: the 128-bit fingerprint. */
#include "base/hash.h"

#include <stdio.h>
#include <string.h>

/* The finaliser of a 64-bit splitmix generator: every bit of the input moves half of the output. */
static uint64_t mix(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xBF58476D1CE4E5B9u;
    x ^= x >> 27;
    x *= 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

void om__hash_init(om_hash *hash)
{
    *hash = (om_hash){0x243F6A8885A308D3u, 0x13198A2E03707344u, 0}; /* digits of pi */
}

/* Byte by byte, so that the value does not depend on how the bytes were cut into calls or on the
 * order of bytes in a word. */
void om__hash_add(om_hash *hash, const void *bytes, size_t size)
{
    const unsigned char *p = bytes;
    uint64_t a = hash->a, b = hash->b;
    for (size_t i = 0; i < size; i++) {
        a = (a ^ p[i]) * 0x100000001B3u;
        b = (b + p[i] + 1) * 0x9E3779B97F4A7C15u;
        b ^= b >> 29;
    }
    hash->a = a;
    hash->b = b;
    hash->size += size;
}

static uint64_t word_at(const unsigned char *p)
{
    uint64_t word = 0;
    for (int i = 7; i >= 0; i--)
        word = word << 8 | p[i];
    return word;
}

void om__hash_add_block(om_hash *hash, const void *bytes, size_t size)
{
    const unsigned char *p = bytes;
    uint64_t lanes[4] = {1, 2, 3, 4}; /* four chains, since each waits for its own product */
    for (; size >= 32; size -= 32, p += 32)
        for (int i = 0; i < 4; i++) {
            lanes[i] = (lanes[i] ^ word_at(p + 8 * i)) * 0x9E3779B97F4A7C15u;
            lanes[i] ^= lanes[i] >> 32;
        }
    for (int i = 0; i < 4; i++) {
        unsigned char lane[8];
        for (int k = 0; k < 8; k++)
            lane[k] = (unsigned char)(lanes[i] >> 8 * k);
        om__hash_add(hash, lane, sizeof lane);
    }
    om__hash_add(hash, p, size);
}

uint64_t om__hash_quick(const void *bytes, size_t size, uint64_t seed)
{
    const unsigned char *p = bytes;
    uint64_t hash = (seed + 0x9E3779B97F4A7C15u) ^ size;
    for (; size >= 8; size -= 8, p += 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        hash = (hash ^ word) * 0xFF51AFD7ED558CCDu;
        hash ^= hash >> 32;
    }
    for (; size > 0; size--, p++)
        hash = (hash ^ *p) * 0x100000001B3u;
    hash ^= hash >> 29;
    return hash * 0x9E3779B97F4A7C15u ^ hash >> 32;
}

void om__hash_add_text(om_hash *hash, const char *text)
{
    if (text == NULL)
        om__hash_add(hash, "\xFF", 1);
    else
        om__hash_add(hash, text, strlen(text) + 1);
}

void om__hash_finish(const om_hash *hash, unsigned char out[16])
{
    uint64_t words[2] = {mix(hash->a + hash->size), mix(hash->b ^ hash->a)};
    for (int i = 0; i < 16; i++)
        out[i] = (unsigned char)(words[i / 8] >> (56 - 8 * (i % 8)));
}

void om__hash_format(const om_hash *hash, char out[33])
{
    unsigned char bytes[16];
    om__hash_finish(hash, bytes);
    for (int i = 0; i < 16; i++)
        snprintf(out + 2 * i, 3, "%02x", bytes[i]);
}
