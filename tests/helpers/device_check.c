/* SPDX-License-Identifier: Apache-2.0 */
/* device_check.c: proving the kernels of a device back end against the contracts. */
#include "helpers/device_check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/dynlib.h"
#include "base/error.h"
#include "base/text.h"
#include "core/convert.h"

#define GUARD      4096
#define GUARD_BYTE 0xA5

typedef enum variant { PLAIN, TIES, SPECIALS, HOLES, VARIANT_COUNT } variant;
static const char *const variant_names[] = {"plain", "ties", "specials", "holes"};

/* Device memory between two guard bands. */
typedef struct guarded {
    unsigned char *base;
    size_t size_bytes;
} guarded;

typedef struct problem {
    const om_op *op;
    void *args;        /* host pointers */
    void *device_args; /* device pointers */
    om_tensor host[OM_MAX_PORTS];
    om_tensor got[OM_MAX_PORTS]; /* host copies of outputs; inputs are those of host */
    guarded memory[OM_MAX_PORTS];
    char title[400];
} problem;

static om_status guarded_create(device_check *c, guarded *g, size_t size_bytes, om_error *err)
{
    g->size_bytes = size_bytes;
    OM_TRY(c->api->alloc(c->device, size_bytes + 2 * GUARD, (void **)&g->base, err));
    return c->api->set(c->device, g->base, GUARD_BYTE, size_bytes + 2 * GUARD, err);
}

static om_status guarded_check(device_check *c, const guarded *g, const char *what, om_error *err)
{
    unsigned char band[2][GUARD];
    OM_TRY(c->api->download(c->device, band[0], g->base, GUARD, err));
    OM_TRY(c->api->download(c->device, band[1], g->base + GUARD + g->size_bytes, GUARD, err));
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < GUARD; i++)
            if (band[side][i] != GUARD_BYTE)
                return om__error_set(err, OM_INTERNAL,
                                     "%s: byte %d of the band %s it is overwritten", what, i,
                                     side ? "after" : "before");
    return OM_OK;
}

static bool is_present(const problem *p, size_t port)
{
    return p->host[port].dtype != OM_DTYPE_DEFAULT;
}

static bool is_output(const problem *p, size_t port)
{
    return p->op->ports[port].role == OM_PORT_OUT;
}

static size_t size_of(const om_tensor *tensor)
{
    return (size_t)om_tensor_size_bytes(tensor);
}

static void problem_release(device_check *c, problem *p)
{
    for (size_t i = 0; i < p->op->port_count; i++) {
        free(p->host[i].data);
        free(p->got[i].data);
        c->api->free(c->device, p->memory[i].base);
    }
    free(p->args);
    free(p->device_args);
}

static om_status problem_allocate(device_check *c, problem *p, const om_pairs *params,
                                  om_error *err)
{
    p->args = calloc(1, OM_MAX_ARGS_SIZE);
    p->device_args = calloc(1, OM_MAX_ARGS_SIZE);
    if (p->args == NULL || p->device_args == NULL)
        return om__error_set(err, OM_NO_MEMORY, "arguments");
    OM_TRY(om__args_parse(p->op, params, p->args, err));
    OM_TRY(p->op->describe(p->args, p->host, err));
    memcpy(p->device_args, p->args, p->op->args_size);
    for (size_t i = 0; i < p->op->port_count; i++) {
        if (!is_present(p, i))
            continue;
        p->got[i] = p->host[i];
        p->host[i].data = malloc(size_of(&p->host[i]) + 1);
        if (is_output(p, i))
            p->got[i].data = malloc(size_of(&p->host[i]) + 1);
        if (p->host[i].data == NULL || (is_output(p, i) && p->got[i].data == NULL))
            return om__error_set(err, OM_NO_MEMORY, "tensors");
        om__args_pointer_set(p->op, p->args, i, p->host[i].data);
        OM_TRY(guarded_create(c, &p->memory[i], size_of(&p->host[i]), err));
        om__args_pointer_set(p->op, p->device_args, i, p->memory[i].base + GUARD);
    }
    return OM_OK;
}

/* ---- variants of inputs ---- */

static void make_ties(om_tensor *tensor)
{
    for (int64_t i = 0; i < om_tensor_count(tensor); i++) {
        double value = om__load_f64(tensor->data, tensor->dtype, i);
        om__store_f64(tensor->data, tensor->dtype, i, rint(value * 2) / 2);
    }
}

