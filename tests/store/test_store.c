/* SPDX-License-Identifier: Apache-2.0 */
/* test_store.c: what goes in comes out; queries, runs, gc, check; files that are not to be touched;
 * several writers, and writers that are killed. */
#include "helpers/helper.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "store/store.h"

#ifdef OM_HAVE_SQLITE
#include <sqlite3.h>

#include "store/sqlite.h"

typedef struct place {
    char *folder, *file;
} place;

static place place_create(void)
{
    place p = {helper_folder_create(), NULL};
    om_text path = {0};
    om__text_addf(&path, "%s/s.db", p.folder);
    p.file = path.data;
    return p;
}

static void place_remove(place *p)
{
    free(p->file);
    helper_folder_remove(p->folder);
}

static om_store *open_store(const place *p, om_store_mode mode)
{
    om_store *store;
    om_error err;
    if (om__store_open(p->file, mode, &store, &err) != OM_OK)
        fail_msg("%s", err.text);
    return store;
}

static void make_record(om_record *r, const char *run, int number)
{
    char text[64];
    om__record_init(r);
    snprintf(text, sizeof text, "row %d", number);
    r->benchmark.suite = om__strdup("quick");
    r->benchmark.table = om__strdup(number % 2 ? "odd" : "even");
    r->benchmark.name = om__strdup(text);
    r->benchmark.op = om__strdup("gemm");
    r->metric.name = om__strdup("time");
    r->metric.unit = om__strdup("ns");
    r->subject.provider = om__strdup("own");
    r->subject.role = OM_ROLE_OWN;
    r->subject.commit = om__strdup(number < 10 ? "abc123def456" : "fed999");
    r->place.machine_class = om__strdup("NVIDIA H200 (141 GB)");
    r->place.device = om__strdup("cuda:0");
    r->when.run = om__strdup(run);
    snprintf(text, sizeof text, "2026-11-%02dT10:00:00.000Z", number % 28 + 1);
    r->when.started = om__strdup(text);
    r->when.launch = number % 3;
    r->sample_count = 20;
    r->samples = malloc(20 * sizeof *r->samples);
    for (int i = 0; i < 20; i++)
        r->samples[i] = (float)(100 + (number * 31 + i * 17) % 23) / 3;
    r->samples[7] = NAN;
    r->sample_reasons = calloc(20, sizeof *r->sample_reasons);
    r->sample_reasons[7] = om__strdup("clock went backwards");
    assert_int_equal(om__record_summarise(r, NULL), OM_OK);
}

static void add_rows(om_store *store, const char *run, int from, int to)
{
    for (int i = from; i < to; i++) {
        om_record r;
        bool added = false;
        make_record(&r, run, i);
        assert_int_equal(om__store_add(store, &r, &added, NULL), OM_OK);
        assert_true(added);
        om__record_release(&r);
    }
}

static void test_out_comes_what_went_in(void **state)
{
    (void)state;
    place p = place_create();
    om_store *store = open_store(&p, OM_STORE_WRITE);
    om_record r;
    bool added;
    char *in, *out;
    make_record(&r, "r1", 3);
    assert_int_equal(om__store_add(store, &r, &added, NULL), OM_OK);
    assert_true(added);
    assert_int_equal(om__store_add(store, &r, &added, NULL), OM_OK);
    assert_false(added);
    om__store_close(store);

    store = open_store(&p, OM_STORE_READ);
    om_record_set set = {0};
    assert_int_equal(om__store_query(store, "", &set, NULL), OM_OK);
    assert_int_equal(set.count, 1);
    assert_int_equal(om__record_format(&r, &in, NULL), OM_OK);
    assert_int_equal(om__record_format(&set.items[0], &out, NULL), OM_OK);
    assert_string_equal(in, out);
    free(in);
    free(out);
    om__record_set_release(&set);
    om__store_close(store);
    om__record_release(&r);
    place_remove(&p);
}

static void check_query(om_store *store, const char *query, size_t want)
{
    om_record_set set = {0};
    om_error err;
    om_status status = om__store_query(store, query, &set, &err);
    if (want == 0)
        assert_int_equal(status, OM_INVALID);
    else if (status != OM_OK)
        fail_msg("%s: %s", query, err.text);
    if (set.count != want)
        fail_msg("%s yields %zu", query, set.count);
    om__record_set_release(&set);
}

