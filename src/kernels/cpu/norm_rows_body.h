/* SPDX-License-Identifier: Apache-2.0 */
/* norm_rows_body.h: the row functions of the norms, written once for every level.
 *
 * TOGETHER rows are worked on at once: what belongs to a column is loaded once for them, and stores
 * past the cache reach their full rate only when they go to several places in turn. While a group
 * of rows is scaled the sums of the next one are taken, so that the memory is never left waiting.
 * The flag `mean` of a function is a constant at its calls: layer norm where 1, RMS norm where 0.
 */
#include "kernels/cpu/norm_rows.h"
#include "kernels/cpu/vec.h"

#define AT(p, i) ((const char *)(p) + vec_bytes(dtype, i))

VEC_INLINE float sum_row(om_dtype dtype, const void *x, int64_t h)
{
    vf sum[4] = {vf_zero(), vf_zero(), vf_zero(), vf_zero()};
    int64_t j = 0;
    for (; j + 4 * LANES <= h; j += 4 * LANES)
        for (int u = 0; u < 4; u++)
            sum[u] = vf_add(sum[u], vf_load_as(dtype, AT(x, j + u * LANES)));
    for (; j < h; j += LANES)
        sum[0] = vf_add(sum[0], vf_load_some_as(dtype, AT(x, j), h - j));
    return vf_sum(vf_add(vf_add(sum[0], sum[1]), vf_add(sum[2], sum[3])));
}

/* Sum of (x − shift)². */
VEC_INLINE float sum_squares(om_dtype dtype, const void *x, int64_t h, float shift)
{
    const vf by = vf_set(shift);
    vf sum[4] = {vf_zero(), vf_zero(), vf_zero(), vf_zero()};
    int64_t j = 0;
    for (; j + 4 * LANES <= h; j += 4 * LANES)
        for (int u = 0; u < 4; u++) {
            vf v = vf_sub(vf_load_as(dtype, AT(x, j + u * LANES)), by);
            sum[u] = vf_madd(v, v, sum[u]);
        }
    float most = vf_sum(vf_add(vf_add(sum[0], sum[1]), vf_add(sum[2], sum[3])));
    sum[0] = vf_zero();
    for (; j + LANES <= h; j += LANES) {
        vf v = vf_sub(vf_load_as(dtype, AT(x, j)), by);
        sum[0] = vf_madd(v, v, sum[0]);
    }
    float rest = vf_sum(sum[0]);
    if (j < h) {
        float last[LANES];
        vf_store(last, vf_load_part_as(dtype, AT(x, j), h - j));
        for (int64_t i = 0; i < h - j; i++)
            rest += (last[i] - shift) * (last[i] - shift);
    }
    return most + rest;
}

/* What stands between x and y. */
typedef struct scaling {
    vf mean, rstd;
} scaling;

enum { TOGETHER = 4, PAIR = 2 * LANES };

#define AHEAD_BYTES 1024

/* Sums over one row: of x and of x², or of x² alone. */
typedef struct row_sums {
    vf sum, square;
} row_sums;

VEC_INLINE void sums_add(om_dtype dtype, int mean, const char *x, row_sums *s)
{
    vf v[2];
    vec_pair_load(dtype, x, v);
    for (int u = 0; u < 2; u++) {
        s->square = vf_madd(v[u], v[u], s->square);
        if (mean)
            s->sum = vf_add(s->sum, v[u]);
    }
}

/* The sums over all pairs become mean and rstd; `done` elements are in them. Where the mean is
 * large beside the spread the difference of squares says little of it, so that row is summed again
 * around its mean. */
