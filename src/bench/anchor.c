/* SPDX-License-Identifier: Apache-2.0 */
/* anchor.c: the fastest plain copy and read that we know; see anchor.h.
 *
 * Four streams at once with the lines ahead asked for: one stream alone leaves a sixth of the rate
 * unused on the machines seen so far. Stores bypass the cache, so that no line is read only to be
 * overwritten.
 */
#include "bench/anchor.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/error.h"
#include "core/cpu.h"
#include "core/kernel.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { STREAMS = 4, AHEAD = 1024, LINE = 64 };

/* Bytes of one call; with two buffers of the size below nothing of it is still in a cache. */
#define OM_SLICE      ((size_t)16 << 20)
#define OM_LEAST_SIZE ((size_t)128 << 20)
#define OM_MOST_SIZE  ((size_t)512 << 20)

typedef void (*copy_fn)(char *to, const char *from, size_t part);
typedef uint64_t (*read_fn)(const char *from, size_t part);

struct om_anchor {
    char *from, *to;
    size_t size, read_at, copy_at;
    int threads;
    copy_fn copy;
    read_fn read;
    uint64_t seen; /* so that what is read is used */
};

/* Each function walks STREAMS pieces of `part` bytes that follow each other, line by line in turn.
 */
static void copy_plain(char *to, const char *from, size_t part)
{
    memcpy(to, from, STREAMS * part);
}

static uint64_t read_plain(const char *from, size_t part)
{
    uint64_t sum[STREAMS] = {0}, word;
    for (size_t i = 0; i < part; i += sizeof word)
        for (size_t s = 0; s < STREAMS; s++) {
            memcpy(&word, from + s * part + i, sizeof word);
            sum[s] += word;
        }
    return sum[0] + sum[1] + sum[2] + sum[3];
}

#if defined(__x86_64__)
__attribute__((target("avx512f"))) static void copy_avx512(char *to, const char *from, size_t part)
{
    for (size_t i = 0; i < part; i += LINE)
        for (size_t s = 0; s < STREAMS; s++) {
            const char *line = from + s * part + i;
            _mm_prefetch(line + AHEAD, _MM_HINT_T0);
            _mm512_stream_si512((void *)(to + s * part + i), _mm512_load_si512(line));
        }
    _mm_sfence();
}

__attribute__((target("avx512f"))) static uint64_t read_avx512(const char *from, size_t part)
{
    __m512i sum[STREAMS] = {_mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512(),
                            _mm512_setzero_si512()};
    for (size_t i = 0; i < part; i += LINE)
        for (size_t s = 0; s < STREAMS; s++) {
            const char *line = from + s * part + i;
            _mm_prefetch(line + AHEAD, _MM_HINT_T0);
            sum[s] = _mm512_add_epi64(sum[s], _mm512_load_si512(line));
        }
    uint64_t lanes[8], all = 0;
    _mm512_storeu_si512(lanes, _mm512_add_epi64(_mm512_add_epi64(sum[0], sum[1]),
                                                _mm512_add_epi64(sum[2], sum[3])));
    for (int i = 0; i < 8; i++)
        all += lanes[i]; /* unsigned: it may wrap */
    return all;
}

__attribute__((target("avx2"))) static void copy_avx2(char *to, const char *from, size_t part)
{
    for (size_t i = 0; i < part; i += LINE)
        for (size_t s = 0; s < STREAMS; s++) {
            const __m256i *line = (const __m256i *)(const void *)(from + s * part + i);
            __m256i *out = (__m256i *)(void *)(to + s * part + i);
            _mm_prefetch((const char *)line + AHEAD, _MM_HINT_T0);
            _mm256_stream_si256(out, _mm256_load_si256(line));
            _mm256_stream_si256(out + 1, _mm256_load_si256(line + 1));
        }
    _mm_sfence();
}

