/* SPDX-License-Identifier: Apache-2.0 */
/* test_interleaved.c: does a contender take longer beside others than alone? Each is timed both
 * ways on the real clock; a gap above 10 % is printed. Times are never asserted: the machine may be
 * shared. */
#include "helpers/helper.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/session.h"
#include "stats/quantile.h"

/* The leak checker stops all threads and reads their stacks; the spinning ones of the rivals'
 * thread runtime make it crash. */
OM_API const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

typedef struct found {
    double median[2][4]; /* alone, together */
    int mode, which;
} found;

static const char *const names[] = {"own", "openblas", "onednn", "blis"};
enum { NAMES = sizeof names / sizeof names[0] };

static om_status keep(void *self, const om_record *record, om_error *err)
{
    found *f = self;
    (void)err;
    for (int i = 0; i < NAMES; i++)
        if (strcmp(record->subject.provider, names[i]) == 0 &&
            strcmp(record->metric.name, "time") == 0 && record->outcome == OM_OUTCOME_OK)
            f->median[f->mode][i] = record->summary.median;
    if (record->outcome != OM_OUTCOME_OK)
        printf("%s: %s: %s\n", record->subject.provider, om__outcome_name(record->outcome),
               record->reason);
    return OM_OK;
}

static void measure(found *f, const char *const *providers, size_t count)
{
    om_session *session;
    om_case c = {.op = (char *)"gemm", .pass = (char *)"forward", .cache = (char *)"warm"};
    om_session_options options = {.device = "cpu",
                                  .providers = providers,
                                  .provider_count = count,
                                  .time_s = 0.2,
                                  .seed = 3,
                                  .self = f,
                                  .record = keep};
    const char *const params[][2] = {{"m", "192"}, {"n", "192"}, {"k", "192"}, {"dtype", "f32"}};
    for (int i = 0; i < 4; i++)
        assert_int_equal(om__pairs_set(&c.params, params[i][0], params[i][1], NULL), OM_OK);
    om_error err = {0};
    if (om__session_open(&options, &session, &err) != OM_OK)
        fail_msg("%s", err.text);
    assert_int_equal(om__session_case(session, 0, &c, NULL, 0, &err), OM_OK);
    om__session_close(session);
    om__pairs_release(&c.params);
}

static void test_alone_and_together(void **state)
{
    (void)state;
    found f = {0};
    const char *known[NAMES];
    size_t count = 0;
    for (int i = 0; i < NAMES; i++)
        if (om__provider_find(names[i]) != NULL)
            known[count++] = names[i];
    for (size_t i = 0; i < count; i++)
        measure(&f, &known[i], 1);
    f.mode = 1;
    measure(&f, known, count);
    for (int i = 0; i < NAMES; i++) {
        double alone = f.median[0][i], together = f.median[1][i];
        if (alone <= 0 || together <= 0) {
            printf("%-10s not measured here\n", names[i]);
            continue;
        }
        double gap = together / alone - 1;
        printf("%-10s alone %.1f us, beside others %.1f us: %+.1f %%%s\n", names[i], alone / 1e3,
               together / 1e3, 100 * gap, fabs(gap) > 0.1 ? "  (above 10 %)" : "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alone_and_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
