/* SPDX-License-Identifier: Apache-2.0 */
/* clock_records.c: the time of a call as the union of its kernels' intervals in the device records.
 *
 * A sample pushes its own number, so that everything launched in it is attributed to it; the device
 * is idle when it begins. Flushes and clock probes carry another number and never count. The probe
 * that runs right behind a sample reads the SM clock from inside the device, since the driver's
 * management library reports it late and too high.
 */
#include <cuda_runtime_api.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "bench/cuda/clock_cuda.h"
#include "bench/cuda/flush.h"
#include "bench/cuda/kernel_names.h"
#include "bench/cuda/recorder.h"
#include "core/cuda/cuda_status.h"
#include "providers/cuda/serve_cuda.h"

#define MOST_WAITING 512 /* samples between two collects */
#define MOST_ROUNDS  16
#define NULL_SAMPLES 64
/* Where the addition goes: 16 places, 4 MiB and an odd number of lines apart. */
#define ADD_PLACES 16
#define ADD_SPACE  (((size_t)4 << 20) + 37 * 128)

struct om_clock {
    cudaStream_t stream;
    om_flush_state flush;
    bool is_recording;
    uint64_t first_waiting, next; /* numbers of samples; 0 is nobody */
    bool is_inside;
    om_clock_probe *probes; /* device memory, one a waiting sample */
    om_kernel_names names;
    double tick_ns, null_ns, add_one_ns;
    double add_low_ns, add_high_ns; /* the addition where memory is near, and where it is far */
    double copy_ns;                 /* of 4 GiB; 0: no memory for it */
    bool is_drop_counter_live;
    /* Since the last evidence. */
    om_values spans, gaps, clocks;
    int64_t lost, memory_operations;
};

static om_status launch_own(om_clock *clock, om_status (*launch)(om_clock *, om_error *),
                            om_error *err)
{
    om_error ignored;
    OM_TRY(om__recorder_push(OM_RECORDER_OWN, err));
    om_status status = launch(clock, err);
    om_status popped = om__recorder_pop(status == OM_OK ? err : &ignored);
    return status != OM_OK ? status : popped;
}

static om_status launch_flush(om_clock *clock, om_error *err)
{
    return om__flush_run(&clock->flush, clock->stream, err);
}

static om_status launch_probe(om_clock *clock, om_error *err)
{
    /* Called from end(): next is already past the sample that just ended. */
    uint64_t slot = clock->next - 1 - clock->first_waiting;
    return om__probe_launch(clock->stream, clock->probes + slot, err);
}

static om_status clock_flush(om_clock *clock, om_error *err)
{
    return launch_own(clock, launch_flush, err);
}

static om_status clock_begin(om_clock *clock, int64_t calls, om_error *err)
{
    (void)calls;
    if (clock->is_inside)
        return om__error_set(err, OM_INTERNAL, "a sample begins inside another");
    if (clock->next - clock->first_waiting >= MOST_WAITING)
        return om__error_set(err, OM_INTERNAL, "more than %d samples wait for collect",
                             MOST_WAITING);
    OM_TRY_CUDA(cudaStreamSynchronize(clock->stream), err);
    OM_TRY(om__recorder_push(clock->next, err));
    clock->next++;
    clock->is_inside = true;
    return OM_OK;
}

static om_status clock_end(om_clock *clock, om_error *err)
{
    if (!clock->is_inside)
        return om__error_set(err, OM_INTERNAL, "a sample ends that did not begin");
    clock->is_inside = false;
    OM_TRY(om__recorder_pop(err));
    OM_TRY(launch_own(clock, launch_probe, err));
    /* A fault must show while it is known whose sample this is. */
    OM_TRY_CUDA(cudaStreamSynchronize(clock->stream), err);
    return OM_OK;
}

/* First and past-last record of an owner. */
static void range_of(const om_recording *recording, uint64_t owner, size_t *from, size_t *to)
{
    size_t low = 0, high = recording->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (recording->work[middle].interval.owner < owner)
            low = middle + 1;
        else
            high = middle;
    }
    *from = low;
    while (low < recording->count && recording->work[low].interval.owner == owner)
        low++;
    *to = low;
}