static void test_queries(void **state)
{
    (void)state;
    place p = place_create();
    om_store *store = open_store(&p, OM_STORE_WRITE);
    add_rows(store, "r1", 0, 15);
    add_rows(store, "r2", 15, 20);
    check_query(store, "", 20);
    check_query(store, "commit=abc", 10);
    check_query(store, "commit=abc,machine=h200", 10);
    check_query(store, "machine=h100", 0);
    check_query(store, "run=r2", 5);
    check_query(store, "name=row 1?,table=odd", 5);
    check_query(store, "since=2026-11-20", 1);
    check_query(store, "until=2026-11-03", 2);
    check_query(store, "outcome=ok,provider=own,role=own,op=gemm,metric=time,suite=q*", 20);
    check_query(store, "name=' OR 1=1 --", 0);

    om_record_set set = {0};
    om_error err;
    assert_int_equal(om__store_query(store, "comit=abc", &set, &err), OM_INVALID);
    assert_non_null(strstr(err.text, "did you mean commit?"));
    assert_int_equal(om__store_query(store, "commit", &set, &err), OM_INVALID);
    assert_int_equal(om__store_query(store, "run=r3", &set, &err), OM_INVALID);
    assert_string_equal(err.text, "0 of 20 records match run=r3; there are r2, r1");
    om__record_set_release(&set);

    om_store_run *runs;
    size_t count;
    assert_int_equal(om__store_runs(store, "", &runs, &count, NULL), OM_OK);
    assert_int_equal(count, 2);
    assert_string_equal(runs[0].run, "r1");
    assert_int_equal(runs[0].records, 15);
    assert_int_equal(runs[0].ok, 15);
    assert_int_equal(runs[0].launches, 3);
    assert_int_equal(runs[0].samples, 15);
    assert_string_equal(runs[1].started, "2026-11-16T10:00:00.000Z");
    assert_string_equal(runs[1].commit, "fed999");
    om__store_runs_release(runs, count);
    om__store_close(store);
    place_remove(&p);
}

static void test_gc_keeps_summaries(void **state)
{
    (void)state;
    place p = place_create();
    om_store *store = open_store(&p, OM_STORE_WRITE);
    add_rows(store, "r1", 0, 20);
    int64_t dropped, records;
    assert_int_equal(om__store_gc(store, "2026-11-11", &dropped, NULL), OM_OK);
    assert_int_equal(dropped, 10);
    assert_int_equal(om__store_gc(store, "2026-11-11", &dropped, NULL), OM_OK);
    assert_int_equal(dropped, 0);
    om_record_set set = {0};
    assert_int_equal(om__store_query(store, "", &set, NULL), OM_OK);
    assert_int_equal(set.count, 20);
    for (size_t i = 0; i < 20; i++) {
        assert_int_equal(set.items[i].summary.n, 19);
        assert_int_equal(set.items[i].sample_count, i < 10 ? 0 : 20);
    }
    om__record_set_release(&set);
    /* What lost its samples is still known when its file is added again. */
    om_record r;
    bool added;
    make_record(&r, "r1", 0);
    assert_int_equal(om__store_add(store, &r, &added, NULL), OM_OK);
    assert_false(added);
    om__record_release(&r);
    om_pairs faults = {0};
    assert_int_equal(om__store_check(store, &faults, &records, NULL), OM_OK);
    assert_int_equal(faults.count, 0);
    assert_int_equal(records, 20);
    om__store_close(store);
    place_remove(&p);
}

static void sql(const char *file, const char *statement)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
    if (sqlite3_exec(db, statement, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(db));
    sqlite3_close(db);
}

static void test_check_finds_damage(void **state)
{
    (void)state;
    place p = place_create();
    om_store *store = open_store(&p, OM_STORE_WRITE);
    add_rows(store, "r1", 0, 6);
    om__store_close(store);
    sql(p.file, "UPDATE record SET document = replace(document, '\"median\":', '\"median\":1')"
                " WHERE id = 2;"
                "UPDATE record SET document = '{' WHERE id = 3;"
                "UPDATE sample SET data = x'00' WHERE record = 4;"
                "UPDATE record SET sample_count = 21 WHERE id = 5;"
                "PRAGMA foreign_keys = OFF; DELETE FROM record WHERE id = 6;");
    store = open_store(&p, OM_STORE_READ);
    om_pairs faults = {0};
    int64_t records;
    assert_int_equal(om__store_check(store, &faults, &records, NULL), OM_OK);
    assert_int_equal(faults.count, 5);
    assert_non_null(om__pairs_find(&faults, "record 2"));
    assert_non_null(om__pairs_find(&faults, "record 3"));
    assert_non_null(strstr(om__pairs_find(&faults, "record 4"), "damaged samples"));
    assert_non_null(om__pairs_find(&faults, "record 5"));
    assert_non_null(om__pairs_find(&faults, "reference 1"));
    om__pairs_release(&faults);
    om__store_close(store);
    place_remove(&p);
}

