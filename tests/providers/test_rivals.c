/* SPDX-License-Identifier: Apache-2.0 */
/* test_rivals.c: the CPU rivals compute the contracts: every small and awkward shape of every
 * operator they serve, judged against the host reference. */
#include "helpers/helper.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "core/cpu.h"
#include "providers/providers.h"

/* A rival that this machine lacks is a skip with its own reason. */
static void verify(const char *name)
{
    const om_provider *provider = om__provider_find(name);
    const om_provider_host host = {.abi = OM_PROVIDER_ABI, .device = "cpu", .threads = 2};
    om_error err = {0};
    void *self = NULL;
    assert_non_null(provider);
    if (provider->open(&host, &self, &err) != OM_OK)
        skip_because("%s: %s", name, err.text);
    provider->close(self);
    helper_output o =
        helper_run(NULL, "opmark verify --all --strict --threads 2 --provider %s", name);
    bool serves = strstr(o.out, " ok") != NULL;
    if (o.code != 0)
        fail_msg("%s: exit %d: %s %s", name, o.code, o.out, o.err);
    helper_output_release(&o);
    if (!serves)
        fail_msg("%s serves nothing", name);
}

static void openblas_is_right(void **state)
{
    (void)state;
    verify("openblas");
}

static void onednn_is_right(void **state)
{
    (void)state;
    verify("onednn");
}

static void onednn_f32_is_right(void **state)
{
    (void)state;
    verify("onednn-f32");
}

static void blis_is_right(void **state)
{
    (void)state;
    verify("blis");
}

/* An old BLIS on a young processor takes plain C unless it is told otherwise. */
static void blis_takes_vectors(void **state)
{
    const om_provider_host host = {.abi = OM_PROVIDER_ABI, .device = "cpu", .threads = 1};
    om_error err = {0};
    void *self = NULL;
    char version[128], details[512];
    (void)state;
    if (om__cpu_info_get()->isa < OM_ISA_AVX2 || getenv("BLIS_ARCH_TYPE") != NULL)
        skip_because("no vectors, or BLIS_ARCH_TYPE is set");
    const om_provider *provider = om__provider_find("blis");
    if (provider->open(&host, &self, &err) != OM_OK)
        skip_because("blis: %s", err.text);
    provider->describe(self, version, sizeof version, details, sizeof details);
    provider->close(self);
    if (strstr(details, "core=generic") != NULL)
        fail_msg("%s: %s", version, details);
}

static void composition_is_right(void **state)
{
    (void)state;
    verify("composition");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(openblas_is_right),   cmocka_unit_test(onednn_is_right),
        cmocka_unit_test(onednn_f32_is_right), cmocka_unit_test(blis_takes_vectors),
        cmocka_unit_test(blis_is_right),       cmocka_unit_test(composition_is_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
