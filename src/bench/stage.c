/* SPDX-License-Identifier: Apache-2.0 */
/* stage.c: the tensors of one case; see stage.h. */
#include "bench/stage.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "core/cpu.h"

enum {
    TENSOR_ALIGNMENT = 256,
    SET_ALIGNMENT = 4096,
    CACHE_FACTOR = 4, /* sets together, over the last-level cache */
    MIN_ROWS = 64,
};

/* Virtual machines report last-level caches they own a slice of; beyond this nothing is gained. */
#define OM_COLD_LIMIT ((size_t)1 << 30)

static bool is_host(const om_context *context)
{
    return strcmp(context->api->kind, "cpu") == 0 || strcmp(context->api->kind, "fake") == 0;
}

static size_t round_up(size_t value, size_t to)
{
    return (value + to - 1) / to * to;
}

static om_status layout(const om_op *op, const om_tensor *tensors, size_t *offsets,
                        size_t *set_bytes, om_error *err)
{
    size_t alignment = op->alignment > TENSOR_ALIGNMENT ? op->alignment : TENSOR_ALIGNMENT;
    int64_t at = 0;
    for (size_t i = 0; i < op->port_count; i++) {
        if (tensors[i].dtype == OM_DTYPE_DEFAULT)
            continue;
        offsets[i] = (size_t)at;
        if (__builtin_add_overflow(at, om_tensor_size_bytes(&tensors[i]), &at) ||
            __builtin_add_overflow(at, (int64_t)alignment, &at))
            return om__error_set(err, OM_INVALID, "the tensors of %s together overflow 64 bits",
                                 op->name);
        at = at / (int64_t)alignment * (int64_t)alignment;
    }
    if (at > INT64_MAX / 4)
        return om__error_set(err, OM_INVALID, "the tensors of %s together overflow 64 bits",
                             op->name);
    *set_bytes = round_up((size_t)at + (at == 0), SET_ALIGNMENT);
    return OM_OK;
}

/* Warm calls of a device take turns over a few sets, as the tensors of a real program do; on a CPU
 * warm means the very same memory. */
#define WARM_SETS 3

/* As many sets as make a set's lines old when its turn comes again; at least two. */
static size_t sets_for(om_cache_mode cache, bool host, size_t set_bytes, size_t llc_bytes)
{
    if (cache == OM_CACHE_WARM && !host)
        return WARM_SETS;
    if (cache != OM_CACHE_ROTATE)
        return 1;
    size_t target = CACHE_FACTOR * (llc_bytes > 0 ? llc_bytes : (size_t)32 << 20);
    if (target > OM_COLD_LIMIT)
        target = OM_COLD_LIMIT;
    size_t sets = (target + set_bytes - 1) / set_bytes;
    return sets < 2 ? 2 : sets;
}

om_status om__stage_estimate(const om_op *op, const void *args, om_cache_mode cache,
                             size_t llc_bytes, int64_t *device_bytes, om_error *err)
{
    om_tensor tensors[OM_MAX_PORTS] = {0};
    size_t offsets[OM_MAX_PORTS], set_bytes;
    OM_TRY(op->describe(args, tensors, err));
    OM_TRY(layout(op, tensors, offsets, &set_bytes, err));
    int64_t sets = (int64_t)sets_for(cache, true, set_bytes, llc_bytes); /* the least of a device */
    if (__builtin_mul_overflow((int64_t)set_bytes, sets, device_bytes))
        return om__error_set(err, OM_INVALID, "the tensors of %s together overflow 64 bits",
                             op->name);
    return OM_OK;
}

void om__stage_select(om_stage *stage, size_t set)
{
    stage->current = set;
    for (size_t i = 0; i < stage->problem.tensor_count; i++) {
        size_t port = stage->named_port[i];
        char *data = stage->arena + set * stage->set_bytes + stage->offsets[port];
        stage->named[i].tensor.data = data;
        om__args_pointer_set(stage->op, stage->args, port, data);
    }
}

void om__stage_name_ports(om_stage *stage)
{
    const om_op *op = stage->op;
    size_t count = 0;
    for (size_t i = 0; i < op->port_count; i++) {
        if (stage->tensors[i].dtype == OM_DTYPE_DEFAULT)
            continue;
        stage->named[count] = (om_named_tensor){.name = op->ports[i].name,
                                                .is_output = op->ports[i].role == OM_PORT_OUT,
                                                .tensor = stage->tensors[i]};
        stage->named_port[count++] = i;
    }
    stage->problem = (om_problem){.op = op->name,
                                  .pass = op->pass,
                                  .args = stage->args,
                                  .args_size = op->args_size,
                                  .tensors = stage->named,
                                  .tensor_count = count};
}

static char *device_at(const om_stage *stage, size_t set, size_t port)
{
    return stage->arena + set * stage->set_bytes + stage->offsets[port];
}

