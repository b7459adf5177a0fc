/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_pack_body.h: packers that widen to f32, and the stores, written once for every level.
 *
 * Transposing moves words of 32 bits, whatever they hold: one f32, two 16-bit or four 8-bit values
 * of neighbouring k. Decoding follows the transpose, where one instruction serves a whole vector.
 */
#include "kernels/cpu/gemm_core.h"
#include "kernels/cpu/gemm_scaled.h"
#include "kernels/cpu/vec_math.h"

/* Values of a type in a 32-bit word. */
VEC_INLINE int word_values(om_dtype dtype)
{
    return dtype == OM_F32 ? 1 : dtype == OM_BF16 || dtype == OM_F16 ? 2 : 4;
}

/* Value number j of each word, as f32. */
VEC_INLINE vf word_value(om_dtype dtype, vi word, int j)
{
    switch (dtype) {
    case OM_BF16:
        return vi_float(j ? vi_and(word, vi_set(0xffff0000u)) : vi_shl(word, 16));
    case OM_F16:
        return vf_from_half_bits(j ? vi_shr(word, 16) : vi_and(word, vi_set(0xffff)));
    case OM_E4M3:
        return vf_from_e4m3_bits(vi_and(vi_shr(word, 8 * j), vi_set(0xff)));
    case OM_E5M2:
        return vf_from_e5m2_bits(vi_and(vi_shr(word, 8 * j), vi_set(0xff)));
    default:
        return vi_float(word);
    }
}

VEC_INLINE vi load_words(const char *p, int64_t bytes)
{
    if (bytes >= LANES * 4)
        return vi_load(p);
    char copy[LANES * 4] = {0};
    if (bytes > 0)
        memcpy(copy, p, (size_t)bytes);
    return vi_load(copy);
}

/* LANES rows, LANES words each, transposed: word w of all rows. Rows at and beyond `rows` and bytes
 * beyond `bytes` are zero. */
VEC_INLINE void load_square(vi square[LANES], const char *from, int64_t stride_bytes, int64_t rows,
                            int64_t bytes)
{
    if (rows >= LANES && bytes >= LANES * 4) {
        for (int r = 0; r < LANES; r++)
            square[r] = vi_load(from + r * stride_bytes);
    } else {
        for (int r = 0; r < LANES; r++)
            square[r] = r < rows ? load_words(from + r * stride_bytes, bytes) : vi_set(0);
    }
    vi_transpose(square);
}

/* B stored [N,K]. */
VEC_INLINE void pack_rows(om_dtype dtype, const om__gemm_operand *from, int64_t row, int64_t rows,
                          int64_t k, int64_t count, char *to, int64_t step)
{
    const int values = word_values(dtype);
    const int64_t stride = vec_bytes(dtype, from->stride);
    const char *data = (const char *)from->data + row * stride + vec_bytes(dtype, k);
    for (int64_t c = 0; c < rows; c += LANES) {
        const char *block = data + c * stride;
        char *line = to + c * 4;
        for (int64_t i = 0; i < count; i += LANES * values) {
            vi square[LANES];
            load_square(square, block + vec_bytes(dtype, i), stride, rows - c,
                        vec_bytes(dtype, count - i));
            int64_t left = count - i;
            if (left >= LANES * values) {
                for (int w = 0; w < LANES; w++)
                    for (int j = 0; j < values; j++, line += step)
                        vf_store(line, word_value(dtype, square[w], j));
            } else {
                for (int64_t l = 0; l < left; l++, line += step)
                    switch (l % values) {
                    case 0:
                        vf_store(line, word_value(dtype, square[l / values], 0));
                        break;
                    case 1:
                        vf_store(line, word_value(dtype, square[l / values], 1));
                        break;
                    case 2:
                        vf_store(line, word_value(dtype, square[l / values], 2));
                        break;
                    default:
                        vf_store(line, word_value(dtype, square[l / values], 3));
                    }
            }
        }
    }
}

