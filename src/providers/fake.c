/* SPDX-License-Identifier: Apache-2.0 */
/* fake.c: providers that misbehave on purpose, so that the runner's every answer can be tested.
 *
 * Each computes its result with the contract's host reference and then does one thing wrong. On the
 * fake device time is virtual: a call takes 10 µs, or what the fake stands for, and nothing waits.
 * On the CPU the slow one really spins.
 */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "core/convert.h"
#include "core/fill.h"
#include "ops/op.h"
#include "providers/providers.h"

typedef enum fake_kind {
    FAKE_PLAIN,
    FAKE_SLOW,
    FAKE_NOISY,
    FAKE_WARMING,
    FAKE_WRONG,
    FAKE_LATE,
    FAKE_NAN,
    FAKE_HOLES,
    FAKE_IDLE,
    FAKE_LIAR,
    FAKE_FAILS,
    FAKE_CRASH,
    FAKE_CRASH_OPEN,
    FAKE_CRASH_LATE,
    FAKE_EXIT,
    FAKE_HANG,
    FAKE_HANG_LATE,
    FAKE_GARBAGE,
    FAKE_GREEDY,
} fake_kind;

#define OM_FAKE_CALL_NS 10000.0
/* Calls after which the late ones turn: past the first check and into the timed loop. */
#define OM_FAKE_LATE_CALLS 20

typedef struct fake {
    fake_kind kind;
    om_fake_time *time; /* NULL: not on the fake device */
    int64_t calls;
} fake;

static void die(void)
{
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
}

static void hang(void)
{
    for (;;)
        pause();
}

/* Into every pipe beside the standard streams, the one to the parent among them. */
static void write_garbage(void)
{
    static const char garbage[] = "\xff\x00{]garbage\nat 99 99 nowhere\nrecord {\"half\": \n";
    for (int fd = 3; fd < 32; fd++) {
        struct stat status;
        if (fstat(fd, &status) != 0 || !S_ISFIFO(status.st_mode))
            continue;
        ssize_t written = write(fd, garbage, sizeof garbage - 1);
        (void)written;
    }
}

