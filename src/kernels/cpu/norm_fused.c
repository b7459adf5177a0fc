/* SPDX-License-Identifier: Apache-2.0 */
/* norm_fused.c: RMS norm and layer norm, forward and backward, and fp8_quant; one kernel a level.
 *
 * Shapes    any. Layout: rows packed. Types: bf16, fp16, f32.
 * Schedule  rows shared between the threads in equal runs; large outputs bypass the cache.
 * Parameter gradients: runs of rows fixed by the shape, each summed alone, then in order. Numerics
 * f32 sums in lanes, the root in f64. Refuses: nothing. Cost: one read, one write.
 */
#include "base/error.h"
#include "kernels/cpu/gemm_product.h"
#include "kernels/cpu/norm_rows.h"
#include "kernels/cpu/parallel.h"
#include "opmark/fp8_quant.h"
#include "opmark/layernorm.h"
#include "opmark/rmsnorm.h"

#define STREAM_BYTES (1 << 20) /* an output this large is not read from the cache again */
#define GRAIN_BYTES  64e3
#define BLOCK_ROWS   64  /* summed into one partial gradient */
#define MOST_BLOCKS  256 /* beyond, blocks take more rows */

static om_status query_nothing(const om_kernel_env *env, const void *arguments,
                               size_t *workspace_bytes, om_error *err)
{
    (void)env;
    (void)arguments;
    (void)err;
    *workspace_bytes = 0;
    return OM_OK;
}

/* The part of `all` from row `first` on, `rows` long. */
static om__norm_rows rows_of(const om__norm_rows *all, om_dtype dtype, int64_t first, int64_t rows)
{
    om__norm_rows part = *all;
    const int64_t bytes = first * all->h * om_dtype_bits(dtype) / 8;
    part.rows = rows;
    part.x = (const char *)all->x + bytes;
    if (all->y != NULL)
        part.y = (char *)all->y + bytes;
    if (all->grad_y != NULL)
        part.grad_y = (const char *)all->grad_y + bytes;
    if (all->grad_x != NULL)
        part.grad_x = (char *)all->grad_x + bytes;
    if (all->mean != NULL)
        part.mean = all->mean + first;
    part.rstd = all->rstd + first;
    return part;
}

typedef struct forward_work {
    om__norm_rows_fn rows_fn;
    const om__norm_rows *all;
    om_dtype dtype;
} forward_work;

static void forward_part(const void *opaque, int part, int parts)
{
    const forward_work *work = opaque;
    const int64_t rows = work->all->rows;
    int64_t first = rows * part / parts, last = rows * (part + 1) / parts;
    om__norm_rows mine = rows_of(work->all, work->dtype, first, last - first);
    work->rows_fn(&mine);
}

static void run_forward(om__norm_rows_fn rows_fn, const om_kernel_env *env, om__norm_rows *all,
                        om_dtype dtype)
{
    const double bytes = (double)all->rows * (double)all->h * om_dtype_bits(dtype) / 8;
    const int threads = om__threads_for(env, bytes, GRAIN_BYTES);
    all->stream = bytes >= STREAM_BYTES;
    om__run_parts(threads, forward_part,
                  &(forward_work){.rows_fn = rows_fn, .all = all, .dtype = dtype});
}

static om_status run_rmsnorm(const om__norm_level *level, const om_kernel_env *env,
                             const void *arguments, void *workspace)
{
    const om_rmsnorm_args *args = arguments;
    (void)workspace;
    om__norm_rows all = {.rows = args->m,
                         .h = args->h,
                         .eps = args->eps,
                         .x = args->x,
                         .gamma = args->gamma,
                         .y = args->y,
                         .rstd = args->rstd};
    run_forward(level->rmsnorm[args->dtype], env, &all, args->dtype);
    return OM_OK;
}

