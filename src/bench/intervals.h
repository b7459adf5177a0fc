/* SPDX-License-Identifier: Apache-2.0 */
/* intervals.h: the device time of one call from the intervals of its kernels.
 *
 * Device records give a start and an end per kernel. Kernels of one call may overlap (several
 * streams, early launch) and leave gaps, so a call has two times: busy, the length of the union of
 * its intervals, and span, from the first start to the last end; the gap is what lies between them.
 */
#ifndef OM_BENCH_INTERVALS_H
#define OM_BENCH_INTERVALS_H

#include <stddef.h>
#include <stdint.h>

/* One record of device work: which call caused it, when it ran. Times in ns of the device's clock.
 */
typedef struct om_interval {
    uint64_t owner; /* the call; records are attributed by this number alone, never by time */
    uint64_t start, end;
} om_interval;

typedef struct om_busy {
    double busy_ns, span_ns, gap_ns;
    int count;   /* intervals of this owner */
    int damaged; /* of them without times or with an end before their start: not in the sums */
} om_busy;

/* Sorts by owner, then start: what om__intervals_busy expects. */
void om__intervals_sort(om_interval *intervals, size_t count);

/* The times of one owner in a sorted array; all zero where it has none. */
void om__intervals_busy(const om_interval *sorted, size_t count, uint64_t owner, om_busy *busy);

/* ---- attribution: records name an API call, another kind of record says who made that call ----
 */

typedef struct om_api_owner {
    uint32_t api_call; /* correlation number of the runtime or driver call */
    uint64_t owner;
} om_api_owner;

/* Sorts by call. A call that appears more than once keeps one entry: the owner pushed last. Returns
 * the new count. */
size_t om__api_owners_sort(om_api_owner *owners, size_t count);

/* The owner of a call in a sorted array, or 0: nobody's. */
uint64_t om__api_owner_find(const om_api_owner *sorted, size_t count, uint32_t api_call);

#endif
