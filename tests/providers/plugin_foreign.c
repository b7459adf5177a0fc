/* SPDX-License-Identifier: Apache-2.0 */
/* plugin_foreign.c: a provider that states an ABI of the future. */
#include "opmark/provider.h"

OM_API const om_provider *om_provider_entry(void);

const om_provider *om_provider_entry(void)
{
    static const om_provider foreign = {.abi = OM_PROVIDER_ABI + 41, .name = "foreign"};
    return &foreign;
}
