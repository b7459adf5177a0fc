/* SPDX-License-Identifier: Apache-2.0 */
/* test_published.c: a published comparison of two training builds, reproduced figure by figure. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/csv.h"
#include "compare/comparison.h"
#include "compare/policy.h"

#define FIXTURES OM_SOURCE_DIR "/tests/fixtures/te-pr/"

static const char *const suites[] = {"benchmark_attention",    "benchmark_casting",
                                     "benchmark_gemm",         "benchmark_gemm_fp8",
                                     "benchmark_grouped_gemm", "benchmark_normalization"};

typedef struct published {
    om_side base, head;
    om_comparison comparison;
} published;

static published compare(const char *machine, const om_compare_options *options)
{
    published p;
    char path[512];
    om_side_options side = {0};
    om_error err = {0};
    snprintf(path, sizeof path, FIXTURES "%s/base", machine);
    if (om__side_open(path, &side, NULL, 0, &p.base, &err) != OM_OK)
        fail_msg("%s", err.text);
    snprintf(path, sizeof path, FIXTURES "%s/pr", machine);
    if (om__side_open(path, &side, NULL, 0, &p.head, &err) != OM_OK)
        fail_msg("%s", err.text);
    if (om__comparison_init(&p.base, &p.head, options, &p.comparison, &err) != OM_OK)
        fail_msg("%s", err.text);
    return p;
}

static void release(published *p)
{
    om__comparison_release(&p->comparison);
    om__side_release(&p->base);
    om__side_release(&p->head);
}

static const om_cell *find(const om_comparison *comparison, const char *suite, const om_csv *csv,
                           const om_csv_row *row, size_t params, const char *metric)
{
    for (size_t i = 0; i < comparison->cell_count; i++) {
        const om_cell *cell = &comparison->cells[i];
        bool same = strcmp(cell->suite, suite) == 0 && strcmp(cell->name, row->cells[0]) == 0 &&
                    strcmp(cell->metric, metric) == 0;
        for (size_t k = 1; same && k < params; k++) {
            const char *value = om__pairs_find(&cell->base->benchmark.params, csv->header[k]);
            same = value != NULL && strcmp(value, row->cells[k]) == 0;
        }
        if (same)
            return cell;
    }
    fail_msg("no cell for %s of %s", row->cells[0], suite);
    return NULL;
}

/* Every column of the published tables that ends in " Speedup" is a ratio to three decimals. */
static size_t check_suite(const om_comparison *comparison, const char *machine, const char *suite)
{
    char path[512];
    om_csv csv;
    size_t checked = 0, params = 0;
    snprintf(path, sizeof path, FIXTURES "%s/expected/%s.csv", machine, suite);
    assert_int_equal(om__csv_read(path, &csv, NULL), OM_OK);
    while (params < csv.column_count && strstr(csv.header[params], " Speedup") == NULL)
        params++;
    for (size_t r = 0; r < csv.row_count; r++)
        for (size_t c = params; c < csv.column_count; c++, checked++) {
            char metric[128], shown[32];
            snprintf(metric, sizeof metric, "%.*s",
                     (int)(strlen(csv.header[c]) - strlen(" Speedup")), csv.header[c]);
            const om_cell *cell = find(comparison, suite, &csv, &csv.rows[r], params, metric);
            snprintf(shown, sizeof shown, "%.3fx", cell->ratio);
            if (strcmp(shown, csv.rows[r].cells[c]) != 0)
                fail_msg("%s %s: %s is published as %s", csv.rows[r].cells[0], metric, shown,
                         csv.rows[r].cells[c]);
        }
    om__csv_release(&csv);
    return checked;
}

static void every_published_speedup_comes_out(void **state)
{
    (void)state;
    size_t checked = 0;
    const char *machines[] = {"mi325", "mi355"};
    for (int m = 0; m < 2; m++) {
        published p = compare(machines[m], NULL);
        assert_int_equal(p.comparison.cell_count, 752);
        assert_int_equal(p.comparison.compared, 752);
        for (size_t s = 0; s < sizeof suites / sizeof *suites; s++)
            checked += check_suite(&p.comparison, machines[m], suites[s]);
        release(&p);
    }
    assert_int_equal(checked, 1504);
}

