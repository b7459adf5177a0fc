/* SPDX-License-Identifier: Apache-2.0 */
/* policy.c: what a gate forgives and what it does not. */
#include "compare/policy.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static const char *const fail_words[] = {"slower", "missing", "suspect"};

om_status om__share_parse(const char *text, const char *what, double *share, om_error *err)
{
    char number[64];
    size_t size = strlen(text);
    double value;
    if (size < 2 || size > sizeof number || text[size - 1] != '%')
        return om__error_set(err, OM_INVALID, "%s=%.40s needs a unit: write 5%%", what, text);
    memcpy(number, text, size - 1);
    number[size - 1] = '\0';
    if (!om__parse_double(number, &value) || value <= 0 || value >= 100)
        return om__error_set(err, OM_INVALID, "%s=%.40s is no share between 0%% and 100%%", what,
                             text);
    *share = value / 100;
    return OM_OK;
}

static bool is_date(const char *text)
{
    if (strlen(text) != 10 || text[4] != '-' || text[7] != '-')
        return false;
    for (size_t i = 0; i < 10; i++)
        if (i != 4 && i != 7 && (text[i] < '0' || text[i] > '9'))
            return false;
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int year = atoi(text), month = atoi(text + 5), day = atoi(text + 8);
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month >= 1 && month <= 12 && day >= 1 &&
           day <= days[month - 1] + (month == 2 && leap ? 1 : 0);
}

static om_status at_line(om_status status, const om_policy *policy, const om_wl_line *line,
                         om_error *err)
{
    if (status != OM_OK && err != NULL && err->file[0] == '\0') {
        snprintf(err->file, sizeof err->file, "%s", policy->wl.file != NULL ? policy->wl.file : "");
        err->line = line->line;
        err->code = OM_PARSE;
        return OM_PARSE;
    }
    return status;
}

static om_status check_share(const om_wl_line *line, const char *key, om_error *err)
{
    double share;
    const char *text = om__pairs_find(&line->pairs, key);
    return text != NULL ? om__share_parse(text, key, &share, err) : OM_OK;
}

static om_status check_fail_word(const char *word, om_error *err)
{
    for (size_t i = 0; i < sizeof fail_words / sizeof *fail_words; i++)
        if (strcmp(fail_words[i], word) == 0)
            return OM_OK;
    return om__error_set(err, OM_INVALID, "a gate fails on slower, missing or suspect, not '%.40s'",
                         word);
}

static om_status check_line(const om_wl_line *line, om_error *err)
{
    const char *kind = line->word_count > 0 ? line->words[0] : "";
    if (strcmp(kind, "fail") == 0) {
        for (size_t i = 1; i < line->word_count; i++)
            OM_TRY(check_fail_word(line->words[i], err));
        return line->word_count > 1 && line->pairs.count == 0
                   ? OM_OK
                   : om__error_set(err, OM_INVALID, "fail takes words: slower missing suspect");
    }
    if (strcmp(kind, "floor") != 0 && strcmp(kind, "allow") != 0)
        return om__error_set(err, OM_INVALID,
                             "a policy line begins with floor, allow or fail, "
                             "not '%.40s'",
                             kind);
    if (line->word_count != 2)
        return om__error_set(err, OM_INVALID, "%s takes one pattern, such as gemm/llama*", kind);
    if (kind[0] == 'f') {
        OM_TRY(check_share(line, "effect", err));
        OM_TRY(check_share(line, "tolerance", err));
        return om__pairs_find(&line->pairs, "effect") != NULL ||
                       om__pairs_find(&line->pairs, "tolerance") != NULL
                   ? OM_OK
                   : om__error_set(err, OM_INVALID, "floor says neither effect= nor tolerance=");
    }
    const char *until = om__pairs_find(&line->pairs, "until");
    OM_TRY(check_share(line, "max", err));
    if (om__pairs_find(&line->pairs, "max") == NULL)
        return om__error_set(err, OM_INVALID, "allow says no max=, such as max=5%%");
    if (om__pairs_find(&line->pairs, "reason") == NULL)
        return om__error_set(err, OM_INVALID, "allow says no reason=\"…\"");
    if (until != NULL && !is_date(until))
        return om__error_set(err, OM_INVALID, "until=%.40s is no date such as 2027-01-31", until);
    return OM_OK;
}

