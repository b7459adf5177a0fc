/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_core.c: the driver of the blocked matrix product: waves, segments, panels and K blocks.
 *
 * A wave is a run of rows, across items, whose packed A fits the last-level cache; without packing
 * there is one wave. A segment is the part of one item in a wave. A task is one panel of 64 columns
 * against some rows of a segment; tasks are handed out as threads come, which changes no bit.
 */
#include "kernels/cpu/gemm_core.h"

#include <string.h>

#include "kernels/cpu/gemm_stream.h"
#include "kernels/cpu/parallel.h"

#define WAVE_BYTES   (16 << 20)  /* of packed A */
#define WAVE_ROWS    192         /* the fewest: below, packing B again and again costs too much */
#define PACK_ROWS    64          /* of A, packed by one thread at a time */
#define BLOCK_STEPS  2048        /* one K block up to here */
#define PART_STEPS   1536        /* else equal blocks of at most this */
#define LONG_BYTES   (512 << 10) /* of packed A, where K is packed block by block */
#define WANTED_BYTES (1 << 20)   /* of B at most, for it to be asked for in advance */
#define TASK_ROWS    768         /* kept as f32 sums between K blocks */
#define GROUP_STEPS  512         /* of all panels of a task, where K is short */
#define GROUP_PANELS 8           /* of a task at most */
#define FLOP_GRAIN   1.5e6       /* worth a thread of its own */

typedef struct segment {
    int64_t item, row, rows;
    int64_t panels, chunks, chunk_rows;
    int64_t group; /* panels of a task */
    int64_t first_task;
    int64_t packed_row; /* where its rows of A begin in the packed buffer */
    int wide;           /* its A holds what the tiles mistake */
    int streams;        /* takes the plan of gemm_stream.h */
    int64_t stream_at;  /* bytes: where its panels begin */
} segment;

static int64_t divide_up(int64_t x, int64_t y)
{
    return (x + y - 1) / y;
}

static int64_t round_up(int64_t x, int64_t y)
{
    return divide_up(x, y) * y;
}

static int64_t smaller(int64_t x, int64_t y)
{
    return x < y ? x : y;
}

static int64_t steps_of(const om__tiles *tiles, int64_t k)
{
    return tiles->pairs ? divide_up(k, 2) : k;
}

/* Steps of a K block: a function of K alone. */
static int64_t block_steps(int64_t steps)
{
    if (steps <= BLOCK_STEPS)
        return steps;
    return round_up(divide_up(steps, divide_up(steps, PART_STEPS)), 16);
}

/* An odd number of lines of 64 bytes more than the data keeps rows off each other's cache sets. */
static int64_t packed_stride(int64_t steps)
{
    return round_up(steps * 4, 64) + 64;
}

static int64_t wave_rows(const om__tiles *tiles, const om__gemm_bounds *bounds)
{
    int64_t rows = WAVE_BYTES / packed_stride(steps_of(tiles, bounds->most_k));
    rows = rows / PACK_ROWS * PACK_ROWS;
    return smaller(rows < WAVE_ROWS ? WAVE_ROWS : rows, bounds->rows);
}

static int64_t panel_bytes(const om__tiles *tiles, const om__gemm_bounds *bounds)
{
    int64_t steps = smaller(steps_of(tiles, bounds->most_k), BLOCK_STEPS);
    if (steps < GROUP_STEPS)
        steps = smaller(steps * GROUP_PANELS, GROUP_STEPS);
    return round_up(steps * OM_PANEL_WIDTH * 4, 64) + 64;
}

/* A panel of f32 and a tile of rows of f32, for tiles that need a way out. */
static int64_t wide_bytes(const om__tiles *tiles, const om__gemm_bounds *bounds)
{
    int64_t steps = smaller(steps_of(tiles, bounds->most_k), BLOCK_STEPS);
    return tiles->pairs ? 2 * steps * (OM_PANEL_WIDTH + OM_TILE_ROWS) * 4 + 64 : 0;
}