VEC_INLINE scaling sums_end(om_dtype dtype, int mean, const om__norm_rows *n, int64_t r,
                            const row_sums *s, int64_t done)
{
    const char *x = AT(n->x, r * n->h);
    const double h = (double)(n->h > 0 ? n->h : 1);
    double sum = (double)vf_sum(s->sum), square = (double)vf_sum(s->square);
    for (int64_t j = done; j < n->h; j += LANES) {
        const int64_t left = n->h - j < LANES ? n->h - j : LANES;
        float lanes[LANES];
        vf_store(lanes, vf_load_part_as(dtype, AT(x, j), left));
        for (int64_t i = 0; i < left; i++) {
            sum += (double)lanes[i];
            square += (double)lanes[i] * (double)lanes[i];
        }
    }
    double middle = mean ? sum / h : 0, variance = square / h - middle * middle;
    if (mean && !(middle * middle <= 4 * variance)) {
        middle = (double)sum_row(dtype, x, n->h) / h;
        variance = (double)sum_squares(dtype, x, n->h, (float)middle) / h;
    }
    if (mean)
        n->mean[r] = (float)middle;
    n->rstd[r] = (float)(1 / sqrt(variance + n->eps));
    return (scaling){vf_set((float)middle), vf_set(n->rstd[r])};
}

VEC_INLINE vf scale_vector(int mean, vf x, vf gamma, vf beta, scaling by)
{
    if (!mean)
        return vf_mul(vf_mul(x, by.rstd), gamma);
    return vf_madd(vf_mul(vf_sub(x, by.mean), by.rstd), gamma, beta);
}

/* Elements of a row from `first` on. */
VEC_INLINE void scale_rest(om_dtype dtype, int mean, const om__norm_rows *n, int64_t r,
                           int64_t first, scaling by)
{
    const char *x = AT(n->x, r * n->h);
    char *y = (char *)n->y + vec_bytes(dtype, r * n->h);
    for (int64_t j = first; j < n->h; j += LANES) {
        int64_t left = n->h - j;
        vf v = vf_load_some_as(dtype, AT(x, j), left);
        vf g = vf_load_some_as(dtype, AT(n->gamma, j), left);
        vf b = mean ? vf_load_some_as(dtype, AT(n->beta, j), left) : vf_zero();
        vf_store_some_as(dtype, y + vec_bytes(dtype, j), scale_vector(mean, v, g, b, by), left);
    }
}

/* `rows` rows at x that follow each other, their columns [first, last) scaled into y. */
VEC_INLINE void scale_columns(om_dtype dtype, int mean, const om__norm_rows *n, const char *x,
                              char *y, int rows, int64_t first, int64_t last,
                              const scaling by[TOGETHER], int stream)
{
    const int64_t row = vec_bytes(dtype, n->h);
    for (int64_t j = first; j < last; j += PAIR) {
        const int64_t at = vec_bytes(dtype, j);
        vf gamma[2], beta[2] = {vf_zero(), vf_zero()};
        vec_pair_load(dtype, AT(n->gamma, j), gamma);
        if (mean)
            vec_pair_load(dtype, AT(n->beta, j), beta);
#pragma GCC unroll 4
        for (int i = 0; i < rows; i++) {
            vf v[2];
            vec_pair_load(dtype, x + i * row + at, v);
            for (int u = 0; u < 2; u++)
                v[u] = scale_vector(mean, v[u], gamma[u], beta[u], by[i]);
            vec_pair_store(dtype, y + i * row + at, v, stream);
        }
    }
}

/* The same columns of `rows` rows at x added to their sums. */
VEC_INLINE void add_columns(om_dtype dtype, int mean, const om__norm_rows *n, const char *x,
                            int rows, int64_t first, int64_t last, row_sums sums[TOGETHER])
{
    const int64_t row = vec_bytes(dtype, n->h);
    for (int64_t j = first; j < last; j += PAIR) {
        /* Behind the end of these rows begin those of the next group. */
        int64_t ahead = vec_bytes(dtype, j) + AHEAD_BYTES;
        ahead = ahead < row ? ahead : ahead + (rows - 1) * row;
#pragma GCC unroll 4
        for (int i = 0; i < rows; i++) {
            const char *p = x + i * row + vec_bytes(dtype, j);
            for (int64_t line = 0; line < vec_bytes(dtype, PAIR); line += 64)
                __builtin_prefetch(x + i * row + ahead + line);
            sums_add(dtype, mean, p, &sums[i]);
        }
    }
}

