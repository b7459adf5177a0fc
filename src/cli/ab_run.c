/* SPDX-License-Identifier: Apache-2.0 */
/* ab_run.c: the looks of an A/B run: which rows, which launches in which order. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/ab.h"
#include "compare/comparison.h"

/* ---- the files of rows ---- */

/* Rows as lines of one .wl file a suite, so that records keep the name of theirs. */
typedef struct row_files {
    om_pairs lines; /* by suite */
} row_files;

static om_status add_line(row_files *files, const char *suite, const char *op,
                          const om_pairs *params, const char *table, const char *name,
                          const char *pass, const char *cache, om_error *err)
{
    om_status status = OM_OK;
    om_pairs pairs = {0};
    om_text line = {0};
    char *text = NULL;
    const char *const more[][2] = {
        {"table", table}, {"name", name}, {"pass", pass}, {"cache", cache}};
    suite = suite != NULL && suite[0] != '\0' ? suite : "ab";
    OM_TRY_OUT(om__pairs_copy(&pairs, params, err));
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        if (more[i][1] != NULL && more[i][1][0] != '\0')
            OM_TRY_OUT(om__pairs_set(&pairs, more[i][0], more[i][1], err));
    text = om__pairs_format(&pairs);
    if (text == NULL) {
        status = om__error_set(err, OM_NO_MEMORY, "no memory for rows");
        goto out;
    }
    om__text_addf(&line, "%s %s\n", op, text);
    OM_TRY_OUT(om__text_check(&line, err));
    const char *before = om__pairs_find(&files->lines, suite);
    const char *twin = before != NULL ? strstr(before, line.data) : NULL;
    if (twin != NULL && (twin == before || twin[-1] == '\n'))
        goto out; /* several providers or metrics of one row */
    OM_TRY_OUT(om__pairs_setf(&files->lines, suite, err, "%s%s",
                              before != NULL ? before : "[catalogue]\n", line.data));
out:
    om__pairs_release(&pairs);
    om__text_release(&line);
    free(text);
    return status;
}

static void remove_files(om_ab_output *output)
{
    for (size_t i = 0; i < output->suites.count; i++)
        unlink(output->suites.items[i].value);
    om__pairs_release(&output->suites);
}

static om_status write_files(const om_ab_run *run, const row_files *files, om_ab_output *output,
                             om_error *err)
{
    om_status status = OM_OK;
    om_text path = {0};
    remove_files(output);
    for (size_t i = 0; i < files->lines.count; i++) {
        const om_pair *suite = &files->lines.items[i];
        om__text_clear(&path);
        om__text_addf(&path, "%s/rows/%s.wl", run->out, suite->key);
        OM_TRY_OUT(om__text_check(&path, err));
        OM_TRY_OUT(om__file_write(path.data, suite->value, strlen(suite->value), err));
        OM_TRY_OUT(om__pairs_set(&output->suites, suite->key, path.data, err));
    }
out:
    om__text_release(&path);
    return status;
}

static om_status write_all_rows(const om_ab_run *run, om_ab_output *output, om_error *err)
{
    row_files files = {0};
    om_status status = OM_OK;
    for (size_t i = 0; i < run->plan->count && status == OM_OK; i++) {
        const om_case *c = &run->plan->cases[i];
        if (c->op != NULL)
            status = add_line(&files, c->suite, c->op, &c->params, c->table, c->name, c->pass,
                              c->cache, err);
    }
    if (status == OM_OK)
        status = write_files(run, &files, output, err);
    om__pairs_release(&files.lines);
    return status;
}

/* ---- what the launches so far say ---- */

/* The rows that look number `look` has to measure go to the files; *rows is how many cells they
 * stand for. */
static om_status write_due_rows(const om_ab_run *run, om_ab_output *output, unsigned look,
                                size_t *rows, om_error *err)
{
    om_status status = OM_OK;
    om_side sides[2] = {0};
    om_comparison comparison = {0};
    row_files files = {0};
    om_text paths[2] = {0};
    const om_side_options standard = {0};
    const om_compare_options options = {.floor = run->floor, .tolerance = run->tolerance};
    *rows = 0;
    for (int i = 0; i < 2; i++) {
        om__text_addf(&paths[i], "%s/%s", run->out, i == 0 ? "base" : "head");
        OM_TRY_OUT(om__text_check(&paths[i], err));
        OM_TRY_OUT(om__side_open(paths[i].data, &standard, NULL, 0, &sides[i], err));
    }
    OM_TRY_OUT(om__comparison_init(&sides[0], &sides[1], &options, &comparison, err));
    for (size_t i = 0; i < comparison.cell_count; i++) {
        const om_cell *cell = &comparison.cells[i];
        if (!cell->due || comparison.sections[cell->section].next_look != look)
            continue;
        const om_record *r = cell->base;
        ++*rows;
        if (r->benchmark.op != NULL)
            OM_TRY_OUT(add_line(&files, r->benchmark.suite, r->benchmark.op, &r->benchmark.params,
                                r->benchmark.table, r->benchmark.name, r->benchmark.pass,
                                r->method.cache, err));
    }
    OM_TRY_OUT(write_files(run, &files, output, err));
out:
    om__comparison_release(&comparison);
    om__pairs_release(&files.lines);
    for (int i = 0; i < 2; i++) {
        om__side_release(&sides[i]);
        om__text_release(&paths[i]);
    }
    return status;
}

/* ---- looks ---- */