static void make_specials(om_tensor *tensor)
{
    const double specials[] = {NAN, INFINITY, -INFINITY, -0.0, 0.0};
    for (int64_t i = 0; i < om_tensor_count(tensor); i++)
        if (i % 23 == 3 || i % 31 == 5)
            om__store_f64(tensor->data, tensor->dtype, i, specials[i / 23 % 5]);
}

static void make_holes(om_tensor *tensor)
{
    for (int64_t i = 0; i < om_tensor_count(tensor); i++)
        if (i % 3 == 1 || i % 64 < 5)
            om__store_f64(tensor->data, tensor->dtype, i, -1);
}

/* Sizes of groups are a promise of the caller: −1 among them is no problem but a fault. */
static bool takes_holes(const om_op *op)
{
    for (size_t i = 0; i < op->port_count; i++)
        if (strcmp(op->ports[i].name, "sizes") == 0)
            return false;
    return true;
}

/* False: the variant changes nothing here. */
static bool apply_variant(problem *p, variant v)
{
    bool changed = v == PLAIN;
    if (v == HOLES && !takes_holes(p->op))
        return false;
    for (size_t i = 0; i < p->op->port_count; i++) {
        om_tensor *tensor = &p->host[i];
        if (!is_present(p, i) || is_output(p, i))
            continue;
        bool is_float = om_dtype_is_float(tensor->dtype);
        if (v == TIES && is_float)
            make_ties(tensor);
        else if (v == SPECIALS && is_float && i < 2)
            make_specials(tensor);
        else if (v == HOLES && tensor->dtype == OM_I32)
            make_holes(tensor);
        else
            continue;
        changed = true;
    }
    return changed;
}

/* ---- one kernel ---- */

static om_status poison_outputs(device_check *c, problem *p, om_error *err)
{
    for (size_t i = 0; i < p->op->port_count; i++)
        if (is_present(p, i) && is_output(p, i))
            OM_TRY(c->api->set(c->device, p->memory[i].base + GUARD,
                               om__poison_byte(p->host[i].dtype), size_of(&p->host[i]), err));
    return OM_OK;
}

static om_status check_bands(device_check *c, problem *p, const guarded *workspace, om_error *err)
{
    for (size_t i = 0; i < p->op->port_count; i++)
        if (is_present(p, i))
            OM_TRY(guarded_check(c, &p->memory[i], p->op->ports[i].name, err));
    return guarded_check(c, workspace, "workspace", err);
}

static om_status fetch_outputs(device_check *c, problem *p, bool compare, om_error *err)
{
    for (size_t i = 0; i < p->op->port_count; i++) {
        if (!is_present(p, i) || !is_output(p, i))
            continue;
        size_t size = size_of(&p->host[i]);
        if (!compare) {
            OM_TRY(
                c->api->download(c->device, p->got[i].data, p->memory[i].base + GUARD, size, err));
            continue;
        }
        unsigned char *again = malloc(size + 1);
        if (again == NULL)
            return om__error_set(err, OM_NO_MEMORY, "a second copy");
        om_status status = c->api->download(c->device, again, p->memory[i].base + GUARD, size, err);
        bool same = status != OM_OK || memcmp(again, p->got[i].data, size) == 0;
        free(again);
        OM_TRY(status);
        if (!same)
            return om__error_set(err, OM_INTERNAL, "%s differs between two equal calls",
                                 p->op->ports[i].name);
    }
    return OM_OK;
}

static om_status call_twice(device_check *c, problem *p, const om_kernel *kernel,
                            guarded *workspace, om_error *err)
{
    for (int time = 0; time < 2; time++) {
        OM_TRY(poison_outputs(c, p, err));
        OM_TRY(c->api->set(c->device, workspace->base + GUARD, 0xFF, workspace->size_bytes, err));
        OM_TRY(kernel->run(&c->env, p->device_args, workspace->base + GUARD, err));
        OM_TRY(c->api->synchronize(c->device, err));
        OM_TRY(fetch_outputs(c, p, time == 1, err));
    }
    return check_bands(c, p, workspace, err);
}

/* want: outputs to judge by; NULL: the problem's own host tensors. OM_UNSUPPORTED: refused. */
static om_status run_kernel(device_check *c, problem *p, const om_kernel *kernel, bool judge,
                            om_error *err)
{
    size_t workspace_bytes = 0;
    guarded workspace = {0};
    OM_TRY(kernel->query(&c->env, p->device_args, &workspace_bytes, err));
    om_status status = guarded_create(c, &workspace, workspace_bytes, err);
    if (status == OM_OK)
        status = call_twice(c, p, kernel, &workspace, err);
    c->api->free(c->device, workspace.base);
    OM_TRY(status);
    if (!judge)
        return OM_OK;
    om_check check = {0};
    om_tensor got[OM_MAX_PORTS];
    for (size_t i = 0; i < p->op->port_count; i++)
        got[i] = is_output(p, i) ? p->got[i] : p->host[i];
    OM_TRY(om__judge(p->op, p->args, got, p->host, NULL, &check, err));
    if (!check.passed)
        return om__error_set(err, OM_INTERNAL, "wrong by %.3g: %s", check.error, check.where);
    return OM_OK;
}

