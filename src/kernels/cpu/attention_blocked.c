/* SPDX-License-Identifier: Apache-2.0 */
/* attention_blocked.c: scaled dot-product attention, forward and backward, on the tiles of the GEMM
 * core.
 *
 * Shapes    any. Layout: [B,S,heads,D]. Types: bf16, fp16, f32; the pairs level bf16 forward alone.
 * Schedule  forward: a unit is some query positions with all heads of a group, about 96 rows, which
 *           walk the keys 128 at a time with a running maximum and sum. Backward: a unit is one key
 *           head; key blocks outside, query blocks inside, gradients of q in a buffer of the unit.
 * Numerics  f32 scores and sums; at the pairs level probabilities are rounded to bf16.
 * Refuses   the pairs level: odd D. Cost: K and V are packed once a unit.
 */
#include <math.h>
#include <string.h>

#include "kernels/cpu/attention_rows.h"
#include "kernels/cpu/gemm_product.h"
#include "kernels/cpu/parallel.h"
#include "opmark/attention.h"

#define ROWS       96  /* of queries in a unit: a multiple of the tile's rows and of the vectors */
#define KEYS       128 /* at a time */
#define FLOP_GRAIN 1e6

typedef struct shape {
    int64_t b, s, hq, hkv, d, group;
    om_dtype dtype;
    int causal, bytes;
    float scale;
    int64_t stride;    /* floats of a row of D, in whole vectors */
    int64_t positions; /* of queries in a unit */
} shape;

static shape shape_of(const om__gemm_level *level, int64_t b, int64_t s, int64_t hq, int64_t hkv,
                      int64_t d, om_dtype dtype, int causal, double scale)
{
    shape z = {.b = b > 0 ? b : 1, .s = s, .hq = hq, .hkv = hkv > 0 ? hkv : hq, .d = d};
    const int64_t vector = level->tiles->vector;
    z.group = z.hq / z.hkv;
    z.dtype = dtype;
    z.bytes = om_dtype_bits(dtype) / 8;
    z.causal = causal;
    z.scale = (float)(scale != 0 ? scale : 1 / sqrt((double)(d > 0 ? d : 1)));
    z.stride = (d + vector - 1) / vector * vector;
    z.positions = z.group < ROWS ? ROWS / z.group : 1;
    return z;
}

static int64_t smaller(int64_t x, int64_t y)
{
    return x < y ? x : y;
}

/* Rows of a unit, padded for tiles and transposes. A group may be larger than ROWS. */
static int64_t unit_rows(const shape *z)
{
    return (z->positions * z->group + 15) / 16 * 16;
}

static const om__attention_level *rows_of(const om__gemm_level *level)
{
    return level->isa == OM_ISA_SCALAR ? &om__attention_scalar
           : level->isa == OM_ISA_AVX2 ? &om__attention_avx2
                                       : &om__attention_avx512;
}

/* c[rows, columns] (+)= a · b, with b packed in runs of the tile's width. */
static void multiply(const om__tiles *tiles, int64_t rows, int64_t columns, int64_t steps,
                     const char *a, int64_t a_stride, const char *b, float *c, int64_t c_stride,
                     int add)
{
    const int64_t width = (int64_t)tiles->vectors * tiles->vector;
    for (int64_t done = 0, some; done < rows; done += some) {
        const char *row[OM_TILE_ROWS];
        some = smaller(rows - done, tiles->rows);
        for (int64_t i = 0; i < some; i++)
            row[i] = a + (done + i) * a_stride;
        const char *run = b;
        for (int64_t at = 0; at < columns; at += width, run += steps * width * 4) {
            int64_t vectors = (smaller(width, columns - at) + tiles->vector - 1) / tiles->vector;
            tiles->tile[some - 1][vectors - 1](steps, row, run, vectors * tiles->vector * 4,
                                               c + done * c_stride + at, c_stride, add);
        }
    }
}

/* Packs `columns` columns and `count` k of B in runs of the tile's width; 1 where the tiles would
 * mistake a value. */
static int pack(const om__tiles *tiles, om__gemm_pack_fn pack_b, const om__gemm_operand *b,
                int64_t column, int64_t columns, int64_t k, int64_t count, char *to)
{
    const int64_t width = (int64_t)tiles->vectors * tiles->vector;
    const int64_t steps = tiles->pairs ? (count + 1) / 2 : count;
    int wide = 0;
    for (int64_t c = 0; c < columns; c += width, to += steps * width * 4) {
        int64_t some = smaller(width, columns - c);
        int64_t line = (some + tiles->vector - 1) / tiles->vector * tiles->vector * 4;
        wide |= pack_b(b, column + c, some, k, count, to, line);
    }
    return wide;
}

