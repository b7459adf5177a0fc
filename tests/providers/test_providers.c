/* SPDX-License-Identifier: Apache-2.0 */
/* test_providers.c: the list of providers, their answers, widening, plug-ins. */
#include "helpers/helper.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/context.h"
#include "core/convert.h"
#include "opmark/opmark.h"
#include "ops/op.h"
#include "providers/providers.h"

static void test_list(void **state)
{
    (void)state;
    size_t count;
    const om_provider *const *all = om__providers_get(&count);
    assert_true(count >= 10);
    for (size_t i = 0; i < count; i++) {
        om_error err = {0};
        assert_int_equal(om__provider_check(all[i], "built in", &err), OM_OK);
        assert_non_null(all[i]->summary);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(all[i]->name, all[j]->name);
        /* What misbehaves, and what is no rival, takes part only when it is named. */
        if (strncmp(all[i]->name, "fake", 4) == 0 || all[i]->role == OM_ROLE_REFERENCE)
            assert_true(all[i]->by_name_only);
    }
    assert_ptr_equal(om__provider_find("own"), &om_provider_own);
    assert_null(om__provider_find("nobody"));
}

/* Both directions, every pattern, against the scalar definition; lengths that end inside a vector.
 */
static void test_widen_all_patterns(void **state)
{
    (void)state;
    enum { COUNT = 65536 };
    uint16_t *narrow = malloc(COUNT * sizeof *narrow), *back = malloc(COUNT * sizeof *back);
    float *wide = malloc(COUNT * sizeof *wide);
    const om_dtype dtypes[] = {OM_BF16, OM_F16};
    for (int d = 0; d < 2; d++)
        for (int64_t count = COUNT - 5; count <= COUNT; count += 5) {
            for (int i = 0; i < COUNT; i++)
                narrow[i] = (uint16_t)i;
            om__widen(wide, narrow, dtypes[d], count, 2);
            for (int64_t i = 0; i < count; i++) {
                double want = om__load_f64(narrow, dtypes[d], i);
                if (isnan(want))
                    assert_true(isnan(wide[i]));
                else
                    assert_true((double)wide[i] == want);
            }
            memset(back, 0, COUNT * sizeof *back);
            om__narrow(back, wide, dtypes[d], count, 2);
            for (int64_t i = 0; i < count; i++)
                if (!isnan(wide[i]))
                    assert_int_equal(back[i], narrow[i]);
        }
    const om_dtype codes[] = {OM_E4M3, OM_E5M2};
    for (int d = 0; d < 2; d++) {
        om__widen(wide, narrow, codes[d], COUNT - 5, 2);
        for (int64_t i = 0; i < COUNT - 5; i++) {
            double want = om__load_f64(narrow, codes[d], i);
            assert_true((double)wide[i] == want || (isnan(want) && isnan(wide[i])));
        }
    }
    free(narrow);
    free(back);
    free(wide);
}

/* Values between the representable ones: ties, just above, just below, beyond the range, NaN. */
static void test_narrow_rounds(void **state)
{
    (void)state;
    enum { COUNT = 200000 };
    float *wide = malloc(COUNT * sizeof *wide);
    uint16_t *got = malloc(COUNT * sizeof *got), *want = malloc(COUNT * sizeof *want);
    const om_dtype dtypes[] = {OM_BF16, OM_F16};
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t bits = i * 21474u + (i << 16);
        memcpy(&wide[i], &bits, sizeof bits);
    }
    wide[0] = NAN;
    wide[1] = -NAN;
    wide[2] = INFINITY;
    wide[3] = 65520.0f; /* the tie that overflows fp16 */
    for (int d = 0; d < 2; d++) {
        om__narrow(got, wide, dtypes[d], COUNT, 1);
        om__store_f32_array(want, dtypes[d], wide, COUNT);
        assert_memory_equal(got, want, COUNT * sizeof *got);
    }
    free(wide);
    free(got);
    free(want);
}

