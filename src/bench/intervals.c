/* SPDX-License-Identifier: Apache-2.0 */
/* intervals.c: the union of the intervals of a call, and whose call a record belongs to. */
#include "bench/intervals.h"

#include <stdlib.h>
#include <string.h>

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_intervals(const void *a, const void *b)
{
    const om_interval *x = a, *y = b;
    int order = compare_numbers(x->owner, y->owner);
    if (order == 0)
        order = compare_numbers(x->start, y->start);
    return order != 0 ? order : compare_numbers(x->end, y->end);
}

void om__intervals_sort(om_interval *intervals, size_t count)
{
    if (count > 1)
        qsort(intervals, count, sizeof *intervals, compare_intervals);
}

/* Index of the first interval of an owner, or where it would stand. */
static size_t first_of(const om_interval *sorted, size_t count, uint64_t owner)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sorted[middle].owner < owner)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void om__intervals_busy(const om_interval *sorted, size_t count, uint64_t owner, om_busy *busy)
{
    uint64_t first = 0, covered_to = 0, covered = 0;
    int sound = 0;
    memset(busy, 0, sizeof *busy);
    for (size_t i = first_of(sorted, count, owner); i < count && sorted[i].owner == owner; i++) {
        uint64_t start = sorted[i].start, end = sorted[i].end;
        busy->count++;
        if (end < start || end == 0) {
            busy->damaged++;
            continue;
        }
        if (sound++ == 0) {
            first = start;
            covered_to = start;
        }
        if (start < covered_to)
            start = covered_to;
        if (end > start) {
            covered += end - start;
            covered_to = end;
        } else if (end > covered_to) {
            covered_to = end;
        }
    }
    busy->busy_ns = (double)covered;
    busy->span_ns = sound > 0 ? (double)(covered_to - first) : 0;
    busy->gap_ns = busy->span_ns - busy->busy_ns;
}

static int compare_owners(const void *a, const void *b)
{
    const om_api_owner *x = a, *y = b;
    int order = compare_numbers(x->api_call, y->api_call);
    /* Numbers grow with time, so the larger one is the innermost: it was pushed last. */
    return order != 0 ? order : compare_numbers(x->owner, y->owner);
}

size_t om__api_owners_sort(om_api_owner *owners, size_t count)
{
    size_t kept = 0;
    if (count > 1)
        qsort(owners, count, sizeof *owners, compare_owners);
    for (size_t i = 0; i < count; i++) {
        if (kept > 0 && owners[kept - 1].api_call == owners[i].api_call)
            owners[kept - 1] = owners[i];
        else
            owners[kept++] = owners[i];
    }
    return kept;
}

uint64_t om__api_owner_find(const om_api_owner *sorted, size_t count, uint32_t api_call)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sorted[middle].api_call < api_call)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && sorted[low].api_call == api_call ? sorted[low].owner : 0;
}
