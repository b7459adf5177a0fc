/* SPDX-License-Identifier: Apache-2.0 */
/* cudnn_graph.h: one operation graph of cuDNN: described, planned, executed.
 *
 * A graph is made of tensors (numbered, the number is given with the pointer at execution) and
 * operations with attributes. build() asks cuDNN for engines and makes the plans that it supports.
 */
#ifndef OM_PROVIDERS_CUDA_CUDNN_GRAPH_H
#define OM_PROVIDERS_CUDA_CUDNN_GRAPH_H

#include <cudnn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "opmark/dtype.h"

#define OM_CUDNN_MOST_PLANS   8
#define OM_CUDNN_MOST_OBJECTS 192
#define OM_CUDNN_MOST_OPS     32

typedef struct om_cudnn om_cudnn; /* the library and a handle of it */

om_status om__cudnn_open(const char *folder, void *stream, om_cudnn **cudnn, om_error *err);
void om__cudnn_close(om_cudnn *cudnn);
const char *om__cudnn_version_get(const om_cudnn *cudnn); /* "cuDNN 9.14.0" */
const char *om__cudnn_path_get(const om_cudnn *cudnn);
size_t om__cudnn_number_get(const om_cudnn *cudnn); /* 91400 */

/* Zero-initialise; release in any state. The first failure is kept and ends all later steps, so
 * that a description needs one check, in build. */
typedef struct om_cudnn_graph {
    om_cudnn *cudnn;
    cudnnBackendDescriptor_t objects[OM_CUDNN_MOST_OBJECTS]; /* everything to be destroyed */
    size_t object_count;
    cudnnBackendDescriptor_t ops[OM_CUDNN_MOST_OPS];
    size_t op_count;
    int64_t virtual_count; /* tensors that live between operations, numbered from here on */
    cudnnBackendDescriptor_t plans[OM_CUDNN_MOST_PLANS];
    int plan_count;
    size_t workspace_bytes; /* the most that any plan wants */
    cudnnStatus_t failure;
    const char *failed_at;
} om_cudnn_graph;

/* A tensor of up to 4 dimensions, packed in the order given by strides; number is what execute
 * takes. by_value: a scalar in host memory. is_virtual: lives between operations only. */
cudnnBackendDescriptor_t om__cudnn_tensor(om_cudnn_graph *graph, int64_t number, om_dtype dtype,
                                          int rank, const int64_t *dims, const int64_t *strides,
                                          bool by_value, bool is_virtual);
/* A tensor between two operations, numbered by itself. */
cudnnBackendDescriptor_t om__cudnn_between(om_cudnn_graph *graph, cudnnDataType_t type,
                                           const int64_t *dims, const int64_t *strides);
/* An object with attributes that an operation refers to; finished by om__cudnn_object_end. */
cudnnBackendDescriptor_t om__cudnn_object_begin(om_cudnn_graph *graph,
                                                cudnnBackendDescriptorType_t type);
void om__cudnn_object_end(om_cudnn_graph *graph, cudnnBackendDescriptor_t object);
/* An operation, finished by om__cudnn_op_end once its attributes are set. */
cudnnBackendDescriptor_t om__cudnn_op_begin(om_cudnn_graph *graph,
                                            cudnnBackendDescriptorType_t type);
void om__cudnn_set(om_cudnn_graph *graph, cudnnBackendDescriptor_t object,
                   cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                   const void *value);
void om__cudnn_op_end(om_cudnn_graph *graph, cudnnBackendDescriptor_t op);

/* OM_UNSUPPORTED when no engine supports the graph, with cuDNN's own words. */
om_status om__cudnn_build(om_cudnn_graph *graph, om_error *err);
om_status om__cudnn_execute(const om_cudnn_graph *graph, int plan, size_t count,
                            const int64_t *numbers, void *const *pointers, void *workspace,
                            om_error *err);
void om__cudnn_graph_release(om_cudnn_graph *graph);

#endif
