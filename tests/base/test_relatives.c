/* SPDX-License-Identifier: Apache-2.0 */
/* test_relatives.c: a run knows its workers from strangers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/relatives.h"

/* What a child of this process says of `pid`. */
static bool child_says(pid_t pid)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        _exit(om__process_is_relative(pid) ? 1 : 0);
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status) == 1;
}

static void it_is_its_own_relative(void **state)
{
    (void)state;
    assert_true(om__process_is_relative(getpid()));
}

static void parent_and_sibling_are_relatives(void **state)
{
    int pipe_end[2];
    char byte;
    (void)state;
    assert_int_equal(pipe(pipe_end), 0);
    pid_t sibling = fork();
    if (sibling == 0) {
        close(pipe_end[1]);
        _exit(read(pipe_end[0], &byte, 1) == 0 ? 0 : 1); /* lives until the test lets go */
    }
    close(pipe_end[0]);
    assert_true(sibling > 0);
    assert_true(child_says(getpid()));
    assert_true(child_says(sibling));
    close(pipe_end[1]);
    assert_int_equal(waitpid(sibling, NULL, 0), sibling);
}

/* A child's child is neither parent nor sibling; process 1 is nobody's relative. */
static void strangers_are_none(void **state)
{
    (void)state;
    assert_false(child_says(1));
    assert_false(child_says(getppid()));
    assert_false(om__process_is_relative(0x7ffffff0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_its_own_relative),
        cmocka_unit_test(parent_and_sibling_are_relatives),
        cmocka_unit_test(strangers_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
