/* SPDX-License-Identifier: Apache-2.0 */
/* schema.c: the fields of a record by section, name, kind and place. */
#include "record/schema.h"

#define IN(section, field, kind)                                                                   \
    {                                                                                              \
#section, #field, OM_MEMBER_##kind, offsetof(om_record, section.field)                     \
    }
#define AT(field, kind)                                                                            \
    {                                                                                              \
        NULL, #field, OM_MEMBER_##kind, offsetof(om_record, field)                                 \
    }

static const om_member members[] = {
    IN(benchmark, suite, TEXT),
    IN(benchmark, table, TEXT),
    IN(benchmark, name, TEXT),
    IN(benchmark, op, TEXT),
    IN(benchmark, pass, TEXT),
    IN(benchmark, dtype, TEXT),
    IN(benchmark, params, PAIRS),
    IN(metric, name, TEXT),
    IN(metric, unit, TEXT),
    IN(metric, better, BETTER),
    IN(metric, derivation, TEXT),
    IN(subject, provider, TEXT),
    IN(subject, role, ROLE),
    IN(subject, version, TEXT),
    IN(subject, build, TEXT),
    IN(subject, commit, TEXT),
    IN(subject, variant, TEXT),
    IN(subject, details, PAIRS),
    IN(place, machine_class, TEXT),
    IN(place, instance, TEXT),
    IN(place, device, TEXT),
    IN(place, settings, PAIRS),
    IN(place, environment, PAIRS),
    IN(when, started, TEXT),
    IN(when, run, TEXT),
    IN(when, launch, INT),
    IN(when, order_seed, UINT64),
    IN(method, clock, TEXT),
    IN(method, cache, TEXT),
    IN(method, fill, TEXT),
    IN(method, harness, TEXT),
    IN(method, inner, INT64),
    IN(method, warm_up, INT64),
    IN(method, tick_ns, DOUBLE),
    IN(method, more, PAIRS),
    AT(samples, SAMPLES),
    {NULL, "invalid", OM_MEMBER_INVALID, offsetof(om_record, sample_reasons)},
    IN(summary, n, INT64),
    IN(summary, min, DOUBLE),
    IN(summary, p25, DOUBLE),
    IN(summary, median, DOUBLE),
    IN(summary, p75, DOUBLE),
    IN(summary, ci_low, DOUBLE),
    IN(summary, ci_high, DOUBLE),
    IN(work, flops, DOUBLE),
    IN(work, bytes, DOUBLE),
    AT(outcome, OUTCOME),
    AT(reason, REASON),
    IN(check, error, DOUBLE),
    IN(check, max_abs_error, DOUBLE),
    IN(check, rows_checked, INT64),
    IN(check, rows_total, INT64),
    IN(check, mode, TEXT),
    AT(evidence, PAIRS),
    AT(workspace_bytes, INT64),
    AT(peak_bytes, INT64),
};

const om_member *om__record_members(size_t *count)
{
    *count = sizeof members / sizeof members[0];
    return members;
}