static void report(device_check *c, const problem *p, const om_kernel *kernel,
                   const char *variant_name, om_status status, const om_error *err)
{
    if (status == OM_UNSUPPORTED) {
        c->refused++;
        return;
    }
    c->calls++;
    if (status == OM_OK)
        return;
    c->failures++;
    printf("FAILED %s (%s) by %s: %s\n", p->title, variant_name, kernel->name, err->text);
    c->is_lost = c->api->synchronize(c->device, NULL) != OM_OK;
}

static void run_kernels(device_check *c, problem *p, const char *variant_name, int references)
{
    size_t count;
    const om_kernel *const *kernels = c->api->kernels(&count);
    for (size_t i = 0; i < count; i++) {
        const om_kernel *kernel = kernels[i];
        if (strcmp(kernel->op, p->op->name) != 0 || strcmp(kernel->pass, p->op->pass) != 0 ||
            kernel->is_reference != references || c->is_lost)
            continue;
        om_error err = {0};
        om_status status = run_kernel(c, p, kernel, true, &err);
        report(c, p, kernel, variant_name, status, &err);
    }
}

/* ---- problems ---- */

static om_status check_variant(device_check *c, const om_op *op, const om_pairs *params,
                               const char *title, variant v, om_error *err)
{
    problem p = {.op = op};
    snprintf(p.title, sizeof p.title, "%s", title);
    om_status status = problem_allocate(c, &p, params, err);
    for (size_t i = 0; status == OM_OK && i < op->port_count; i++)
        status = om__op_fill_host(op, p.args, i, 1, p.host, err);
    if (status != OM_OK || !apply_variant(&p, v))
        goto out;
    for (size_t i = 0; i < op->port_count; i++) {
        if (!is_present(&p, i))
            continue;
        if (is_output(&p, i))
            memset(p.host[i].data, om__poison_byte(p.host[i].dtype), size_of(&p.host[i]));
        else
            OM_TRY_OUT(c->api->upload(c->device, p.memory[i].base + GUARD, p.host[i].data,
                                      size_of(&p.host[i]), err));
    }
    OM_TRY_OUT(op->reference(p.args, NULL, err));
    c->problems++;
    run_kernels(c, &p, variant_names[v], 1);
    run_kernels(c, &p, variant_names[v], 0);
out:
    problem_release(c, &p);
    return status;
}

static om_status draw_on_device(device_check *c, problem *p, om_error *err)
{
    for (size_t i = 0; i < p->op->port_count; i++) {
        if (!is_present(p, i) || is_output(p, i))
            continue;
        om_fill fill = {0};
        if (p->op->fill != NULL)
            p->op->fill(p->args, i, &fill);
        fill.seed = 1;
        fill.tensor = (uint32_t)i;
        if (fill.kind == OM_FILL_NONE || fill.kind == OM_FILL_HOST) {
            OM_TRY(om__op_fill_host(p->op, p->args, i, 1, p->host, err));
            OM_TRY(c->api->upload(c->device, p->memory[i].base + GUARD, p->host[i].data,
                                  size_of(&p->host[i]), err));
            continue;
        }
        om_tensor tensor = p->host[i];
        tensor.data = p->memory[i].base + GUARD;
        OM_TRY(c->api->fill(c->device, &fill, &tensor, err));
        OM_TRY(c->api->download(c->device, p->host[i].data, tensor.data, size_of(&tensor), err));
    }
    return OM_OK;
}