/* Kernels only, sorted by owner and start: the input of the union. */
static size_t kernels_only(const om_recording *recording, om_interval *kernels)
{
    size_t count = 0;
    for (size_t i = 0; i < recording->count; i++)
        if (recording->work[i].is_kernel)
            kernels[count++] = recording->work[i].interval;
    om__intervals_sort(kernels, count);
    return count;
}

static void judge_sample(const om_recording *recording, const om_busy *busy,
                         om_clock_sample *sample)
{
    if (recording->dropped > 0)
        snprintf(sample->invalid, sizeof sample->invalid, "records lost: %zu in this batch",
                 recording->dropped);
    else if (busy->damaged > 0)
        snprintf(sample->invalid, sizeof sample->invalid, "%d of %d device records have no time",
                 busy->damaged, busy->count);
    else if (busy->count == 0 && recording->kernels_of_nobody > 0)
        snprintf(sample->invalid, sizeof sample->invalid,
                 "its kernels were launched by another thread: not attributed");
    else if (busy->count == 0)
        snprintf(sample->invalid, sizeof sample->invalid, "no device work");
}

static void fill_sample(om_clock *clock, const om_recording *recording, const om_interval *kernels,
                        size_t kernel_count, uint64_t owner, const om_clock_probe *probe,
                        om_clock_sample *sample)
{
    om_busy busy;
    size_t from, to;
    om__intervals_busy(kernels, kernel_count, owner, &busy);
    range_of(recording, owner, &from, &to);
    *sample = (om_clock_sample){
        .time_ns = busy.busy_ns, .cpu_ns = -1, .span_ns = busy.span_ns, .kernel_count = busy.count};
    sample->kernels = om__kernel_names_join(&clock->names, recording->work + from, to - from);
    if (probe->ns > 0)
        sample->clock_mhz = (double)probe->cycles * 1e3 / (double)probe->ns;
    judge_sample(recording, &busy, sample);
    clock->memory_operations += (int64_t)(to - from) - busy.count;
    if (sample->invalid[0] == '\0') {
        om__values_add(&clock->spans, busy.span_ns);
        om__values_add(&clock->gaps, busy.gap_ns);
    }
    if (sample->clock_mhz > 0)
        om__values_add(&clock->clocks, sample->clock_mhz);
}

static om_status clock_collect(om_clock *clock, om_clock_sample *samples, size_t count,
                               om_error *err)
{
    om_status status;
    om_recording recording = {0};
    om_interval *kernels = NULL;
    om_clock_probe probes[MOST_WAITING];
    uint64_t first = clock->first_waiting;

    if (clock->is_inside || count != clock->next - first)
        return om__error_set(err, OM_INTERNAL, "%zu samples collected, %llu taken", count,
                             (unsigned long long)(clock->next - first));
    OM_TRY_OUT(
        om__cuda_check((int)cudaStreamSynchronize(clock->stream), "waiting for the device", err));
    OM_TRY_OUT(om__recorder_take(&recording, err));
    OM_TRY_OUT(om__cuda_check((int)cudaMemcpyAsync(probes, clock->probes, count * sizeof *probes,
                                                   cudaMemcpyDeviceToHost, clock->stream),
                              "cudaMemcpyAsync", err));
    OM_TRY_OUT(
        om__cuda_check((int)cudaStreamSynchronize(clock->stream), "cudaStreamSynchronize", err));
    kernels = malloc((recording.count + 1) * sizeof *kernels);
    if (kernels == NULL) {
        status = om__error_set(err, OM_NO_MEMORY, "no memory for device records");
        goto out;
    }
    size_t kernel_count = kernels_only(&recording, kernels);
    for (size_t i = 0; i < count; i++)
        fill_sample(clock, &recording, kernels, kernel_count, first + i, &probes[i], &samples[i]);
    clock->lost += (int64_t)recording.dropped;
out:
    clock->first_waiting = clock->next;
    om__recording_release(&recording);
    free(kernels);
    return status;
}

