/* SPDX-License-Identifier: Apache-2.0 */
/* test_report.c: reports of known records in every format, against golden files, and what has to
 * hold in them whatever they look like.
 *
 * To lay the golden files anew: OM_UPDATE_GOLDEN=1 build/tests/test_report; then look at the
 * change.
 */
#include "helpers/helper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/width.h"
#include "report/number.h"
#include "report/report.h"

#define HOSTILE "a|b `t` <img src=x> @some-team #12 x\\|y\np,\"q\" [t](u) -->\\"

static om_record_set set;

enum { LAUNCHES = 3, ROUNDS = 8 };

static om_record *add_record(const char *table, const char *name, const char *provider,
                             om_role role, int launch, double time_ns)
{
    om_record *r = &set.items[set.count++];
    om__record_init(r);
    r->benchmark.suite = om__strdup("quick");
    r->benchmark.table = om__strdup(table);
    r->benchmark.name = om__strdup(name);
    r->benchmark.op = om__strdup("gemm");
    r->benchmark.pass = om__strdup("forward");
    r->benchmark.dtype = om__strdup("bf16");
    assert_int_equal(om__pairs_set(&r->benchmark.params, "m", "64", NULL), OM_OK);
    assert_int_equal(om__pairs_set(&r->benchmark.params, "tag", name, NULL), OM_OK);
    r->metric.name = om__strdup("time");
    r->metric.unit = om__strdup("ns");
    r->metric.better = OM_BETTER_LOWER;
    r->subject.provider = om__strdup(provider);
    r->subject.role = role;
    r->subject.version = om__strdup("1.2");
    r->place.machine_class = om__strdup("box");
    r->place.device = om__strdup("cpu");
    assert_int_equal(om__pairs_set(&r->place.settings, "cpu", "Some Processor", NULL), OM_OK);
    r->when.run = om__strdup("r1");
    r->when.started = om__strdup("2026-01-02T03:04:05.678Z");
    r->when.launch = launch;
    r->method.clock = om__strdup("monotonic");
    r->method.cache = om__strdup("warm");
    r->method.harness = om__strdup("opmark 0.1.0");
    r->method.inner = 1;
    r->work.flops = 2e9;
    r->work.bytes = 1e6;
    if (time_ns > 0) {
        r->samples = calloc(ROUNDS, sizeof *r->samples);
        assert_non_null(r->samples);
        r->sample_count = ROUNDS;
        /* Rounds of ±0.1 %, launches 0.1 % apart: exact enough to work the results out by hand. */
        for (int i = 0; i < ROUNDS; i++)
            r->samples[i] =
                (float)(time_ns * (1 + 0.001 * (i % 2 == 0 ? 1 : -1) + 0.001 * (launch - 1)));
        assert_int_equal(om__record_summarise(r, NULL), OM_OK);
        r->check.error = 1.5e-3;
    }
    return r;
}

static void add_rows(const char *table, const char *name, const char *provider, om_role role,
                     double time_ns)
{
    for (int launch = 0; launch < LAUNCHES; launch++)
        add_record(table, name, provider, role, launch, time_ns);
}

static void add_failed(const char *table, const char *name, const char *provider, om_role role,
                       om_outcome outcome, const char *reason)
{
    for (int launch = 0; launch < LAUNCHES; launch++) {
        om_record *r = add_record(table, name, provider, role, launch, 0);
        r->outcome = outcome;
        r->reason = om__strdup(reason);
    }
}

static int make_records(void **state)
{
    (void)state;
    set = (om_record_set){.items = calloc(128, sizeof(om_record))};
    add_rows("gemm", "faster", "own", OM_ROLE_OWN, 2.0e6);
    add_rows("gemm", "faster", "vendor", OM_ROLE_COMPETITOR, 2.4e6);
    add_rows("gemm", "faster", "plain", OM_ROLE_REFERENCE, 1.5e6);
    add_failed("gemm", "faster", "broken", OM_ROLE_COMPETITOR, OM_OUTCOME_WRONG,
               "output d: 3 of 12 elements differ");
    add_rows("gemm", "level", "own", OM_ROLE_OWN, 12345);
    add_rows("gemm", "level", "vendor", OM_ROLE_COMPETITOR, 12346);
    add_rows("gemm", "slower", "own", OM_ROLE_OWN, 987.6e3);
    static const char *const copies[LAUNCHES] = {"1", "2", "40"};
    for (size_t launch = 0; launch < LAUNCHES; launch++)
        assert_int_equal(om__pairs_set(&set.items[set.count - LAUNCHES + launch].evidence,
                                       "copy_gbps", copies[launch], NULL),
                         OM_OK);
    assert_int_equal(om__pairs_set(&set.items[set.count - 1].evidence, "read_gbps", "4", NULL),
                     OM_OK);
    add_rows("gemm", "slower", "vendor", OM_ROLE_COMPETITOR, 900e3);
    add_rows("gemm", "slower", "second", OM_ROLE_COMPETITOR, 950e3);
    add_rows("gemm", "alone", "own", OM_ROLE_OWN, 55.5);
    add_failed("gemm", "alone", "vendor", OM_ROLE_COMPETITOR, OM_OUTCOME_UNSUPPORTED,
               "vendor does not serve gemm with m=64");
    add_failed("gemm", "dead", "own", OM_ROLE_OWN, OM_OUTCOME_CRASHED, "signal 11 in run");
    add_rows("gemm", "dead", "vendor", OM_ROLE_COMPETITOR, 77e3);
    add_rows("hostile", HOSTILE, "own", OM_ROLE_OWN, 1e6);
    add_rows("hostile", HOSTILE, "矩阵@x", OM_ROLE_COMPETITOR, 1.1e6);
    return 0;
}

