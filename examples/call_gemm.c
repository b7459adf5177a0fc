/* SPDX-License-Identifier: Apache-2.0 */
/* call_gemm.c: the library from C: one product of two small matrices.
 *
 *     cc -o call_gemm call_gemm.c $(pkg-config --cflags --libs opmark)
 */
#include <stdio.h>

#include <opmark/opmark.h>

int main(void)
{
    const float a[2 * 3] = {1, 2, 3, 4, 5, 6};
    const float b[3 * 2] = {1, 0, 0, 1, 1, 1};
    float d[2 * 2] = {0};
    om_context *context = NULL;
    om_error err = {0};
    om_status status = om_context_create(NULL, &context, &err);
    if (status == OM_OK) {
        om_gemm_args args = {.m = 2, .n = 2, .k = 3, .dtype = OM_F32, .a = a, .b = b, .d = d};
        status = om_gemm(context, &args, &err);
    }
    if (status == OM_OK)
        status = om_context_synchronize(context, &err);
    om_context_destroy(context);
    if (status != OM_OK) {
        fprintf(stderr, "call_gemm: %s: %s\n", om_status_name(status), err.text);
        return 1;
    }
    printf("%g %g\n%g %g\n", (double)d[0], (double)d[1], (double)d[2], (double)d[3]);
    return 0;
}
