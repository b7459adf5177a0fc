/* SPDX-License-Identifier: Apache-2.0 */
/* words.h: the closed lists of words for a pair of values: four verdicts and four non-verdicts. */
#ifndef OM_STATS_WORDS_H
#define OM_STATS_WORDS_H

typedef enum om_verdict {
    OM_VERDICT_NONE = 0, /* nothing was to be judged; prints as "" */
    OM_VERDICT_FASTER,
    OM_VERDICT_SLOWER,
    OM_VERDICT_SAME,
    OM_VERDICT_UNCLEAR,
    OM_VERDICT_NEW, /* from here on: no verdict, always counted in the headline */
    OM_VERDICT_MISSING,
    OM_VERDICT_NOT_COMPARABLE,
    OM_VERDICT_NO_VALUE,
    OM_VERDICT_COUNT
} om_verdict;

/* "faster", "not_comparable", …; "" for OM_VERDICT_NONE and anything outside the list. */
const char *om__verdict_name(om_verdict verdict);

#endif
