/* SPDX-License-Identifier: Apache-2.0 */
/* resume.h: which cases need not be measured again. */
#ifndef OM_CLI_RESUME_H
#define OM_CLI_RESUME_H

#include "cli/plan.h"

/* Marks the cases of a plan for which the folder holds ok records of as many launches, measured in
 * the way this run would, on a machine of this class ("": not known). No folder, or no records:
 * nothing is marked. */
om_status om__resume_find(const char *out, const om_run_options *run, const char *machine,
                          const om_plan *plan, unsigned char *finished, om_error *err);

#endif
