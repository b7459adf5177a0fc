/* SPDX-License-Identifier: Apache-2.0 */
/* recorder.c: device records from CUPTI, each with the owner it was launched for.
 *
 * CUPTI writes three kinds of records that matter here: a kernel (or copy) names the API call that
 * launched it by a correlation number; an external correlation record ties such a call to the
 * number this thread had pushed. Joining the two says whose a kernel is, without looking at its
 * name or time. API records themselves are switched on because the tie is written only beside them.
 *
 * The state is one static struct: CUPTI's callbacks carry no user pointer and there is one CUPTI a
 * process.
 */
#include "bench/cuda/recorder.h"

#include <cupti.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "providers/cuda/vendor_library.h"

#define BUFFER_BYTES ((size_t)1 << 19)
#define MAX_NAMES    4096

typedef struct cupti_functions {
    CUptiResult (*register_callbacks)(CUpti_BuffersCallbackRequestFunc request,
                                      CUpti_BuffersCallbackCompleteFunc complete);
    CUptiResult (*enable)(CUpti_ActivityKind kind);
    CUptiResult (*disable)(CUpti_ActivityKind kind);
    CUptiResult (*flush_all)(uint32_t flag);
    CUptiResult (*next_record)(uint8_t *buffer, size_t size, CUpti_Activity **record);
    CUptiResult (*dropped)(CUcontext context, uint32_t stream, size_t *count);
    CUptiResult (*push)(CUpti_ExternalCorrelationKind kind, uint64_t id);
    CUptiResult (*pop)(CUpti_ExternalCorrelationKind kind, uint64_t *id);
    CUptiResult (*version)(uint32_t *version);
    CUptiResult (*result_string)(CUptiResult result, const char **text);
} cupti_functions;

typedef struct raw_work {
    om_device_work work;
    uint32_t api_call;
} raw_work;

static struct recorder {
    pthread_mutex_t lock;
    int open_count;
    void *library;
    cupti_functions cupti;
    char description[512];
    raw_work *work;
    size_t work_count, work_capacity;
    om_api_owner *owners;
    size_t owner_count, owner_capacity;
    size_t dropped;
    bool is_short_of_memory;
    bool is_starved;
    char *names[MAX_NAMES]; /* interned: a row launches few kernels, many times */
    size_t name_count;
} the = {.lock = PTHREAD_MUTEX_INITIALIZER};

static const CUpti_ActivityKind kinds[] = {
    CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
    CUPTI_ACTIVITY_KIND_MEMCPY,
    CUPTI_ACTIVITY_KIND_MEMSET,
    CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION,
    CUPTI_ACTIVITY_KIND_RUNTIME,
    CUPTI_ACTIVITY_KIND_DRIVER,
};

static om_status check(CUptiResult result, const char *what, om_error *err)
{
    const char *text = NULL;
    if (result == CUPTI_SUCCESS)
        return OM_OK;
    if (the.cupti.result_string != NULL)
        (void)the.cupti.result_string(result, &text);
    bool is_refused = result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES ||
                      result == CUPTI_ERROR_NOT_SUPPORTED ||
                      result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
    return om__error_set(err, is_refused ? OM_UNSUPPORTED : OM_DEVICE, "CUPTI %s: %s", what,
                         text != NULL ? text : "unknown error");
}

/* ---- callbacks; the lock is held for every access to the arrays ---- */

static const char *intern(const char *name)
{
    if (name == NULL)
        return "?";
    for (size_t i = the.name_count; i-- > 0;)
        if (strcmp(the.names[i], name) == 0)
            return the.names[i];
    if (the.name_count == MAX_NAMES)
        return "(too many names)";
    char *copy = strdup(name);
    if (copy == NULL)
        return "?";
    the.names[the.name_count++] = copy;
    return copy;
}

