/* SPDX-License-Identifier: Apache-2.0 */
/* format_junit.c: the checks of a report as JUnit XML, which CI systems show as tests. */
#include <stdlib.h>
#include <string.h>

#include "report/escape.h"
#include "report/report.h"

static void add_attribute(om_text *out, const char *name, const char *value)
{
    om__text_addf(out, " %s=\"", name);
    om__escape_xml(out, value);
    om__text_add(out, "\"");
}

static void write_check(const om_document_check *check, om_text *out)
{
    static const char *const elements[] = {NULL, "failure", "error", "skipped"};
    om__text_add(out, "    <testcase");
    add_attribute(out, "classname", check->suite);
    add_attribute(out, "name", check->name);
    om__text_addf(out, " time=\"%.9f\"", check->seconds);
    if (check->result == OM_CHECK_PASSED) {
        om__text_add(out, "/>\n");
        return;
    }
    om__text_addf(out, ">\n      <%s", elements[check->result]);
    if (check->result != OM_CHECK_SKIPPED)
        add_attribute(out, "type", check->type);
    om_text message = {0};
    om__text_addf(&message, "%s%s%s", check->type, check->message[0] != '\0' ? ": " : "",
                  check->message);
    add_attribute(out, "message", message.failed ? check->message : message.data);
    om__text_release(&message);
    om__text_add(out, "/>\n    </testcase>\n");
}

static void write_suite(const om_document *document, size_t first, bool *done, om_text *out)
{
    const char *suite = document->checks[first].suite;
    size_t counts[OM_CHECK_SKIPPED + 1] = {0}, all = 0;
    for (size_t i = first; i < document->check_count; i++) {
        if (!done[i] && strcmp(document->checks[i].suite, suite) == 0) {
            counts[document->checks[i].result]++;
            all++;
        }
    }
    om__text_add(out, "  <testsuite");
    add_attribute(out, "name", suite);
    om__text_addf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\">\n", all,
                  counts[OM_CHECK_FAILED], counts[OM_CHECK_ERROR], counts[OM_CHECK_SKIPPED]);
    for (size_t i = first; i < document->check_count; i++) {
        if (done[i] || strcmp(document->checks[i].suite, suite) != 0)
            continue;
        write_check(&document->checks[i], out);
        done[i] = true;
    }
    om__text_add(out, "  </testsuite>\n");
}

static void write_junit(const om_document *document, const om_format_options *options, om_text *out)
{
    (void)options;
    bool *done = calloc(document->check_count + 1, sizeof *done);
    if (done == NULL) {
        out->failed = true;
        return;
    }
    om__text_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
    add_attribute(out, "name", document->title);
    om__text_add(out, ">\n");
    for (size_t i = 0; i < document->check_count; i++)
        if (!done[i])
            write_suite(document, i, done, out);
    om__text_add(out, "</testsuites>\n");
    free(done);
}

const om_format om__format_junit = {
    .name = "junit",
    .summary = "JUnit XML: a test a row, failed where there is no right result",
    .write = write_junit,
    .data = true,
};
