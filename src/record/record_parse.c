/* SPDX-License-Identifier: Apache-2.0 */
/* record_parse.c: one line of JSON into a record, unknown fields kept. */
#include "record/record_parse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "record/schema.h"

#define MOST_PAIRS   4096
#define MOST_SAMPLES ((size_t)1 << 24)

typedef struct parser {
    om_json json;
    om_pool *pool;
    om_record *record;
    om_record_memo *memo;    /* NULL: none */
    uint64_t seen;           /* sections of this line, by first member */
    bool twice;              /* the section at hand came before in this line */
    size_t hint;             /* where in the table the next member most likely stands */
    om_text unknown_top;     /* members, joined by commas */
    om_text unknown_section; /* of the section at hand */
    /* growing storage of the samples and of the reasons by index */
    float *samples;
    size_t sample_count, sample_capacity;
    om_pairs reasons;
} parser;

static om_status no_memory(om_error *err)
{
    return om__error_set(err, OM_NO_MEMORY, "no memory for a record");
}

static om_status keep_text(parser *p, const char *text, size_t size, char **kept, om_error *err)
{
    if (p->pool == NULL) {
        char *copy = malloc(size + 1);
        if (copy == NULL)
            return no_memory(err);
        memcpy(copy, text, size + 1);
        free(*kept);
        *kept = copy;
        return OM_OK;
    }
    *kept = om__pool_keep(p->pool, text, size);
    return *kept == NULL ? no_memory(err) : OM_OK;
}

static om_status read_text(parser *p, char **kept, om_error *err)
{
    const char *text;
    size_t size;
    OM_TRY(om__json_read_text(&p->json, &text, &size, err));
    return keep_text(p, text, size, kept, err);
}

/* Pairs of a shared record: the keys and values are kept first, so that equal maps have equal
 * bytes and are kept once as well. */
static om_status read_pairs_shared(parser *p, om_pairs *pairs, om_error *err)
{
    om_pair items[64], *list = items;
    size_t count = 0, capacity = 64;
    om_status status = OM_OK;
    OM_TRY(om__json_enter(&p->json, '{', err));
    for (;;) {
        const char *key, *value;
        size_t size, i = 0;
        om_pair pair;
        OM_TRY_OUT(om__json_next_key(&p->json, &key, err));
        if (key == NULL)
            break;
        pair.key = om__pool_keep(p->pool, key, p->json.key.size);
        OM_TRY_OUT(om__json_read_any(&p->json, &value, &size, err));
        pair.value = om__pool_keep(p->pool, value, size);
        if (pair.key == NULL || pair.value == NULL) {
            status = no_memory(err);
            goto out;
        }
        while (i < count && list[i].key != pair.key)
            i++;
        if (i == MOST_PAIRS) {
            status = om__json_fail(&p->json, err, "a map of more than %d entries", MOST_PAIRS);
            goto out;
        }
        if (i == capacity) {
            om_pair *more = realloc(list == items ? NULL : list, MOST_PAIRS * sizeof *more);
            if (more == NULL) {
                status = no_memory(err);
                goto out;
            }
            if (list == items)
                memcpy(more, items, sizeof items);
            list = more;
            capacity = MOST_PAIRS;
        }
        list[i] = pair;
        count += i == count;
    }
    *pairs = (om_pairs){NULL, count, count};
    if (count > 0) {
        pairs->items = om__pool_keep(p->pool, list, count * sizeof *list);
        if (pairs->items == NULL) {
            *pairs = (om_pairs){0};
            status = no_memory(err);
        }
    }
out:
    if (list != items)
        free(list);
    return status;
}

static om_status read_pairs_owned(parser *p, om_pairs *pairs, om_error *err)
{
    om__pairs_release(pairs);
    OM_TRY(om__json_enter(&p->json, '{', err));
    for (;;) {
        const char *key, *value;
        OM_TRY(om__json_next_key(&p->json, &key, err));
        if (key == NULL)
            return OM_OK;
        if (pairs->count == MOST_PAIRS)
            return om__json_fail(&p->json, err, "a map of more than %d entries", MOST_PAIRS);
        OM_TRY(om__json_read_any(&p->json, &value, NULL, err));
        OM_TRY(om__pairs_set(pairs, p->json.key.data, value, err));
    }
}

