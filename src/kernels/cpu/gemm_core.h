/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_core.h: the one blocked matrix product that every operator with a product calls.
 *
 * A call is a list of products (one for a dense GEMM, one an item of a batch, one a group) of one
 * kind: element types, layouts, tiles and the hook that stores results. Per product the B operand
 * is packed one panel of up to 64 columns at a time into a private buffer, and all rows of A run
 * against it; A is read where it lies when its rows are already what the tiles want, else it is
 * packed once into rows by all threads together.
 *
 * Repeat: K blocks depend on K alone, and threads never split K, so each element is the same chain
 * of operations for any number of threads.
 */
#ifndef OM_KERNELS_CPU_GEMM_CORE_H
#define OM_KERNELS_CPU_GEMM_CORE_H

#include <stddef.h>

#include "core/kernel.h"
#include "kernels/cpu/gemm_tile.h"
#include "opmark/dtype.h"

/* One operand as stored. Logical rows are m for A and n for B; "k-major" storage has k as its slow
 * axis. */
typedef struct om__gemm_operand {
    const void *data;
    int64_t stride;       /* elements from one stored row to the next */
    const int32_t *index; /* A, not k-major: logical row → stored row; NULL: the same */
    const float *scale;   /* for formats with scales */
    int64_t scale_stride; /* scales from one logical row to the next */
    const uint8_t *zero;  /* zero points, laid out as the scales */
} om__gemm_operand;

typedef struct om__gemm_item {
    int64_t m, n, k;
    om__gemm_operand a, b;
    void *d;
    int64_t d_stride; /* elements */
    int64_t number;   /* for the hooks: which product of the call this is */
} om__gemm_item;

/* Packs logical rows [row, row + rows) and k in [k, k + count) of an operand.
 * A packer writes rows `step` bytes apart, each padded with zeros to a whole number of tile steps.
 * B packer writes one line a tile step, `step` bytes apart, and pads columns with zeros to a whole
 * number of vectors.
 * Returns 1 when the operand holds a value that the tiles of this type mistake (see om__gemm_wide).
 */
typedef int (*om__gemm_pack_fn)(const om__gemm_operand *from, int64_t row, int64_t rows, int64_t k,
                                int64_t count, char *to, int64_t step);

/* The way without packing, for few rows of A and B stored [N,K]: sums[r][c] = row a_row + r of A,
 * as a[r] gives it, times row `row + c` of B, over all k. */
struct om__gemm_item;
typedef void (*om__gemm_dot_fn)(const struct om__gemm_item *item, const char *const *a,
                                int64_t a_row, int64_t rows, int64_t row, int64_t columns,
                                float *sums, int64_t stride);
#define OM_DOT_MOST_ROWS 32 /* of A in a task */

struct om__gemm;
/* Stores rows [row, row + rows) and columns [column, column + columns) of an item from f32 sums. */
typedef void (*om__gemm_store_fn)(const struct om__gemm *gemm, const om__gemm_item *item,
                                  int64_t row, int64_t rows, int64_t column, int64_t columns,
                                  const float *sums, int64_t stride);

/* The way out for tiles that take denormal operands as zero: where one is found in A, or in a panel
 * of B, the product is made of f32. What is decided for an element depends on the operands alone.
 */
typedef struct om__gemm_wide {
    const om__tiles *tiles; /* of the same rows, vector and vectors */
    om__gemm_pack_fn pack_b;
    /* One row of A as the narrow tiles read it, to f32. */
    void (*widen)(const char *row, int64_t count, float *to);
    /* 1 when one of the rows holds a denormal. */
    int (*is_denormal)(const char *const *rows, int64_t row_count, int64_t count);
} om__gemm_wide;

typedef struct om__gemm {
    const om__tiles *tiles;
    int64_t item_count;
    const om__gemm_item *items;
    om__gemm_pack_fn pack_a; /* NULL: rows of A are read where they lie */
    int a_bytes;             /* of an element of A as stored; used where pack_a is NULL */
    om__gemm_pack_fn pack_b;
    int b_bytes;               /* of an element of B as stored; 0: B is not asked for in advance */
    int b_lines;               /* B is k-major; used with b_bytes */
    const om__gemm_wide *wide; /* NULL: the tiles take every value */
    int64_t pair_rows; /* 0, or F: B is F gate rows, then F up rows; a run of columns is half gate,
                        * half up, of the same F-columns; n is 2·F rounded up to whole vectors */
    om__gemm_dot_fn dot, dot_wide; /* dot: for items of at most dot_rows rows; NULL: never */
    int64_t dot_rows;
    const om__streams *streams; /* NULL: never; else A and B are read where they lie, of one type */
    om__gemm_pack_fn stream_pack, stream_turn; /* A, and f32 sums, as B stored [N,K] */
    om__gemm_store_fn store;
    om__gemm_store_fn wide_store; /* for sums made the wide way; NULL: store */
    int store_is_copy;   /* d is f32 and takes the sums as they are: tiles may write it directly */
    const void *context; /* for the hooks */
} om__gemm;

