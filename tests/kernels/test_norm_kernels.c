/* SPDX-License-Identifier: Apache-2.0 */
/* test_norm_kernels.c: every norm kernel at every level, on row lengths around the vectors. */
#include "helpers/helper.h"
#include "helpers/kernel_check.h"

#include "opmark/layernorm.h"

static const char *const types[] = {"f32", "bf16", "fp16"};
static const int lengths[] = {0, 1, 3, 15, 16, 17, 31, 33, 63, 64, 65, 127, 129, 1000, 4096};

static void rmsnorm_forward(void **state)
{
    (void)state;
    kernel_check check = {.op = "rmsnorm"};
    for (int t = 0; t < 3; t++)
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
            for (check.slack = 0; check.slack < 2; check.slack++)
                kernel_check_runf(&check, "m=%d h=%d dtype=%s", i % 2 ? 5 : 2, lengths[i],
                                  types[t]);
    kernel_check_run(&check, "m=0 h=8");
}

static void layernorm_forward(void **state)
{
    (void)state;
    kernel_check check = {.op = "layernorm"};
    for (int t = 0; t < 3; t++)
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
            for (check.slack = 0; check.slack < 2; check.slack++)
                kernel_check_runf(&check, "m=%d h=%d dtype=%s", i % 2 ? 5 : 2, lengths[i],
                                  types[t]);
    kernel_check_run(&check, "m=520 h=4100 dtype=bf16");
}

static void backward(void **state)
{
    (void)state;
    static const char *const ops[] = {"rmsnorm", "layernorm"};
    for (int o = 0; o < 2; o++) {
        kernel_check check = {.op = ops[o], .pass = "backward"};
        for (int t = 0; t < 3; t++)
            for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
                kernel_check_runf(&check, "m=%d h=%d dtype=%s", i % 2 ? 67 : 2, lengths[i],
                                  types[t]);
        kernel_check_run(&check, "m=0 h=16");
        kernel_check_run(&check, "m=1000 h=257 dtype=f32");
    }
}

/* Large enough to bypass the cache; rows that begin off the vectors. */
static void large_outputs(void **state)
{
    (void)state;
    kernel_check check = {.op = "rmsnorm"};
    kernel_check_run(&check, "m=520 h=4100 dtype=bf16");
    kernel_check_run(&check, "m=260 h=4099 dtype=f32");
    static const char *const ops[] = {"rmsnorm", "layernorm"};
    for (int o = 0; o < 2; o++) {
        kernel_check whole = {.op = ops[o]}, backward = {.op = ops[o], .pass = "backward"};
        kernel_check_run(&whole, "m=133 h=4096 dtype=bf16");
        kernel_check_run(&whole, "m=70 h=4160 dtype=f32");
        kernel_check_run(&backward, "m=133 h=4096 dtype=bf16");
        kernel_check_run(&backward, "m=70 h=4160 dtype=f32");
    }
}

/* Rows whose first value lies far from the others, or all far from zero: sums around the first
 * value say nothing of the spread then. */
static void move_away(const om_op *op, const void *arguments, om_tensor *tensors)
{
    const om_layernorm_args *args = arguments;
    float *x = tensors[0].data;
    (void)op;
    for (int64_t r = 0; r < args->m; r++) {
        for (int64_t i = 0; i < args->h && r % 3 == 1; i++)
            x[r * args->h + i] += 9;
        if (r % 3 != 1 && args->h > 0)
            x[r * args->h] = r % 3 == 0 ? 1e4f : -3e3f;
    }
}

static void far_from_zero(void **state)
{
    (void)state;
    kernel_check check = {.op = "layernorm", .change = move_away};
    kernel_check_run(&check, "m=7 h=1000 dtype=f32");
    kernel_check_run(&check, "m=13 h=4097 dtype=f32");
}

/* Each row has another largest mantissa, and below it every bf16 that does not become 0. */
static void fill_with_all(const om_op *op, const void *args, om_tensor *tensors)
{
    (void)op;
    (void)args;
    uint16_t *x = tensors[0].data;
    for (int row = 0; row < 128; row++)
        for (int j = 0; j < 2816; j++)
            x[row * 2816 + j] = (uint16_t)((0x3f80 + row - j) | (j % 3 == 0 ? 0x8000 : 0));
}

static void every_quotient(void **state)
{
    (void)state;
    kernel_check check = {.op = "fp8_quant", .exact = 1, .change = fill_with_all};
    kernel_check_run(&check, "s=128 d=2816");
}

static void quantising_rows(void **state)
{
    (void)state;
    kernel_check check = {.op = "fp8_quant"};
    for (int t = 0; t < 3; t++)
        for (size_t i = 1; i < sizeof lengths / sizeof *lengths; i++)
            for (check.slack = 0; check.slack < 2; check.slack++)
                kernel_check_runf(&check, "b=2 s=3 g=2 d=%d dtype=%s", lengths[i], types[t]);
    kernel_check_run(&check, "s=0 d=128");
    kernel_check_run(&check, "s=900 d=128");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rmsnorm_forward), cmocka_unit_test(layernorm_forward),
        cmocka_unit_test(backward),        cmocka_unit_test(large_outputs),
        cmocka_unit_test(far_from_zero),   cmocka_unit_test(quantising_rows),
        cmocka_unit_test(every_quotient),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
