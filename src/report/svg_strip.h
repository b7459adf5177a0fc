/* SPDX-License-Identifier: Apache-2.0 */
/* svg_strip.h: strip plots: every sample a dot, a line of dots a launch, a band a subject. */
#ifndef OM_REPORT_SVG_STRIP_H
#define OM_REPORT_SVG_STRIP_H

#include "report/document.h"

/* One SVG element, styled by the classes band, dot, median, axis and the role of the subject. The
 * axis is logarithmic where the values span more than a factor of four. Nothing is added when no
 * subject has a valid sample. */
void om__svg_strips(const om_strip *strips, size_t count, om_text *out);

#endif
