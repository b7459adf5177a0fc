/* SPDX-License-Identifier: Apache-2.0 */
/* utf8.h: the one test of what is a well-formed UTF-8 sequence. */
#ifndef OM_BASE_UTF8_H
#define OM_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of the well-formed sequence at the start of text (1 to 4), 0 where there is none:
 * overlong forms, surrogates and values above U+10FFFF are not well formed. */
size_t om__utf8_length(const char *text, size_t size);

/* Writes the code point as 1 to 4 bytes, without a NUL; returns their number. */
size_t om__utf8_encode(uint32_t code, char out[4]);

#endif
