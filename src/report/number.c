/* SPDX-License-Identifier: Apache-2.0 */
/* number.c: values as people read them. */
#include "report/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static om_number none(void)
{
    return (om_number){""};
}

/* Four significant digits without an exponent: "12.35", "123.4", "1235", "0.0123". */
static om_number four(double value, const char *unit)
{
    om_number out;
    double size = fabs(om__round_shown(value)); /* 9.9996 has the digits of 10.00 */
    int digits = size >= 1000  ? 0
                 : size >= 100 ? 1
                 : size >= 10  ? 2
                 : size >= 1   ? 3
                 : size >= 0.1 ? 4
                               : 5;
    snprintf(out.text, sizeof out.text, "%.*f%s%s", digits, value, unit[0] != '\0' ? " " : "",
             unit);
    return out;
}

double om__round_shown(double value)
{
    char text[40];
    if (!isfinite(value))
        return value;
    snprintf(text, sizeof text, "%.3e", value);
    return strtod(text, NULL);
}

om_number om__format_time(double ms)
{
    if (isnan(ms))
        return none();
    double shown = om__round_shown(ms);
    if (shown >= 1000)
        return four(shown / 1000, "s");
    if (shown >= 1)
        return four(shown, "ms");
    if (shown >= 1e-3 || shown == 0)
        return four(shown * 1e3, "µs");
    return four(shown * 1e6, "ns");
}

om_number om__format_ratio(double ratio)
{
    om_number out;
    if (isnan(ratio))
        return none();
    snprintf(out.text, sizeof out.text, ratio < 100 ? "%.3f" : "%.1f", ratio);
    return out;
}

om_number om__format_interval(double low, double high)
{
    om_number out;
    if (isnan(low) || isnan(high))
        return none();
    snprintf(out.text, sizeof out.text, "%s–%s", om__format_ratio(low).text,
             om__format_ratio(high).text);
    return out;
}

om_number om__format_spread(double value, double low, double high)
{
    om_number out;
    double wide = fmax(high - value, value - low) / value;
    if (!isfinite(wide) || wide < 0)
        return none();
    snprintf(out.text, sizeof out.text, wide < 0.1 ? "±%.1f %%" : "±%.0f %%", wide * 100);
    return out;
}

om_number om__format_tflops(double tflops)
{
    if (isnan(tflops) || tflops <= 0)
        return none();
    double shown = om__round_shown(tflops);
    return shown >= 1      ? four(tflops, "TFLOP/s")
           : shown >= 1e-3 ? four(tflops * 1e3, "GFLOP/s")
                           : four(tflops * 1e6, "MFLOP/s");
}

om_number om__format_gbps(double gbps)
{
    if (isnan(gbps) || gbps <= 0)
        return none();
    double shown = om__round_shown(gbps);
    return shown >= 1000 ? four(gbps / 1e3, "TB/s")
           : shown >= 1  ? four(gbps, "GB/s")
                         : four(gbps * 1e3, "MB/s");
}

om_number om__format_error(double error)
{
    om_number out;
    if (isnan(error))
        return none();
    if (error == 0)
        return (om_number){"0"};
    snprintf(out.text, sizeof out.text, "%.1e", error);
    return out;
}

om_number om__format_value(double value, const char *unit)
{
    om_number out;
    if (isnan(value))
        return none();
    snprintf(out.text, sizeof out.text, "%.4g%s%.20s", value, unit[0] != '\0' ? " " : "", unit);
    return out;
}

om_number om__format_exact(double value)
{
    om_number out;
    if (!isfinite(value))
        return none();
    snprintf(out.text, sizeof out.text, "%.9g", value);
    return out;
}
