/* SPDX-License-Identifier: Apache-2.0 */
/* test_record_file.c: record files: plain and compressed, cut and damaged, and writers that are
 * killed at any moment. */
#include "helpers/helper.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <zstd.h>

#include "record/record.h"

#define ROW(name)                                                                                  \
    "{\"schema\":1,\"benchmark\":{\"name\":\"" name "\"},\"outcome\":\"ok\",\"samples\":[1,2]}\n"

static char *path_in(const char *folder, const char *name)
{
    om_text path = {0};
    om__text_addf(&path, "%s/%s", folder, name);
    assert_false(path.failed);
    return path.data;
}

static om_status read_text(const char *text, bool lenient, om_record_set *set, om_error *err)
{
    char *folder = helper_folder_create();
    char *path = path_in(folder, "x.jsonl");
    helper_file_write(path, text);
    *set = (om_record_set){0};
    om_status status = om__records_read(path, lenient, set, err);
    free(path);
    helper_folder_remove(folder);
    return status;
}

/* Field case C-28. */
static void test_cut_last_line(void **state)
{
    (void)state;
    om_record_set set;
    assert_int_equal(
        read_text(ROW("a") ROW("b") ROW("c") ROW("d") "{\"case\":\"e\",\"m", false, &set, NULL),
        OM_OK);
    assert_int_equal(set.count, 4);
    assert_true(set.incomplete);
    assert_int_equal(set.warnings.count, 1);
    assert_non_null(strstr(set.warnings.items[0].key, "x.jsonl:5"));
    assert_non_null(strstr(set.warnings.items[0].value, "truncated after row 4"));
    om__record_set_release(&set);
    /* A whole last row without its line break is no fault. */
    assert_int_equal(read_text("{\"schema\":1,\"benchmark\":{\"name\":\"z\"}}", false, &set, NULL),
                     OM_OK);
    assert_int_equal(set.count, 1);
    assert_false(set.incomplete);
    assert_true(set.items[0].shared);
    om__record_set_release(&set);
}

/* Sections that stand as in the line before are copied: what differs, is left out, comes twice or
 * has unknown fields must be read as if the line stood alone. */
static void test_shared_sections(void **state)
{
    (void)state;
    static const char text[] =
        "{\"schema\":1,\"benchmark\":{\"name\":\"a\"},\"place\":{\"machine_class\":\"m\","
        "\"settings\":{\"k\":\"1\"}},\"method\":{\"inner\":7,\"cache\":\"cold\"}}\n"
        "{\"schema\":1,\"benchmark\":{\"name\":\"b\"},\"place\":{\"machine_class\":\"m\","
        "\"settings\":{\"k\":\"1\"}}}\n"
        "{\"schema\":1,\"benchmark\":{\"name\":\"c\"},\"place\":{\"instance\":\"i\"},"
        "\"place\":{\"machine_class\":\"m\",\"settings\":{\"k\":\"1\"}}}\n"
        "{\"schema\":1,\"benchmark\":{\"name\":\"d\"},\"place\":{\"machine_class\":\"m\","
        "\"settings\":{\"k\":\"1\"}},\"method\":{\"inner\":7,\"cache\":\"cold\",\"x\":1}}\n"
        "{\"schema\":1,\"benchmark\":{\"name\":\"e\"},\"method\":{\"inner\":7,\"cache\":"
        "\"cold\"}}\n"
        "{\"schema\":1,\"benchmark\":{\"name\":\"f\"},\"method\":{\"inner\":7,\"cache\":"
        "\"cold\",\"x\":1}}\n";
    om_record_set set;
    assert_int_equal(read_text(text, false, &set, NULL), OM_OK);
    assert_int_equal(set.count, 6);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(set.items[i].place.machine_class, "m");
        assert_int_equal(set.items[i].place.settings.count, 1);
        assert_string_equal(om__pairs_find(&set.items[i].place.settings, "k"), "1");
    }
    assert_null(set.items[4].place.machine_class);
    assert_int_equal(set.items[4].place.settings.count, 0);
    assert_null(set.items[1].method.cache);
    assert_int_equal(set.items[1].method.inner, 0);
    assert_string_equal(set.items[2].place.instance, "i");
    assert_null(set.items[3].place.instance);
    for (size_t i = 0; i < 6; i++) {
        if (i == 1 || i == 2)
            continue;
        assert_int_equal(set.items[i].method.inner, 7);
        assert_string_equal(set.items[i].method.cache, "cold");
        if (i == 3 || i == 5)
            assert_string_equal(set.items[i].unknown, "{\"method\":{\"x\":1}}");
        else
            assert_null(set.items[i].unknown);
    }
    om__record_set_release(&set);
}

