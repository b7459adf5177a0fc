/* SPDX-License-Identifier: Apache-2.0 */
/* plugin_benchmark.c: a benchmark of one's own as a plug-in: sorting, checked.
 *
 *     cc -shared -fPIC -O2 -I include examples/plugin_benchmark.c -o plugin_benchmark.so
 *     opmark run --plugin ./plugin_benchmark.so
 *
 * Its cases are timed by the same clock and rules as the operators and land in the same records.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opmark/benchmark.h"

static const om_benchmark_case cases[] = {
    {"sort small", "n=1000", 0, 8000},
    {"sort large", "n=50000", 0, 400000},
};
static const size_t sizes[] = {1000, 50000};

typedef struct sorting {
    uint64_t *drawn, *sorted;
    size_t count;
} sorting;

static om_status open_sort(const om_provider_host *host, void **self, const om_benchmark_case **out,
                           size_t *count, om_error *err)
{
    (void)host;
    (void)err;
    *self = NULL;
    *out = cases;
    *count = sizeof cases / sizeof cases[0];
    return OM_OK;
}

static void release_sort(void *self, void *state)
{
    sorting *s = state;
    (void)self;
    if (s == NULL)
        return;
    free(s->drawn);
    free(s->sorted);
    free(s);
}

static om_status prepare_sort(void *self, size_t index, void **state, om_error *err)
{
    (void)err;
    sorting *s = calloc(1, sizeof *s);
    uint64_t number = 1;
    if (s == NULL)
        return OM_NO_MEMORY;
    s->count = sizes[index];
    s->drawn = malloc(s->count * sizeof *s->drawn);
    s->sorted = malloc(s->count * sizeof *s->sorted);
    if (s->drawn == NULL || s->sorted == NULL) {
        release_sort(self, s);
        return OM_NO_MEMORY;
    }
    for (size_t i = 0; i < s->count; i++) {
        number = number * 6364136223846793005u + 1442695040888963407u;
        s->drawn[i] = number >> 20;
    }
    *state = s;
    return OM_OK;
}

static int compare(const void *a, const void *b)
{
    uint64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

static om_status run_sort(void *self, void *state, om_error *err)
{
    sorting *s = state;
    (void)self;
    (void)err;
    memcpy(s->sorted, s->drawn, s->count * sizeof *s->sorted);
    qsort(s->sorted, s->count, sizeof *s->sorted, compare);
    return OM_OK;
}

static om_status check_sort(void *self, void *state, om_error *err)
{
    const sorting *s = state;
    (void)self;
    for (size_t i = 1; i < s->count; i++)
        if (s->sorted[i - 1] > s->sorted[i]) {
            if (err != NULL)
                snprintf(err->text, sizeof err->text, "element %zu is out of order", i);
            return OM_PROVIDER;
        }
    return OM_OK;
}

OM_API const om_benchmark *om_benchmark_entry(void);

const om_benchmark *om_benchmark_entry(void)
{
    static const om_benchmark benchmark = {
        .abi = OM_BENCHMARK_ABI,
        .suite = "sorting",
        .provider = "qsort",
        .version = "1",
        .open = open_sort,
        .prepare = prepare_sort,
        .run = run_sort,
        .check = check_sort,
        .release = release_sort,
    };
    return &benchmark;
}
