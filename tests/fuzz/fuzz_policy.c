/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_policy.c: any bytes as a policy and as a list of aliases, tried on one row. */
#include <stdint.h>
#include <stdlib.h>

#include "compare/alias.h"
#include "compare/policy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use_policy(const om_policy *policy)
{
    om_pair params[] = {{"m", "16"}, {"n", "32"}};
    om_record record = {0};
    om_cell cell = {.base = &record,
                    .name = "llama/qkv",
                    .suite = "cpu",
                    .op = "gemm",
                    .pass = "forward",
                    .provider = "own",
                    .machine = "box",
                    .ratio = 0.9,
                    .verdict = OM_VERDICT_SLOWER};
    om_comparison comparison = {.cells = &cell, .cell_count = 1, .compared = 1};
    double floor = 0.02, tolerance = 0.02;
    om_gate gate;
    record.benchmark.params = (om_pairs){params, 2, 2};
    om__policy_floor(policy, &cell, &floor, &tolerance);
    if (!(floor > 0 && floor < 1 && tolerance > 0 && tolerance < 1))
        abort();
    if (om__gate_judge(&comparison, policy, NULL, 0, "2026-11-30", &gate, NULL) == OM_OK &&
        gate.slower + gate.acknowledged > 1)
        abort();
    om__gate_release(&gate);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    om_policy policy;
    om_aliases aliases;
    om_error err = {0};
    if (om__policy_parse((const char *)data, size, "input", &policy, &err) == OM_OK) {
        use_policy(&policy);
        om__policy_release(&policy);
    } else if (err.text[0] == '\0') {
        abort();
    }
    if (om__aliases_parse((const char *)data, size, "input", &aliases, &err) == OM_OK) {
        if (om__alias_find(&aliases, "value", "causal", "true") == NULL ||
            om__alias_find(&aliases, "name", NULL, "x") == NULL)
            abort();
        om__aliases_release(&aliases);
    }
    return 0;
}
