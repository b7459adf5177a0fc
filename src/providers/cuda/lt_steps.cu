/* SPDX-License-Identifier: Apache-2.0 */
/* lt_steps.cu: transposing scales and fp8 operands in front of a product. */
#include "providers/cuda/lt_steps.h"

#include <cuda_runtime.h>

#include "base/error.h"
#include "core/cuda/cuda_status.h"

static __global__ void __launch_bounds__(256)
    transpose_scales(const float *from, int64_t rows, int64_t columns, float *to)
{
    __shared__ float tile[32][33];
    int64_t row0 = (int64_t)blockIdx.x * 32, column0 = (int64_t)blockIdx.y * 32;
    for (int i = threadIdx.y; i < 32; i += 8)
        if (row0 + i < rows && column0 + threadIdx.x < columns)
            tile[i][threadIdx.x] = from[(row0 + i) * columns + column0 + threadIdx.x];
    __syncthreads();
    for (int i = threadIdx.y; i < 32; i += 8)
        if (column0 + i < columns && row0 + threadIdx.x < rows)
            to[(column0 + i) * rows + row0 + threadIdx.x] = tile[threadIdx.x][i];
}

om_status om__transpose_scales_launch(void *stream, const float *from, int64_t rows,
                                      int64_t columns, float *to, om_error *err)
{
    dim3 grid((unsigned)((rows + 31) / 32), (unsigned)((columns + 31) / 32));
    transpose_scales<<<grid, dim3(32, 8), 0, (cudaStream_t)stream>>>(from, rows, columns, to);
    return om__cuda_launched("transpose_scales", err);
}

/* A thread turns a block of 4x4 bytes in its registers; shared memory turns the blocks of a tile of
 * 64x64, so that reads and writes are both runs of 64 bytes. */
static __global__ void __launch_bounds__(256)
    transpose_bytes(const uint8_t *from, int64_t rows, int64_t columns, uint8_t *to)
{
    __shared__ uint32_t tile[64][17];
    int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    int64_t row0 = (int64_t)blockIdx.x * 64, column0 = (int64_t)blockIdx.y * 64;
    int64_t size = rows * columns;
    const uint8_t *source = from + blockIdx.z * size;
    uint8_t *target = to + blockIdx.z * size;
    uint32_t r[4] = {0, 0, 0, 0};
    if (column0 + 4 * tx < columns)
        for (int i = 0; i < 4; i++)
            if (row0 + 4 * ty + i < rows)
                r[i] =
                    *(const uint32_t *)(source + (row0 + 4 * ty + i) * columns + column0 + 4 * tx);
    uint32_t low01 = __byte_perm(r[0], r[1], 0x5140), high01 = __byte_perm(r[0], r[1], 0x7362);
    uint32_t low23 = __byte_perm(r[2], r[3], 0x5140), high23 = __byte_perm(r[2], r[3], 0x7362);
    tile[4 * tx + 0][ty] = __byte_perm(low01, low23, 0x5410);
    tile[4 * tx + 1][ty] = __byte_perm(low01, low23, 0x7632);
    tile[4 * tx + 2][ty] = __byte_perm(high01, high23, 0x5410);
    tile[4 * tx + 3][ty] = __byte_perm(high01, high23, 0x7632);
    __syncthreads();
    for (int i = 0; i < 4; i++) {
        int column = ty + 16 * i;
        if (column0 + column < columns && row0 + 4 * tx < rows)
            *(uint32_t *)(target + (column0 + column) * rows + row0 + 4 * tx) = tile[column][tx];
    }
}

om_status om__transpose_bytes_launch(void *stream, const void *from, int64_t batch, int64_t rows,
                                     int64_t columns, void *to, om_error *err)
{
    dim3 grid((unsigned)((rows + 63) / 64), (unsigned)((columns + 63) / 64), (unsigned)batch);
    transpose_bytes<<<grid, 256, 0, (cudaStream_t)stream>>>((const uint8_t *)from, rows, columns,
                                                            (uint8_t *)to);
    return om__cuda_launched("transpose_bytes", err);
}
