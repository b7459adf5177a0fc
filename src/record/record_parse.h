/* SPDX-License-Identifier: Apache-2.0 */
/* record_parse.h: reading one line into a record, with the choices that the readers of whole files
 * need. */
#ifndef OM_RECORD_PARSE_H
#define OM_RECORD_PARSE_H

#include "base/pool.h"
#include "record/record.h"

/* pool NULL: the record owns its texts; else they are kept in the pool and the record is shared.
 * *newer (may be NULL) says that the line was refused for its schema. */
om_status om__record_parse_into(const char *line, size_t size, const char *file, long number,
                                om_pool *pool, om_record *record, bool *newer, om_error *err);

#endif
