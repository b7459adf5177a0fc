/* SPDX-License-Identifier: Apache-2.0 */
/* test_anchor.c: the copy and the read that rates are compared with: once around the buffers with
 * any number of threads, at a rate that a memory can have. */
#include "helpers/helper.h"

#include <time.h>

#include "bench/anchor.h"

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void around_the_buffers(void **state)
{
    (void)state;
    enum { CALLS = 70 }; /* the largest buffer has 64 slices of a copy */
    for (int threads = 0; threads <= 3; threads++) {
        om_anchor *anchor;
        assert_int_equal(om__anchor_create(threads, &anchor, NULL), OM_OK);
        double start = now_ns();
        for (int i = 0; i < CALLS; i++)
            assert_int_equal(om__anchor_copy(anchor, NULL), OM_OK);
        double copied = now_ns();
        for (int i = 0; i < CALLS; i++)
            assert_int_equal(om__anchor_read(anchor, NULL), OM_OK);
        double copy_gbps = CALLS * om__anchor_bytes() / (copied - start);
        double read_gbps = CALLS * om__anchor_bytes() / (now_ns() - copied);
        assert_true(copy_gbps > 0.05 && copy_gbps < 5000);
        assert_true(read_gbps > 0.05 && read_gbps < 5000);
        om__anchor_destroy(anchor);
    }
    om__anchor_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(around_the_buffers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