/* The rows from r on, `rows` of them scaled by `by`; of the `next` ones behind them the sums are
 * taken, and `by` becomes theirs. Both counts are constants at every call. The two take turns after
 * a stretch of columns: often enough for the memory, and what each needs stays in registers. */
VEC_INLINE void norm_group(om_dtype dtype, int mean, const om__norm_rows *n, int64_t r, int rows,
                           int next, scaling by[TOGETHER], int stream)
{
    const int64_t stretch = (mean ? 8 : 4) * PAIR;
    const int64_t whole = n->h / PAIR * PAIR, row = vec_bytes(dtype, n->h);
    const char *x = AT(n->x, r * n->h), *x_next = x + rows * row;
    char *y = (char *)n->y + r * row;
    row_sums sums[TOGETHER];
    for (int i = 0; i < next; i++)
        sums[i] = (row_sums){vf_zero(), vf_zero()};
    for (int64_t first = 0; first < whole; first += stretch) {
        const int64_t last = whole - first < stretch ? whole : first + stretch;
        if (next > 0)
            add_columns(dtype, mean, n, x_next, next, first, last, sums);
        if (rows > 0)
            scale_columns(dtype, mean, n, x, y, rows, first, last, by, stream);
    }
    for (int i = 0; i < rows; i++)
        scale_rest(dtype, mean, n, r + i, whole, by[i]);
    for (int i = 0; i < next; i++)
        by[i] = sums_end(dtype, mean, n, r + rows + i, &sums[i], whole);
}

VEC_INLINE void norm_run(om_dtype dtype, int mean, const om__norm_rows *n, int stream)
{
    scaling by[TOGETHER];
    int64_t r = 0;
    if (n->rows >= TOGETHER) {
        norm_group(dtype, mean, n, 0, 0, TOGETHER, by, stream);
        for (; r + 2 * TOGETHER <= n->rows; r += TOGETHER)
            norm_group(dtype, mean, n, r, TOGETHER, TOGETHER, by, stream);
        norm_group(dtype, mean, n, r, TOGETHER, 0, by, stream);
        r += TOGETHER;
    }
    for (; r < n->rows; r++) {
        norm_group(dtype, mean, n, r, 0, 1, by, stream);
        norm_group(dtype, mean, n, r, 1, 0, by, stream);
    }
}

VEC_INLINE void norm_rows(om_dtype dtype, int mean, const om__norm_rows *n)
{
    /* Rows that begin within a vector would need parts of lines at both ends. */
    const uintptr_t misfit = (uintptr_t)n->y | (uintptr_t)vec_bytes(dtype, n->h);
    if (n->stream && misfit % (4 * LANES) == 0) {
        norm_run(dtype, mean, n, 1);
        vec_fence();
    } else {
        norm_run(dtype, mean, n, 0);
    }
}

/* ---- backward ---- */

/* The sums over a row of c·(x − mean) and of c, with c = rstd·grad_y·gamma; then what they make of
 * it: grad_x = c − (x − mean)·of_x − of_one. */
typedef struct row_gradient {
    vf mean, rstd;
    vf sum_cx, sum_c;
    vf of_x, of_one;
} row_gradient;

/* Any NaN becomes the one without low bits: see vf_pair_round. */
VEC_INLINE float number_of(float x)
{
    return isnan(x) ? NAN : x;
}

/* A pair of vectors of every row at one column; `left` elements where fewer than a pair. */
VEC_INLINE void load_columns(om_dtype dtype, const char *p, int64_t left, vf x[2])
{
    if (left >= PAIR) {
        vec_pair_load(dtype, p, x);
        return;
    }
    unsigned char copy[PAIR * 4] = {0};
    memcpy(copy, p, (size_t)vec_bytes(dtype, left));
    vec_pair_load(dtype, copy, x);
}

VEC_INLINE void store_columns(om_dtype dtype, char *p, int64_t left, const vf x[2], int stream)
{
    if (left >= PAIR) {
        vec_pair_store(dtype, p, x, stream);
        return;
    }
    unsigned char copy[PAIR * 4];
    vec_pair_store(dtype, copy, x, 0);
    memcpy(p, copy, (size_t)vec_bytes(dtype, left));
}

