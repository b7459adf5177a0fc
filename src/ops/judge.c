/* SPDX-License-Identifier: Apache-2.0 */
/* judge.c: the standard judgement of outputs against their reference. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "core/convert.h"
#include "ops/op.h"

/* One output under judgement, and what was found in it so far. */
typedef struct verdict {
    const char *port;
    const om_tensor *got, *want;
    int64_t rows, columns;
    om_rows picked; /* index NULL: all */
    om_tolerance tolerance;
    double rms, atol;
    double diff_squares, want_squares;
    int64_t finite;      /* elements the reference wrote, NaN and infinity left out */
    int64_t judged;      /* elements compared */
    int64_t wrong;       /* elements out of tolerance */
    int64_t off;         /* codes that differ at all */
    double worst;        /* largest absolute difference */
    double worst_excess; /* of the element named in where */
    char where[200];
} verdict;

static int64_t picked_count(const verdict *v)
{
    return v->picked.index != NULL ? v->picked.count : v->rows;
}

static int64_t picked_row(const verdict *v, int64_t i)
{
    return v->picked.index != NULL ? v->picked.index[i] : i;
}

static bool is_poison(const om_tensor *tensor, int64_t index)
{
    int size = om_dtype_bits(tensor->dtype) / 8;
    const unsigned char *bytes = (const unsigned char *)tensor->data + index * size;
    unsigned char poison = om__poison_byte(tensor->dtype);
    for (int i = 0; i < size; i++)
        if (bytes[i] != poison)
            return false;
    return true;
}

static bool same_bits(const verdict *v, int64_t index)
{
    int size = om_dtype_bits(v->want->dtype) / 8;
    return memcmp((const char *)v->got->data + index * size,
                  (const char *)v->want->data + index * size, (size_t)size) == 0;
}

/* Keeps the worst element seen, for the words of the check. */
static void blame(verdict *v, int64_t index, double got, double want, double excess)
{
    v->wrong++;
    if (v->where[0] != '\0' && !(excess > v->worst_excess))
        return;
    v->worst_excess = excess;
    if (v->columns > 1)
        snprintf(v->where, sizeof v->where, "%s[%lld,%lld] is %.9g, not %.9g", v->port,
                 (long long)(index / v->columns), (long long)(index % v->columns), got, want);
    else
        snprintf(v->where, sizeof v->where, "%s[%lld] is %.9g, not %.9g", v->port, (long long)index,
                 got, want);
}

static void blame_words(verdict *v, int64_t index, const char *words)
{
    v->wrong++;
    if (v->worst_excess == INFINITY)
        return;
    v->worst_excess = INFINITY;
    snprintf(v->where, sizeof v->where, "%s[%lld,%lld] %s", v->port,
             (long long)(index / v->columns), (long long)(index % v->columns), words);
}

/* Codes of an fp8 type as integers in the order of their values, so that neighbours are 1 apart. */
static int code_rank(unsigned char code)
{
    return code & 0x80 ? -(code & 0x7F) : code;
}

static void judge_codes(verdict *v, int64_t index)
{
    unsigned char got = ((const unsigned char *)v->got->data)[index];
    unsigned char want = ((const unsigned char *)v->want->data)[index];
    double got_value = om__load_f64(&got, v->got->dtype, 0);
    double want_value = om__load_f64(&want, v->want->dtype, 0);
    if (isnan(want_value) || isnan(got_value)) {
        if (isnan(want_value) != isnan(got_value))
            blame(v, index, got_value, want_value, INFINITY);
        return;
    }
    int distance = abs(code_rank(got) - code_rank(want));
    if (distance > 0)
        v->off++;
    if (distance > v->tolerance.max_codes)
        blame(v, index, got_value, want_value, distance);
    v->worst = fmax(v->worst, fabs(got_value - want_value));
    v->diff_squares += (got_value - want_value) * (got_value - want_value);
}

static void judge_number(verdict *v, int64_t index)
{
    double got = om__load_f64(v->got->data, v->got->dtype, index);
    double want = om__load_f64(v->want->data, v->want->dtype, index);
    if (isnan(want)) {
        if (!isnan(got))
            blame(v, index, got, want, INFINITY);
        return;
    }
    if (isnan(got) || isinf(got) || isinf(want)) {
        if (got != want)
            blame(v, index, got, want, INFINITY);
        return;
    }
    double difference = fabs(got - want);
    v->worst = fmax(v->worst, difference);
    v->diff_squares += difference * difference;
    double allowed = v->atol + v->tolerance.rtol * fabs(want);
    if (difference > allowed)
        blame(v, index, got, want, difference / (allowed > 0 ? allowed : 1e-300));
}

static void judge_exact(verdict *v, int64_t index)
{
    if (same_bits(v, index))
        return;
    double got = om__load_f64(v->got->data, v->got->dtype, index);
    double want = om__load_f64(v->want->data, v->want->dtype, index);
    if (isnan(got) && isnan(want))
        return;
    blame(v, index, got, want, fabs(got - want));
    v->worst = fmax(v->worst, fabs(got - want));
}

static void judge_element(verdict *v, int64_t index, void (*rule)(verdict *, int64_t))
{
    bool want_poison = is_poison(v->want, index), got_poison = is_poison(v->got, index);
    v->judged++;
    /* The poison of a one-byte float is a NaN that a computation can give too. */
    if (want_poison != got_poison && om_dtype_bits(v->want->dtype) == 8 &&
        om_dtype_is_float(v->want->dtype) &&
        isnan(om__load_f64(v->got->data, v->got->dtype, index)) &&
        isnan(om__load_f64(v->want->data, v->want->dtype, index)))
        return;
    if (want_poison && got_poison)
        return;
    if (want_poison)
        blame_words(v, index, "was written, which the contract leaves alone");
    else if (got_poison)
        blame_words(v, index, "was never written");
    else
        rule(v, index);
}