static bool needs_host_fill(const om_stage *stage)
{
    for (size_t i = 0; i < stage->op->port_count; i++) {
        om_fill fill = {0};
        if (stage->op->ports[i].role != OM_PORT_IN || stage->tensors[i].dtype == OM_DTYPE_DEFAULT)
            continue;
        stage->op->fill(stage->args, i, &fill);
        if (fill.kind == OM_FILL_HOST)
            return true;
    }
    return false;
}

/* Draws the inputs into `base`, host memory of a set's layout. */
static om_status draw_on_host(om_stage *stage, char *base, om_error *err)
{
    om_tensor tensors[OM_MAX_PORTS];
    memcpy(tensors, stage->tensors, sizeof tensors);
    for (size_t i = 0; i < stage->op->port_count; i++)
        tensors[i].data =
            tensors[i].dtype != OM_DTYPE_DEFAULT && stage->op->ports[i].role == OM_PORT_IN
                ? base + stage->offsets[i]
                : NULL;
    for (size_t i = 0; i < stage->op->port_count; i++)
        if (tensors[i].data != NULL)
            OM_TRY(om__op_fill_host(stage->op, stage->args, i, stage->seed, tensors, err));
    stage->work = stage->op->work(stage->args, tensors);
    return OM_OK;
}

static om_status draw_on_device(om_stage *stage, om_error *err)
{
    for (size_t i = 0; i < stage->op->port_count; i++) {
        om_fill fill = {0};
        if (stage->op->ports[i].role != OM_PORT_IN || stage->tensors[i].dtype == OM_DTYPE_DEFAULT)
            continue;
        stage->op->fill(stage->args, i, &fill);
        fill.seed = stage->seed;
        fill.tensor = (uint32_t)i;
        for (size_t set = 0; set < stage->set_count; set++) {
            om_tensor tensor = stage->tensors[i];
            tensor.data = device_at(stage, set, i);
            OM_TRY(stage->context->api->fill(stage->context->device, &fill, &tensor, err));
        }
    }
    om_tensor tensors[OM_MAX_PORTS];
    memcpy(tensors, stage->tensors, sizeof tensors);
    stage->work = stage->op->work(stage->args, tensors);
    return OM_OK;
}

static om_status copy_sets_on_host(om_stage *stage)
{
    for (size_t set = 1; set < stage->set_count; set++)
        for (size_t i = 0; i < stage->op->port_count; i++) {
            if (stage->tensors[i].dtype == OM_DTYPE_DEFAULT)
                continue;
            size_t size = (size_t)om_tensor_size_bytes(&stage->tensors[i]);
            if (stage->op->ports[i].role == OM_PORT_IN)
                memcpy(device_at(stage, set, i), device_at(stage, 0, i), size);
            else /* touched now, not in a timed call */
                memset(device_at(stage, set, i), om__poison_byte(stage->tensors[i].dtype), size);
        }
    return OM_OK;
}

static om_status upload_inputs(om_stage *stage, om_error *err)
{
    for (size_t set = 0; set < stage->set_count; set++)
        for (size_t i = 0; i < stage->op->port_count; i++)
            if (stage->tensors[i].dtype != OM_DTYPE_DEFAULT &&
                stage->op->ports[i].role == OM_PORT_IN)
                OM_TRY(stage->context->api->upload(stage->context->device, device_at(stage, set, i),
                                                   stage->host_inputs + stage->offsets[i],
                                                   (size_t)om_tensor_size_bytes(&stage->tensors[i]),
                                                   err));
    return OM_OK;
}

static om_status host_block(size_t size, char **block, om_error *err)
{
    *block = aligned_alloc(SET_ALIGNMENT, round_up(size, SET_ALIGNMENT));
    return *block != NULL ? OM_OK
                          : om__error_set(err, OM_NO_MEMORY, "no memory for %zu MiB", size >> 20);
}

static om_status draw(om_stage *stage, om_error *err)
{
    if (is_host(stage->context)) {
        OM_TRY(draw_on_host(stage, stage->arena, err));
        return copy_sets_on_host(stage);
    }
    if (needs_host_fill(stage)) {
        OM_TRY(host_block(stage->set_bytes, &stage->host_inputs, err));
        OM_TRY(draw_on_host(stage, stage->host_inputs, err));
        return upload_inputs(stage, err);
    }
    return draw_on_device(stage, err);
}

