/* SPDX-License-Identifier: Apache-2.0 */
/* test_moe_kernels.c: gate and up, experts and whole mixture-of-experts layers at every level. */
#include "helpers/helper.h"
#include "helpers/kernel_check.h"

static const char *const types[] = {"bf16", "fp16", "f32"};

static void gate_and_up(void **state)
{
    (void)state;
    static const int f[] = {1, 7, 16, 24, 31, 32, 40, 64, 100};
    static const char *const routings[] = {"uniform", "skewed", "one"};
    kernel_check check = {.op = "moe_gate_up"};
    for (int t = 0; t < 3; t++)
        for (size_t i = 0; i < sizeof f / sizeof *f; i++) {
            kernel_check_runf(&check, "e=5 s=41 f=%d k=37 dtype=%s routing=%s", f[i], types[t],
                              routings[i % 3]);
            kernel_check_runf(&check, "e=3 s=20 f=%d k=64 dtype=%s activation=gelu", f[i],
                              types[t]);
        }
    /* Rows of the weights stream past panels of a: one, two, with tall and short tiles. */
    static const int s[] = {24, 45, 72, 153, 200, 330};
    for (size_t i = 0; i < sizeof s / sizeof *s; i++) {
        kernel_check_runf(&check, "e=3 s=%d f=144 k=70", s[i]);
        kernel_check_runf(&check, "e=3 s=%d f=128 k=130 dtype=f32 routing=skewed", s[i]);
    }
    kernel_check_run(&check, "e=1 s=100 f=128 k=2100");
    kernel_check_run(&check, "e=3 s=0 f=16 k=16");
    kernel_check_run(&check, "e=3 s=4 f=16 k=0");
}

static void experts(void **state)
{
    (void)state;
    kernel_check check = {.op = "moe_experts"};
    for (int t = 0; t < 2; t++) {
        kernel_check_runf(&check, "t=19 h=48 f=40 e=8 k=3 dtype=%s", types[t]);
        kernel_check_runf(&check, "t=19 h=33 f=35 e=8 k=2 dtype=%s routing=skewed", types[t]);
        kernel_check_runf(&check, "t=19 h=48 f=40 e=8 k=3 e_local=4 has_map=1 dtype=%s", types[t]);
        kernel_check_runf(&check, "t=1 h=48 f=40 e=8 k=8 dtype=%s", types[t]);
        kernel_check_runf(&check, "t=0 h=48 f=40 e=8 k=8 dtype=%s", types[t]);
    }
    /* The same with rows of a by their index, gathered in pieces of 512 and what is left. */
    kernel_check_run(&check, "t=60 h=1030 f=144 e=4 k=2");
    kernel_check_run(&check, "t=90 h=512 f=128 e=4 k=2 e_local=2 has_map=1");
    kernel_check_run(&check, "t=100 h=258 f=160 e=2 k=1 routing=skewed");
}

static void layers(void **state)
{
    (void)state;
    kernel_check check = {.op = "fused_moe"};
    for (int t = 0; t < 2; t++) {
        kernel_check_runf(&check, "t=19 h=48 f=40 e=8 k=3 dtype=%s", types[t]);
        kernel_check_runf(&check,
                          "t=19 h=48 f=40 e=8 k=2 dtype=%s score=sigmoid renormalize=1 has_bias=1 "
                          "routed_scaling_factor=2.5",
                          types[t]);
    }
    check.op = "shared_fused_moe";
    for (int t = 0; t < 2; t++) {
        kernel_check_runf(&check, "t=19 h=48 f=40 e=8 k=3 fs=70 dtype=%s", types[t]);
        kernel_check_runf(&check, "t=5 h=47 f=39 e=4 k=1 fs=9 dtype=%s", types[t]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gate_and_up),
        cmocka_unit_test(experts),
        cmocka_unit_test(layers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
