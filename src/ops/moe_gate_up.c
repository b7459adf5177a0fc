/* SPDX-License-Identifier: Apache-2.0 */
/* moe_gate_up.c: the contract of the gated first half of the experts' MLP. */
#include "opmark/moe_gate_up.h"

#include <stdlib.h>

#include "ops/mlp.h"

enum { CHUNK = 64 }; /* rows whose results are held at once */

static const char *const activation_words[] = {[OM_SILU] = "silu", [OM_GELU] = "gelu", NULL};

static const om_field fields[] = {
    OM_INT_FIELD(om_moe_gate_up_args, e, NULL, 1, OM_INT32_MAX, "experts"),
    OM_INT_FIELD(om_moe_gate_up_args, s, NULL, 0, OM_INT32_MAX, "rows of all experts"),
    OM_INT_FIELD(om_moe_gate_up_args, f, NULL, 0, OM_INT32_MAX, "FFN size of an expert"),
    OM_INT_FIELD(om_moe_gate_up_args, k, NULL, 0, OM_INT32_MAX, "contraction length: hidden size"),
    OM_DTYPE_FIELD(om_moe_gate_up_args, dtype, "bf16", "of a, b and c: bf16, fp16 or f32"),
    OM_WORD_FIELD(om_moe_gate_up_args, activation, "silu", activation_words, "of the gate"),
    OM_WORD_FIELD(om_moe_gate_up_args, routing, "uniform", om__routing_words,
                  "how the sizes are drawn"),
};

enum { A, B, SIZES, OFFSETS, C };
static const om_port ports[] = {
    [A] = OM_IN(om_moe_gate_up_args, a),         [B] = OM_WEIGHT(om_moe_gate_up_args, b),
    [SIZES] = OM_IN(om_moe_gate_up_args, sizes), [OFFSETS] = OM_IN(om_moe_gate_up_args, offsets),
    [C] = OM_OUT(om_moe_gate_up_args, c),
};

static om_status check(const void *args, om_error *err)
{
    return om__dtype_check("dtype", ((const om_moe_gate_up_args *)args)->dtype, OM_FLOATS_16_32,
                           err);
}

static om_status describe(const void *args, om_tensor *tensors, om_error *err)
{
    const om_moe_gate_up_args *p = args;
    OM_TRY(OM_SHAPE(&tensors[A], p->dtype, err, p->s, p->k));
    OM_TRY(OM_SHAPE(&tensors[B], p->dtype, err, p->e, 2 * p->f, p->k));
    OM_TRY(OM_SHAPE(&tensors[SIZES], OM_I32, err, p->e));
    OM_TRY(OM_SHAPE(&tensors[OFFSETS], OM_I32, err, p->e));
    return OM_SHAPE(&tensors[C], p->dtype, err, p->s, p->f);
}

/* Activations of unit size keep the gate away from the part of silu that is a straight line. */
static void fill(const void *args, size_t port, om_fill *fill)
{
    (void)args;
    if (port == A)
        om__fill_set_normal(fill, 1);
    else if (port == B)
        om__fill_set_normal(fill, 0.02);
    else
        om__fill_set_host(fill);
}

static om_status fill_host(const void *args, size_t port, uint64_t seed, om_tensor *tensors,
                           om_error *err)
{
    const om_moe_gate_up_args *p = args;
    (void)err;
    om__draw_groups(p->routing, seed, SIZES, p->s, p->e, port == SIZES ? tensors[port].data : NULL,
                    port == OFFSETS ? tensors[port].data : NULL);
    return OM_OK;
}

static om_work work(const void *args, const om_tensor *tensors)
{
    const om_moe_gate_up_args *p = args;
    (void)tensors;
    double e = (double)p->e, s = (double)p->s, f = (double)p->f, k = (double)p->k;
    return (om_work){
        .flops = 4 * s * f * k,
        .bytes = (s * k + 2 * e * f * k + s * f) * om_dtype_bits(p->dtype) / 8,
    };
}

static om_tolerance tolerance(const void *args, size_t port)
{
    (void)port;
    return om__tolerance_rounded(((const om_moe_gate_up_args *)args)->dtype);
}

static om_status expert_reference(const om_moe_gate_up_args *p, int64_t expert, int64_t *index,
                                  float *act, const om_rows *rows, om_error *err)
{
    int64_t first = p->offsets[expert];
    int64_t count = om__rows_within(rows, C, first, p->sizes[expert], index);
    for (int64_t at = 0; at < count; at += CHUNK) {
        om_gate_up gate_up = {
            .rows = count - at < CHUNK ? count - at : CHUNK,
            .f = p->f,
            .k = p->k,
            .index = index + at,
            .a = {p->a, p->dtype, first * p->k, p->k, 1},
            .b = {p->b, p->dtype, expert * 2 * p->f * p->k, p->k, 1},
            .activation = p->activation,
            .out = act,
        };
        OM_TRY(om__reference_gate_up(&gate_up, err));
        for (int64_t i = 0; i < gate_up.rows; i++)
            for (int64_t j = 0; j < p->f; j++)
                om__store_f64(p->c, p->dtype, (first + index[at + i]) * p->f + j,
                              act[i * p->f + j]);
    }
    return OM_OK;
}

static om_status reference(const void *args, const om_rows *rows, om_error *err)
{
    const om_moe_gate_up_args *p = args;
    int64_t *index = om__scratch(p->s, sizeof *index, err);
    float *act = om__scratch(CHUNK * p->f, sizeof *act, err);
    om_status status = index && act ? OM_OK : OM_NO_MEMORY;
    for (int64_t expert = 0; status == OM_OK && expert < p->e; expert++)
        status = expert_reference(p, expert, index, act, rows, err);
    free(act);
    free(index);
    return status;
}

const om_op om_op_moe_gate_up = {
    .name = "moe_gate_up",
    .pass = "forward",
    .summary = "gate and up products of each expert's rows with the activation between",
    .args_size = sizeof(om_moe_gate_up_args),
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
