/* SPDX-License-Identifier: Apache-2.0 */
/* delayed.c: the provider `own_delayed`: opmark's kernels, some of them held up by a known share.
 *
 * For `opmark ab --selftest`: OPMARK_DELAY=base or head says which side this process plays; by its
 * parameters a row is held up on one side or on none. The wait is a share of each call's own time.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/hash.h"
#include "ops/op.h"
#include "providers/providers.h"

typedef struct delayed_plan {
    void *own;
    double share;
} delayed_plan;

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

om_status om__delay_find(const om_op *op, const om_pairs *params, double *percent, om_error *err)
{
    static const double percents[] = {0, 0, 2, 3, 5, 10};
    om_hash hash;
    unsigned char bits[16];
    char *text = om__pairs_format(params);
    if (text == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a delay");
    om__hash_init(&hash);
    om__hash_add_text(&hash, op->name);
    om__hash_add_text(&hash, op->pass);
    om__hash_add_text(&hash, text);
    om__hash_finish(&hash, bits);
    free(text);
    *percent = percents[bits[0] % (sizeof percents / sizeof *percents)];
    if (bits[1] % 2 == 1)
        *percent = -*percent;
    return OM_OK;
}

static om_status find_share(const om_problem *problem, double *share, om_error *err)
{
    const char *side = getenv("OPMARK_DELAY");
    const om_op *op = om__op_find(problem->op, problem->pass);
    om_pairs params = {0};
    double percent = 0;
    *share = 0;
    if (side == NULL || op == NULL)
        return OM_OK;
    om_status status = om__args_format(op, problem->args, &params, err);
    if (status == OM_OK)
        status = om__delay_find(op, &params, &percent, err);
    om__pairs_release(&params);
    if (strcmp(side, "base") == 0)
        percent = -percent;
    if (percent > 0)
        *share = percent / 100;
    return status;
}

static om_status delayed_prepare(void *self, const om_problem *problem, void **plan,
                                 size_t *workspace_bytes, om_error *err)
{
    om_status status = OM_OK;
    delayed_plan *p = calloc(1, sizeof *p);
    if (p == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a plan");
    OM_TRY_OUT(find_share(problem, &p->share, err));
    OM_TRY_OUT(om_provider_own.prepare(self, problem, &p->own, workspace_bytes, err));
    *plan = p;
    return OM_OK;
out:
    free(p);
    return status;
}

static om_status delayed_run(void *self, void *plan, const om_problem *problem, void *workspace,
                             om_error *err)
{
    const delayed_plan *p = plan;
    double started = now_ns();
    om_status status = om_provider_own.run(self, p->own, problem, workspace, err);
    double until = now_ns();
    until += (until - started) * p->share;
    while (now_ns() < until)
        ;
    return status;
}

static void delayed_release(void *self, void *plan)
{
    delayed_plan *p = plan;
    if (p != NULL)
        om_provider_own.release(self, p->own);
    free(p);
}

static void delayed_explain(void *self, void *plan, char *text, size_t size)
{
    om_provider_own.explain(self, ((const delayed_plan *)plan)->own, text, size);
}

static om_status delayed_open(const om_provider_host *host, void **self, om_error *err)
{
    return om_provider_own.open(host, self, err);
}

static void delayed_close(void *self)
{
    om_provider_own.close(self);
}

static void delayed_describe(void *self, char *version, size_t version_size, char *details,
                             size_t details_size)
{
    om_provider_own.describe(self, version, version_size, details, details_size);
}

static om_status delayed_query(void *self, const om_problem *problem, om_error *err)
{
    return om_provider_own.query(self, problem, err);
}

extern const om_provider om_provider_own_delayed;
const om_provider om_provider_own_delayed = {
    .abi = OM_PROVIDER_ABI,
    .name = "own_delayed",
    .role = OM_ROLE_OWN,
    .device_kind = "cpu",
    .summary = "own, held up by known shares: for opmark ab --selftest",
    .by_name_only = 1,
    .open = delayed_open,
    .close = delayed_close,
    .describe = delayed_describe,
    .query = delayed_query,
    .prepare = delayed_prepare,
    .run = delayed_run,
    .release = delayed_release,
    .explain = delayed_explain,
};