/* ---- forward ---- */

typedef struct forward_scratch {
    int32_t *index; /* rows of q, counted in rows of D */
    float *q, *scores, *o, *top, *sum;
    uint16_t *p;
    char *keys, *values;
} forward_scratch;

static int64_t packed_bytes(int64_t k, int64_t columns)
{
    return (k + 1) * ((columns + 63) / 64 * 64) * 4;
}

/* A line more than the data keeps rows off each other's cache sets. */
static int64_t q_row_bytes(const shape *z)
{
    return (z->d * 4 + 63) / 64 * 64 + 64;
}

static size_t forward_lay_out(const shape *z, char *memory, forward_scratch *s)
{
    char *at = memory;
    const int64_t rows = unit_rows(z);
    s->index = om__carve(&at, rows * 4);
    s->q = om__carve(&at, rows * q_row_bytes(z));
    s->scores = om__carve(&at, rows * KEYS * 4);
    s->p = om__carve(&at, rows * KEYS * 2);
    s->o = om__carve(&at, rows * z->stride * 4);
    s->top = om__carve(&at, rows * 4);
    s->sum = om__carve(&at, rows * 4);
    s->keys = om__carve(&at, packed_bytes(z->d, KEYS));
    s->values = om__carve(&at, packed_bytes(KEYS, z->stride));
    return (size_t)((uintptr_t)at - (uintptr_t)memory);
}

static void index_rows(const shape *z, int64_t kv, int64_t position, int64_t rows, int32_t *index)
{
    for (int64_t r = 0; r < rows; r++)
        index[r] = (int32_t)((position + r / z->group) * z->hq + kv * z->group + r % z->group);
}

static om__gemm_operand key_operand(const shape *z, const void *k, int64_t b, int64_t kv)
{
    return (om__gemm_operand){
        .data = (const char *)k + (b * z->s * z->hkv + kv) * z->d * z->bytes,
        .stride = z->hkv * z->d,
    };
}

/* One unit; 1 when the level's tiles would mistake a value, and nothing was written. */
static int forward_unit(const om__gemm_level *level, const shape *z, const om_attention_args *args,
                        int64_t b, int64_t kv, int64_t position, forward_scratch *s)
{
    const om__tiles *tiles = level->tiles;
    const om__attention_level *by = rows_of(level);
    const int64_t positions = smaller(z->positions, z->s - position);
    const int64_t rows = positions * z->group;
    const int64_t end = z->causal ? position + positions : z->s;
    const int64_t per_step = tiles->pairs ? 2 : 1;
    const int64_t q_stride = q_row_bytes(z);
    const int64_t steps = (z->d + per_step - 1) / per_step;
    om__gemm_operand q = {.data = (const char *)args->q + b * z->s * z->hq * z->d * z->bytes,
                          .stride = z->d,
                          .index = s->index};
    om__gemm_operand k = key_operand(z, args->k, b, kv), v = key_operand(z, args->v, b, kv);
    index_rows(z, kv, position, rows, s->index);
    if (level->pack_a[z->dtype][0](&q, 0, rows, 0, z->d, (char *)s->q, q_stride))
        return 1;
    memset(s->o, 0, (size_t)(rows * z->stride) * sizeof(float));
    for (int64_t r = 0; r < rows; r++) {
        s->top[r] = -INFINITY;
        s->sum[r] = 0;
    }
    for (int64_t key = 0; key < end; key += KEYS) {
        const int64_t keys = smaller(KEYS, end - key), padded = (keys + 15) / 16 * 16;
        if (pack(tiles, level->pack_b[z->dtype][0], &k, key, keys, 0, z->d, s->keys) |
            pack(tiles, level->pack_b[z->dtype][1], &v, 0, z->d, key, keys, s->values))
            return 1;
        multiply(tiles, rows, keys, steps, (const char *)s->q, q_stride, s->keys, s->scores, KEYS,
                 0);
        for (int64_t r = 0; r < rows; r++) {
            int64_t seen = z->causal ? smaller(keys, position + r / z->group - key + 1) : keys;
            float factor =
                by->soften(s->scores + r * KEYS, seen > 0 ? seen : 0, padded, z->scale, &s->top[r],
                           &s->sum[r], tiles->pairs ? s->p + r * KEYS : NULL);
            if (factor != 1)
                by->multiply(s->o + r * z->stride, z->stride, factor);
        }
        multiply(tiles, rows, z->d, (keys + per_step - 1) / per_step,
                 tiles->pairs ? (const char *)s->p : (const char *)s->scores, KEYS * 4 / per_step,
                 s->values, s->o, z->stride, 1);
    }
    for (int64_t r = 0; r < rows; r++) {
        const int64_t at = position + r / z->group, head = kv * z->group + r % z->group;
        by->finish[z->dtype](s->o + r * z->stride, z->d, s->sum[r] == 0 ? 0 : 1 / s->sum[r],
                             (char *)args->o + ((b * z->s + at) * z->hq + head) * z->d * z->bytes);
        args->lse[(b * z->hq + head) * z->s + at] = s->top[r] + logf(s->sum[r]);
    }
    return 0;
}

