/* SPDX-License-Identifier: Apache-2.0 */
/* import_rows.c: values of a foreign file into records, samples of one case together. */
#include "store/import_rows.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/pool.h"
#include "base/text.h"
#include "store/import_state.h"

#define MOST_SAMPLES ((size_t)1 << 24)
/* Maps are searched entry by entry. */
#define MOST_ENTRIES 1000

static om_status no_memory(const om_import *im, om_error *err)
{
    return om__error_set_at(err, OM_NO_MEMORY, im->path, 0, "no memory to import it");
}

/* ---- records by key ---- */

static uint64_t add_key(uint64_t key, const char *text)
{
    return text == NULL ? om__hash_quick("\xFF", 1, key) : om__hash_quick(text, strlen(text), key);
}

static uint64_t key_of(const om_import *im, const om_import_row *row)
{
    const char *const texts[] = {row->table,  row->name, row->provider,   row->variant,
                                 row->metric, row->unit, row->derivation, im->common.place.device};
    uint64_t key = (uint64_t)row->launch;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        key = add_key(key, texts[i]);
    for (size_t i = 0; row->params != NULL && i < row->params->count; i++) {
        key = add_key(key, row->params->items[i].key);
        key = add_key(key, row->params->items[i].value);
    }
    return key | 1; /* 0 marks a free slot */
}

static om_status grow_slots(om_import *im, om_error *err)
{
    size_t count = im->slot_count == 0 ? 256 : im->slot_count * 2;
    om_import_slot *slots = calloc(count, sizeof *slots);
    if (slots == NULL)
        return no_memory(im, err);
    for (size_t i = 0; i < im->slot_count; i++) {
        if (im->slots[i].key == 0)
            continue;
        size_t at = im->slots[i].key >> 1 & (count - 1);
        while (slots[at].key != 0)
            at = (at + 1) & (count - 1);
        slots[at] = im->slots[i];
    }
    free(im->slots);
    im->slots = slots;
    im->slot_count = count;
    return OM_OK;
}