static om_status run_layernorm(const om__norm_level *level, const om_kernel_env *env,
                               const void *arguments, void *workspace)
{
    const om_layernorm_args *args = arguments;
    (void)workspace;
    om__norm_rows all = {.rows = args->m,
                         .h = args->h,
                         .eps = args->eps,
                         .x = args->x,
                         .gamma = args->gamma,
                         .beta = args->beta,
                         .y = args->y,
                         .mean = args->mean,
                         .rstd = args->rstd};
    run_forward(level->layernorm[args->dtype], env, &all, args->dtype);
    return OM_OK;
}

static int64_t block_rows(int64_t m)
{
    int64_t rows = (m + MOST_BLOCKS - 1) / MOST_BLOCKS;
    return rows > BLOCK_ROWS ? rows : BLOCK_ROWS;
}

static int64_t block_count(int64_t m)
{
    return m > 0 ? (m + block_rows(m) - 1) / block_rows(m) : 0;
}

static size_t partial_bytes(int64_t m, int64_t h)
{
    return om__carved(block_count(m) * om__partial_stride(h) * (int64_t)sizeof(float));
}

static om_status query_rmsnorm_backward(const om_kernel_env *env, const void *arguments,
                                        size_t *workspace_bytes, om_error *err)
{
    const om_rmsnorm_backward_args *args = arguments;
    (void)env;
    (void)err;
    *workspace_bytes = partial_bytes(args->m, args->h);
    return OM_OK;
}

static om_status query_layernorm_backward(const om_kernel_env *env, const void *arguments,
                                          size_t *workspace_bytes, om_error *err)
{
    const om_layernorm_backward_args *args = arguments;
    (void)env;
    (void)err;
    *workspace_bytes = 2 * partial_bytes(args->m, args->h);
    return OM_OK;
}

/* grad_x of all rows and the parameter gradients; the partials of grad_beta lie behind those of
 * grad_gamma. */
static void run_backward(const om__norm_level *level, om__norm_rows_fn rows_fn,
                         const om_kernel_env *env, const om__norm_rows *all, om_dtype dtype,
                         void *grad_gamma, void *grad_beta, char *workspace)
{
    const int64_t h = all->h, step = block_rows(all->rows), blocks = block_count(all->rows);
    const int64_t stride = om__partial_stride(h), steps = stride / OM_PARTIAL_STEP;
    float *gamma = (float *)(void *)workspace;
    float *beta = (float *)(void *)(workspace + partial_bytes(all->rows, h));
    const double bytes = (double)all->rows * (double)h * om_dtype_bits(dtype) / 8;
    const int threads = om__threads_for(env, bytes, GRAIN_BYTES);
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (threads > 1)
    for (int64_t block = 0; block < blocks; block++) {
        int64_t first = block * step;
        int64_t rows = all->rows - first < step ? all->rows - first : step;
        om__norm_rows mine = rows_of(all, dtype, first, rows);
        mine.grad_gamma = gamma + block * stride;
        mine.grad_beta = beta + block * stride;
        mine.stream = bytes >= STREAM_BYTES;
        rows_fn(&mine);
    }
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
    for (int part = 0; part < threads; part++) {
        int64_t first = steps * part / threads * OM_PARTIAL_STEP;
        int64_t last = steps * (part + 1) / threads * OM_PARTIAL_STEP;
        last = last < h ? last : h;
        level->sum_partials[dtype](gamma, blocks, stride, first, last, grad_gamma);
        if (grad_beta != NULL)
            level->sum_partials[dtype](beta, blocks, stride, first, last, grad_beta);
    }
}

static om_status run_rmsnorm_backward(const om__norm_level *level, const om_kernel_env *env,
                                      const void *arguments, void *workspace)
{
    const om_rmsnorm_backward_args *args = arguments;
    om__norm_rows all = {.rows = args->m,
                         .h = args->h,
                         .x = args->x,
                         .gamma = args->gamma,
                         .rstd = (float *)args->rstd,
                         .grad_y = args->grad_y,
                         .grad_x = args->grad_x};
    run_backward(level, level->rmsnorm_backward[args->dtype], env, &all, args->dtype,
                 args->grad_gamma, NULL, workspace);
    return OM_OK;
}