/* Field case C-28. */
static void test_log_line_between_rows(void **state)
{
    (void)state;
    const char *text = ROW("a") "WARN: low memory\n\n" ROW("b");
    om_record_set set;
    om_error err;
    assert_int_equal(read_text(text, false, &set, &err), OM_PARSE);
    assert_int_equal(err.line, 2);
    assert_int_equal(set.count, 1);
    om__record_set_release(&set);
    assert_int_equal(read_text(text, true, &set, &err), OM_OK);
    assert_int_equal(set.count, 2);
    assert_int_equal(set.skipped, 1);
    assert_non_null(strstr(set.warnings.items[0].key, "x.jsonl:2"));
    om__record_set_release(&set);
}

static void test_empty_and_foreign_files(void **state)
{
    (void)state;
    om_record_set set;
    om_error err;
    assert_int_equal(read_text("", false, &set, &err), OM_PARSE);
    assert_string_equal(err.text, "empty file");
    om__record_set_release(&set);
    assert_int_equal(read_text("\n \n", true, &set, &err), OM_PARSE);
    om__record_set_release(&set);
    assert_int_equal(read_text("x\ny\n", true, &set, &err), OM_PARSE);
    assert_string_equal(err.text, "none of its 2 lines is a record");
    om__record_set_release(&set);
    assert_int_equal(read_text(ROW("a") "{\"schema\":7}\n", true, &set, &err), OM_PARSE);
    assert_non_null(strstr(err.text, "schema 7"));
    om__record_set_release(&set);
    set = (om_record_set){0};
    assert_int_equal(om__records_read("/nonexistent", false, &set, &err), OM_IO);
    om__record_set_release(&set);
}

static void write_bytes(const char *path, const void *data, size_t size)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, data, size), (ssize_t)size);
    close(fd);
}

/* Three frames, as after three appended compressed files; the last one is cut or damaged. */
static void test_compressed(void **state)
{
    (void)state;
    enum { FRAMES = 3, ROWS = 1000 };
    char *folder = helper_folder_create();
    char *path = path_in(folder, "records.jsonl.zst");
    om_text packed = {0};
    size_t last = 0;
    for (int f = 0; f < FRAMES; f++) {
        om_text text = {0};
        for (int i = f * ROWS; i < (f + 1) * ROWS; i++)
            om__text_addf(&text,
                          "{\"schema\":1,\"benchmark\":{\"name\":\"row %d\"},\"samples\":[%d]}\n",
                          i, i * 7919 % 1000);
        size_t bound = ZSTD_compressBound(text.size);
        char *frame = malloc(bound);
        size_t size = ZSTD_compress(frame, bound, text.data, text.size, 3);
        assert_false(ZSTD_isError(size));
        last = packed.size;
        om__text_add_bytes(&packed, frame, size);
        free(frame);
        om__text_release(&text);
    }
    om_record_set set = {0};
    om_error err;
    write_bytes(path, packed.data, packed.size);
    assert_int_equal(om__records_read(folder, false, &set, NULL), OM_OK);
    assert_int_equal(set.count, FRAMES * ROWS);
    assert_string_equal(set.items[2999].benchmark.name, "row 2999");
    assert_false(set.incomplete);
    om__record_set_release(&set);

    write_bytes(path, packed.data, packed.size - 20);
    if (om__records_read(path, false, &set, &err) != OM_OK)
        fail_msg("%s", err.text);
    assert_true(set.count >= 2 * ROWS && set.count < FRAMES * ROWS);
    assert_true(set.incomplete);
    om__record_set_release(&set);

    memset(packed.data + last, 0xAA, 40);
    write_bytes(path, packed.data, packed.size);
    assert_int_equal(om__records_read(path, false, &set, &err), OM_PARSE);
    assert_non_null(strstr(err.text, "damaged zstd file"));
    om__record_set_release(&set);
    om__text_release(&packed);
    free(path);
    helper_folder_remove(folder);
}

