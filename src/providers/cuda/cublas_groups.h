/* SPDX-License-Identifier: Apache-2.0 */
/* cublas_groups.h: products over groups of rows whose sizes are data, by cuBLAS' grouped call. */
#ifndef OM_PROVIDERS_CUDA_CUBLAS_GROUPS_H
#define OM_PROVIDERS_CUDA_CUBLAS_GROUPS_H

#include "opmark/ragged_gemm.h"

typedef struct om_cublas_groups om_cublas_groups; /* the library and a handle of it */

/* What the groups are of: rows of d, or the depth of each product. */
typedef enum om_groups_form {
    OM_GROUPS_NT, /* rows of a · b[g]ᵀ */
    OM_GROUPS_NN, /* rows of a · b[g] */
    OM_GROUPS_TN, /* (rows of a)ᵀ · rows of b */
    OM_GROUPS_TT, /* the same with b stored [K,S] */
} om_groups_form;

om_status om__cublas_groups_open(const char *folder, void *stream, om_cublas_groups **groups,
                                 om_error *err);
void om__cublas_groups_close(om_cublas_groups *groups);
const char *om__cublas_groups_words_get(const om_cublas_groups *groups);

/* May it serve? Asks nothing of the device. */
om_status om__cublas_groups_check(const om_ragged_gemm_args *args, om_error *err);
size_t om__cublas_groups_workspace(const om_ragged_gemm_args *args);
/* Reads sizes and offsets back to the host first, which the call needs there: that wait belongs to
 * the call, and shows in its span. */
om_status om__cublas_groups_run(om_cublas_groups *groups, om_groups_form form,
                                const om_ragged_gemm_args *args, void *workspace, om_error *err);

#endif
