/* SPDX-License-Identifier: Apache-2.0 */
/* test_gpu_vendors.c: the vendor's providers against the host references of the contracts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "helpers/gpu.h"
#include "helpers/op_case.h"
#include "opmark/gemm.h"

static const om_provider *find_provider(const char *name)
{
    for (size_t i = 0; i < the.measure->provider_count; i++)
        if (strcmp(the.measure->providers[i]->name, name) == 0)
            return the.measure->providers[i];
    fail_msg("no provider %s", name);
    return NULL;
}

static void *open_provider(const om_provider *provider)
{
    om_error error = {0};
    void *self = NULL;
    char version[128], details[512];
    om_provider_host host = {.abi = OM_PROVIDER_ABI,
                             .device = "cuda:0",
                             .threads = 1,
                             .stream = the.stream,
                             .context = the.context};
    om_status status = provider->open(&host, &self, &error);
    if (status == OM_UNSUPPORTED) {
        print_message("skipped %s: %s\n", provider->name, error.text);
        return NULL;
    }
    assert_ok(status, &error);
    provider->describe(self, version, sizeof version, details, sizeof details);
    printf("%s: %s\n%s\n", provider->name, version, details);
    return self;
}

/* The problem of a host case on device tensors; outputs poisoned as on the host. */
static om_problem move_to_device(const op_case *host, void *args, om_named_tensor *tensors)
{
    om_error error = {0};
    om_problem problem = {.op = host->op->name,
                          .pass = host->op->pass,
                          .args = args,
                          .args_size = host->op->args_size,
                          .tensors = tensors,
                          .tensor_count = host->op->port_count};
    memcpy(args, host->args, host->op->args_size);
    for (size_t i = 0; i < host->op->port_count; i++) {
        size_t size = (size_t)om_tensor_size_bytes(&host->tensors[i]);
        tensors[i] = (om_named_tensor){host->op->ports[i].name,
                                       host->op->ports[i].role == OM_PORT_OUT, host->tensors[i]};
        tensors[i].tensor.data = NULL;
        if (host->tensors[i].dtype == OM_DTYPE_DEFAULT)
            continue;
        assert_ok(om_memory_create(the.context, size, &tensors[i].tensor.data, &error), &error);
        assert_ok(om_memory_upload(the.context, tensors[i].tensor.data, host->tensors[i].data, size,
                                   &error),
                  &error);
        om__args_pointer_set(host->op, args, i, tensors[i].tensor.data);
    }
    return problem;
}

static void judge_on_host(const op_case *host, const om_named_tensor *tensors, const char *what)
{
    om_error error = {0};
    om_check verdict = {0};
    om_tensor got[OM_MAX_PORTS];
    assert_ok(host->op->reference(host->args, NULL, &error), &error);
    for (size_t i = 0; i < host->op->port_count; i++) {
        size_t size = (size_t)om_tensor_size_bytes(&host->tensors[i]);
        got[i] = host->tensors[i];
        if (tensors[i].tensor.data == NULL)
            continue;
        got[i].data = malloc(size + 1);
        assert_ok(
            om_memory_download(the.context, got[i].data, tensors[i].tensor.data, size, &error),
            &error);
    }
    assert_ok(om__judge(host->op, host->args, got, host->tensors, NULL, &verdict, &error), &error);
    for (size_t i = 0; i < host->op->port_count; i++)
        if (tensors[i].tensor.data != NULL)
            free(got[i].data);
    if (!verdict.passed)
        fail_msg("%s: %s (error %g)", what, verdict.where, verdict.error);
}