static int64_t sums_bytes(const om__tiles *tiles, const om__gemm_bounds *bounds)
{
    int64_t steps = steps_of(tiles, bounds->most_k);
    int64_t rows = block_steps(steps) < steps ? smaller(TASK_ROWS, bounds->rows) : tiles->rows;
    return (rows < OM_DOT_MOST_ROWS ? OM_DOT_MOST_ROWS : rows) * OM_PANEL_WIDTH * 4;
}

static int64_t private_bytes(const om__tiles *tiles, const om__gemm_bounds *bounds)
{
    return panel_bytes(tiles, bounds) + sums_bytes(tiles, bounds) + wide_bytes(tiles, bounds) +
           (bounds->streams ? OM_STREAM_SUMS * 4 : 0);
}

/* Panels of A of all items: rounding up to whole vectors, two panels an item, costs at most this.
 */
static int64_t stream_bytes(const om__tiles *tiles, const om__gemm_bounds *bounds)
{
    int64_t rows = bounds->rows + 2 * OM_STREAM_VECTOR * bounds->items;
    int64_t most = bounds->items * OM_STREAM_MOST_ROWS;
    return bounds->streams ? smaller(rows, most) * steps_of(tiles, bounds->most_k) * 4 : 0;
}

size_t om__gemm_workspace_bytes(const om_kernel_env *env, const om__tiles *tiles,
                                const om__gemm_bounds *bounds)
{
    int64_t bytes = env->threads * private_bytes(tiles, bounds);
    bytes += round_up(bounds->items * (int64_t)sizeof(segment), 64);
    bytes += stream_bytes(tiles, bounds);
    if (bounds->packed_a)
        bytes += wave_rows(tiles, bounds) * packed_stride(steps_of(tiles, bounds->most_k));
    return (size_t)bytes + 64;
}

/* Panels of n columns. A remainder of at most 16 is shared between the last two panels, because a
 * tile of one vector runs at half speed. */
static int64_t panel_count(int64_t n)
{
    return divide_up(n, OM_PANEL_WIDTH);
}

static void panel_place(int64_t n, int64_t panel, int64_t *column, int64_t *columns)
{
    int64_t count = panel_count(n), rest = n - (count - 1) * OM_PANEL_WIDTH;
    int64_t moved = count > 1 && rest <= 16 ? 16 : 0;
    *column = panel * OM_PANEL_WIDTH - (panel == count - 1 ? moved : 0);
    *columns = panel < count - 2    ? OM_PANEL_WIDTH
               : panel == count - 2 ? OM_PANEL_WIDTH - moved
                                    : rest + moved;
}

typedef struct run {
    const om__gemm *gemm;
    int packed;
    int threads;
    int64_t steps; /* of the longest item */
    int64_t wave_rows;
    int64_t a_stride; /* bytes between packed rows of A */
    char *packed_a;
    segment *segments;
    char *private_memory; /* of each thread: panel, sums, and the wide panel */
    int64_t panel_bytes, sums_bytes, wide_bytes, private_bytes;
    char *stream_panels;
    int64_t k_block; /* 0, or steps of A that are packed at a time, by waves along K */
    /* the wave at work */
    int64_t step, next_step; /* of K; with k_block */
    int64_t next_item, next_row;
    int64_t segment_count, task_count, rows;
    int64_t next_rows, next_task; /* counters that the threads share */
} run;

static int has_work(const om__gemm_item *item)
{
    return item->m > 0 && item->n > 0;
}

/* With a short K the results are most of what moves, and a panel writes only a line or two of each
 * row of them: a task takes several panels side by side, as long as enough tasks are left. */
static int64_t panels_of_task(const run *r, const segment *at)
{
    const om__gemm_item *item = &r->gemm->items[at->item];
    const int64_t steps = steps_of(r->gemm->tiles, item->k);
    if (at->streams || r->k_block > 0 || r->gemm->pair_rows > 0 || steps == 0 ||
        (r->gemm->dot != NULL && item->m <= r->gemm->dot_rows))
        return 1;
    int64_t group = smaller(GROUP_STEPS / steps, GROUP_PANELS);
    group = smaller(group, at->panels / (4 * r->threads));
    return group > 1 ? group : 1;
}

