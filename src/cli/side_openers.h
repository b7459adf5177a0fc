/* SPDX-License-Identifier: Apache-2.0 */
/* side_openers.h: where records come from besides files and folders of opmark: queries of a store,
 * and result files of other tools. */
#ifndef OM_CLI_SIDE_OPENERS_H
#define OM_CLI_SIDE_OPENERS_H

#include "compare/side.h"
#include "store/import.h"

/* "store:commit=abc,machine=h200" (file=PATH among the keys names the store), and what an importer
 * claims. */
const om_side_opener *om__side_openers_get(size_t *count);

/* The records of a file of one kind of tool. */
om_status om__side_import(const om_importer *importer, const char *path,
                          const om_side_options *options, om_side *side, om_error *err);

#endif