__attribute__((target("avx2"))) static uint64_t read_avx2(const char *from, size_t part)
{
    __m256i sum[STREAMS] = {_mm256_setzero_si256(), _mm256_setzero_si256(), _mm256_setzero_si256(),
                            _mm256_setzero_si256()};
    uint64_t lanes[4];
    for (size_t i = 0; i < part; i += LINE)
        for (size_t s = 0; s < STREAMS; s++) {
            const __m256i *line = (const __m256i *)(const void *)(from + s * part + i);
            _mm_prefetch((const char *)line + AHEAD, _MM_HINT_T0);
            sum[s] = _mm256_add_epi64(sum[s], _mm256_load_si256(line));
            sum[s] = _mm256_add_epi64(sum[s], _mm256_load_si256(line + 1));
        }
    _mm256_storeu_si256(
        (__m256i *)(void *)lanes,
        _mm256_add_epi64(_mm256_add_epi64(sum[0], sum[1]), _mm256_add_epi64(sum[2], sum[3])));
    return lanes[0] + lanes[1] + lanes[2] + lanes[3];
}
#endif

static void choose(om_anchor *a)
{
    a->copy = copy_plain;
    a->read = read_plain;
#if defined(__x86_64__)
    const om_isa isa = om__cpu_info_get()->isa;
    if (isa >= OM_ISA_AVX2) {
        a->copy = copy_avx2;
        a->read = read_avx2;
    }
    if (isa >= OM_ISA_AVX512) {
        a->copy = copy_avx512;
        a->read = read_avx512;
    }
#endif
}

/* What one thread takes of a slice that is `bytes` long: whole lines of every stream. */
static size_t part_of(const om_anchor *a, size_t bytes)
{
    return bytes / (size_t)a->threads / (STREAMS * LINE) * LINE;
}

static om_status buffer(size_t size, char **to, om_error *err)
{
    *to = aligned_alloc((size_t)2 << 20, size);
    if (*to == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a buffer of %zu MiB", size >> 20);
    madvise(*to, size, MADV_HUGEPAGE); /* as the tensors; where it is not granted nothing is lost */
    return OM_OK;
}

om_status om__anchor_create(int threads, om_anchor **anchor, om_error *err)
{
    om_status status = OM_OK;
    om_anchor *a = calloc(1, sizeof *a);
    *anchor = NULL;
    if (a == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for an anchor");
    a->threads = threads > 0 ? threads : 1;
    choose(a);
    a->size = 4 * (size_t)om__cpu_info_get()->l3_bytes / OM_SLICE * OM_SLICE;
    a->size = a->size < OM_LEAST_SIZE ? OM_LEAST_SIZE : a->size;
    a->size = a->size > OM_MOST_SIZE ? OM_MOST_SIZE : a->size;
    OM_TRY_OUT(buffer(a->size, &a->from, err));
    OM_TRY_OUT(buffer(a->size, &a->to, err));
#pragma omp parallel for num_threads(a->threads) schedule(static)
    for (size_t at = 0; at < a->size; at += OM_SLICE) {
        memset(a->from + at, 1, OM_SLICE);
        memset(a->to + at, 2, OM_SLICE);
    }
    *anchor = a;
out:
    if (status != OM_OK)
        om__anchor_destroy(a);
    return status;
}

void om__anchor_destroy(om_anchor *a)
{
    if (a == NULL)
        return;
    free(a->from);
    free(a->to);
    free(a);
}

double om__anchor_bytes(void)
{
    return (double)OM_SLICE;
}

om_status om__anchor_copy(void *anchor, om_error *err)
{
    om_anchor *a = anchor;
    const size_t part = part_of(a, OM_SLICE / 2), step = STREAMS * part;
    char *to = a->to + a->copy_at;
    const char *from = a->from + a->copy_at;
    (void)err;
#pragma omp parallel for num_threads(a->threads) schedule(static, 1) if (a->threads > 1)
    for (int t = 0; t < a->threads; t++)
        a->copy(to + (size_t)t * step, from + (size_t)t * step, part);
    a->copy_at = (a->copy_at + OM_SLICE / 2) % a->size;
    return OM_OK;
}

om_status om__anchor_read(void *anchor, om_error *err)
{
    om_anchor *a = anchor;
    const size_t part = part_of(a, OM_SLICE), step = STREAMS * part;
    const char *from = a->to + a->read_at; /* the copy's reads do not warm it */
    uint64_t seen = 0;
    (void)err;
#pragma omp parallel for num_threads(a->threads) schedule(static, 1) reduction(+ : seen)           \
    if (a->threads > 1)
    for (int t = 0; t < a->threads; t++)
        seen += a->read(from + (size_t)t * step, part);
    a->seen += seen;
    a->read_at = (a->read_at + OM_SLICE) % a->size;
    return OM_OK;
}
