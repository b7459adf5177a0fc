/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_import.c: any bytes as another tool's file; what is imported must be writable as records. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "store/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_records(const om_record_set *set)
{
    for (size_t i = 0; i < set->count; i++) {
        char *line;
        om_record back;
        om_error err;
        if (om__record_format(&set->items[i], &line, &err) != OM_OK ||
            om__record_parse(line, strlen(line), "again", 1, &back, &err) != OM_OK)
            abort();
        om__record_release(&back);
        free(line);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    const om_importer *importer = NULL;
    om_record_set set = {0};
    om_error err = {0};
    int fd = memfd_create("input", MFD_CLOEXEC);
    if (fd < 0)
        return 0;
    if (write(fd, data, size) == (ssize_t)size) {
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        if (om__import_detect(path, &importer, &err) == OM_OK && importer != NULL) {
            if (om__import_read(importer, path, NULL, &set, &err) == OM_OK)
                check_records(&set);
            else if (err.text[0] == '\0' || set.count > 0)
                abort();
        }
    }
    om__record_set_release(&set);
    close(fd);
    return 0;
}