/* Cuts the rows of the wave's segments until every thread has work. */
static void share_rows(run *r)
{
    int64_t panels = 0, most = 1, split = 1;
    for (int64_t s = 0; s < r->segment_count; s++) {
        segment *at = &r->segments[s];
        at->group = panels_of_task(r, at);
        at->panels = divide_up(at->panels, at->group); /* from here on: tasks side by side */
        panels += at->panels;
        most = r->segments[s].rows > most ? r->segments[s].rows : most;
    }
    while (panels * split < 4 * r->threads && panels * split % r->threads != 0 &&
           most / (split + 1) >= 4 * OM_TILE_ROWS)
        split++;
    r->task_count = 0;
    for (int64_t s = 0; s < r->segment_count; s++) {
        segment *at = &r->segments[s];
        int64_t k_steps = steps_of(r->gemm->tiles, r->gemm->items[at->item].k);
        int64_t rows = round_up(divide_up(at->rows, split), OM_TILE_ROWS);
        if (block_steps(k_steps) < k_steps)
            rows = smaller(rows, TASK_ROWS);
        if (at->streams) /* all rows at once, so that B is read once */
            rows = at->rows;
        at->chunk_rows = rows;
        at->chunks = divide_up(at->rows, rows);
        at->first_task = r->task_count;
        r->task_count += at->panels * at->chunks;
    }
}

/* Gathers the next wave; 0 when all is done. */
static int next_wave(run *r)
{
    const om__gemm *g = r->gemm;
    int64_t stream_at = 0;
    if (r->segment_count > 0 && r->next_step < r->steps) {
        r->step = r->next_step;
        r->next_step += r->k_block;
        r->next_rows = 0;
        r->next_task = 0;
        return 1;
    }
    r->segment_count = 0;
    r->rows = 0;
    r->next_rows = 0;
    r->next_task = 0;
    while (r->next_item < g->item_count && (!r->packed || r->rows < r->wave_rows)) {
        const om__gemm_item *item = &g->items[r->next_item];
        int64_t left = item->m - r->next_row;
        if (!has_work(item) || left <= 0) {
            r->next_item++;
            r->next_row = 0;
            continue;
        }
        int64_t rows = r->packed ? smaller(left, r->wave_rows - r->rows) : left;
        r->segments[r->segment_count++] = (segment){
            .item = r->next_item,
            .row = r->next_row,
            .rows = rows,
            .panels = panel_count(item->n),
            .packed_row = r->rows,
            .streams = om__stream_serves(g, item),
            .stream_at = stream_at,
        };
        if (r->segments[r->segment_count - 1].streams)
            stream_at += om__stream_panel_bytes(rows, steps_of(g->tiles, item->k));
        r->rows += rows;
        r->next_row += rows;
    }
    while (r->next_item < g->item_count &&
           (!has_work(&g->items[r->next_item]) || r->next_row >= g->items[r->next_item].m)) {
        r->next_item++;
        r->next_row = 0;
    }
    share_rows(r);
    return r->segment_count > 0;
}

static const char *stored_row(const om__gemm *g, const om__gemm_item *item, int64_t row)
{
    int64_t stored = item->a.index ? item->a.index[row] : row;
    return (const char *)item->a.data + stored * item->a.stride * g->a_bytes;
}

/* Packs, or looks through, rows [from, from + PACK_ROWS) of the wave. */
static void prepare_rows(const run *r, int64_t from)
{
    const om__gemm *g = r->gemm;
    int64_t to = smaller(from + PACK_ROWS, r->rows);
    for (int64_t s = 0; s < r->segment_count; s++) {
        segment *at = &r->segments[s];
        int64_t first = from > at->packed_row ? from : at->packed_row;
        int64_t last = smaller(to, at->packed_row + at->rows);
        if (first >= last)
            continue;
        const om__gemm_item *item = &g->items[at->item];
        int64_t row = at->row + first - at->packed_row;
        int64_t k = r->step * (g->tiles->pairs ? 2 : 1), count = item->k - k;
        if (r->k_block > 0)
            count = smaller(count, r->k_block * (g->tiles->pairs ? 2 : 1));
        int wide = 0;
        if (at->streams)
            wide = row == at->row && om__stream_pack(g, item, r->stream_panels + at->stream_at);
        else if (r->packed)
            wide = g->pack_a(&item->a, row, last - first, k, count,
                             r->packed_a + first * r->a_stride, r->a_stride);
        else if (g->wide != NULL) {
            const char *rows[PACK_ROWS];
            for (int64_t i = 0; i < last - first; i++)
                rows[i] = stored_row(g, item, row + i);
            wide = g->wide->is_denormal(rows, last - first, item->k);
        }
        if (wide) {
#pragma omp atomic write
            at->wide = 1;
        }
    }
}

