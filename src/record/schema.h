/* SPDX-License-Identifier: Apache-2.0 */
/* schema.h: the one table of the fields of a record, for its writer and its reader. */
#ifndef OM_RECORD_SCHEMA_H
#define OM_RECORD_SCHEMA_H

#include "record/record.h"

typedef enum om_member_kind {
    OM_MEMBER_TEXT,
    OM_MEMBER_PAIRS,
    OM_MEMBER_INT,   /* int */
    OM_MEMBER_INT64, /* null: the value om__record_init gives */
    OM_MEMBER_UINT64,
    OM_MEMBER_DOUBLE,
    OM_MEMBER_ROLE,
    OM_MEMBER_BETTER,
    OM_MEMBER_OUTCOME,
    OM_MEMBER_REASON,  /* a text that may only be missing when the outcome is ok */
    OM_MEMBER_SAMPLES, /* samples and sample_count */
    OM_MEMBER_INVALID, /* sample_reasons, as {"index": "reason"} */
} om_member_kind;

typedef struct om_member {
    const char *section; /* NULL: a member of the record itself */
    const char *name;
    om_member_kind kind;
    size_t offset;
} om_member;

/* In the order of writing; members of a section stand together. */
const om_member *om__record_members(size_t *count);

#endif