om_status om__stage_init(om_stage *stage, om_context *context, const om_op *op, const void *args,
                         om_cache_mode cache, uint64_t seed, om_error *err)
{
    om_status status = OM_OK;
    om_device_info info;
    memset(stage, 0, sizeof *stage);
    stage->context = context;
    stage->op = op;
    stage->cache = cache;
    stage->seed = seed;
    memcpy(stage->args, args, op->args_size);
    OM_TRY(context->api->info(context->device, &info, err));
    OM_TRY(op->describe(stage->args, stage->tensors, err));
    OM_TRY(layout(op, stage->tensors, stage->offsets, &stage->set_bytes, err));
    stage->set_count = sets_for(cache, is_host(context), stage->set_bytes, (size_t)info.l2_bytes);
    /* Fewer sets rather than none: colder than warm, and the record says how many. */
    size_t least = cache == OM_CACHE_WARM ? 1 : 2;
    while (stage->set_count > least && info.memory_free_bytes > 0 &&
           stage->set_bytes * stage->set_count > (size_t)info.memory_free_bytes / 2)
        stage->set_count = stage->set_count / 2 < least ? least : stage->set_count / 2;
    size_t need = stage->set_bytes * stage->set_count;
    if (info.memory_free_bytes > 0 && need / 100 * 98 > (size_t)info.memory_free_bytes)
        return om__error_set(err, OM_NO_MEMORY, "needs %.1f GiB, %.1f GiB are free",
                             (double)need / 0x1p30, (double)info.memory_free_bytes / 0x1p30);
    void *arena = NULL;
    OM_TRY_OUT(context->api->alloc(context->device, need, &arena, err));
    stage->arena = arena;
    om__stage_name_ports(stage);
    om__stage_select(stage, 0);
    OM_TRY_OUT(draw(stage, err));
    OM_TRY_OUT(host_block(stage->set_bytes, &stage->want, err));
    if (!is_host(context))
        OM_TRY_OUT(host_block(stage->set_bytes, &stage->got, err));
    if (cache == OM_CACHE_FLUSH && is_host(context)) {
        stage->flush_bytes = 2 * (info.l2_bytes > 0 ? (size_t)info.l2_bytes : (size_t)32 << 20);
        if (stage->flush_bytes > OM_COLD_LIMIT)
            stage->flush_bytes = OM_COLD_LIMIT;
        OM_TRY_OUT(host_block(stage->flush_bytes, &stage->flush, err));
        memset(stage->flush, 1, stage->flush_bytes);
    }
    for (size_t i = 0; i < op->port_count; i++)
        if (stage->tensors[i].dtype != OM_DTYPE_DEFAULT)
            stage->tensors[i].data = device_at(stage, 0, i);
out:
    if (status != OM_OK)
        om__stage_release(stage);
    return status;
}

void om__stage_release(om_stage *stage)
{
    if (stage->context != NULL && stage->arena != NULL)
        stage->context->api->free(stage->context->device, stage->arena);
    for (size_t i = 0; i < OM_MAX_PORTS; i++) {
        free((void *)(uintptr_t)stage->rows[i].index);
        free(stage->judged[i]);
    }
    free(stage->host_inputs);
    free(stage->want);
    free(stage->got);
    free(stage->flush);
    memset(stage, 0, sizeof *stage);
}

om_status om__stage_poison(om_stage *stage, size_t set, om_error *err)
{
    for (size_t i = 0; i < stage->op->port_count; i++)
        if (stage->tensors[i].dtype != OM_DTYPE_DEFAULT && stage->op->ports[i].role == OM_PORT_OUT)
            OM_TRY(stage->context->api->set(stage->context->device, device_at(stage, set, i),
                                            om__poison_byte(stage->tensors[i].dtype),
                                            (size_t)om_tensor_size_bytes(&stage->tensors[i]), err));
    return OM_OK;
}

static om_status pick_rows(om_stage *stage, double budget_flops, om_error *err)
{
    double cost = stage->work.flops + stage->work.bytes;
    double share = cost > 0 ? budget_flops / cost : 1;
    stage->whole = true;
    stage->rows_checked = stage->rows_total = 0;
    for (size_t i = 0; i < stage->op->port_count; i++) {
        if (stage->tensors[i].dtype == OM_DTYPE_DEFAULT || stage->op->ports[i].role != OM_PORT_OUT)
            continue;
        int64_t total, columns;
        om__tensor_rows(&stage->tensors[i], &total, &columns);
        stage->rows_total += total;
        int64_t count = share >= 1 ? total : (int64_t)((double)total * share);
        if (count < MIN_ROWS)
            count = MIN_ROWS;
        if (count >= total) {
            stage->rows_checked += total;
            continue;
        }
        int64_t *index = malloc((size_t)count * sizeof *index);
        if (index == NULL)
            return om__error_set(err, OM_NO_MEMORY, "no memory for the rows to judge");
        stage->rows[i].count = om__rows_pick(total, count, stage->seed, index);
        stage->rows[i].index = index;
        stage->rows_checked += stage->rows[i].count;
        stage->whole = false;
    }
    return OM_OK;
}

