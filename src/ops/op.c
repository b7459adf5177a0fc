/* SPDX-License-Identifier: Apache-2.0 */
/* op.c: the list of contracts, and their tensors. */
#include "ops/op.h"

#include <string.h>

#include "base/error.h"

#define OM_OP(contract, call, args) extern const om_op contract;
#include "ops/ops.def"
#undef OM_OP

static const om_op *const ops[] = {
#define OM_OP(contract, call, args) &contract,
#include "ops/ops.def"
#undef OM_OP
};

const om_op *const *om__ops_get(size_t *count)
{
    *count = sizeof ops / sizeof *ops;
    return ops;
}

const om_op *om__op_find(const char *name, const char *pass)
{
    if (pass == NULL)
        pass = "forward";
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (strcmp(ops[i]->name, name) == 0 && strcmp(ops[i]->pass, pass) == 0)
            return ops[i];
    return NULL;
}

/* Pointers are copied as bytes: the struct members they stand for have many types. */
void *om__args_pointer_get(const om_op *op, const void *args, size_t port)
{
    void *pointer;
    memcpy(&pointer, (const char *)args + op->ports[port].offset, sizeof pointer);
    return pointer;
}

void om__args_pointer_set(const om_op *op, void *args, size_t port, void *pointer)
{
    memcpy((char *)args + op->ports[port].offset, &pointer, sizeof pointer);
}

om_status om__args_tensors(const om_op *op, const void *args, om_tensor *tensors, om_error *err)
{
    OM_TRY(op->describe(args, tensors, err));
    for (size_t i = 0; i < op->port_count; i++)
        if (tensors[i].dtype != OM_DTYPE_DEFAULT)
            tensors[i].data = om__args_pointer_get(op, args, i);
    return OM_OK;
}

om_status om__args_memory_bytes(const om_op *op, const void *args, int64_t *size_bytes,
                                om_error *err)
{
    om_tensor tensors[OM_MAX_PORTS] = {0};
    OM_TRY(op->describe(args, tensors, err));
    int64_t sum = 0;
    for (size_t i = 0; i < op->port_count; i++)
        if (__builtin_add_overflow(sum, om_tensor_size_bytes(&tensors[i]), &sum))
            return om__error_set(err, OM_INVALID, "the tensors of %s together overflow 64 bits",
                                 op->name);
    *size_bytes = sum;
    return OM_OK;
}

om_dtype om__op_dtype(const om_op *op, const void *args)
{
    if (op->dtype_field != NULL) {
        const om_field *field = om__op_field_find(op, op->dtype_field);
        om_dtype dtype;
        memcpy(&dtype, (const char *)args + field->offset, sizeof dtype);
        return dtype;
    }
    om_tensor tensors[OM_MAX_PORTS] = {0};
    if (op->describe(args, tensors, NULL) != OM_OK)
        return OM_DTYPE_DEFAULT;
    return tensors[0].dtype;
}

om_status om__op_fill_host(const om_op *op, const void *args, size_t port, uint64_t seed,
                           om_tensor *tensors, om_error *err)
{
    om_fill fill = {0};
    if (op->ports[port].role != OM_PORT_IN || tensors[port].dtype == OM_DTYPE_DEFAULT)
        return OM_OK;
    op->fill(args, port, &fill);
    fill.seed = seed;
    fill.tensor = (uint32_t)port;
    if (fill.kind == OM_FILL_HOST)
        return op->fill_host(args, port, seed, tensors, err);
    return om__fill_tensor(&fill, &tensors[port], err);
}

void om__tensor_rows(const om_tensor *tensor, int64_t *rows, int64_t *columns)
{
    *columns = tensor->rank > 1 ? tensor->shape[tensor->rank - 1] : 1;
    *rows = 1;
    for (int i = 0; i < tensor->rank; i++)
        if (i == 0 || i < tensor->rank - 1)
            *rows *= tensor->shape[i];
}
