/* SPDX-License-Identifier: Apache-2.0 */
/* side.c: one side of a comparison: files and folders, told apart by their content. */
#include "compare/side.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/pool.h"
#include "base/text.h"
#include "compare/foreign.h"

static bool ends_with(const char *text, const char *ending)
{
    size_t size = strlen(text), length = strlen(ending);
    return size >= length && strcmp(text + size - length, ending) == 0;
}

/* A record states its schema; other JSON does not. */
static bool has_schema(const char *line, size_t size)
{
    om_json json;
    const char *key = NULL;
    bool found = false;
    om__json_init(&json, line, size, "", 1);
    json.lenient = true;
    if (om__json_peek(&json) == OM_JSON_OBJECT && om__json_enter(&json, '{', NULL) == OM_OK)
        while (!found && om__json_next_key(&json, &key, NULL) == OM_OK && key != NULL) {
            found = strcmp(key, "schema") == 0;
            if (!found && om__json_skip(&json, NULL, NULL, NULL) != OM_OK)
                break;
        }
    om__json_release(&json);
    return found;
}

typedef enum content { CONTENT_RECORDS, CONTENT_JSON, CONTENT_TABLE } content;

/* By the first bytes: zstd and lines with a schema are records, other JSON is foreign. */
static om_status tell_content(const char *path, content *kind, om_error *err)
{
    static const unsigned char zstd[4] = {0x28, 0xb5, 0x2f, 0xfd};
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return om__error_set_at(err, OM_IO, path, 0, "cannot read: %s", strerror(errno));
    size_t capacity = 1 << 16;
    char *head = malloc(capacity + 1);
    if (head == NULL) {
        fclose(file);
        return om__error_set(err, OM_NO_MEMORY, "no memory to read %s", path);
    }
    size_t size = fread(head, 1, capacity, file);
    bool failed = ferror(file) != 0;
    fclose(file);
    head[size] = '\0';
    size_t blank = strspn(head, " \t\r\n");
    om_status status = OM_OK;
    if (failed)
        status = om__error_set_at(err, OM_IO, path, 0, "cannot read: %s", strerror(errno));
    else if (size == 0 || blank == size)
        status = om__error_set_at(err, OM_PARSE, path, 0, "empty file");
    else if (size >= 4 && memcmp(head, zstd, 4) == 0)
        *kind = CONTENT_RECORDS;
    else if (head[blank] == '{' || head[blank] == '[')
        *kind = has_schema(head + blank, size - blank) ? CONTENT_RECORDS : CONTENT_JSON;
    else
        *kind = ends_with(path, ".jsonl") ? CONTENT_RECORDS : CONTENT_TABLE;
    free(head);
    return status;
}

static om_status open_file(const char *path, const om_side_options *options, om_side *side,
                           om_error *err)
{
    content kind = CONTENT_TABLE;
    OM_TRY(tell_content(path, &kind, err));
    if (kind == CONTENT_RECORDS)
        return om__records_read(path, options->lenient, &side->set, err);
    side->foreign = true;
    if (kind == CONTENT_JSON)
        return om__foreign_read_json(path, options, &side->set, err);
    return om__foreign_read_csv(path, options, &side->set, err);
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* The tables of a folder, by name. */
static om_status list_tables(const char *path, char ***names, size_t *count, om_error *err)
{
    om_status status = OM_OK;
    size_t capacity = 0;
    DIR *folder = opendir(path);
    *names = NULL;
    *count = 0;
    if (folder == NULL)
        return om__error_set_at(err, OM_IO, path, 0, "cannot read: %s", strerror(errno));
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] == '.' ||
            (!ends_with(entry->d_name, ".csv") && !ends_with(entry->d_name, ".jsonl") &&
             !ends_with(entry->d_name, ".json")))
            continue;
        if (*count == capacity) {
            capacity = capacity == 0 ? 16 : capacity * 2;
            char **grown = realloc(*names, capacity * sizeof **names);
            if (grown == NULL) {
                status = om__error_set(err, OM_NO_MEMORY, "no memory for a folder");
                break;
            }
            *names = grown;
        }
        om_text name = {0};
        om__text_addf(&name, "%s/%s", path, entry->d_name);
        status = om__text_check(&name, err);
        if (status != OM_OK)
            break;
        (*names)[(*count)++] = name.data;
    }
    closedir(folder);
    if (*count > 1)
        qsort(*names, *count, sizeof **names, compare_names);
    return status;
}