static void measure_reference(verdict *v)
{
    for (int64_t i = 0; i < picked_count(v); i++) {
        int64_t first = picked_row(v, i) * v->columns;
        for (int64_t j = first; j < first + v->columns; j++) {
            double want = om__load_f64(v->want->data, v->want->dtype, j);
            if (!isfinite(want) || is_poison(v->want, j))
                continue;
            v->want_squares += want * want;
            v->finite++;
        }
    }
    v->rms = v->finite > 0 ? sqrt(v->want_squares / (double)v->finite) : 0;
    v->atol = v->tolerance.atol_rms * v->rms + v->tolerance.atol_abs;
}

/* The allowance of a row: that of the whole tensor, or of its own size where that is larger. */
static void measure_row(verdict *v, int64_t first)
{
    double squares = 0;
    int64_t finite = 0;
    for (int64_t j = first; j < first + v->columns; j++) {
        double want = om__load_f64(v->want->data, v->want->dtype, j);
        if (!isfinite(want) || is_poison(v->want, j))
            continue;
        squares += want * want;
        finite++;
    }
    double rms = finite > 0 ? sqrt(squares / (double)finite) : 0;
    v->atol = v->tolerance.atol_rms * fmax(rms, v->rms) + v->tolerance.atol_abs;
}

static double relative_error(const verdict *v)
{
    if (v->tolerance.exact)
        return v->judged > 0 ? (double)v->wrong / (double)v->judged : 0;
    if (v->want_squares > 0)
        return sqrt(v->diff_squares / v->want_squares);
    return v->diff_squares > 0 ? INFINITY : 0;
}

/* A row of equal bits is right as it stands, poison included. */
static bool same_row(const verdict *v, int64_t first)
{
    int64_t size = om_dtype_bits(v->want->dtype) / 8;
    return memcmp((const char *)v->got->data + first * size,
                  (const char *)v->want->data + first * size, (size_t)(v->columns * size)) == 0;
}

static void judge_port(verdict *v)
{
    bool is_exact = v->tolerance.exact || !om_dtype_is_float(v->want->dtype);
    bool is_codes = !is_exact && v->tolerance.max_codes > 0;
    v->tolerance.exact = is_exact;
    if (!is_exact)
        measure_reference(v);
    void (*rule)(verdict *, int64_t) = is_exact   ? judge_exact
                                       : is_codes ? judge_codes
                                                  : judge_number;
    for (int64_t i = 0; i < picked_count(v); i++) {
        int64_t first = picked_row(v, i) * v->columns;
        if (is_exact && same_row(v, first)) {
            v->judged += v->columns;
            continue;
        }
        if (rule == judge_number && v->tolerance.by_row)
            measure_row(v, first);
        for (int64_t j = first; j < first + v->columns; j++)
            judge_element(v, j, rule);
    }
    double share = v->judged > 0 ? (double)v->off / (double)v->judged : 0;
    if (is_codes && share > v->tolerance.max_share && v->wrong == 0) {
        /* One code in a tiny tensor is more than any share; it is still one code. */
        if (v->off > 1) {
            v->wrong = v->off;
            snprintf(v->where, sizeof v->where,
                     "%s: %.3g %% of the codes are one off, not at most %.3g %%", v->port,
                     100 * share, 100 * v->tolerance.max_share);
        }
    }
    double error = relative_error(v);
    if (!is_exact && !is_codes && v->wrong == 0 && error > v->tolerance.frobenius) {
        v->wrong = 1;
        snprintf(v->where, sizeof v->where, "%s: relative error %.3g, not at most %.3g", v->port,
                 error, v->tolerance.frobenius);
    }
}

om_status om__judge_standard(const om_op *op, const void *args, const om_tensor *got,
                             const om_tensor *want, const om_rows *rows, om_check *check,
                             om_error *err)
{
    *check = (om_check){.passed = true};
    double worst_error = -1;
    for (size_t port = 0; port < op->port_count; port++) {
        if (op->ports[port].role != OM_PORT_OUT || want[port].dtype == OM_DTYPE_DEFAULT ||
            om_tensor_count(&want[port]) == 0)
            continue;
        if (want[port].data == NULL || got[port].data == NULL)
            return om__error_set(err, OM_INTERNAL, "%s: output %s has no data to judge", op->name,
                                 op->ports[port].name);
        verdict v = {.port = op->ports[port].name,
                     .got = &got[port],
                     .want = &want[port],
                     .tolerance = op->tolerance(args, port)};
        om__tensor_rows(&want[port], &v.rows, &v.columns);
        if (rows != NULL)
            v.picked = rows[port];
        judge_port(&v);
        check->rows_checked += picked_count(&v);
        check->rows_total += v.rows;
        check->max_abs_error = fmax(check->max_abs_error, v.worst);
        double error = relative_error(&v);
        bool is_worse = v.wrong > 0 ? check->passed : error > worst_error && check->passed;
        check->error = fmax(check->error, error);
        if (is_worse) {
            worst_error = error;
            snprintf(check->where, sizeof check->where, "%s", v.where);
        }
        if (v.wrong > 0)
            check->passed = false;
    }
    return OM_OK;
}

om_status om__judge(const om_op *op, const void *args, const om_tensor *got, const om_tensor *want,
                    const om_rows *rows, om_check *check, om_error *err)
{
    if (op->judge != NULL)
        return op->judge(args, got, want, rows, check, err);
    return om__judge_standard(op, args, got, want, rows, check, err);
}