/* Partial gradients are kept in the order of the pairs: sum_partials puts them right. */
VEC_INLINE void add_partial(float *to, int first, const vf x[2])
{
    for (int u = 0; u < 2; u++)
        vf_store(to + u * LANES, first ? x[u] : vf_add(vf_load(to + u * LANES), x[u]));
}

/* `rows` rows that follow each other. */
typedef struct backward_rows {
    const char *x, *grad_y;
    char *grad_x;
    int64_t row; /* bytes of one */
} backward_rows;

/* Sums of `left` columns from j on, a pair at most. While x is read the next rows of x are asked
 * for, and below those of grad_y, so that the memory is busy all the time. */
VEC_INLINE void sum_columns(om_dtype dtype, int mean, const om__norm_rows *n,
                            const backward_rows *b, int rows, int64_t j, int64_t left,
                            row_gradient g[TOGETHER])
{
    const int64_t at = vec_bytes(dtype, j);
    vf gamma[2];
    load_columns(dtype, AT(n->gamma, j), left, gamma);
#pragma GCC unroll 4
    for (int i = 0; i < rows; i++) {
        vf v[2], dy[2];
        __builtin_prefetch(b->x + (rows + i) * b->row + at, 0, 2);
        load_columns(dtype, b->x + i * b->row + at, left, v);
        load_columns(dtype, b->grad_y + i * b->row + at, left, dy);
        for (int u = 0; u < 2; u++) {
            /* 0 behind the last column, whatever x − mean is there. In RMS norm rstd can wait; in
             * layer norm the mean must be that of the very c below, or one column would have a
             * gradient. */
            vf c = vf_mul(mean ? vf_mul(dy[u], g[i].rstd) : dy[u], gamma[u]);
            g[i].sum_cx = vf_madd(c, mean ? vf_sub(v[u], g[i].mean) : v[u], g[i].sum_cx);
            if (mean)
                g[i].sum_c = vf_add(g[i].sum_c, c);
        }
    }
}

/* The gradients of the same columns; first: the partial ones begin with these rows. */
VEC_INLINE void grade_columns(om_dtype dtype, int mean, const om__norm_rows *n,
                              const backward_rows *b, int rows, int64_t j, int64_t left,
                              const row_gradient g[TOGETHER], int first, int stream)
{
    const int64_t at = vec_bytes(dtype, j);
    vf gamma[2], to_gamma[2] = {vf_zero(), vf_zero()}, to_beta[2] = {vf_zero(), vf_zero()};
    load_columns(dtype, AT(n->gamma, j), left, gamma);
#pragma GCC unroll 4
    for (int i = 0; i < rows; i++) {
        vf v[2], dy[2], out[2];
        __builtin_prefetch(b->grad_y + (rows + i) * b->row + at, 0, 2);
        load_columns(dtype, b->x + i * b->row + at, left, v);
        load_columns(dtype, b->grad_y + i * b->row + at, left, dy);
        for (int u = 0; u < 2; u++) {
            vf off = mean ? vf_sub(v[u], g[i].mean) : v[u];
            vf scaled = vf_mul(dy[u], g[i].rstd);
            out[u] = vf_nmadd(off, g[i].of_x, vf_mul(scaled, gamma[u]));
            out[u] = mean ? vf_sub(out[u], g[i].of_one) : out[u];
            to_gamma[u] = vf_madd(scaled, off, to_gamma[u]);
            if (mean)
                to_beta[u] = vf_add(to_beta[u], dy[u]);
        }
        store_columns(dtype, b->grad_x + i * b->row + at, left, out, stream);
    }
    add_partial(n->grad_gamma + j, first, to_gamma);
    if (mean)
        add_partial(n->grad_beta + j, first, to_beta);
}

