/* SPDX-License-Identifier: Apache-2.0 */
/* mlp.c: the experts' MLP, computed for the rows that are asked for only. */
#include "ops/mlp.h"

#include <math.h>
#include <stdlib.h>

#include "ops/permute.h"

enum { CHUNK = 64 }; /* rows whose intermediate results are held at once */

static double activate(int activation, double x)
{
    if (activation == OM_GELU)
        return 0.5 * x * (1 + erf(x * 0.70710678118654752440));
    return x / (1 + exp(-x));
}

typedef struct gate_up_user {
    const om_gate_up *gate_up;
    double *sums; /* [rows, 2f] */
} gate_up_user;

static void gate_up_load_a(const void *user, int64_t i, float *row)
{
    const om_gate_up *g = ((const gate_up_user *)user)->gate_up;
    om__matrix_load(&g->a, g->index[i], g->k, row);
}

static void gate_up_load_b(const void *user, int64_t j, float *row)
{
    const om_gate_up *g = ((const gate_up_user *)user)->gate_up;
    om__matrix_load(&g->b, j, g->k, row);
}

static void gate_up_emit(const void *user, int64_t i, int64_t j, double value)
{
    const gate_up_user *u = user;
    u->sums[i * 2 * u->gate_up->f + j] = value;
}

om_status om__reference_gate_up(const om_gate_up *gate_up, om_error *err)
{
    gate_up_user user = {.gate_up = gate_up};
    user.sums = om__scratch(gate_up->rows * 2 * gate_up->f, sizeof *user.sums, err);
    if (!user.sums)
        return OM_NO_MEMORY;
    om_product product = {
        .m = gate_up->rows,
        .n = 2 * gate_up->f,
        .k = gate_up->k,
        .load_a = gate_up_load_a,
        .load_b = gate_up_load_b,
        .emit = gate_up_emit,
        .user = &user,
    };
    om_status status = om__reference_product(&product, err);
    for (int64_t i = 0; status == OM_OK && i < gate_up->rows; i++) {
        const double *gate = user.sums + i * 2 * gate_up->f, *up = gate + gate_up->f;
        for (int64_t j = 0; j < gate_up->f; j++)
            gate_up->out[i * gate_up->f + j] =
                (float)(activate(gate_up->activation, gate[j]) * up[j]);
    }
    free(user.sums);
    return status;
}

/* Some choices of one expert on their way down. */
typedef struct down_user {
    const om_experts *experts;
    int64_t expert;
    const float *act;     /* [choices, f] */
    const int32_t *slots; /* which choice each is: token · k + its place */
    const float *weights;
    double *sums;
} down_user;

static void down_load_a(const void *user, int64_t i, float *row)
{
    const down_user *u = user;
    for (int64_t j = 0; j < u->experts->f; j++)
        row[j] = u->act[i * u->experts->f + j];
}

static void down_load_b(const void *user, int64_t j, float *row)
{
    const down_user *u = user;
    const om_experts *x = u->experts;
    om_matrix b = {x->w_down, x->dtype, u->expert * x->h * x->f, x->f, 1};
    om__matrix_load(&b, j, x->f, row);
}

/* One thread has all rows of a column, so a token that chose an expert twice is no race. */
static void down_emit(const void *user, int64_t i, int64_t j, double value)
{
    const down_user *u = user;
    int64_t choice = u->slots[i];
    u->sums[choice / u->experts->k * u->experts->h + j] += (double)u->weights[choice] * value;
}

static om_status add_choices(const om_experts *x, int64_t expert, const int64_t *tokens,
                             const int32_t *slots, int64_t rows, const float *weights, double *sums,
                             float *act, om_error *err)
{
    int64_t index[CHUNK];
    for (int64_t i = 0; i < rows; i++)
        index[i] = tokens ? tokens[slots[i] / x->k] : slots[i] / x->k;
    const om_gate_up gate_up = {
        .rows = rows,
        .f = x->f,
        .k = x->h,
        .index = index,
        .a = {x->hidden, x->dtype, 0, x->h, 1},
        .b = {x->w_gate_up, x->dtype, expert * 2 * x->f * x->h, x->h, 1},
        .out = act,
    };
    OM_TRY(om__reference_gate_up(&gate_up, err));
    down_user user = {
        .experts = x,
        .expert = expert,
        .act = act,
        .slots = slots,
        .weights = weights,
        .sums = sums,
    };
    om_product down = {
        .m = rows,
        .n = x->h,
        .k = x->f,
        .load_a = down_load_a,
        .load_b = down_load_b,
        .emit = down_emit,
        .user = &user,
    };
    return om__reference_product(&down, err);
}

om_status om__reference_experts(const om_experts *x, int64_t count, const int64_t *tokens,
                                const int32_t *ids, const float *weights, double *sums,
                                om_error *err)
{
    int64_t *starts = om__scratch(x->e_local + 1, sizeof *starts, err);
    int32_t *slots = om__scratch(count * x->k, sizeof *slots, err);
    float *act = om__scratch(CHUNK * x->f, sizeof *act, err);
    om_status status = starts && slots && act ? OM_OK : OM_NO_MEMORY;
    if (status != OM_OK)
        goto out;
    om__permute_sort(ids, count * x->k, x->e, x->e_local, x->map, starts, NULL, slots);
    for (int64_t expert = 0; expert < x->e_local; expert++) {
        for (int64_t at = starts[expert]; at < starts[expert + 1]; at += CHUNK) {
            int64_t rows = starts[expert + 1] - at;
            OM_TRY_OUT(add_choices(x, expert, tokens, slots + at, rows < CHUNK ? rows : CHUNK,
                                   weights, sums, act, err));
        }
    }
out:
    free(act);
    free(slots);
    free(starts);
    return status;
}
