/* SPDX-License-Identifier: Apache-2.0 */
/* plugin_crash.c: a plug-in that kills whoever loads it. */
#include <signal.h>

#include "opmark/provider.h"

OM_API const om_provider *om_provider_entry(void);

const om_provider *om_provider_entry(void)
{
    signal(SIGABRT, SIG_DFL);
    raise(SIGABRT);
    return 0;
}