static om_status run_layernorm_backward(const om__norm_level *level, const om_kernel_env *env,
                                        const void *arguments, void *workspace)
{
    const om_layernorm_backward_args *args = arguments;
    om__norm_rows all = {.rows = args->m,
                         .h = args->h,
                         .x = args->x,
                         .gamma = args->gamma,
                         .mean = (float *)args->mean,
                         .rstd = (float *)args->rstd,
                         .grad_y = args->grad_y,
                         .grad_x = args->grad_x};
    run_backward(level, level->layernorm_backward[args->dtype], env, &all, args->dtype,
                 args->grad_gamma, args->grad_beta, workspace);
    return OM_OK;
}

typedef struct quantise_work {
    const om__norm_level *level;
    const om_fp8_quant_args *args;
    int64_t rows;
} quantise_work;

static void quantise_part(const void *opaque, int part, int parts)
{
    const quantise_work *work = opaque;
    const om_fp8_quant_args *args = work->args;
    const int64_t first = work->rows * part / parts, last = work->rows * (part + 1) / parts;
    const int64_t from = first * args->d;
    work->level->quantise[args->dtype](
        (const char *)args->x + from * om_dtype_bits(args->dtype) / 8, last - first, args->d,
        args->scale + first, (char *)args->out + from);
}

static om_status run_fp8_quant(const om__norm_level *level, const om_kernel_env *env,
                               const void *arguments, void *workspace)
{
    const om_fp8_quant_args *args = arguments;
    const int64_t b = args->b > 0 ? args->b : 1, g = args->g > 0 ? args->g : 1;
    const int64_t rows = b * args->s * g;
    const double bytes = (double)rows * (double)args->d * om_dtype_bits(args->dtype) / 8;
    (void)workspace;
    om__run_parts(om__threads_for(env, bytes, GRAIN_BYTES), quantise_part,
                  &(quantise_work){.level = level, .args = args, .rows = rows});
    return OM_OK;
}

#define KERNEL(NAME, OP, PASS, LEVEL, ISA, QUERY, RUN)                                             \
    static om_status run_##NAME##_##LEVEL(const om_kernel_env *env, const void *args,              \
                                          void *workspace, om_error *err)                          \
    {                                                                                              \
        (void)err;                                                                                 \
        return RUN(&om__norm_##LEVEL, env, args, workspace);                                       \
    }                                                                                              \
    const om_kernel om_##NAME##_##LEVEL##__fused = {                                               \
        .name = "om_" #NAME "_" #LEVEL "__fused",                                                  \
        .op = OP,                                                                                  \
        .pass = PASS,                                                                              \
        .isa = ISA,                                                                                \
        .query = QUERY,                                                                            \
        .run = run_##NAME##_##LEVEL,                                                               \
    };
#define KERNELS(NAME, OP, PASS, QUERY, RUN)                                                        \
    KERNEL(NAME, OP, PASS, scalar, OM_ISA_SCALAR, QUERY, RUN)                                      \
    KERNEL(NAME, OP, PASS, avx2, OM_ISA_AVX2, QUERY, RUN)                                          \
    KERNEL(NAME, OP, PASS, avx512, OM_ISA_AVX512, QUERY, RUN)

KERNELS(rmsnorm, "rmsnorm", "forward", query_nothing, run_rmsnorm)
KERNELS(rmsnorm_backward, "rmsnorm", "backward", query_rmsnorm_backward, run_rmsnorm_backward)
KERNELS(layernorm, "layernorm", "forward", query_nothing, run_layernorm)
KERNELS(layernorm_backward, "layernorm", "backward", query_layernorm_backward,
        run_layernorm_backward)
KERNELS(fp8_quant, "fp8_quant", "forward", query_nothing, run_fp8_quant)