/* What the tiles of one task need. */
typedef struct task {
    const run *r;
    const segment *at;
    const om__gemm_item *item;
    int64_t row, rows; /* of the item */
    int64_t column, columns;
    char *panel;
    float *sums;
    float *wide_panel, *wide_rows;
    int64_t steps; /* of the item */
} task;

static const char *a_row(const task *t, int64_t row)
{
    const run *r = t->r;
    if (r->packed)
        return r->packed_a + (t->at->packed_row + row - t->at->row) * r->a_stride;
    return stored_row(r->gemm, t->item, row);
}

/* One run of at most a tile's width of columns. */
static int pack_run(const task *t, om__gemm_pack_fn pack, int64_t column, int64_t columns,
                    int64_t k, int64_t count, char *to)
{
    const om__gemm *g = t->r->gemm;
    const int64_t line = round_up(columns, g->tiles->vector) * 4;
    if (g->pair_rows == 0)
        return pack(&t->item->b, column, columns, k, count, to, line);
    const int64_t half = columns / 2, first = column / 2;
    const int64_t real = smaller(half, g->pair_rows - first);
    int wide = pack(&t->item->b, first, real, k, count, to, line);
    return wide | pack(&t->item->b, g->pair_rows + first, real, k, count, to + half * 4, line);
}

static int pack_panel(const task *t, int64_t k, int64_t count, int64_t steps, int64_t width)
{
    char *to = t->panel;
    int wide = t->at->wide;
    for (int64_t c = 0; c < t->columns; c += width, to += steps * width * 4)
        wide |= pack_run(t, t->r->gemm->pack_b, t->column + c, smaller(width, t->columns - c), k,
                         count, to);
    return wide;
}

/* The panel again, in f32. Tiles that need this take a panel whole. */
static void pack_wide_panel(const task *t, int64_t k, int64_t count)
{
    pack_run(t, t->r->gemm->wide->pack_b, t->column, t->columns, k, count, (char *)t->wide_panel);
}

/* Rows of the next tile: the last two tiles share what is left, because a tile of one or two rows
 * runs at half speed. */
static int64_t tile_rows(int64_t left, int64_t most)
{
    if (left <= most)
        return left;
    return left < most + 3 ? divide_up(left, 2) : most;
}

/* What the tiles of a block ask of memory in advance, a share with every tile: the source of the
 * panel that this thread is likely to pack next. In a small product the first touch of B is a good
 * part of the time; in a large one it is not, and asking lost 5 %. */
typedef struct wanted {
    const char *row;
    int64_t stride, lines; /* bytes from row to row; lines of 64 bytes in a row */
    int64_t line;          /* the next one, in row */
    int64_t asked;         /* lines so far */
    int64_t share;         /* lines for each row of the task, in 1/65536; 0: nothing */
} wanted;

static wanted wanted_of(const task *t, int64_t k, int64_t count)
{
    const om__gemm *g = t->r->gemm;
    const int64_t column = t->column + t->r->threads * OM_PANEL_WIDTH;
    const int64_t columns = smaller(OM_PANEL_WIDTH, t->item->n - column);
    wanted w = {.stride = t->item->b.stride * g->b_bytes};
    if (g->b_bytes == 0 || g->pair_rows > 0 || columns <= 0 || t->at->group > 1 ||
        t->item->n * t->item->k * g->b_bytes > WANTED_BYTES)
        return w;
    w.row = (const char *)t->item->b.data +
            (g->b_lines ? k * w.stride + column * g->b_bytes : column * w.stride + k * g->b_bytes);
    w.lines = divide_up((g->b_lines ? columns : count) * g->b_bytes, 64);
    w.share = (w.lines * (g->b_lines ? count : columns) << 16) / t->rows;
    return w;
}

