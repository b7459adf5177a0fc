/* SPDX-License-Identifier: Apache-2.0 */
/* visible.c: the smallest change that a comparison would have been likely to find. */
#include "stats/visible.h"

#include <math.h>

#include "stats/special.h"

#define OM_VISIBLE_FACTOR 1.1    /* covers what the simulation found above the formula */
#define OM_VISIBLE_ALPHA  0.0125 /* of each part of the second look */
#define OM_VISIBLE_FAMILY 10

double om__visible_change(const om_visible_input *input)
{
    double first =
        input->spread * sqrt(1.0 / (double)input->base_first + 1.0 / (double)input->head_first);
    double second =
        input->spread * sqrt(1.0 / (double)input->base_second + 1.0 / (double)input->head_second);
    size_t family = input->selected > OM_VISIBLE_FAMILY ? input->selected : OM_VISIBLE_FAMILY;
    double z = om__normal_quantile(OM_VISIBLE_ALPHA / (double)family);
    double screen = (input->quantile + 1.96) * first;
    double effect = input->floor + 2.02 * second;
    double rank = 1.1 * (z + 1.96) * second;
    double tick = 2.5 * input->w + 2.02 * second;
    return OM_VISIBLE_FACTOR * fmax(fmax(screen, effect), fmax(rank, tick));
}
