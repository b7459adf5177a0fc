/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_comment.c: merging a section into any text, and defusing any markdown. What a merge accepts
 * must be whole, hold the section, and stay the same when merged again. */
#include <stdlib.h>
#include <string.h>

#include "forge/defuse.h"
#include "forge/sections.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void merge(const char *body, const char *details)
{
    om_text once = {0}, twice = {0};
    om_comment_section section = {"box", "c2", 2, "**1 slower**", (char *)(uintptr_t)details};
    if (om__sections_merge(body, &section, 8192, &once, NULL) == OM_OK) {
        check(once.size <= 8192);
        check(om__sections_are_whole(once.data));
        check(om__sections_merge(once.data, &section, 8192, &twice, NULL) == OM_OK);
        check(strcmp(once.data, twice.data) == 0);
    }
    om__text_release(&once);
    om__text_release(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    om_text safe = {0}, again = {0};
    if (text == NULL)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    om__markdown_defuse(text, &safe);
    om__markdown_defuse(safe.data, &again);
    check(strcmp(safe.data, again.data) == 0);
    merge(text, "table");
    merge("", safe.data);
    om__text_release(&safe);
    om__text_release(&again);
    free(text);
    return 0;
}