static bool same(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* Guards against two keys with one hash. */
static bool is_record_of(const om_import *im, const om_record *r, const om_import_row *row)
{
    return same(r->place.device, im->common.place.device) && same(r->benchmark.table, row->table) &&
           same(r->benchmark.name, row->name) && same(r->metric.name, row->metric) &&
           same(r->metric.unit, row->unit) && same(r->subject.provider, row->provider) &&
           same(r->subject.variant, row->variant) && same(r->metric.derivation, row->derivation) &&
           r->when.launch == row->launch &&
           (row->params == NULL ? r->benchmark.params.count == 0
                                : om__pairs_equal(&r->benchmark.params, row->params));
}

static char *keep(om_import *im, const char *text)
{
    return text == NULL ? NULL : om__pool_keep(im->set->pool, text, strlen(text));
}

static om_status keep_pairs(om_import *im, const om_pairs *from, om_pairs *to, om_error *err)
{
    *to = (om_pairs){0};
    if (from == NULL || from->count == 0)
        return OM_OK;
    om_pair *items = om__pool_reserve(im->set->pool, from->count * sizeof *items);
    if (items == NULL)
        return no_memory(im, err);
    for (size_t i = 0; i < from->count; i++) {
        items[i].key = keep(im, from->items[i].key);
        items[i].value = keep(im, from->items[i].value);
        if (items[i].key == NULL || items[i].value == NULL)
            return no_memory(im, err);
    }
    *to = (om_pairs){items, from->count, from->count};
    return OM_OK;
}

static om_status fill_record(om_import *im, const om_import_row *row, om_record *r, om_error *err)
{
    const om_record *common = &im->common;
    om__record_init(r);
    r->shared = true;
    r->benchmark.suite = keep(im, im->importer->name);
    r->benchmark.table = keep(im, row->table);
    r->benchmark.name = keep(im, row->name);
    r->metric.name = keep(im, row->metric);
    r->metric.unit = keep(im, row->unit);
    r->metric.better = row->better;
    r->metric.derivation = keep(im, row->derivation);
    r->subject.provider = keep(im, row->provider);
    r->subject.variant = keep(im, row->variant);
    r->subject.version = keep(im, common->subject.version);
    r->subject.commit = keep(im, common->subject.commit);
    r->place.machine_class =
        keep(im, im->options->machine != NULL ? im->options->machine : common->place.machine_class);
    r->place.instance = keep(im, common->place.instance);
    r->place.device = keep(im, common->place.device);
    r->when.started = keep(im, common->when.started);
    r->when.run = keep(im, common->when.run);
    r->when.launch = row->launch;
    r->method.harness = keep(im, common->method.harness);
    r->method.inner = row->inner;
    r->outcome = OM_OUTCOME_OK;
    if (r->benchmark.name == NULL || r->benchmark.suite == NULL || r->when.run == NULL)
        return no_memory(im, err);
    OM_TRY(keep_pairs(im, row->params, &r->benchmark.params, err));
    OM_TRY(keep_pairs(im, row->evidence, &r->evidence, err));
    return keep_pairs(im, &common->place.settings, &r->place.settings, err);
}

static om_status new_record(om_import *im, const om_import_row *row, size_t *index, om_error *err)
{
    om_record_set *set = im->set;
    if (set->count == set->capacity) {
        size_t capacity = set->capacity == 0 ? 64 : set->capacity * 2;
        om_record *items = realloc(set->items, capacity * sizeof *items);
        if (items == NULL)
            return no_memory(im, err);
        set->items = items;
        set->capacity = capacity;
    }
    size_t number = set->count - im->first;
    if ((number & (number - 1)) == 0) {
        size_t capacity = number == 0 ? 1 : number * 2;
        om_import_samples *samples = realloc(im->samples, capacity * sizeof *samples);
        if (samples == NULL)
            return no_memory(im, err);
        im->samples = samples;
    }
    OM_TRY(fill_record(im, row, &set->items[set->count], err));
    im->samples[number] = (om_import_samples){0};
    *index = set->count++;
    return OM_OK;
}

/* The slot of the row's record, or the free one where it would go. */
static size_t find_slot(const om_import *im, const om_import_row *row, uint64_t key)
{
    size_t at = key >> 1 & (im->slot_count - 1);
    for (; im->slots[at].key != 0; at = (at + 1) & (im->slot_count - 1))
        if (im->slots[at].key == key && is_record_of(im, &im->set->items[im->slots[at].index], row))
            break;
    return at;
}

bool om__import_has(const om_import *im, const om_import_row *row)
{
    return im->slot_count > 0 && im->slots[find_slot(im, row, key_of(im, row))].key != 0;
}

static om_status find_record(om_import *im, const om_import_row *row, size_t *index, om_error *err)
{
    uint64_t key = key_of(im, row);
    if ((im->set->count - im->first + 1) * 4 > im->slot_count * 3)
        OM_TRY(grow_slots(im, err));
    size_t at = find_slot(im, row, key);
    if (im->slots[at].key != 0) {
        *index = im->slots[at].index;
        return OM_OK;
    }
    OM_TRY(new_record(im, row, index, err));
    im->slots[at] = (om_import_slot){key, *index};
    return OM_OK;
}

om_status om__import_add(om_import *im, const om_import_row *row, om_error *err)
{
    size_t index = 0;
    OM_TRY(find_record(im, row, &index, err));
    om_import_samples *s = &im->samples[index - im->first];
    if (s->count == MOST_SAMPLES)
        return om__error_set_at(err, OM_INVALID, im->path, 0, "%s has more than %zu values",
                                row->name, MOST_SAMPLES);
    if (s->count == s->capacity) {
        size_t capacity = s->capacity == 0 ? 4 : s->capacity * 2;
        float *values = realloc(s->values, capacity * sizeof *values);
        if (values == NULL)
            return no_memory(im, err);
        s->values = values;
        const char **reasons = realloc(s->reasons, capacity * sizeof *reasons);
        if (reasons == NULL)
            return no_memory(im, err);
        s->reasons = reasons;
        s->capacity = capacity;
    }
    const char *reason = row->reason;
    if (reason == NULL && row->value < 0 && row->better == OM_BETTER_LOWER)
        reason = "negative"; /* a time or a size: the clock went backwards, or the file is wrong */
    if (reason == NULL && isnan(row->value))
        reason = "nan";
    if (reason == NULL && fabs(row->value) > 3.4028234663852886e38)
        reason = isinf(row->value) ? "infinite" : "overflow";
    s->values[s->count] = reason == NULL ? (float)row->value : NAN;
    s->reasons[s->count] = keep(im, reason);
    if (reason != NULL) {
        s->missing++;
        s->outcome = row->outcome == OM_OUTCOME_OK ? OM_OUTCOME_ERROR : row->outcome;
    }
    s->count++;
    return OM_OK;
}

/* ---- the end ---- */

om_status om__import_finish(om_import *im, om_error *err)
{
    for (size_t i = im->first; i < im->set->count; i++) {
        om_record *r = &im->set->items[i];
        om_import_samples *s = &im->samples[i - im->first];
        r->samples = om__pool_reserve(im->set->pool, s->count * sizeof *r->samples);
        if (r->samples == NULL)
            return no_memory(im, err);
        memcpy(r->samples, s->values, s->count * sizeof *r->samples);
        r->sample_count = s->count;
        if (s->missing > 0) {
            r->sample_reasons = om__pool_reserve(im->set->pool, s->count * sizeof(char *));
            if (r->sample_reasons == NULL)
                return no_memory(im, err);
            for (size_t k = 0; k < s->count; k++)
                r->sample_reasons[k] = (char *)(uintptr_t)s->reasons[k];
        }
        OM_TRY(om__record_summarise(r, err));
        if (s->missing == s->count) {
            r->outcome = s->outcome;
            r->reason = r->sample_reasons[s->count - 1];
        }
    }
    return OM_OK;
}

void om__import_drop(om_import *im, bool failed)
{
    for (size_t i = im->first; i < im->set->count && im->samples != NULL; i++) {
        free(im->samples[i - im->first].values);
        free(im->samples[i - im->first].reasons);
    }
    if (failed)
        im->set->count = im->first; /* their texts stay in the pool until the set goes */
    free(im->samples);
    free(im->slots);
    om__record_release(&im->common);
}

/* ---- helpers of importers ---- */

void om__import_json(const om_import *im, om_json *json)
{
    om__json_init(json, im->text, im->size, im->path, 1);
    if (im->size >= 3 && memcmp(im->text, "\xEF\xBB\xBF", 3) == 0)
        json->at += 3;
    json->lenient = !im->options->strict;
    json->finite = json->numbers = im->options->strict;
}

/* What lies before it in the file was counted already where parts are read in the order they stand
 * in, so a file is counted through once. */
static long line_of(om_import *im, const char *at, const char **line_start)
{
    om_import_place *place = &im->place;
    if (place->text != im->text || place->at > at)
        *place = (om_import_place){im->text, im->text, im->text, 1};
    for (const char *end; (end = memchr(place->at, '\n', (size_t)(at - place->at))) != NULL;
         place->line++)
        place->at = place->line_start = end + 1;
    place->at = at;
    *line_start = place->line_start;
    return place->line;
}

void om__import_part(om_import *im, om_json *json, const char *text, size_t size)
{
    om__json_init(json, text, size, im->path, 0);
    json->lenient = true;
    json->numbers = im->options->strict;
    if (im->options->strict)
        json->line = line_of(im, text, &json->line_start);
}

om_status om__import_json_at(om_import *im, om_json *json, const char *key, bool *found,
                             om_error *err)
{
    const char *name;
    *found = false;
    om__import_json(im, json);
    OM_TRY(om__json_enter(json, '{', err));
    for (;;) {
        OM_TRY(om__json_next_key(json, &name, err));
        if (name == NULL)
            return OM_OK;
        if (strcmp(name, key) == 0) {
            *found = true;
            return OM_OK;
        }
        OM_TRY(om__json_skip(json, NULL, NULL, err));
    }
}

om_status om__import_set(om_pairs *pairs, const char *key, const char *value, om_error *err)
{
    if (pairs->count >= MOST_ENTRIES)
        return om__error_set(err, OM_PARSE, "a map of more than %d entries", MOST_ENTRIES);
    return om__pairs_set(pairs, key, value, err);
}

om_status om__import_flatten(om_json *json, const char *prefix, om_pairs *into, om_error *err)
{
    om_status status = OM_OK;
    om_text name = {0};
    OM_TRY(om__json_enter(json, '{', err));
    for (;;) {
        const char *key, *value;
        OM_TRY_OUT(om__json_next_key(json, &key, err));
        if (key == NULL)
            break;
        om__text_clear(&name);
        om__text_addf(&name, "%s%s%s", prefix, *prefix == '\0' ? "" : ".", key);
        OM_TRY_OUT(om__text_check(&name, err));
        om_json_kind kind = om__json_peek(json);
        if (kind == OM_JSON_OBJECT) {
            OM_TRY_OUT(om__import_flatten(json, name.data, into, err));
        } else if (kind == OM_JSON_ARRAY || kind == OM_JSON_NULL) {
            OM_TRY_OUT(om__json_skip(json, NULL, NULL, err));
        } else {
            OM_TRY_OUT(om__json_read_any(json, &value, NULL, err));
            OM_TRY_OUT(om__import_set(into, name.data, value, err));
        }
    }
out:
    om__text_release(&name);
    return status;
}

om_status om__import_text_open(const char *path, om_import_text *text, om_error *err)
{
    om_status status = OM_OK;
    struct stat info;
    *text = (om_import_text){.path = path, .text = ""};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &info) != 0) {
        status = om__error_set_at(err, OM_IO, path, 0, "cannot read: %s", strerror(errno));
        goto out;
    }
    if (!S_ISREG(info.st_mode)) {
        status = om__error_set_at(err, OM_IO, path, 0, "is not a file");
        goto out;
    }
    if ((uint64_t)info.st_size > OM_IMPORT_LARGEST) {
        status = om__error_set_at(err, OM_INVALID, path, 0, "larger than the limit of %zu bytes",
                                  OM_IMPORT_LARGEST);
        goto out;
    }
    if (info.st_size == 0) {
        status = om__error_set_at(err, OM_PARSE, path, 0, "empty file");
        goto out;
    }
    text->map_size = (size_t)info.st_size;
    text->map = mmap(NULL, text->map_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (text->map == MAP_FAILED) {
        text->map = NULL;
        status = om__error_set_at(err, OM_IO, path, 0, "cannot read: %s", strerror(errno));
        goto out;
    }
    text->text = text->map;
    text->size = text->map_size;
out:
    if (fd >= 0)
        close(fd);
    return status;
}

