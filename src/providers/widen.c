/* SPDX-License-Identifier: Apache-2.0 */
/* widen.c: bf16 and fp16 to f32 and back, fast, for libraries that know f32 only.
 *
 * Both directions stand inside the clock of the provider that needs them, so they get the width of
 * the processor: the same loop is compiled per instruction set and chosen once a call.
 */
#include <string.h>

#include "core/convert.h"
#include "core/cpu.h"
#include "providers/providers.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define OM_INLINE static inline __attribute__((always_inline))

OM_INLINE void widen_bf16_loop(float *to, const uint16_t *from, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        uint32_t bits = (uint32_t)from[i] << 16;
        memcpy(&to[i], &bits, sizeof bits);
    }
}

OM_INLINE void narrow_bf16_loop(uint16_t *to, const float *from, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &from[i], sizeof bits);
        uint32_t rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16;
        uint32_t nan = ((bits >> 16) & 0x8000) | 0x7FC0;
        to[i] = (uint16_t)((bits & 0x7FFFFFFF) > 0x7F800000 ? nan : rounded);
    }
}

#if defined(__x86_64__)
#define OM_AVX2   __attribute__((target("avx2,f16c,fma")))
#define OM_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,f16c")))

OM_AVX2 static void widen_bf16_wide2(float *to, const uint16_t *from, int64_t count)
{
    widen_bf16_loop(to, from, count);
}

OM_AVX2 static void narrow_bf16_wide2(uint16_t *to, const float *from, int64_t count)
{
    narrow_bf16_loop(to, from, count);
}

OM_AVX512 static void widen_bf16_wide5(float *to, const uint16_t *from, int64_t count)
{
    widen_bf16_loop(to, from, count);
}

OM_AVX512 static void narrow_bf16_wide5(uint16_t *to, const float *from, int64_t count)
{
    narrow_bf16_loop(to, from, count);
}

OM_AVX2 static void widen_f16_wide2(float *to, const uint16_t *from, int64_t count)
{
    int64_t i = 0;
    for (; i + 8 <= count; i += 8)
        _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(from + i))));
    for (; i < count; i++)
        to[i] = om__f32_from_f16(from[i]);
}

/* An e5m2 code is the high byte of an fp16 one. An e4m3 code has a bias that is 8 less and a
 * mantissa bit more: shifted into place it is an fp16 number that is 2^8 too small; its NaN is
 * patched. */
OM_AVX2 static void widen_fp8_wide2(float *to, const uint8_t *from, om_dtype dtype, int64_t count)
{
    const __m256 scale = _mm256_set1_ps(256.0f);
    const __m128i magnitude = _mm_set1_epi16(0x7F), sign = _mm_set1_epi16(0x80);
    int64_t i = 0;
    for (; i + 8 <= count; i += 8) {
        __m128i codes = _mm_cvtepu8_epi16(_mm_loadl_epi64((const __m128i *)(from + i)));
        if (dtype == OM_E5M2) {
            _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_slli_epi16(codes, 8)));
            continue;
        }
        __m128i low = _mm_and_si128(codes, magnitude), high = _mm_and_si128(codes, sign);
        __m128i half = _mm_or_si128(_mm_slli_epi16(high, 8), _mm_slli_epi16(low, 7));
        __m256 wide = _mm256_mul_ps(_mm256_cvtph_ps(half), scale);
        __m256i is_nan = _mm256_cvtepi16_epi32(_mm_cmpeq_epi16(low, magnitude));
        __m256i nan = _mm256_or_si256(_mm256_slli_epi32(_mm256_cvtepu16_epi32(high), 24),
                                      _mm256_set1_epi32(0x7FC00000));
        wide = _mm256_blendv_ps(wide, _mm256_castsi256_ps(nan), _mm256_castsi256_ps(is_nan));
        _mm256_storeu_ps(to + i, wide);
    }
    om__load_f32_array(to + i, from + i, dtype, count - i);
}

