/* SPDX-License-Identifier: Apache-2.0 */
/* splitmix.h: the generator that draws launch orders: a 64-bit seed in the record tells them all.
 *
 * SplitMix64 by Steele, Lea and Flood (OOPSLA 2014), with its published constants.
 */
#ifndef OM_STATS_SPLITMIX_H
#define OM_STATS_SPLITMIX_H

#include <stddef.h>
#include <stdint.h>

typedef struct om_splitmix {
    uint64_t state; /* starts as the seed */
} om_splitmix;

uint64_t om__splitmix_next(om_splitmix *generator);
/* Unbiased in 0 .. n - 1; n > 0. */
uint64_t om__splitmix_below(om_splitmix *generator, uint64_t n);
/* Uniform in [0, 1), 53 bits. */
double om__splitmix_uniform(om_splitmix *generator);
void om__splitmix_shuffle(om_splitmix *generator, size_t *items, size_t n);

#endif
