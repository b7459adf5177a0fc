/* SPDX-License-Identifier: Apache-2.0 */
/* trial.h: choosing among ways to do one thing by timing cold calls of each, in turn. */
#ifndef OM_PROVIDERS_CUDA_TRIAL_H
#define OM_PROVIDERS_CUDA_TRIAL_H

#include "opmark/status.h"

#define OM_TRIAL_MOST 16

/* One call of way number `which`, launched on the stream; failing takes it out of the contest. */
typedef om_status (*om_trial_call)(void *self, int which, om_error *err);

typedef struct om_trial_result {
    int best;                 /* index of the fastest */
    int tried;                /* how many worked */
    double first_us, best_us; /* of the first that worked, and of the fastest */
} om_trial_result;

/* Each way is called once to warm up and then in rounds with the L2 emptied before every call; the
 * smallest median wins. OM_UNSUPPORTED when none works; OM_NO_MEMORY when there is no room for the
 * flush; any other failure means a broken device. */
om_status om__trial_run(void *stream, int count, om_trial_call call, void *self,
                        om_trial_result *result, om_error *err);

#endif
