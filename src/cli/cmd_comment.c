/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_comment.c: `opmark comment pack|merge|post`: a report's way into a pull request. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "cli/command.h"
#include "cli/option.h"
#include "cli/output.h"
#include "forge/artifact.h"
#include "forge/defuse.h"
#include "forge/forge.h"

typedef struct comment_config {
    const char *machine, *commit, *headline, *details, *out;
    int64_t sequence;
    const char *forge, *api, *repository, *number, *token_file, *token_env, *summary;
    int64_t budget, timeout, pause;
} comment_config;

#define AT(field) offsetof(comment_config, field)

static const char *const forge_words[] = {"github", "gitlab", NULL};

static const om_option options[] = {
    {"machine", 0, OM_OPTION_TEXT, AT(machine), "KEY", NULL, NULL,
     "pack: the section's key, one a machine class (letters, digits, '.', '_', '-')"},
    {"commit", 0, OM_OPTION_TEXT, AT(commit), "NAME", NULL, NULL,
     "pack: the commit that was measured"},
    {"sequence", 0, OM_OPTION_INT, AT(sequence), "N", "0", NULL,
     "pack: orders the commits of one pull request: the CI's run number, or the commit time"},
    {"headline", 0, OM_OPTION_TEXT, AT(headline), "FILE", NULL, NULL,
     "pack: markdown that stays when the comment has to be cut"},
    {"details", 0, OM_OPTION_TEXT, AT(details), "FILE", NULL, NULL, "pack: the rest of the report"},
    {"out", 'o', OM_OPTION_TEXT, AT(out), "FILE", NULL, NULL,
     "pack: the artifact to write (report.json); merge: the comment (standard output)"},
    {"forge", 0, OM_OPTION_TEXT, AT(forge), "NAME", "github", forge_words, "post: where to"},
    {"api", 0, OM_OPTION_TEXT, AT(api), "URL", NULL, NULL,
     "post: base address of the API, for an instance of your own"},
    {"repository", 0, OM_OPTION_TEXT, AT(repository), "NAME", NULL, NULL,
     "post: owner/name, or the project's path"},
    {"number", 0, OM_OPTION_TEXT, AT(number), "N", NULL, NULL,
     "post: of the pull or merge request"},
    {"token-file", 0, OM_OPTION_TEXT, AT(token_file), "FILE", NULL, NULL,
     "post: the file that holds the token"},
    {"token-env", 0, OM_OPTION_TEXT, AT(token_env), "NAME", "OPMARK_TOKEN", NULL,
     "post: the environment variable that holds the token, where no file is named"},
    {"summary", 0, OM_OPTION_TEXT, AT(summary), "FILE", NULL, NULL,
     "post: append the report to this file too (a CI's step summary)"},
    {"budget", 0, OM_OPTION_INT, AT(budget), "BYTES", "65536", NULL,
     "merge, post: the most bytes a comment may take"},
    {"timeout", 0, OM_OPTION_INT, AT(timeout), "SECONDS", "120", NULL,
     "post: for everything together"},
    {"pause", 0, OM_OPTION_INT, AT(pause), "MS", "1000", NULL,
     "post: before the first retry; doubles with each"},
};

/* ---- pack ---- */

static om_status read_markdown(const char *path, char **text, om_error *err)
{
    size_t size;
    if (path == NULL) {
        *text = om__strdup("");
        return *text != NULL ? OM_OK : om__error_set(err, OM_NO_MEMORY, "no memory");
    }
    OM_TRY(om__file_read(path, OM_ARTIFACT_MOST_BYTES / 2, text, &size, err));
    if (strlen(*text) != size)
        return om__error_set_at(err, OM_PARSE, path, 0, "holds a NUL byte");
    return OM_OK;
}

static om_status pack(const comment_config *config, om_error *err)
{
    om_status status = OM_OK;
    om_comment_section section = {.sequence = config->sequence};
    if (!om__section_word_is_valid(config->machine) || !om__section_word_is_valid(config->commit))
        return om__error_set(
            err, OM_INVALID,
            "pack needs --machine and --commit: 1 to 80 letters, digits, '.', '_', '-'");
    if (config->headline == NULL)
        return om__error_set(err, OM_INVALID, "pack needs --headline FILE");
    section.key = om__strdup(config->machine);
    section.commit = om__strdup(config->commit);
    OM_TRY_OUT(read_markdown(config->headline, &section.headline, err));
    OM_TRY_OUT(read_markdown(config->details, &section.details, err));
    OM_TRY_OUT(
        om__artifact_write(config->out != NULL ? config->out : "report.json", &section, err));
out:
    om__section_release(&section);
    return status;
}

/* ---- merge ---- */

static om_status check_budget(const comment_config *config, om_error *err)
{
    if (config->budget < 1024 || config->budget > INT32_MAX)
        return om__error_set(err, OM_INVALID, "--budget %lld: 1024 bytes or more",
                             (long long)config->budget);
    return OM_OK;
}

static om_status merge(const comment_config *config, const char *old_path, const char *new_path,
                       om_error *err)
{
    om_status status = OM_OK;
    om_comment_section section = {0};
    om_text merged = {0};
    char *old = NULL;
    OM_TRY(check_budget(config, err));
    OM_TRY_OUT(read_markdown(old_path, &old, err));
    OM_TRY_OUT(om__artifact_read(new_path, &section, err));
    OM_TRY_OUT(om__sections_merge(old, &section, (size_t)config->budget, &merged, err));
    status = om__output_write(config->out, &merged, err);
out:
    free(old);
    om__section_release(&section);
    om__text_release(&merged);
    return status;
}

