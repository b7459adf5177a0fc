/* SPDX-License-Identifier: Apache-2.0 */
/* args.c: the field table at work: text into argument structs and back, and checks of both. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "ops/op.h"

#define MAX_FIELDS 32

const om_field *om__op_field_find(const om_op *op, const char *name)
{
    for (size_t i = 0; i < op->field_count; i++)
        if (strcmp(op->fields[i].name, name) == 0)
            return &op->fields[i];
    return NULL;
}

static void *field_at(const om_field *field, void *args)
{
    return (char *)args + field->offset;
}

static const void *field_of(const om_field *field, const void *args)
{
    return (const char *)args + field->offset;
}

static om_status set_word(const om_field *field, const char *value, void *args, om_error *err)
{
    om_text all = {0};
    for (int i = 0; field->words[i] != NULL; i++) {
        if (strcmp(field->words[i], value) == 0) {
            memcpy(field_at(field, args), &i, sizeof i);
            om__text_release(&all);
            return OM_OK;
        }
        om__text_addf(&all, "%s%s", i == 0 ? "" : ", ", field->words[i]);
    }
    om__error_set(err, OM_INVALID, "%s=%s: one of %s", field->name, value,
                  all.data != NULL ? all.data : "no words");
    om__text_release(&all);
    return OM_INVALID;
}

static om_status set_field(const om_field *field, const char *value, void *args, om_error *err)
{
    switch (field->kind) {
    case OM_FIELD_INT: {
        int64_t number;
        if (!om__parse_int64(value, &number))
            return om__error_set(err, OM_INVALID, "%s=%s: not a whole number of 64 bits",
                                 field->name, value);
        memcpy(field_at(field, args), &number, sizeof number);
        return OM_OK;
    }
    case OM_FIELD_FLAG: {
        int flag = strcmp(value, "1") == 0;
        if (!flag && strcmp(value, "0") != 0)
            return om__error_set(err, OM_INVALID, "%s=%s: 0 or 1", field->name, value);
        memcpy(field_at(field, args), &flag, sizeof flag);
        return OM_OK;
    }
    case OM_FIELD_FLOAT: {
        double number;
        if (!om__parse_double(value, &number))
            return om__error_set(err, OM_INVALID, "%s=%s: not a finite number", field->name, value);
        memcpy(field_at(field, args), &number, sizeof number);
        return OM_OK;
    }
    case OM_FIELD_DTYPE: {
        om_dtype dtype;
        om_status status = om_dtype_parse(value, &dtype, err);
        if (status != OM_OK)
            return om__error_prefix(err, status, "%s: ", field->name);
        memcpy(field_at(field, args), &dtype, sizeof dtype);
        return OM_OK;
    }
    case OM_FIELD_WORD:
        return set_word(field, value, args, err);
    }
    return om__error_set(err, OM_INTERNAL, "field %s has no kind", field->name);
}

static om_status unknown_name(const om_op *op, const char *name, om_error *err)
{
    const char *names[MAX_FIELDS];
    om_text all = {0};
    size_t count = op->field_count < MAX_FIELDS ? op->field_count : MAX_FIELDS;
    for (size_t i = 0; i < count; i++) {
        names[i] = op->fields[i].name;
        om__text_addf(&all, "%s%s", i == 0 ? "" : ", ", names[i]);
    }
    const char *near = om__closest_word(name, names, count);
    const char *list = all.data != NULL ? all.data : "";
    if (near != NULL)
        om__error_set(err, OM_INVALID, "%s has no parameter '%s'; did you mean %s? (%s)", op->name,
                      name, near, list);
    else
        om__error_set(err, OM_INVALID, "%s has no parameter '%s': it takes %s", op->name, name,
                      list);
    om__text_release(&all);
    return OM_INVALID;
}

om_status om__args_set(const om_op *op, const char *name, const char *value, void *args,
                       om_error *err)
{
    const om_field *field = om__op_field_find(op, name);
    if (field == NULL)
        return unknown_name(op, name, err);
    om_status status = set_field(field, value, args, err);
    return status == OM_OK ? OM_OK : om__error_prefix(err, status, "%s: ", op->name);
}

om_status om__args_parse(const om_op *op, const om_pairs *params, void *args, om_error *err)
{
    memset(args, 0, op->args_size);
    for (size_t i = 0; i < op->field_count; i++) {
        const om_field *field = &op->fields[i];
        if (om__pairs_find(params, field->name) != NULL)
            continue;
        if (field->standard == NULL)
            return om__error_set(err, OM_INVALID, "%s needs %s (%s)", op->name, field->name,
                                 field->help);
        OM_TRY(set_field(field, field->standard, args, err));
    }
    for (size_t i = 0; i < params->count; i++)
        OM_TRY(om__args_set(op, params->items[i].key, params->items[i].value, args, err));
    return om__args_check(op, args, false, err);
}

static om_status format_field(const om_field *field, const void *args, om_pairs *params,
                              om_error *err)
{
    const void *at = field_of(field, args);
    switch (field->kind) {
    case OM_FIELD_INT: {
        int64_t number;
        memcpy(&number, at, sizeof number);
        return om__pairs_setf(params, field->name, err, "%lld", (long long)number);
    }
    case OM_FIELD_FLAG: {
        int flag;
        memcpy(&flag, at, sizeof flag);
        return om__pairs_set(params, field->name, flag ? "1" : "0", err);
    }
    case OM_FIELD_FLOAT: {
        double number;
        char text[40];
        memcpy(&number, at, sizeof number);
        for (int digits = 6; digits <= 17; digits++) {
            snprintf(text, sizeof text, "%.*g", digits, number);
            if (strtod(text, NULL) == number)
                break;
        }
        return om__pairs_set(params, field->name, text, err);
    }
    case OM_FIELD_DTYPE: {
        om_dtype dtype;
        memcpy(&dtype, at, sizeof dtype);
        return om__pairs_set(params, field->name, om_dtype_name(dtype), err);
    }
    case OM_FIELD_WORD: {
        int word;
        memcpy(&word, at, sizeof word);
        return om__pairs_set(params, field->name, field->words[word], err);
    }
    }
    return om__error_set(err, OM_INTERNAL, "field %s has no kind", field->name);
}

om_status om__args_format(const om_op *op, const void *args, om_pairs *params, om_error *err)
{
    om__pairs_release(params);
    for (size_t i = 0; i < op->field_count; i++)
        OM_TRY(format_field(&op->fields[i], args, params, err));
    return OM_OK;
}

static size_t field_size(const om_field *field)
{
    switch (field->kind) {
    case OM_FIELD_INT:
        return sizeof(int64_t);
    case OM_FIELD_FLOAT:
        return sizeof(double);
    case OM_FIELD_DTYPE:
        return sizeof(om_dtype);
    default:
        return sizeof(int);
    }
}

om_status om__args_format_short(const om_op *op, const void *args, om_pairs *params, om_error *err)
{
    _Alignas(max_align_t) char standard[OM_MAX_ARGS_SIZE] = {0};
    om__pairs_release(params);
    for (size_t i = 0; i < op->field_count; i++) {
        const om_field *field = &op->fields[i];
        if (field->standard != NULL) {
            OM_TRY(set_field(field, field->standard, standard, err));
            if (memcmp(field_of(field, args), field_of(field, standard), field_size(field)) == 0)
                continue;
        }
        OM_TRY(format_field(field, args, params, err));
    }
    return OM_OK;
}

/* A C caller leaves a field 0 to get its standard value; for a size without one, 0 is a size. */
static om_status take_standard(const om_op *op, void *args, om_error *err)
{
    static const char zeros[sizeof(double) > sizeof(int64_t) ? sizeof(double) : sizeof(int64_t)];
    for (size_t i = 0; i < op->field_count; i++) {
        const om_field *field = &op->fields[i];
        if (field->standard == NULL || memcmp(field_of(field, args), zeros, field_size(field)) != 0)
            continue;
        OM_TRY(set_field(field, field->standard, args, err));
    }
    return OM_OK;
}

