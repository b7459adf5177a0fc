/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_check.h: every CPU kernel of an operator against the operator's contract, on one problem.
 */
#ifndef OM_TESTS_KERNEL_CHECK_H
#define OM_TESTS_KERNEL_CHECK_H

#include "core/kernel.h"
#include "ops/op.h"

typedef struct kernel_check {
    const char *op, *pass; /* pass NULL: "forward" */
    int integers;          /* float inputs hold integers in −3…3 */
    int exact;             /* outputs must have the bits of the reference */
    /* Changes the inputs after they were drawn. */
    void (*change)(const om_op *op, const void *args, om_tensor *tensors);
    /* Looks at the outputs after they were judged; NULL: none. unjudged: they are not judged. */
    void (*look)(const om_op *op, const void *args, const om_tensor *tensors, const char *kernel);
    int unjudged;
    int slack; /* elements between the end of a tensor and the page that may not be touched */
} kernel_check;

/* Runs every kernel that serves the problem (parameters "m=3 n=5") with 1, 2, 3 and 7 threads.
 * Fails the test when a result is wrong, when bits differ between thread counts, when a byte
 * outside a tensor is written, or when no kernel serves the problem. Tensors end at a page that may
 * not be touched. Returns the number of kernels that ran. */
int kernel_check_run(const kernel_check *check, const char *params);

/* The same for parameters by printf. */
int kernel_check_runf(const kernel_check *check, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
