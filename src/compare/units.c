/* SPDX-License-Identifier: Apache-2.0 */
/* units.c: units of measured values: which convert into which, and by what factor. */
#include "compare/units.h"

#include <stddef.h>
#include <string.h>

typedef enum dimension { TIME, BYTES, BYTE_RATE, FLOP_RATE, EVENT_RATE, FREQUENCY } dimension;

typedef struct unit {
    const char *name;
    dimension dimension;
    double factor; /* to seconds, bytes, bytes/s, FLOP/s, 1/s, Hz */
} unit;

#define KI 1024.0

static const unit units[] = {
    {"ns", TIME, 1e-9},
    {"us", TIME, 1e-6},
    {"\xc2\xb5s", TIME, 1e-6}, /* micro sign */
    {"\xce\xbcs", TIME, 1e-6}, /* Greek mu */
    {"ms", TIME, 1e-3},
    {"s", TIME, 1},
    {"sec", TIME, 1},
    {"seconds", TIME, 1},
    {"min", TIME, 60},
    {"h", TIME, 3600},
    {"B", BYTES, 1},
    {"bytes", BYTES, 1},
    {"kB", BYTES, 1e3},
    {"KB", BYTES, 1e3},
    {"MB", BYTES, 1e6},
    {"GB", BYTES, 1e9},
    {"TB", BYTES, 1e12},
    {"KiB", BYTES, KI},
    {"MiB", BYTES, KI *KI},
    {"GiB", BYTES, KI *KI *KI},
    {"TiB", BYTES, KI *KI *KI *KI},
    {"B/s", BYTE_RATE, 1},
    {"bytes/s", BYTE_RATE, 1},
    {"kB/s", BYTE_RATE, 1e3},
    {"KB/s", BYTE_RATE, 1e3},
    {"MB/s", BYTE_RATE, 1e6},
    {"GB/s", BYTE_RATE, 1e9},
    {"TB/s", BYTE_RATE, 1e12},
    {"KiB/s", BYTE_RATE, KI},
    {"MiB/s", BYTE_RATE, KI *KI},
    {"GiB/s", BYTE_RATE, KI *KI *KI},
    {"TiB/s", BYTE_RATE, KI *KI *KI *KI},
    {"FLOP/s", FLOP_RATE, 1},
    {"MFLOP/s", FLOP_RATE, 1e6},
    {"GFLOP/s", FLOP_RATE, 1e9},
    {"TFLOP/s", FLOP_RATE, 1e12},
    {"PFLOP/s", FLOP_RATE, 1e15},
    {"FLOPS", FLOP_RATE, 1},
    {"GFLOPS", FLOP_RATE, 1e9},
    {"TFLOPS", FLOP_RATE, 1e12},
    {"GFLOPs", FLOP_RATE, 1e9},
    {"TFLOPs", FLOP_RATE, 1e12},
    {"ops/s", EVENT_RATE, 1},
    {"items/s", EVENT_RATE, 1},
    {"tokens/s", EVENT_RATE, 1},
    {"1/s", EVENT_RATE, 1},
    {"Hz", FREQUENCY, 1},
    {"kHz", FREQUENCY, 1e3},
    {"MHz", FREQUENCY, 1e6},
    {"GHz", FREQUENCY, 1e9},
};

static const unit *find(const char *name)
{
    for (size_t i = 0; name != NULL && i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i].name, name) == 0)
            return &units[i];
    return NULL;
}

bool om__unit_factor(const char *from, const char *to, double *factor)
{
    const unit *a = find(from), *b = find(to);
    *factor = 1.0;
    if (strcmp(from != NULL ? from : "", to != NULL ? to : "") == 0)
        return true;
    /* ops/s and tokens/s count different things */
    if (a == NULL || b == NULL || a->dimension != b->dimension || a->dimension == EVENT_RATE)
        return false;
    *factor = a->factor / b->factor;
    return true;
}

bool om__unit_is_time(const char *name, double *to_ms)
{
    const unit *found = find(name);
    *to_ms = 1.0;
    if (found == NULL || found->dimension != TIME)
        return false;
    *to_ms = found->factor * 1e3;
    return true;
}

om_better om__unit_better(const char *name)
{
    const unit *found = find(name);
    if (found == NULL)
        return OM_BETTER_UNKNOWN;
    switch (found->dimension) {
    case TIME:
        return OM_BETTER_LOWER;
    case BYTE_RATE:
    case FLOP_RATE:
    case EVENT_RATE:
        return OM_BETTER_HIGHER;
    default:
        return OM_BETTER_UNKNOWN;
    }
}
