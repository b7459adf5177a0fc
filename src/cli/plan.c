/* SPDX-License-Identifier: Apache-2.0 */
/* plan.c: the list of cases a command works on. */
#include "cli/plan.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "bench/workload.h"

void om__plan_release(om_plan *plan)
{
    for (size_t i = 0; i < plan->count; i++)
        om__case_release(&plan->cases[i]);
    free(plan->cases);
    *plan = (om_plan){0};
}

om_status om__plan_add(om_plan *plan, const om_case *c, om_error *err)
{
    if (plan->count == plan->capacity) {
        size_t capacity = plan->capacity > 0 ? 2 * plan->capacity : 64;
        om_case *cases = realloc(plan->cases, capacity * sizeof *cases);
        if (cases == NULL)
            return om__error_set(err, OM_NO_MEMORY, "no memory for the cases");
        plan->cases = cases;
        plan->capacity = capacity;
    }
    OM_TRY(om__case_copy(&plan->cases[plan->count], c, err));
    plan->count++;
    return OM_OK;
}

/* ---- workloads ---- */

static om_status add_workload(om_plan *plan, const om_workload *w, om_error *err)
{
    om_case c = {.suite = w->suite,
                 .table = w->table,
                 .name = w->name,
                 .op = w->op_name,
                 .pass = w->pass,
                 .dtype = w->dtype,
                 .cache = w->cache,
                 .params = w->params};
    return om__plan_add(plan, &c, err);
}

/* The words of the command line as a line of a workload file; texts are borrowed. */
static om_status add_operands(const om_words *operands, om_workloads *set, om_error *err)
{
    om_status status = OM_OK;
    char *op[1] = {(char *)(uintptr_t)operands->items[0]};
    om_wl_line line = {.section = (char *)(uintptr_t) "", .words = op, .word_count = 1};
    if (strchr(op[0], '=') != NULL)
        return om__error_set(err, OM_INVALID,
                             "the first word must be an operator (gemm m=64 n=64 k=64), not '%s'",
                             op[0]);
    for (size_t i = 1; i < operands->count; i++) {
        const char *word = operands->items[i], *equals = strchr(word, '=');
        char key[128];
        if (equals == NULL || equals == word || (size_t)(equals - word) >= sizeof key) {
            status = om__error_set(err, OM_INVALID, "'%s' is no KEY=VALUE", word);
            goto out;
        }
        snprintf(key, sizeof key, "%.*s", (int)(equals - word), word);
        if (om__pairs_find(&line.pairs, key) != NULL) {
            status = om__error_set(err, OM_INVALID, "%s is given twice", key);
            goto out;
        }
        OM_TRY_OUT(om__pairs_set(&line.pairs, key, equals + 1, err));
    }
    OM_TRY_OUT(om__workloads_add_line(set, "command line", "", &line, err));
out:
    om__pairs_release(&line.pairs);
    return status;
}

static om_status add_suites(const om_words *suites, om_workloads *set, om_error *err)
{
    om_status status = OM_OK;
    char *folder = NULL, *path = NULL;
    OM_TRY(om__cli_find("workloads", &folder, err));
    for (size_t i = 0; i < suites->count; i++) {
        OM_TRY_OUT(om__suite_find(folder, suites->items[i], &path, err));
        OM_TRY_OUT(om__workloads_read(set, path, err));
        free(path);
        path = NULL;
    }
out:
    free(path);
    free(folder);
    return status;
}

static om_status filter(const om_words *operands, const char *sections, om_workloads *set,
                        om_error *err)
{
    om_status status = OM_OK;
    size_t count = 0;
    char **filters = calloc(operands->count + 2, sizeof *filters);
    if (filters == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for filters");
    for (size_t i = 0; i < operands->count + (sections != NULL); i++) {
        om_text text = {0};
        const char *word = i < operands->count ? operands->items[i] : sections;
        om__text_addf(&text, "%s%s",
                      i == operands->count        ? "section="
                      : strchr(word, '=') == NULL ? "op="
                                                  : "",
                      word);
        filters[count++] = text.data;
        OM_TRY_OUT(om__text_check(&text, err));
    }
    OM_TRY_OUT(om__workloads_filter(set, (const char *const *)filters, count, err));
out:
    for (size_t i = 0; i < count; i++)
        free(filters[i]);
    free(filters);
    return status;
}

om_status om__plan_make(const om_words *suites, const om_words *operands, const char *sections,
                        om_plan *plan, om_error *err)
{
    om_status status = OM_OK;
    om_workloads set = {0};
    if (suites->count == 0) {
        OM_TRY_OUT(add_operands(operands, &set, err));
    } else {
        OM_TRY_OUT(add_suites(suites, &set, err));
        OM_TRY_OUT(filter(operands, sections, &set, err));
    }
    for (size_t i = 0; i < set.count; i++)
        OM_TRY_OUT(add_workload(plan, &set.items[i], err));
out:
    om__workloads_release(&set);
    return status;
}

/* ---- small things ---- */

om_status om__duration_parse(const char *text, double *seconds, om_error *err)
{
    static const struct {
        const char *unit;
        double seconds;
    } units[] = {{"", 1}, {"ms", 1e-3}, {"s", 1}, {"min", 60}, {"m", 60}, {"h", 3600}};
    char number[64];
    double value;
    size_t size = strspn(text, "0123456789.");
    for (size_t i = 0; size > 0 && size < sizeof number && i < sizeof units / sizeof units[0];
         i++) {
        if (strcmp(text + size, units[i].unit) != 0)
            continue;
        snprintf(number, sizeof number, "%.*s", (int)size, text);
        if (om__parse_double(number, &value) && value > 0) {
            *seconds = value * units[i].seconds;
            return OM_OK;
        }
    }
    return om__error_set(err, OM_INVALID, "'%s' is no duration: write 500ms, 20s, 5min or 1.5h",
                         text);
}

/* Whether the lines of an environment set the variable of "VAR=VALUE", or both set nothing. */
static bool sets_variable(const char *lines, const char *setting)
{
    size_t size = strcspn(setting, "=");
    if (lines == NULL || *lines == '\0' || size == 0 || setting[size] == '\0')
        return true; /* the plain setting and another one under one name */
    for (const char *line = lines; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, setting, size + 1) == 0)
            return true;
    }
    return false;
}