/* ---- post ---- */

static om_status read_token(const comment_config *config, char **token, om_error *err)
{
    size_t size;
    if (config->token_file != NULL) {
        OM_TRY(om__file_read(config->token_file, 4096, token, &size, err));
    } else {
        const char *value = getenv(config->token_env);
        if (value == NULL || *value == '\0')
            return om__error_set(err, OM_IO,
                                 "no token: %s is not set and no --token-file was given",
                                 config->token_env);
        *token = om__strdup(value);
        if (*token == NULL)
            return om__error_set(err, OM_NO_MEMORY, "no memory");
    }
    (*token)[strcspn(*token, "\r\n")] = '\0';
    if (**token == '\0')
        return om__error_set(err, OM_IO, "the token is empty");
    return OM_OK;
}

/* The report must not be lost with the permission to post it: it goes to the log and to the step
 * summary. */
static void show_report(const comment_config *config, const om_comment_section *section)
{
    printf("%s\n\n%s\n", section->headline, section->details);
    fflush(stdout);
    if (config->summary == NULL)
        return;
    FILE *file = fopen(config->summary, "a");
    if (file == NULL) {
        fprintf(stderr, "opmark: cannot append to %s\n", config->summary);
        return;
    }
    fprintf(file, "%s\n\n%s\n", section->headline, section->details);
    if (fclose(file) != 0)
        fprintf(stderr, "opmark: cannot append to %s\n", config->summary);
}

static om_status send(const comment_config *config, const om_comment_section *section,
                      om_error *err)
{
    om_status status = OM_OK;
    char *token = NULL, *where = NULL;
    OM_TRY_OUT(read_token(config, &token, err));
    om_post_target target = {
        .forge = om__forge_find(config->forge),
        .api = config->api,
        .repository = config->repository,
        .number = config->number,
        .token = token,
        .budget_bytes = (size_t)config->budget,
        .timeout_s = (long)config->timeout,
        .first_pause_ms = (long)config->pause,
    };
    OM_TRY_OUT(om__forge_post(&target, section, &where, err));
    printf("posted the section of %s%s%s\n", section->key, *where != '\0' ? ": " : "", where);
out:
    if (token != NULL)
        explicit_bzero(token, strlen(token));
    free(token);
    free(where);
    return status;
}

static int post(const comment_config *config, const char *path)
{
    om_error err = {0};
    om_comment_section section = {0};
    if (config->repository == NULL || config->number == NULL)
        return om__cli_usage(&om__cmd_comment, "post needs --repository and --number");
    if (config->timeout < 1 || config->timeout > 86400 || config->pause < 1 ||
        config->pause > 60000)
        return om__cli_usage(&om__cmd_comment,
                             "--timeout takes 1 to 86400 s, --pause 1 to 60000 ms");
    om_text place = {0};
    om_status named =
        om__forge_find(config->forge)->list_path(config->repository, config->number, &place, &err);
    om__text_release(&place);
    if (named != OM_OK || check_budget(config, &err) != OM_OK ||
        om__artifact_read(path, &section, &err) != OM_OK)
        return om__cli_fail_input(&err);
    om_status status = send(config, &section, &err);
    int code = OM_EXIT_OK;
    if (status != OM_OK) {
        show_report(config, &section);
        om__cli_fail(&err);
        code = status == OM_INVALID || status == OM_PROVIDER || status == OM_PARSE
                   ? OM_EXIT_FOUND
                   : OM_EXIT_ENVIRONMENT;
    }
    om__section_release(&section);
    return code;
}

static int run_comment(void *opaque, const om_words *operands)
{
    const comment_config *config = opaque;
    const char *action = operands->count > 0 ? operands->items[0] : "";
    om_error err = {0};
    om_status status;
    if (strcmp(action, "pack") == 0 && operands->count == 1)
        status = pack(config, &err);
    else if (strcmp(action, "merge") == 0 && operands->count == 3)
        status = merge(config, operands->items[1], operands->items[2], &err);
    else if (strcmp(action, "post") == 0 && operands->count == 2)
        return post(config, operands->items[1]);
    else
        return om__cli_usage(&om__cmd_comment,
                             "say pack, merge OLD ARTIFACT, or post ARTIFACT, and nothing else");
    return status == OM_OK ? OM_EXIT_OK : om__cli_fail_input(&err);
}

const om_command om__cmd_comment = {
    .name = "comment",
    .summary = "put a report into the one comment of a pull request",
    .operands = "pack | merge OLD ARTIFACT | post ARTIFACT",
    .details =
        "Measuring and posting are two commands, so that the program of a pull request never runs "
        "where the token is. 'pack' writes an artifact; 'opmark compare --comment' does so as "
        "well. "
        "'merge' prints the comment OLD (an empty file: none yet) with the artifact's section in "
        "it. "
        "'post' creates or updates the comment on the forge, reads it back and verifies it.\n\n"
        "An artifact is not trusted: names are checked, sizes bounded, its markdown made harmless. "
        "Without permission or network the report is printed, appended to --summary, and the exit "
        "code is 3; 1 means that the forge refused it or that it was not found when read back.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .config_size = sizeof(comment_config),
    .run = run_comment,
};
