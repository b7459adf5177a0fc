/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_check.c: every CPU kernel of an operator against the operator's contract. */
#define _GNU_SOURCE
#include "helpers/kernel_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/context.h"
#include "core/cpu.h"
#include "helpers/helper.h"
#include "kernels/dispatch.h"

/* A tensor whose last byte lies before a page that may not be touched. */
typedef struct guarded {
    char *map;
    size_t map_bytes;
    char *data;
    size_t bytes, slack;
} guarded;

static guarded guarded_create(const om_tensor *tensor, int slack)
{
    guarded g = {0};
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t element = (size_t)(om_dtype_bits(tensor->dtype) + 7) / 8;
    g.bytes = (size_t)om_tensor_size_bytes(tensor);
    g.slack = (size_t)slack * element;
    size_t body = (g.bytes + g.slack + page - 1) / page * page + page;
    g.map_bytes = body + page;
    g.map = mmap(NULL, g.map_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(g.map != MAP_FAILED);
    assert_int_equal(mprotect(g.map + body, page, PROT_NONE), 0);
    memset(g.map, 0xA5, body);
    g.data = g.map + body - g.slack - g.bytes;
    return g;
}

/* The bytes before and behind the tensor are as they were. */
static int guarded_is_clean(const guarded *g)
{
    const char *end = g->data + g->bytes + g->slack;
    for (const char *p = g->map; p < g->data; p++)
        if (*p != (char)0xA5)
            return 0;
    for (const char *p = g->data + g->bytes; p < end; p++)
        if (*p != (char)0xA5)
            return 0;
    return 1;
}

typedef struct problem {
    const kernel_check *check;
    const om_op *op;
    const char *params;
    _Alignas(16) char args[OM_MAX_ARGS_SIZE];
    om_tensor want[OM_MAX_PORTS], got[OM_MAX_PORTS];
    guarded memory[OM_MAX_PORTS];
    void *first[OM_MAX_PORTS]; /* the bits of the first run of a kernel */
} problem;

static int is_output(const problem *p, size_t port)
{
    return p->op->ports[port].role == OM_PORT_OUT && p->want[port].dtype != OM_DTYPE_DEFAULT;
}

static void draw_inputs(problem *p)
{
    for (size_t i = 0; i < p->op->port_count; i++) {
        om_tensor *t = &p->got[i];
        if (t->dtype == OM_DTYPE_DEFAULT || p->op->ports[i].role == OM_PORT_OUT)
            continue;
        if (p->check->integers && om_dtype_is_float(t->dtype)) {
            om_fill fill = {.kind = OM_FILL_INTEGER, .seed = 7, .tensor = (uint32_t)i};
            fill.low = -3;
            fill.high = 3;
            assert_int_equal(om__fill_tensor(&fill, t, NULL), OM_OK);
        } else {
            om_error err;
            if (om__op_fill_host(p->op, p->args, i, 11, p->got, &err) != OM_OK)
                fail_msg("%s %s: drawing %s: %s", p->op->name, p->params, p->op->ports[i].name,
                         err.text);
        }
    }
    if (p->check->change != NULL)
        p->check->change(p->op, p->args, p->got);
}

static void problem_init(problem *p, const kernel_check *check, const char *params)
{
    om_pairs pairs = {0};
    om_error err = {0};
    *p = (problem){.check = check, .params = params};
    p->op = om__op_find(check->op, check->pass);
    assert_non_null(p->op);
    char *text = strdup(params);
    for (char *save, *word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
        char *value = strchr(word, '=');
        *value++ = '\0';
        assert_int_equal(om__pairs_set(&pairs, word, value, NULL), OM_OK);
    }
    free(text);
    if (om__args_parse(p->op, &pairs, p->args, &err) != OM_OK)
        fail_msg("%s %s: %s", check->op, params, err.text);
    om__pairs_release(&pairs);
    assert_int_equal(p->op->describe(p->args, p->want, NULL), OM_OK);
    memcpy(p->got, p->want, sizeof p->got);
    for (size_t i = 0; i < p->op->port_count; i++) {
        if (p->want[i].dtype == OM_DTYPE_DEFAULT)
            continue;
        p->memory[i] = guarded_create(&p->want[i], check->slack);
        p->got[i].data = p->memory[i].data;
        p->want[i].data = p->memory[i].data;
        if (is_output(p, i)) {
            p->want[i].data = malloc(p->memory[i].bytes + 1);
            p->first[i] = malloc(p->memory[i].bytes + 1);
        }
    }
    draw_inputs(p);
}

static void problem_release(problem *p)
{
    for (size_t i = 0; i < p->op->port_count; i++) {
        if (is_output(p, i)) {
            free(p->want[i].data);
            free(p->first[i]);
        }
        if (p->memory[i].map != NULL)
            munmap(p->memory[i].map, p->memory[i].map_bytes);
    }
}

static void point_args(problem *p, const om_tensor *tensors)
{
    for (size_t i = 0; i < p->op->port_count; i++)
        if (tensors[i].dtype != OM_DTYPE_DEFAULT)
            om__args_pointer_set(p->op, p->args, i, tensors[i].data);
}

static void poison_outputs(problem *p, om_tensor *tensors)
{
    for (size_t i = 0; i < p->op->port_count; i++)
        if (is_output(p, i))
            memset(tensors[i].data, om__poison_byte(tensors[i].dtype), p->memory[i].bytes);
}

static void judge(problem *p, const om_kernel *kernel, int threads)
{
    om_check result = {0};
    om_error err = {0};
    if (p->check->unjudged)
        return;
    if (p->check->exact) {
        for (size_t i = 0; i < p->op->port_count; i++)
            if (is_output(p, i) && memcmp(p->got[i].data, p->want[i].data, p->memory[i].bytes) != 0)
                fail_msg("%s, %s, %d threads: %s has other bits than the reference", kernel->name,
                         p->params, threads, p->op->ports[i].name);
        return;
    }
    if (om__judge(p->op, p->args, p->got, p->want, NULL, &result, &err) != OM_OK)
        fail_msg("%s, %s: %s", kernel->name, p->params, err.text);
    if (!result.passed)
        fail_msg("%s, %s, %d threads: error %g: %s", kernel->name, p->params, threads, result.error,
                 result.where);
}

static void run_once(problem *p, const om_kernel *kernel, int threads, int is_first)
{
    om_kernel_env env = {.threads = threads, .isa = om__cpu_info_get()->isa, .l2_bytes = 32 << 20};
    size_t bytes = 0;
    om_error err = {0};
    assert_int_equal(kernel->query(&env, p->args, &bytes, &err), OM_OK);
    char *workspace = aligned_alloc(64, (bytes + 127) / 64 * 64);
    memset(workspace, 0xff, (bytes + 127) / 64 * 64);
    poison_outputs(p, p->got);
    if (kernel->run(&env, p->args, workspace, &err) != OM_OK)
        fail_msg("%s, %s: %s", kernel->name, p->params, err.text);
    for (size_t i = bytes; i < (bytes + 127) / 64 * 64; i++)
        if (workspace[i] != (char)0xff)
            fail_msg("%s, %s, %d threads: wrote beyond its workspace", kernel->name, p->params,
                     threads);
    free(workspace);
    judge(p, kernel, threads);
    for (size_t i = 0; i < p->op->port_count; i++) {
        if (p->memory[i].map != NULL && !guarded_is_clean(&p->memory[i]))
            fail_msg("%s, %s, %d threads: bytes around %s were written", kernel->name, p->params,
                     threads, p->op->ports[i].name);
        if (!is_output(p, i))
            continue;
        if (is_first)
            memcpy(p->first[i], p->got[i].data, p->memory[i].bytes);
        else if (memcmp(p->first[i], p->got[i].data, p->memory[i].bytes) != 0)
            fail_msg("%s, %s: %s has other bits with %d threads", kernel->name, p->params,
                     p->op->ports[i].name, threads);
    }
}

int kernel_check_run(const kernel_check *check, const char *params)
{
    static const int threads[] = {1, 2, 3, 7};
    problem *p = malloc(sizeof *p);
    om_context *context = NULL;
    size_t count;
    int ran = 0;
    problem_init(p, check, params);
    poison_outputs(p, p->want);
    if (!check->unjudged) {
        point_args(p, p->want);
        assert_int_equal(p->op->reference(p->args, NULL, NULL), OM_OK);
    }
    point_args(p, p->got);
    assert_int_equal(om_context_create(NULL, &context, NULL), OM_OK);
    const om_kernel *const *kernels = om__kernels_get(context, &count);
    for (size_t i = 0; i < count; i++) {
        const om_kernel *kernel = kernels[i];
        om_kernel_env env = {.threads = 1, .isa = context->isa};
        size_t bytes;
        if (strcmp(kernel->op, p->op->name) != 0 || strcmp(kernel->pass, p->op->pass) != 0 ||
            kernel->isa > context->isa || kernel->query(&env, p->args, &bytes, NULL) != OM_OK)
            continue;
        for (size_t t = 0; t < sizeof threads / sizeof *threads; t++)
            run_once(p, kernel, threads[t], t == 0);
        if (check->look != NULL)
            check->look(p->op, p->args, p->got, kernel->name);
        ran++;
    }
    om_context_destroy(context);
    problem_release(p);
    if (ran == 0)
        fail_msg("no kernel serves %s %s", check->op, params);
    free(p);
    return ran;
}

int kernel_check_runf(const kernel_check *check, const char *format, ...)
{
    char params[512];
    va_list list;
    va_start(list, format);
    vsnprintf(params, sizeof params, format, list);
    va_end(list);
    return kernel_check_run(check, params);
}