static void check_case(const om_provider *provider, void *self, const char *op, const char *pass,
                       const char *params)
{
    if (om__op_find(op, pass) == NULL) {
        print_message("no contract of %s %s yet: not checked\n", op, pass);
        return;
    }
    om_error error = {0};
    void *args = calloc(1, OM_MAX_ARGS_SIZE), *plan = NULL, *workspace = NULL;
    size_t workspace_bytes = 0;
    om_named_tensor tensors[OM_MAX_PORTS];
    char words[300] = "", what[200];
    op_case host = op_case_create(op, pass, params);
    om_problem problem = move_to_device(&host, args, tensors);
    snprintf(what, sizeof what, "%s %s %s %s", provider->name, op, pass, params);
    om_status status = provider->query(self, &problem, &error);
    if (status != OM_UNSUPPORTED) {
        assert_ok(status, &error);
        status = provider->prepare(self, &problem, &plan, &workspace_bytes, &error);
    }
    if (status == OM_UNSUPPORTED) {
        print_message("%s: unsupported: %s\n", what, error.text);
    } else {
        assert_ok(status, &error);
        assert_ok(om_memory_create(the.context, workspace_bytes, &workspace, &error), &error);
        if (provider->explain != NULL)
            provider->explain(self, plan, words, sizeof words);
        printf("%s: %s\n", what, words);
        assert_ok(provider->run(self, plan, &problem, workspace, &error), &error);
        assert_ok(om_context_synchronize(the.context, &error), &error);
        judge_on_host(&host, tensors, what);
        provider->release(self, plan);
        om_memory_destroy(the.context, workspace);
    }
    for (size_t i = 0; i < host.op->port_count; i++)
        om_memory_destroy(the.context, tensors[i].tensor.data);
    op_case_release(&host);
    free(args);
}

typedef struct vendor_case {
    const char *op, *pass, *params;
} vendor_case;

static void check_cases(const char *name, const vendor_case *cases, size_t count)
{
    gpu_need(&the);
    const om_provider *provider = find_provider(name);
    void *self = open_provider(provider);
    if (self == NULL)
        skip();
    for (size_t i = 0; i < count; i++)
        check_case(provider, self, cases[i].op, cases[i].pass, cases[i].params);
    provider->close(self);
}

static void test_cublaslt_products(void **state)
{
    static const vendor_case cases[] = {
        {"gemm", "forward", "m=128 n=256 k=64 dtype=bf16"},
        {"gemm", "forward", "m=1 n=512 k=1024 dtype=bf16 trans_b=1"},
        {"gemm", "forward", "m=96 n=40 k=72 dtype=fp16 trans_a=1"},
        {"gemm", "forward", "m=96 n=40 k=72 dtype=fp16 trans_a=1 trans_b=1"},
        {"gemm", "forward", "m=64 n=48 k=80 dtype=f32"},
        {"gemm", "forward", "m=7 n=9 k=13 dtype=f32 trans_a=1"},
        {"gemm", "forward", "m=0 n=9 k=13 dtype=f32"},
        {"gemm", "backward", "m=72 n=96 k=40 dtype=bf16"},
        {"bmm", "forward", "batch=5 m=72 n=96 k=40 dtype=bf16"},
        {"grouped_gemm", "forward", "g=3 m=72 n=96 k=40 dtype=bf16"},
        {"grouped_gemm", "backward", "g=3 m=72 n=96 k=40 dtype=bf16"},
    };
    (void)state;
    check_cases("cublaslt", cases, sizeof cases / sizeof cases[0]);
}

/* Groups of drawn sizes, empty ones among them. */
static void test_cublaslt_groups(void **state)
{
    static const vendor_case cases[] = {
        {"grouped_gemm_nt", "forward", "g=5 s=200 n=96 k=64 dtype=bf16"},
        {"grouped_gemm_nn", "forward", "g=5 s=200 n=96 k=64 dtype=fp16 routing=zipf"},
        {"grouped_gemm_tn", "forward", "g=9 s=200 n=96 k=64 dtype=bf16 routing=skewed"},
        {"grouped_gemm_tt", "forward", "g=5 s=200 n=96 k=64 dtype=bf16"},
        {"grouped_gemm_nt", "forward", "g=3 s=70 n=40 k=24 dtype=f32"},
        {"moe_grouped_gemm", "forward", "g=16 s=64 n=128 k=256 routing=one"},
    };
    (void)state;
    check_cases("cublaslt", cases, sizeof cases / sizeof cases[0]);
}