static shape forward_shape(const om__gemm_level *level, const om_attention_args *args)
{
    return shape_of(level, args->b, args->s, args->hq, args->hkv, args->d, args->dtype,
                    args->causal, args->scale);
}

static om_status check_level(const om__gemm_level *level, const om_kernel_env *env, const shape *z,
                             int backward, om_error *err)
{
    if (env->isa < level->isa)
        return om__error_set(err, OM_UNSUPPORTED, "needs %s", om__isa_name(level->isa));
    if (!level->tiles->pairs)
        return OM_OK;
    if (!om__cpu_info_get()->has_avx512_bf16)
        return om__error_set(err, OM_UNSUPPORTED, "needs AVX512-BF16");
    if (z->dtype != OM_BF16 || z->d % 2 != 0 || backward)
        return om__error_set(err, OM_UNSUPPORTED,
                             "bf16 pairs serve the forward pass with an even D alone");
    return OM_OK;
}

static om_status query_forward(const om__gemm_level *level, const om_kernel_env *env,
                               const void *arguments, size_t *workspace_bytes, om_error *err)
{
    const shape z = forward_shape(level, arguments);
    forward_scratch s;
    OM_TRY(check_level(level, env, &z, 0, err));
    *workspace_bytes = (size_t)env->threads * forward_lay_out(&z, NULL, &s);
    return OM_OK;
}

static om_status run_forward(const om__gemm_level *level, const om_kernel_env *env,
                             const void *arguments, void *workspace, om_error *err)
{
    const om_attention_args *args = arguments;
    const shape z = forward_shape(level, args);
    const int64_t blocks = (z.s + z.positions - 1) / z.positions;
    const int64_t units = z.b * z.hkv * blocks;
    const double flops = 4.0 * (double)z.b * (double)z.hq * (double)z.s * (double)z.s * (double)z.d;
    const int threads = om__threads_for(env, flops, FLOP_GRAIN);
    (void)err;
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (threads > 1)
    for (int64_t unit = 0; unit < units; unit++) {
        forward_scratch s;
        const size_t bytes = forward_lay_out(&z, NULL, &s);
        const int thread = threads > 1 ? omp_get_thread_num() : 0;
        forward_lay_out(&z, (char *)workspace + (size_t)thread * bytes, &s);
        /* The last positions see the most keys: they come first. */
        const int64_t block = blocks - 1 - unit / (z.b * z.hkv), head = unit % (z.b * z.hkv);
        if (forward_unit(level, &z, args, head / z.hkv, head % z.hkv, block * z.positions, &s))
            forward_unit(&om__gemm_avx512, &z, args, head / z.hkv, head % z.hkv,
                         block * z.positions, &s);
    }
    return OM_OK;
}

/* ---- backward ---- */

typedef struct backward_scratch {
    int32_t *index;
    float *q, *grad_o;      /* [rows][stride] of a block of queries */
    float *p, *ds;          /* [rows][KEYS] */
    float *turned;          /* [KEYS][rows] */
    float *grad_q;          /* [S · group][stride] */
    float *grad_k, *grad_v; /* [KEYS][stride] */
    float *delta;           /* [S · group] */
    char *keys, *values, *key_lines, *lines;
} backward_scratch;

