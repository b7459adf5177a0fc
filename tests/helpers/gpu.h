/* SPDX-License-Identifier: Apache-2.0 */
/* gpu.h: what tests on a GPU share: finding the device and its objects, or skipping with the
 * reason. */
#ifndef OM_TESTS_GPU_H
#define OM_TESTS_GPU_H

#include "bench/clock.h"
#include "core/context.h"
#include "helpers/helper.h"

/* A context on cuda:0, on a stream of its own, and the measuring object; NULL context where there
 * is no GPU to test on, with the reason in `error`. */
typedef struct gpu {
    om_context *context;
    const om_measure_api *measure;
    void *stream;
    om_error error;
} gpu;

/* The folder of the device objects, and of the program, in the build folder or in a bundle. */
const char *gpu_object_folder(char *buffer, size_t size);
const char *gpu_program_folder(char *buffer, size_t size);
/* The folder of the running test, where plug-ins for tests lie, too. */
const char *gpu_test_folder(char *buffer, size_t size);

gpu gpu_open(void);
void gpu_close(gpu *g);

/* The GPU of a test program: opened and closed around its tests by these two of cmocka's kind. */
extern gpu the;
int gpu_set_up(void **state);
int gpu_tear_down(void **state);

/* Skips the running test where there is no GPU. */
#define gpu_need(g)                                                                                \
    do {                                                                                           \
        if ((g)->context == NULL)                                                                  \
            skip_because("%s", (g)->error.text);                                                   \
    } while (0)

/* Fails the test with the error's text. */
#define assert_ok(call, error)                                                                     \
    do {                                                                                           \
        if ((call) != OM_OK)                                                                       \
            fail_msg("%s: %s", #call, (error)->text);                                              \
    } while (0)

#endif