static const vendor_case fp8_cases[] = {
    {"gemm_fp8", "forward", "m=33 n=96 k=272"},
    {"gemm_fp8", "forward", "m=64 n=128 k=256 has_bias=1"},
    {"gemm_fp8", "forward", "m=64 n=128 k=256 out_dtype=fp16"},
    {"gemm_fp8", "forward", "m=64 n=144 k=384 scale_mode=block128"},
    {"bmm_fp8_nk", "forward", "batch=3 m=48 n=64 k=160"},
    {"bmm_fp8_kn", "forward", "batch=3 m=48 n=80 k=176"},
};

static void test_cublaslt_fp8(void **state)
{
    (void)state;
    check_cases("cublaslt", fp8_cases, sizeof fp8_cases / sizeof fp8_cases[0]);
}

static void test_cublaslt_fp8_fast(void **state)
{
    (void)state;
    check_cases("cublaslt_fast", fp8_cases, sizeof fp8_cases / sizeof fp8_cases[0]);
}

static void test_cudnn_norms(void **state)
{
    static const vendor_case cases[] = {
        {"rmsnorm", "forward", "m=64 h=1024 dtype=bf16"},
        {"rmsnorm", "forward", "m=3 h=4096 dtype=fp16 eps=0.001"},
        {"rmsnorm", "backward", "m=64 h=1024 dtype=bf16"},
        {"layernorm", "forward", "m=64 h=1024 dtype=bf16"},
        {"layernorm", "backward", "m=64 h=1024 dtype=bf16"},
    };
    (void)state;
    check_cases("cudnn", cases, sizeof cases / sizeof cases[0]);
}

static void test_cudnn_attention(void **state)
{
    static const vendor_case cases[] = {
        {"attention", "forward", "b=2 s=64 hq=4 hkv=2 d=64 causal=0"},
        {"attention", "forward", "b=2 s=192 hq=4 hkv=2 d=128 causal=1"},
        {"attention", "forward", "s=256 hq=2 d=128 dtype=fp16 causal=1"},
        {"attention", "forward", "s=128 hq=8 hkv=1 d=64 scale=0.5"},
        {"attention", "forward", "s=200 hq=2 hkv=1 d=128 causal=1"},
        {"attention", "forward", "s=64 hq=2 d=128 dtype=f32"},
        {"attention", "backward", "b=2 s=128 hq=4 d=64 causal=0"},
        {"attention", "backward", "b=2 s=192 hq=4 hkv=2 d=128 causal=1"},
        {"attention", "backward", "s=128 hq=2 hkv=1 d=128 dtype=fp16 causal=1"},
        {"attention", "backward", "s=200 hq=2 d=128 causal=1 scale=0.25"},
    };
    (void)state;
    check_cases("cudnn", cases, sizeof cases / sizeof cases[0]);
}

/* A product of full size on drawn operands, and what was found about it. */
typedef struct product {
    const om_provider *provider;
    void *self, *plan, *workspace;
    om_gemm_args args;
    om_problem problem;
    void *memory[3];
    char words[300];
} product;

static void product_make(product *p, int64_t m, int64_t n, int64_t k)
{
    om_error error = {0};
    const int64_t counts[] = {m * k, n * k, m * n};
    size_t workspace_bytes = 0;
    p->args = (om_gemm_args){.m = m, .n = n, .k = k, .dtype = OM_BF16, .trans_b = 1};
    p->problem = (om_problem){
        .op = "gemm", .pass = "forward", .args = &p->args, .args_size = sizeof p->args};
    for (int i = 0; i < 3; i++) {
        om_tensor tensor = {.dtype = OM_BF16, .rank = 1, .shape = {counts[i]}};
        const om_fill fill = {.kind = OM_FILL_NORMAL, .seed = 1, .tensor = (uint32_t)i, .scale = 1};
        assert_ok(om_memory_create(the.context, (size_t)counts[i] * 2, &p->memory[i], &error),
                  &error);
        tensor.data = p->memory[i];
        assert_ok(the.context->api->fill(the.context->device, &fill, &tensor, &error), &error);
    }
    p->args.a = p->memory[0];
    p->args.b = p->memory[1];
    p->args.d = p->memory[2];
    assert_ok(p->provider->prepare(p->self, &p->problem, &p->plan, &workspace_bytes, &error),
              &error);
    assert_ok(om_memory_create(the.context, workspace_bytes, &p->workspace, &error), &error);
    p->provider->explain(p->self, p->plan, p->words, sizeof p->words);
}

