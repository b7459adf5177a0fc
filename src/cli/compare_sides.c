/* SPDX-License-Identifier: Apache-2.0 */
/* compare_sides.c: opening and comparing the sides of `compare` and `gate`. */
#include "cli/compare_sides.h"
#include "cli/git.h"
#include "cli/side_openers.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/output.h"

const char *const om__replicate_words[] = {"launches", "samples", NULL};

static om_status read_share(const char *text, const char *name, double *share, om_error *err)
{
    return text == NULL ? OM_OK : om__share_parse(text, name, share, err);
}

static om_status read_options(const om_compare_config *config, om_compare_job *job,
                              om_compare_options *options, om_error *err)
{
    if (strcmp(config->replicate, "samples") == 0)
        options->replicate = OM_REPLICATE_SAMPLES;
    options->all_runs = config->all_runs;
    options->first_calls = config->first_calls;
    options->merge_base = config->merge_base;
    OM_TRY(read_share(config->threshold, "--threshold", &options->threshold, err));
    OM_TRY(read_share(config->floor, "--floor", &options->floor, err));
    OM_TRY(read_share(config->tolerance, "--tolerance", &options->tolerance, err));
    if (config->aliases != NULL) {
        OM_TRY(om__aliases_read(config->aliases, &job->aliases, err));
        options->aliases = &job->aliases;
    }
    if (config->policy != NULL) {
        OM_TRY(om__policy_read(config->policy, &job->policy, err));
        options->policy = &job->policy;
    }
    return OM_OK;
}

static om_status open_sides(const om_compare_config *config, const om_words *operands,
                            om_compare_job *job, om_error *err)
{
    size_t opener_count;
    const om_side_opener *openers = om__side_openers_get(&opener_count);
    om_status first_status = OM_OK;
    size_t first_fault = operands->count;
    job->side_count = operands->count;
    /* Each side has records and a pool of its own. The fault told of is that of the first operand
     * that has one, whichever thread was quicker. */
#pragma omp parallel for schedule(dynamic) if (operands->count > 1)
    for (size_t i = 0; i < operands->count; i++) {
        om_side_options options = {
            .map = config->map, .lenient = config->lenient, .strict = config->strict};
        om_error why = {0};
        if (config->machine.count > 0)
            options.machine = config->machine.items[config->machine.count == 1 ? 0 : i];
        om_status status = om__side_open(operands->items[i], &options, openers, opener_count,
                                         &job->sides[i], &why);
        if (status != OM_OK)
#pragma omp critical(om_sides)
            if (i < first_fault) {
                first_fault = i;
                first_status = status;
                *err = why;
            }
    }
    return first_status;
}

/* What the records state, where that is a commit's own name: a branch or tag is another commit by
 * now. */
static const char *stated_commit(const om_side *side)
{
    const char *commit = om__side_commit(side);
    size_t digits = commit != NULL ? strspn(commit, "0123456789abcdef") : 0;
    return digits >= 7 && (commit[digits] == '\0' || commit[digits] == '-') ? commit : NULL;
}

/* git is asked where both sides name commits that differ; that it cannot tell is said only where it
 * was wanted. */
static om_status read_history(const om_compare_config *config, const om_compare_job *job, size_t at,
                              om_history *history, om_compare_options *options, om_error *err)
{
    bool wanted =
        config->merge_base != NULL || config->repository != NULL || config->base_commit != NULL;
    const char *base =
        config->base_commit != NULL ? config->base_commit : stated_commit(&job->sides[0]);
    const char *head = config->commit != NULL ? config->commit : stated_commit(&job->sides[at]);
    options->history = NULL;
    if (!wanted && (base == NULL || head == NULL || strcmp(base, head) == 0))
        return OM_OK;
    OM_TRY(om__git_history(config->repository, base, head, history, err));
    if (wanted || history->known)
        options->history = history;
    return OM_OK;
}

int om__compare_job_run(const om_command *command, const om_compare_config *config,
                        const om_words *operands, om_compare_job *job)
{
    om_error err = {0};
    om_compare_options options = {0};
    *job = (om_compare_job){0};
    if (operands->count < 2)
        return om__cli_usage(command, "two sides are needed: BASE and NEW");
    if (config->machine.count > 1 && config->machine.count != operands->count)
        return om__cli_usage(command, "--machine is given once for all sides, or once for each");
    if (config->strict && config->lenient)
        return om__cli_usage(command, "--strict and --lenient exclude each other");
    if (config->merge_base != NULL && config->merge_base[0] == '\0')
        return om__cli_usage(command, "--merge-base is empty: name a commit");
    job->sides = calloc(operands->count, sizeof *job->sides);
    job->comparisons = calloc(operands->count, sizeof *job->comparisons);
    if (job->sides == NULL || job->comparisons == NULL) {
        om__error_set(&err, OM_NO_MEMORY, "no memory for %zu sides", operands->count);
        return om__cli_fail(&err);
    }
    if (read_options(config, job, &options, &err) != OM_OK ||
        open_sides(config, operands, job, &err) != OM_OK)
        return om__cli_fail_input(&err);
    for (size_t i = 1; i < job->side_count; i++) {
        om_history history;
        if (read_history(config, job, i, &history, &options, &err) != OM_OK ||
            om__comparison_init(&job->sides[0], &job->sides[i], &options, &job->comparisons[i - 1],
                                &err) != OM_OK)
            return om__cli_fail(&err);
    }
    return OM_EXIT_OK;
}

om_status om__compare_job_write(const om_compare_job *job, const om_compare_view *view,
                                const char *format, const char *out, bool defuse, om_error *err)
{
    om_format_options options = om__output_options(out);
    om_document document = {0};
    om_text text = {0};
    const om_format *form = om__format_find(format);
    om_compare_view shown = *view;
    options.defuse = defuse;
    shown.no_data = !form->data;
    OM_TRY(om__comparison_document(job->comparisons, job->side_count - 1, &shown, &document, err));
    om_status status = om__document_write(&document, form, &options, &text, err);
    if (status == OM_OK)
        status = om__output_write(out, &text, err);
    om__text_release(&text);
    om__document_release(&document);
    return status;
}

void om__compare_job_release(om_compare_job *job)
{
    for (size_t i = 0; i < job->side_count; i++) {
        if (i > 0)
            om__comparison_release(&job->comparisons[i - 1]);
        om__side_release(&job->sides[i]);
    }
    free(job->sides);
    free(job->comparisons);
    om__aliases_release(&job->aliases);
    om__policy_release(&job->policy);
    *job = (om_compare_job){0};
}
