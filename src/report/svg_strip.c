/* SPDX-License-Identifier: Apache-2.0 */
/* svg_strip.c: strip plots of samples by launch. */
#include "report/svg_strip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/escape.h"
#include "report/number.h"

enum {
    WIDTH = 760,
    LEFT = 150,      /* names */
    RIGHT = 90,      /* values */
    LINE = 9,        /* height of a launch */
    BAND_PAD = 10,   /* between subjects */
    AXIS = 26,       /* height of the axis */
    MOST_DOTS = 120, /* a launch: more are thinned evenly */
};

typedef struct axis {
    double low, high;
    bool log;
} axis;

static int compare_floats(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* A sorted copy of the valid samples of one launch, to be freed. */
static float *sorted_valid(const float *samples, size_t count, size_t *valid)
{
    float *copy = malloc((count > 0 ? count : 1) * sizeof *copy);
    *valid = 0;
    if (copy == NULL)
        return NULL;
    for (size_t i = 0; i < count; i++)
        if (isfinite(samples[i]))
            copy[(*valid)++] = samples[i];
    qsort(copy, *valid, sizeof *copy, compare_floats);
    return copy;
}

/* The axis holds every launch up to its 98th percentile: a lone spike must not flatten the rest. */
static bool find_axis(const om_strip *strips, size_t count, axis *out)
{
    *out = (axis){INFINITY, -INFINITY, false};
    for (size_t s = 0; s < count; s++) {
        for (size_t g = 0; g < strips[s].group_count; g++) {
            size_t valid;
            float *sorted = sorted_valid(strips[s].samples[g], strips[s].counts[g], &valid);
            if (sorted != NULL && valid > 0) {
                out->low = fmin(out->low, sorted[0]);
                out->high = fmax(out->high, sorted[(size_t)(0.98 * (double)(valid - 1))]);
            }
            free(sorted);
        }
    }
    if (!(out->low <= out->high))
        return false;
    out->log = out->low > 0 && out->high / out->low > 4;
    double pad = out->log ? pow(out->high / out->low, 0.04) : (out->high - out->low) * 0.04;
    if (out->log) {
        out->low /= pad;
        out->high *= pad;
    } else {
        if (pad <= 0)
            pad = out->high != 0 ? fabs(out->high) * 0.01 : 1;
        out->low -= pad;
        out->high += pad;
    }
    return true;
}

static double place(const axis *a, double value)
{
    double part = a->log ? log(value / a->low) / log(a->high / a->low)
                         : (value - a->low) / (a->high - a->low);
    part = fmin(fmax(part, 0), 1);
    return LEFT + part * (WIDTH - LEFT - RIGHT);
}

static void add_launch(const axis *a, const float *samples, size_t count, double y, om_text *out)
{
    size_t step = (count + MOST_DOTS - 1) / MOST_DOTS;
    om__text_add(out, "<path class=\"dot\" d=\"");
    for (size_t i = 0; i<count; i += step> 0 ? step : 1)
        if (isfinite(samples[i]))
            om__text_addf(out, "M%.1f %.1fh0", place(a, samples[i]), y);
    om__text_add(out, "\"/>");
    size_t valid;
    float *sorted = sorted_valid(samples, count, &valid);
    if (sorted != NULL && valid > 0) {
        double median = 0.5 * ((double)sorted[(valid - 1) / 2] + (double)sorted[valid / 2]);
        om__text_addf(out, "<path class=\"median\" d=\"M%.1f %.1fv%d\"/>", place(a, median),
                      y - LINE / 2.0, LINE);
    }
    free(sorted);
}

static const char *format_in_unit(double value, const char *unit, om_number *number)
{
    *number =
        strcmp(unit, "ns") == 0 ? om__format_time(value * 1e-6) : om__format_value(value, unit);
    return number->text;
}

/* Round values, 1, 2 or 5 times a power of ten apart. */
static void add_ticks(const axis *a, const char *unit, double top, double bottom, om_text *out)
{
    double step = a->log ? 0 : (a->high - a->low) / 4;
    if (!a->log) {
        double power = pow(10, floor(log10(step)));
        step = step / power < 2 ? 2 * power : step / power < 5 ? 5 * power : 10 * power;
    }
    double value = a->log ? pow(10, floor(log10(a->low))) : ceil(a->low / step) * step;
    static const double next[] = {2, 2.5, 2}; /* 1, 2, 5, 10 */
    double last_x = -1e9;
    for (int i = 0; value <= a->high && i < 64; i++) {
        double x = place(a, value);
        if (value >= a->low && x - last_x > 60) {
            om_number number;
            om__text_addf(out, "<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/>", x, top, bottom);
            om__text_addf(out, "<text class=\"axis\" x=\"%.1f\" y=\"%.1f\">", x, bottom + 16);
            om__escape_html(out, format_in_unit(value, unit, &number));
            om__text_add(out, "</text>");
            last_x = x;
        }
        value = a->log ? value * next[i % 3] : value + step;
    }
}

static double height_of(const om_strip *strip)
{
    size_t lines = strip->group_count > 0 ? strip->group_count : 1;
    double height = (double)lines * LINE;
    return (height < 16 ? 16 : height) + BAND_PAD;
}

void om__svg_strips(const om_strip *strips, size_t count, om_text *out)
{
    axis a;
    if (count == 0 || !find_axis(strips, count, &a))
        return;
    double height = 4;
    for (size_t s = 0; s < count; s++)
        height += height_of(&strips[s]);
    om__text_addf(out,
                  "<svg viewBox=\"0 0 %d %.0f\" role=\"img\" aria-label=\"samples by launch\">",
                  WIDTH, height + AXIS);
    add_ticks(&a, strips[0].unit, 2, height, out);
    double top = 4;
    for (size_t s = 0; s < count; s++) {
        const om_strip *strip = &strips[s];
        double middle = top + (height_of(strip) - BAND_PAD) / 2 + 4;
        om__text_add(out, "<g class=\"band ");
        om__escape_html(out, strip->role);
        om__text_addf(out, "\"><text class=\"name\" x=\"%d\" y=\"%.1f\">", LEFT - 10, middle);
        om__escape_html(out, strip->label);
        om__text_addf(out, "</text><text x=\"%d\" y=\"%.1f\">", WIDTH - RIGHT + 10, middle);
        om_number number;
        om__escape_html(out, format_in_unit(strip->value, strip->unit, &number));
        om__text_add(out, "</text>");
        for (size_t g = 0; g < strip->group_count; g++)
            add_launch(&a, strip->samples[g], strip->counts[g], top + LINE / 2.0 + (double)g * LINE,
                       out);
        om__text_add(out, "</g>");
        top += height_of(strip);
    }
    om__text_add(out, "</svg>");
}