/* The lines due when `rows` rows of the task are done. */
static void ask(wanted *w, int64_t rows)
{
    const int64_t due = w->share * rows >> 16;
    for (; w->asked < due; w->asked++) {
        __builtin_prefetch(w->row + w->line * 64, 0, 2);
        if (++w->line == w->lines) {
            w->line = 0;
            w->row += w->stride;
        }
    }
}

/* The rows of A that the next tile of the first panel reads where they lie. */
static void ask_rows(const task *t, int64_t row, int64_t from, int64_t bytes)
{
    const int64_t end = smaller(row + OM_TILE_ROWS, t->row + t->rows);
    for (; row < end; row++) {
        const char *line = a_row(t, row) + from;
        for (int64_t i = 0; i < bytes; i += 64)
            __builtin_prefetch(line + i, 0, 2);
    }
}

static void run_block(const task *t, int64_t step, int64_t steps);

/* Panel by panel: what is made the wide way has room for one. The panels are those of tasks that
 * take one each, so that the same columns go that way for any number of threads. */
static void run_apart(const task *t, int64_t step, int64_t steps)
{
    const int64_t end = t->column + t->columns;
    for (int64_t panel = t->column / OM_PANEL_WIDTH; panel < panel_count(t->item->n); panel++) {
        task one = *t;
        panel_place(t->item->n, panel, &one.column, &one.columns);
        if (one.column >= end)
            break;
        run_block(&one, step, steps);
    }
}

static void run_block(const task *t, int64_t step, int64_t steps)
{
    const om__gemm *g = t->r->gemm;
    const om__tiles *tiles = g->tiles;
    const int64_t width = (int64_t)tiles->vectors * tiles->vector;
    const int first = step == 0, last = step + steps == t->steps, whole = first && last;
    const int64_t k = step * (tiles->pairs ? 2 : 1);
    const int64_t count = smaller(steps * (tiles->pairs ? 2 : 1), t->item->k - k);
    const char *panel = t->panel;
    const int wide = pack_panel(t, k, count, steps, width);
    if (wide && t->columns > OM_PANEL_WIDTH) {
        run_apart(t, step, steps);
        return;
    }
    const om__gemm_store_fn store = wide && g->wide_store ? g->wide_store : g->store;
    if (wide) {
        pack_wide_panel(t, k, count);
        tiles = g->wide->tiles;
        panel = (const char *)t->wide_panel;
    }
    wanted next = wanted_of(t, k, count);
    for (int64_t done = 0, rows; done < t->rows; done += rows) {
        rows = tile_rows(t->rows - done, tiles->rows);
        ask(&next, done + rows);
        if (t->column == 0 && !t->r->packed && g->wide == NULL)
            ask_rows(t, t->row + done + rows, step * 4, steps * 4);
        const char *a[OM_TILE_ROWS];
        for (int64_t i = 0; i < rows; i++)
            a[i] = a_row(t, t->row + done + i) + (step - t->r->step) * 4;
        for (int64_t i = 0; wide && i < rows; i++) {
            g->wide->widen(a[i], count, t->wide_rows + i * count);
            a[i] = (const char *)(t->wide_rows + i * count);
        }
        const char *b = panel;
        const int64_t tile_steps = wide ? count : steps;
        for (int64_t c = 0; c < t->columns; c += width, b += steps * width * 4) {
            int64_t columns = smaller(width, t->columns - c);
            int64_t vectors = divide_up(columns, tiles->vector);
            om__tile_fn tile = tiles->tile[rows - 1][vectors - 1];
            if (g->store_is_copy && columns == vectors * tiles->vector) {
                float *d =
                    (float *)t->item->d + (t->row + done) * t->item->d_stride + t->column + c;
                tile(tile_steps, a, b, vectors * tiles->vector * 4, d, t->item->d_stride, !first);
                continue;
            }
            float *sums = whole ? t->sums : t->sums + done * OM_PANEL_WIDTH + c;
            tile(tile_steps, a, b, vectors * tiles->vector * 4, sums, OM_PANEL_WIDTH, !first);
            if (last)
                store(g, t->item, t->row + done, rows, t->column + c, columns, sums,
                      OM_PANEL_WIDTH);
        }
    }
}