static om_status check_number(const om_op *op, const om_field *field, double value, om_error *err)
{
    double low = field->low, high = field->high;
    if (low == 0 && high == 0)
        high = 0x1p62;
    if (value >= low && value <= high)
        return OM_OK;
    return om__error_set(err, OM_INVALID, "%s: %s=%.17g is outside %.17g to %.17g", op->name,
                         field->name, value, low, high);
}

/* Limits of whole numbers are whole, and said so. */
static om_status check_whole(const om_op *op, const om_field *field, int64_t value, om_error *err)
{
    bool open = field->low == 0 && field->high == 0;
    int64_t low = (int64_t)field->low, high = open ? (int64_t)1 << 62 : (int64_t)field->high;
    if (value >= low && value <= high)
        return OM_OK;
    return om__error_set(err, OM_INVALID, "%s: %s=%lld is outside %lld to %lld", op->name,
                         field->name, (long long)value, (long long)low, (long long)high);
}

static om_status check_field(const om_op *op, const om_field *field, const void *args,
                             om_error *err)
{
    const void *at = field_of(field, args);
    int number;
    switch (field->kind) {
    case OM_FIELD_INT: {
        int64_t value;
        memcpy(&value, at, sizeof value);
        return check_whole(op, field, value, err);
    }
    case OM_FIELD_FLOAT: {
        double value;
        memcpy(&value, at, sizeof value);
        return check_number(op, field, value, err);
    }
    case OM_FIELD_FLAG:
        memcpy(&number, at, sizeof number);
        if (number != 0 && number != 1)
            return om__error_set(err, OM_INVALID, "%s: %s=%d: 0 or 1", op->name, field->name,
                                 number);
        return OM_OK;
    case OM_FIELD_DTYPE: {
        om_dtype dtype;
        memcpy(&dtype, at, sizeof dtype);
        if (dtype <= OM_DTYPE_DEFAULT || dtype >= OM_DTYPE_COUNT)
            return om__error_set(err, OM_INVALID, "%s: %s=%d is no dtype", op->name, field->name,
                                 (int)dtype);
        return OM_OK;
    }
    case OM_FIELD_WORD: {
        int count = 0;
        while (field->words[count] != NULL)
            count++;
        memcpy(&number, at, sizeof number);
        if (number < 0 || number >= count)
            return om__error_set(err, OM_INVALID, "%s: %s=%d is outside 0 to %d", op->name,
                                 field->name, number, count - 1);
        return OM_OK;
    }
    }
    return OM_OK;
}

