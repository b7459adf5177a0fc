/* SPDX-License-Identifier: Apache-2.0 */
/* cast.c: the contract of cast: bf16 to an fp8 type and back, with a scale. */
#include "opmark/cast.h"

#include <math.h>

#include "base/error.h"
#include "core/convert.h"
#include "ops/op.h"
#include "ops/tolerance.h"

enum { X, SCALE_IN, Y, SCALE_OUT, AMAX, PORTS };

static const char *const scaling_words[] = {"given", "current", NULL};

static const om_field fields[] = {
    {"m", OM_FIELD_INT, offsetof(om_cast_args, m), NULL, NULL, 0, 0, "rows"},
    {"h", OM_FIELD_INT, offsetof(om_cast_args, h), NULL, NULL, 0, 0, "row length"},
    {"from", OM_FIELD_DTYPE, offsetof(om_cast_args, from), "bf16", NULL, 0, 0,
     "type of x: bf16, e4m3 or e5m2"},
    {"to", OM_FIELD_DTYPE, offsetof(om_cast_args, to), "e4m3", NULL, 0, 0,
     "type of y: e4m3, e5m2 or bf16"},
    {"scaling", OM_FIELD_WORD, offsetof(om_cast_args, scaling), "given", scaling_words, 0, 0,
     "given: the scale is read; current: found from the data first"},
};

/* The scale is one pointer of the struct with two roles: read, or written. */
static const om_port ports[PORTS] = {
    [X] = {.name = "x", .offset = offsetof(om_cast_args, x), .role = OM_PORT_IN},
    [SCALE_IN] = {.name = "scale",
                  .offset = offsetof(om_cast_args, scale),
                  .role = OM_PORT_IN,
                  .optional = true},
    [Y] = {.name = "y", .offset = offsetof(om_cast_args, y), .role = OM_PORT_OUT},
    [SCALE_OUT] = {.name = "scale_out",
                   .offset = offsetof(om_cast_args, scale),
                   .role = OM_PORT_OUT,
                   .optional = true},
    [AMAX] = {.name = "amax",
              .offset = offsetof(om_cast_args, amax),
              .role = OM_PORT_OUT,
              .optional = true},
};

static bool is_fp8(om_dtype dtype)
{
    return dtype == OM_E4M3 || dtype == OM_E5M2;
}

static om_status check(const void *opaque, om_error *err)
{
    const om_cast_args *args = opaque;
    bool quantises = args->from == OM_BF16 && is_fp8(args->to);
    bool widens = is_fp8(args->from) && args->to == OM_BF16;
    if (!quantises && !widens)
        return om__error_set(err, OM_INVALID,
                             "from=%s to=%s: one of them is bf16, the other e4m3 or e5m2",
                             om_dtype_name(args->from), om_dtype_name(args->to));
    if (widens && args->scaling != OM_CAST_GIVEN)
        return om__error_set(err, OM_INVALID, "scaling=current is for casts to an fp8 type");
    return OM_OK;
}

static om_status describe(const void *opaque, om_tensor *tensors, om_error *err)
{
    const om_cast_args *args = opaque;
    int64_t matrix[2] = {args->m, args->h};
    int64_t one = 1;
    bool finds_scale = args->scaling == OM_CAST_CURRENT;
    for (int i = 0; i < PORTS; i++)
        tensors[i] = (om_tensor){0};
    OM_TRY(om_tensor_init(&tensors[X], args->from, 2, matrix, err));
    OM_TRY(om_tensor_init(&tensors[Y], args->to, 2, matrix, err));
    OM_TRY(om_tensor_init(&tensors[finds_scale ? SCALE_OUT : SCALE_IN], OM_F32, 1, &one, err));
    if (is_fp8(args->to))
        OM_TRY(om_tensor_init(&tensors[AMAX], OM_F32, 1, &one, err));
    return OM_OK;
}

static void fill(const void *opaque, size_t port, om_fill *out)
{
    (void)opaque;
    if (port == SCALE_IN)
        *out = (om_fill){.kind = OM_FILL_UNIFORM, .low = 0.5, .high = 1.5};
    else
        *out = (om_fill){.kind = OM_FILL_NORMAL, .scale = 1};
}

static om_work work(const void *opaque, const om_tensor *tensors)
{
    const om_cast_args *args = opaque;
    (void)tensors;
    double size = (double)args->m * (double)args->h;
    double passes = args->scaling == OM_CAST_CURRENT ? 2 : 1;
    double bytes = passes * om_dtype_bits(args->from) / 8 + om_dtype_bits(args->to) / 8;
    return (om_work){.flops = 0, .bytes = size * bytes};
}

static om_tolerance tolerance(const void *opaque, size_t port)
{
    const om_cast_args *args = opaque;
    if (port == AMAX)
        return om__tolerance_exact();
    return om__tolerance_rounded(port == Y ? args->to : OM_F32);
}

/* NaN wins over every number. */
static float largest_magnitude(const om_cast_args *args)
{
    float amax = 0;
    for (int64_t i = 0; i < args->m * args->h; i++) {
        float x = fabsf((float)om__load_f64(args->x, args->from, i));
        if (isnan(x))
            return NAN;
        amax = fmaxf(amax, x);
    }
    return amax;
}

static om_status reference(const void *opaque, const om_rows *rows, om_error *err)
{
    const om_cast_args *args = opaque;
    (void)rows;
    (void)err;
    float scale = 1;
    if (is_fp8(args->to))
        args->amax[0] = largest_magnitude(args);
    if (args->scaling == OM_CAST_CURRENT) {
        float limit = args->to == OM_E4M3 ? 448.0f : 57344.0f;
        scale = args->amax[0] == 0 ? 1.0f : limit / args->amax[0];
        args->scale[0] = scale;
    } else {
        scale = args->scale[0];
    }
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < args->m * args->h; i++) {
        float x = (float)om__load_f64(args->x, args->from, i);
        om__store_f64(args->y, args->to, i, x * scale);
    }
    return OM_OK;
}

const om_op om_op_cast = {
    .name = "cast",
    .pass = "forward",
    .summary = "bf16 to e4m3 or e5m2 and back, with a scale",
    .args_size = sizeof(om_cast_args),
    .fields = fields,
    .field_count = sizeof fields / sizeof *fields,
    .ports = ports,
    .port_count = PORTS,
    .dtype_field = "to",
    .check = check,
    .describe = describe,
    .fill = fill,
    .work = work,
    .tolerance = tolerance,
    .reference = reference,
};
