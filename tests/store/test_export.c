/* SPDX-License-Identifier: Apache-2.0 */
/* test_export.c: records in other tools' formats, read back where an importer knows the format. */
#include "helpers/helper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "store/export.h"
#include "store/import.h"

static void add(om_record_set *set, const char *name, const char *provider, int launch,
                const char *metric, const char *unit, double scale)
{
    set->items = realloc(set->items, (set->count + 1) * sizeof *set->items);
    om_record *r = &set->items[set->count++];
    om__record_init(r);
    r->benchmark.suite = om__strdup("quick");
    r->benchmark.table = om__strdup("gemm");
    r->benchmark.name = om__strdup(name);
    r->benchmark.pass = om__strdup("forward");
    assert_int_equal(om__pairs_set(&r->benchmark.params, "m", "16", NULL), OM_OK);
    r->metric.name = om__strdup(metric);
    r->metric.unit = om__strdup(unit);
    r->subject.provider = om__strdup(provider);
    r->subject.commit = om__strdup("abc123def456");
    r->place.machine_class = om__strdup("box");
    r->place.instance = om__strdup("host/1");
    r->when.run = om__strdup("r1");
    r->when.started =
        om__strdup(launch == 0 ? "2026-11-30T10:30:00.250+01:00" : "2026-11-30T11:00:00.000Z");
    r->when.launch = launch;
    r->method.inner = 4;
    r->sample_count = 4;
    r->samples = malloc(4 * sizeof *r->samples);
    r->sample_reasons = calloc(4, sizeof *r->sample_reasons);
    for (int i = 0; i < 4; i++)
        r->samples[i] = (float)(scale * (i + 1));
    r->samples[3] = NAN;
    r->sample_reasons[3] = om__strdup("clock went backwards");
    assert_int_equal(om__record_summarise(r, NULL), OM_OK);
}

/* Two launches of one row, one row that failed, a metric that is no time. */
static om_record_set make(void)
{
    om_record_set set = {0};
    add(&set, "a \"x\"", "own", 0, "time", "ns", 100);
    add(&set, "a \"x\"", "own", 1, "time", "ns", 110);
    add(&set, "b,y", "own", 0, "time", "ns", 50);
    set.items[2].outcome = OM_OUTCOME_WRONG;
    set.items[2].reason = om__strdup("error 0.5");
    add(&set, "a \"x\"", "own", 0, "power", "W", 3);
    return set;
}

static om_text write_text(const om_record_set *set, const char *name, size_t left_out)
{
    om_text out = {0};
    size_t left;
    om_error err;
    const om_exporter *exporter = om__exporter_find(name);
    assert_non_null(exporter);
    if (exporter->write(set, &out, &left, &err) != OM_OK)
        fail_msg("%s", err.text);
    assert_int_equal(left, left_out);
    return out;
}

static void test_csv(void **state)
{
    (void)state;
    om_record_set set = make();
    om_text out = write_text(&set, "csv", 0);
    om_csv csv;
    size_t value, reason, name, launch;
    assert_int_equal(om__csv_parse(out.data, out.size, "t", &csv, NULL), OM_OK);
    assert_int_equal(csv.row_count, 16);
    assert_int_equal(om__csv_column(&csv, "case", &name, NULL), OM_OK);
    assert_int_equal(om__csv_column(&csv, "value", &value, NULL), OM_OK);
    assert_int_equal(om__csv_column(&csv, "reason", &reason, NULL), OM_OK);
    assert_int_equal(om__csv_column(&csv, "launch", &launch, NULL), OM_OK);
    assert_string_equal(csv.rows[1].cells[name], "a \"x\"");
    assert_string_equal(csv.rows[1].cells[value], "200");
    assert_string_equal(csv.rows[3].cells[value], "");
    assert_string_equal(csv.rows[3].cells[reason], "clock went backwards");
    assert_string_equal(csv.rows[4].cells[launch], "1");
    assert_string_equal(csv.rows[8].cells[reason], "error 0.5");
    om__csv_release(&csv);
    om__text_release(&out);
    om__record_set_release(&set);
}

static om_record_set read_back(const char *path, const char *kind)
{
    om_record_set set = {0};
    const om_importer *importer;
    om_error err;
    if (om__import_detect(path, &importer, &err) != OM_OK)
        fail_msg("%s", err.text);
    assert_non_null(importer);
    assert_string_equal(importer->name, kind);
    if (om__import_read(importer, path, NULL, &set, &err) != OM_OK)
        fail_msg("%s", err.text);
    return set;
}

static void test_google_benchmark(void **state)
{
    (void)state;
    om_record_set set = make();
    om_text out = write_text(&set, "google-benchmark", 1), path = {0};
    char *folder = helper_folder_create();
    om__text_addf(&path, "%s/x.json", folder);
    helper_file_write(path.data, out.data);
    om_record_set back = read_back(path.data, "google-benchmark");
    /* time and cpu_time of the row, whose launches follow each other; the failure. */
    assert_int_equal(back.count, 3);
    assert_string_equal(back.items[0].benchmark.name, "quick/gemm/a \"x\"/forward/own");
    assert_int_equal(back.items[0].sample_count, 8);
    assert_int_equal(back.items[0].summary.n, 6);
    assert_true(back.items[0].samples[1] == 200);
    assert_string_equal(back.items[2].reason, "error 0.5");
    om__record_set_release(&back);
    om__text_release(&path);
    om__text_release(&out);
    om__record_set_release(&set);
    helper_folder_remove(folder);
}

static void test_prometheus(void **state)
{
    (void)state;
    om_record_set set = make();
    om_text out = write_text(&set, "prometheus", 1);
    assert_non_null(strstr(out.data, "# TYPE opmark_seconds gauge\nopmark_seconds{suite=\"quick\","
                                     "table=\"gemm\",workload=\"a \\\"x\\\"\""));
    assert_non_null(strstr(out.data, "metric=\"time\"} 2e-07\n"));
    assert_non_null(strstr(out.data, "unit=\"W\"} 6\n"));
    assert_non_null(strstr(out.data, "workload=\"b,y\""));
    size_t zeros = 0;
    for (const char *at = out.data; (at = strstr(at, "} 0\n")) != NULL; at++)
        zeros++;
    assert_int_equal(zeros, 1);
    om__text_release(&out);
    om__record_set_release(&set);
}

static void test_asv(void **state)
{
    (void)state;
    om_record_set set = make();
    char *folder = helper_folder_create();
    size_t left_out;
    om_error err;
    if (om__exporter_find("asv")->write_folder(&set, folder, &left_out, &err) != OM_OK)
        fail_msg("%s", err.text);
    assert_int_equal(left_out, 1);
    om_record_set back = read_back(folder, "asv");
    assert_int_equal(back.count, 2);
    const om_record *r = &back.items[0];
    assert_string_equal(r->benchmark.name, "quick.gemm.time_own");
    assert_string_equal(om__pairs_find(&r->benchmark.params, "workload"), "'a \"x\" forward m=16'");
    assert_string_equal(r->when.started, "2026-11-30T09:30:00.250Z");
    assert_int_equal(r->sample_count, 6);
    assert_true(fabsf(r->samples[1] - 2e-7f) < 1e-13f);
    assert_string_equal(r->subject.commit, "abc123def456");
    assert_string_equal(r->place.instance, "host_1");
    assert_int_equal(back.items[1].outcome, OM_OUTCOME_ERROR);
    om__record_set_release(&back);
    om__record_set_release(&set);
    helper_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_google_benchmark),
        cmocka_unit_test(test_prometheus),
        cmocka_unit_test(test_asv),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
