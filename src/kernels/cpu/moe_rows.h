/* SPDX-License-Identifier: Apache-2.0 */
/* moe_rows.h: routing of tokens and sums of rows, one table a level. */
#ifndef OM_KERNELS_CPU_MOE_ROWS_H
#define OM_KERNELS_CPU_MOE_ROWS_H

#include <stdint.h>

#include "opmark/moe_topk.h"

/* How tokens are routed; as om_moe_topk_args. */
typedef struct om__routing {
    int64_t e, k;
    int score, renormalize;
    float factor;
    const float *bias; /* NULL: none */
    const void *gating;
    float *weights;
    int32_t *ids;
} om__routing;

/* Tokens [first, last); scratch: om__route_scratch_bytes(e). */
typedef void (*om__route_fn)(const om__routing *routing, int64_t first, int64_t last,
                             float *scratch);

/* to = sum over j < k of weights[j] · rows[index[j]], negative indices left out. */
typedef struct om__row_sum {
    const void *rows;
    int64_t h, k;
    const int32_t *index;
    const int32_t *next; /* the index of the sum that follows, to be asked for; or NULL */
    const float *weights;
    void *to;
    int stream; /* past the cache */
} om__row_sum;

typedef void (*om__sum_rows_fn)(const om__row_sum *sum);

typedef struct om__moe_level {
    om__route_fn route[OM_DTYPE_COUNT];
    /* Rows and `to` of one type; sum_wide_rows: rows are f32. */
    om__sum_rows_fn sum_rows[OM_DTYPE_COUNT], sum_wide_rows[OM_DTYPE_COUNT];
    /* One row to `count` places. */
    void (*spread)(char *const *to, int64_t count, const char *from, int64_t bytes, int stream);
    void (*fence)(void); /* after streaming copies */
} om__moe_level;

extern const om__moe_level om__moe_scalar;
extern const om__moe_level om__moe_avx2;
extern const om__moe_level om__moe_avx512;

enum { OM__ROUTED_AT_ONCE = 4 };

/* A score, a key and at most one key of a group an expert, in whole vectors of any level. */
static inline int64_t om__route_scratch_bytes(int64_t e)
{
    return OM__ROUTED_AT_ONCE * 3 * ((e + 15) / 16 * 16) * (int64_t)sizeof(float) + 64;
}

#endif
