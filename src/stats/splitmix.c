/* SPDX-License-Identifier: Apache-2.0 */
/* splitmix.c: the generator that draws launch orders. */
#include "stats/splitmix.h"

uint64_t om__splitmix_next(om_splitmix *generator)
{
    generator->state += 0x9E3779B97F4A7C15u;
    uint64_t z = generator->state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

uint64_t om__splitmix_below(om_splitmix *generator, uint64_t n)
{
    uint64_t reject = (0 - n) % n; /* 2^64 mod n */
    uint64_t x;
    do
        x = om__splitmix_next(generator);
    while (x < reject);
    return x % n;
}

double om__splitmix_uniform(om_splitmix *generator)
{
    return (double)(om__splitmix_next(generator) >> 11) * 0x1p-53;
}

void om__splitmix_shuffle(om_splitmix *generator, size_t *items, size_t n)
{
    for (size_t i = n; i-- > 1;) {
        size_t j = (size_t)om__splitmix_below(generator, i + 1);
        size_t held = items[i];
        items[i] = items[j];
        items[j] = held;
    }
}