static om_status open_folder(const char *path, const om_side_options *options, om_side *side,
                             om_error *err)
{
    om_text records = {0};
    om__text_addf(&records, "%s/records.jsonl", path);
    OM_TRY(om__text_check(&records, err));
    bool own = access(records.data, F_OK) == 0;
    om__text_add(&records, ".zst");
    own = own || (!records.failed && access(records.data, F_OK) == 0);
    om__text_release(&records);
    if (own)
        return om__records_read(path, options->lenient, &side->set, err);
    char **names;
    size_t count;
    om_status status = list_tables(path, &names, &count, err);
    if (status == OM_OK && count == 0)
        status = om__error_set_at(err, OM_IO, path, 0,
                                  "the folder holds no records.jsonl and no tables");
    om_side_options tables = *options;
    tables.suite_from_file = true;
    for (size_t i = 0; i < count && status == OM_OK; i++)
        status = open_file(names[i], &tables, side, err);
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
    return status;
}

/* The name of the folder above the path; free() it. */
static om_status folder_above(const char *path, char **name, om_error *err)
{
    char *real = realpath(path, NULL);
    if (real == NULL)
        return om__error_set_at(err, OM_IO, path, 0, "cannot read: %s", strerror(errno));
    char *slash = strrchr(real, '/');
    *slash = '\0';
    slash = strrchr(real, '/');
    *name = om__strdup(slash != NULL && slash[1] != '\0' ? slash + 1 : "unknown");
    free(real);
    return *name != NULL ? OM_OK : om__error_set(err, OM_NO_MEMORY, "no memory to read %s", path);
}

/* Records of our own that were imported may state no machine either. */
static om_status state_machine(om_side *side, const char *machine, om_error *err)
{
    char *kept = NULL;
    for (size_t i = 0; i < side->set.count; i++) {
        om_record *record = &side->set.items[i];
        if (record->place.machine_class != NULL || !record->shared)
            continue;
        if (kept == NULL)
            kept = om__pool_keep(side->set.pool, machine, strlen(machine));
        if (kept == NULL)
            return om__error_set(err, OM_NO_MEMORY, "no memory for a machine");
        record->place.machine_class = kept;
    }
    return OM_OK;
}

om_status om__side_open(const char *text, const om_side_options *options,
                        const om_side_opener *openers, size_t opener_count, om_side *side,
                        om_error *err)
{
    om_status status = OM_OK;
    om_side_options own = *options;
    char *machine = NULL;
    *side = (om_side){.label = om__strdup(text)};
    if (side->label == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory to read %s", text);
    for (size_t i = 0; i < opener_count; i++)
        if (openers[i].claims(text)) {
            OM_TRY_OUT(openers[i].open(text, options, side, err));
            goto out;
        }
    if (own.machine == NULL) {
        OM_TRY_OUT(folder_above(text, &machine, err));
        own.machine = machine;
        side->machine_guessed = true;
    }
    status =
        om__folder_is(text) ? open_folder(text, &own, side, err) : open_file(text, &own, side, err);
    side->machine_guessed = side->machine_guessed && side->foreign;
out:
    free(machine);
    if (status == OM_OK && options->machine != NULL)
        status = state_machine(side, options->machine, err);
    if (status != OM_OK)
        om__side_release(side);
    return status;
}

void om__side_release(om_side *side)
{
    if (side == NULL)
        return;
    free(side->label);
    om__record_set_release(&side->set);
    *side = (om_side){0};
}

const char *om__side_commit(const om_side *side)
{
    const char *any = NULL;
    for (size_t i = 0; i < side->set.count; i++) {
        const om_record *record = &side->set.items[i];
        if (record->subject.commit == NULL || strcmp(record->subject.commit, "unknown") == 0)
            continue;
        if (record->subject.role == OM_ROLE_OWN)
            return record->subject.commit;
        any = any != NULL ? any : record->subject.commit;
    }
    return any;
}