static void product_release(product *p)
{
    p->provider->release(p->self, p->plan);
    om_memory_destroy(the.context, p->workspace);
    for (int i = 0; i < 3; i++)
        om_memory_destroy(the.context, p->memory[i]);
}

static void product_time(product *p, const om_clock_api *api, om_clock *clock, bool cold,
                         om_clock_sample *samples, size_t count)
{
    om_error error = {0};
    for (size_t i = 0; i < count; i++) {
        if (cold)
            assert_ok(api->flush(clock, &error), &error);
        assert_ok(api->begin(clock, 1, &error), &error);
        assert_ok(p->provider->run(p->self, p->plan, &p->problem, p->workspace, &error), &error);
        assert_ok(api->end(clock, &error), &error);
    }
    assert_ok(api->collect(clock, samples, count, &error), &error);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(samples[i].invalid, "");
}

/* 8192 cubed is the product that everybody quotes. One row times 16 MiB of weights is bound by
 * memory: it must be slower when the weights were flushed out of the L2. */
static void test_cublaslt_under_the_clock(void **state)
{
    enum { SAMPLES = 12 };
    om_error error = {0};
    om_clock *clock = NULL;
    om_clock_sample samples[SAMPLES];
    double best = 0, warm = 1e30, cold = 1e30;
    (void)state;
    gpu_need(&the);
    product p = {.provider = find_provider("cublaslt")};
    p.self = open_provider(p.provider);
    if (p.self == NULL)
        skip();
    om_clock_options options = {.device = "cuda:0", .stream = the.stream};
    const om_clock_api *api = the.measure->clocks[0];
    assert_ok(api->open(&options, &clock, &error), &error);

    product_make(&p, 8192, 8192, 8192);
    product_time(&p, api, clock, true, samples, SAMPLES);
    for (int i = 0; i < SAMPLES; i++) {
        double tflops = 2.0 * 8192 * 8192 * 8192 / samples[i].time_ns / 1e3;
        best = tflops > best ? tflops : best;
        printf("%.1f us %.0f TFLOP/s; ", samples[i].time_ns / 1e3, tflops);
    }
    printf("\n%s; %s\n", p.words, samples[0].kernels);
    product_release(&p);
    assert_true(best > 300 && best < 1100);

    product_make(&p, 1, 4096, 2048);
    product_time(&p, api, clock, false, samples, SAMPLES);
    for (int i = SAMPLES / 2; i < SAMPLES; i++)
        warm = samples[i].time_ns < warm ? samples[i].time_ns : warm;
    product_time(&p, api, clock, true, samples, SAMPLES);
    for (int i = 0; i < SAMPLES; i++)
        cold = samples[i].time_ns < cold ? samples[i].time_ns : cold;
    printf("16 MiB of weights: warm %.2f us, cold %.2f us; %s\n", warm / 1e3, cold / 1e3, p.words);
    product_release(&p);
    assert_true(cold > warm + 1000);
    assert_true(16.777 / (cold / 1e3) < 4.95); /* TB/s: not faster than the memory */
    api->close(clock);
    p.provider->close(p.self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cublaslt_products),
        cmocka_unit_test(test_cublaslt_fp8),
        cmocka_unit_test(test_cublaslt_fp8_fast),
        cmocka_unit_test(test_cublaslt_groups),
        cmocka_unit_test(test_cudnn_norms),
        cmocka_unit_test(test_cudnn_attention),
        cmocka_unit_test(test_cublaslt_under_the_clock),
    };
    return cmocka_run_group_tests(tests, gpu_set_up, gpu_tear_down);
}