OM_AVX2 static void narrow_f16_wide2(uint16_t *to, const float *from, int64_t count)
{
    int64_t i = 0;
    for (; i + 8 <= count; i += 8) {
        __m256 x = _mm256_loadu_ps(from + i);
        /* The instruction keeps NaN payloads; ours have one form, so they go the scalar way. */
        if (_mm256_movemask_ps(_mm256_cmp_ps(x, x, _CMP_UNORD_Q)) != 0) {
            for (int64_t j = i; j < i + 8; j++)
                to[j] = om__f16_from_f32(from[j]);
            continue;
        }
        _mm_storeu_si128((__m128i *)(to + i),
                         _mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
    }
    for (; i < count; i++)
        to[i] = om__f16_from_f32(from[i]);
}
#endif

static void widen_part(float *to, const void *from, om_dtype dtype, int64_t count, om_isa isa)
{
    if (dtype != OM_BF16 && dtype != OM_F16) {
#if defined(__x86_64__)
        if (isa >= OM_ISA_AVX2) {
            widen_fp8_wide2(to, from, dtype, count);
            return;
        }
#endif
        om__load_f32_array(to, from, dtype, count);
        return;
    }
#if defined(__x86_64__)
    if (dtype == OM_BF16 && isa >= OM_ISA_AVX512) {
        widen_bf16_wide5(to, from, count);
        return;
    }
    if (isa >= OM_ISA_AVX2) {
        if (dtype == OM_BF16)
            widen_bf16_wide2(to, from, count);
        else
            widen_f16_wide2(to, from, count);
        return;
    }
#endif
    (void)isa;
    if (dtype == OM_BF16)
        widen_bf16_loop(to, from, count);
    else
        om__load_f32_array(to, from, dtype, count);
}

static void narrow_part(uint16_t *to, const float *from, om_dtype dtype, int64_t count, om_isa isa)
{
#if defined(__x86_64__)
    if (dtype == OM_BF16 && isa >= OM_ISA_AVX512) {
        narrow_bf16_wide5(to, from, count);
        return;
    }
    if (isa >= OM_ISA_AVX2) {
        if (dtype == OM_BF16)
            narrow_bf16_wide2(to, from, count);
        else
            narrow_f16_wide2(to, from, count);
        return;
    }
#endif
    (void)isa;
    if (dtype == OM_BF16)
        narrow_bf16_loop(to, from, count);
    else
        om__store_f32_array(to, dtype, from, count);
}

/* Small enough to balance, large enough that starting threads pays. */
#define OM_WIDEN_CHUNK 16384

static void widen_chunk(float *to, const void *from, om_dtype dtype, int64_t count, om_isa isa)
{
    if (dtype == OM_F32)
        memcpy(to, from, (size_t)count * sizeof(float));
    else
        widen_part(to, from, dtype, count, isa);
}

static void narrow_chunk(void *to, const float *from, om_dtype dtype, int64_t count, om_isa isa)
{
    if (dtype == OM_F32)
        memcpy(to, from, (size_t)count * sizeof(float));
    else
        narrow_part(to, from, dtype, count, isa);
}

/* A region of one thread still costs microseconds inside of another one: short runs begin none. */
void om__widen(float *to, const void *from, om_dtype dtype, int64_t count, int threads)
{
    om_isa isa = om__cpu_info_get()->isa;
    int64_t chunks = (count + OM_WIDEN_CHUNK - 1) / OM_WIDEN_CHUNK;
    if (chunks <= 1 || threads <= 1) {
        widen_chunk(to, from, dtype, count, isa);
        return;
    }
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t c = 0; c < chunks; c++) {
        int64_t at = c * OM_WIDEN_CHUNK;
        int64_t size = count - at < OM_WIDEN_CHUNK ? count - at : OM_WIDEN_CHUNK;
        widen_chunk(to + at, (const char *)from + at * om_dtype_bits(dtype) / 8, dtype, size, isa);
    }
}

void om__narrow(void *to, const float *from, om_dtype dtype, int64_t count, int threads)
{
    om_isa isa = om__cpu_info_get()->isa;
    int64_t chunks = (count + OM_WIDEN_CHUNK - 1) / OM_WIDEN_CHUNK;
    if (chunks <= 1 || threads <= 1) {
        narrow_chunk(to, from, dtype, count, isa);
        return;
    }
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t c = 0; c < chunks; c++) {
        int64_t at = c * OM_WIDEN_CHUNK;
        int64_t size = count - at < OM_WIDEN_CHUNK ? count - at : OM_WIDEN_CHUNK;
        narrow_chunk((char *)to + at * om_dtype_bits(dtype) / 8, from + at, dtype, size, isa);
    }
}