typedef struct problem {
    om_gemm_args args;
    om_named_tensor tensors[3];
    om_problem problem;
    void *memory;
} problem;

/* gemm with operands drawn by the contract, d poisoned; everything in one block. */
static void make_problem(problem *p, int64_t m, int64_t n, int64_t k, om_dtype dtype, int trans_a,
                         int trans_b)
{
    const om_op *op = om__op_find("gemm", "forward");
    om_tensor tensors[OM_MAX_PORTS] = {0};
    memset(p, 0, sizeof *p);
    p->args = (om_gemm_args){
        .m = m, .n = n, .k = k, .dtype = dtype, .trans_a = trans_a, .trans_b = trans_b};
    assert_int_equal(op->describe(&p->args, tensors, NULL), OM_OK);
    p->memory = calloc(3, 1 << 20);
    for (size_t i = 0; i < op->port_count; i++) {
        tensors[i].data = (char *)p->memory + (i << 20);
        om__args_pointer_set(op, &p->args, i, tensors[i].data);
        p->tensors[i] =
            (om_named_tensor){op->ports[i].name, op->ports[i].role == OM_PORT_OUT, tensors[i]};
    }
    for (size_t i = 0; i < op->port_count; i++)
        assert_int_equal(om__op_fill_host(op, &p->args, i, 3, tensors, NULL), OM_OK);
    memset(p->args.d, 0xFF, (size_t)om_tensor_size_bytes(&tensors[2]));
    p->problem = (om_problem){"gemm", "forward", &p->args, sizeof p->args, p->tensors, 3};
}

static void check_provider(const om_provider *provider, om_provider_host *host)
{
    const om_op *op = om__op_find("gemm", "forward");
    const om_dtype dtypes[] = {OM_BF16, OM_F16, OM_F32};
    const int64_t shapes[][3] = {{1, 1, 1}, {7, 33, 65}, {64, 48, 100}, {5, 4, 0}, {0, 3, 3}};
    void *self = NULL;
    om_error err = {0};
    om_status status = provider->open(host, &self, &err);
    if (status == OM_UNSUPPORTED)
        skip_because("%s", err.text);
    assert_int_equal(status, OM_OK);
    for (int d = 0; d < 3; d++)
        for (int layout = 0; layout < 4; layout++)
            for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
                problem p;
                void *plan = NULL, *workspace = NULL;
                size_t workspace_bytes = 0;
                om_tensor got[OM_MAX_PORTS] = {0}, want[OM_MAX_PORTS] = {0};
                make_problem(&p, shapes[s][0], shapes[s][1], shapes[s][2], dtypes[d], layout & 1,
                             layout >> 1);
                assert_int_equal(provider->query(self, &p.problem, &err), OM_OK);
                assert_int_equal(provider->prepare(self, &p.problem, &plan, &workspace_bytes, &err),
                                 OM_OK);
                workspace = aligned_alloc(64, (workspace_bytes + 127) / 64 * 64);
                assert_int_equal(provider->run(self, plan, &p.problem, workspace, &err), OM_OK);
                assert_int_equal(om__args_tensors(op, &p.args, got, NULL), OM_OK);
                memcpy(want, got, sizeof want);
                void *d_want = malloc(1 << 20);
                om_gemm_args args = p.args;
                args.d = d_want;
                want[2].data = d_want;
                assert_int_equal(op->reference(&args, NULL, NULL), OM_OK);
                om_check check;
                assert_int_equal(om__judge(op, &p.args, got, want, NULL, &check, NULL), OM_OK);
                if (!check.passed)
                    fail_msg("%s: %s", provider->name, check.where);
                if (provider->release != NULL)
                    provider->release(self, plan);
                free(d_want);
                free(workspace);
                free(p.memory);
            }
    char version[128], details[1024];
    provider->describe(self, version, sizeof version, details, sizeof details);
    assert_string_not_equal(version, "");
    if (provider->close != NULL)
        provider->close(self);
}

