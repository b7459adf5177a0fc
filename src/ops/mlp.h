/* SPDX-License-Identifier: Apache-2.0 */
/* mlp.h: the experts' MLP for some rows, as moe_gate_up, moe_experts and the fused operators define
 * it.
 */
#ifndef OM_OPS_MLP_H
#define OM_OPS_MLP_H

#include "opmark/moe_gate_up.h"
#include "ops/reference.h"

/* out[r, 0..f-1] = act(a_r · gateᵀ) · (a_r · upᵀ) for row index[r] of a; b holds the f gate rows
 * and then the f up rows of the expert, k elements each. */
typedef struct om_gate_up {
    int64_t rows, f, k;
    const int64_t *index;
    om_matrix a, b;
    int activation; /* an om_activation */
    float *out;
} om_gate_up;

om_status om__reference_gate_up(const om_gate_up *gate_up, om_error *err);

/* The experts of one rank. */
typedef struct om_experts {
    int64_t h, f, e, k, e_local;
    om_dtype dtype;
    const void *hidden, *w_gate_up, *w_down;
    const int32_t *map; /* NULL: ids are local */
} om_experts;

/* Adds to sums[i, 0..h-1] the weighted experts of token tokens[i] (NULL: i), for `count` tokens
 * whose ids and weights are [count,k]. */
om_status om__reference_experts(const om_experts *experts, int64_t count, const int64_t *tokens,
                                const int32_t *ids, const float *weights, double *sums,
                                om_error *err);

#endif