om_status om__stage_reference(om_stage *stage, double budget_flops, om_error *err)
{
    _Alignas(max_align_t) char args[OM_MAX_ARGS_SIZE];
    OM_TRY(pick_rows(stage, budget_flops, err));
    memcpy(args, stage->args, stage->op->args_size);
    if (!is_host(stage->context) && stage->host_inputs == NULL) {
        OM_TRY(host_block(stage->set_bytes, &stage->host_inputs, err));
        for (size_t i = 0; i < stage->op->port_count; i++)
            if (stage->tensors[i].dtype != OM_DTYPE_DEFAULT &&
                stage->op->ports[i].role == OM_PORT_IN)
                OM_TRY(stage->context->api->download(
                    stage->context->device, stage->host_inputs + stage->offsets[i],
                    device_at(stage, 0, i), (size_t)om_tensor_size_bytes(&stage->tensors[i]), err));
    }
    for (size_t i = 0; i < stage->op->port_count; i++) {
        if (stage->tensors[i].dtype == OM_DTYPE_DEFAULT)
            continue;
        bool is_output = stage->op->ports[i].role == OM_PORT_OUT;
        char *base = is_output                    ? stage->want
                     : stage->host_inputs != NULL ? stage->host_inputs
                                                  : stage->arena;
        char *data = base + stage->offsets[i];
        if (is_output)
            memset(data, om__poison_byte(stage->tensors[i].dtype),
                   (size_t)om_tensor_size_bytes(&stage->tensors[i]));
        om__args_pointer_set(stage->op, args, i, data);
    }
    return stage->op->reference(args, stage->whole ? NULL : stage->rows, err);
}

static om_status download_outputs(om_stage *stage, size_t set, char *to, om_error *err)
{
    for (size_t i = 0; i < stage->op->port_count; i++)
        if (stage->tensors[i].dtype != OM_DTYPE_DEFAULT && stage->op->ports[i].role == OM_PORT_OUT)
            OM_TRY(stage->context->api->download(
                stage->context->device, to + stage->offsets[i], device_at(stage, set, i),
                (size_t)om_tensor_size_bytes(&stage->tensors[i]), err));
    return OM_OK;
}

om_status om__stage_reference_from_device(om_stage *stage, om_error *err)
{
    OM_TRY(pick_rows(stage, stage->work.flops + stage->work.bytes + 1, err));
    return download_outputs(stage, 0, stage->want, err);
}

/* Where the reference stayed on the device, a judge may still need some inputs to look at. */
static om_status download_judged(om_stage *stage, om_error *err)
{
    if (is_host(stage->context) || stage->host_inputs != NULL || stage->op->judge == NULL)
        return OM_OK;
    for (size_t i = 0; i < stage->op->port_count; i++) {
        size_t size = (size_t)om_tensor_size_bytes(&stage->tensors[i]);
        if (!(stage->op->judge_inputs >> i & 1) || stage->judged[i] != NULL ||
            stage->tensors[i].dtype == OM_DTYPE_DEFAULT)
            continue;
        OM_TRY(host_block(size + 1, &stage->judged[i], err));
        OM_TRY(stage->context->api->download(stage->context->device, stage->judged[i],
                                             device_at(stage, 0, i), size, err));
    }
    return OM_OK;
}

om_status om__stage_judge(om_stage *stage, size_t set, om_check *check, om_error *err)
{
    om_tensor got[OM_MAX_PORTS], want[OM_MAX_PORTS];
    const char *outputs = stage->got != NULL ? stage->got : stage->arena + set * stage->set_bytes;
    const char *inputs = stage->host_inputs != NULL ? stage->host_inputs : stage->arena;
    memcpy(got, stage->tensors, sizeof got);
    memcpy(want, stage->tensors, sizeof want);
    if (stage->got != NULL)
        OM_TRY(download_outputs(stage, set, stage->got, err));
    OM_TRY(download_judged(stage, err));
    for (size_t i = 0; i < stage->op->port_count; i++) {
        if (stage->tensors[i].dtype == OM_DTYPE_DEFAULT)
            continue;
        bool is_output = stage->op->ports[i].role == OM_PORT_OUT;
        got[i].data = (char *)(uintptr_t)(is_output ? outputs : inputs) + stage->offsets[i];
        want[i].data = is_output ? stage->want + stage->offsets[i] : got[i].data;
        if (!is_output && !is_host(stage->context) && stage->host_inputs == NULL)
            got[i].data = want[i].data = stage->judged[i]; /* NULL where no judge reads it */
    }
    return om__judge(stage->op, stage->args, got, want, stage->whole ? NULL : stage->rows, check,
                     err);
}

void om__stage_flush(om_stage *stage)
{
    volatile char *memory = stage->flush;
    for (size_t i = 0; i < stage->flush_bytes; i += 64)
        memory[i]++;
}
