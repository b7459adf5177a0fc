/* SPDX-License-Identifier: Apache-2.0 */
/* moe_routing.h: how rows spread over experts when a benchmark draws them; calls ignore it. */
#ifndef OPMARK_MOE_ROUTING_H
#define OPMARK_MOE_ROUTING_H

/* For drawn ids (each row holds distinct experts) and for drawn group sizes alike. */
typedef enum om_moe_routing {
    OM_MOE_UNIFORM = 0, /* ids uniform over the experts; sizes equal, the remainder to the first */
    OM_MOE_SKEWED,      /* most rows on a fifth of the experts, about one row on each other */
    OM_MOE_ZIPF,        /* expert number r drawn with weight 1/(r+1), experts shuffled */
    OM_MOE_ONE,         /* all tokens choose experts 0..K-1; all rows in group 0 */
} om_moe_routing;

#endif
