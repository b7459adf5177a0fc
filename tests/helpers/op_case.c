/* SPDX-License-Identifier: Apache-2.0 */
/* op_case.c: problems of operators for tests. */
#include "helpers/op_case.h"

#ifdef _OPENMP
#include <omp.h>
#endif

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/convert.h"

om_status op_case_parse(const char *name, const char *pass, const char *params, void *args,
                        om_error *err)
{
    const om_op *op = om__op_find(name, pass);
    if (op == NULL)
        fail_msg("no operator %s", name);
    om_pairs pairs = {0};
    char *text = om__strdup(params);
    for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " ")) {
        char *equals = strchr(word, '=');
        assert_non_null(equals);
        *equals = '\0';
        assert_int_equal(om__pairs_set(&pairs, word, equals + 1, NULL), OM_OK);
    }
    om_status status = om__args_parse(op, &pairs, args, err);
    om__pairs_release(&pairs);
    free(text);
    return status;
}

static void poison(op_case *c)
{
    for (size_t i = 0; i < c->op->port_count; i++)
        if (c->op->ports[i].role == OM_PORT_OUT && c->tensors[i].data != NULL)
            memset(c->tensors[i].data, om__poison_byte(c->tensors[i].dtype),
                   (size_t)om_tensor_size_bytes(&c->tensors[i]));
}

op_case op_case_create(const char *name, const char *pass, const char *params)
{
    om_error err = {0};
    op_case c = {.op = om__op_find(name, pass)};
#ifdef _OPENMP
    omp_set_num_threads(1); /* problems this small only wait for each other's threads */
#endif
    c.args = calloc(1, OM_MAX_ARGS_SIZE);
    assert_non_null(c.args);
    if (op_case_parse(name, pass, params, c.args, &err) != OM_OK ||
        c.op->describe(c.args, c.tensors, &err) != OM_OK)
        fail_msg("%s %s: %s", name, params, err.text);
    for (size_t i = 0; i < c.op->port_count; i++) {
        if (c.tensors[i].dtype == OM_DTYPE_DEFAULT)
            continue;
        c.tensors[i].data = malloc((size_t)om_tensor_size_bytes(&c.tensors[i]) + 1);
        assert_non_null(c.tensors[i].data);
        om__args_pointer_set(c.op, c.args, i, c.tensors[i].data);
    }
    for (size_t i = 0; i < c.op->port_count; i++)
        if (om__op_fill_host(c.op, c.args, i, 1, c.tensors, &err) != OM_OK)
            fail_msg("%s %s: drawing %s: %s", name, params, c.op->ports[i].name, err.text);
    poison(&c);
    return c;
}

void op_case_release(op_case *c)
{
    for (size_t i = 0; i < c->op->port_count; i++)
        free(c->tensors[i].data);
    free(c->args);
    *c = (op_case){0};
}

static const om_tensor *tensor_find(const op_case *c, const char *port)
{
    for (size_t i = 0; i < c->op->port_count; i++)
        if (strcmp(c->op->ports[i].name, port) == 0)
            return &c->tensors[i];
    fail_msg("%s has no port %s", c->op->name, port);
    return NULL;
}

void *op_case_data(const op_case *c, const char *port)
{
    return tensor_find(c, port)->data;
}

int64_t op_case_count(const op_case *c, const char *port)
{
    return om_tensor_count(tensor_find(c, port));
}

double op_case_get(const op_case *c, const char *port, int64_t index)
{
    const om_tensor *tensor = tensor_find(c, port);
    return om__load_f64(tensor->data, tensor->dtype, index);
}

void op_case_set_values(op_case *c, const char *port, const double *values, size_t count)
{
    const om_tensor *tensor = tensor_find(c, port);
    assert_int_equal(om_tensor_count(tensor), count);
    for (size_t i = 0; i < count; i++)
        om__store_f64(tensor->data, tensor->dtype, (int64_t)i, values[i]);
}

void op_case_expect_values(const op_case *c, const char *port, double tolerance,
                           const double *values, size_t count)
{
    assert_int_equal(op_case_count(c, port), count);
    for (size_t i = 0; i < count; i++) {
        double got = op_case_get(c, port, (int64_t)i), want = values[i];
        if (isnan(want) ? !isnan(got) : !(got == want || fabs(got - want) <= tolerance))
            fail_msg("%s.%s[%zu] is %.9g, not %.9g", c->op->name, port, i, got, want);
    }
}

