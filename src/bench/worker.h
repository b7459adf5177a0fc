/* SPDX-License-Identifier: Apache-2.0 */
/* worker.h: the two ends of a launch: the process that measures, and the handle by which `run`
 * holds it.
 *
 * They talk over two pipes in lines of tab-separated words. To the worker:
 *
 *     session  <pairs>                 the options of the session, in the grammar of .wl
 *     provider <name>  without <name>  plugin <path>
 *     open
 *     case     <pairs>                 measure this one
 *     benchmarks                       list the cases of plug-ins
 *
 * and back:
 *
 *     at <case> <provider or -> <step>     about to do this
 *     contender <name> <role> <named> <open> <suite> <reason>
 *     template <record>                    what every record of this launch has in common
 *     ready      record <record>      benchmark <pairs>      done <case>      failed <status>
 * <text>
 *
 * Anything else on the pipe means that a contender wrote where it must not.
 */
#ifndef OM_BENCH_WORKER_H
#define OM_BENCH_WORKER_H

#include <sys/types.h>

#include "bench/session.h"

/* The worker: reads requests from in_fd until it ends. */
om_status om__worker_main(int in_fd, int out_fd, om_error *err);

/* ---- the parent's side ---- */

typedef struct om_launch_options {
    om_session_options session; /* functions in it are not used */
    const char *program;        /* of the worker; run as `program worker --in 3 --out 4` */
    const char *environment;    /* "A=1\nB=2": set in the worker; NULL: nothing */
    double step_limit_s;        /* a step of a provider may take; 0: 60 s */
    double own_limit_s;         /* a step of opmark itself may take; 0: 900 s */
    /* Raised by the user's interrupts; at 2 a step is cut short. NULL: never. */
    const volatile int *interrupts;
    /* The state of the step that is being done, for a progress line. NULL: not wanted. */
    void (*progress)(void *self, const char *provider, const char *step);
    /* About once a second while a step lasts longer than two; provider "": opmark's own. */
    void (*waiting)(void *self, const char *provider, const char *step, double seconds);
    void *self;
} om_launch_options;

/* A contender as the worker found it. */
typedef struct om_contender_info {
    char *name;
    om_role role;
    bool named, open;
    char *suite; /* "": a provider of operators; else the benchmark it brings */
    char *reason;
} om_contender_info;

typedef struct om_launch om_launch; /* a running worker */

typedef enum om_launch_end {
    OM_LAUNCH_DONE = 0,
    OM_LAUNCH_DIED,        /* crashed, exited, hung, or talked nonsense: see om_launch_death */
    OM_LAUNCH_FAILED,      /* said itself that it cannot go on */
    OM_LAUNCH_INTERRUPTED, /* killed because the user would not wait */
} om_launch_end;

/* How a worker ended, and whose step it was. */
typedef struct om_launch_death {
    om_outcome outcome; /* crashed, timeout or error */
    char provider[128]; /* "": opmark's own step */
    char step[64];
    char reason[400]; /* in words */
    om_status status; /* OM_LAUNCH_FAILED: what it said */
} om_launch_death;

/* Starts a worker and waits until its session is open. On anything but OM_LAUNCH_DONE *launch is
 * NULL. OM_IO only where no process can be started. */
om_status om__launch_open(const om_launch_options *options, om_launch **launch, om_launch_end *end,
                          om_launch_death *death, om_error *err);
/* Measures a case; its records are appended to the set. After anything but OM_LAUNCH_DONE the
 * worker is gone, *launch NULL, and the set as before. */
om_status om__launch_case(om_launch **launch, long index, const om_case *c,
                          const char *const *excluded, size_t excluded_count,
                          om_record_set *records, om_launch_end *end, om_launch_death *death,
                          om_error *err);
om_status om__launch_benchmarks(om_launch **launch, om_case **cases, size_t *count,
                                om_launch_end *end, om_launch_death *death, om_error *err);
void om__launch_close(om_launch *launch); /* NULL is accepted */

pid_t om__launch_pid(const om_launch *launch);
const om_contender_info *om__launch_contenders(const om_launch *launch, size_t *count);
const om_record *om__launch_template(const om_launch *launch);

#endif