/* `rows` rows from r on, a constant at every call. */
VEC_INLINE void backward_group(om_dtype dtype, int mean, const om__norm_rows *n, int64_t r,
                               int rows, int stream)
{
    const int64_t h = n->h, row = vec_bytes(dtype, h), whole = h / PAIR * PAIR;
    const backward_rows b = {.x = AT(n->x, r * h),
                             .grad_y = AT(n->grad_y, r * h),
                             .grad_x = (char *)n->grad_x + r * row,
                             .row = row};
    row_gradient g[TOGETHER];
    for (int i = 0; i < rows; i++)
        g[i] = (row_gradient){.mean = vf_set(mean ? number_of(n->mean[r + i]) : 0),
                              .rstd = vf_set(number_of(n->rstd[r + i])),
                              .sum_cx = vf_zero(),
                              .sum_c = vf_zero()};
    for (int64_t j = 0; j < whole; j += PAIR)
        sum_columns(dtype, mean, n, &b, rows, j, PAIR, g);
    if (whole < h)
        sum_columns(dtype, mean, n, &b, rows, whole, h - whole, g);
    for (int i = 0; i < rows; i++) {
        const float rstd = number_of(n->rstd[r + i]);
        const float by = mean ? rstd * rstd : rstd * (rstd * rstd);
        g[i].of_x = vf_set(vf_sum(g[i].sum_cx) / (float)h * by);
        g[i].of_one = vf_set(mean ? vf_sum(g[i].sum_c) / (float)h : 0);
    }
    for (int64_t j = 0; j < whole; j += PAIR)
        grade_columns(dtype, mean, n, &b, rows, j, PAIR, g, r == 0, stream);
    if (whole < h)
        grade_columns(dtype, mean, n, &b, rows, whole, h - whole, g, r == 0, stream);
}

VEC_INLINE void backward_run(om_dtype dtype, int mean, const om__norm_rows *n, int stream)
{
    int64_t r = 0;
    for (; r + TOGETHER <= n->rows; r += TOGETHER)
        backward_group(dtype, mean, n, r, TOGETHER, stream);
    for (; r < n->rows; r++)
        backward_group(dtype, mean, n, r, 1, stream);
}

VEC_INLINE void norm_rows_backward(om_dtype dtype, int mean, const om__norm_rows *n)
{
    const uintptr_t misfit = (uintptr_t)n->grad_x | (uintptr_t)vec_bytes(dtype, n->h);
    if (n->stream && misfit % (4 * LANES) == 0) {
        backward_run(dtype, mean, n, 1);
        vec_fence();
    } else {
        backward_run(dtype, mean, n, 0);
    }
}

/* Columns [first, last) of the sum of `count` partials, `stride` floats apart; first is a multiple
 * of PAIR. */
VEC_INLINE void sum_partials(om_dtype dtype, const float *partials, int64_t count, int64_t stride,
                             int64_t first, int64_t last, char *to)
{
    for (int64_t j = first; j < last; j += PAIR) {
        vf sum[2] = {vf_zero(), vf_zero()};
        for (int64_t p = 0; p < count; p++)
            for (int u = 0; u < 2; u++)
                sum[u] = vf_add(sum[u], vf_load(partials + p * stride + j + u * LANES));
        store_columns(dtype, to + vec_bytes(dtype, j), last - j, sum, 0);
    }
}

/* ---- fp8_quant ---- */

/* What is no number, or is divided by infinity, goes the long way. */
VEC_INLINE void quantise_slowly(om_dtype dtype, const char *x, int64_t d, float scale, uint8_t *out)
{
    for (int64_t j = 0; j < d; j += LANES)
        vf_store_some_as(OM_E4M3, out + j,
                         vf_div(vf_load_some_as(dtype, AT(x, j), d - j), vf_set(scale)), d - j);
}

/* x / scale, rounded once, by the reciprocal: the remainder of the first product puts it right. */
VEC_INLINE vf divide(vf x, vf scale, vf inverse)
{
    if (LANES == 4) /* where a product and a sum are rounded apart the remainder is lost */
        return vf_div(x, scale);
    vf q = vf_mul(x, inverse);
    return vf_madd(vf_nmadd(q, scale, x), inverse, q);
}

