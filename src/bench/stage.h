/* SPDX-License-Identifier: Apache-2.0 */
/* stage.h: the tensors of one case on the device: inputs drawn by the contract, outputs poisoned,
 * as many copies as the cache state needs, and the reference they are judged against.
 *
 * All contenders of a case share one stage: the same inputs, the same output buffer. In a cold case
 * consecutive calls walk through copies ("sets") whose total is several times the last-level cache,
 * so that what a call touches was evicted since it was touched last.
 */
#ifndef OM_BENCH_STAGE_H
#define OM_BENCH_STAGE_H

#include "core/context.h"
#include "opmark/provider.h"
#include "ops/op.h"

typedef enum om_cache_mode {
    OM_CACHE_WARM = 0, /* one set, used again and again */
    OM_CACHE_ROTATE,   /* cold: sets in turn */
    OM_CACHE_FLUSH,    /* cold: one set, the cache emptied before each sample */
} om_cache_mode;

typedef struct om_stage {
    om_context *context;
    const om_op *op;
    om_cache_mode cache;
    uint64_t seed;
    _Alignas(max_align_t) char args[OM_MAX_ARGS_SIZE]; /* with the pointers of the current set */
    om_tensor tensors[OM_MAX_PORTS];                   /* shapes; data of set 0 */
    size_t offsets[OM_MAX_PORTS];                      /* of each tensor in a set */
    om_named_tensor named[OM_MAX_PORTS];               /* present ports only */
    size_t named_port[OM_MAX_PORTS];
    om_problem problem; /* over args and named */
    char *arena;        /* device memory: set_count sets of set_bytes each */
    size_t set_bytes, set_count, current;
    char *host_inputs; /* host copies of the inputs; NULL where the device is the host */
    char *want, *got;  /* host memory of a set's layout: reference and downloaded outputs; got is
                          NULL where the device is the host */
    char *judged[OM_MAX_PORTS]; /* host copies of the inputs that a judge reads, where there are no
                                   host_inputs */
    om_rows rows[OM_MAX_PORTS];
    bool whole; /* every row is judged */
    int64_t rows_checked, rows_total;
    om_work work;
    char *flush; /* host memory walked through to empty the cache, OM_CACHE_FLUSH on the CPU */
    size_t flush_bytes;
} om_stage;

/* Bytes of device memory a case takes, without workspace. llc_bytes: the last-level cache. */
om_status om__stage_estimate(const om_op *op, const void *args, om_cache_mode cache,
                             size_t llc_bytes, int64_t *device_bytes, om_error *err);

/* Allocates and draws. args holds the parameters. OM_NO_MEMORY where it does not fit. */
om_status om__stage_init(om_stage *stage, om_context *context, const om_op *op, const void *args,
                         om_cache_mode cache, uint64_t seed, om_error *err);
void om__stage_release(om_stage *stage); /* a zeroed one is accepted */

/* Fills named and problem from op, args and tensors. */
void om__stage_name_ports(om_stage *stage);

/* The pointers of the next set; called before each call of a contender. */
static inline void om__stage_advance(om_stage *stage);
void om__stage_select(om_stage *stage, size_t set);

/* Poisons the outputs of one set. */
om_status om__stage_poison(om_stage *stage, size_t set, om_error *err);

/* Computes the reference on the host, whole or for sampled rows by what it costs; budget_flops is
 * what the host may spend. */
om_status om__stage_reference(om_stage *stage, double budget_flops, om_error *err);
/* Takes the outputs of set 0, computed by the device's own reference, as the reference. */
om_status om__stage_reference_from_device(om_stage *stage, om_error *err);

/* Judges the outputs of one set. */
om_status om__stage_judge(om_stage *stage, size_t set, om_check *check, om_error *err);

/* Walks through memory twice the size of the last-level cache. */
void om__stage_flush(om_stage *stage);

static inline void om__stage_advance(om_stage *stage)
{
    if (stage->set_count == 1)
        return;
    size_t next = stage->current + 1 == stage->set_count ? 0 : stage->current + 1;
    ptrdiff_t step = ((ptrdiff_t)next - (ptrdiff_t)stage->current) * (ptrdiff_t)stage->set_bytes;
    stage->current = next;
    for (size_t i = 0; i < stage->problem.tensor_count; i++) {
        char *data = (char *)stage->named[i].tensor.data + step;
        stage->named[i].tensor.data = data;
        __builtin_memcpy(stage->args + stage->op->ports[stage->named_port[i]].offset, &data,
                         sizeof data);
    }
}

/* Which rows of `total` to judge when not all: the first and last two, both sides of multiples of
 * the usual tile sizes, and others drawn by the seed until there are `count`. Ascending; returns
 * how many were written to index, which holds max(count, 64). count <= total. */
int64_t om__rows_pick(int64_t total, int64_t count, uint64_t seed, int64_t *index);

#endif