/* Room for one more element in a growing array. */
static bool make_room(void **items, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return true;
    size_t wanted = *capacity == 0 ? 1024 : *capacity * 2;
    void *grown = realloc(*items, wanted * size);
    if (grown == NULL) {
        the.is_short_of_memory = true;
        return false;
    }
    *items = grown;
    *capacity = wanted;
    return true;
}

static void add_work(uint32_t api_call, uint64_t start, uint64_t end, const char *name,
                     bool is_kernel)
{
    if (!make_room((void **)&the.work, the.work_count, &the.work_capacity, sizeof *the.work))
        return;
    the.work[the.work_count++] =
        (raw_work){{{0, start, end}, is_kernel ? intern(name) : name, is_kernel}, api_call};
}

static void add_record(const CUpti_Activity *record)
{
    switch (record->kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
    case CUPTI_ACTIVITY_KIND_KERNEL: {
        const CUpti_ActivityKernel10 *kernel = (const void *)record;
        add_work(kernel->correlationId, kernel->start, kernel->end, kernel->name, true);
        break;
    }
    case CUPTI_ACTIVITY_KIND_MEMCPY: {
        const CUpti_ActivityMemcpy6 *copy = (const void *)record;
        add_work(copy->correlationId, copy->start, copy->end, "memcpy", false);
        break;
    }
    case CUPTI_ACTIVITY_KIND_MEMSET: {
        const CUpti_ActivityMemset4 *set = (const void *)record;
        add_work(set->correlationId, set->start, set->end, "memset", false);
        break;
    }
    case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION: {
        const CUpti_ActivityExternalCorrelation *tie = (const void *)record;
        if (tie->externalKind == CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0 &&
            make_room((void **)&the.owners, the.owner_count, &the.owner_capacity,
                      sizeof *the.owners))
            the.owners[the.owner_count++] = (om_api_owner){tie->correlationId, tie->externalId};
        break;
    }
    default:
        break; /* API records: only their ties matter */
    }
}

static void CUPTIAPI on_request(uint8_t **buffer, size_t *size, size_t *max_records)
{
    *max_records = 0;
    *buffer = the.is_starved ? NULL : aligned_alloc(8, BUFFER_BYTES);
    *size = *buffer != NULL ? BUFFER_BYTES : 0;
}

static void CUPTIAPI on_complete(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size,
                                 size_t used)
{
    CUpti_Activity *record = NULL;
    size_t dropped = 0;
    (void)size;
    pthread_mutex_lock(&the.lock);
    while (used > 0 && the.cupti.next_record(buffer, used, &record) == CUPTI_SUCCESS)
        add_record(record);
    if (the.cupti.dropped(context, stream, &dropped) == CUPTI_SUCCESS)
        the.dropped += dropped;
    pthread_mutex_unlock(&the.lock);
    free(buffer);
}

/* ---- opening ---- */

static om_status load(om_error *err)
{
    static const char *const names[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so", NULL};
    char path[384];
    OM_TRY(om__vendor_library_open(names, NULL, &the.library, path, sizeof path, err));
    const struct {
        const char *name;
        void *function;
    } symbols[] = {
        {"cuptiActivityRegisterCallbacks", &the.cupti.register_callbacks},
        {"cuptiActivityEnable", &the.cupti.enable},
        {"cuptiActivityDisable", &the.cupti.disable},
        {"cuptiActivityFlushAll", &the.cupti.flush_all},
        {"cuptiActivityGetNextRecord", &the.cupti.next_record},
        {"cuptiActivityGetNumDroppedRecords", &the.cupti.dropped},
        {"cuptiActivityPushExternalCorrelationId", &the.cupti.push},
        {"cuptiActivityPopExternalCorrelationId", &the.cupti.pop},
        {"cuptiGetVersion", &the.cupti.version},
        {"cuptiGetResultString", &the.cupti.result_string},
    };
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++)
        OM_TRY(om__vendor_symbol(the.library, "CUPTI", symbols[i].name, symbols[i].function, err));
    uint32_t version = 0;
    (void)the.cupti.version(&version);
    snprintf(the.description, sizeof the.description, "CUPTI API %u (%s)", version, path);
    return OM_OK;
}

