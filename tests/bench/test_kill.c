/* SPDX-License-Identifier: Apache-2.0 */
/* test_kill.c: `opmark run` killed with SIGKILL at random moments, a hundred times over one folder:
 * every record that was finished stays readable, and no worker outlives its run. */
#include "helpers/helper.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/fill.h"
#include "record/record.h"

enum {
    TIMES = 100,
    RECORDS = 12, /* of a run: 3 cases x 2 providers x (time, first_call) */
};

static pid_t start_run(const char *out)
{
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    setpgid(0, 0);
    execl(OM_BUILD_DIR "/opmark", "opmark", "run", "gemm", "m=1,2,3", "n=4", "k=4", "--device",
          "fake:0", "--provider", "fake,fake_slow", "--cache", "warm", "--time", "20ms", "--rounds",
          "3", "--threads", "1", "--launches", "1", "--quiet", "--out", out, (char *)NULL);
    _exit(127);
}

static void wait_ms(double ms)
{
    nanosleep(&(struct timespec){.tv_sec = (time_t)(ms / 1000),
                                 .tv_nsec = (long)(ms * 1e6) % 1000000000L},
              NULL);
}

static size_t count_lines(const char *out)
{
    char path[600];
    struct stat there;
    size_t lines = 0, size;
    snprintf(path, sizeof path, "%s/records.jsonl", out);
    if (stat(path, &there) != 0)
        return 0;
    char *text = helper_file_read(path, &size);
    for (size_t i = 0; i < size; i++)
        lines += text[i] == '\n';
    free(text);
    return lines;
}

/* Processes of this program that are still at work as workers, with our folder's run as parent
 * gone: their parent is 1 or a reaper, and they were told to die with it. */
static int count_workers(void)
{
    int found = 0;
    DIR *proc = opendir("/proc");
    struct dirent *entry;
    while (proc != NULL && (entry = readdir(proc)) != NULL) {
        char path[300], line[600] = "";
        snprintf(path, sizeof path, "/proc/%.100s/cmdline", entry->d_name);
        FILE *file = fopen(path, "r");
        if (file == NULL)
            continue;
        size_t size = fread(line, 1, sizeof line - 1, file);
        fclose(file);
        found += size > 0 && strncmp(line, OM_BUILD_DIR "/opmark", sizeof OM_BUILD_DIR + 6) == 0 &&
                 strcmp(line + strlen(line) + 1, "worker") == 0;
    }
    if (proc != NULL)
        closedir(proc);
    return found;
}

static void test_hundred_kills(void **state)
{
    (void)state;
    char *out = helper_folder_create();
    struct timespec start, now;
    size_t lines = 0, killed_working = 0;
    int done = 0;
    /* How long a whole run takes here, so that kills fall all over it. */
    clock_gettime(CLOCK_MONOTONIC, &start);
    pid_t whole = start_run(out);
    int code;
    assert_int_equal(waitpid(whole, &code, 0), whole);
    clock_gettime(CLOCK_MONOTONIC, &now);
    double whole_ms =
        (double)(now.tv_sec - start.tv_sec) * 1e3 + (double)(now.tv_nsec - start.tv_nsec) * 1e-6;
    lines = count_lines(out);
    assert_int_equal(lines, RECORDS);
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (; done < TIMES; done++) {
        pid_t pid = start_run(out);
        assert_true(pid > 0);
        double chance = (double)(om__fill_bits(99, 3, (uint64_t)done) >> 11) * 0x1p-53;
        wait_ms(whole_ms * chance);
        kill(pid, SIGKILL);
        assert_int_equal(waitpid(pid, &code, 0), pid);
        killed_working += WIFSIGNALED(code);
        size_t now_lines = count_lines(out);
        assert_true(now_lines + 1 >= lines); /* a cut line may be taken away, no whole one */
        lines = now_lines > lines ? now_lines : lines;
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (now.tv_sec - start.tv_sec > 30) /* a machine that is too busy: say how far it came */
            break;
    }
    printf("killed %d times, %zu of them at work, %zu records\n", done, killed_working, lines);
    assert_true(done == TIMES || now.tv_sec - start.tv_sec > 30);
    assert_true(killed_working > (size_t)done / 4);
    assert_true(lines > RECORDS); /* some had finished rows to lose */
    /* One run that is let through: it takes away a cut line and appends. */
    pid_t pid = start_run(out);
    assert_int_equal(waitpid(pid, &code, 0), pid);
    assert_true(WIFEXITED(code) && WEXITSTATUS(code) == 0);
    om_record_set set = {0};
    om_error err = {0};
    if (om__records_read(out, false, &set, &err) != OM_OK)
        fail_msg("%s:%ld: %s", err.file, err.line, err.text);
    assert_false(set.incomplete);
    assert_true(set.count >= lines);
    size_t last = 0;
    for (size_t i = 0; i < set.count; i++)
        last += strcmp(set.items[i].when.run, set.items[set.count - 1].when.run) == 0;
    assert_int_equal(last, RECORDS);
    om__record_set_release(&set);
    for (int i = 0; i < 50 && count_workers() > 0; i++)
        wait_ms(100);
    assert_int_equal(count_workers(), 0);
    helper_folder_remove(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hundred_kills),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
