/* SPDX-License-Identifier: Apache-2.0 */
/* clock_events.c: the time of the calls of a sample between two events, directly or as a graph.
 *
 * Events see everything between them, launch gaps and what an event itself costs included; that
 * cost, of a sample without a call, is measured when the clock opens and stated, not subtracted.
 * The graph form captures the calls of a sample and times one replay, so that the launches follow
 * each other as closely as the device can make them; a contender that cannot be captured has no
 * time there.
 */
#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "bench/cuda/clock_cuda.h"
#include "bench/cuda/flush.h"
#include "core/cuda/cuda_status.h"
#include "providers/cuda/serve_cuda.h"

#define MOST_WAITING     256
#define OVERHEAD_SAMPLES 32

typedef struct event_pair {
    cudaEvent_t before, after;
    char invalid[120];
} event_pair;

struct om_clock {
    cudaStream_t stream;
    bool is_graph;
    om_flush_state flush;
    event_pair pairs[MOST_WAITING];
    int pair_count; /* made so far */
    int waiting;
    bool is_inside;
    double overhead_ns, tick_ns;
};

static om_status clock_flush(om_clock *clock, om_error *err)
{
    if (clock->is_graph && clock->is_inside)
        return om__error_set(err, OM_UNSUPPORTED,
                             "the graph clock cannot flush between the calls of a sample");
    return om__flush_run(&clock->flush, clock->stream, err);
}

static om_status next_pair(om_clock *clock, event_pair **pair, om_error *err)
{
    if (clock->waiting == MOST_WAITING)
        return om__error_set(err, OM_INTERNAL, "more than %d samples wait for collect",
                             MOST_WAITING);
    *pair = &clock->pairs[clock->waiting];
    if (clock->waiting == clock->pair_count) {
        OM_TRY_CUDA(cudaEventCreate(&(*pair)->before), err);
        om_status status =
            om__cuda_check((int)cudaEventCreate(&(*pair)->after), "cudaEventCreate", err);
        if (status != OM_OK) {
            (void)cudaEventDestroy((*pair)->before);
            return status;
        }
        clock->pair_count++;
    }
    (*pair)->invalid[0] = '\0';
    return OM_OK;
}

static om_status clock_begin(om_clock *clock, int64_t calls, om_error *err)
{
    event_pair *pair = NULL;
    (void)calls;
    if (clock->is_inside)
        return om__error_set(err, OM_INTERNAL, "a sample begins inside another");
    OM_TRY(next_pair(clock, &pair, err));
    OM_TRY_CUDA(cudaStreamSynchronize(clock->stream), err);
    if (clock->is_graph)
        OM_TRY_CUDA(cudaStreamBeginCapture(clock->stream, cudaStreamCaptureModeRelaxed), err);
    else
        OM_TRY_CUDA(cudaEventRecord(pair->before, clock->stream), err);
    clock->waiting++;
    clock->is_inside = true;
    return OM_OK;
}

/* Replays what was captured, between the events. */
static om_status replay(om_clock *clock, event_pair *pair, om_error *err)
{
    om_status status;
    cudaGraph_t graph = NULL;
    cudaGraphExec_t ready = NULL;
    size_t nodes = 0;
    OM_TRY_OUT(om__cuda_check((int)cudaStreamEndCapture(clock->stream, &graph),
                              "capturing the calls", err));
    OM_TRY_OUT(
        om__cuda_check((int)cudaGraphGetNodes(graph, NULL, &nodes), "cudaGraphGetNodes", err));
    if (nodes == 0) {
        status = om__error_set(err, OM_DEVICE, "no device work was captured");
        goto out;
    }
    OM_TRY_OUT(
        om__cuda_check((int)cudaGraphInstantiate(&ready, graph, 0), "cudaGraphInstantiate", err));
    OM_TRY_OUT(om__cuda_check((int)cudaGraphUpload(ready, clock->stream), "cudaGraphUpload", err));
    OM_TRY_OUT(
        om__cuda_check((int)cudaStreamSynchronize(clock->stream), "cudaStreamSynchronize", err));
    OM_TRY_OUT(
        om__cuda_check((int)cudaEventRecord(pair->before, clock->stream), "cudaEventRecord", err));
    OM_TRY_OUT(om__cuda_check((int)cudaGraphLaunch(ready, clock->stream), "cudaGraphLaunch", err));
    OM_TRY_OUT(
        om__cuda_check((int)cudaEventRecord(pair->after, clock->stream), "cudaEventRecord", err));
    /* The graph must outlive its replay. */
    OM_TRY_OUT(
        om__cuda_check((int)cudaStreamSynchronize(clock->stream), "cudaStreamSynchronize", err));
out:
    if (ready != NULL)
        (void)cudaGraphExecDestroy(ready);
    if (graph != NULL)
        (void)cudaGraphDestroy(graph);
    return status;
}

static om_status clock_end(om_clock *clock, om_error *err)
{
    om_error local = {0};
    if (!clock->is_inside)
        return om__error_set(err, OM_INTERNAL, "a sample ends that did not begin");
    clock->is_inside = false;
    event_pair *pair = &clock->pairs[clock->waiting - 1];
    om_status status = clock->is_graph
                           ? replay(clock, pair, &local)
                           : om__cuda_check((int)cudaEventRecord(pair->after, clock->stream),
                                            "cudaEventRecord", &local);
    if (status != OM_OK) {
        snprintf(pair->invalid, sizeof pair->invalid, "%.110s", local.text);
        /* A call that breaks the capture spoils its sample; a broken device spoils the worker. */
        if (cudaStreamSynchronize(clock->stream) != cudaSuccess) {
            if (err != NULL)
                *err = local;
            return status;
        }
        (void)cudaGetLastError();
        return OM_OK;
    }
    /* A fault must show while it is known whose sample this is. */
    OM_TRY_CUDA(cudaStreamSynchronize(clock->stream), err);
    return OM_OK;
}

