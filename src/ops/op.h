/* SPDX-License-Identifier: Apache-2.0 */
/* op.h: the contract of an operator: the one place that says what it takes, means, costs and how it
 * is judged.
 *
 * An om_op describes one pass of one operator over the public argument struct of its header:
 * parameters (fields) and tensors (ports) by their offsets in that struct. The tool, the providers,
 * the tests and the reports read contracts; nothing else knows an operator by name.
 */
#ifndef OM_OPS_OP_H
#define OM_OPS_OP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/pairs.h"
#include "core/fill.h"
#include "opmark/tensor.h"

#define OM_MAX_PORTS     16
#define OM_MAX_ARGS_SIZE 512

/* ---- parameters ---- */

typedef enum om_field_kind {
    OM_FIELD_INT,   /* int64_t */
    OM_FIELD_FLAG,  /* int, 0 or 1 */
    OM_FIELD_FLOAT, /* double */
    OM_FIELD_DTYPE, /* om_dtype */
    OM_FIELD_WORD,  /* int: index into words */
} om_field_kind;

typedef struct om_field {
    const char *name; /* as typed by users and printed in reports: m, trans_b, dtype */
    om_field_kind kind;
    size_t offset;            /* in the argument struct */
    const char *standard;     /* the value it has when not given, as text; NULL: must be given */
    const char *const *words; /* OM_FIELD_WORD: NULL-ended */
    double low,
        high; /* OM_FIELD_INT and OM_FIELD_FLOAT: bounds, both ends allowed; both 0: 0..2^62 */
    const char *help; /* one line, with the unit where there is one */
} om_field;

/* ---- tensors ---- */

typedef enum om_port_role { OM_PORT_IN, OM_PORT_OUT } om_port_role;

typedef struct om_port {
    const char *name;
    size_t offset; /* of its pointer in the argument struct */
    om_port_role role;
    bool optional;        /* absent (dtype OM_DTYPE_DEFAULT in describe) for some parameters */
    bool timed_as_weight; /* a weight: reused between calls in real use; information for reports
                             only */
} om_port;

/* Which rows of an output the reference must compute; NULL in place of the array, or a NULL index,
 * means all. The rows of a tensor are its leading axes flattened; a tensor of rank 1 has rows of
 * one element. */
typedef struct om_rows {
    int64_t count;
    const int64_t *index; /* ascending */
} om_rows;

typedef struct om_work {
    double flops;
    double bytes; /* that the problem demands to be moved */
} om_work;

/* An output element passes when |out − ref| <= atol + rtol·|ref|, where atol = atol_rms · rms(ref)
 * + atol_abs; the output passes when all do and its relative Frobenius error is at most frobenius.
 * Integer outputs, and any port with exact set, must match bit for bit. For codes (fp8 outputs): at
 * most `max_codes` apart, in at most `max_share` of the elements, used where max_codes > 0.
 * by_row: where the rms of an element's row exceeds that of the tensor, it stands in its place: for
 * outputs whose rows are sums over different numbers of rounded terms. */
typedef struct om_tolerance {
    bool exact, by_row;
    double rtol, atol_rms, atol_abs, frobenius;
    int max_codes;
    double max_share;
} om_tolerance;

/* What a judgement found. `error` is the largest relative Frobenius error of an output (or the
 * share of wrong elements of an exact one); `where` names the worst output and element in words. */
typedef struct om_check {
    bool passed;
    double error;
    double max_abs_error;
    int64_t rows_checked, rows_total;
    int64_t rows_left_out; /* by the contract's own rule (near ties) */
    char where[200];
} om_check;

typedef struct om_op om_op;
struct om_op {
    const char *name;    /* "gemm" */
    const char *pass;    /* "forward" or "backward" */
    const char *summary; /* one line */
    size_t args_size;    /* of the public argument struct, at most OM_MAX_ARGS_SIZE */
    const om_field *fields;
    size_t field_count;
    const om_port *ports;
    size_t port_count; /* at most OM_MAX_PORTS */
    const char
        *dtype_field; /* the field reports print as the row's dtype; NULL: describe's first port */