static om_status check(om_policy *policy, om_error *err)
{
    om_status status = OM_OK;
    for (size_t i = 0; i < policy->wl.count && status == OM_OK; i++) {
        status = check_line(&policy->wl.lines[i], err);
        status = at_line(status, policy, &policy->wl.lines[i], err);
    }
    if (status != OM_OK)
        om__policy_release(policy);
    return status;
}

om_status om__policy_read(const char *path, om_policy *policy, om_error *err)
{
    *policy = (om_policy){0};
    OM_TRY(om__wl_read(path, &policy->wl, err));
    return check(policy, err);
}

om_status om__policy_parse(const char *text, size_t size, const char *file, om_policy *policy,
                           om_error *err)
{
    *policy = (om_policy){0};
    OM_TRY(om__wl_parse(text, size, file, &policy->wl, err));
    return check(policy, err);
}

void om__policy_release(om_policy *policy)
{
    if (policy == NULL)
        return;
    om__wl_release(&policy->wl);
    *policy = (om_policy){0};
}

/* ---- which lines concern a row ---- */

static bool matches_pattern(const char *pattern, const char *group, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", group, name);
    return fnmatch(pattern, path, 0) == 0;
}

static bool is_own_setting(const char *key)
{
    static const char *const own[] = {"effect", "tolerance", "max", "until", "reason"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(own[i], key) == 0)
            return true;
    return false;
}

static bool concerns(const om_wl_line *line, const om_cell *cell)
{
    const om_record *record = cell->base != NULL ? cell->base : cell->head;
    const char *pattern = line->words[1];
    if (!matches_pattern(pattern, cell->op, cell->name) &&
        !matches_pattern(pattern, cell->suite, cell->name) && fnmatch(pattern, cell->name, 0) != 0)
        return false;
    for (size_t i = 0; i < line->pairs.count; i++) {
        const om_pair *pair = &line->pairs.items[i];
        const char *value;
        if (is_own_setting(pair->key))
            continue;
        if (strcmp(pair->key, "provider") == 0)
            value = cell->provider;
        else if (strcmp(pair->key, "machine") == 0)
            value = cell->machine;
        else if (strcmp(pair->key, "pass") == 0)
            value = cell->pass;
        else
            value = om__pairs_find(&record->benchmark.params, pair->key);
        if (value == NULL || strcmp(value, pair->value) != 0)
            return false;
    }
    return true;
}

void om__policy_floor(const om_policy *policy, const om_cell *cell, double *floor,
                      double *tolerance)
{
    for (size_t i = 0; policy != NULL && i < policy->wl.count; i++) {
        const om_wl_line *line = &policy->wl.lines[i];
        if (strcmp(line->words[0], "floor") != 0 || !concerns(line, cell))
            continue;
        const char *effect = om__pairs_find(&line->pairs, "effect");
        const char *same = om__pairs_find(&line->pairs, "tolerance");
        if (effect != NULL)
            (void)!om__share_parse(effect, "effect", floor, NULL);
        if (same != NULL)
            (void)!om__share_parse(same, "tolerance", tolerance, NULL);
    }
}

/* ---- the gate ---- */

typedef enum allowance { NOT_ALLOWED, ALLOWED, EXPIRED, OUTGROWN } allowance;

/* By the last line that concerns the row. A row is 1/ratio - 1 slower. */
static allowance find_allowance(const om_policy *policy, const om_cell *cell, const char *today)
{
    allowance found = NOT_ALLOWED;
    for (size_t i = 0; policy != NULL && i < policy->wl.count; i++) {
        const om_wl_line *line = &policy->wl.lines[i];
        double most = 0.0;
        if (strcmp(line->words[0], "allow") != 0 || !concerns(line, cell))
            continue;
        const char *until = om__pairs_find(&line->pairs, "until");
        (void)!om__share_parse(om__pairs_find(&line->pairs, "max"), "max", &most, NULL);
        if (until != NULL && strcmp(today, until) > 0)
            found = EXPIRED;
        else
            found = 1 / cell->ratio - 1 > most ? OUTGROWN : ALLOWED;
    }
    return found;
}

