/* SPDX-License-Identifier: Apache-2.0 */
/* device_check.h: proving the kernels of a device back end against the contracts.
 *
 * Each problem of a [smoke] or [edge] section is drawn in four variants (as the contract draws it;
 * with many ties; with NaN, infinities and -0; with -1 in its integer inputs) and computed by every
 * kernel that serves it: the device references against the host reference, all others against the
 * same outputs. [perf] problems are drawn on the device, once, and the fast kernels compared with
 * the device reference. Outputs and workspace are poisoned before each call and lie between guard
 * bands; each call is made twice and must give equal bits.
 */
#ifndef OM_TESTS_DEVICE_CHECK_H
#define OM_TESTS_DEVICE_CHECK_H

#include "base/wl.h"
#include "core/context.h"
#include "ops/op.h"

typedef struct device_check {
    const om_device_api *api;
    om_device *device;
    om_kernel_env env;
    int problems, calls, refused, failures;
    bool is_lost; /* the device failed for good; nothing more is run */
} device_check;

/* Checks every line of the sections named ("smoke edge"); prints a line for each failure and counts
 * it. The status tells of what is not a kernel's fault. */
om_status device_check_run(device_check *c, const om_wl *wl, const char *sections, om_error *err);
/* The same for workloads/NAME.wl. */
om_status device_check_workload(device_check *c, const char *name, const char *sections,
                                om_error *err);
bool device_check_has_workload(const char *name);
void device_check_print(const device_check *c, const char *what);

#endif