static void every_published_summary_comes_out(void **state)
{
    (void)state;
    om_csv csv;
    size_t checked = 0;
    published p[2] = {compare("mi325", NULL), compare("mi355", NULL)};
    assert_int_equal(om__csv_read(FIXTURES "expected-summary.csv", &csv, NULL), OM_OK);
    for (size_t r = 0; r < csv.row_count; r++) {
        const char **cells = csv.rows[r].cells;
        const om_comparison *comparison = &p[strcmp(cells[0], "MI355") == 0].comparison;
        for (size_t s = 0; s < comparison->suite_count; s++) {
            const om_suite_summary *suite = &comparison->suites[s];
            char median[16], low[16], high[16];
            if (strcmp(suite->suite, cells[1]) != 0)
                continue;
            snprintf(median, sizeof median, "%.3f", suite->median);
            snprintf(low, sizeof low, "%.3f", suite->low);
            snprintf(high, sizeof high, "%.3f", suite->high);
            assert_string_equal(median, cells[2]);
            assert_string_equal(low, cells[3]);
            assert_string_equal(high, cells[4]);
            assert_int_equal(suite->cases, atoi(cells[5]));
            checked++;
        }
    }
    assert_int_equal(checked, 12);
    om__csv_release(&csv);
    release(&p[0]);
    release(&p[1]);
}

static void one_number_a_cell_decides_nothing(void **state)
{
    (void)state;
    published p = compare("mi325", NULL);
    assert_int_equal(p.comparison.counts[OM_VERDICT_UNCLEAR], 752);
    for (size_t i = 0; i < p.comparison.cell_count; i++) {
        assert_int_equal(p.comparison.cells[i].doubt, OM_DOUBT_FEW_LAUNCHES);
        assert_true(isnan(p.comparison.cells[i].ratio_low));
    }
    assert_string_equal(p.comparison.cells[0].machine, "mi325");
    release(&p);
}

static void a_plain_threshold_flags_94_and_70(void **state)
{
    (void)state;
    om_compare_options options = {.threshold = 0.05};
    published p = compare("mi325", &options);
    assert_int_equal(p.comparison.counts[OM_VERDICT_SLOWER], 94);
    om_gate gate;
    assert_int_equal(om__gate_judge(&p.comparison, NULL, NULL, 0, "2026-11-30", &gate, NULL),
                     OM_OK);
    assert_true(gate.trips && gate.slower == 94);
    assert_string_equal(gate.reason.data, "trips: 94 slower (752 rows compared)");
    om__gate_release(&gate);
    release(&p);
    p = compare("mi355", &options);
    assert_int_equal(p.comparison.counts[OM_VERDICT_SLOWER], 70);
    assert_int_equal(p.comparison.counts[OM_VERDICT_SLOWER] +
                         p.comparison.counts[OM_VERDICT_FASTER] +
                         p.comparison.counts[OM_VERDICT_SAME],
                     752);
    release(&p);
}

/* 44 shapes were measured under two names: 8 of gemm, 8 of gemm_fp8, 4 of attention, each with two
 * passes, 16 of casting with one, 8 of normalisation with two. RMSNorm and LayerNorm of one shape
 * differ in their case alone, and are no twins. */
static void the_same_work_under_two_names_is_known(void **state)
{
    (void)state;
    static const struct {
        const char *suite;
        size_t cells;
    } wanted[] = {{"benchmark_attention", 8},    {"benchmark_casting", 16},
                  {"benchmark_gemm", 16},        {"benchmark_gemm_fp8", 16},
                  {"benchmark_grouped_gemm", 0}, {"benchmark_normalization", 16}};
    const char *machines[] = {"mi325", "mi355"};
    for (int m = 0; m < 2; m++) {
        published p = compare(machines[m], NULL);
        const om_comparison *c = &p.comparison;
        assert_int_equal(c->twins.shapes, 44);
        assert_int_equal(c->twins.groups, 72);
        assert_true(c->twins.base_median > 0 && c->twins.base_worst > c->twins.base_median);
        for (size_t s = 0; s < sizeof wanted / sizeof *wanted; s++) {
            size_t cells = 0;
            for (size_t i = 0; i < c->cell_count; i++)
                cells += c->cells[i].twin > 0 && strcmp(c->cells[i].suite, wanted[s].suite) == 0;
            assert_int_equal(cells, 2 * wanted[s].cells); /* two names each */
        }
        for (size_t i = 0; i < c->cell_count; i++)
            for (size_t k = 0; k < i; k++)
                if (c->cells[i].twin > 0 && c->cells[i].twin == c->cells[k].twin) {
                    bool norms = strstr(c->cells[i].name, "RMSNorm") != NULL;
                    assert_int_equal(norms, strstr(c->cells[k].name, "RMSNorm") != NULL);
                }
        release(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_published_speedup_comes_out),
        cmocka_unit_test(every_published_summary_comes_out),
        cmocka_unit_test(one_number_a_cell_decides_nothing),
        cmocka_unit_test(a_plain_threshold_flags_94_and_70),
        cmocka_unit_test(the_same_work_under_two_names_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
