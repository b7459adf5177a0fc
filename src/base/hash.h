/* SPDX-License-Identifier: Apache-2.0 */
/* hash.h: a 128-bit fingerprint of bytes, to recognise what was seen before.
 *
 * It is stored in files, so its values never change. It is no protection against someone who wants
 * two texts to collide.
 */
#ifndef OM_BASE_HASH_H
#define OM_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

typedef struct om_hash {
    uint64_t a, b;
    uint64_t size;
} om_hash;

void om__hash_init(om_hash *hash);
void om__hash_add(om_hash *hash, const void *bytes, size_t size);
/* The text and its end, so that "ab" "c" and "a" "bc" differ; NULL differs from "". */
void om__hash_add_text(om_hash *hash, const char *text);
void om__hash_finish(const om_hash *hash, unsigned char out[16]);
/* Many bytes at once, eight a step: another value than om__hash_add gives, as lasting. */
void om__hash_add_block(om_hash *hash, const void *bytes, size_t size);
/* As 32 hexadecimal digits. */
void om__hash_format(const om_hash *hash, char out[33]);

/* For tables in memory: quick, of 64 bits, and not the same on every machine. */
uint64_t om__hash_quick(const void *bytes, size_t size, uint64_t seed);

#endif
