/* SPDX-License-Identifier: Apache-2.0 */
/* moe_permute.c: the contract of gathering tokens by expert without padding. */
#include "opmark/moe_permute.h"

#include <stdlib.h>
#include <string.h>

#include "ops/permute.h"
#include "ops/reference.h"

static const om_field fields[] = {
    OM_INT_FIELD(om_moe_permute_args, t, NULL, 0, OM_INT32_MAX, "tokens"),
    OM_INT_FIELD(om_moe_permute_args, h, NULL, 0, OM_INT32_MAX, "hidden size"),
    OM_INT_FIELD(om_moe_permute_args, e, NULL, 1, OM_INT32_MAX, "experts"),
    OM_INT_FIELD(om_moe_permute_args, k, NULL, 1, OM_INT32_MAX, "experts of a token"),
    OM_INT_FIELD(om_moe_permute_args, e_local, "0", 0, OM_INT32_MAX,
                 "experts of this rank; 0: all (other values need has_map)"),
    OM_DTYPE_FIELD(om_moe_permute_args, dtype, "bf16", "of the rows: bf16, fp16 or f32"),
    OM_FLAG_FIELD(om_moe_permute_args, has_map, "an expert map says which experts are local"),
    OM_WORD_FIELD(om_moe_permute_args, routing, "uniform", om__routing_words,
                  "how the ids are drawn"),
};

enum { HIDDEN, IDS, MAP, PERM, OFFSETS, SIZES, FIRST, FWD_IDX };
static const om_port ports[] = {
    [HIDDEN] = OM_IN(om_moe_permute_args, hidden),
    [IDS] = OM_IN(om_moe_permute_args, ids),
    [MAP] = OM_IN_OPTIONAL(om_moe_permute_args, expert_map),
    [PERM] = OM_OUT(om_moe_permute_args, perm_h),
    [OFFSETS] = OM_OUT(om_moe_permute_args, offsets),
    [SIZES] = OM_OUT(om_moe_permute_args, sizes),
    [FIRST] = OM_OUT(om_moe_permute_args, first_token_offset),
    [FWD_IDX] = OM_OUT(om_moe_permute_args, fwd_idx),
};

static int64_t local_experts(const om_moe_permute_args *p)
{
    return p->e_local > 0 ? p->e_local : p->e;
}

static om_status check(const void *args, om_error *err)
{
    const om_moe_permute_args *p = args;
    OM_TRY(om__dtype_check("dtype", p->dtype, OM_FLOATS_16_32, err));
    OM_TRY(om__index_check("t·k", p->t, p->k, err));
    return om__routing_check(p->k, p->e, local_experts(p), p->has_map, err);
}

static om_status describe(const void *args, om_tensor *tensors, om_error *err)
{
    const om_moe_permute_args *p = args;
    int64_t local = local_experts(p);
    OM_TRY(OM_SHAPE(&tensors[HIDDEN], p->dtype, err, p->t, p->h));
    OM_TRY(OM_SHAPE(&tensors[IDS], OM_I32, err, p->t, p->k));
    tensors[MAP] = (om_tensor){0};
    if (p->has_map)
        OM_TRY(OM_SHAPE(&tensors[MAP], OM_I32, err, p->e));
    OM_TRY(OM_SHAPE(&tensors[PERM], p->dtype, err, p->t * p->k, p->h));
    OM_TRY(OM_SHAPE(&tensors[OFFSETS], OM_I32, err, local));
    OM_TRY(OM_SHAPE(&tensors[SIZES], OM_I32, err, local));
    OM_TRY(OM_SHAPE(&tensors[FIRST], OM_I64, err, local + 1));
    return OM_SHAPE(&tensors[FWD_IDX], OM_I32, err, p->t * p->k);
}

static void fill(const void *args, size_t port, om_fill *fill)
{
    const om_moe_permute_args *p = args;
    if (port == HIDDEN)
        om__fill_set_normal(fill, 1);
    else if (port == IDS && p->routing == OM_MOE_UNIFORM)
        om__fill_set_ids(fill, p->k, p->e);
    else
        om__fill_set_host(fill);
}

static om_status fill_host(const void *args, size_t port, uint64_t seed, om_tensor *tensors,
                           om_error *err)
{
    const om_moe_permute_args *p = args;
    if (port == IDS)
        return om__draw_ids(p->routing, seed, (uint32_t)port, p->t, p->k, p->e, tensors[port].data,
                            err);
    om__draw_expert_map(p->e, local_experts(p), tensors[port].data);
    return OM_OK;
}

static om_work work(const void *args, const om_tensor *tensors)
{
    const om_moe_permute_args *p = args;
    double choices = (double)p->t * (double)p->k;
    double local = (double)local_experts(p);
    double moved = choices * local / (double)p->e;
    if (tensors && tensors[IDS].data)
        moved = (double)om__permute_count_local(tensors[IDS].data, p->t * p->k, p->e,
                                                local_experts(p), tensors[MAP].data);
    double row = (double)p->h * om_dtype_bits(p->dtype) / 8;
    double indices = 4 * choices * 2 + 4 * local * 2 + 8 * (local + 1);
    if (p->has_map)
        indices += 4 * (double)p->e;
    return (om_work){.bytes = (double)p->t * row + moved * row + indices};
}

static om_tolerance tolerance(const void *args, size_t port)
{
    (void)args;
    (void)port;
    return om__tolerance_exact();
}

static om_status reference(const void *args, const om_rows *rows, om_error *err)
{
    const om_moe_permute_args *p = args;
    int64_t local = local_experts(p);
    int32_t *slots = om__scratch(p->t * p->k, sizeof *slots, err);
    if (!slots)
        return OM_NO_MEMORY;
    om__permute_sort(p->ids, p->t * p->k, p->e, local, p->has_map ? p->expert_map : NULL,
                     p->first_token_offset, p->fwd_idx, slots);
    for (int64_t l = 0; l < local; l++) {
        p->offsets[l] = (int32_t)p->first_token_offset[l];
        p->sizes[l] = (int32_t)(p->first_token_offset[l + 1] - p->first_token_offset[l]);
    }
    size_t row = (size_t)p->h * (size_t)om_dtype_bits(p->dtype) / 8;
    int64_t count = om__rows_count(rows, PERM, p->t * p->k);
    for (int64_t i = 0; i < count && row > 0; i++) {
        int64_t slot = om__rows_get(rows, PERM, i);
        if (slot < p->first_token_offset[local])
            memcpy((char *)p->perm_h + (size_t)slot * row,
                   (const char *)p->hidden + (size_t)(slots[slot] / p->k) * row, row);
    }
    free(slots);
    return OM_OK;
}

const om_op om_op_moe_permute = {
    .name = "moe_permute",
    .pass = "forward",
    .summary = "rows of the tokens gathered by expert, without padding",
    .args_size = sizeof(om_moe_permute_args),
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