static om_status read_fail_words(const om_policy *policy, const char *const *given, size_t count,
                                 bool fails[3], om_error *err)
{
    bool stated = given != NULL;
    for (size_t i = 0; given != NULL && i < count; i++) {
        OM_TRY(check_fail_word(given[i], err));
        for (size_t w = 0; w < 3; w++)
            fails[w] = fails[w] || strcmp(fail_words[w], given[i]) == 0;
    }
    for (size_t i = 0; given == NULL && policy != NULL && i < policy->wl.count; i++) {
        const om_wl_line *line = &policy->wl.lines[i];
        if (strcmp(line->words[0], "fail") != 0)
            continue;
        stated = true;
        for (size_t k = 1; k < line->word_count; k++)
            for (size_t w = 0; w < 3; w++)
                fails[w] = fails[w] || strcmp(fail_words[w], line->words[k]) == 0;
    }
    for (size_t w = 0; w < 3 && !stated; w++)
        fails[w] = true;
    return OM_OK;
}

static void add_count(om_text *text, size_t count, const char *what)
{
    if (count > 0)
        om__text_addf(text, "%s%zu %s", text->size > 0 ? ", " : "", count, what);
}

static om_status say_why(const om_comparison *comparison, om_gate *gate, om_error *err)
{
    om_text parts = {0};
    size_t cut = 0;
    if (gate->slower > gate->expired + gate->outgrown)
        add_count(&parts, gate->slower - gate->expired - gate->outgrown, "slower");
    add_count(&parts, gate->outgrown, "slower than allowed");
    add_count(&parts, gate->expired, "slower with an allowance that is out of date");
    add_count(&parts, gate->missing, "missing");
    add_count(&parts, gate->suspect, gate->suspect == 1 ? "suspect section" : "suspect sections");
    for (size_t s = 0; s < comparison->section_count; s++) {
        const om_section *section = &comparison->sections[s];
        cut += section->in_turns && (!section->judged || section->due > 0);
    }
    add_count(&parts, cut, "A/B run cut off before it could decide");
    gate->trips = parts.size > 0;
    om__text_addf(&gate->reason, "%s: %s (%zu row%s compared", gate->trips ? "trips" : "passes",
                  gate->trips ? parts.data : "nothing that counts against it", comparison->compared,
                  comparison->compared == 1 ? "" : "s");
    if (gate->acknowledged > 0)
        om__text_addf(&gate->reason, ", %zu acknowledged", gate->acknowledged);
    om__text_add(&gate->reason, ")");
    /* A gate that could not have tripped must not look like one that looked and found nothing. */
    size_t launches = 0;
    for (size_t s = 0; s < comparison->section_count; s++)
        if (comparison->sections[s].launches_needed > launches)
            launches = comparison->sections[s].launches_needed;
    if (!gate->trips && comparison->counts[OM_VERDICT_SLOWER] == 0 &&
        comparison->counts[OM_VERDICT_FASTER] == 0 && comparison->counts[OM_VERDICT_SAME] == 0) {
        om__text_add(&gate->reason, "; but no row has a verdict, so nothing could trip it");
        if (launches > 0 && !comparison->sections[0].in_turns)
            om__text_addf(&gate->reason, ": that takes %zu launches a side, or `opmark ab`",
                          launches);
    }
    om__text_release(&parts);
    return om__text_check(&gate->reason, err);
}

om_status om__gate_judge(const om_comparison *comparison, const om_policy *policy,
                         const char *const *fail, size_t fail_count, const char *today,
                         om_gate *gate, om_error *err)
{
    bool fails[3] = {false, false, false};
    *gate = (om_gate){0};
    if (!is_date(today))
        return om__error_set(err, OM_INVALID, "'%.40s' is no date such as 2027-01-31", today);
    OM_TRY(read_fail_words(policy, fail, fail_count, fails, err));
    for (size_t i = 0; i < comparison->cell_count; i++) {
        const om_cell *cell = &comparison->cells[i];
        if (cell->rival)
            continue;
        bool lost = cell->verdict == OM_VERDICT_MISSING || cell->new_failed;
        gate->missing += fails[1] && lost;
        if (cell->verdict != OM_VERDICT_SLOWER || cell->derived)
            continue;
        switch (find_allowance(policy, cell, today)) {
        case ALLOWED:
            gate->acknowledged++;
            continue;
        case EXPIRED:
            gate->expired += fails[0];
            break;
        case OUTGROWN:
            gate->outgrown += fails[0];
            break;
        case NOT_ALLOWED:
            break;
        }
        gate->slower += fails[0];
    }
    gate->suspect = fails[2] ? comparison->suspect_sections : 0;
    return say_why(comparison, gate, err);
}

void om__gate_release(om_gate *gate)
{
    if (gate == NULL)
        return;
    om__text_release(&gate->reason);
    *gate = (om_gate){0};
}