om_status om__variants_parse(const om_words *words, om_variant **variants, size_t *count,
                             om_error *err)
{
    *count = 0;
    *variants = calloc(words->count + 1, sizeof **variants);
    if (*variants == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for variants");
    for (size_t i = 0; i < words->count; i++) {
        const char *word = words->items[i], *colon = strchr(word, ':');
        const char *equals = colon != NULL ? strchr(colon, '=') : NULL;
        /* "NAME:" alone is the plain setting under a name, to stand beside the others. */
        if (colon == NULL || colon == word || (colon[1] != '\0' && equals == NULL) ||
            equals == colon + 1 || strpbrk(word, "\n\t") != NULL)
            return om__error_set(err, OM_INVALID, "'%s' is no variant: write NAME:VAR=VALUE", word);
        size_t v = 0, size = (size_t)(colon - word);
        while (v < *count &&
               (strncmp((*variants)[v].name, word, size) != 0 || (*variants)[v].name[size] != '\0'))
            v++;
        om_text environment = {0};
        if (v == *count) {
            om_text name = {0};
            om__text_add_bytes(&name, word, size);
            if (name.data == NULL)
                return om__error_set(err, OM_NO_MEMORY, "no memory for variants");
            (*variants)[(*count)++] = (om_variant){.name = name.data};
        } else if (sets_variable((*variants)[v].environment, colon + 1)) {
            return om__error_set(err, OM_INVALID,
                                 "variant '%.*s' has two settings (%s and %s): give each a name of "
                                 "its own",
                                 (int)size, word,
                                 (*variants)[v].environment[0] != '\0' ? (*variants)[v].environment
                                                                       : "none",
                                 colon[1] != '\0' ? colon + 1 : "none");
        } else if ((*variants)[v].environment != NULL) {
            om__text_addf(&environment, "%s\n", (*variants)[v].environment);
        }
        om__text_add(&environment, colon + 1);
        OM_TRY(om__text_check(&environment, err));
        free((char *)(uintptr_t)(*variants)[v].environment);
        (*variants)[v].environment = environment.data;
    }
    return OM_OK;
}

void om__variants_release(om_variant *variants, size_t count)
{
    for (size_t i = 0; variants != NULL && i < count; i++) {
        free((char *)(uintptr_t)variants[i].name);
        free((char *)(uintptr_t)variants[i].environment);
    }
    free(variants);
}

char *om__case_label(const om_case *c)
{
    _Alignas(max_align_t) char args[OM_MAX_ARGS_SIZE];
    om_pairs shown = {0};
    om_text text = {0};
    const om_op *op = c->op != NULL ? om__op_find(c->op, c->pass) : NULL;
    om__text_add(&text, c->op != NULL ? c->op : c->name != NULL ? c->name : "?");
    if (c->pass != NULL && strcmp(c->pass, "forward") != 0)
        om__text_addf(&text, " pass=%s", c->pass);
    bool is_short = op != NULL && om__args_parse(op, &c->params, args, NULL) == OM_OK &&
                    om__args_format_short(op, args, &shown, NULL) == OM_OK;
    char *words = om__pairs_format(is_short ? &shown : &c->params);
    if (words != NULL && words[0] != '\0')
        om__text_addf(&text, " %s", words);
    free(words);
    om__pairs_release(&shown);
    return text.data;
}

volatile int om__interrupts;

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    om__interrupts = om__interrupts + 1;
}

void om__interrupts_catch(void)
{
    struct sigaction action = {.sa_handler = on_interrupt};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}