void om__import_text_close(om_import_text *text)
{
    if (text->map != NULL)
        munmap(text->map, text->map_size);
    *text = (om_import_text){0};
}

om_status om__import_split(const char *text, om_text *name, om_pairs *params, om_error *err)
{
    om_status status = OM_OK;
    om_text part = {0}, value = {0};
    om__text_clear(name);
    om__text_add(name, "");
    for (const char *at = text; status == OM_OK;) {
        size_t size = strcspn(at, "/");
        const char *equals = memchr(at, '=', size);
        if (equals != NULL && equals > at) {
            om__text_clear(&part);
            om__text_add_bytes(&part, at, (size_t)(equals - at));
            om__text_clear(&value);
            om__text_add_bytes(&value, equals + 1, size - (size_t)(equals - at) - 1);
            status = part.failed || value.failed
                         ? om__error_set(err, OM_NO_MEMORY, "no memory for a name")
                         : om__import_set(params, part.data, value.data, err);
        } else {
            om__text_add(name, name->size == 0 ? "" : "/");
            om__text_add_bytes(name, at, size);
        }
        if (at[size] == '\0')
            break;
        at += size + 1;
    }
    om__text_release(&part);
    om__text_release(&value);
    return status == OM_OK ? om__text_check(name, err) : status;
}

void om__import_time(double seconds, char text[40])
{
    text[0] = '\0';
    if (!(seconds > -1e11 && seconds < 1e11))
        return;
    time_t whole = (time_t)floor(seconds);
    int ms = (int)((seconds - (double)whole) * 1000);
    struct tm utc;
    char date[32];
    if (gmtime_r(&whole, &utc) == NULL ||
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &utc) == 0)
        return;
    snprintf(text, 40, "%s.%03dZ", date, ms);
}

om_status om__import_set_text(char **field, const char *value, om_error *err)
{
    if (value == NULL)
        return OM_OK;
    char *copy = om__strdup(value);
    if (copy == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory to import");
    free(*field);
    *field = copy;
    return OM_OK;
}