static void dot_run(const task *t, const char *const *a, int64_t column, int64_t columns,
                    float *sums)
{
    const om__gemm *g = t->r->gemm;
    const om__gemm_dot_fn dot = t->at->wide ? g->dot_wide : g->dot;
    dot(t->item, a, t->row, t->rows, column, columns, sums, OM_PANEL_WIDTH);
}

/* Few rows: every column is a dot product of B as it is stored. */
static void run_dots(const task *t)
{
    const om__gemm *g = t->r->gemm;
    const int64_t width = (int64_t)g->tiles->vectors * g->tiles->vector;
    const char *a[OM_DOT_MOST_ROWS];
    for (int64_t i = 0; i < t->rows; i++)
        a[i] = a_row(t, t->row + i);
    for (int64_t c = 0; c < t->columns; c += width) {
        const int64_t columns = smaller(width, t->columns - c), column = t->column + c;
        if (g->pair_rows == 0) {
            dot_run(t, a, column, columns, t->sums);
        } else {
            const int64_t half = columns / 2, first = column / 2;
            const int64_t real = smaller(half, g->pair_rows - first);
            dot_run(t, a, first, real, t->sums);
            dot_run(t, a, g->pair_rows + first, real, t->sums + half);
        }
        g->store(g, t->item, t->row, t->rows, column, columns, t->sums, OM_PANEL_WIDTH);
    }
}

/* k = 0: the empty sum. */
static void store_zeros(const task *t)
{
    const om__gemm *g = t->r->gemm;
    const int64_t width = (int64_t)g->tiles->vectors * g->tiles->vector;
    memset(t->sums, 0, OM_PANEL_WIDTH * sizeof(float));
    for (int64_t i = 0; i < t->rows; i++)
        for (int64_t c = 0; c < t->columns; c += width)
            g->store(g, t->item, t->row + i, 1, t->column + c, smaller(width, t->columns - c),
                     t->sums, OM_PANEL_WIDTH);
}

static void run_task(const run *r, int64_t number)
{
    int64_t low = 0, high = r->segment_count - 1;
    while (low < high) {
        int64_t middle = (low + high + 1) / 2;
        if (r->segments[middle].first_task <= number)
            low = middle;
        else
            high = middle - 1;
    }
    const segment *at = &r->segments[low];
    const om__gemm_item *item = &r->gemm->items[at->item];
    int64_t chunk = (number - at->first_task) % at->chunks;
    int64_t panel = (number - at->first_task) / at->chunks;
    task t = {.r = r, .at = at, .item = item};
    t.row = at->row + chunk * at->chunk_rows;
    t.rows = smaller(at->chunk_rows, at->row + at->rows - t.row);
    panel_place(item->n, panel * at->group, &t.column, &t.columns);
    if (at->group > 1) {
        int64_t column, columns, last = (panel + 1) * at->group;
        panel_place(item->n, smaller(last, panel_count(item->n)) - 1, &column, &columns);
        t.columns = column + columns - t.column;
    }
    t.panel = r->private_memory + (r->threads > 1 ? omp_get_thread_num() : 0) * r->private_bytes;
    t.sums = (float *)(void *)(t.panel + r->panel_bytes);
    t.wide_panel = (float *)(void *)(t.panel + r->panel_bytes + r->sums_bytes);
    t.wide_rows = t.wide_panel + 2 * smaller(r->steps, BLOCK_STEPS) * OM_PANEL_WIDTH;
    t.steps = steps_of(r->gemm->tiles, item->k);
    if (at->streams && !at->wide &&
        !om__stream_run(
            r->gemm, item, r->stream_panels + at->stream_at, t.column, t.columns,
            (float *)(void *)(t.panel + r->panel_bytes + r->sums_bytes + r->wide_bytes)))
        return;
    if (t.steps == 0)
        store_zeros(&t);
    if (r->gemm->dot != NULL && item->m <= r->gemm->dot_rows && t.steps > 0) {
        run_dots(&t);
        return;
    }
    int64_t block = r->k_block > 0 ? r->k_block : block_steps(t.steps);
    int64_t end = r->k_block > 0 ? smaller(t.steps, r->step + block) : t.steps;
    for (int64_t step = r->step; step < end; step += block)
        run_block(&t, step, smaller(block, t.steps - step));
}

