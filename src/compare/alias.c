/* SPDX-License-Identifier: Apache-2.0 */
/* alias.c: declared renames. */
#include "compare/alias.h"

#include <string.h>

#include "base/error.h"
#include "base/text.h"

static const char *const kinds[] = {"name", "param", "value", "provider", "suite"};

static om_status check(om_aliases *aliases, om_error *err)
{
    for (size_t i = 0; i < aliases->wl.count; i++) {
        const om_wl_line *line = &aliases->wl.lines[i];
        const char *kind = line->word_count > 0 ? line->words[0] : "";
        size_t wanted = strcmp(kind, "value") == 0 ? 4 : 3, known = 0;
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            known += strcmp(kinds[k], kind) == 0;
        if (known == 0) {
            const char *near = om__closest_word(kind, kinds, sizeof kinds / sizeof *kinds);
            return om__error_set_at(err, OM_PARSE, aliases->wl.file, line->line,
                                    "an alias begins with name, param, value, provider or suite, "
                                    "not '%.40s'%s%s",
                                    kind, near != NULL ? "; did you mean " : "",
                                    near != NULL ? near : "");
        }
        if (line->word_count != wanted || line->pairs.count > 0)
            return om__error_set_at(err, OM_PARSE, aliases->wl.file, line->line,
                                    "%s takes %zu words after it; quote those with '=' or blanks",
                                    kind, wanted - 1);
    }
    return OM_OK;
}

om_status om__aliases_read(const char *path, om_aliases *aliases, om_error *err)
{
    *aliases = (om_aliases){0};
    om_status status = om__wl_read(path, &aliases->wl, err);
    if (status == OM_OK)
        status = check(aliases, err);
    if (status != OM_OK)
        om__aliases_release(aliases);
    return status;
}

om_status om__aliases_parse(const char *text, size_t size, const char *file, om_aliases *aliases,
                            om_error *err)
{
    *aliases = (om_aliases){0};
    om_status status = om__wl_parse(text, size, file, &aliases->wl, err);
    if (status == OM_OK)
        status = check(aliases, err);
    if (status != OM_OK)
        om__aliases_release(aliases);
    return status;
}

void om__aliases_release(om_aliases *aliases)
{
    if (aliases != NULL)
        om__wl_release(&aliases->wl);
}

const char *om__alias_find(const om_aliases *aliases, const char *kind, const char *param,
                           const char *text)
{
    for (size_t i = 0; aliases != NULL && text != NULL && i < aliases->wl.count; i++) {
        const om_wl_line *line = &aliases->wl.lines[i];
        bool value = param != NULL;
        if (strcmp(line->words[0], kind) != 0 || (value && strcmp(line->words[1], param) != 0))
            continue;
        if (strcmp(line->words[value ? 2 : 1], text) == 0)
            return line->words[value ? 3 : 2];
    }
    return text;
}
