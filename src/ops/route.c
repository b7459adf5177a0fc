/* SPDX-License-Identifier: Apache-2.0 */
/* route.c: which experts a token goes to, with what weights, and where that is a near tie. */
#include "ops/route.h"

#include <math.h>
#include <stdlib.h>

#include "ops/reference.h"

om_status om__route_token_create(const om_route *route, om_route_token *token, om_error *err)
{
    token->key = om__scratch(route->e, sizeof *token->key, err);
    token->score = om__scratch(route->e, sizeof *token->score, err);
    if (token->key && token->score)
        return OM_OK;
    om__route_token_release(token);
    return OM_NO_MEMORY;
}

void om__route_token_release(om_route_token *token)
{
    free(token->key);
    free(token->score);
    token->key = NULL;
    token->score = NULL;
}

static void score_softmax(const om_route *route, om_route_token *token)
{
    double top = -INFINITY, sum = 0;
    for (int64_t e = 0; e < route->e; e++)
        if (token->key[e] > top)
            top = token->key[e];
    for (int64_t e = 0; e < route->e; e++) {
        token->score[e] = exp(token->key[e] - top); /* NaN and infinities spread by themselves */
        sum += token->score[e];
    }
    for (int64_t e = 0; e < route->e; e++)
        token->score[e] /= sum;
}

void om__route_token_load(const om_route *route, int64_t t, om_route_token *token)
{
    for (int64_t e = 0; e < route->e; e++)
        token->key[e] = (float)om__load_f64(route->gating, route->dtype, t * route->e + e);
    if (route->score == OM_MOE_SOFTMAX) {
        score_softmax(route, token);
        return;
    }
    for (int64_t e = 0; e < route->e; e++)
        token->score[e] = 1 / (1 + exp(-(double)token->key[e]));
    if (route->bias)
        for (int64_t e = 0; e < route->e; e++)
            token->key[e] = (float)token->score[e] + route->bias[e];
}

/* Does expert a come before expert b? */
static bool is_before(const float *key, int32_t a, int32_t b)
{
    bool a_nan = isnan(key[a]), b_nan = isnan(key[b]);
    if (a_nan != b_nan)
        return b_nan;
    if (!a_nan && key[a] != key[b])
        return key[a] > key[b];
    return a < b;
}

static bool is_among(int32_t id, const int32_t *ids, int64_t count)
{
    for (int64_t j = 0; j < count; j++)
        if (ids[j] == id)
            return true;
    return false;
}

/* The best expert that is not among the first `count` of ids; -1 where all are. */
static int32_t best_of_rest(const om_route *route, const om_route_token *token, const int32_t *ids,
                            int64_t count)
{
    int32_t best = -1;
    for (int32_t e = 0; e < route->e; e++)
        if (!is_among(e, ids, count) && (best < 0 || is_before(token->key, e, best)))
            best = e;
    return best;
}

void om__route_token_select(const om_route *route, const om_route_token *token, int32_t *ids)
{
    for (int64_t j = 0; j < route->k; j++)
        ids[j] = best_of_rest(route, token, ids, j);
}

void om__route_token_weigh(const om_route *route, const om_route_token *token, const int32_t *ids,
                           float *weights)
{
    double sum = 0, scale = 1;
    for (int64_t j = 0; j < route->k; j++)
        sum += token->score[ids[j]];
    if (route->renormalize && sum != 0)
        scale = 1 / sum;
    for (int64_t j = 0; j < route->k; j++)
        weights[j] = (float)(token->score[ids[j]] * scale * route->factor);
}

/* Sums this close may change places. */
static bool is_close(float a, float b)
{
    float size = fmaxf(1, fmaxf(fabsf(a), fabsf(b)));
    return fabs((double)a - (double)b) < 0x1p-22 * (double)size;
}

bool om__route_token_is_near_tie(const om_route *route, const om_route_token *token,
                                 const int32_t *ids)
{
    if (!route->bias || route->k >= route->e)
        return false;
    int32_t next = best_of_rest(route, token, ids, route->k);
    return is_close(token->key[ids[route->k - 1]], token->key[next]);
}

bool om__route_token_allows(const om_route *route, const om_route_token *token, const int32_t *ids)
{
    for (int64_t j = 0; j < route->k; j++) {
        if (ids[j] < 0 || ids[j] >= route->e || is_among(ids[j], ids, j))
            return false;
        for (int64_t i = 0; i < j; i++)
            if (!is_before(token->key, ids[i], ids[j]) &&
                !(route->bias && is_close(token->key[ids[i]], token->key[ids[j]])))
                return false;
    }
    int32_t next = best_of_rest(route, token, ids, route->k);
    if (next < 0)
        return true;
    for (int64_t j = 0; j < route->k; j++)
        if (!is_before(token->key, ids[j], next) &&
            !(route->bias && is_close(token->key[ids[j]], token->key[next])))
            return false;
    return true;
}