static size_t backward_lay_out(const shape *z, char *memory, backward_scratch *s)
{
    char *at = memory;
    const int64_t rows = unit_rows(z);
    s->index = om__carve(&at, rows * 4);
    s->q = om__carve(&at, rows * z->stride * 4);
    s->grad_o = om__carve(&at, rows * z->stride * 4);
    s->p = om__carve(&at, rows * KEYS * 4);
    s->ds = om__carve(&at, rows * KEYS * 4);
    s->turned = om__carve(&at, rows * KEYS * 4);
    s->grad_q = om__carve(&at, z->s * z->group * z->stride * 4);
    s->grad_k = om__carve(&at, KEYS * z->stride * 4);
    s->grad_v = om__carve(&at, KEYS * z->stride * 4);
    s->delta = om__carve(&at, z->s * z->group * 4);
    s->keys = om__carve(&at, packed_bytes(z->d, KEYS));
    s->values = om__carve(&at, packed_bytes(z->d, KEYS));
    s->key_lines = om__carve(&at, packed_bytes(KEYS, z->stride));
    s->lines = om__carve(&at, packed_bytes(rows, z->stride));
    return (size_t)((uintptr_t)at - (uintptr_t)memory);
}

typedef struct backward_unit {
    const om__gemm_level *level;
    const shape *z;
    const om_attention_backward_args *args;
    int64_t b, kv;
    backward_scratch s;
} backward_unit;

/* Element offset of the row of a query: row r of the unit. */
static int64_t query_at(const backward_unit *u, int64_t r)
{
    const shape *z = u->z;
    return ((u->b * z->s + r / z->group) * z->hq + u->kv * z->group + r % z->group) * z->d;
}

static float lse_at(const backward_unit *u, int64_t r)
{
    const shape *z = u->z;
    return u->args->lse[(u->b * z->hq + u->kv * z->group + r % z->group) * z->s + r / z->group];
}

/* All that one block of queries adds for one block of keys. */
static void backward_block(const backward_unit *u, int64_t position, int64_t key, int64_t keys)
{
    const shape *z = u->z;
    const backward_scratch *s = &u->s;
    const om__gemm_level *level = u->level;
    const om__tiles *tiles = level->tiles;
    const om__attention_level *by = rows_of(level);
    const int64_t rows = smaller(z->positions, z->s - position) * z->group;
    const int64_t first = position * z->group, line = z->stride * 4, padded = (keys + 15) / 16 * 16;
    const int64_t all = unit_rows(z);
    const int64_t base = u->b * z->s * z->hq * z->d * z->bytes;
    om__gemm_operand q = {
        .data = (const char *)u->args->q + base, .stride = z->d, .index = s->index};
    om__gemm_operand grad_o = q;
    grad_o.data = (const char *)u->args->grad_o + base;
    index_rows(z, u->kv, position, rows, s->index);
    level->pack_a[z->dtype][0](&q, 0, rows, 0, z->d, (char *)s->q, line);
    level->pack_a[z->dtype][0](&grad_o, 0, rows, 0, z->d, (char *)s->grad_o, line);
    multiply(tiles, rows, keys, z->d, (char *)s->q, line, s->keys, s->p, KEYS, 0);
    multiply(tiles, rows, keys, z->d, (char *)s->grad_o, line, s->values, s->ds, KEYS, 0);
    for (int64_t r = 0; r < rows; r++) {
        int64_t seen = z->causal ? smaller(keys, position + r / z->group - key + 1) : keys;
        by->differentiate(s->p + r * KEYS, s->ds + r * KEYS, seen > 0 ? seen : 0, padded, z->scale,
                          lse_at(u, first + r), s->delta[first + r]);
    }
    const om__gemm_operand q_rows = {.data = s->q, .stride = z->stride};
    const om__gemm_operand grad_rows = {.data = s->grad_o, .stride = z->stride};
    by->turn(s->p, KEYS, rows, keys, s->turned, all);
    pack(tiles, level->pack_b[OM_F32][1], &grad_rows, 0, z->d, 0, rows, s->lines);
    multiply(tiles, keys, z->d, rows, (char *)s->turned, all * 4, s->lines, s->grad_v, z->stride,
             1);
    by->turn(s->ds, KEYS, rows, keys, s->turned, all);
    pack(tiles, level->pack_b[OM_F32][1], &q_rows, 0, z->d, 0, rows, s->lines);
    multiply(tiles, keys, z->d, rows, (char *)s->turned, all * 4, s->lines, s->grad_k, z->stride,
             1);
    multiply(tiles, rows, z->d, keys, (char *)s->ds, KEYS * 4, s->key_lines,
             s->grad_q + first * z->stride, z->stride, 1);
}

