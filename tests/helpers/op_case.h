/* SPDX-License-Identifier: Apache-2.0 */
/* op_case.h: one problem of one operator in host memory: parsed, drawn, poisoned, referenced. */
#ifndef OM_TESTS_OP_CASE_H
#define OM_TESTS_OP_CASE_H

#include "helpers/helper.h"
#include "ops/op.h"

typedef struct op_case {
    const om_op *op;
    void *args; /* of op->args_size, its pointers set */
    om_tensor tensors[OM_MAX_PORTS];
} op_case;

/* "t=4 e=8 k=2": inputs are drawn (seed 1), outputs poisoned. Fails the test on any error. */
op_case op_case_create(const char *op, const char *pass, const char *params);
void op_case_release(op_case *c);

/* Data of a port by name; the test fails where there is no such port. */
void *op_case_data(const op_case *c, const char *port);
int64_t op_case_count(const op_case *c, const char *port);
/* Element `index` of a port as f64. */
double op_case_get(const op_case *c, const char *port, int64_t index);
/* Writes all elements of a port, rounded to its dtype; the list must hold as many. */
#define op_case_set(c, port, ...)                                                                  \
    op_case_set_values(c, port, (const double[]){__VA_ARGS__},                                     \
                       sizeof((const double[]){__VA_ARGS__}) / sizeof(double))
void op_case_set_values(op_case *c, const char *port, const double *values, size_t count);
/* Compares all elements of a port, each within `tolerance` (NaN equals NaN). */
#define op_case_expect(c, port, tolerance, ...)                                                    \
    op_case_expect_values(c, port, tolerance, (const double[]){__VA_ARGS__},                       \
                          sizeof((const double[]){__VA_ARGS__}) / sizeof(double))
void op_case_expect_values(const op_case *c, const char *port, double tolerance,
                           const double *values, size_t count);

/* Runs the reference over all rows. */
void op_case_reference(op_case *c);
/* The reference of a sample of rows gives the bits of the reference of all (every third row of each
 * output), and leaves the other rows alone; unsampled rows of outputs named in `whole` ("ids
 * sizes", NULL: none) may be written. */
void op_case_expect_sampling(op_case *c, const char *whole);
/* The gradient `grad` that `back` holds equals central differences of the f32 forward pass: those
 * of the sum of forward's `output` times back's `seed` after every element of forward's `input`.
 * The inputs of both cases must already agree. */
void op_case_expect_gradient(const op_case *back, const char *grad, op_case *forward,
                             const char *input, const char *output, const char *seed);
/* Judges `got` (a case whose outputs are the provider's) against `want`. */
om_check op_case_judge(const op_case *got, const op_case *want);
/* The status of parsing "key=value …"; text of the error in err. */
om_status op_case_parse(const char *op, const char *pass, const char *params, void *args,
                        om_error *err);

#endif
