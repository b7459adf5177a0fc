/* SPDX-License-Identifier: Apache-2.0 */
/* judged.c: the rules that verdicts of all kinds of comparison share. */
#include "stats/judged.h"

#include <math.h>

#include "stats/ranks.h"
#include "stats/screen.h"

#define OM_JUDGED_TICKS 2.5

bool om__judged_inside(double low, double high, double w, double tolerance)
{
    return low - w > -tolerance && high + w < tolerance;
}

bool om__judged_alarm(double estimate, double low, double high, double w, double floor)
{
    return fabs(estimate) >= floor && om__shift_has_sign(low, high) &&
           ((estimate > 0 && low > 0) || (estimate < 0 && high < 0)) &&
           fabs(expm1(estimate)) > OM_JUDGED_TICKS * w;
}

/* Whether an operator of that number has an alarm (alarms_only) or a row at all before row `end`.
 */
static bool op_seen(const om_verdict *verdicts, const om_judged_setup *setup, size_t end, size_t op,
                    bool alarms_only)
{
    for (size_t i = 0; i < end; i++)
        if (setup[i].op == op &&
            (!alarms_only || verdicts[i] == OM_VERDICT_SLOWER || verdicts[i] == OM_VERDICT_FASTER))
            return true;
    return false;
}

bool om__judged_one_sided(const om_verdict *verdicts, const om_judged_setup *setup, size_t n)
{
    size_t slower = 0, faster = 0, ops = 0, hit = 0;
    if (n < OM_MIN_ROWS)
        return false;
    for (size_t i = 0; i < n; i++) {
        slower += verdicts[i] == OM_VERDICT_SLOWER;
        faster += verdicts[i] == OM_VERDICT_FASTER;
    }
    size_t alarms = slower + faster, most = slower > faster ? slower : faster;
    if ((double)alarms < fmax(8.0, 0.05 * (double)n) || (double)most < 0.9 * (double)alarms)
        return false;
    for (size_t i = 0; i < n; i++) {
        bool alarm = verdicts[i] == OM_VERDICT_SLOWER || verdicts[i] == OM_VERDICT_FASTER;
        if (!op_seen(verdicts, setup, i, setup[i].op, false))
            ops++;
        if (alarm && !op_seen(verdicts, setup, i, setup[i].op, true))
            hit++;
    }
    return hit >= 3 && 2 * hit >= ops;
}
