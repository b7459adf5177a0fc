/* SPDX-License-Identifier: Apache-2.0 */
/* lightning_indexer.c: the contract of scoring queries against the keys of their windows in fp8. */
#include "opmark/lightning_indexer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ops/quantise.h"
#include "ops/reference.h"

static const char *const windows_words[] = {
    [OM_WINDOWS_CAUSAL] = "causal",
    [OM_WINDOWS_FULL] = "full",
    [OM_WINDOWS_BEYOND] = "beyond",
    [OM_WINDOWS_DOCUMENTS] = "documents",
    NULL,
};

static const om_field fields[] = {
    OM_INT_FIELD(om_lightning_indexer_args, b, "1", 1, OM_INT32_MAX, "batch"),
    OM_INT_FIELD(om_lightning_indexer_args, s, NULL, 0, OM_INT32_MAX / 2, "queries"),
    OM_INT_FIELD(om_lightning_indexer_args, n, NULL, 0, OM_INT32_MAX / 2, "keys"),
    OM_INT_FIELD(om_lightning_indexer_args, h, NULL, 1, OM_INT32_MAX, "heads of a query"),
    OM_INT_FIELD(om_lightning_indexer_args, g, "1", 1, OM_INT32_MAX, "groups of heads"),
    OM_INT_FIELD(om_lightning_indexer_args, d, NULL, 1, OM_INT32_MAX, "index dimension"),
    OM_DTYPE_FIELD(om_lightning_indexer_args, dtype, "bf16",
                   "of q and k: bf16 (quantised inside) or e4m3"),
    OM_FLAG_FIELD(om_lightning_indexer_args, has_k_scale, "keys have a scale each (e4m3 only)"),
    OM_FLAG_FIELD(om_lightning_indexer_args, keep_masked,
                  "leave logits outside the window alone instead of writing -infinity"),
    OM_WORD_FIELD(om_lightning_indexer_args, windows, "causal", windows_words,
                  "how the windows are drawn"),
};

enum { Q, K, K_SCALE, WEIGHTS, KS, KE, LOGITS };
static const om_port ports[] = {
    [Q] = OM_IN(om_lightning_indexer_args, q),
    [K] = OM_IN(om_lightning_indexer_args, k),
    [K_SCALE] = OM_IN_OPTIONAL(om_lightning_indexer_args, k_scale),
    [WEIGHTS] = OM_IN(om_lightning_indexer_args, weights),
    [KS] = OM_IN(om_lightning_indexer_args, ks),
    [KE] = OM_IN(om_lightning_indexer_args, ke),
    [LOGITS] = OM_OUT(om_lightning_indexer_args, logits),
};

static om_status check(const void *args, om_error *err)
{
    const om_lightning_indexer_args *p = args;
    OM_TRY(om__dtype_check("dtype", p->dtype, OM_DTYPE_BIT(OM_BF16) | OM_DTYPE_BIT(OM_E4M3), err));
    if (p->h % p->g != 0)
        return om__error_set(err, OM_INVALID, "h=%lld is no multiple of g=%lld", (long long)p->h,
                             (long long)p->g);
    if (p->has_k_scale && p->dtype != OM_E4M3)
        return om__error_set(err, OM_INVALID, "has_k_scale needs dtype=e4m3");
    return OM_OK;
}

static om_status describe(const void *args, om_tensor *tensors, om_error *err)
{
    const om_lightning_indexer_args *p = args;
    OM_TRY(OM_SHAPE(&tensors[Q], p->dtype, err, p->b, p->s, p->h, p->d));
    OM_TRY(OM_SHAPE(&tensors[K], p->dtype, err, p->b, p->n, p->g, p->d));
    tensors[K_SCALE] = (om_tensor){0};
    if (p->has_k_scale)
        OM_TRY(OM_SHAPE(&tensors[K_SCALE], OM_F32, err, p->b, p->n, p->g));
    OM_TRY(OM_SHAPE(&tensors[WEIGHTS], OM_F32, err, p->s, p->h));
    OM_TRY(OM_SHAPE(&tensors[KS], OM_I32, err, p->s));
    OM_TRY(OM_SHAPE(&tensors[KE], OM_I32, err, p->s));
    return OM_SHAPE(&tensors[LOGITS], OM_F32, err, p->b, p->s, p->n * p->g);
}

