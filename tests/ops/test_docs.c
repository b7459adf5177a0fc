/* SPDX-License-Identifier: Apache-2.0 */
/* test_docs.c: docs/operators.md names every operator, parameter and tensor as the contracts do. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "helpers/helper.h"
#include "ops/op.h"

/* The section of an operator, as text of its own to free(). */
static char *section_find(const char *document, const char *name)
{
    char heading[96];
    snprintf(heading, sizeof heading, "\n### `%s`\n", name);
    const char *start = strstr(document, heading);
    if (start == NULL) {
        fail_msg("docs/operators.md has no section %s", name);
        return NULL;
    }
    const char *end = strstr(start + 1, "\n##");
    return strndup(start, end != NULL ? (size_t)(end - start) : strlen(start));
}

static void expect_row(const char *section, const om_op *op, const char *row)
{
    if (strstr(section, row) == NULL)
        fail_msg("docs/operators.md: the section of %s (%s) has no row \"%s…\"", op->name, op->pass,
                 row);
}

static void check_operator(const char *document, const om_op *op)
{
    char row[512];
    char *section = section_find(document, op->name);
    for (size_t i = 0; i < op->field_count; i++) {
        const om_field *field = &op->fields[i];
        snprintf(row, sizeof row, "\n| `%s` | %s | %s", field->name,
                 field->standard != NULL ? field->standard : "required", field->help);
        expect_row(section, op, row);
        for (size_t j = 0; field->words != NULL && field->words[j] != NULL; j++) {
            snprintf(row, sizeof row, "`%s`", field->words[j]);
            expect_row(section, op, row);
        }
    }
    for (size_t i = 0; i < op->port_count; i++) {
        const char *role = op->ports[i].role == OM_PORT_IN ? "in" : "out";
        snprintf(row, sizeof row, "\n| `%s` | %s | ", op->ports[i].name, role);
        expect_row(section, op, row);
    }
    free(section);
}

static void operators_are_documented(void **state)
{
    (void)state;
    size_t size, count;
    char *document = helper_file_read(OM_SOURCE_DIR "/docs/operators.md", &size);
    const om_op *const *ops = om__ops_get(&count);
    for (size_t i = 0; i < count; i++)
        check_operator(document, ops[i]);
    free(document);
}

static void no_operator_is_documented_that_is_not_there(void **state)
{
    (void)state;
    size_t size;
    char *document = helper_file_read(OM_SOURCE_DIR "/docs/operators.md", &size);
    for (char *at = document; (at = strstr(at, "\n### `")) != NULL;) {
        at += strlen("\n### `");
        char *end = strchr(at, '`');
        assert_non_null(end);
        *end = '\0';
        if (om__op_find(at, "forward") == NULL)
            fail_msg("docs/operators.md has a section %s, which is no operator", at);
        at = end + 1;
    }
    free(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_are_documented),
        cmocka_unit_test(no_operator_is_documented_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
