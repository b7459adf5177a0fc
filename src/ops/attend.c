/* SPDX-License-Identifier: Apache-2.0 */
/* attend.c: attention by single rows of q over keys and values that were widened once. */
#include "ops/attend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static om_attend complete(om_attend a)
{
    if (a.hkv == 0)
        a.hkv = a.hq;
    if (a.scale == 0)
        a.scale = 1 / sqrt((double)a.d);
    return a;
}

om_attend om__attend_forward(const om_attention_args *p)
{
    return complete((om_attend){p->b, p->s, p->hq, p->hkv, p->d, p->dtype, p->causal, p->scale,
                                p->q, p->k, p->v});
}

om_attend om__attend_backward(const om_attention_backward_args *p)
{
    return complete((om_attend){p->b, p->s, p->hq, p->hkv, p->d, p->dtype, p->causal, p->scale,
                                p->q, p->k, p->v});
}

om_status om__attend_check(const om_attend *a, om_error *err)
{
    OM_TRY(om__dtype_check("dtype", a->dtype, OM_FLOATS_16_32, err));
    OM_TRY(om__finite_check("scale", a->scale, err));
    if (a->hq % a->hkv != 0)
        return om__error_set(err, OM_INVALID, "hq=%lld is no multiple of hkv=%lld",
                             (long long)a->hq, (long long)a->hkv);
    return OM_OK;
}

double om__attend_pairs(const om_attend *a)
{
    double s = (double)a->s;
    return a->causal ? s * (s + 1) / 2 : s * s;
}

int64_t om__attend_rows(const om_attend *a, const om_rows *rows, size_t port,
                        om_attend_layout layout, int64_t b, int64_t first, int64_t heads,
                        int64_t all, om_attend_row *list)
{
    int64_t found = 0;
    if (!rows || !rows[port].index) {
        for (int64_t s = 0; s < a->s; s++)
            for (int64_t h = first; h < first + heads; h++)
                list[found++] = (om_attend_row){s, h};
        return found;
    }
    for (int64_t i = 0; i < rows[port].count; i++) {
        int64_t row = rows[port].index[i], in_batch = row % (a->s * all);
        int64_t s = layout == OM_ROWS_BSH ? in_batch / all : in_batch % a->s;
        int64_t h = layout == OM_ROWS_BSH ? in_batch % all : in_batch / a->s;
        if (row / (a->s * all) == b && h >= first && h < first + heads)
            list[found++] = (om_attend_row){s, h};
    }
    return found;
}

void om__attend_widen(const om_attend *a, const void *x, int64_t b, int64_t first, int64_t heads,
                      int64_t all, float *to)
{
    OM_PARALLEL_FOR(a->s * heads * a->d)
    for (int64_t s = 0; s < a->s; s++) {
        om_matrix row = {x, a->dtype, ((b * a->s + s) * all + first) * a->d, 0, 1};
        om__matrix_load(&row, 0, heads * a->d, to + s * heads * a->d);
    }
}

/* Keys one after another: when a score exceeds all before it, what was summed is scaled down. */
static double attend_row(const om_attend *a, const float *q, const float *k, const float *v,
                         int64_t visible, double *sums)
{
    double top = -INFINITY, total = 0;
    memset(sums, 0, (size_t)a->d * sizeof *sums);
    for (int64_t n = 0; n < visible; n++) {
        double score = a->scale * om__dot(q, k + n * a->d, a->d);
        if (score > top) {
            double shrink = exp(top - score);
            total *= shrink;
            for (int64_t d = 0; v && d < a->d; d++)
                sums[d] *= shrink;
            top = score;
        }
        double p = exp(score - top);
        total += p;
        for (int64_t d = 0; v && d < a->d; d++)
            sums[d] += p * (double)v[n * a->d + d];
    }
    for (int64_t d = 0; v && d < a->d; d++)
        sums[d] /= total;
    return top + log(total);
}

static void attend_group(const om_attend *a, int64_t b, const float *k, const float *v,
                         const om_attend_row *list, int64_t count, void *o, float *lse)
{
    OM_PARALLEL_FOR(count * a->s * a->d)
    for (int64_t i = 0; i < count; i++) {
        int64_t s = list[i].s, h = list[i].h, row = (b * a->s + s) * a->hq + h;
        float q[OM_ATTEND_MAX_D];
        double sums[OM_ATTEND_MAX_D];
        om_matrix from = {a->q, a->dtype, row * a->d, 0, 1};
        om__matrix_load(&from, 0, a->d, q);
        double sum = attend_row(a, q, k, o ? v : NULL, a->causal ? s + 1 : a->s, sums);
        for (int64_t d = 0; o && d < a->d; d++)
            om__store_f64(o, a->dtype, row * a->d + d, sums[d]);
        if (lse)
            lse[(b * a->hq + h) * a->s + s] = (float)sum;
    }
}

om_status om__attend_run(const om_attend *a, void *o, float *lse, const om_rows *rows, size_t port,
                         om_attend_layout layout, om_error *err)
{
    int64_t heads = a->hq / a->hkv;
    float *k = om__scratch(2 * a->s * a->d, sizeof *k, err);
    om_attend_row *list = om__scratch(a->s * heads, sizeof *list, err);
    om_status status = k && list ? OM_OK : OM_NO_MEMORY;
    float *v = k ? k + a->s * a->d : NULL;
    for (int64_t group = 0; status == OM_OK && group < a->b * a->hkv; group++) {
        int64_t b = group / a->hkv, kv = group % a->hkv;
        int64_t count = om__attend_rows(a, rows, port, layout, b, kv * heads, heads, a->hq, list);
        if (count == 0)
            continue;
        om__attend_widen(a, a->k, b, kv, 1, a->hkv, k);
        om__attend_widen(a, a->v, b, kv, 1, a->hkv, v);
        attend_group(a, b, k, v, list, count, o, lse);
    }
    free(list);
    free(k);
    return status;
}