static void with_host(const om_provider *provider)
{
    om_context *context;
    om_context_options options = {.threads = 2};
    assert_int_equal(om_context_create(&options, &context, NULL), OM_OK);
    om_provider_host host = {
        .abi = OM_PROVIDER_ABI, .device = "cpu", .threads = 2, .context = context};
    check_provider(provider, &host);
    om_context_destroy(context);
}

static void test_reference(void **state)
{
    (void)state;
    with_host(om__provider_find("reference"));
}

static void test_own(void **state)
{
    (void)state;
    with_host(om__provider_find("own"));
}

static void test_openblas(void **state)
{
    (void)state;
    with_host(om__provider_find("openblas"));
}

static void test_openblas_says_what_it_is(void **state)
{
    (void)state;
    const om_provider *p = om__provider_find("openblas");
    om_provider_host host = {.abi = OM_PROVIDER_ABI, .device = "cpu", .threads = 1};
    void *self, *plan;
    size_t workspace_bytes;
    om_error err = {0};
    char version[128], details[1024], words[200];
    problem q;
    if (p->open(&host, &self, &err) != OM_OK)
        skip_because("%s", err.text);
    p->describe(self, version, sizeof version, details, sizeof details);
    assert_non_null(strstr(version, "OpenBLAS"));
    assert_non_null(strstr(details, "library=/"));
    assert_non_null(strstr(details, "thread_runtime=/"));
    assert_non_null(strstr(details, "core="));
    make_problem(&q, 4, 4, 4, OM_BF16, 0, 0);
    assert_int_equal(p->prepare(self, &q.problem, &plan, &workspace_bytes, &err), OM_OK);
    p->explain(self, plan, words, sizeof words);
    assert_non_null(strstr(words, "to f32, cblas_sgemm"));
    p->release(self, plan);
    /* An operator it does not serve is refused by name. */
    q.problem.op = "rmsnorm";
    assert_int_equal(p->query(self, &q.problem, &err), OM_UNSUPPORTED);
    assert_non_null(strstr(err.text, "rmsnorm"));
    free(q.memory);
    p->close(self);
}

static void test_plugins(void **state)
{
    (void)state;
    om_plugin plugin;
    om_error err = {0};
    const char *dir = OM_BUILD_DIR "/tests/";
    char path[512];
    snprintf(path, sizeof path, "%splugin_provider.so", dir);
    assert_int_equal(om__plugin_load(path, &plugin, &err), OM_OK);
    assert_string_equal(plugin.provider->name, "loops");
    assert_null(plugin.benchmark);
    om__plugin_release(&plugin);
    snprintf(path, sizeof path, "%splugin_benchmark.so", dir);
    assert_int_equal(om__plugin_load(path, &plugin, &err), OM_OK);
    assert_string_equal(plugin.benchmark->suite, "sorting");
    om__plugin_release(&plugin);
    snprintf(path, sizeof path, "%splugin_foreign.so", dir);
    assert_int_equal(om__plugin_load(path, &plugin, &err), OM_UNSUPPORTED);
    assert_non_null(strstr(err.text, "plugin_foreign.so"));
    assert_non_null(strstr(err.text, "ABI 42"));
    snprintf(path, sizeof path, "%splugin_hollow.so", dir);
    assert_int_equal(om__plugin_load(path, &plugin, &err), OM_INVALID);
    assert_non_null(strstr(err.text, "query"));
    assert_int_equal(om__plugin_load("/nowhere/x.so", &plugin, &err), OM_IO);
    assert_int_equal(om__plugin_load("/etc/hostname", &plugin, &err), OM_IO);
    assert_int_equal(om__plugin_load("libm.so.6", &plugin, &err), OM_IO); /* no search path */
    om__plugin_release(&plugin);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_widen_all_patterns),
        cmocka_unit_test(test_narrow_rounds),
        cmocka_unit_test(test_reference),
        cmocka_unit_test(test_own),
        cmocka_unit_test(test_openblas),
        cmocka_unit_test(test_openblas_says_what_it_is),
        cmocka_unit_test(test_plugins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
