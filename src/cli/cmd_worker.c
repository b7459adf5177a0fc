/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_worker.c: `opmark worker`: the process that measures; started by `run`, not by people. */
#include "bench/worker.h"
#include "cli/command.h"

typedef struct worker_config {
    int64_t in, out;
} worker_config;

static const om_option options[] = {
    {"in", 0, OM_OPTION_INT, offsetof(worker_config, in), "FD", "3", NULL, "pipe of requests"},
    {"out", 0, OM_OPTION_INT, offsetof(worker_config, out), "FD", "4", NULL, "pipe of answers"},
};

static int run_worker(void *opaque, const om_words *operands)
{
    const worker_config *config = opaque;
    (void)operands;
    om_error err = {0};
    /* What went wrong was told through the pipe already. */
    return om__worker_main((int)config->in, (int)config->out, &err) == OM_OK ? OM_EXIT_OK
                                                                             : OM_EXIT_ENVIRONMENT;
}

const om_command om__cmd_worker = {
    .name = "worker",
    .summary = "measure what is asked through a pipe",
    .operands = "",
    OM_OPTIONS(options),
    .config_size = sizeof(worker_config),
    .hidden = true,
    .run = run_worker,
};