typedef struct ab_progress {
    double started_s;
    size_t done, planned;
    bool terminal;
} ab_progress;

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void show(const om_ab_run *run, const ab_progress *progress, unsigned look, size_t rows,
                 unsigned arm)
{
    static const char *const looks[] = {"first look", "second look", "second look, part 2"};
    static const char *const arms[] = {"base", "head", "base again"};
    if (run->quiet)
        return;
    fprintf(stderr, "%s%s, ", progress->terminal ? "\r\033[K" : "", looks[look]);
    if (look > 0)
        fprintf(stderr, "%zu row%s, ", rows, rows == 1 ? "" : "s");
    fprintf(stderr, "launch %zu of %zu: %s", progress->done + 1, progress->planned, arms[arm]);
    if (progress->done > 0) {
        double each = (now_s() - progress->started_s) / (double)progress->done;
        double left = each * (double)(progress->planned - progress->done);
        if (left < 90)
            fprintf(stderr, " (about %.0f s left in this look)", left);
        else
            fprintf(stderr, " (about %.0f min left in this look)", ceil(left / 60));
    }
    fputs(progress->terminal ? "" : "\n", stderr);
}

static om_status run_look(const om_ab_run *run, om_ab_output *output, om_splitmix *generator,
                          unsigned look, size_t rows, int *number, om_error *err)
{
    size_t blocks = look == 0 ? run->design.first_blocks : run->design.part_blocks;
    ab_progress progress = {.started_s = now_s(),
                            .planned = blocks * run->design.block_size,
                            .terminal = isatty(STDERR_FILENO) != 0};
    om_status status = OM_OK;
    for (size_t b = 0; b < blocks && status == OM_OK && om__interrupts == 0; b++) {
        unsigned char arms[4];
        om__ab_draw(&run->design, generator, arms);
        for (size_t i = 0; i < run->design.block_size && om__interrupts == 0; i++) {
            show(run, &progress, look, rows, arms[i]);
            status = om__ab_launch(run, output, (*number)++, arms[i], look, err);
            if (status != OM_OK)
                break;
            progress.done++;
        }
    }
    if (progress.terminal && !run->quiet)
        fputs("\r\033[K", stderr);
    return status;
}

static om_status run_looks(const om_ab_run *run, om_ab_output *output, om_error *err)
{
    om_splitmix generator = {run->seed};
    size_t rows = run->plan->count;
    int number = 0;
    OM_TRY(write_all_rows(run, output, err));
    for (unsigned look = 0; look < 3 && om__interrupts == 0; look++) {
        if (look > 0)
            OM_TRY(write_due_rows(run, output, look, &rows, err));
        if (look > 0 && rows == 0)
            break;
        OM_TRY(run_look(run, output, &generator, look, rows, &number, err));
    }
    return OM_OK;
}

/* ---- the whole ---- */

/* What lies in one of our folders is somebody's, and is neither mixed with ours nor removed. */
static om_status refuse_used(const om_ab_run *run, const char *name, om_error *err)
{
    struct stat info;
    om_text path = {0};
    om__text_addf(&path, "%s/%s", run->out, name);
    om_status status = om__text_check(&path, err);
    if (status == OM_OK && lstat(path.data, &info) == 0)
        status = om__error_set(err, OM_INVALID,
                               "%s is there already, as after an A/B run: take another --out, or "
                               "remove it",
                               path.data);
    om__text_release(&path);
    return status;
}

static om_status make_folder(const om_ab_run *run, const char *name, char **made, om_error *err)
{
    om_text path = {0};
    om__text_addf(&path, "%s/%s", run->out, name);
    om_status status = om__text_check(&path, err);
    if (status == OM_OK)
        status = om__folder_make(path.data, err);
    if (status == OM_OK)
        *made = path.data;
    else
        om__text_release(&path);
    return status;
}

/* A run that measured nothing leaves nothing, so that the next one may take the same folder. */
static void remove_empty(const char *folder)
{
    struct stat info;
    om_text path = {0};
    om__text_addf(&path, "%s/records.jsonl", folder);
    if (path.data != NULL && stat(path.data, &info) == 0 && info.st_size == 0)
        unlink(path.data);
    rmdir(folder); /* only when nothing is left in it */
    om__text_release(&path);
}

om_status om__ab_measure(const om_ab_run *run, bool *interrupted, om_error *err)
{
    static const char *const names[] = {"base", "head", "rows", "launch"};
    om_status status = OM_OK;
    om_ab_output output = {0};
    char *rows = NULL, *folders[2] = {NULL, NULL};
    *interrupted = false;
    om__run_name(output.id);
    for (int i = 0; i < 4; i++)
        OM_TRY(refuse_used(run, names[i], err));
    for (int i = 0; i < 2; i++)
        OM_TRY_OUT(make_folder(run, names[i], &folders[i], err));
    OM_TRY_OUT(make_folder(run, "rows", &rows, err));
    for (int i = 0; i < 2; i++)
        OM_TRY_OUT(om__record_writer_open(folders[i], &output.writers[i], err));
    om__interrupts_catch();
    OM_TRY_OUT(run_looks(run, &output, err));
out:
    *interrupted = om__interrupts > 0;
    for (int i = 0; i < 2; i++) {
        om_error closing;
        if (om__record_writer_close(output.writers[i], &closing) != OM_OK && status == OM_OK) {
            status = closing.code;
            if (err != NULL)
                *err = closing;
        }
        if (folders[i] != NULL)
            remove_empty(folders[i]);
        free(folders[i]);
    }
    remove_files(&output);
    if (rows != NULL)
        rmdir(rows);
    free(rows);
    return status;
}