static void make_record(om_record *r, int number)
{
    char name[32];
    snprintf(name, sizeof name, "row %d", number);
    om__record_init(r);
    r->benchmark.name = om__strdup(name);
    r->sample_count = 200;
    r->samples = malloc(r->sample_count * sizeof *r->samples);
    for (size_t i = 0; i < r->sample_count; i++)
        r->samples[i] = (float)(number * 1000 + (int)i) / 7;
}

static void add(const char *folder, int number)
{
    om_record_writer *writer;
    om_record r;
    make_record(&r, number);
    assert_int_equal(om__record_writer_open(folder, &writer, NULL), OM_OK);
    assert_int_equal(om__record_writer_add(writer, &r, NULL), OM_OK);
    assert_int_equal(om__record_writer_close(writer, NULL), OM_OK);
    om__record_release(&r);
}

static void test_writer_mends_the_end(void **state)
{
    (void)state;
    char *folder = helper_folder_create();
    char *path = path_in(folder, "records.jsonl");
    om_record_set set = {0};
    /* The rest of a killed write goes; a whole row without line break stays. */
    helper_file_write(path, ROW("a") "{\"schema\":1,\"benchmark\":{\"na");
    add(folder, 1);
    assert_int_equal(om__records_read(folder, false, &set, NULL), OM_OK);
    assert_int_equal(set.count, 2);
    assert_string_equal(set.items[1].benchmark.name, "row 1");
    om__record_set_release(&set);
    helper_file_write(path, "{\"schema\":1,\"benchmark\":{\"name\":\"whole\"}}");
    add(folder, 2);
    assert_int_equal(om__records_read(folder, false, &set, NULL), OM_OK);
    assert_int_equal(set.count, 2);
    assert_string_equal(set.items[0].benchmark.name, "whole");
    om__record_set_release(&set);
    free(path);
    helper_folder_remove(folder);
}

static void test_writer_refusals(void **state)
{
    (void)state;
    om_record_writer *writer;
    om_error err;
    char *folder = helper_folder_create();
    char *path = path_in(folder, "records.jsonl");
    write_bytes(path, "\x28\xB5\x2F\xFD----", 8);
    assert_int_equal(om__record_writer_open(folder, &writer, &err), OM_INVALID);
    assert_null(writer);
    assert_int_equal(om__record_writer_open(path, &writer, &err), OM_IO);
    assert_int_equal(om__record_writer_open("/proc/none", &writer, &err), OM_IO);
    free(path);
    helper_folder_remove(folder);
}

static void test_full_disk_is_told(void **state)
{
    (void)state;
    om_record_writer *writer = NULL;
    char *folder = helper_folder_create();
    char *path = path_in(folder, "records.jsonl");
    om_record r;
    om_error err;
    make_record(&r, 1);
    assert_int_equal(symlink("/dev/full", path), 0);
    if (om__record_writer_open(folder, &writer, &err) != OM_OK)
        fail_msg("%s", err.text);
    assert_int_equal(om__record_writer_add(writer, &r, &err), OM_IO);
    assert_non_null(strstr(err.text, "No space left"));
    assert_int_equal(om__record_writer_close(writer, NULL), OM_OK);
    om__record_release(&r);
    free(path);
    helper_folder_remove(folder);
}