static om_status read_samples(parser *p, om_error *err)
{
    bool more;
    OM_TRY(om__json_enter(&p->json, '[', err));
    p->sample_count = 0;
    for (;;) {
        double value;
        OM_TRY(om__json_next_item(&p->json, &more, err));
        if (!more)
            return OM_OK;
        if (p->sample_count == MOST_SAMPLES)
            return om__json_fail(&p->json, err, "more than %zu samples", MOST_SAMPLES);
        if (p->sample_count == p->sample_capacity) {
            size_t capacity = p->sample_capacity == 0 ? 64 : p->sample_capacity * 2;
            float *samples = realloc(p->samples, capacity * sizeof *samples);
            if (samples == NULL)
                return no_memory(err);
            p->samples = samples;
            p->sample_capacity = capacity;
        }
        OM_TRY(om__json_read_double(&p->json, &value, err));
        if (fabs(value) > 3.4028234663852886e38)
            return om__json_fail(&p->json, err, "a sample beyond the range of float");
        p->samples[p->sample_count++] = (float)value;
    }
}

/* A word of a closed list: the fault names the place. */
static om_status read_word(parser *p, const om_member *member, om_error *err)
{
    const char *text;
    om_error why;
    om_status status;
    OM_TRY(om__json_read_text(&p->json, &text, NULL, err));
    if (member->kind == OM_MEMBER_ROLE)
        status = om__role_parse(text, &p->record->subject.role, &why);
    else if (member->kind == OM_MEMBER_BETTER)
        status = om__better_parse(text, &p->record->metric.better, &why);
    else
        status = om__outcome_parse(text, &p->record->outcome, &why);
    return status == OM_OK ? OM_OK : om__json_fail(&p->json, err, "%s", why.text);
}

static om_status read_member(parser *p, const om_member *member, om_error *err)
{
    void *field = (char *)p->record + member->offset;
    int64_t number;
    if (om__json_peek(&p->json) == OM_JSON_NULL)
        return om__json_skip(&p->json, NULL, NULL, err);
    switch (member->kind) {
    case OM_MEMBER_TEXT:
    case OM_MEMBER_REASON:
        return read_text(p, field, err);
    case OM_MEMBER_PAIRS:
        return p->pool == NULL ? read_pairs_owned(p, field, err) : read_pairs_shared(p, field, err);
    case OM_MEMBER_INT:
        OM_TRY(om__json_read_int(&p->json, &number, err));
        if (number < 0 || number > 1000000000)
            return om__json_fail(&p->json, err, "%s is not in 0..1000000000", member->name);
        *(int *)field = (int)number;
        return OM_OK;
    case OM_MEMBER_INT64:
        OM_TRY(om__json_read_int(&p->json, &number, err));
        if (number < 0)
            return om__json_fail(&p->json, err, "%s is negative", member->name);
        *(int64_t *)field = number;
        return OM_OK;
    case OM_MEMBER_UINT64:
        return om__json_read_uint(&p->json, field, err);
    case OM_MEMBER_DOUBLE:
        return om__json_read_double(&p->json, field, err);
    case OM_MEMBER_ROLE:
    case OM_MEMBER_BETTER:
    case OM_MEMBER_OUTCOME:
        return read_word(p, member, err);
    case OM_MEMBER_SAMPLES:
        return read_samples(p, err);
    case OM_MEMBER_INVALID:
        return read_pairs_owned(p, &p->reasons, err);
    }
    return om__error_set(err, OM_INTERNAL, "a member of no kind");
}

static om_status keep_unknown(parser *p, om_text *into, om_error *err)
{
    const char *start;
    size_t size;
    om__text_add(into, into->size == 0 ? "" : ",");
    om__json_quote(into, p->json.key.data);
    om__text_add_char(into, ':');
    OM_TRY(om__json_skip(&p->json, &start, &size, err));
    om__text_add_bytes(into, start, size);
    return om__text_check(into, err);
}

