/* SPDX-License-Identifier: Apache-2.0 */
/* cudnn_serve.h: how an operator is asked of cuDNN: its graph, and what each tensor of the graph
 * is.
 */
#ifndef OM_PROVIDERS_CUDA_CUDNN_SERVE_H
#define OM_PROVIDERS_CUDA_CUDNN_SERVE_H

#include "providers/cuda/cudnn_graph.h"

#define OM_CUDNN_MOST_PORTS 16

typedef enum om_cudnn_place {
    OM_CUDNN_TENSOR = 0, /* a tensor of the call */
    OM_CUDNN_WORKSPACE,  /* scratch of the graph that cuDNN wants to be given */
    OM_CUDNN_SCALAR,     /* an f32 in host memory */
} om_cudnn_place;

typedef struct om_cudnn_port {
    int64_t number; /* of the tensor in the graph */
    om_cudnn_place place;
    size_t offset; /* TENSOR: of its pointer in the argument struct */
    om_dtype dtype;
    int64_t count; /* elements */
    float value;   /* SCALAR */
} om_cudnn_port;

/* One pass of one operator. check says in words why a problem is not served; ports fills at most
 * OM_CUDNN_MOST_PORTS and returns how many; describe makes the graph. None of them looks at
 * pointers of args. */
typedef struct om_cudnn_serve {
    const char *op, *pass;
    size_t args_size;
    size_t least_version; /* of cuDNN: 91000 for 9.10 */
    om_status (*check)(const void *args, om_error *err);
    size_t (*ports)(const void *args, om_cudnn_port *ports);
    void (*describe)(const void *args, om_cudnn_graph *graph);
} om_cudnn_serve;

/* The lists, each ended by an entry without op. */
extern const om_cudnn_serve om__cudnn_norms[];
extern const om_cudnn_serve om__cudnn_attentions[];

#endif