VEC_INLINE void quantise_fast(const char *x, int64_t d, float scale, float inverse, uint8_t *out)
{
    const vf by = vf_set(scale), over = vf_set(inverse);
    int64_t j = 0;
    for (; j + 4 * LANES <= d; j += 4 * LANES) {
        vi words[2];
        vf y[4];
        for (int i = 0; i < 2; i++) {
            words[i] = vi_load(x + 2 * j + i * 4 * LANES);
            vi magnitude = vi_and(words[i], vi_set(0x7fff7fff));
            y[2 * i] = divide(vi_float(vi_shl(magnitude, 16)), by, over);
            y[2 * i + 1] = divide(vi_float(vi_and(magnitude, vi_set(0xffff0000u))), by, over);
        }
        vi_store(out + j, vf_fp8_bytes(y, words[0], words[1], vec_fp8_of(OM_E4M3)));
    }
    quantise_slowly(OM_BF16, x + 2 * j, d - j, scale, out + j);
}

/* The largest magnitudes of a row, in any lane. */
VEC_INLINE vi largest_of(om_dtype dtype, const char *x, int64_t d)
{
    vi halves = vi_set(0);
    int64_t j = 0;
    for (; dtype == OM_BF16 && j + PAIR <= d; j += PAIR)
        halves = vi_max16(halves, vi_and(vi_load(x + 2 * j), vi_set(0x7fff7fff)));
    vi most = vi_max(vi_shl(halves, 16), vi_and(halves, vi_set(0xffff0000u)));
    for (; j < d; j += LANES)
        most = vi_max(most,
                      vi_and(vf_bits(vf_load_some_as(dtype, AT(x, j), d - j)), vi_set(0x7fffffff)));
    return most;
}

#if LANES == 16
/* Of LANES rows, each in the lane of its number: the rows meet while they are turned. */
VEC_INLINE vi largest_of_rows(vi row[LANES])
{
    for (int i = 0; i < 16; i += 2)
        row[i] = vi_max(_mm512_unpacklo_epi32(row[i], row[i + 1]),
                        _mm512_unpackhi_epi32(row[i], row[i + 1]));
    for (int i = 0; i < 16; i += 4)
        row[i] = vi_max(_mm512_unpacklo_epi64(row[i], row[i + 2]),
                        _mm512_unpackhi_epi64(row[i], row[i + 2]));
    for (int i = 0; i < 16; i += 8)
        row[i] = vi_max(_mm512_shuffle_i32x4(row[i], row[i + 4], 0x88),
                        _mm512_shuffle_i32x4(row[i], row[i + 4], 0xdd));
    return vi_max(_mm512_shuffle_i32x4(row[0], row[8], 0x88),
                  _mm512_shuffle_i32x4(row[0], row[8], 0xdd));
}

/* What x is multiplied by in quantise_scaled; 0: not for such rows.
 *
 * Products are x / scale · 2^-120, whose exponents, subnormals included, are those of e4m3. They
 * need not be exact: in bf16, 448·x / amax is halfway between two codes or at least 2^-13 of itself
 * away. Halfway, f32 makes of x / scale the middle itself or something beside it, for the scale has
 * been rounded: the factor is a little more or less, so that the product lies on that side, or
 * where quantise_scaled takes it for the middle. If amax is no multiple of 7 the middles are 7 and
 * 21 times a power of two, and both stand to 448 and 1344 as their quotients do to the exact ones;
 * if it is one, the scale is exact. A scale for which the two fall on
 * different sides is left. */
VEC_INLINE vf factors_of(vf most, vf scale, vf inverse)
{
    const vf off = vf_nmadd(scale, vf_set(448), most), side = vf_mul(scale, vf_set(0x1p-16f));
    const vf away = vi_float(vi_and(vf_bits(off), vi_set(0x7fffffff)));
    vf by = vf_where_gt(off, vf_zero(), vf_set(1 + 0x1p-17f), vf_set(1 - 0x1p-21f));
    const vf unlike = vf_where_gt(vf_mul(away, vf_set(3)), vf_mul(side, vf_set(4)), by, vf_zero());
    const vi low = vi_shl(vf_bits(vf_mul(most, vf_set(3))), 16); /* no bf16 stands to 1344 if > 0 */
    by = vi_float(vi_where_gt(low, vi_set(0), vf_bits(by), vf_bits(unlike)));
    by = vf_where_gt(away, side, by, vf_set(1 + 0x1p-21f));
    by = vf_where_gt(most, vf_set(0x1p14f), vf_zero(), by); /* the factor would be subnormal */
    by = vf_where_gt(vf_set(1e-4f), most, vf_zero(), by);
    return vf_mul(vf_mul(inverse, vf_set(0x1p-120f)), by);
}

