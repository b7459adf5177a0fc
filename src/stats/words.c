/* SPDX-License-Identifier: Apache-2.0 */
/* words.c: the closed lists of words for a pair of values. */
#include "stats/words.h"

static const char *const names[OM_VERDICT_COUNT] = {
    [OM_VERDICT_NONE] = "",
    [OM_VERDICT_FASTER] = "faster",
    [OM_VERDICT_SLOWER] = "slower",
    [OM_VERDICT_SAME] = "same",
    [OM_VERDICT_UNCLEAR] = "unclear",
    [OM_VERDICT_NEW] = "new",
    [OM_VERDICT_MISSING] = "missing",
    [OM_VERDICT_NOT_COMPARABLE] = "not_comparable",
    [OM_VERDICT_NO_VALUE] = "no_value",
};

const char *om__verdict_name(om_verdict verdict)
{
    return (unsigned)verdict < OM_VERDICT_COUNT ? names[verdict] : "";
}