void op_case_reference(op_case *c)
{
    om_error err = {0};
    if (c->op->reference(c->args, NULL, &err) != OM_OK)
        fail_msg("%s: %s", c->op->name, err.text);
}

static void expect_rows(const op_case *c, size_t port, const unsigned char *all, bool is_whole)
{
    const om_tensor *tensor = &c->tensors[port];
    int64_t rows, columns;
    om__tensor_rows(tensor, &rows, &columns);
    size_t size = (size_t)(columns * om_dtype_bits(tensor->dtype) / 8);
    const unsigned char *now = tensor->data;
    for (int64_t row = 0; row < rows; row++) {
        bool is_sampled = row % 3 == 0;
        bool is_same = memcmp(now + (size_t)row * size, all + (size_t)row * size, size) == 0;
        if (is_sampled && !is_same)
            fail_msg("%s: row %lld of %s differs when sampled", c->op->name, (long long)row,
                     c->op->ports[port].name);
        if (is_sampled || is_whole)
            continue;
        for (size_t i = 0; i < size; i++)
            if (now[(size_t)row * size + i] != om__poison_byte(tensor->dtype))
                fail_msg("%s: row %lld of %s is written though not asked for", c->op->name,
                         (long long)row, c->op->ports[port].name);
    }
}

void op_case_expect_sampling(op_case *c, const char *whole)
{
    om_rows rows[OM_MAX_PORTS] = {0};
    int64_t *indices[OM_MAX_PORTS] = {0};
    unsigned char *all[OM_MAX_PORTS] = {0};
    op_case_reference(c);
    for (size_t i = 0; i < c->op->port_count; i++) {
        if (c->op->ports[i].role != OM_PORT_OUT || c->tensors[i].data == NULL)
            continue;
        size_t size = (size_t)om_tensor_size_bytes(&c->tensors[i]);
        int64_t count, columns;
        om__tensor_rows(&c->tensors[i], &count, &columns);
        all[i] = malloc(size + 1);
        memcpy(all[i], c->tensors[i].data, size);
        indices[i] = malloc((size_t)(count + 1) * sizeof **indices);
        for (int64_t row = 0; row < count; row += 3)
            indices[i][rows[i].count++] = row;
        rows[i].index = indices[i];
    }
    poison(c);
    om_error err = {0};
    if (c->op->reference(c->args, rows, &err) != OM_OK)
        fail_msg("%s: %s", c->op->name, err.text);
    for (size_t i = 0; i < c->op->port_count; i++) {
        if (all[i] != NULL)
            expect_rows(c, i, all[i], whole != NULL && strstr(whole, c->op->ports[i].name) != NULL);
        free(indices[i]);
        free(all[i]);
    }
}

static double weighted_sum(op_case *forward, const char *output, const op_case *back,
                           const char *seed)
{
    double sum = 0;
    op_case_reference(forward);
    for (int64_t i = 0; i < op_case_count(forward, output); i++)
        sum += op_case_get(forward, output, i) * op_case_get(back, seed, i);
    return sum;
}

void op_case_expect_gradient(const op_case *back, const char *grad, op_case *forward,
                             const char *input, const char *output, const char *seed)
{
    const float step = 0x1p-7f;
    float *x = op_case_data(forward, input);
    assert_int_equal(op_case_count(forward, input), op_case_count(back, grad));
    for (int64_t i = 0; i < op_case_count(forward, input); i++) {
        float keep = x[i], above = keep + step, below = keep - step;
        x[i] = above;
        double high = weighted_sum(forward, output, back, seed);
        x[i] = below;
        double low = weighted_sum(forward, output, back, seed);
        x[i] = keep;
        double want = (high - low) / ((double)above - (double)below);
        double got = op_case_get(back, grad, i);
        if (!(fabs(got - want) <= 2e-3 * fmax(1, fabs(want))))
            fail_msg("%s.%s[%lld] is %.7g, differences give %.7g", back->op->name, grad,
                     (long long)i, got, want);
    }
}

om_check op_case_judge(const op_case *got, const op_case *want)
{
    om_check check = {0};
    om_error err = {0};
    if (om__judge(got->op, want->args, got->tensors, want->tensors, NULL, &check, &err) != OM_OK)
        fail_msg("%s: %s", got->op->name, err.text);
    return check;
}