static om_status clock_collect(om_clock *clock, om_clock_sample *samples, size_t count,
                               om_error *err)
{
    if (clock->is_inside || count != (size_t)clock->waiting)
        return om__error_set(err, OM_INTERNAL, "%zu samples collected, %d taken", count,
                             clock->waiting);
    clock->waiting = 0;
    OM_TRY_CUDA(cudaStreamSynchronize(clock->stream), err);
    for (size_t i = 0; i < count; i++) {
        float ms = 0;
        event_pair *pair = &clock->pairs[i];
        samples[i] = (om_clock_sample){.cpu_ns = -1, .kernel_count = -1};
        if (pair->invalid[0] != '\0') {
            memcpy(samples[i].invalid, pair->invalid, sizeof samples[i].invalid);
            continue;
        }
        OM_TRY_CUDA(cudaEventElapsedTime(&ms, pair->before, pair->after), err);
        samples[i].time_ns = (double)ms * 1e6;
    }
    return OM_OK;
}

static void clock_close(om_clock *clock)
{
    if (clock == NULL)
        return;
    for (int i = 0; i < clock->pair_count; i++) {
        (void)cudaEventDestroy(clock->pairs[i].before);
        (void)cudaEventDestroy(clock->pairs[i].after);
    }
    om__flush_close(&clock->flush);
    free(clock);
}

/* What a sample with no call (events), or with one null kernel (graph), reads. */
static om_status calibrate(om_clock *clock, om_error *err)
{
    om_clock_sample samples[OVERHEAD_SAMPLES];
    om_values values = {0};
    for (int i = 0; i < OVERHEAD_SAMPLES; i++) {
        OM_TRY(clock_begin(clock, 1, err));
        if (clock->is_graph)
            OM_TRY(om__null_launch(clock->stream, err));
        OM_TRY(clock_end(clock, err));
    }
    OM_TRY(clock_collect(clock, samples, OVERHEAD_SAMPLES, err));
    for (int i = OVERHEAD_SAMPLES / 4; i < OVERHEAD_SAMPLES; i++)
        if (samples[i].invalid[0] == '\0')
            om__values_add(&values, samples[i].time_ns);
    clock->overhead_ns = om__values_median(&values);
    for (size_t i = 1; i < values.count; i++) {
        double step = values.items[i] - values.items[i - 1];
        if (step > 0.5 && (clock->tick_ns == 0 || step < clock->tick_ns))
            clock->tick_ns = step;
    }
    free(values.items);
    return OM_OK;
}

static om_status open_with(bool is_graph, const om_clock_options *options, om_clock **out,
                           om_error *err)
{
    om_status status;
    *out = NULL;
    if (is_graph && options->stream == NULL)
        return om__error_set(err, OM_UNSUPPORTED,
                             "the graph clock needs a stream of its own: the default one cannot be "
                             "captured");
    om_clock *clock = calloc(1, sizeof *clock);
    if (clock == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a clock");
    clock->is_graph = is_graph;
    clock->stream = (cudaStream_t)options->stream;
    OM_TRY_OUT(om__cuda_host_enter(options->device, err));
    OM_TRY_OUT(om__flush_open(&clock->flush, OM_FLUSH_READ_WRITE, err));
    OM_TRY_OUT(calibrate(clock, err));
    *out = clock;
    clock = NULL;
out:
    clock_close(clock);
    return status;
}

static om_status open_events(const om_clock_options *options, om_clock **clock, om_error *err)
{
    return open_with(false, options, clock, err);
}

static om_status open_graph(const om_clock_options *options, om_clock **clock, om_error *err)
{
    return open_with(true, options, clock, err);
}

static void clock_info(om_clock *clock, om_clock_info *info)
{
    *info = (om_clock_info){.tick_ns = clock->tick_ns,
                            .overhead_ns = clock->overhead_ns,
                            .shortest_sample_ns = 0,
                            .rounds_per_collect = 8};
}

static om_status clock_evidence(om_clock *clock, om_pairs *evidence, om_error *err)
{
    char flush[96];
    om__flush_describe(&clock->flush, flush, sizeof flush);
    OM_TRY(om__pairs_set(evidence, "flush", flush, err));
    return om__pairs_setf(evidence, clock->is_graph ? "null_graph_ns" : "empty_sample_ns", err,
                          "%.0f", clock->overhead_ns);
}

const om_clock_api om_clock_cuda_events = {
    .name = "events",
    .device_kind = "cuda",
    .summary = "a pair of events round a call, launch gaps included",
    .open = open_events,
    .close = clock_close,
    .info = clock_info,
    .flush = clock_flush,
    .begin = clock_begin,
    .end = clock_end,
    .collect = clock_collect,
    .evidence = clock_evidence,
};

const om_clock_api om_clock_cuda_graph = {
    .name = "graph",
    .device_kind = "cuda",
    .summary = "a replay of the captured call between two events",
    .open = open_graph,
    .close = clock_close,
    .info = clock_info,
    .flush = clock_flush,
    .begin = clock_begin,
    .end = clock_end,
    .collect = clock_collect,
    .evidence = clock_evidence,
};