/* x · 2^-120, rounded: the code from bit 20 on. What is up to 16 units of f32 above the middle
 * counts as the middle. */
VEC_INLINE vi round_scaled(vf x)
{
    vi bits = vf_bits(x); /* below: bits & bit 20 | 0x7fff */
    vi parts = _mm512_ternarylogic_epi32(bits, vi_set(1u << 20), vi_set(0x7fff), 0xea);
    return vi_add(bits, _mm512_madd_epi16(parts, vi_set(0x10010)));
}

/* Whole vectors of 4·LANES only. */
VEC_INLINE int64_t quantise_scaled(const char *x, int64_t d, vf factor, uint8_t *out)
{
#define ODD_8(b) (b) + 1, (b) + 3, (b) + 5, (b) + 7, (b) + 9, (b) + 11, (b) + 13, (b) + 15
    static const uint8_t signs_at[64] = {ODD_8(0),  ODD_8(16), ODD_8(32), ODD_8(48),
                                         ODD_8(64), ODD_8(80), ODD_8(96), ODD_8(112)};
#undef ODD_8
    /* Bits 20 to 27 of both halves of 64 bits, to where the elements of four words belong. */
    const vi at = _mm512_set1_epi64(0x3434141434341414);
    const vi order = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15);
    int64_t j = 0;
    for (; j + 4 * LANES <= d; j += 4 * LANES) {
        const vi a = vi_load(x + 2 * j), b = vi_load(x + 2 * j + 64), high = vi_set(0xffff0000u);
        vi codes =
            _mm512_multishift_epi64_epi8(at, round_scaled(vf_mul(vi_float(vi_shl(a, 16)), factor)));
        codes = _mm512_mask_multishift_epi64_epi8(
            codes, 0x0a0a0a0a0a0a0a0a, at, round_scaled(vf_mul(vi_float(vi_and(a, high)), factor)));
        codes = _mm512_mask_multishift_epi64_epi8(
            codes, 0x5050505050505050, at, round_scaled(vf_mul(vi_float(vi_shl(b, 16)), factor)));
        codes = _mm512_mask_multishift_epi64_epi8(
            codes, 0xa0a0a0a0a0a0a0a0, at, round_scaled(vf_mul(vi_float(vi_and(b, high)), factor)));
        codes = _mm512_permutexvar_epi32(order, codes);
        vi signs = _mm512_permutex2var_epi8(a, vi_load(signs_at), b);
        /* codes without their highest bit | that of signs */
        vi_store(out + j, _mm512_ternarylogic_epi32(codes, signs, vi_set(0x80808080u), 0xd8));
    }
    return j;
}
#else
VEC_INLINE vi largest_of_rows(vi row[LANES])
{
    vi_transpose(row);
    for (int step = LANES / 2; step > 0; step /= 2)
        for (int i = 0; i < step; i++)
            row[i] = vi_max(row[i], row[i + step]);
    return row[0];
}

VEC_INLINE vf factors_of(vf most, vf scale, vf inverse)
{
    (void)most;
    (void)scale;
    (void)inverse;
    return vf_zero();
}

VEC_INLINE int64_t quantise_scaled(const char *x, int64_t d, vf factor, uint8_t *out)
{
    (void)x;
    (void)d;
    (void)factor;
    (void)out;
    return 0;
}
#endif

/* LANES rows or fewer: their largest magnitudes and scales are found side by side, for one after
 * the other each row would wait for its own. */
