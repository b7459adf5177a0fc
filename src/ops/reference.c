/* SPDX-License-Identifier: Apache-2.0 */
/* reference.c: rows of a sample, scratch memory, and the product all matrix references stand on.
 *
 * Sums are f64 over eight interleaved partial sums in a fixed order, so a result depends neither on
 * the number of threads nor on which rows are asked for.
 */
#include "ops/reference.h"

#include <stdlib.h>

enum { ROW_BLOCK = 64, COLUMN_BLOCK = 128 };

int64_t om__rows_count(const om_rows *rows, size_t port, int64_t total)
{
    return rows && rows[port].index ? rows[port].count : total;
}

int64_t om__rows_get(const om_rows *rows, size_t port, int64_t i)
{
    return rows && rows[port].index ? rows[port].index[i] : i;
}

int64_t om__rows_within(const om_rows *rows, size_t port, int64_t first, int64_t count,
                        int64_t *index)
{
    int64_t found = 0;
    if (!rows || !rows[port].index) {
        for (; found < count; found++)
            index[found] = found;
        return found;
    }
    for (int64_t i = 0; i < rows[port].count; i++) {
        int64_t row = rows[port].index[i];
        if (row >= first && row < first + count)
            index[found++] = row - first;
    }
    return found;
}

void *om__scratch(int64_t count, size_t element_bytes, om_error *err)
{
    size_t size = 0;
    void *memory = NULL;
    if (count < 1)
        count = 1;
    if (!__builtin_mul_overflow((size_t)count, element_bytes, &size))
        memory = malloc(size);
    if (!memory)
        om__error_set(err, OM_NO_MEMORY, "no memory for %lld elements of %zu bytes",
                      (long long)count, element_bytes);
    return memory;
}

double om__dot(const float *a, const float *b, int64_t k)
{
    double part[8] = {0};
    int64_t i = 0;
    for (; i + 8 <= k; i += 8)
        for (int lane = 0; lane < 8; lane++)
            part[lane] += (double)a[i + lane] * (double)b[i + lane];
    for (int lane = 0; i < k; i++, lane++)
        part[lane] += (double)a[i] * (double)b[i];
    return ((part[0] + part[1]) + (part[2] + part[3])) +
           ((part[4] + part[5]) + (part[6] + part[7]));
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

om_status om__reference_product(const om_product *p, om_error *err)
{
    int64_t row_floats = p->k > 0 ? p->k : 1;
    float *a = om__scratch(row_floats * (ROW_BLOCK + COLUMN_BLOCK), sizeof *a, err);
    if (!a)
        return OM_NO_MEMORY;
    float *b = a + row_floats * ROW_BLOCK;

    for (int64_t i0 = 0; i0 < p->m; i0 += ROW_BLOCK) {
        int64_t rows = least(ROW_BLOCK, p->m - i0);
        for (int64_t i = 0; i < rows; i++)
            p->load_a(p->user, p->index ? p->index[i0 + i] : i0 + i, a + i * row_floats);
        for (int64_t j0 = 0; j0 < p->n; j0 += COLUMN_BLOCK) {
            int64_t columns = least(COLUMN_BLOCK, p->n - j0);
            OM_PARALLEL_FOR(columns * p->k * (rows + 4))
            for (int64_t j = 0; j < columns; j++) {
                p->load_b(p->user, j0 + j, b + j * row_floats);
                for (int64_t i = 0; i < rows; i++)
                    p->emit(p->user, p->index ? p->index[i0 + i] : i0 + i, j0 + j,
                            om__dot(a + i * row_floats, b + j * row_floats, p->k));
            }
        }
    }
    free(a);
    return OM_OK;
}

void om__matrix_load(const om_matrix *matrix, int64_t i, int64_t k, float *row)
{
    int64_t start = matrix->origin + i * matrix->row;
    if (matrix->column == 1 && matrix->dtype == OM_BF16) {
        const uint16_t *from = (const uint16_t *)matrix->data + start;
        for (int64_t x = 0; x < k; x++)
            row[x] = om__f32_from_bf16(from[x]);
        return;
    }
    for (int64_t x = 0; x < k; x++)
        row[x] = (float)om__load_f64(matrix->data, matrix->dtype, start + x * matrix->column);
}

static void matmul_load_a(const void *user, int64_t i, float *row)
{
    const om_matmul *m = user;
    om__matrix_load(&m->a, i, m->k, row);
}

static void matmul_load_b(const void *user, int64_t j, float *row)
{
    const om_matmul *m = user;
    om__matrix_load(&m->b, j, m->k, row);
}

static void matmul_emit(const void *user, int64_t i, int64_t j, double value)
{
    const om_matmul *m = user;
    if (m->scale != 0)
        value *= m->scale;
    om__store_f64(m->d, m->d_dtype, m->d_origin + i * m->d_row + j * m->d_column, value);
}

om_status om__reference_matmul(const om_matmul *matmul, om_error *err)
{
    om_product product = {
        .m = matmul->m,
        .n = matmul->n,
        .k = matmul->k,
        .index = matmul->index,
        .load_a = matmul_load_a,
        .load_b = matmul_load_b,
        .emit = matmul_emit,
        .user = matmul,
    };
    return om__reference_product(&product, err);
}

om_status om__reference_batch(const om_matmul *matmul, const om_batch *batch, const om_rows *rows,
                              size_t port, om_error *err)
{
    int64_t *index = om__scratch(matmul->m, sizeof *index, err);
    om_status status = index ? OM_OK : OM_NO_MEMORY;
    for (int64_t i = 0; status == OM_OK && i < batch->count; i++) {
        om_matmul one = *matmul;
        one.m = om__rows_within(rows, port, i * matmul->m, matmul->m, index);
        one.index = index;
        one.a.origin += i * batch->a_step;
        one.b.origin += i * batch->b_step;
        one.d_origin += i * batch->d_step;
        status = om__reference_matmul(&one, err);
    }
    free(index);
    return status;
}