/* Writes rows and acknowledges each on the pipe, until it is killed. */
static void write_until_killed(const char *folder, int first, int pipe_end)
{
    om_record_writer *writer;
    if (om__record_writer_open(folder, &writer, NULL) != OM_OK)
        _exit(1);
    for (int number = first;; number++) {
        om_record r;
        make_record(&r, number);
        if (om__record_writer_add(writer, &r, NULL) != OM_OK ||
            write(pipe_end, &number, sizeof number) != sizeof number)
            _exit(1);
        om__record_release(&r);
    }
}

static void test_killed_a_hundred_times(void **state)
{
    (void)state;
    char *folder = helper_folder_create();
    unsigned seed = 12345;
    int acknowledged = 0;
    for (int round = 0; round < 100; round++) {
        int ends[2], number, last = acknowledged;
        assert_int_equal(pipe(ends), 0);
        pid_t pid = fork();
        assert_true(pid >= 0);
        if (pid == 0) {
            close(ends[0]);
            write_until_killed(folder, acknowledged + 1, ends[1]);
        }
        close(ends[1]);
        seed = seed * 1664525u + 1013904223u;
        /* Longer while nobody got to write: a machine may take long to start a process. */
        long most_ns = acknowledged > 0 ? 6000000 : 6000000 * (1 + round);
        struct timespec pause = {0, (long)(seed >> 8) % most_ns};
        nanosleep(&pause, NULL);
        kill(pid, SIGKILL);
        assert_int_equal(waitpid(pid, NULL, 0), pid);
        while (read(ends[0], &number, sizeof number) == sizeof number)
            last = number;
        close(ends[0]);
        acknowledged = last;
    }
    om_record_set set = {0};
    om_error err;
    if (om__records_read(folder, false, &set, &err) != OM_OK)
        fail_msg("line %ld: %s", err.line, err.text);
    char *seen = calloc((size_t)acknowledged + 2, 1);
    for (size_t i = 0; i < set.count; i++) {
        int number = atoi(set.items[i].benchmark.name + 4);
        assert_int_equal(set.items[i].sample_count, 200);
        if (number <= acknowledged)
            seen[number] = 1;
    }
    assert_true(acknowledged > 0);
    for (int number = 1; number <= acknowledged; number++)
        if (!seen[number])
            fail_msg("row %d of %d was acknowledged and lost", number, acknowledged);
    free(seen);
    om__record_set_release(&set);
    helper_folder_remove(folder);
}

static void test_four_writers_at_once(void **state)
{
    (void)state;
    enum { WRITERS = 4, ROWS = 200 };
    char *folder = helper_folder_create();
    pid_t pids[WRITERS];
    for (int w = 0; w < WRITERS; w++) {
        pids[w] = fork();
        if (pids[w] == 0) {
            om_record_writer *writer;
            if (om__record_writer_open(folder, &writer, NULL) != OM_OK)
                _exit(1);
            for (int i = 0; i < ROWS; i++) {
                om_record r;
                make_record(&r, w * ROWS + i);
                if (om__record_writer_add(writer, &r, NULL) != OM_OK)
                    _exit(1);
                om__record_release(&r);
            }
            _exit(om__record_writer_close(writer, NULL) == OM_OK ? 0 : 1);
        }
    }
    for (int w = 0; w < WRITERS; w++) {
        int how;
        assert_int_equal(waitpid(pids[w], &how, 0), pids[w]);
        assert_int_equal(how, 0);
    }
    om_record_set set = {0};
    assert_int_equal(om__records_read(folder, false, &set, NULL), OM_OK);
    assert_int_equal(set.count, WRITERS * ROWS);
    om__record_set_release(&set);
    helper_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cut_last_line),
        cmocka_unit_test(test_shared_sections),
        cmocka_unit_test(test_log_line_between_rows),
        cmocka_unit_test(test_empty_and_foreign_files),
        cmocka_unit_test(test_compressed),
        cmocka_unit_test(test_writer_mends_the_end),
        cmocka_unit_test(test_writer_refusals),
        cmocka_unit_test(test_full_disk_is_told),
        cmocka_unit_test(test_killed_a_hundred_times),
        cmocka_unit_test(test_four_writers_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