static void meet(const run *r)
{
    if (r->threads > 1) {
#pragma omp barrier
    }
}

/* What every thread does, until all waves are done. Tasks go to whoever comes first: a plain
 * counter costs a fraction of a worksharing loop. */
static void work_on(run *r)
{
    for (;;) {
        int64_t number;
        if (r->packed || r->gemm->wide != NULL || r->gemm->streams != NULL) {
            while ((number = __atomic_fetch_add(&r->next_rows, PACK_ROWS, __ATOMIC_RELAXED)) <
                   r->rows)
                prepare_rows(r, number);
            meet(r);
        }
        while ((number = __atomic_fetch_add(&r->next_task, 1, __ATOMIC_RELAXED)) < r->task_count)
            run_task(r, number);
        __atomic_thread_fence(
            __ATOMIC_SEQ_CST); /* stores past the cache are ordered by nothing else */
        if (r->next_item >= r->gemm->item_count && r->next_step >= r->steps)
            return;
        meet(r);
        if (omp_get_thread_num() == 0 || r->threads == 1)
            next_wave(r);
        meet(r);
        if (r->segment_count == 0)
            return;
    }
}

static double flops_of(const om__gemm *g)
{
    double flops = 0;
    for (int64_t i = 0; i < g->item_count; i++)
        flops += 2.0 * (double)g->items[i].m * (double)g->items[i].n * (double)g->items[i].k;
    return flops;
}

/* A that must be packed and is longer than the caches: blocks of K one after the other, each of
 * which stays in the second-level cache. Sums between them are kept in d itself. */
static int64_t long_block(const om__gemm *g, int64_t steps, int64_t wave_rows)
{
    const om__gemm_item *item = g->items;
    if (g->item_count != 1 || !has_work(item) || g->pack_a == NULL || !g->store_is_copy ||
        steps <= BLOCK_STEPS || item->n % g->tiles->vector != 0 || item->m > wave_rows ||
        (g->dot != NULL && item->m <= g->dot_rows) || om__stream_serves(g, item))
        return 0; /* the last two plans want all of K */
    int64_t most = LONG_BYTES / (item->m * 4);
    most = most < 512 ? 512 : smaller(most, PART_STEPS);
    return round_up(divide_up(steps, divide_up(steps, most)), 16);
}

void om__gemm_run(const om_kernel_env *env, const om__gemm *gemm, const om__gemm_bounds *bounds,
                  void *workspace)
{
    const om__tiles *tiles = gemm->tiles;
    run r = {.gemm = gemm, .packed = gemm->pack_a != NULL};
    r.threads = om__threads_for(env, flops_of(gemm), FLOP_GRAIN);
    r.steps = steps_of(tiles, bounds->most_k);
    r.wave_rows = wave_rows(tiles, bounds);
    r.k_block = long_block(gemm, r.steps, r.wave_rows);
    r.next_step = r.k_block > 0 ? r.k_block : r.steps;
    r.a_stride = packed_stride(r.k_block > 0 ? r.k_block : r.steps);
    r.panel_bytes = panel_bytes(tiles, bounds);
    r.sums_bytes = sums_bytes(tiles, bounds);
    r.wide_bytes = wide_bytes(tiles, bounds);
    r.private_bytes = private_bytes(tiles, bounds);
    char *memory = (char *)(((uintptr_t)workspace + 63) & ~(uintptr_t)63);
    r.private_memory = memory;
    memory += env->threads * r.private_bytes;
    r.segments = (segment *)(void *)memory;
    memory += round_up(bounds->items * (int64_t)sizeof(segment), 64);
    r.stream_panels = memory;
    memory += stream_bytes(tiles, bounds);
    r.packed_a = memory;
    if (!next_wave(&r))
        return;
    if (r.threads == 1) {
        work_on(&r);
        return;
    }
#pragma omp parallel num_threads(r.threads)
    work_on(&r);
}
