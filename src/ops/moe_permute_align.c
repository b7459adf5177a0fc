/* SPDX-License-Identifier: Apache-2.0 */
/* moe_permute_align.c: the contract of sorting choices by expert with padding to whole blocks. */
#include "opmark/moe_permute_align.h"

#include <stdlib.h>

#include "ops/reference.h"

static const om_field fields[] = {
    OM_INT_FIELD(om_moe_permute_align_args, t, NULL, 0, OM_INT32_MAX, "tokens"),
    OM_INT_FIELD(om_moe_permute_align_args, e, NULL, 1, OM_INT32_MAX, "experts"),
    OM_INT_FIELD(om_moe_permute_align_args, k, NULL, 1, OM_INT32_MAX, "experts of a token"),
    OM_INT_FIELD(om_moe_permute_align_args, block_size, "64", 1, OM_INT32_MAX,
                 "slots of a block; each expert's run is padded to whole blocks"),
    OM_WORD_FIELD(om_moe_permute_align_args, routing, "uniform", om__routing_words,
                  "how the ids are drawn"),
};

enum { IDS, SORTED, EXPERTS, PADDED };
static const om_port ports[] = {
    [IDS] = OM_IN(om_moe_permute_align_args, ids),
    [SORTED] = OM_OUT(om_moe_permute_align_args, sorted_token_ids),
    [EXPERTS] = OM_OUT(om_moe_permute_align_args, expert_ids),
    [PADDED] = OM_OUT(om_moe_permute_align_args, num_tokens_post_pad),
};

/* Slots of sorted_token_ids; -1 where they are more than an int32 counts. */
static int64_t capacity(const om_moe_permute_align_args *p)
{
    int64_t choices, padding, sum;
    if (__builtin_mul_overflow(p->t, p->k, &choices) ||
        __builtin_mul_overflow(p->e + 1, p->block_size - 1, &padding) ||
        __builtin_add_overflow(choices, padding, &sum) || sum > INT32_MAX)
        return -1;
    return sum;
}

static int64_t blocks(const om_moe_permute_align_args *p)
{
    return (capacity(p) + p->block_size - 1) / p->block_size;
}

static om_status check(const void *args, om_error *err)
{
    const om_moe_permute_align_args *p = args;
    if (capacity(p) < 0)
        return om__error_set(err, OM_INVALID,
                             "t·k + (e+1)·(block_size-1) is more than an int32 holds");
    if (p->k > p->e)
        return om__error_set(err, OM_INVALID, "k is %lld, more than the %lld experts",
                             (long long)p->k, (long long)p->e);
    return OM_OK;
}

static om_status describe(const void *args, om_tensor *tensors, om_error *err)
{
    const om_moe_permute_align_args *p = args;
    OM_TRY(OM_SHAPE(&tensors[IDS], OM_I32, err, p->t, p->k));
    OM_TRY(OM_SHAPE(&tensors[SORTED], OM_I32, err, capacity(p)));
    OM_TRY(OM_SHAPE(&tensors[EXPERTS], OM_I32, err, blocks(p)));
    return OM_SHAPE(&tensors[PADDED], OM_I32, err, 1);
}

static void fill(const void *args, size_t port, om_fill *fill)
{
    const om_moe_permute_align_args *p = args;
    if (port == IDS && p->routing == OM_MOE_UNIFORM)
        om__fill_set_ids(fill, p->k, p->e);
    else if (port == IDS)
        om__fill_set_host(fill);
}

static om_status fill_host(const void *args, size_t port, uint64_t seed, om_tensor *tensors,
                           om_error *err)
{
    const om_moe_permute_align_args *p = args;
    return om__draw_ids(p->routing, seed, (uint32_t)port, p->t, p->k, p->e, tensors[port].data,
                        err);
}

static om_work work(const void *args, const om_tensor *tensors)
{
    const om_moe_permute_align_args *p = args;
    (void)tensors;
    return (om_work){
        .bytes = 4 * ((double)p->t * (double)p->k + (double)capacity(p) + (double)blocks(p) + 1),
    };
}

static om_tolerance tolerance(const void *args, size_t port)
{
    (void)args;
    (void)port;
    return om__tolerance_exact();
}

/* Where each expert's run begins, padded; the sum of all last. */
static void padded_starts(const om_moe_permute_align_args *p, int64_t *starts)
{
    for (int64_t e = 0; e <= p->e; e++)
        starts[e] = 0;
    for (int64_t i = 0; i < p->t * p->k; i++)
        if (p->ids[i] >= 0 && p->ids[i] < p->e)
            starts[p->ids[i] + 1]++;
    for (int64_t e = 1; e <= p->e; e++)
        starts[e] = starts[e - 1] + (starts[e] + p->block_size - 1) / p->block_size * p->block_size;
}

static om_status reference(const void *args, const om_rows *rows, om_error *err)
{
    const om_moe_permute_align_args *p = args;
    (void)rows; /* cheap enough to be made whole */
    int64_t *next = om__scratch(p->e + 1, sizeof *next, err);
    if (!next)
        return OM_NO_MEMORY;
    padded_starts(p, next);
    *p->num_tokens_post_pad = (int32_t)next[p->e];
    for (int64_t b = 0; b < blocks(p); b++)
        p->expert_ids[b] = -1;
    for (int64_t e = 0; e < p->e; e++)
        for (int64_t slot = next[e]; slot < next[e + 1]; slot += p->block_size)
            p->expert_ids[slot / p->block_size] = (int32_t)e;
    for (int64_t slot = 0; slot < capacity(p); slot++)
        p->sorted_token_ids[slot] = (int32_t)(p->t * p->k);
    for (int64_t i = 0; i < p->t * p->k; i++)
        if (p->ids[i] >= 0 && p->ids[i] < p->e)
            p->sorted_token_ids[next[p->ids[i]]++] = (int32_t)i;
    free(next);
    return OM_OK;
}

const om_op om_op_moe_permute_align = {
    .name = "moe_permute_align",
    .pass = "forward",
    .summary = "(token, expert) choices sorted by expert, each run padded to whole blocks",
    .args_size = sizeof(om_moe_permute_align_args),
    .fields = fields,
    .field_count = OM_COUNT(fields),
    .ports = ports,
    .port_count = OM_COUNT(ports),
    .check = check,
    .describe = describe,
    .fill = fill,
    .fill_host = fill_host,
    .work = work,
    .tolerance = tolerance,
    .reference = reference,
};
