/* SPDX-License-Identifier: Apache-2.0 */
/* pull_report.c: a comparison as a section of a comment. */
#include "forge/pull_report.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "report/compare_document.h"
#include "report/format_md.h"

/* Rows of a table at each step of cutting; 0 stands for all of them. After the last step only
 * counts are left. */
static const size_t steps[] = {0, 400, 200, 100, 60, 40, 25, 15, 10, 6, 4, 2, 1};

/* The markers of a section and its end, with the longest key and commit. */
#define MARKERS_BYTES 512

/* ---- who and what ---- */

/* A machine class is free text; a key has an alphabet of its own. */
static char *key_of(const char *machine)
{
    char *key = om__strdup(machine);
    if (key == NULL)
        return NULL;
    size_t size = 0;
    for (const char *c = machine; *c != '\0' && size < 80; c++) {
        bool plain = isalnum((unsigned char)*c) || strchr("._-", *c) != NULL;
        if (plain || (size > 0 && key[size - 1] != '-'))
            key[size++] = plain ? *c : '-';
    }
    while (size > 0 && key[size - 1] == '-')
        size--;
    key[size] = '\0';
    return key;
}

static om_status choose_key(const om_comparison *comparison, const om_pull_options *options,
                            om_comment_section *section, om_error *err)
{
    const char *machine = options->key;
    for (size_t i = 0; machine == NULL && i < comparison->section_count; i++)
        machine = comparison->sections[i].machine;
    for (size_t i = 0; options->key == NULL && i < comparison->section_count; i++)
        if (strcmp(comparison->sections[i].machine, machine) != 0)
            return om__error_set(err, OM_INVALID,
                                 "the comparison has rows of several machines (%s, %s): compare "
                                 "each alone, or name the section",
                                 machine, comparison->sections[i].machine);
    section->key =
        options->key != NULL ? om__strdup(options->key) : key_of(machine != NULL ? machine : "");
    if (section->key == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a section");
    if (!om__section_word_is_valid(section->key))
        return om__error_set(err, OM_INVALID, "'%s' is no section key", section->key);
    return OM_OK;
}

static om_status choose_commit(const om_comparison *comparison, const om_pull_options *options,
                               om_comment_section *section, om_error *err)
{
    const char *commit = options->commit;
    for (size_t i = 0; commit == NULL && i < comparison->cell_count; i++)
        if (comparison->cells[i].head != NULL)
            commit = comparison->cells[i].head->subject.commit;
    if (commit == NULL || !om__section_word_is_valid(commit))
        return om__error_set(err, OM_INVALID, "no commit is known of the new side: name it");
    section->commit = om__strdup(commit);
    return section->commit != NULL ? OM_OK
                                   : om__error_set(err, OM_NO_MEMORY, "no memory for a section");
}

/* ---- the text ---- */

static void write_details(const om_document *document, size_t rows, const char *full, om_text *out)
{
    for (size_t i = 0; i < document->table_count; i++) {
        const om_table *table = &document->tables[i];
        bool is_open = strncmp(table->heading, "Slower", strlen("Slower")) == 0 ||
                       strcmp(table->heading, "Suites") == 0;
        om__md_table(table, !is_open, "####", out);
    }
    if (rows > 0 && full != NULL)
        om__text_addf(out, "\nFull report: %s\n", full);
}

static om_status write_section(const om_comparison *comparison, const om_pull_options *options,
                               size_t rows, om_text *headline, om_text *details, om_error *err)
{
    om_document document = {0};
    om_compare_view view = {.rows = rows, .no_data = true};
    om__text_clear(headline);
    om__text_clear(details);
    OM_TRY(om__comparison_document(comparison, 1, &view, &document, err));
    om__md_head(&document, headline);
    write_details(&document, rows, options->full, details);
    om__document_release(&document);
    OM_TRY(om__text_check(headline, err));
    return om__text_check(details, err);
}

static om_status counts_only(const om_comparison *comparison, const om_pull_options *options,
                             om_text *details)
{
    om__text_clear(details);
    om__text_addf(details, "_The rows are left out: %zu of them are over the budget of %zu bytes._",
                  comparison->cell_count, options->budget_bytes);
    if (options->full != NULL)
        om__text_addf(details, " Full report: %s", options->full);
    return om__text_check(details, NULL);
}

static om_status fit(const om_comparison *comparison, const om_pull_options *options,
                     om_text *headline, om_text *details, om_error *err)
{
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        OM_TRY(write_section(comparison, options, steps[i], headline, details, err));
        if (headline->size + details->size + MARKERS_BYTES <= options->budget_bytes)
            return OM_OK;
    }
    OM_TRY(counts_only(comparison, options, details));
    if (headline->size + details->size + MARKERS_BYTES <= options->budget_bytes)
        return OM_OK;
    return om__error_set(err, OM_INVALID, "the headline takes %zu bytes, over the budget of %zu",
                         headline->size, options->budget_bytes);
}

om_status om__pull_report(const om_comparison *comparison, const om_pull_options *options,
                          om_comment_section *section, om_error *err)
{
    om_status status = OM_OK;
    om_text headline = {0}, details = {0};
    *section = (om_comment_section){.sequence = options->sequence};
    om__text_add(&headline, "");
    OM_TRY_OUT(choose_key(comparison, options, section, err));
    OM_TRY_OUT(choose_commit(comparison, options, section, err));
    om_text title = {0};
    OM_TRY_OUT(fit(comparison, options, &headline, &details, err));
    om__text_addf(&title, "### %s\n\n%s", section->key, headline.data);
    section->headline = title.data;
    section->details = om__strdup(details.data != NULL ? details.data : "");
    if (title.failed || section->details == NULL)
        status = om__error_set(err, OM_NO_MEMORY, "no memory for a section");
out:
    if (status != OM_OK)
        om__section_release(section);
    om__text_release(&headline);
    om__text_release(&details);
    return status;
}