static int release_records(void **state)
{
    (void)state;
    om__record_set_release(&set);
    return 0;
}

static om_text report(const char *format, const om_format_options *options,
                      const om_targets *targets)
{
    om_contest contest;
    om_document document;
    om_text text = {0};
    om_error err;
    static const om_format_options standard;
    assert_int_equal(om__contest_init(&set, NULL, &contest, &err), OM_OK);
    assert_int_equal(om__contest_document(&set, &contest, targets, &document, &err), OM_OK);
    assert_int_equal(om__document_write(&document, om__format_find(format),
                                        options != NULL ? options : &standard, &text, &err),
                     OM_OK);
    om__document_release(&document);
    om__contest_release(&contest);
    return text;
}

static void check_golden(const char *name, const om_text *text)
{
    om_text path = {0};
    om__text_addf(&path, "%s/tests/report/golden/%s", OM_SOURCE_DIR, name);
    if (getenv("OM_UPDATE_GOLDEN") != NULL) {
        helper_file_write(path.data, text->data);
    } else {
        char *golden = helper_file_read(path.data, NULL);
        if (strcmp(golden, text->data) != 0)
            fail_msg("%s is not what is printed now:\n%s", name, text->data);
        free(golden);
    }
    om__text_release(&path);
}

static void golden_files_hold(void **state)
{
    (void)state;
    static const struct {
        const char *format, *file;
        om_format_options options;
    } cases[] = {
        {"terminal", "report-80.txt", {.width = 80}},
        {"terminal", "report-200.txt", {.width = 200}},
        {"terminal", "report-rerun-colour.txt", {.width = 120, .colour = true, .rerun = true}},
        {"csv", "report.csv", {0}},
        {"md", "report.md", {0}},
        {"html", "report.html", {0}},
        {"json", "report.json", {0}},
        {"junit", "report.xml", {0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        om_text text = report(cases[i].format, &cases[i].options, NULL);
        check_golden(cases[i].file, &text);
        om__text_release(&text);
    }
}

static void tables_fit_the_terminal(void **state)
{
    (void)state;
    for (int width = 60; width <= 220; width += 20) {
        om_format_options options = {.width = width};
        om_text text = report("terminal", &options, NULL);
        for (char *line = strtok(text.data, "\n"); line != NULL; line = strtok(NULL, "\n"))
            if (line[0] != ' ' && strchr(line, ':') == NULL && strstr(line, "1.2 (") == NULL)
                assert_true(om__text_width(line) <= width);
        om__text_release(&text);
    }
}

static om_csv parse_csv(const om_text *text)
{
    om_csv csv;
    om_error err;
    assert_int_equal(om__csv_parse(text->data, text->size, "report.csv", &csv, &err), OM_OK);
    return csv;
}

static const char *cell(const om_csv *csv, size_t row, const char *column)
{
    size_t index;
    assert_int_equal(om__csv_column(csv, column, &index, NULL), OM_OK);
    return csv->rows[row].cells[index];
}

/* The columns that scripts rely on, in their order. */
static void csv_begins_with_the_promised_columns(void **state)
{
    (void)state;
    static const char promised[] =
        "suite,table,op,workload,pass,params,dtype,provider,role,device,machine,cache,launches,"
        "outcome,reason,metric,unit,value,time_ms,ci_low_ms,ci_high_ms,ratio,ratio_low,ratio_high,"
        "verdict,alternative,alternative_ms,tflops,gbps,check_error,";
    om_text text = report("csv", NULL, NULL);
    assert_memory_equal(text.data, promised, sizeof promised - 1);
    om__text_release(&text);
}

/* Field case C-31. */
static void csv_ratios_are_quotients_of_csv_times(void **state)
{
    (void)state;
    om_text text = report("csv", NULL, NULL);
    om_csv csv = parse_csv(&text);
    size_t ratios = 0;
    for (size_t i = 0; i < csv.row_count; i++) {
        if (cell(&csv, i, "ratio")[0] == '\0')
            continue;
        double ratio, ours, theirs;
        assert_true(om__parse_double(cell(&csv, i, "ratio"), &ratio));
        assert_true(om__parse_double(cell(&csv, i, "time_ms"), &ours));
        assert_true(om__parse_double(cell(&csv, i, "alternative_ms"), &theirs));
        assert_true(fabs(ratio / (theirs / ours) - 1) < 1e-7);
        ratios++;
    }
    assert_int_equal(ratios, 4);
    assert_string_equal(cell(&csv, 0, "workload"), "faster");
    assert_string_equal(cell(&csv, 0, "time_ms"), "2");
    assert_string_equal(cell(&csv, 0, "verdict"), "faster");
    assert_string_equal(cell(&csv, 0, "tflops"), "1");
    om__csv_release(&csv);
    om__text_release(&text);
}

/* 1e6 bytes in 987.6 µs are 1.01256 GB/s: over the median of 1, 2 and 40, and over the one 4. */
static void shares_of_what_the_memory_gave(void **state)
{
    (void)state;
    om_text text = report("csv", NULL, NULL);
    om_csv csv = parse_csv(&text);
    size_t found = 0;
    for (size_t i = 0; i < csv.row_count; i++) {
        double copy, read;
        if (strcmp(cell(&csv, i, "workload"), "slower") != 0 ||
            strcmp(cell(&csv, i, "provider"), "own") != 0) {
            assert_string_equal(cell(&csv, i, "copy_share"), "");
            continue;
        }
        assert_true(om__parse_double(cell(&csv, i, "copy_share"), &copy));
        assert_true(om__parse_double(cell(&csv, i, "read_share"), &read));
        assert_true(fabs(copy - 0.506278) < 1e-5);
        assert_true(fabs(read - 0.253139) < 1e-5);
        found++;
    }
    assert_int_equal(found, 1);
    om__csv_release(&csv);
    om__text_release(&text);
}

/* Field case C-22, C-23. */
static void csv_keeps_names_as_they_are(void **state)
{
    (void)state;
    om_text text = report("csv", NULL, NULL);
    om_csv csv = parse_csv(&text);
    bool found = false;
    for (size_t i = 0; i < csv.row_count; i++)
        found = found || strcmp(cell(&csv, i, "workload"), HOSTILE) == 0;
    assert_true(found);
    om__csv_release(&csv);
    om__text_release(&text);
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part))
        count++;
    return count;
}

