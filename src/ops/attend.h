/* SPDX-License-Identifier: Apache-2.0 */
/* attend.h: attention of the query heads that share a key head, for references and fills.
 *
 * Work goes by batch and key head: the tensors of one such group are widened to f32 once, and then
 * serve all rows that are asked for of it.
 */
#ifndef OM_OPS_ATTEND_H
#define OM_OPS_ATTEND_H

#include "opmark/attention.h"
#include "ops/reference.h"

enum { OM_ATTEND_MAX_D = 1024 };

/* What both passes share. */
typedef struct om_attend {
    int64_t b, s, hq, hkv, d;
    om_dtype dtype;
    int causal;
    double scale;
    const void *q, *k, *v;
} om_attend;

/* With hkv 0 as hq and scale 0 as 1/sqrt(d). */
om_attend om__attend_forward(const om_attention_args *args);
om_attend om__attend_backward(const om_attention_backward_args *args);

om_status om__attend_check(const om_attend *attend, om_error *err);
/* Visible (query, key) pairs of one head. */
double om__attend_pairs(const om_attend *attend);

/* Rows of a tensor whose axes are in either order. */
typedef enum om_attend_layout {
    OM_ROWS_BSH, /* (b·S + s)·heads + h */
    OM_ROWS_BHS, /* (b·heads + h)·S + s */
} om_attend_layout;

/* A row of a tensor: its position and the head it belongs to. */
typedef struct om_attend_row {
    int64_t s, h;
} om_attend_row;

/* The rows asked for of `port` that lie in batch b and in heads first..first+heads-1 of `all`, into
 * list (room for S·heads); returns how many. */
int64_t om__attend_rows(const om_attend *attend, const om_rows *rows, size_t port,
                        om_attend_layout layout, int64_t b, int64_t first, int64_t heads,
                        int64_t all, om_attend_row *list);

/* Widens heads first..first+heads-1 of batch b of a [B,S,all,D] tensor to [S,heads,D]. */
void om__attend_widen(const om_attend *attend, const void *x, int64_t b, int64_t first,
                      int64_t heads, int64_t all, float *to);

/* Makes o and lse, or one of them where the other is NULL, for the rows asked for of `port`, whose
 * rows are laid out so. rows NULL: all. */
om_status om__attend_run(const om_attend *attend, void *o, float *lse, const om_rows *rows,
                         size_t port, om_attend_layout layout, om_error *err);

#endif