static om_status fake_open(const om_provider_host *host, fake_kind kind, void **self, om_error *err)
{
    if (strncmp(host->device, "cpu", 3) != 0 && strncmp(host->device, "fake", 4) != 0)
        return om__error_set(err, OM_UNSUPPORTED, "fakes compute on the host");
    if (kind == FAKE_CRASH_OPEN)
        die();
    fake *f = calloc(1, sizeof *f);
    if (f == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a provider");
    f->kind = kind;
    f->time = strncmp(host->device, "fake", 4) == 0 ? host->stream : NULL;
    *self = f;
    return OM_OK;
}

static void fake_close(void *self)
{
    free(self);
}

static void fake_describe(void *self, char *version, size_t version_size, char *details,
                          size_t details_size)
{
    (void)self;
    snprintf(version, version_size, "fake");
    snprintf(details, details_size, "purpose=tests\n");
}

static om_status fake_query(void *self, const om_problem *problem, om_error *err)
{
    (void)self;
    if (om__op_find(problem->op, problem->pass) == NULL)
        return om__error_set(err, OM_UNSUPPORTED, "opmark has no operator %s %s", problem->op,
                             problem->pass);
    return OM_OK;
}

static om_status fake_prepare(void *self, const om_problem *problem, void **plan,
                              size_t *workspace_bytes, om_error *err)
{
    fake *f = self;
    const om_op *op = om__op_find(problem->op, problem->pass);
    if (op == NULL)
        return om__error_set(err, OM_INTERNAL, "prepared without a contract");
    f->calls = 0;
    *plan = (void *)(uintptr_t)op;
    *workspace_bytes = f->kind == FAKE_GREEDY ? (size_t)1 << 50 : 0;
    return OM_OK;
}

/* A number in 0..1 that depends on the call alone, so that a run can be repeated. */
static double chance(const fake *f)
{
    return (double)(om__fill_bits(7, (uint32_t)f->kind, (uint64_t)f->calls) >> 11) * 0x1p-53;
}

/* A build of ours that is so many percent slower, for tests that compare two. */
static double asked_slowdown(void)
{
    const char *text = getenv("OPMARK_FAKE_PERCENT");
    double percent = 0;
    return text != NULL && om__parse_double(text, &percent) ? 1.0 + percent / 100 : 1.0;
}

static void pass_time(fake *f)
{
    double factor = asked_slowdown() * (1.0 + 0.004 * (chance(f) - 0.5));
    if (f->kind == FAKE_SLOW)
        factor *= 2.0;
    if (f->kind == FAKE_NOISY)
        factor *= chance(f) > 0.9 ? 3.0 : 1.0 + 0.5 * chance(f);
    if (f->kind == FAKE_WARMING)
        factor *= 1.0 + 3.0 * exp(-(double)f->calls / 4000.0);
    if (f->time != NULL) {
        f->time->now_ns += OM_FAKE_CALL_NS * factor;
        return;
    }
    if (f->kind != FAKE_SLOW)
        return;
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    do
        clock_gettime(CLOCK_MONOTONIC, &now);
    while ((now.tv_sec - start.tv_sec) * 1000000000L + (now.tv_nsec - start.tv_nsec) < 200000);
}

/* Spoils the last element of each output; a fault anywhere must be seen, this one is the farthest.
 */
static void spoil(const om_problem *problem, fake_kind kind)
{
    for (size_t i = 0; i < problem->tensor_count; i++) {
        const om_named_tensor *t = &problem->tensors[i];
        int64_t count = om_tensor_count(&t->tensor);
        if (!t->is_output || count == 0 || t->tensor.data == NULL)
            continue;
        double value = om__load_f64(t->tensor.data, t->tensor.dtype, count - 1);
        double spoilt = kind == FAKE_NAN ? (double)NAN : (value > 0 ? -1.0 - value : 1.0 - value);
        om__store_f64(t->tensor.data, t->tensor.dtype, count - 1, spoilt);
    }
}

static om_status compute(const om_op *op, const om_problem *problem, bool holes, om_error *err)
{
    unsigned char kept[OM_MAX_PORTS][16];
    for (size_t i = 0; holes && i < problem->tensor_count; i++) {
        const om_tensor *t = &problem->tensors[i].tensor;
        int64_t size = om_tensor_size_bytes(t);
        size_t part = size < 16 ? (size_t)size : 16;
        if (problem->tensors[i].is_output && t->data != NULL)
            memcpy(kept[i], (char *)t->data + size - part, part);
    }
    OM_TRY(op->reference(problem->args, NULL, err));
    for (size_t i = 0; holes && i < problem->tensor_count; i++) {
        const om_tensor *t = &problem->tensors[i].tensor;
        int64_t size = om_tensor_size_bytes(t);
        size_t part = size < 16 ? (size_t)size : 16;
        if (problem->tensors[i].is_output && t->data != NULL)
            memcpy((char *)t->data + size - part, kept[i], part);
    }
    return OM_OK;
}

static om_status fake_run(void *self, void *plan, const om_problem *problem, void *workspace,
                          om_error *err)
{
    (void)workspace;
    fake *f = self;
    bool late = f->calls >= OM_FAKE_LATE_CALLS;
    pass_time(f);
    f->calls++;
    switch (f->kind) {
    case FAKE_IDLE:
        return OM_OK;
    case FAKE_LIAR:
        return om__error_set(err, OM_UNSUPPORTED, "this shape after all not");
    case FAKE_FAILS:
        if (late)
            return om__error_set(err, OM_DEVICE, "the launch failed");
        break;
    case FAKE_CRASH:
        die();
        break;
    case FAKE_CRASH_LATE:
        if (late)
            die();
        break;
    case FAKE_EXIT:
        _exit(0);
    case FAKE_HANG:
        hang();
        break;
    case FAKE_HANG_LATE:
        if (late)
            hang();
        break;
    case FAKE_LATE:
        if (late)
            return OM_OK;
        break;
    case FAKE_GARBAGE:
        write_garbage();
        break;
    default:
        break;
    }
    OM_TRY(compute(plan, problem, f->kind == FAKE_HOLES, err));
    if (f->kind == FAKE_WRONG || f->kind == FAKE_NAN)
        spoil(problem, f->kind);
    return OM_OK;
}

#define OM_FAKE(provider, called, what, says)                                                      \
    static om_status open_##provider(const om_provider_host *host, void **self, om_error *err)     \
    {                                                                                              \
        return fake_open(host, what, self, err);                                                   \
    }                                                                                              \
    extern const om_provider provider;                                                             \
    const om_provider provider = {                                                                 \
        .abi = OM_PROVIDER_ABI,                                                                    \
        .name = called,                                                                            \
        .role = OM_ROLE_COMPETITOR,                                                                \
        .summary = says,                                                                           \
        .by_name_only = 1,                                                                         \
        .open = open_##provider,                                                                   \
        .close = fake_close,                                                                       \
        .describe = fake_describe,                                                                 \
        .query = fake_query,                                                                       \
        .prepare = fake_prepare,                                                                   \
        .run = fake_run,                                                                           \
    }

OM_FAKE(om_provider_fake, "fake", FAKE_PLAIN, "right, 10 µs a call on the fake device");
OM_FAKE(om_provider_fake_slow, "fake_slow", FAKE_SLOW, "right, twice as slow");
OM_FAKE(om_provider_fake_noisy, "fake_noisy", FAKE_NOISY,
        "right, one call in ten is three times slower");
OM_FAKE(om_provider_fake_warming, "fake_warming", FAKE_WARMING, "right, gets faster for long");
OM_FAKE(om_provider_fake_wrong, "fake_wrong", FAKE_WRONG, "the last element is wrong");
OM_FAKE(om_provider_fake_late, "fake_late", FAKE_LATE, "computes the first calls only");
OM_FAKE(om_provider_fake_nan, "fake_nan", FAKE_NAN, "the last element is NaN");
OM_FAKE(om_provider_fake_holes, "fake_holes", FAKE_HOLES, "leaves the last bytes unwritten");
OM_FAKE(om_provider_fake_idle, "fake_idle", FAKE_IDLE, "does nothing, fast");
OM_FAKE(om_provider_fake_liar, "fake_liar", FAKE_LIAR, "says that it serves and then does not");
OM_FAKE(om_provider_fake_fails, "fake_fails", FAKE_FAILS, "fails in the timed loop");
OM_FAKE(om_provider_fake_crash, "fake_crash", FAKE_CRASH, "crashes in its first call");
OM_FAKE(om_provider_fake_crash_open, "fake_crash_open", FAKE_CRASH_OPEN, "crashes when opened");
OM_FAKE(om_provider_fake_crash_late, "fake_crash_late", FAKE_CRASH_LATE,
        "crashes in the timed loop");
OM_FAKE(om_provider_fake_exit, "fake_exit", FAKE_EXIT, "leaves the process with success");
OM_FAKE(om_provider_fake_hang, "fake_hang", FAKE_HANG, "never returns");
OM_FAKE(om_provider_fake_hang_late, "fake_hang_late", FAKE_HANG_LATE,
        "stops returning in the timed loop");
OM_FAKE(om_provider_fake_garbage, "fake_garbage", FAKE_GARBAGE,
        "writes into pipes that are not its own");
OM_FAKE(om_provider_fake_greedy, "fake_greedy", FAKE_GREEDY, "wants 1 PiB of workspace");
