/* SPDX-License-Identifier: Apache-2.0 */
/* ab_launch.c: one launch of an A/B run, and its records marked with their arm and look. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/child.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/ab.h"
#include "compare/turns.h"

static bool is_setting(const char *text)
{
    size_t size = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
    return size > 0 && text[size] == '=' && (text[0] < '0' || text[0] > '9');
}

om_status om__ab_arm_read(const char *text, const char *self, om_ab_arm *arm, om_error *err)
{
    size_t size = strlen(text);
    *arm = (om_ab_arm){.text = text, .program = self};
    if (is_setting(text)) {
        arm->setting = text;
        return OM_OK;
    }
    if (size > 3 && strcmp(text + size - 3, ".so") == 0)
        arm->plugin = text;
    else
        arm->program = text;
    struct stat info;
    if (stat(text, &info) != 0 || !S_ISREG(info.st_mode))
        return om__error_set(err, OM_INVALID,
                             "%s is no file: a side is the path of an opmark program, of a "
                             "plug-in (.so), or VAR=VALUE",
                             text);
    if (arm->plugin == NULL && access(text, X_OK) != 0)
        return om__error_set(err, OM_INVALID, "%s is no program", text);
    return OM_OK;
}

/* ---- the process ---- */

static om_status add_word(om_words *words, const char *word, om_error *err)
{
    const char **more = realloc(words->items, (words->count + 2) * sizeof *more);
    if (more == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a command line");
    words->items = more;
    more[words->count++] = word;
    more[words->count] = NULL;
    return OM_OK;
}

static om_status make_command(const om_ab_run *run, const om_ab_output *output,
                              const om_ab_arm *arm, const char *folder, om_words *words,
                              om_error *err)
{
    const char *const fixed[] = {arm->program, "run",  "--launches", "1",
                                 "--out",      folder, "--quiet"};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        OM_TRY(add_word(words, fixed[i], err));
    for (size_t i = 0; i < output->suites.count; i++) {
        OM_TRY(add_word(words, "--suite", err));
        OM_TRY(add_word(words, output->suites.items[i].value, err));
    }
    if (arm->plugin != NULL) {
        OM_TRY(add_word(words, "--plugin", err));
        OM_TRY(add_word(words, arm->plugin, err));
    }
    for (size_t i = 0; i < run->forwarded.count; i++)
        OM_TRY(add_word(words, run->forwarded.items[i], err));
    return OM_OK;
}

/* ---- its records ---- */

static om_status hand_on(const om_ab_run *run, const om_ab_output *output, const om_record *from,
                         int number, unsigned arm, unsigned look, om_error *err)
{
    om_status status = OM_OK;
    om_record record = *from; /* texts stay those of the set; what changes is replaced */
    char name[sizeof output->id + 8];
    int side = arm == 1;
    snprintf(name, sizeof name, "%s-%s", output->id, side == 1 ? "head" : "base");
    record.when.run = name;
    record.when.launch = number;
    record.evidence = (om_pairs){0};
    OM_TRY_OUT(om__pairs_copy(&record.evidence, &from->evidence, err));
    OM_TRY_OUT(om__pairs_set(&record.evidence, OM_TURNS_RUN, output->id, err));
    OM_TRY_OUT(om__pairs_set(&record.evidence, OM_TURNS_ARM, om__turns_arm_name(arm), err));
    OM_TRY_OUT(om__pairs_set(&record.evidence, OM_TURNS_LOOK, om__turns_look_name(look), err));
    OM_TRY_OUT(om__pairs_set(&record.evidence, OM_TURNS_SIDE, run->arms[side].text, err));
    OM_TRY_OUT(om__pairs_setf(&record.evidence, OM_TURNS_SEED, err, "%llu",
                              (unsigned long long)run->seed));
    OM_TRY_OUT(om__record_writer_add(output->writers[side], &record, err));
out:
    om__pairs_release(&record.evidence);
    return status;
}

static om_status take_records(const om_ab_run *run, const om_ab_output *output, const char *folder,
                              int number, unsigned arm, unsigned look, om_error *err)
{
    om_status status = OM_OK;
    om_record_set set = {0};
    OM_TRY_OUT(om__records_read(folder, false, &set, err));
    for (size_t i = 0; i < set.count; i++)
        OM_TRY_OUT(hand_on(run, output, &set.items[i], number, arm, look, err));
out:
    om__record_set_release(&set);
    return status;
}

static void remove_folder(const char *folder)
{
    om_text path = {0};
    om__text_addf(&path, "%s/records.jsonl", folder);
    if (path.data != NULL)
        unlink(path.data);
    rmdir(folder);
    om__text_release(&path);
}

om_status om__ab_launch(const om_ab_run *run, om_ab_output *output, int number, unsigned arm,
                        unsigned look, om_error *err)
{
    om_status status = OM_OK;
    const om_ab_arm *side = &run->arms[arm == 1];
    om_text folder = {0};
    om_words words = {0};
    int code = 0;
    om__text_addf(&folder, "%s/launch", run->out);
    OM_TRY_OUT(om__text_check(&folder, err));
    OM_TRY_OUT(make_command(run, output, side, folder.data, &words, err));
    om_child child = {.argv = words.items,
                      .settings = &side->setting,
                      .setting_count = side->setting != NULL,
                      .interrupts = &om__interrupts};
    OM_TRY_OUT(om__child_run(&child, &code, err));
    if (om__interrupts > 0)
        goto out; /* a launch that was cut off says nothing */
    /* Exit code 1 says that a row failed, which its record tells. */
    bool measured = om__folder_is(folder.data);
    if ((code != OM_EXIT_OK && code != OM_EXIT_FOUND) || !measured) {
        status =
            om__error_set(err, OM_PROVIDER, "%s: launch %d ended with exit code %d%s", side->text,
                          number + 1, code, measured ? "" : " and left no records");
        goto out;
    }
    OM_TRY_OUT(take_records(run, output, folder.data, number, arm, look, err));
out:
    if (folder.data != NULL)
        remove_folder(folder.data);
    om__text_release(&folder);
    free(words.items);
    return status;
}
