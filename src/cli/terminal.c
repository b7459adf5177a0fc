/* SPDX-License-Identifier: Apache-2.0 */
/* terminal.c: what stands behind standard output. */
#include "cli/terminal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.h"

int om__terminal_width(FILE *stream)
{
    const char *columns = getenv("COLUMNS");
    int64_t asked = 0;
    if (columns != NULL && om__parse_int64(columns, &asked) && asked > 0 && asked <= 10000)
        return (int)asked;
    struct winsize size;
    if (isatty(fileno(stream)) && ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return 0;
}

int om__terminal_text_width(void)
{
    int width = om__terminal_width(stdout);
    if (width == 0)
        return 80;
    return width < 60 ? 60 : width > 100 ? 100 : width;
}

bool om__terminal_has_colour(FILE *stream)
{
    const char *no_color = getenv("NO_COLOR");
    const char *term = getenv("TERM");
    if (no_color != NULL && no_color[0] != '\0')
        return false;
    if (term == NULL || strcmp(term, "dumb") == 0)
        return false;
    return isatty(fileno(stream)) == 1;
}