/* ---- calibration ---- */

static void forget_evidence(om_clock *clock)
{
    clock->spans.count = clock->gaps.count = clock->clocks.count = 0;
    clock->lost = clock->memory_operations = 0;
}

static int compare_doubles(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The smallest step between different readings: what the clock can show. The device counts in steps
 * of tens of nanoseconds, and the driver's conversion to host time adds a nanosecond here and
 * there. */
static double smallest_step(double *values, size_t count)
{
    double step = 0;
    qsort(values, count, sizeof *values, compare_doubles);
    for (size_t i = 1; i < count; i++) {
        double difference = values[i] - values[i - 1];
        if (difference > 4 && (step == 0 || difference < step))
            step = difference;
    }
    return step;
}

/* Cold readings of a kernel of the measuring itself; the first samples are a warm-up. The addition
 * goes to another place in memory each time: how far from its multiprocessor a place lies moves it
 * by a fifth. sorted: room for NULL_SAMPLES. */
static om_status read_small_kernel(om_clock *clock, float *elements, double *sorted, size_t *taken,
                                   double *step, om_error *err)
{
    om_clock_sample samples[NULL_SAMPLES];
    size_t count = 0;
    for (int i = 0; i < NULL_SAMPLES; i++) {
        float *element = elements;
        if (elements != NULL)
            element += (size_t)(i % ADD_PLACES) * (ADD_SPACE / sizeof(float));
        OM_TRY(clock_flush(clock, err));
        OM_TRY(clock_begin(clock, 1, err));
        om_status status = elements != NULL ? om__add_one_launch(clock->stream, element, err)
                                            : om__null_launch(clock->stream, err);
        om_error ignored;
        om_status ended = clock_end(clock, status == OM_OK ? err : &ignored);
        OM_TRY(status != OM_OK ? status : ended);
    }
    OM_TRY(clock_collect(clock, samples, NULL_SAMPLES, err));
    for (int i = NULL_SAMPLES / 4; i < NULL_SAMPLES; i++)
        if (samples[i].invalid[0] == '\0')
            sorted[count++] = samples[i].time_ns;
    if (count < NULL_SAMPLES / 4)
        return om__error_set(err, OM_DEVICE,
                             "the device records of a null kernel do not arrive: %s",
                             samples[NULL_SAMPLES - 1].invalid);
    *step = smallest_step(sorted, count);
    *taken = count;
    return OM_OK;
}

/* Takes CUPTI's buffers away while more kernels run than those it still holds have room for: the
 * loss must be counted, or losses would go unseen. */
static om_status prove_drop_counter(om_clock *clock, om_error *err)
{
    om_recording recording;
    size_t dropped = 0;
    om__recorder_starve(true);
    om_status status = OM_OK;
    for (size_t i = 0; i < om__recorder_room_get() && status == OM_OK; i++)
        status = om__null_launch(clock->stream, err);
    if (status == OM_OK)
        status =
            om__cuda_check((int)cudaStreamSynchronize(clock->stream), "cudaStreamSynchronize", err);
    /* Twice: what was still on its way belongs to the starved launches, too. */
    for (int i = 0; i < 2 && status == OM_OK; i++) {
        status = om__recorder_take(&recording, err);
        if (status == OM_OK)
            dropped += recording.dropped;
        om__recording_release(&recording);
        om__recorder_starve(false);
    }
    om__recorder_starve(false);
    clock->is_drop_counter_live = dropped > 0;
    return status;
}

/* The time of the memory operations of one owner, in ns; 0: there are none. */
static double memory_time(const om_recording *recording, uint64_t owner)
{
    size_t from, to;
    double ns = 0;
    range_of(recording, owner, &from, &to);
    for (size_t i = from; i < to; i++)
        if (!recording->work[i].is_kernel)
            ns += (double)(recording->work[i].interval.end - recording->work[i].interval.start);
    return ns;
}

static om_status copy_once(om_clock *clock, char *memory, size_t bytes, double *ns, om_error *err)
{
    om_recording recording;
    om_error ignored;
    OM_TRY(clock_flush(clock, err));
    OM_TRY(om__recorder_push(clock->next, err));
    om_status status = om__cuda_check((int)cudaMemcpyAsync(memory + bytes, memory, bytes,
                                                           cudaMemcpyDeviceToDevice, clock->stream),
                                      "cudaMemcpyAsync", err);
    om_status popped = om__recorder_pop(status == OM_OK ? err : &ignored);
    OM_TRY(status != OM_OK ? status : popped);
    OM_TRY_CUDA(cudaStreamSynchronize(clock->stream), err);
    OM_TRY(om__recorder_take(&recording, err));
    *ns = memory_time(&recording, clock->next);
    om__recording_release(&recording);
    clock->first_waiting = ++clock->next;
    return OM_OK;
}

/* The driver's own copy of 4 GiB, read and written once: whether this device, today, moves what its
 * kind should. */
static om_status read_copy(om_clock *clock, om_error *err)
{
    const size_t bytes = (size_t)4 << 30;
    om_values values = {0};
    size_t free_bytes, total_bytes;
    om_status status;
    char *memory = NULL;
    OM_TRY_CUDA(cudaMemGetInfo(&free_bytes, &total_bytes), err);
    if (free_bytes < 3 * bytes)
        return OM_OK;
    OM_TRY_OUT(om__cuda_check((int)cudaMalloc((void **)&memory, 2 * bytes), "cudaMalloc", err));
    OM_TRY_OUT(om__cuda_check((int)cudaMemset(memory, 1, 2 * bytes), "cudaMemset", err));
    for (int i = 0; i < 5; i++) {
        double ns = 0;
        OM_TRY_OUT(copy_once(clock, memory, bytes, &ns, err));
        if (i > 0 && ns > 0)
            om__values_add(&values, ns);
    }
    clock->copy_ns = om__values_median(&values);
out:
    free(values.items);
    if (memory != NULL)
        (void)cudaFree(memory);
    return status;
}

static om_status calibrate(om_clock *clock, om_error *err)
{
    om_status status;
    float *elements = NULL;
    const size_t bytes = ADD_PLACES * ADD_SPACE;
    double null_step, add_step, sorted[NULL_SAMPLES];
    size_t count;
    OM_TRY_OUT(om__cuda_check((int)cudaMalloc((void **)&elements, bytes), "cudaMalloc", err));
    OM_TRY_OUT(om__cuda_check((int)cudaMemset(elements, 0, bytes), "cudaMemset", err));
    OM_TRY_OUT(read_small_kernel(clock, NULL, sorted, &count, &null_step, err));
    clock->null_ns = sorted[count / 2];
    OM_TRY_OUT(read_small_kernel(clock, elements, sorted, &count, &add_step, err));
    clock->add_one_ns = sorted[count / 2];
    clock->add_low_ns = sorted[count / 10];
    clock->add_high_ns = sorted[count - 1 - count / 10];
    clock->tick_ns =
        null_step == 0 || (add_step > 0 && add_step < null_step) ? add_step : null_step;
    OM_TRY_OUT(read_copy(clock, err));
    OM_TRY_OUT(prove_drop_counter(clock, err));
    forget_evidence(clock);
out:
    if (elements != NULL)
        (void)cudaFree(elements);
    return status;
}

/* ---- life ---- */

static void clock_close(om_clock *clock)
{
    if (clock == NULL)
        return;
    om__flush_close(&clock->flush);
    if (clock->probes != NULL)
        (void)cudaFree(clock->probes);
    if (clock->is_recording)
        om__recorder_close();
    om__kernel_names_release(&clock->names);
    free(clock->spans.items);
    free(clock->gaps.items);
    free(clock->clocks.items);
    free(clock);
}

static om_status open_with(om_flush_kind kind, const om_clock_options *options, om_clock **out,
                           om_error *err)
{
    om_status status;
    *out = NULL;
    om_clock *clock = calloc(1, sizeof *clock);
    if (clock == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a clock");
    clock->stream = (cudaStream_t)options->stream;
    clock->first_waiting = clock->next = 1;
    OM_TRY_OUT(
        om__cuda_host_enter(options->device, err)); /* says it best when there is no driver */
    OM_TRY_OUT(om__recorder_open(err));
    clock->is_recording = true;
    OM_TRY_OUT(om__flush_open(&clock->flush, kind, err));
    OM_TRY_OUT(om__cuda_check(
        (int)cudaMalloc((void **)&clock->probes, MOST_WAITING * sizeof *clock->probes),
        "cudaMalloc", err));
    OM_TRY_OUT(calibrate(clock, err));
    *out = clock;
    clock = NULL;
out:
    clock_close(clock);
    return status;
}

static om_status open_read_write(const om_clock_options *options, om_clock **clock, om_error *err)
{
    return open_with(OM_FLUSH_READ_WRITE, options, clock, err);
}

static om_status open_write(const om_clock_options *options, om_clock **clock, om_error *err)
{
    return open_with(OM_FLUSH_WRITE, options, clock, err);
}

static void clock_info(om_clock *clock, om_clock_info *info)
{
    *info = (om_clock_info){.tick_ns = clock->tick_ns,
                            .overhead_ns = 0, /* a sample with no call has no record */
                            .shortest_sample_ns = 0,
                            .rounds_per_collect = MOST_ROUNDS};
}

static om_status clock_evidence(om_clock *clock, om_pairs *evidence, om_error *err)
{
    char flush[96];
    om__flush_describe(&clock->flush, flush, sizeof flush);
    OM_TRY(om__pairs_set(evidence, "flush", flush, err));
    OM_TRY(om__values_evidence(&clock->spans, "span_ns", 0, evidence, err));
    OM_TRY(om__values_evidence(&clock->gaps, "gap_ns", 0, evidence, err));
    OM_TRY(om__values_evidence(&clock->clocks, "sm_mhz_after", 0, evidence, err));
    OM_TRY(om__pairs_setf(evidence, "null_kernel_ns", err, "%.0f", clock->null_ns));
    OM_TRY(om__pairs_setf(evidence, "add_one_ns", err, "%.0f", clock->add_one_ns));
    OM_TRY(om__pairs_setf(evidence, "add_one_range_ns", err, "%.0f to %.0f", clock->add_low_ns,
                          clock->add_high_ns));
    if (clock->copy_ns > 0)
        OM_TRY(om__pairs_setf(evidence, "copy_4gib_us", err, "%.0f", clock->copy_ns / 1e3));
    OM_TRY(om__pairs_set(evidence, "drop_counter",
                         clock->is_drop_counter_live ? "live" : "not proven", err));
    if (clock->lost > 0)
        OM_TRY(om__pairs_setf(evidence, "records_lost", err, "%lld", (long long)clock->lost));
    if (clock->memory_operations > 0)
        OM_TRY(om__pairs_setf(evidence, "memory_operations_not_counted", err, "%lld",
                              (long long)clock->memory_operations));
    OM_TRY(om__pairs_set(evidence, "recorder", om__recorder_library_get(), err));
    forget_evidence(clock);
    return OM_OK;
}

const om_clock_api om_clock_cuda_records = {
    .name = "records",
    .device_kind = "cuda",
    .summary = "union of the kernel intervals of a call in the device records",
    .open = open_read_write,
    .close = clock_close,
    .info = clock_info,
    .flush = clock_flush,
    .begin = clock_begin,
    .end = clock_end,
    .collect = clock_collect,
    .evidence = clock_evidence,
};

const om_clock_api om_clock_cuda_records_write = {
    .name = "records-write",
    .device_kind = "cuda",
    .summary = "as records, with a cold cache made by writing only",
    .open = open_write,
    .close = clock_close,
    .info = clock_info,
    .flush = clock_flush,
    .begin = clock_begin,
    .end = clock_end,
    .collect = clock_collect,
    .evidence = clock_evidence,
};
