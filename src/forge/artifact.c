/* SPDX-License-Identifier: Apache-2.0 */
/* artifact.c: writing and reading the file between measuring and posting. */
#include "forge/artifact.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "forge/defuse.h"

om_status om__artifact_write(const char *path, const om_comment_section *section, om_error *err)
{
    om_status status = OM_OK;
    om_json_out json = {.indent = 1};
    om__json_put_open(&json, NULL, '{');
    om__json_put_int(&json, "opmark_artifact", OM_ARTIFACT_SCHEMA);
    om__json_put_text(&json, "key", section->key);
    om__json_put_text(&json, "commit", section->commit);
    om__json_put_int(&json, "sequence", section->sequence);
    om__json_put_text(&json, "headline", section->headline);
    om__json_put_text(&json, "details", section->details);
    om__json_put_close(&json, '}');
    om__text_add_char(&json.text, '\n');
    OM_TRY_OUT(om__text_check(&json.text, err));
    OM_TRY_OUT(om__file_write(path, json.text.data, json.text.size, err));
out:
    om__text_release(&json.text);
    return status;
}

static om_status read_word(om_json *json, char **to, om_error *err)
{
    const char *text;
    OM_TRY(om__json_read_text(json, &text, NULL, err));
    free(*to);
    *to = om__strdup(text);
    return *to != NULL ? OM_OK : om__error_set(err, OM_NO_MEMORY, "no memory for an artifact");
}

static om_status read_markdown(om_json *json, char **to, om_error *err)
{
    const char *text;
    om_text safe = {0};
    OM_TRY(om__json_read_text(json, &text, NULL, err));
    om__markdown_defuse(text, &safe);
    om_status status = om__text_check(&safe, err);
    if (status != OM_OK) {
        om__text_release(&safe);
        return status;
    }
    free(*to);
    *to = safe.data;
    return OM_OK;
}

static om_status read_field(om_json *json, const char *key, om_comment_section *section,
                            int64_t *schema, om_error *err)
{
    if (strcmp(key, "opmark_artifact") == 0)
        return om__json_read_int(json, schema, err);
    if (strcmp(key, "key") == 0)
        return read_word(json, &section->key, err);
    if (strcmp(key, "commit") == 0)
        return read_word(json, &section->commit, err);
    if (strcmp(key, "sequence") == 0)
        return om__json_read_int(json, &section->sequence, err);
    if (strcmp(key, "headline") == 0)
        return read_markdown(json, &section->headline, err);
    if (strcmp(key, "details") == 0)
        return read_markdown(json, &section->details, err);
    return om__json_skip(json, NULL, NULL, err);
}

static om_status read_fields(om_json *json, om_comment_section *section, om_error *err)
{
    const char *key;
    int64_t schema = 0;
    OM_TRY(om__json_enter(json, '{', err));
    for (;;) {
        OM_TRY(om__json_next_key(json, &key, err));
        if (key == NULL)
            break;
        OM_TRY(read_field(json, key, section, &schema, err));
    }
    OM_TRY(om__json_finish(json, err));
    if (schema != OM_ARTIFACT_SCHEMA)
        return om__json_fail(json, err, "an artifact of schema %lld; this program reads schema %d",
                             (long long)schema, OM_ARTIFACT_SCHEMA);
    if (!om__section_word_is_valid(section->key) || !om__section_word_is_valid(section->commit) ||
        section->headline == NULL || section->details == NULL)
        return om__json_fail(json, err, "an artifact needs key, commit, headline and details");
    return OM_OK;
}

om_status om__artifact_read(const char *path, om_comment_section *section, om_error *err)
{
    om_status status;
    char *data = NULL;
    size_t size = 0;
    om_json json;
    *section = (om_comment_section){0};
    OM_TRY(om__file_read(path, OM_ARTIFACT_MOST_BYTES, &data, &size, err));
    om__json_init(&json, data, size, path, 1);
    json.longest_text = OM_ARTIFACT_MOST_BYTES;
    status = read_fields(&json, section, err);
    if (status != OM_OK)
        om__section_release(section);
    om__json_release(&json);
    free(data);
    return status;
}