static bool same_section(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* ---- sections like those of the line before ---- */

static size_t member_size(om_member_kind kind)
{
    switch (kind) {
    case OM_MEMBER_TEXT:
    case OM_MEMBER_REASON:
        return sizeof(char *);
    case OM_MEMBER_PAIRS:
        return sizeof(om_pairs);
    case OM_MEMBER_INT:
        return sizeof(int);
    case OM_MEMBER_INT64:
        return sizeof(int64_t);
    case OM_MEMBER_UINT64:
        return sizeof(uint64_t);
    case OM_MEMBER_DOUBLE:
        return sizeof(double);
    case OM_MEMBER_ROLE:
        return sizeof(om_role);
    case OM_MEMBER_BETTER:
        return sizeof(om_better);
    case OM_MEMBER_OUTCOME:
        return sizeof(om_outcome);
    default:
        return 0; /* samples: never shared by two lines */
    }
}

/* Returns where the next section starts. */
static size_t copy_section(size_t first, const om_record *from, om_record *to)
{
    size_t count, i = first;
    const om_member *members = om__record_members(&count);
    for (; i < count && same_section(members[i].section, members[first].section); i++)
        memcpy((char *)to + members[i].offset, (const char *)from + members[i].offset,
               member_size(members[i].kind));
    return i;
}

/* Steps over a section that stands in the memo as it stands here. A section that comes twice in
 * one line is read both times: what the first one says must not be lost. */
static bool recall_section(parser *p, size_t first)
{
    uint64_t bit = (uint64_t)1 << first;
    p->twice = (p->seen & bit) != 0;
    p->seen |= bit;
    if (p->memo == NULL || p->twice)
        return false;
    const om_text *text = &p->memo->sections[first];
    om_json_kind kind = om__json_peek(&p->json);
    if (kind != OM_JSON_OBJECT || text->size == 0 ||
        (size_t)(p->json.end - p->json.at) < text->size ||
        memcmp(p->json.at, text->data, text->size) != 0)
        return false;
    p->json.at += text->size;
    p->hint = copy_section(first, &p->memo->record, p->record);
    return true;
}

static om_status remember_section(parser *p, size_t first, const char *start, om_error *err)
{
    if (p->memo == NULL)
        return OM_OK;
    om_text *text = &p->memo->sections[first];
    om__text_clear(text);
    if (p->twice)
        return OM_OK;
    om__text_add_bytes(text, start, (size_t)(p->json.at - start));
    copy_section(first, p->record, &p->memo->record);
    return om__text_check(text, err);
}

void om__record_memo_release(om_record_memo *memo)
{
    for (size_t i = 0; i < OM_RECORD_MOST_MEMBERS; i++)
        om__text_release(&memo->sections[i]);
}

/* Lines of our own writing hold the members in the order of the table. */
static const om_member *find_member(parser *p, const char *section, const char *name)
{
    size_t count;
    const om_member *members = om__record_members(&count);
    for (size_t i = 0; i < count; i++) {
        const om_member *member = &members[(p->hint + i) % count];
        if (same_section(member->section, section) && strcmp(member->name, name) == 0) {
            p->hint = (size_t)(member - members) + 1;
            return member;
        }
    }
    return NULL;
}

/* The first member of the section, or NULL. */
static const om_member *find_section(parser *p, const char *name)
{
    size_t count;
    const om_member *members = om__record_members(&count);
    for (size_t i = 0; i < count; i++) {
        size_t at = (p->hint + i) % count;
        if (members[at].section == NULL || strcmp(members[at].section, name) != 0)
            continue;
        while (at > 0 && same_section(members[at - 1].section, members[at].section))
            at--;
        return &members[at];
    }
    return NULL;
}

static om_status read_section(parser *p, const om_member *first_member, om_error *err)
{
    const char *key, *section = first_member->section;
    size_t count;
    size_t first = (size_t)(first_member - om__record_members(&count));
    if (recall_section(p, first))
        return OM_OK;
    const char *start = p->json.at;
    om__text_clear(&p->unknown_section);
    OM_TRY(om__json_enter(&p->json, '{', err));
    for (;;) {
        OM_TRY(om__json_next_key(&p->json, &key, err));
        if (key == NULL)
            break;
        const om_member *member = find_member(p, section, key);
        OM_TRY(member != NULL ? read_member(p, member, err)
                              : keep_unknown(p, &p->unknown_section, err));
    }
    if (p->unknown_section.size > 0)
        om__text_addf(&p->unknown_top, "%s\"%s\":{%s}", p->unknown_top.size == 0 ? "" : ",",
                      section, p->unknown_section.data);
    else
        OM_TRY(remember_section(p, first, start, err));
    return om__text_check(&p->unknown_top, err);
}

/* The schema stands first in lines of our own writing, but need not. */
static om_status check_schema(const char *line, size_t size, const char *file, long number,
                              bool *newer, om_error *err)
{
    om_status status = OM_OK;
    om_json json;
    const char *key;
    int64_t schema = 0;
    om__json_init(&json, line, size, file, number);
    OM_TRY_OUT(om__json_enter(&json, '{', err));
    while (schema == 0) {
        OM_TRY_OUT(om__json_next_key(&json, &key, err));
        if (key == NULL) {
            status =
                om__error_set_at(err, OM_PARSE, file, number, "not a record: it states no schema");
            goto out;
        }
        if (strcmp(key, "schema") != 0) {
            OM_TRY_OUT(om__json_skip(&json, NULL, NULL, err));
            continue;
        }
        OM_TRY_OUT(om__json_read_int(&json, &schema, err));
        if (schema < 1) {
            status = om__json_fail(&json, err, "no schema has the number %lld", (long long)schema);
            goto out;
        }
    }
    if (schema > OM_RECORD_SCHEMA) {
        *newer = true;
        status = om__error_set_at(err, OM_PARSE, file, number,
                                  "record schema %lld is newer than schema %d of this opmark: "
                                  "read it with a newer opmark",
                                  (long long)schema, OM_RECORD_SCHEMA);
    }
out:
    om__json_release(&json);
    return status;
}

/* The member of the record itself that the table has next, where it has this name. */
static const om_member *expected_member(parser *p, const char *name)
{
    size_t count;
    const om_member *members = om__record_members(&count), *next = &members[p->hint % count];
    if (next->section != NULL || strcmp(next->name, name) != 0)
        return NULL;
    p->hint++;
    return next;
}

static om_status read_record(parser *p, om_error *err)
{
    const char *key;
    OM_TRY(om__json_enter(&p->json, '{', err));
    for (;;) {
        OM_TRY(om__json_next_key(&p->json, &key, err));
        if (key == NULL)
            break;
        /* "schema" and members of the record itself come where they are looked for first: asking
         * every section for each of them would cost more than reading it. */
        const om_member *member = expected_member(p, key), *section = NULL;
        bool schema = member == NULL && strcmp(key, "schema") == 0;
        if (member == NULL && !schema)
            section = find_section(p, key);
        if (member == NULL && section == NULL && !schema)
            member = find_member(p, NULL, key);
        if (section != NULL)
            OM_TRY(read_section(p, section, err));
        else if (member != NULL)
            OM_TRY(read_member(p, member, err));
        else if (schema)
            OM_TRY(om__json_skip(&p->json, NULL, NULL, err));
        else
            OM_TRY(keep_unknown(p, &p->unknown_top, err));
    }
    return om__json_finish(&p->json, err);
}

static om_status finish_samples(parser *p, om_error *err)
{
    om_record *record = p->record;
    size_t size = p->sample_count * sizeof *p->samples;
    if (p->sample_count == 0)
        return OM_OK;
    if (p->pool == NULL) {
        record->samples = p->samples;
        p->samples = NULL;
    } else {
        record->samples = om__pool_reserve(p->pool, size);
        if (record->samples == NULL)
            return no_memory(err);
        memcpy(record->samples, p->samples, size);
    }
    record->sample_count = p->sample_count;
    if (p->reasons.count == 0)
        return OM_OK;
    size = p->sample_count * sizeof *record->sample_reasons;
    record->sample_reasons = p->pool == NULL ? malloc(size) : om__pool_reserve(p->pool, size);
    if (record->sample_reasons == NULL)
        return no_memory(err);
    memset(record->sample_reasons, 0, size);
    for (size_t i = 0; i < p->reasons.count; i++) {
        int64_t index;
        const char *reason = p->reasons.items[i].value;
        if (!om__parse_int64(p->reasons.items[i].key, &index) || index < 0 ||
            (size_t)index >= p->sample_count)
            return om__json_fail(&p->json, err, "\"invalid\" names sample %s of %zu",
                                 p->reasons.items[i].key, p->sample_count);
        OM_TRY(keep_text(p, reason, strlen(reason), &record->sample_reasons[index], err));
    }
    return OM_OK;
}

static om_status finish_record(parser *p, om_error *err)
{
    om_record *record = p->record;
    OM_TRY(finish_samples(p, err));
    if (record->benchmark.name == NULL)
        return om__error_set_at(err, OM_PARSE, p->json.file, p->json.line,
                                "not a record: it names no benchmark");
    if (p->unknown_top.size == 0)
        return OM_OK;
    om_text object = {0};
    om__text_addf(&object, "{%s}", p->unknown_top.data);
    om_status status = om__text_check(&object, err);
    if (status == OM_OK)
        status = keep_text(p, object.data, object.size, &record->unknown, err);
    om__text_release(&object);
    return status;
}

om_status om__record_parse_into(const char *line, size_t size, const char *file, long number,
                                om_pool *pool, om_record_memo *memo, om_record *record, bool *newer,
                                om_error *err)
{
    bool too_new = false;
    om__record_init(record);
    om_status status = check_schema(line, size, file, number, &too_new, err);
    if (newer != NULL)
        *newer = too_new;
    if (status != OM_OK)
        return status;
    parser p = {.pool = pool, .record = record, .memo = memo};
    om__json_init(&p.json, line, size, file, number);
    record->shared = pool != NULL;
    OM_TRY_OUT(read_record(&p, err));
    OM_TRY_OUT(finish_record(&p, err));
out:
    om__json_release(&p.json);
    om__text_release(&p.unknown_top);
    om__text_release(&p.unknown_section);
    om__pairs_release(&p.reasons);
    free(p.samples);
    if (status != OM_OK)
        om__record_release(record);
    return status;
}

om_status om__record_parse(const char *line, size_t size, const char *file, long number,
                           om_record *record, om_error *err)
{
    return om__record_parse_into(line, size, file, number, NULL, NULL, record, NULL, err);
}