VEC_INLINE void quantise_group(om_dtype dtype, const char *x, int64_t rows, int64_t d, float *scale,
                               uint8_t *out)
{
    vi most[LANES];
    float scales[LANES], inverses[LANES], factors[LANES];
    uint32_t bits[LANES];
    for (int64_t r = 0; r < LANES; r++)
        most[r] = r < rows ? largest_of(dtype, AT(x, r * d), d) : vi_set(0);
    const vi largest = largest_of_rows(most);
    vi_store(bits, largest);
    vi clean = vi_where_gt(largest, vi_set(0x7f800000), vi_set(0x7fc00000), largest);
    vf by = vf_div(vf_max(vf_set(1e-4f), vi_float(clean)), vf_set(448.0f)); /* NaN stays */
    vf inverse = vf_div(vf_set(1), by);
    vf_store(scales, by);
    vf_store(inverses, inverse);
    vf_store(factors, factors_of(vi_float(largest), by, inverse));
    memcpy(scale, scales, (size_t)rows * sizeof *scale);
    for (int64_t r = 0; r < rows; r++) {
        const char *row = AT(x, r * d);
        for (int64_t line = 0; line < vec_bytes(dtype, d); line += 64)
            __builtin_prefetch(row + LANES * vec_bytes(dtype, d) + line);
        if (dtype == OM_BF16 && bits[r] < 0x7f800000) {
            int64_t done = 0;
            if (factors[r] > 0)
                done = quantise_scaled(row, d, vf_set(factors[r]), out + r * d);
            quantise_fast(row + 2 * done, d - done, scales[r], inverses[r], out + r * d + done);
        } else {
            quantise_slowly(dtype, row, d, scales[r], out + r * d);
        }
    }
}

VEC_INLINE void quantise_rows(om_dtype dtype, const char *x, int64_t rows, int64_t d, float *scale,
                              uint8_t *out)
{
    int64_t r = 0;
    for (; r + LANES <= rows; r += LANES)
        quantise_group(dtype, AT(x, r * d), LANES, d, scale + r, out + r * d);
    if (r < rows)
        quantise_group(dtype, AT(x, r * d), rows - r, d, scale + r, out + r * d);
}

#define NORM(NAME, DTYPE)                                                                          \
    static void rmsnorm_##NAME(const om__norm_rows *rows)                                          \
    {                                                                                              \
        norm_rows(DTYPE, 0, rows);                                                                 \
    }                                                                                              \
    static void layernorm_##NAME(const om__norm_rows *rows)                                        \
    {                                                                                              \
        norm_rows(DTYPE, 1, rows);                                                                 \
    }                                                                                              \
    static void rmsnorm_backward_##NAME(const om__norm_rows *rows)                                 \
    {                                                                                              \
        norm_rows_backward(DTYPE, 0, rows);                                                        \
    }                                                                                              \
    static void layernorm_backward_##NAME(const om__norm_rows *rows)                               \
    {                                                                                              \
        norm_rows_backward(DTYPE, 1, rows);                                                        \
    }                                                                                              \
    static void sum_partials_##NAME(const float *partials, int64_t count, int64_t stride,          \
                                    int64_t first, int64_t last, void *to)                         \
    {                                                                                              \
        sum_partials(DTYPE, partials, count, stride, first, last, to);                             \
    }                                                                                              \
    static void quantise_##NAME(const void *x, int64_t rows, int64_t d, float *scale, void *out)   \
    {                                                                                              \
        quantise_rows(DTYPE, x, rows, d, scale, out);                                              \
    }
NORM(f32, OM_F32)
NORM(bf16, OM_BF16)
NORM(f16, OM_F16)

#define NORM_TYPES(NAME)                                                                           \
    {                                                                                              \
        [OM_F32] = NAME##_f32, [OM_BF16] = NAME##_bf16, [OM_F16] = NAME##_f16                      \
    }
#define NORM_LEVEL                                                                                 \
    {                                                                                              \
        .rmsnorm = NORM_TYPES(rmsnorm), .rmsnorm_backward = NORM_TYPES(rmsnorm_backward),          \
        .layernorm = NORM_TYPES(layernorm), .layernorm_backward = NORM_TYPES(layernorm_backward),  \
        .sum_partials = NORM_TYPES(sum_partials), .quantise = NORM_TYPES(quantise),                \
    }
