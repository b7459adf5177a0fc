/* SPDX-License-Identifier: Apache-2.0 */
/* test_calls.c: the C call of every operator: bad arguments are named and nothing is touched; calls
 * from several threads at once give the bits of a call alone.
 */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/workload.h"
#include "helpers/op_case.h"
#include "opmark/opmark.h"

typedef om_status (*call_fn)(om_context *context, const void *args, om_error *err);

#define OM_OP(contract, call, args_type)                                                           \
    static om_status any_##call(om_context *context, const void *args, om_error *err)              \
    {                                                                                              \
        return call(context, args, err);                                                           \
    }
#include "ops/ops.def"
#undef OM_OP

/* In the order of om__ops_get. */
static const call_fn calls[] = {
#define OM_OP(contract, call, args_type) any_##call,
#include "ops/ops.def"
#undef OM_OP
};

static om_context *context;

static call_fn call_of(const om_op *op)
{
    size_t count;
    const om_op *const *ops = om__ops_get(&count);
    assert_int_equal(count, sizeof calls / sizeof *calls);
    for (size_t i = 0; i < count; i++)
        if (ops[i] == op)
            return calls[i];
    return NULL;
}

/* One small problem of every operator: its first [smoke] workload. */
static void for_each_operator(void (*visit)(op_case *c))
{
    om_pairs suites = {0};
    assert_int_equal(om__suites_list(OM_SOURCE_DIR "/workloads", &suites, NULL), OM_OK);
    size_t count, visited = 0;
    const om_op *const *ops = om__ops_get(&count);
    unsigned char *done = calloc(count, 1);
    for (size_t i = 0; i < suites.count; i++) {
        om_workloads set = {0};
        assert_int_equal(om__workloads_read(&set, suites.items[i].value, NULL), OM_OK);
        for (size_t j = 0; j < set.count; j++) {
            const om_workload *w = &set.items[j];
            size_t at = 0;
            while (at < count && ops[at] != w->op)
                at++;
            if (at == count || done[at] || strcmp(w->section, "smoke") != 0)
                continue;
            char *params = om__pairs_format(&w->params);
            op_case c = op_case_create(w->op_name, w->pass, params);
            visit(&c);
            op_case_release(&c);
            free(params);
            done[at] = 1;
            visited++;
        }
        om__workloads_release(&set);
    }
    free(done);
    om__pairs_release(&suites);
    assert_int_equal(visited, count);
}

static void expect_untouched(const op_case *c, const char *what)
{
    for (size_t i = 0; i < c->op->port_count; i++) {
        const om_tensor *t = &c->tensors[i];
        if (c->op->ports[i].role != OM_PORT_OUT || t->data == NULL)
            continue;
        for (int64_t at = 0; at < om_tensor_size_bytes(t); at++)
            if (((const unsigned char *)t->data)[at] != om__poison_byte(t->dtype))
                fail_msg("%s %s: %s: output %s was written", c->op->name, c->op->pass, what,
                         c->op->ports[i].name);
    }
}

static void expect_invalid(const op_case *c, const void *args, const char *what)
{
    om_error err = {0};
    om_status status = call_of(c->op)(context, args, &err);
    if (status != OM_INVALID || err.code != OM_INVALID || err.text[0] == '\0')
        fail_msg("%s %s: %s gives %s, \"%s\"", c->op->name, c->op->pass, what,
                 om_status_name(status), err.text);
    expect_untouched(c, what);
}

static void check_tensors(op_case *c)
{
    char args[OM_MAX_ARGS_SIZE], what[96];
    for (size_t i = 0; i < c->op->port_count; i++) {
        const om_tensor *t = &c->tensors[i];
        if (t->data == NULL)
            continue;
        memcpy(args, c->args, c->op->args_size);
        om__args_pointer_set(c->op, args, i, NULL);
        snprintf(what, sizeof what, "%s = NULL", c->op->ports[i].name);
        expect_invalid(c, args, what);
        if (om_dtype_bits(t->dtype) <= 8)
            continue;
        om__args_pointer_set(c->op, args, i, (char *)t->data + 1);
        snprintf(what, sizeof what, "%s off its element", c->op->ports[i].name);
        expect_invalid(c, args, what);
    }
    expect_invalid(c, NULL, "args = NULL");
    om_error err = {0};
    assert_int_equal(call_of(c->op)(NULL, c->args, &err), OM_INVALID);
    assert_int_equal(call_of(c->op)(NULL, c->args, NULL), OM_INVALID);
}

static void set_field(const om_op *op, const om_field *field, void *args, int64_t value)
{
    (void)op;
    int word = (int)value;
    double real = value < 0 ? -1 : NAN;
    char *at = (char *)args + field->offset;
    switch (field->kind) {
    case OM_FIELD_INT:
        memcpy(at, &value, sizeof value);
        break;
    case OM_FIELD_FLOAT:
        memcpy(at, &real, sizeof real);
        break;
    default:
        memcpy(at, &word, sizeof word);
    }
}

