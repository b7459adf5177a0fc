/* SPDX-License-Identifier: Apache-2.0 */
/* route.h: the routing of tokens to experts, as moe_topk and the fused operators define it. */
#ifndef OM_OPS_ROUTE_H
#define OM_OPS_ROUTE_H

#include <stdbool.h>

#include "opmark/moe_topk.h"

typedef struct om_route {
    int64_t e, k;
    int score; /* an om_moe_score */
    int renormalize;
    double factor; /* routed_scaling_factor */
    om_dtype dtype;
    const void *gating;
    const float *bias; /* NULL: none */
} om_route;

/* What the experts of one token are ordered by, and what they weigh. */
typedef struct om_route_token {
    float *key;    /* [E] the logit, or score + bias */
    double *score; /* [E] */
} om_route_token;

om_status om__route_token_create(const om_route *route, om_route_token *token, om_error *err);
void om__route_token_release(om_route_token *token);

/* Reads token t's logits. */
void om__route_token_load(const om_route *route, int64_t t, om_route_token *token);
/* The K best, best first: NaN keys last, equal keys by lower id. */
void om__route_token_select(const om_route *route, const om_route_token *token, int32_t *ids);
/* The weights of given experts. */
void om__route_token_weigh(const om_route *route, const om_route_token *token, const int32_t *ids,
                           float *weights);
/* Could a rounding of the keys change which experts are chosen? Only ever with a bias. */
bool om__route_token_is_near_tie(const om_route *route, const om_route_token *token,
                                 const int32_t *ids);
/* Are these K ids a choice and an order that the rule for near ties allows? */
bool om__route_token_allows(const om_route *route, const om_route_token *token, const int32_t *ids);

#endif
