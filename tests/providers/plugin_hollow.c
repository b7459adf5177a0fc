/* SPDX-License-Identifier: Apache-2.0 */
/* plugin_hollow.c: a provider without the functions it must have. */
#include "opmark/provider.h"

OM_API const om_provider *om_provider_entry(void);

static om_status open_hollow(const om_provider_host *host, void **self, om_error *err)
{
    (void)host;
    (void)err;
    *self = 0;
    return OM_OK;
}

const om_provider *om_provider_entry(void)
{
    static const om_provider hollow = {
        .abi = OM_PROVIDER_ABI, .name = "hollow", .open = open_hollow};
    return &hollow;
}