/* Lines that are far apart are no stream to the hardware: asked for this many lines ahead. */
#define AHEAD 8

/* B stored [K,N]. */
VEC_INLINE void pack_lines(om_dtype dtype, const om__gemm_operand *from, int64_t row, int64_t rows,
                           int64_t k, int64_t count, char *to, int64_t step)
{
    const int64_t stride = vec_bytes(dtype, from->stride);
    const char *line = (const char *)from->data + k * stride + vec_bytes(dtype, row);
    for (int64_t i = 0; i < count; i++, line += stride, to += step) {
        if (rows == 64) {
            for (int c = 0; c < 64; c += LANES) {
                __builtin_prefetch(line + AHEAD * stride + vec_bytes(dtype, c));
                vf_store(to + c * 4, vf_load_as(dtype, line + vec_bytes(dtype, c)));
            }
            continue;
        }
        for (int64_t c = 0; c < rows; c += LANES)
            vf_store(to + c * 4, vf_load_some_as(dtype, line + vec_bytes(dtype, c), rows - c));
    }
}

/* A stored [M,K]: rows widened. */
VEC_INLINE void widen_rows(om_dtype dtype, const om__gemm_operand *from, int64_t row, int64_t rows,
                           int64_t k, int64_t count, char *to, int64_t step)
{
    const int64_t stride = vec_bytes(dtype, from->stride);
    for (int64_t r = 0; r < rows; r++, to += step) {
        int64_t stored = from->index ? from->index[row + r] : row + r;
        const char *p = (const char *)from->data + stored * stride + vec_bytes(dtype, k);
        for (int64_t i = 0; i < count; i += LANES)
            vf_store_some_as(OM_F32, to + i * 4,
                             vf_load_some_as(dtype, p + vec_bytes(dtype, i), count - i), count - i);
    }
}

/* A stored [K,M]: transposed into rows. */
VEC_INLINE void turn_lines(om_dtype dtype, const om__gemm_operand *from, int64_t row, int64_t rows,
                           int64_t k, int64_t count, char *to, int64_t step)
{
    const int64_t stride = vec_bytes(dtype, from->stride);
    const char *data = (const char *)from->data + k * stride + vec_bytes(dtype, row);
    for (int64_t i = 0; i < count; i += LANES) {
        int64_t lines = count - i < LANES ? count - i : LANES;
        for (int64_t r = 0; r < rows; r += LANES) {
            const char *p = data + i * stride + vec_bytes(dtype, r);
            char *out = to + r * step + i * 4;
            vi square[LANES];
            if (lines == LANES && rows - r >= LANES) {
                for (int l = 0; l < LANES; l++) {
                    __builtin_prefetch(p + (l + LANES) * stride);
                    square[l] = vf_bits(vf_load_as(dtype, p + l * stride));
                }
                vi_transpose(square);
                for (int l = 0; l < LANES; l++)
                    vi_store(out + l * step, square[l]);
                continue;
            }
            for (int l = 0; l < LANES; l++)
                square[l] = l < lines ? vf_bits(vf_load_some_as(dtype, p + l * stride, rows - r))
                                      : vi_set(0);
            vi_transpose(square);
            int64_t here = rows - r < LANES ? rows - r : LANES;
            for (int64_t l = 0; l < here; l++)
                vf_store_some_as(OM_F32, out + l * step, vi_float(square[l]), lines);
        }
    }
}

#define PACK(NAME, HOW, DTYPE)                                                                     \
    __attribute__((unused)) static int NAME(const om__gemm_operand *from, int64_t row,             \
                                            int64_t rows, int64_t k, int64_t count, char *to,      \
                                            int64_t step)                                          \
    {                                                                                              \
        HOW(DTYPE, from, row, rows, k, count, to, step);                                           \
        return 0;                                                                                  \
    }