static void fill(const void *args, size_t port, om_fill *fill)
{
    const om_lightning_indexer_args *p = args;
    if (port == Q || port == K)
        om__fill_set_normal(fill, p->dtype == OM_E4M3 ? 0.25 : 1);
    else if (port == K_SCALE)
        om__fill_set_uniform(fill, 0.5, 1.5);
    else if (port == WEIGHTS)
        om__fill_set_normal(fill, 1);
    else
        om__fill_set_host(fill);
}

/* Query s stands at key position n-s_count+s. Documents are drawn over the keys, each up to a
 * quarter of them long. */
static void draw_windows(const om_lightning_indexer_args *p, uint64_t seed, int32_t *ks,
                         int32_t *ke)
{
    om_draw draw = {.seed = seed, .tensor = KS};
    int64_t start = 0, end = 0;
    for (int64_t s = 0; s < p->s; s++) {
        int64_t at = p->n - p->s + s;
        ks[s] = 0;
        ke[s] = (int32_t)(at + 1 > 0 ? at + 1 : 0);
        if (p->windows == OM_WINDOWS_FULL)
            ke[s] = (int32_t)p->n;
        if (p->windows == OM_WINDOWS_BEYOND) {
            ks[s] = (int32_t)p->n;
            ke[s] = (int32_t)(2 * p->n);
        }
        if (p->windows != OM_WINDOWS_DOCUMENTS || at < 0)
            continue;
        while (end <= at) {
            start = end;
            end += 1 + om__draw_below(&draw, p->n / 4 + 1);
        }
        ks[s] = (int32_t)start;
    }
}

static om_status fill_host(const void *args, size_t port, uint64_t seed, om_tensor *tensors,
                           om_error *err)
{
    const om_lightning_indexer_args *p = args;
    int32_t *other = om__scratch(p->s, sizeof *other, err);
    if (!other)
        return OM_NO_MEMORY;
    draw_windows(p, seed, port == KS ? tensors[port].data : other,
                 port == KE ? tensors[port].data : other);
    free(other);
    return OM_OK;
}

/* The part of a window that lies on keys. */
static void window_clip(const om_lightning_indexer_args *p, const int32_t *ks, const int32_t *ke,
                        int64_t s, int64_t *from, int64_t *to)
{
    *from = ks[s] > 0 ? ks[s] : 0;
    *to = ke[s] < p->n ? ke[s] : p->n;
    if (*to < *from)
        *to = *from;
}

/* Queries and keys that are in no window need not be read. */
static om_work work_of_windows(const om_lightning_indexer_args *p, const int32_t *ks,
                               const int32_t *ke, int32_t *cover)
{
    double pairs = 0, queries = 0, keys = 0;
    memset(cover, 0, (size_t)(p->n + 1) * sizeof *cover);
    for (int64_t s = 0; s < p->s; s++) {
        int64_t from, to;
        window_clip(p, ks, ke, s, &from, &to);
        pairs += (double)(to - from);
        queries += to > from;
        cover[from < p->n ? from : p->n]++;
        cover[to < p->n ? to : p->n]--;
    }
    for (int64_t n = 0, depth = 0; n < p->n; n++) {
        depth += cover[n];
        keys += depth > 0;
    }
    double b = (double)p->b, h = (double)p->h, g = (double)p->g, d = (double)p->d;
    double element = om_dtype_bits(p->dtype) / 8.0;
    double logits = p->keep_masked ? pairs : (double)p->s * (double)p->n;
    return (om_work){
        .flops = 2 * b * d * h * pairs,
        .bytes = 4 * b * g * logits + 8 * (double)p->s + queries * h * (b * d * element + 4) +
                 b * keys * g * (d * element + (p->has_k_scale ? 4 : 0)),
    };
}

static om_work work(const void *args, const om_tensor *tensors)
{
    const om_lightning_indexer_args *p = args;
    om_work result = {0};
    int32_t *cover = om__scratch(p->n + 1, sizeof *cover, NULL);
    int32_t *drawn = om__scratch(2 * p->s, sizeof *drawn, NULL);
    if (cover && tensors && tensors[KS].data && tensors[KE].data) {
        result = work_of_windows(p, tensors[KS].data, tensors[KE].data, cover);
    } else if (cover && drawn) {
        draw_windows(p, 1, drawn, drawn + p->s);
        result = work_of_windows(p, drawn, drawn + p->s, cover);
    }
    free(drawn);
    free(cover);
    return result;
}