/* ---- files that must not be touched ---- */

static void check_refused(const char *file, om_status want, const char *part)
{
    size_t before_size, after_size;
    char *before = helper_file_read(file, &before_size);
    for (int mode = 0; mode < 2; mode++) {
        om_store *store;
        om_error err;
        om_status status =
            om__store_open(file, mode == 0 ? OM_STORE_READ : OM_STORE_WRITE, &store, &err);
        assert_int_equal(status, want);
        assert_null(store);
        if (strstr(err.text, part) == NULL)
            fail_msg("says: %s", err.text);
        assert_string_equal(err.file, file);
    }
    char *after = helper_file_read(file, &after_size);
    assert_int_equal(before_size, after_size);
    assert_memory_equal(before, after, before_size);
    free(before);
    free(after);
}

static void test_strange_files_are_left_alone(void **state)
{
    (void)state;
    place p = place_create();
    om_store *store;
    om_error err;
    helper_file_write(p.file, "this is a text, and long enough to be taken for a database header, "
                              "which has a hundred bytes and a magic word in front of them ......");
    check_refused(p.file, OM_DATABASE, "is no store");
    unlink(p.file);
    sql(p.file, "CREATE TABLE theirs(x)");
    check_refused(p.file, OM_DATABASE, "another program");
    unlink(p.file);
    om__store_close(open_store(&p, OM_STORE_WRITE));
    sql(p.file, "PRAGMA journal_mode = DELETE; PRAGMA user_version = 99");
    check_refused(p.file, OM_DATABASE, "schema 99 is newer");
    sql(p.file, "PRAGMA user_version = 2; DROP INDEX record_by_commit");
    check_refused(p.file, OM_DATABASE, "half migrated");
    assert_int_equal(om__store_open(p.folder, OM_STORE_WRITE, &store, &err), OM_IO);
    assert_int_equal(om__store_open("/nonexistent/s.db", OM_STORE_READ, &store, &err), OM_IO);
    assert_int_equal(om__store_open("/nonexistent/s.db", OM_STORE_WRITE, &store, &err), OM_IO);
    place_remove(&p);
}

static void test_damaged_pages_are_an_error(void **state)
{
    (void)state;
    place p = place_create();
    om_store *store = open_store(&p, OM_STORE_WRITE);
    add_rows(store, "r1", 0, 200);
    om__store_close(store);
    FILE *file = fopen(p.file, "r+b");
    assert_non_null(file);
    fseek(file, 8192, SEEK_SET);
    for (int i = 0; i < 40000; i++)
        fputc(0x5A, file);
    fclose(file);
    om_error err;
    om_status status = om__store_open(p.file, OM_STORE_READ, &store, &err);
    if (status == OM_OK) {
        om_record_set set = {0};
        om_pairs faults = {0};
        int64_t records;
        assert_int_equal(om__store_query(store, "", &set, &err), OM_DATABASE);
        assert_int_equal(om__store_check(store, &faults, &records, &err), OM_OK);
        assert_true(faults.count > 0);
        om__pairs_release(&faults);
        om__record_set_release(&set);
        om__store_close(store);
    } else {
        assert_int_equal(status, OM_DATABASE);
    }
    place_remove(&p);
}

/* ---- schemas ---- */

static void test_an_old_store_is_brought_up(void **state)
{
    (void)state;
    place p = place_create();
    sqlite3 *db;
    assert_int_equal(sqlite3_open(p.file, &db), SQLITE_OK);
    assert_int_equal(om__store_migrate(db, p.file, 1, NULL), OM_OK);
    assert_int_equal(
        sqlite3_exec(db,
                     "INSERT INTO record(identity, workload, params, role, launch, outcome,"
                     " sample_count, document) VALUES(x'01', 'a', '', 'own', 0, 'ok', 0,"
                     " '{\"schema\":1,\"benchmark\":{\"name\":\"a\"},\"outcome\":\"ok\"}')",
                     NULL, NULL, NULL),
        SQLITE_OK);
    sqlite3_close(db);
    om_store *store = open_store(&p, OM_STORE_READ);
    int64_t version;
    assert_int_equal(om__store_number(store->db, p.file, "PRAGMA user_version", &version, NULL),
                     OM_OK);
    assert_int_equal(version, om__store_schema());
    assert_int_equal(om__store_verify_schema(store->db, p.file, om__store_schema(), NULL), OM_OK);
    check_query(store, "name=a", 1);
    om__store_close(store);
    place_remove(&p);
}

/* ---- several writers ---- */

