/* SPDX-License-Identifier: Apache-2.0 */
/* record_parse.h: reading one line into a record, with the choices that the readers of whole files
 * need. */
#ifndef OM_RECORD_PARSE_H
#define OM_RECORD_PARSE_H

#include "base/pool.h"
#include "base/text.h"
#include "record/record.h"

#define OM_RECORD_MOST_MEMBERS 64

/* The sections of the lines read so far: neighbours share most of theirs byte for byte, and those
 * are copied, not parsed. One memo belongs to one pool. Zero-initialise before first use. */
typedef struct om_record_memo {
    om_text sections[OM_RECORD_MOST_MEMBERS]; /* as written, by the section's first member */
    om_record record;                         /* what they say */
} om_record_memo;

void om__record_memo_release(om_record_memo *memo);

/* pool NULL: the record owns its texts; else they are kept in the pool and the record is shared.
 * memo (may be NULL) needs a pool. *newer (may be NULL) says that the line was refused for its
 * schema. */
om_status om__record_parse_into(const char *line, size_t size, const char *file, long number,
                                om_pool *pool, om_record_memo *memo, om_record *record, bool *newer,
                                om_error *err);

#endif