static om_tolerance tolerance(const void *args, size_t port)
{
    (void)args;
    (void)port;
    return om__tolerance_fp8_product();
}

/* Keys as the products see them: their e4m3 values, and a factor each. */
static om_status widen_keys(const om_lightning_indexer_args *p, float **values, float **factors,
                            om_error *err)
{
    int64_t rows = p->b * p->n * p->g;
    *values = om__scratch(rows * p->d, sizeof **values, err);
    *factors = om__scratch(rows, sizeof **factors, err);
    uint8_t *codes = om__scratch(p->d, 1, err);
    om_status status = *values && *factors && codes ? OM_OK : OM_NO_MEMORY;
    for (int64_t row = 0; status == OM_OK && row < rows; row++) {
        float *to = *values + row * p->d;
        if (p->dtype == OM_E4M3) {
            (*factors)[row] = p->has_k_scale ? p->k_scale[row] : 1;
            om__load_f32_array(to, (const uint8_t *)p->k + row * p->d, OM_E4M3, p->d);
        } else {
            (*factors)[row] = om__quantise_row(p->k, p->dtype, row * p->d, p->d, codes);
            om__load_f32_array(to, codes, OM_E4M3, p->d);
        }
    }
    free(codes);
    return status;
}

static void widen_query(const om_lightning_indexer_args *p, int64_t row, float *to)
{
    for (int64_t i = 0; i < p->h * p->d; i++) {
        float value = (float)om__load_f64(p->q, p->dtype, row * p->h * p->d + i);
        to[i] = p->dtype == OM_E4M3 ? value : om__f32_from_e4m3(om__e4m3_from_f32(value));
    }
}

static double logit(const om_lightning_indexer_args *p, const float *q, const float *weights,
                    const float *key, int64_t group)
{
    int64_t heads = p->h / p->g;
    double sum = 0;
    for (int64_t h = group * heads; h < (group + 1) * heads; h++) {
        double product = om__dot(q + h * p->d, key, p->d);
        if (product > 0 || isnan(product))
            sum += (double)weights[h] * product;
    }
    return sum;
}

static void score_row(const om_lightning_indexer_args *p, int64_t row, const float *q,
                      const float *values, const float *factors)
{
    int64_t b = row / p->s, s = row % p->s, from, to;
    window_clip(p, p->ks, p->ke, s, &from, &to);
    float *logits = p->logits + row * p->n * p->g;
    OM_PARALLEL_FOR((to - from) * p->h * p->d)
    for (int64_t n = 0; n < p->n; n++) {
        for (int64_t g = 0; g < p->g; g++) {
            int64_t key = (b * p->n + n) * p->g + g;
            if (n >= from && n < to)
                logits[n * p->g + g] =
                    (float)((double)factors[key] *
                            logit(p, q, p->weights + s * p->h, values + key * p->d, g));
            else if (!p->keep_masked)
                logits[n * p->g + g] = -INFINITY;
        }
    }
}

static om_status reference(const void *args, const om_rows *rows, om_error *err)
{
    const om_lightning_indexer_args *p = args;
    float *values = NULL, *factors = NULL;
    float *q = om__scratch(p->h * p->d, sizeof *q, err);
    om_status status = q ? OM_OK : OM_NO_MEMORY;
    if (status != OM_OK)
        goto out;
    OM_TRY_OUT(widen_keys(p, &values, &factors, err));
    int64_t count = om__rows_count(rows, LOGITS, p->b * p->s);
    for (int64_t i = 0; i < count; i++) {
        int64_t row = om__rows_get(rows, LOGITS, i);
        widen_query(p, row, q);
        score_row(p, row, q, values, factors);
    }
out:
    free(factors);
    free(values);
    free(q);
    return status;
}

const om_op om_op_lightning_indexer = {
    .name = "lightning_indexer",
    .pass = "forward",
    .summary = "scores of queries against the keys of their windows, in fp8",
    .args_size = sizeof(om_lightning_indexer_args),
    .fields = fields,
    .field_count = OM_COUNT(fields),
    .ports = ports,
    .port_count = OM_COUNT(ports),
    .dtype_field = "dtype",
    .check = check,
    .describe = describe,
    .fill = fill,
    .fill_host = fill_host,
    .work = work,
    .tolerance = tolerance,
    .reference = reference,
};