/* Field case C-22. */
static void markdown_tables_keep_their_columns(void **state)
{
    (void)state;
    om_text text = report("md", NULL, NULL);
    size_t bars = 0, rows = 0;
    assert_null(strstr(text.data, "<img"));
    /* In a code element no mention is made. */
    for (const char *at = strchr(text.data, '@'); at != NULL; at = strchr(at + 1, '@'))
        assert_true(strstr(text.data, "<pre>") < at);
    assert_non_null(strstr(text.data, "| <code>a&#124;b &#96;t&#96; &#60;img src=x&#62; &#64;some-"
                                      "team &#35;12 x&#92;&#124;y&#10;p,&#34;q&#34; &#91;t&#93;(u) "
                                      "--&#62;&#92;</code> |"));
    for (char *line = strtok(text.data, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        if (line[0] != '|') {
            bars = 0;
            continue;
        }
        size_t here = count_of(line, "|");
        assert_true(bars == 0 || bars == here);
        bars = here;
        rows++;
    }
    assert_true(rows > 10);
    om__text_release(&text);
}

/* Field case C-22. */
static void html_holds_no_foreign_markup(void **state)
{
    (void)state;
    om_text text = report("html", NULL, NULL);
    assert_null(strstr(text.data, "<img"));
    assert_null(strstr(text.data, "<script"));
    assert_null(strstr(text.data, "http://"));
    assert_null(strstr(text.data, "https://"));
    assert_null(strstr(text.data, " on"
                                  "click"));
    assert_int_equal(count_of(text.data, "<tr"), count_of(text.data, "</tr>"));
    assert_int_equal(count_of(text.data, "<td"), count_of(text.data, "</td>"));
    assert_int_equal(count_of(text.data, "<svg"), count_of(text.data, "</svg>"));
    assert_int_equal(count_of(text.data, "<svg"), 6);
    om__text_release(&text);
}

/* Python's parsers are at hand nearly everywhere and strict. */
static void json_and_xml_are_well_formed(void **state)
{
    (void)state;
    if (system("python3 -c pass >/dev/null 2>&1") != 0)
        skip_because("no python3");
    helper_output o = helper_run(
        OM_SOURCE_DIR "/tests/report/golden",
        "python3 -c 'import json, xml.dom.minidom as x; d = json.load(open(\"report.json\")); "
        "print(len(d[\"rows\"]), sorted({len(r) for r in d[\"rows\"]})); "
        "t = x.parse(\"report.xml\").getElementsByTagName(\"testcase\"); print(len(t)); "
        "print(d[\"rows\"][-1][\"workload\"] == t[-1].getAttribute(\"name\").split(\" "
        "forward\")[0])'");
    assert_string_equal(o.err, "");
    assert_string_equal(o.out, "15 [46]\n15\nTrue\n");
    helper_output_release(&o);
}

static void tickets_are_no_ratios(void **state)
{
    (void)state;
    static const char csv[] = "op,workload,yardstick_us,rival,rival_us,reach_us\n"
                              "gemm,faster,1000,somebody,2400,2100\n"
                              "gemm,slower,500,somebody,900,857.14\n"
                              "gemm,elsewhere,500,somebody,900,857.14\n";
    char *folder = helper_folder_create();
    om_text path = {0};
    om__text_addf(&path, "%s/targets.csv", folder);
    helper_file_write(path.data, csv);
    om_targets targets;
    om_error err;
    assert_int_equal(om__targets_read(path.data, &targets, &err), OM_OK);
    assert_null(om__target_find(&targets, "gemm", "level"));
    om_text text = report("csv", NULL, &targets);
    om_csv table = parse_csv(&text);
    assert_string_equal(cell(&table, 0, "ticket_reach"), "1.05");
    assert_string_equal(cell(&table, 0, "ticket_rival"), "1.2");
    assert_string_equal(cell(&table, 0, "yardstick_share"), "0.5");
    om__csv_release(&table);
    om__text_release(&text);
    om_format_options options = {.width = 300};
    text = report("terminal", &options, &targets);
    assert_non_null(strstr(text.data, "ticket: reach"));
    assert_non_null(strstr(text.data, "2 of the 3 rows"));
    assert_non_null(strstr(text.data, "1 of 2 reach their time"));
    om__text_release(&text);
    om__targets_release(&targets);

    helper_file_write(path.data, "op,workload,reach_us\ngemm,x,\"1,5\"\n");
    assert_int_equal(om__targets_read(path.data, &targets, &err), OM_PARSE);
    assert_int_equal(err.line, 2);
    assert_string_equal(err.text, "reach_us: '1,5' is not a time");
    om__text_release(&path);
    helper_folder_remove(folder);
}

/* Field case C-15. */
static void numbers_have_four_digits(void **state)
{
    (void)state;
    assert_string_equal(om__format_time(12.345678).text, "12.35 ms");
    assert_string_equal(om__format_time(0.0123456).text, "12.35 µs");
    assert_string_equal(om__format_time(0.00099996).text, "1.000 µs");
    assert_string_equal(om__format_time(1234.5).text, "1.234 s");
    assert_string_equal(om__format_time(5.55e-5).text, "55.50 ns");
    assert_string_equal(om__format_time(999.96).text, "1.000 s");
    assert_string_equal(om__format_time(NAN).text, "");
    assert_string_equal(om__format_gbps(1073.741824).text, "1.074 TB/s");
    assert_string_equal(om__format_spread(10, 9.9, 10.05).text, "±1.0 %");
    assert_string_equal(om__format_ratio(1.2).text, "1.200");
    assert_string_equal(om__format_interval(0.9, 1.1).text, "0.900–1.100");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_files_hold),
        cmocka_unit_test(tables_fit_the_terminal),
        cmocka_unit_test(csv_begins_with_the_promised_columns),
        cmocka_unit_test(csv_ratios_are_quotients_of_csv_times),
        cmocka_unit_test(shares_of_what_the_memory_gave),
        cmocka_unit_test(csv_keeps_names_as_they_are),
        cmocka_unit_test(markdown_tables_keep_their_columns),
        cmocka_unit_test(html_holds_no_foreign_markup),
        cmocka_unit_test(json_and_xml_are_well_formed),
        cmocka_unit_test(tickets_are_no_ratios),
        cmocka_unit_test(numbers_have_four_digits),
    };
    return cmocka_run_group_tests(tests, make_records, release_records);
}
