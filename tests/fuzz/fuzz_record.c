/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_record.c: any bytes as a line of a record file; what is accepted must be written and read
 * again to the same line. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "record/record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    om_record record, again;
    om_error err;
    char *line, *second;
    if (om__record_parse((const char *)data, size, "input", 1, &record, &err) != OM_OK) {
        if (err.text[0] == '\0')
            abort();
        return 0;
    }
    if (om__record_format(&record, &line, &err) != OM_OK || strchr(line, '\n') != NULL)
        abort();
    if (om__record_parse(line, strlen(line), "again", 1, &again, &err) != OM_OK ||
        om__record_format(&again, &second, &err) != OM_OK || strcmp(line, second) != 0)
        abort();
    if (om__record_summarise(&record, &err) != OM_OK)
        abort();
    free(line);
    free(second);
    om__record_release(&record);
    om__record_release(&again);
    return 0;
}