#define PACKERS(NAME, DTYPE)                                                                       \
    PACK(a_rows_##NAME, widen_rows, DTYPE)                                                         \
    PACK(a_lines_##NAME, turn_lines, DTYPE)                                                        \
    PACK(b_rows_##NAME, pack_rows, DTYPE)                                                          \
    PACK(b_lines_##NAME, pack_lines, DTYPE)

PACKERS(f32, OM_F32)
PACKERS(bf16, OM_BF16)
PACKERS(f16, OM_F16)
PACKERS(e4m3, OM_E4M3)
PACKERS(e5m2, OM_E5M2)

#define STORE(NAME, DTYPE)                                                                         \
    static void store_##NAME(const om__gemm *gemm, const om__gemm_item *item, int64_t row,         \
                             int64_t rows, int64_t column, int64_t columns, const float *sums,     \
                             int64_t stride)                                                       \
    {                                                                                              \
        (void)gemm;                                                                                \
        for (int64_t r = 0; r < rows; r++, sums += stride) {                                       \
            char *to = (char *)item->d + vec_bytes(DTYPE, (row + r) * item->d_stride + column);    \
            for (int64_t c = 0; c < columns; c += LANES)                                           \
                vf_store_some_as(DTYPE, to + vec_bytes(DTYPE, c),                                  \
                                 vf_load_some_as(OM_F32, sums + c, columns - c), columns - c);     \
        }                                                                                          \
    }

STORE(f32, OM_F32)
STORE(bf16, OM_BF16)
STORE(f16, OM_F16)

/* Sums times the scales of whole tensors, plus a bias. */
VEC_INLINE void store_scaled(om_dtype dtype, const om__gemm *gemm, const om__gemm_item *item,
                             int64_t row, int64_t rows, int64_t column, int64_t columns,
                             const float *sums, int64_t stride)
{
    const om__gemm_scaling *by = gemm->context;
    float factor = (by->a ? by->a[0] : 1.0f) * (by->b ? by->b[0] : 1.0f);
    const vf scale = vf_set(by->inverse ? 1.0f / factor : factor);
    for (int64_t c = 0; c < columns; c += LANES) {
        const uint16_t *bias = (const uint16_t *)by->bias + column + c;
        vf add = by->bias ? vf_load_some_as(OM_BF16, bias, columns - c) : vf_zero();
        for (int64_t r = 0; r < rows; r++) {
            char *to = (char *)item->d + vec_bytes(dtype, (row + r) * item->d_stride + column + c);
            vf sum = vf_load_some_as(OM_F32, sums + r * stride + c, columns - c);
            vf_store_some_as(dtype, to, vf_madd(sum, scale, add), columns - c);
        }
    }
}

#define STORE_SCALED(NAME, DTYPE)                                                                  \
    static void store_scaled_##NAME(const om__gemm *gemm, const om__gemm_item *item, int64_t row,  \
                                    int64_t rows, int64_t column, int64_t columns,                 \
                                    const float *sums, int64_t stride)                             \
    {                                                                                              \
        store_scaled(DTYPE, gemm, item, row, rows, column, columns, sums, stride);                 \
    }
STORE_SCALED(bf16, OM_BF16)
STORE_SCALED(f16, OM_F16)

/* Gate and up sums of the same columns, side by side: act(gate) · up. */
VEC_INLINE void store_glu(om_dtype dtype, int gelu, const om__gemm *gemm, const om__gemm_item *item,
                          int64_t row, int64_t rows, int64_t column, int64_t columns,
                          const float *sums, int64_t stride)
{
    const int64_t half = columns / 2, first = column / 2;
    const int64_t real = half < gemm->pair_rows - first ? half : gemm->pair_rows - first;
    for (int64_t r = 0; r < rows; r++, sums += stride) {
        char *to = (char *)item->d + vec_bytes(dtype, (row + r) * item->d_stride + first);
        for (int64_t c = 0; c < real; c += LANES) {
            vf gate = vf_load(sums + c), up = vf_load(sums + half + c);
            vf act = gelu ? vf_gelu(gate) : vf_silu(gate);
            vf_store_some_as(dtype, to + vec_bytes(dtype, c), vf_mul(act, up), real - c);
        }
    }
}

#define STORE_GLU(NAME, DTYPE, GELU)                                                               \
    static void store_##NAME(const om__gemm *gemm, const om__gemm_item *item, int64_t row,         \
                             int64_t rows, int64_t column, int64_t columns, const float *sums,     \
                             int64_t stride)                                                       \
    {                                                                                              \
        store_glu(DTYPE, GELU, gemm, item, row, rows, column, columns, sums, stride);              \
    }
STORE_GLU(silu_f32, OM_F32, 0)
STORE_GLU(silu_bf16, OM_BF16, 0)
STORE_GLU(silu_f16, OM_F16, 0)
STORE_GLU(gelu_f32, OM_F32, 1)
STORE_GLU(gelu_bf16, OM_BF16, 1)
STORE_GLU(gelu_f16, OM_F16, 1)

#define LEVEL_GLU                                                                                  \
    {                                                                                              \
        {[OM_F32] = store_silu_f32, [OM_BF16] = store_silu_bf16, [OM_F16] = store_silu_f16},       \
        {                                                                                          \
            [OM_F32] = store_gelu_f32, [OM_BF16] = store_gelu_bf16, [OM_F16] = store_gelu_f16      \
        }                                                                                          \
    }

/* How many of `count` values from k on share a group of 128. */
VEC_INLINE int64_t group_left(int64_t k, int64_t count)
{
    int64_t left = 128 - k % 128;
    return left < count ? left : count;
}

/* A: rows of e4m3, each 128 values times their scale. */
__attribute__((unused)) static int a_rows_block128(const om__gemm_operand *from, int64_t row,
                                                   int64_t rows, int64_t k, int64_t count, char *to,
                                                   int64_t step)
{
    a_rows_e4m3(from, row, rows, k, count, to, step);
    for (int64_t r = 0; r < rows; r++)
        for (int64_t i = 0, part; i < count; i += part) {
            part = group_left(k + i, count - i);
            vf scale = vf_set(from->scale[(row + r) * from->scale_stride + (k + i) / 128]);
            float *out = (float *)(void *)(to + r * step) + i;
            for (int64_t j = 0; j < part; j += LANES)
                vf_store_some_as(OM_F32, out + j,
                                 vf_mul(vf_load_some_as(OM_F32, out + j, part - j), scale),
                                 part - j);
        }
    return 0;
}

/* The scales of one group of k for the columns [row, row + LANES) of B, zeros beyond `rows`. */
VEC_INLINE vf column_scales(const om__gemm_operand *from, int64_t row, int64_t rows, int64_t group)
{
    float scales[LANES] = {0};
    for (int64_t c = 0; c < LANES && c < rows; c++)
        scales[c] = from->scale[(row + c) * from->scale_stride + group];
    return vf_load(scales);
}

/* B: e4m3 stored [N,K], each 128 values of a column times their scale. */
__attribute__((unused)) static int b_rows_block128(const om__gemm_operand *from, int64_t row,
                                                   int64_t rows, int64_t k, int64_t count, char *to,
                                                   int64_t step)
{
    b_rows_e4m3(from, row, rows, k, count, to, step);
    for (int64_t c = 0; c < rows; c += LANES)
        for (int64_t i = 0, part; i < count; i += part) {
            part = group_left(k + i, count - i);
            vf scale = column_scales(from, row + c, rows - c, (k + i) / 128);
            char *line = to + i * step + c * 4;
            for (int64_t j = 0; j < part; j++, line += step)
                vf_store(line, vf_mul(vf_load(line), scale));
        }
    return 0;
}

/* B: nibbles stored [N,K] as (q − zero) · scale. k and count are multiples of 8, or count ends the
 * row. */
__attribute__((unused)) static int b_rows_int4(const om__gemm_operand *from, int64_t row,
                                               int64_t rows, int64_t k, int64_t count, char *to,
                                               int64_t step)
{
    const int64_t stride = from->stride / 2;
    const char *data = (const char *)from->data + row * stride + k / 2;
    for (int64_t c = 0; c < rows; c += LANES) {
        char *line = to + c * 4;
        for (int64_t i = 0; i < count; i += 8 * LANES) {
            vi square[LANES];
            float zeros[LANES] = {0};
            load_square(square, data + c * stride + i / 2, stride, rows - c, (count - i) / 2);
            for (int w = 0; w < LANES && i + 8 * w < count; w++) {
                int64_t group = (k + i + 8 * w) / 128;
                vf scale = column_scales(from, row + c, rows - c, group);
                for (int64_t z = 0; z < LANES && z < rows - c; z++)
                    zeros[z] = from->zero[(row + c + z) * from->scale_stride + group];
                vf zero = vf_load(zeros);
                vi word = square[w];
                for (int j = 0; j < 8; j++, line += step) {
                    vf q = vf_from_int(vi_and(word, vi_set(15)));
                    vf_store(line, vf_mul(vf_sub(q, zero), scale));
                    word = vi_shr(word, 4);
                }
            }
        }
    }
    return 0;
}

/* A: rows of fp16 widened, in the order in which words of nibbles are decoded: of each 8·LANES
 * values first those at 0, 8, 16…, then those at 1, 9, 17… */
__attribute__((unused)) static int a_rows_int4(const om__gemm_operand *from, int64_t row,
                                               int64_t rows, int64_t k, int64_t count, char *to,
                                               int64_t step)
{
    for (int64_t r = 0; r < rows; r++) {
        const uint16_t *p = (const uint16_t *)from->data + (row + r) * from->stride + k;
        float *out = (float *)(void *)(to + r * step);
        for (int64_t i = 0; i < count; i += 8 * LANES)
            for (int w = 0; w < LANES; w++) {
                float values[8 + LANES];
                for (int v = 0; v < 8; v += LANES < 8 ? LANES : 8)
                    vf_store(values + v,
                             vf_load_part_as(OM_F16, p + i + 8 * w + v, LANES < 8 ? LANES : 8));
                for (int j = 0; j < 8; j++)
                    out[i + j * LANES + w] = values[j];
            }
    }
    return 0;
}

#define LEVEL_PACKERS                                                                              \
    .pack_a = {[OM_F32] = {a_rows_f32, a_lines_f32},                                               \
               [OM_BF16] = {a_rows_bf16, a_lines_bf16},                                            \
               [OM_F16] = {a_rows_f16, a_lines_f16},                                               \
               [OM_E4M3] = {a_rows_e4m3, a_lines_e4m3},                                            \
               [OM_E5M2] = {a_rows_e5m2, a_lines_e5m2}},                                           \
    .pack_b = {[OM_F32] = {b_rows_f32, b_lines_f32},                                               \
               [OM_BF16] = {b_rows_bf16, b_lines_bf16},                                            \
               [OM_F16] = {b_rows_f16, b_lines_f16},                                               \
               [OM_E4M3] = {b_rows_e4m3, b_lines_e4m3},                                            \
               [OM_E5M2] = {b_rows_e5m2, b_lines_e5m2}},                                           \
    .store = {[OM_F32] = store_f32, [OM_BF16] = store_bf16, [OM_F16] = store_f16},                 \
    .store_scaled = {[OM_BF16] = store_scaled_bf16, [OM_F16] = store_scaled_f16},                  \
    .store_glu = LEVEL_GLU, .pack_a_block128 = a_rows_block128,                                    \
    .pack_b_block128 = b_rows_block128, .pack_a_int4 = a_rows_int4, .pack_b_int4 = b_rows_int4,    \
    .direct = OM_F32