    /* Conditions between parameters that bounds cannot say. NULL: none. */
    om_status (*check)(const void *args, om_error *err);
    /* Describes every port of this problem: dtype and shape, data NULL. tensors has port_count
     * entries. */
    om_status (*describe)(const void *args, om_tensor *tensors, om_error *err);
    /* How port number `port` is drawn (seed and tensor number are set by the caller). NULL or
     * OM_FILL_NONE for outputs. */
    void (*fill)(const void *args, size_t port, om_fill *fill);
    /* For ports with OM_FILL_HOST: draws the host tensor; tensors already drawn are in `tensors`.
     */
    om_status (*fill_host)(const void *args, size_t port, uint64_t seed, om_tensor *tensors,
                           om_error *err);
    /* FLOPs and bytes. tensors holds host data, or NULL, where work that depends on data is
     * expected work. */
    om_work (*work)(const void *args, const om_tensor *tensors);
    om_tolerance (*tolerance)(const void *args, size_t port);
    /* The host reference: reads the pointers in args (host memory), writes at least the rows asked
     * for (one om_rows a port, or NULL: all). Elements that the contract leaves undefined are not
     * written, and an implementation must not write them either. */
    om_status (*reference)(const void *args, const om_rows *rows, om_error *err);
    /* Replaces the standard judgement of the outputs where an order is free. got and want have
     * port_count entries of host data; of the inputs, those in judge_inputs hold data in want, the
     * others may have none. NULL: om__judge_standard. */
    om_status (*judge)(const void *args, const om_tensor *got, const om_tensor *want,
                       const om_rows *rows, om_check *check, om_error *err);
    uint32_t judge_inputs; /* bit i: judge reads input port i */
    /* Smallest alignment in bytes that the tensors need; 0: that of their element. */
    size_t alignment;
};

/* All contracts, in the order of ops.def. */
const om_op *const *om__ops_get(size_t *count);
/* By name and pass; pass NULL: "forward". NULL where there is none. */
const om_op *om__op_find(const char *name, const char *pass);

/* ---- the field table at work: one code for parsing, printing, keys and columns ---- */

/* Zeroes args and sets every field from params or its standard value, then checks bounds and
 * om_op.check. Unknown parameter names, missing ones and malformed values are OM_INVALID with a
 * near-miss hint. */
om_status om__args_parse(const om_op *op, const om_pairs *params, void *args, om_error *err);
/* Sets one field from text, without checking the whole. */
om_status om__args_set(const om_op *op, const char *name, const char *value, void *args,
                       om_error *err);
/* All fields in table order, as canonical text ("trans_b" → "1", dtype → "bf16"). */
om_status om__args_format(const om_op *op, const void *args, om_pairs *params, om_error *err);
/* As om__args_format without the fields that hold their standard value: the line that reruns a row.
 */
om_status om__args_format_short(const om_op *op, const void *args, om_pairs *params, om_error *err);
/* Bounds and om_op.check for args filled by a C caller (a zero field takes its standard value
 * first, in place). with_tensors: every present port must be non-NULL and aligned. */
om_status om__args_check(const om_op *op, void *args, bool with_tensors, om_error *err);
const om_field *om__op_field_find(const om_op *op, const char *name);
/* The dtype a report prints for this problem. */
om_dtype om__op_dtype(const om_op *op, const void *args);

/* Pointers of the argument struct, by port. */
void *om__args_pointer_get(const om_op *op, const void *args, size_t port);
void om__args_pointer_set(const om_op *op, void *args, size_t port, void *pointer);
/* describe() and then data from the pointers in args. */
om_status om__args_tensors(const om_op *op, const void *args, om_tensor *tensors, om_error *err);
/* Sum of the sizes of all present tensors. */
om_status om__args_memory_bytes(const om_op *op, const void *args, int64_t *size_bytes,
                                om_error *err);

/* Draws port number `port` on the host: om_op.fill and, for OM_FILL_HOST, fill_host. */
om_status om__op_fill_host(const om_op *op, const void *args, size_t port, uint64_t seed,
                           om_tensor *tensors, om_error *err);

/* Rows and columns of a tensor as judged: rank 1 gives rows of one element. */
void om__tensor_rows(const om_tensor *tensor, int64_t *rows, int64_t *columns);

/* Every output against its reference by the contract's tolerances. An element the reference left
 * poisoned must be poisoned in `got` too; a NaN passes only where the reference is NaN. */
om_status om__judge_standard(const om_op *op, const void *args, const om_tensor *got,
                             const om_tensor *want, const om_rows *rows, om_check *check,
                             om_error *err);
/* om_op.judge or the standard one. */
om_status om__judge(const om_op *op, const void *args, const om_tensor *got, const om_tensor *want,
                    const om_rows *rows, om_check *check, om_error *err);

#endif
