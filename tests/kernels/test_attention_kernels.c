/* SPDX-License-Identifier: Apache-2.0 */
/* test_attention_kernels.c: attention forward and backward at every level. */
#include "helpers/helper.h"
#include "helpers/kernel_check.h"

#include "core/convert.h"
#include "opmark/attention.h"

static const char *const types[] = {"bf16", "fp16", "f32"};

static void both_passes(const char *what, const char *dtype)
{
    kernel_check check = {.op = "attention"};
    kernel_check_runf(&check, "%s dtype=%s", what, dtype);
    kernel_check_runf(&check, "%s dtype=%s causal=1", what, dtype);
    check.pass = "backward";
    kernel_check_runf(&check, "%s dtype=%s", what, dtype);
    kernel_check_runf(&check, "%s dtype=%s causal=1", what, dtype);
}

static void shapes(void **state)
{
    (void)state;
    for (int t = 0; t < 3; t++) {
        both_passes("s=1 hq=1 d=64", types[t]);
        both_passes("b=2 s=37 hq=4 hkv=2 d=64", types[t]);
        both_passes("s=130 hq=3 hkv=1 d=128", types[t]);
        both_passes("s=17 hq=2 d=96", types[t]);
        both_passes("s=9 hq=1 d=256", types[t]);
        both_passes("s=33 hq=2 hkv=1 d=20", types[t]);
        both_passes("s=5 hq=100 hkv=1 d=7", types[t]);
    }
    both_passes("s=300 hq=2 hkv=2 d=32", "f32");
    both_passes("s=0 hq=2 hkv=2 d=32", "f32");
}

/* Values of v that are denormal in bf16 must come through. */
static void make_denormal(const om_op *op, const void *arguments, om_tensor *tensors)
{
    const om_attention_args *args = arguments;
    (void)op;
    for (int64_t i = 0; i < args->s * args->hq * args->d; i++)
        ((uint16_t *)tensors[2].data)[i] = (uint16_t)(64 + i % 60);
}

static void denormal_values(void **state)
{
    (void)state;
    kernel_check check = {.op = "attention", .change = make_denormal};
    kernel_check_run(&check, "s=40 hq=1 d=32");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes),
        cmocka_unit_test(denormal_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