static om_status enable_all(om_error *err)
{
    OM_TRY(check(the.cupti.register_callbacks(on_request, on_complete), "register", err));
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        OM_TRY(check(the.cupti.enable(kinds[i]), "enable", err));
    return OM_OK;
}

om_status om__recorder_open(om_error *err)
{
    if (the.open_count > 0) {
        the.open_count++;
        return OM_OK;
    }
    if (the.library == NULL)
        OM_TRY(load(err));
    OM_TRY(enable_all(err));
    the.open_count = 1;
    return OM_OK;
}

void om__recorder_close(void)
{
    if (the.open_count == 0 || --the.open_count > 0)
        return;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        (void)the.cupti.disable(kinds[i]);
    (void)the.cupti.flush_all(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    pthread_mutex_lock(&the.lock);
    free(the.work);
    free(the.owners);
    the.work = NULL;
    the.owners = NULL;
    the.work_count = the.work_capacity = the.owner_count = the.owner_capacity = the.dropped = 0;
    /* The library stays loaded and the names stay interned: a recording may still point at them. */
    pthread_mutex_unlock(&the.lock);
}

om_status om__recorder_push(uint64_t owner, om_error *err)
{
    return check(the.cupti.push(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, owner), "push", err);
}

om_status om__recorder_pop(om_error *err)
{
    uint64_t last;
    return check(the.cupti.pop(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, &last), "pop", err);
}

void om__recorder_starve(bool on)
{
    the.is_starved = on;
}

size_t om__recorder_room_get(void)
{
    return 3 * BUFFER_BYTES / sizeof(CUpti_ActivityKernel10);
}

const char *om__recorder_library_get(void)
{
    return the.description;
}

/* ---- taking ---- */

static int compare_work(const void *a, const void *b)
{
    const om_device_work *x = a, *y = b;
    if (x->interval.owner != y->interval.owner)
        return x->interval.owner > y->interval.owner ? 1 : -1;
    return (x->interval.start > y->interval.start) - (x->interval.start < y->interval.start);
}

static om_status join(om_recording *recording, om_error *err)
{
    size_t owners = om__api_owners_sort(the.owners, the.owner_count);
    if (the.work_count > 0) {
        recording->work = malloc(the.work_count * sizeof *recording->work);
        if (recording->work == NULL)
            return om__error_set(err, OM_NO_MEMORY, "no memory for %zu device records",
                                 the.work_count);
    }
    for (size_t i = 0; i < the.work_count; i++) {
        om_device_work work = the.work[i].work;
        work.interval.owner = om__api_owner_find(the.owners, owners, the.work[i].api_call);
        if (work.interval.owner == 0 && work.is_kernel)
            recording->kernels_of_nobody++;
        recording->work[recording->count++] = work;
    }
    if (recording->count > 1)
        qsort(recording->work, recording->count, sizeof *recording->work, compare_work);
    return OM_OK;
}

om_status om__recorder_take(om_recording *recording, om_error *err)
{
    size_t dropped = 0;
    memset(recording, 0, sizeof *recording);
    OM_TRY(check(the.cupti.flush_all(0), "flush", err));
    pthread_mutex_lock(&the.lock);
    /* Losses of the global queue are not tied to any buffer that completes. */
    if (the.cupti.dropped(NULL, 0, &dropped) == CUPTI_SUCCESS)
        the.dropped += dropped;
    om_status status = join(recording, err);
    recording->dropped = the.dropped;
    if (the.is_short_of_memory)
        status = om__error_set(err, OM_NO_MEMORY, "no memory for device records");
    the.work_count = the.owner_count = the.dropped = 0;
    the.is_short_of_memory = false;
    pthread_mutex_unlock(&the.lock);
    if (status != OM_OK)
        om__recording_release(recording);
    return status;
}

void om__recording_release(om_recording *recording)
{
    free(recording->work);
    memset(recording, 0, sizeof *recording);
}
