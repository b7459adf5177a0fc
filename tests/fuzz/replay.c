/* SPDX-License-Identifier: Apache-2.0 */
/* replay.c: feeds the files of a folder, and every prefix of the shorter ones, to a fuzz target, so
 * that a corpus is replayed where there is no libFuzzer. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LARGEST = 1 << 20, PREFIXES = 2048 };

static int feed(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = malloc(LARGEST);
    if (file == NULL || data == NULL) {
        fprintf(stderr, "cannot read %s\n", path);
        free(data);
        if (file != NULL)
            fclose(file);
        return 1;
    }
    size_t size = fread(data, 1, LARGEST, file);
    fclose(file);
    /* A copy of the exact size, so that the address sanitizer sees a read past the end. */
    for (size_t cut = size; cut + PREFIXES >= size; cut--) {
        uint8_t *copy = malloc(cut > 0 ? cut : 1);
        if (copy != NULL) {
            memcpy(copy, data, cut);
            LLVMFuzzerTestOneInput(copy, cut);
        }
        free(copy);
        if (cut == 0)
            break;
    }
    free(data);
    return 0;
}

int main(int argc, char **argv)
{
    size_t files = 0;
    DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
    if (folder == NULL) {
        fprintf(stderr, "usage: %s CORPUS-FOLDER\n", argv[0]);
        return 1;
    }
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        char path[4096];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
        if (feed(path) != 0)
            return 1;
        files++;
    }
    closedir(folder);
    printf("replayed %zu files\n", files);
    return files > 0 ? 0 : 1;
}