static void check_fields(op_case *c)
{
    char args[OM_MAX_ARGS_SIZE], what[96];
    for (size_t i = 0; i < c->op->field_count; i++) {
        const om_field *field = &c->op->fields[i];
        bool may_be_negative = field->kind == OM_FIELD_FLOAT;
        memcpy(args, c->args, c->op->args_size);
        set_field(c->op, field, args, -1);
        snprintf(what, sizeof what, "%s = -1", field->name);
        if (!may_be_negative)
            expect_invalid(c, args, what);
        set_field(c->op, field, args, INT64_C(0x7fffffffffffff0d));
        snprintf(what, sizeof what, "%s far out of range", field->name);
        expect_invalid(c, args, what);
        if (field->kind != OM_FIELD_DTYPE)
            continue;
        set_field(c->op, field, args, OM_I32);
        snprintf(what, sizeof what, "%s = i32", field->name);
        expect_invalid(c, args, what);
    }
}

static void bad_tensors_are_invalid(void **state)
{
    (void)state;
    for_each_operator(check_tensors);
}

static void bad_parameters_are_invalid(void **state)
{
    (void)state;
    for_each_operator(check_fields);
}

/* ---- several threads in one context ---- */

enum { THREADS = 3, REPEATS = 3 };

typedef struct caller {
    pthread_t thread;
    const op_case *c;
    char args[OM_MAX_ARGS_SIZE];
    void *outputs[OM_MAX_PORTS];
    om_status status;
    om_error err;
} caller;

static void *call_again(void *opaque)
{
    caller *me = opaque;
    for (int i = 0; i < REPEATS && me->status == OM_OK; i++)
        me->status = call_of(me->c->op)(context, me->args, &me->err);
    return NULL;
}

static void caller_start(caller *me, const op_case *c)
{
    memset(me, 0, sizeof *me);
    me->c = c;
    memcpy(me->args, c->args, c->op->args_size);
    for (size_t i = 0; i < c->op->port_count; i++) {
        const om_tensor *t = &c->tensors[i];
        if (c->op->ports[i].role != OM_PORT_OUT || t->data == NULL)
            continue;
        me->outputs[i] = malloc((size_t)om_tensor_size_bytes(t) + 1);
        memset(me->outputs[i], om__poison_byte(t->dtype), (size_t)om_tensor_size_bytes(t));
        om__args_pointer_set(c->op, me->args, i, me->outputs[i]);
    }
    assert_int_equal(pthread_create(&me->thread, NULL, call_again, me), 0);
}

static void caller_finish(caller *me)
{
    const op_case *c = me->c;
    pthread_join(me->thread, NULL);
    if (me->status != OM_OK)
        fail_msg("%s %s in a thread: %s", c->op->name, c->op->pass, me->err.text);
    for (size_t i = 0; i < c->op->port_count; i++) {
        const om_tensor *t = &c->tensors[i];
        if (me->outputs[i] == NULL)
            continue;
        if (memcmp(me->outputs[i], t->data, (size_t)om_tensor_size_bytes(t)) != 0)
            fail_msg("%s %s: %s has other bits when several threads call", c->op->name, c->op->pass,
                     c->op->ports[i].name);
        free(me->outputs[i]);
    }
}

static void check_threads(op_case *c)
{
    om_error err = {0};
    caller callers[THREADS];
    if (call_of(c->op)(context, c->args, &err) != OM_OK)
        fail_msg("%s %s: %s", c->op->name, c->op->pass, err.text);
    if (err.code != OM_OK ||
        err.text[0] != '\0') /* why other kernels refuse is nobody's business */
        fail_msg("%s %s succeeds, and leaves \"%s\"", c->op->name, c->op->pass, err.text);
    for (int i = 0; i < THREADS; i++)
        caller_start(&callers[i], c);
    for (int i = 0; i < THREADS; i++)
        caller_finish(&callers[i]);
}

static void threads_may_share_a_context(void **state)
{
    (void)state;
    for_each_operator(check_threads);
}

static int create_context(void **state)
{
    (void)state;
    om_context_options options = {.threads = 1};
    return om_context_create(&options, &context, NULL) == OM_OK ? 0 : -1;
}

static int destroy_context(void **state)
{
    (void)state;
    om_context_destroy(context);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_tensors_are_invalid),
        cmocka_unit_test(bad_parameters_are_invalid),
        cmocka_unit_test(threads_may_share_a_context),
    };
    return cmocka_run_group_tests(tests, create_context, destroy_context);
}