/* The size of a call, from its shapes alone. */
typedef struct om__gemm_bounds {
    int64_t items;
    int64_t rows;   /* of all items together */
    int64_t most_k; /* of one item */
    int packed_a;
    int streams; /* items may take the plan of gemm_stream.h */
} om__gemm_bounds;

size_t om__gemm_workspace_bytes(const om_kernel_env *env, const om__tiles *tiles,
                                const om__gemm_bounds *bounds);
/* Runs the list. Items may be empty in any dimension; k = 0 stores zeros. */
void om__gemm_run(const om_kernel_env *env, const om__gemm *gemm, const om__gemm_bounds *bounds,
                  void *workspace);

/* ---- packers of each level ---- */

/* What a level offers; an entry is NULL where the level cannot. Indexed by dtype and by whether the
 * operand is k-major (A stored [K,M], B stored [K,N]). */
typedef struct om__gemm_level {
    om_isa isa;
    const om__tiles *tiles;
    om__gemm_pack_fn pack_a[OM_DTYPE_COUNT][2];
    om__gemm_pack_fn pack_b[OM_DTYPE_COUNT][2];
    om__gemm_store_fn store[OM_DTYPE_COUNT]; /* plain rounding to the type */
    om__gemm_store_fn wide_store[OM_DTYPE_COUNT];
    const om__gemm_wide *wide[2];                   /* for B k-major or not; NULL: not needed */
    om__gemm_store_fn store_glu[2][OM_DTYPE_COUNT]; /* by om_activation; of pair_rows */
    om__gemm_store_fn store_scaled[OM_DTYPE_COUNT]; /* context: an om__gemm_scaling */
    /* e4m3 with a scale for each 128 values of k; NULL: not at this level. */
    om__gemm_pack_fn pack_a_block128, pack_b_block128;
    om__gemm_dot_fn dot[OM_DTYPE_COUNT], dot_wide, dot_block128, dot_int4;
    int64_t dot_rows;
    const om__streams *streams;   /* of operands of type `direct`; NULL: none */
    om__gemm_pack_fn turn;        /* f32 [N,K] to lines of n */
    om__gemm_pack_fn pack_a_int4; /* fp16 rows as dot_int4 wants them, 4 bytes a k */
    om__gemm_pack_fn pack_b_int4; /* nibbles in groups of 128 with scale and zero point */
    om_dtype direct;              /* the type whose rows the tiles can read where they lie */
} om__gemm_level;

#define OM_DOTS(LEVEL)                                                                             \
    void om__gemm_dot_##LEVEL(const om__gemm_item *item, const char *const *a, int64_t a_row,      \
                              int64_t rows, int64_t row, int64_t columns, float *sums,             \
                              int64_t stride);
#define OM_LEVEL_DOTS(LEVEL)                                                                       \
    OM_DOTS(LEVEL##_f32)                                                                           \
    OM_DOTS(LEVEL##_bf16)                                                                          \
    OM_DOTS(LEVEL##_f16)                                                                           \
    OM_DOTS(LEVEL##_e4m3)                                                                          \
    OM_DOTS(LEVEL##_block128)                                                                      \
    OM_DOTS(LEVEL##_int4)
OM_LEVEL_DOTS(scalar)
OM_LEVEL_DOTS(avx2)
OM_LEVEL_DOTS(avx512)
OM_DOTS(pairs_bf16)
OM_DOTS(pairs_e4m3)
OM_DOTS(pairs_wide)
OM_DOTS(pairs_block128)
OM_DOTS(pairs_int4)
int om__gemm_pack_pairs_int4(const om__gemm_operand *from, int64_t row, int64_t rows, int64_t k,
                             int64_t count, char *to, int64_t step);

extern const om__gemm_level om__gemm_scalar;
extern const om__gemm_level om__gemm_avx2;
extern const om__gemm_level om__gemm_avx512;
extern const om__gemm_level om__gemm_avx512bf16; /* bf16 pairs; fp8 widened to bf16 exactly */

#endif