static int start_writer(const place *p, int first, int rows, int pipe_end)
{
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid > 0)
        return pid;
    om_store *store;
    if (om__store_open(p->file, OM_STORE_WRITE, &store, NULL) != OM_OK)
        _exit(1);
    for (int i = 0; i < rows; i++) {
        om_record r;
        int number = first + i;
        make_record(&r, "r1", number);
        if (om__store_add(store, &r, NULL, NULL) != OM_OK)
            _exit(2);
        if (pipe_end >= 0 && write(pipe_end, &number, sizeof number) != sizeof number)
            _exit(3);
        om__record_release(&r);
    }
    om__store_close(store);
    _exit(0);
}

static void test_two_writers_lose_nothing(void **state)
{
    (void)state;
    enum { WRITERS = 2, ROWS = 60 };
    place p = place_create();
    int pids[WRITERS];
    for (int w = 0; w < WRITERS; w++)
        pids[w] = start_writer(&p, w * 1000, ROWS, -1);
    for (int w = 0; w < WRITERS; w++) {
        int how;
        assert_int_equal(waitpid(pids[w], &how, 0), pids[w]);
        assert_int_equal(how, 0);
    }
    om_store *store = open_store(&p, OM_STORE_READ);
    check_query(store, "", WRITERS * ROWS);
    om__store_close(store);
    place_remove(&p);
}

static void test_killed_a_hundred_times(void **state)
{
    (void)state;
    place p = place_create();
    unsigned seed = 4711;
    int acknowledged = 0, next = 0;
    char wanted[100000] = {0};
    om__store_close(open_store(&p, OM_STORE_WRITE));
    for (int round = 0; round < 100; round++) {
        int ends[2], number;
        assert_int_equal(pipe(ends), 0);
        int pid = start_writer(&p, next, 90000, ends[1]);
        close(ends[1]);
        seed = seed * 1664525u + 1013904223u;
        struct timespec pause = {0, (long)(seed >> 4) % 60000000};
        nanosleep(&pause, NULL);
        kill(pid, SIGKILL);
        assert_int_equal(waitpid(pid, NULL, 0), pid);
        while (read(ends[0], &number, sizeof number) == sizeof number) {
            wanted[number] = 1;
            acknowledged++;
            next = number + 1;
        }
        close(ends[0]);
    }
    assert_true(acknowledged > 0);
    om_store *store = open_store(&p, OM_STORE_READ);
    om_record_set set = {0};
    om_error err;
    if (om__store_query(store, "", &set, &err) != OM_OK)
        fail_msg("%s", err.text);
    for (size_t i = 0; i < set.count; i++) {
        assert_int_equal(set.items[i].sample_count, 20);
        wanted[atoi(set.items[i].benchmark.name + 4)] = 0;
    }
    for (size_t i = 0; i < sizeof wanted; i++)
        if (wanted[i])
            fail_msg("row %zu was acknowledged and lost", i);
    om_pairs faults = {0};
    int64_t records;
    assert_int_equal(om__store_check(store, &faults, &records, NULL), OM_OK);
    assert_int_equal(faults.count, 0);
    om__record_set_release(&set);
    om__store_close(store);
    place_remove(&p);
}

static void test_a_batch_is_all_or_nothing(void **state)
{
    (void)state;
    place p = place_create();
    om_store *store = open_store(&p, OM_STORE_WRITE);
    assert_int_equal(om__store_begin(store, NULL), OM_OK);
    add_rows(store, "r1", 0, 5);
    om__store_close(store);
    store = open_store(&p, OM_STORE_WRITE);
    check_query(store, "", 0);
    assert_int_equal(om__store_begin(store, NULL), OM_OK);
    add_rows(store, "r1", 0, 5);
    assert_int_equal(om__store_commit(store, NULL), OM_OK);
    om__store_close(store);
    store = open_store(&p, OM_STORE_READ);
    check_query(store, "", 5);
    om__store_close(store);
    place_remove(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_out_comes_what_went_in),
        cmocka_unit_test(test_queries),
        cmocka_unit_test(test_gc_keeps_summaries),
        cmocka_unit_test(test_check_finds_damage),
        cmocka_unit_test(test_strange_files_are_left_alone),
        cmocka_unit_test(test_damaged_pages_are_an_error),
        cmocka_unit_test(test_an_old_store_is_brought_up),
        cmocka_unit_test(test_two_writers_lose_nothing),
        cmocka_unit_test(test_killed_a_hundred_times),
        cmocka_unit_test(test_a_batch_is_all_or_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void test_absence_is_told(void **state)
{
    (void)state;
    om_store *store;
    om_error err;
    assert_int_equal(om__store_open("s.db", OM_STORE_WRITE, &store, &err), OM_UNSUPPORTED);
    assert_non_null(strstr(err.text, "libsqlite3-dev"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_absence_is_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
