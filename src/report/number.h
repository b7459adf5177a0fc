/* SPDX-License-Identifier: Apache-2.0 */
/* number.h: values as people read them. NaN gives "". Rates use powers of 1000. */
#ifndef OM_REPORT_NUMBER_H
#define OM_REPORT_NUMBER_H

#include "base/text.h"

typedef struct om_number {
    char text[40];
} om_number;

/* The value that four significant digits print: ratios are formed from these, so that a printed
 * ratio is the quotient of the printed times. */
double om__round_shown(double value);

om_number om__format_time(double ms);     /* "12.35 µs" */
om_number om__format_ratio(double ratio); /* "1.083" */
/* "1.071–1.094" */
om_number om__format_interval(double low, double high);
/* "±0.4 %": the wider side of the interval, relative to the value. */
om_number om__format_spread(double value, double low, double high);
/* "1.234 TFLOP/s", "812.3 GFLOP/s"; the value is in 1e12 (flops) or 1e9 (bytes) a second. */
om_number om__format_tflops(double tflops);
om_number om__format_gbps(double gbps);
om_number om__format_error(double error); /* "1.2e-03" */
om_number om__format_value(double value, const char *unit);
/* Nine significant digits, for programs. */
om_number om__format_exact(double value);

#endif
