/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_wl.c: any bytes as a .wl file; what is accepted must survive being printed and read again.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/wl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    om_wl wl, again;
    om_error err;
    if (om__wl_parse((const char *)data, size, "input", &wl, &err) != OM_OK) {
        if (err.line < 1 || err.text[0] == '\0')
            abort();
        return 0;
    }
    for (size_t i = 0; i < wl.count; i++) {
        char *line = om__pairs_format(&wl.lines[i].pairs);
        if (line == NULL || om__wl_parse(line, strlen(line), "again", &again, &err) != OM_OK)
            abort();
        /* No pairs, no line. */
        if (again.count != (wl.lines[i].pairs.count > 0) ||
            (again.count == 1 && !om__pairs_equal(&again.lines[0].pairs, &wl.lines[i].pairs)))
            abort();
        om__wl_release(&again);
        free(line);
    }
    om__wl_release(&wl);
    return 0;
}
