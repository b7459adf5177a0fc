/* SPDX-License-Identifier: Apache-2.0 */
/* record_format.c: a record as one line of strict JSON. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "record/schema.h"

static bool is_section(const char *name)
{
    size_t count;
    const om_member *members = om__record_members(&count);
    for (size_t i = 0; i < count; i++)
        if (members[i].section != NULL && strcmp(members[i].section, name) == 0)
            return true;
    return false;
}

/* Adds the members of the object text `json`; top: without the sections, which hold the unknown
 * members of known sections. */
static om_status put_members(om_json_out *out, om_json *json, bool top, om_error *err)
{
    om_status status = OM_OK;
    const char *key, *start;
    size_t size;
    om_text name = {0}; /* stepping over a value overwrites the key */
    OM_TRY_OUT(om__json_enter(json, '{', err));
    for (;;) {
        OM_TRY_OUT(om__json_next_key(json, &key, err));
        if (key == NULL)
            break;
        om__text_clear(&name);
        om__text_add(&name, key);
        OM_TRY_OUT(om__text_check(&name, err));
        OM_TRY_OUT(om__json_skip(json, &start, &size, err));
        if (!top || !is_section(name.data))
            om__json_put_raw(out, name.data, start, size);
    }
out:
    om__text_release(&name);
    return status;
}

/* The unknown members of one section (NULL: of the record itself). */
static om_status put_unknown(om_json_out *out, const om_record *record, const char *section,
                             om_error *err)
{
    if (record->unknown == NULL)
        return OM_OK;
    om_status status = OM_OK;
    const char *key;
    om_json json;
    om__json_init(&json, record->unknown, strlen(record->unknown), "", 0);
    if (section == NULL) {
        status = put_members(out, &json, true, err);
        goto out;
    }
    OM_TRY_OUT(om__json_enter(&json, '{', err));
    for (;;) {
        OM_TRY_OUT(om__json_next_key(&json, &key, err));
        if (key == NULL)
            break;
        if (strcmp(key, section) == 0)
            OM_TRY_OUT(put_members(out, &json, false, err));
        else
            OM_TRY_OUT(om__json_skip(&json, NULL, NULL, err));
    }
out:
    om__json_release(&json);
    return status;
}

static void put_samples(om_json_out *out, const om_record *record)
{
    om__json_put_open(out, "samples", '[');
    for (size_t i = 0; i < record->sample_count; i++)
        om__json_put_float(out, NULL, record->samples[i]);
    om__json_put_close(out, ']');
}

static void put_invalid(om_json_out *out, const om_record *record)
{
    om__json_put_open(out, "invalid", '{');
    for (size_t i = 0; i < record->sample_count; i++) {
        bool stated = record->sample_reasons != NULL && record->sample_reasons[i] != NULL;
        if (!stated && isfinite(record->samples[i]))
            continue;
        char index[24];
        snprintf(index, sizeof index, "%zu", i);
        om__json_put_text(out, index, stated ? record->sample_reasons[i] : "no reason given");
    }
    om__json_put_close(out, '}');
}

static void put_member(om_json_out *out, const om_record *record, const om_member *member)
{
    const void *field = (const char *)record + member->offset;
    const char *name = member->name;
    switch (member->kind) {
    case OM_MEMBER_TEXT:
        om__json_put_text(out, name, *(char *const *)field);
        break;
    case OM_MEMBER_REASON:
        om__json_put_text(out, name,
                          record->reason == NULL && record->outcome != OM_OUTCOME_OK
                              ? "no reason given"
                              : record->reason);
        break;
    case OM_MEMBER_PAIRS:
        om__json_put_pairs(out, name, field);
        break;
    case OM_MEMBER_INT:
        om__json_put_int(out, name, *(const int *)field);
        break;
    case OM_MEMBER_INT64:
        if (*(const int64_t *)field < 0)
            om__json_put_null(out, name);
        else
            om__json_put_int(out, name, *(const int64_t *)field);
        break;
    case OM_MEMBER_UINT64:
        om__json_put_uint(out, name, *(const uint64_t *)field);
        break;
    case OM_MEMBER_DOUBLE:
        om__json_put_double(out, name, *(const double *)field);
        break;
    case OM_MEMBER_ROLE:
        om__json_put_text(out, name, om__role_name(record->subject.role));
        break;
    case OM_MEMBER_BETTER:
        om__json_put_text(out, name, om__better_name(record->metric.better));
        break;
    case OM_MEMBER_OUTCOME:
        om__json_put_text(out, name, om__outcome_name(record->outcome));
        break;
    case OM_MEMBER_SAMPLES:
        put_samples(out, record);
        break;
    case OM_MEMBER_INVALID:
        put_invalid(out, record);
        break;
    }
}

om_status om__record_format(const om_record *record, char **line, om_error *err)
{
    om_status status = OM_OK;
    om_json_out out = {0};
    size_t count;
    const om_member *members = om__record_members(&count);
    om__json_put_open(&out, NULL, '{');
    om__json_put_int(&out, "schema", OM_RECORD_SCHEMA);
    for (size_t i = 0; i < count; i++) {
        const char *section = members[i].section;
        if (section != NULL && (i == 0 || members[i - 1].section == NULL ||
                                strcmp(members[i - 1].section, section) != 0))
            om__json_put_open(&out, section, '{');
        put_member(&out, record, &members[i]);
        if (section != NULL && (i + 1 == count || members[i + 1].section == NULL ||
                                strcmp(members[i + 1].section, section) != 0)) {
            OM_TRY_OUT(put_unknown(&out, record, section, err));
            om__json_put_close(&out, '}');
        }
    }
    OM_TRY_OUT(put_unknown(&out, record, NULL, err));
    om__json_put_close(&out, '}');
    OM_TRY_OUT(om__text_check(&out.text, err));
    *line = out.text.data;
    out.text = (om_text){0};
out:
    om__text_release(&out.text);
    return status;
}
