/* SPDX-License-Identifier: Apache-2.0 */
/* anchor.h: what the memory gives a program that does nothing but move bytes: a copy past the cache
 * and a read, measured in the rounds of the rows whose rates are compared with them.
 */
#ifndef OM_BENCH_ANCHOR_H
#define OM_BENCH_ANCHOR_H

#include "opmark/status.h"

typedef struct om_anchor om_anchor;

/* Buffers that together are far beyond the last-level cache, their pages touched by the threads
 * that will use them. */
om_status om__anchor_create(int threads, om_anchor **anchor, om_error *err);
void om__anchor_destroy(om_anchor *anchor); /* NULL: nothing */

/* One call moves the next om__anchor_bytes(): half of them read and half written past the cache, or
 * all of them read. What a call reads was not touched for the length of the buffers. */
double om__anchor_bytes(void);
om_status om__anchor_copy(void *anchor, om_error *err);
om_status om__anchor_read(void *anchor, om_error *err);

#endif