static void run_unit(const backward_unit *u)
{
    const shape *z = u->z;
    const backward_scratch *s = &u->s;
    const om__gemm_level *level = u->level;
    const om__tiles *tiles = level->tiles;
    const om__attention_level *by = rows_of(level);
    const int64_t rows = z->s * z->group;
    const om__gemm_operand k = key_operand(z, u->args->k, u->b, u->kv);
    const om__gemm_operand v = key_operand(z, u->args->v, u->b, u->kv);
    memset(s->grad_q, 0, (size_t)(rows * z->stride) * sizeof(float));
    for (int64_t r = 0; r < rows; r++) {
        int64_t at = query_at(u, r) * z->bytes;
        s->delta[r] = by->dot[z->dtype]((const char *)u->args->o + at,
                                        (const char *)u->args->grad_o + at, z->d);
    }
    for (int64_t key = 0; key < z->s; key += KEYS) {
        const int64_t keys = smaller(KEYS, z->s - key);
        pack(tiles, level->pack_b[z->dtype][0], &k, key, keys, 0, z->d, s->keys);
        pack(tiles, level->pack_b[z->dtype][0], &v, key, keys, 0, z->d, s->values);
        pack(tiles, level->pack_b[z->dtype][1], &k, 0, z->d, key, keys, s->key_lines);
        memset(s->grad_k, 0, (size_t)(KEYS * z->stride) * sizeof(float));
        memset(s->grad_v, 0, (size_t)(KEYS * z->stride) * sizeof(float));
        const int64_t from = z->causal ? key / z->positions * z->positions : 0;
        for (int64_t position = from; position < z->s; position += z->positions)
            backward_block(u, position, key, keys);
        for (int64_t i = 0; i < keys; i++) {
            int64_t at = ((u->b * z->s + key + i) * z->hkv + u->kv) * z->d * z->bytes;
            by->finish[z->dtype](s->grad_k + i * z->stride, z->d, 1, (char *)u->args->grad_k + at);
            by->finish[z->dtype](s->grad_v + i * z->stride, z->d, 1, (char *)u->args->grad_v + at);
        }
    }
    for (int64_t r = 0; r < rows; r++)
        by->finish[z->dtype](s->grad_q + r * z->stride, z->d, 1,
                             (char *)u->args->grad_q + query_at(u, r) * z->bytes);
}

static shape backward_shape(const om__gemm_level *level, const om_attention_backward_args *args)
{
    return shape_of(level, args->b, args->s, args->hq, args->hkv, args->d, args->dtype,
                    args->causal, args->scale);
}

static om_status query_backward(const om__gemm_level *level, const om_kernel_env *env,
                                const void *arguments, size_t *workspace_bytes, om_error *err)
{
    const shape z = backward_shape(level, arguments);
    backward_scratch s;
    OM_TRY(check_level(level, env, &z, 1, err));
    *workspace_bytes = (size_t)env->threads * backward_lay_out(&z, NULL, &s);
    return OM_OK;
}

static om_status run_backward(const om__gemm_level *level, const om_kernel_env *env,
                              const void *arguments, void *workspace, om_error *err)
{
    const om_attention_backward_args *args = arguments;
    const shape z = backward_shape(level, args);
    const int64_t units = z.b * z.hkv;
    const double flops =
        10.0 * (double)z.b * (double)z.hq * (double)z.s * (double)z.s * (double)z.d;
    const int threads = om__threads_for(env, flops, FLOP_GRAIN);
    (void)err;
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (threads > 1)
    for (int64_t unit = 0; unit < units; unit++) {
        backward_unit u = {
            .level = level, .z = &z, .args = args, .b = unit / z.hkv, .kv = unit % z.hkv};
        const size_t bytes = backward_lay_out(&z, NULL, &u.s);
        const int thread = threads > 1 ? omp_get_thread_num() : 0;
        backward_lay_out(&z, (char *)workspace + (size_t)thread * bytes, &u.s);
        run_unit(&u);
    }
    return OM_OK;
}

OM_PRODUCT_KERNELS(attention, "attention", "forward", query_forward, run_forward)
OM_PRODUCT_KERNEL(scalar, om_attention_backward_scalar__blocked, "attention", "backward",
                  OM_ISA_SCALAR, query_backward, run_backward)
OM_PRODUCT_KERNEL(avx2, om_attention_backward_avx2__blocked, "attention", "backward", OM_ISA_AVX2,
                  query_backward, run_backward)
OM_PRODUCT_KERNEL(avx512, om_attention_backward_avx512__blocked, "attention", "backward",
                  OM_ISA_AVX512, query_backward, run_backward)
