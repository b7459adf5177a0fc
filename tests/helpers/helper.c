/* SPDX-License-Identifier: Apache-2.0 */
/* helper.c: what tests share. */
#include "helpers/helper.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void helper_print_skip(const char *test, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fflush(stdout);
    fprintf(stderr, "skipped %s: ", test);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
}

char *helper_folder_create(void)
{
    const char *base = getenv("TMPDIR");
    om_text path = {0};
    om__text_addf(&path, "%s/opmark-test-XXXXXX", base != NULL && base[0] != '\0' ? base : "/tmp");
    if (path.failed || mkdtemp(path.data) == NULL)
        fail_msg("no temporary folder: %s", strerror(errno));
    return path.data;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info;
    (void)kind;
    (void)where;
    return remove(path);
}

void helper_folder_remove(char *path)
{
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(path);
}

char *helper_file_read(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail_msg("cannot read %s: %s", path, strerror(errno));
    om_text text = {0};
    char block[4096];
    size_t got;
    om__text_add(&text, "");
    while ((got = fread(block, 1, sizeof block, file)) > 0)
        om__text_add_bytes(&text, block, got);
    fclose(file);
    assert_false(text.failed);
    if (size != NULL)
        *size = text.size;
    return text.data;
}

void helper_file_write(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        fail_msg("cannot write %s: %s", path, strerror(errno));
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

helper_output helper_run(const char *folder, const char *format, ...)
{
    char *streams = helper_folder_create();
    om_text line = {0};
    om__text_addf(&line, "PATH='%s':\"$PATH\"; export PATH; ", OM_BUILD_DIR);
    if (folder != NULL)
        om__text_addf(&line, "cd '%s' || exit 99; ", folder);
    om__text_addf(&line, "exec >'%s/out' 2>'%s/err' </dev/null; ", streams, streams);
    va_list args;
    va_start(args, format);
    char *command = NULL;
    assert_true(vasprintf(&command, format, args) >= 0);
    va_end(args);
    om__text_add(&line, command);
    free(command);
    assert_false(line.failed);
    int status = system(line.data);
    om__text_release(&line);

    helper_output output = {0};
    output.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    om_text path = {0};
    om__text_addf(&path, "%s/out", streams);
    output.out = helper_file_read(path.data, NULL);
    om__text_clear(&path);
    om__text_addf(&path, "%s/err", streams);
    output.err = helper_file_read(path.data, NULL);
    om__text_release(&path);
    helper_folder_remove(streams);
    return output;
}

void helper_output_release(helper_output *output)
{
    free(output->out);
    free(output->err);
    *output = (helper_output){0};
}
