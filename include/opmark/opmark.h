/* SPDX-License-Identifier: Apache-2.0 */
/* opmark.h: everything a program that calls the operators includes. */
#ifndef OPMARK_OPMARK_H
#define OPMARK_OPMARK_H

#include "opmark/attention.h"
#include "opmark/bmm.h"
#include "opmark/bmm_fp8.h"
#include "opmark/cast.h"
#include "opmark/device.h"
#include "opmark/dtype.h"
#include "opmark/fp8_linear.h"
#include "opmark/fp8_quant.h"
#include "opmark/fused_moe.h"
#include "opmark/gemm.h"
#include "opmark/gemm_fp8.h"
#include "opmark/gemm_w4a16.h"
#include "opmark/grouped_gemm.h"
#include "opmark/layernorm.h"
#include "opmark/lightning_indexer.h"
#include "opmark/moe_experts.h"
#include "opmark/moe_gate_up.h"
#include "opmark/moe_permute.h"
#include "opmark/moe_permute_align.h"
#include "opmark/moe_routing.h"
#include "opmark/moe_topk.h"
#include "opmark/moe_unpermute.h"
#include "opmark/ragged_gemm.h"
#include "opmark/rmsnorm.h"
#include "opmark/status.h"
#include "opmark/tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

#define OM_VERSION_MAJOR 0
#define OM_VERSION_MINOR 1
#define OM_VERSION_PATCH 0

/* "0.1.0", of the library that is loaded. */
OM_API const char *om_version(void);

#ifdef __cplusplus
}
#endif

#endif