static om_status check_pointers(const om_op *op, const void *args, om_error *err)
{
    om_tensor tensors[OM_MAX_PORTS] = {0};
    OM_TRY(om__args_tensors(op, args, tensors, err));
    for (size_t i = 0; i < op->port_count; i++) {
        const om_tensor *tensor = &tensors[i];
        if (om_tensor_count(tensor) == 0)
            continue;
        if (tensor->data == NULL)
            return om__error_set(err, OM_INVALID, "%s: tensor %s is NULL", op->name,
                                 op->ports[i].name);
        size_t alignment = (size_t)(om_dtype_bits(tensor->dtype) + 7) / 8;
        if (op->alignment > alignment)
            alignment = op->alignment;
        if ((uintptr_t)tensor->data % alignment != 0)
            return om__error_set(err, OM_INVALID, "%s: tensor %s is not aligned to %zu bytes",
                                 op->name, op->ports[i].name, alignment);
    }
    return OM_OK;
}

om_status om__args_check(const om_op *op, void *args, bool with_tensors, om_error *err)
{
    om_tensor tensors[OM_MAX_PORTS] = {0};
    OM_TRY(take_standard(op, args, err));
    for (size_t i = 0; i < op->field_count; i++)
        OM_TRY(check_field(op, &op->fields[i], args, err));
    if (op->check != NULL) {
        om_status status = op->check(args, err);
        if (status != OM_OK)
            return om__error_prefix(err, status, "%s: ", op->name);
    }
    om_status status = op->describe(args, tensors, err);
    if (status != OM_OK)
        return om__error_prefix(err, status, "%s: ", op->name);
    return with_tensors ? check_pointers(op, args, err) : OM_OK;
}
