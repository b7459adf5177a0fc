/* SPDX-License-Identifier: Apache-2.0 */
/* popularity.h: how many different experts a batch of tokens is expected to go to. */
#ifndef OM_OPS_POPULARITY_H
#define OM_OPS_POPULARITY_H

#include <stdint.h>

/* t tokens with k distinct choices each, uniform over e experts: e · (1 − (1 − k/e)^t). */
double om__experts_hit(int64_t t, int64_t k, int64_t e);

/* The same where choices go by sigmoid of a standard normal logit plus a normal bias of this
 * deviation, one for each expert: a bias makes some experts popular, so fewer are hit. */
double om__experts_hit_biased(int64_t t, int64_t k, int64_t e, double deviation);

#endif
