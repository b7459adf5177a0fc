/* SPDX-License-Identifier: Apache-2.0 */
/* doctor.h: what `opmark doctor` looks at and what it found. */
#ifndef OM_CLI_DOCTOR_H
#define OM_CLI_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>

#include "opmark/status.h"

typedef enum om_finding_kind {
    OM_FINDING_FACT = 0,
    OM_FINDING_CAUTION, /* to know when reading a result */
    OM_FINDING_ABSENT,  /* an optional part that would add something */
    OM_FINDING_SPOILS,  /* measurements taken now would not be good */
    OM_FINDING_MISSING, /* a part without which nothing works */
    OM_FINDING_KINDS
} om_finding_kind;

typedef struct om_finding {
    om_finding_kind kind;
    char area[24];
    char text[400];
    char advice[200]; /* what to do about it; "": nothing */
} om_finding;

typedef struct om_findings {
    om_finding *items;
    size_t count, capacity;
    bool failed; /* memory was short */
} om_findings;

void om__finding_add(om_findings *findings, om_finding_kind kind, const char *area,
                     const char *advice, const char *format, ...) OM_PRINTF(5, 6);

/* Each looks at one thing; the list in cmd_doctor.c gives the order. */
void om__doctor_build(om_findings *findings);
void om__doctor_processor(om_findings *findings);
void om__doctor_topology(om_findings *findings);
void om__doctor_settings(om_findings *findings);
void om__doctor_variables(om_findings *findings);
void om__doctor_memory(om_findings *findings);
void om__doctor_load(om_findings *findings);
void om__doctor_clock(om_findings *findings);
void om__doctor_steadiness(om_findings *findings);
void om__doctor_providers(om_findings *findings);
void om__doctor_devices(om_findings *findings);
void om__doctor_parts(om_findings *findings);
void om__doctor_files(om_findings *findings);

#endif