/* A large problem: the device reference takes the place of the host's. */
static om_status check_large(device_check *c, const om_op *op, const om_pairs *params,
                             const char *title, om_error *err)
{
    problem p = {.op = op};
    size_t count;
    const om_kernel *const *kernels = c->api->kernels(&count);
    const om_kernel *reference = NULL;
    bool has_fast = false;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(kernels[i]->op, op->name) != 0 || strcmp(kernels[i]->pass, op->pass) != 0)
            continue;
        if (kernels[i]->is_reference)
            reference = kernels[i];
        else
            has_fast = true;
    }
    if (reference == NULL || !has_fast)
        return OM_OK;
    snprintf(p.title, sizeof p.title, "%s", title);
    om_status status = problem_allocate(c, &p, params, err);
    if (status == OM_OK)
        status = draw_on_device(c, &p, err);
    if (status == OM_OK)
        status = run_kernel(c, &p, reference, false, err);
    if (status == OM_OK) {
        for (size_t i = 0; i < op->port_count; i++)
            if (is_present(&p, i) && is_output(&p, i))
                memcpy(p.host[i].data, p.got[i].data, size_of(&p.host[i]));
        c->problems++;
        run_kernels(c, &p, "against the device reference", 0);
    }
    problem_release(c, &p);
    return status;
}

/* Calls check for each combination of a line's lists ("t=1,32"). */
static om_status each_combination(device_check *c, const om_wl_line *line, const om_op *op,
                                  om_pairs *params, size_t next, om_error *err)
{
    if (next == line->pairs.count) {
        char *text = om__pairs_format(params);
        char title[400];
        snprintf(title, sizeof title, "%s %s %s", op->name, op->pass, text ? text : "");
        free(text);
        if (strcmp(line->section, "perf") == 0)
            return check_large(c, op, params, title, err);
        for (int v = 0; v < VARIANT_COUNT; v++)
            OM_TRY(check_variant(c, op, params, title, (variant)v, err));
        return OM_OK;
    }
    const om_pair *pair = &line->pairs.items[next];
    if (strcmp(pair->key, "pass") == 0)
        return each_combination(c, line, op, params, next + 1, err);
    char *values = om__strdup(pair->value), *rest = values;
    om_status status = values ? OM_OK : OM_NO_MEMORY;
    for (char *value; status == OM_OK && (value = strsep(&rest, ",")) != NULL;) {
        status = om__pairs_set(params, pair->key, value, err);
        if (status == OM_OK)
            status = each_combination(c, line, op, params, next + 1, err);
    }
    free(values);
    return status;
}

static bool is_wanted(const char *sections, const char *section)
{
    const char *found = strstr(sections, section);
    return section[0] != '\0' && found != NULL;
}

/* The second word, or the parameter of that name. */
static const char *pass_of(const om_wl_line *line)
{
    for (size_t i = 0; i < line->pairs.count; i++)
        if (strcmp(line->pairs.items[i].key, "pass") == 0)
            return line->pairs.items[i].value;
    return line->word_count > 1 ? line->words[1] : NULL;
}

om_status device_check_run(device_check *c, const om_wl *wl, const char *sections, om_error *err)
{
    for (size_t i = 0; i < wl->count; i++) {
        const om_wl_line *line = &wl->lines[i];
        if (line->word_count == 0 || !is_wanted(sections, line->section))
            continue;
        const om_op *op = om__op_find(line->words[0], pass_of(line));
        if (op == NULL)
            return om__error_set_at(err, OM_PARSE, wl->file, line->line, "no operator %s",
                                    line->words[0]);
        om_pairs params = {0};
        om_status status = each_combination(c, line, op, &params, 0, err);
        om__pairs_release(&params);
        OM_TRY(status);
    }
    return OM_OK;
}

/* The workloads lie in the source folder, or in a bundle beside the folder of the tests. */
static void workload_path(const char *name, char *path, size_t size)
{
    char own[768];
    om__dynlib_path((const void *)(uintptr_t)&workload_path, own, sizeof own);
    char *slash = strrchr(own, '/');
    if (slash != NULL)
        *slash = '\0';
    snprintf(path, size, "%s/../share/opmark/workloads/%s.wl", own, name);
    if (access(path, R_OK) != 0)
        snprintf(path, size, "%s/workloads/%s.wl", OM_SOURCE_DIR, name);
}

bool device_check_has_workload(const char *name)
{
    char path[1024];
    workload_path(name, path, sizeof path);
    return access(path, R_OK) == 0;
}

om_status device_check_workload(device_check *c, const char *name, const char *sections,
                                om_error *err)
{
    char path[1024];
    om_wl wl = {0};
    workload_path(name, path, sizeof path);
    OM_TRY(om__wl_read(path, &wl, err));
    om_status status = device_check_run(c, &wl, sections, err);
    om__wl_release(&wl);
    return status;
}

void device_check_print(const device_check *c, const char *what)
{
    printf("%s: %d problems, %d calls, %d refused, %d failures%s\n", what, c->problems, c->calls,
           c->refused, c->failures, c->is_lost ? ", device lost" : "");
}
