/* SPDX-License-Identifier: Apache-2.0 */
/* git.c: git is run as a program of its own, without a shell, and only with names that can be
 * commits: a result file is not to be trusted with more. */
#include "cli/git.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/child.h"
#include "base/error.h"

#define MOST_BYTES   ((size_t)1 << 16)
#define MOST_SECONDS 20.0

typedef struct git {
    om_text program;
    const char *folder;
    om_text output;
} git;

/* Runs one git command; *code 0 with its output. */
static om_status run(git *g, const char *const *words, size_t count, int *code, om_error *err)
{
    /* No prompt, no lock, no hook or monitor of a repository we only read; and no transport: a
     * commit that a partial clone lacks is not fetched, since the clone's settings say how. */
    static const char *const settings[] = {"GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0",
                                           "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none",
                                           "LC_ALL=C"};
    const char *argv[16] = {g->program.data, "-C", g->folder,
                            "--no-pager",    "-c", "core.fsmonitor=false"};
    size_t used = 6;
    for (size_t i = 0; i < count && used < 15; i++)
        argv[used++] = words[i];
    const om_child child = {
        .argv = argv, .settings = settings, .setting_count = sizeof settings / sizeof settings[0]};
    OM_TRY(om__child_read(&child, MOST_BYTES, MOST_SECONDS, &g->output, code, err));
    while (g->output.size > 0 && g->output.data[g->output.size - 1] == '\n')
        g->output.data[--g->output.size] = '\0';
    return OM_OK;
}
#define RUN(g, code, err, ...)                                                                     \
    run(g, (const char *const[]){__VA_ARGS__},                                                     \
        sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *), code, err)

/* The name without "-dirty", where it can be one: digits and letters, or a branch or tag. */
static bool clean(const char *name, char *to, size_t size)
{
    size_t length = strlen(name);
    if (length > 6 && strcmp(name + length - 6, "-dirty") == 0)
        length -= 6;
    if (length == 0 || length >= size || name[0] == '-')
        return false;
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)name[i]) && strchr("._/-", name[i]) == NULL)
            return false;
    memcpy(to, name, length);
    to[length] = '\0';
    return true;
}

/* The full name of a commit, or why there is none. */
static om_status resolve(git *g, const char *side, const char *name, char *full, size_t size,
                         om_history *history, om_error *err)
{
    char word[200], question[220];
    int code = 1;
    if (name == NULL) {
        snprintf(history->skipped, sizeof history->skipped, "the %s side states no commit", side);
        return OM_OK;
    }
    if (clean(name, word, sizeof word)) {
        snprintf(question, sizeof question, "%s^{commit}", word);
        OM_TRY(
            RUN(g, &code, err, "rev-parse", "--verify", "--quiet", "--end-of-options", question));
    }
    if (code != 0 || g->output.size >= size) {
        snprintf(history->skipped, sizeof history->skipped,
                 "the repository does not know the %s side's commit %.60s", side, name);
        return OM_OK;
    }
    snprintf(full, size, "%s", g->output.data);
    return OM_OK;
}

/* Whether base is a parent of a head that is a merge: a test merge of a pull request is one. */
static om_status read_parents(git *g, const char *base, const char *head, om_history *history,
                              om_error *err)
{
    int code;
    size_t parents = 0;
    OM_TRY(RUN(g, &code, err, "rev-list", "--parents", "--max-count=1", head, "--"));
    const char *at = code == 0 ? strchr(g->output.data, ' ') : NULL;
    for (; at != NULL; at = strchr(at + 1, ' ')) {
        if (parents++ == 0)
            snprintf(history->first_parent, sizeof history->first_parent, "%.*s",
                     (int)strcspn(at + 1, " "), at + 1);
        history->base_is_parent =
            history->base_is_parent || strncmp(at + 1, base, strlen(base)) == 0;
    }
    history->head_is_merge = parents > 1;
    return OM_OK;
}

static om_status ask(git *g, const char *base_name, const char *head_name, om_history *history,
                     om_error *err)
{
    char base[80] = "", head[80] = "", range[170];
    int code;
    OM_TRY(RUN(g, &code, err, "rev-parse", "--is-shallow-repository"));
    if (code != 0) {
        snprintf(history->skipped, sizeof history->skipped, "%.150s is in no git repository",
                 g->folder);
        return OM_OK;
    }
    history->shallow = strcmp(g->output.data, "true") == 0;
    OM_TRY(resolve(g, "base", base_name, base, sizeof base, history, err));
    if (history->skipped[0] == '\0')
        OM_TRY(resolve(g, "new", head_name, head, sizeof head, history, err));
    if (history->skipped[0] != '\0')
        return OM_OK;
    OM_TRY(RUN(g, &code, err, "merge-base", base, head));
    if (code != 0 || g->output.size >= sizeof history->merge_base) {
        snprintf(history->skipped, sizeof history->skipped,
                 "the two commits have no common ancestor%s",
                 history->shallow ? " in this shallow clone" : "");
        return OM_OK;
    }
    snprintf(history->merge_base, sizeof history->merge_base, "%s", g->output.data);
    snprintf(range, sizeof range, "%s...%s", base, head);
    OM_TRY(RUN(g, &code, err, "rev-list", "--left-right", "--count", range, "--"));
    history->known = code == 0 && sscanf(g->output.data, "%zu %zu", &history->base_only,
                                         &history->new_only) == 2;
    if (!history->known) {
        snprintf(history->skipped, sizeof history->skipped, "git cannot count the commits");
        return OM_OK;
    }
    return read_parents(g, base, head, history, err);
}

om_status om__git_history(const char *folder, const char *base, const char *head,
                          om_history *history, om_error *err)
{
    git g = {.folder = folder != NULL ? folder : "."};
    om_error why = {0};
    *history = (om_history){.base = base, .head = head};
    om_status status = om__child_find("git", &g.program, &why);
    if (status == OM_OK)
        status = ask(&g, base, head, history, &why);
    om__text_release(&g.program);
    om__text_release(&g.output);
    if (status == OM_NO_MEMORY) {
        if (err != NULL)
            *err = why;
        return status;
    }
    if (status != OM_OK)
        snprintf(history->skipped, sizeof history->skipped, "%.190s", why.text);
    return OM_OK;
}
