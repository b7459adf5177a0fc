/* SPDX-License-Identifier: Apache-2.0 */
/* test_contracts.c: what holds for every contract, over the [smoke] and [edge] workloads of all
 * operators: the reference passes its own judgement, samples match the whole, faults are found.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/workload.h"
#include "core/convert.h"
#include "helpers/op_case.h"

/* All workloads of one section of workloads/<any>.wl. */
static void for_each_workload(const char *section, void (*visit)(const om_workload *))
{
    om_error err = {0};
    om_pairs suites = {0};
    if (om__suites_list(OM_SOURCE_DIR "/workloads", &suites, &err) != OM_OK)
        fail_msg("%s", err.text);
    for (size_t i = 0; i < suites.count; i++) {
        om_workloads set = {0};
        if (om__workloads_read(&set, suites.items[i].value, &err) != OM_OK)
            fail_msg("%s: %s:%ld: %s", suites.items[i].key, err.file, err.line, err.text);
        for (size_t j = 0; j < set.count; j++)
            if (strcmp(set.items[j].section, section) == 0)
                visit(&set.items[j]);
        om__workloads_release(&set);
    }
    om__pairs_release(&suites);
}

static op_case create(const om_workload *workload)
{
    char *params = om__pairs_format(&workload->params);
    assert_non_null(params);
    op_case c = op_case_create(workload->op_name, workload->pass, params);
    free(params);
    return c;
}

static void check_contract(const om_workload *workload)
{
    op_case want = create(workload), got = create(workload);
    op_case_reference(&want);
    op_case_reference(&got);
    om_check check = op_case_judge(&got, &want);
    if (!check.passed)
        fail_msg("%s %s: its own reference does not pass: %s", workload->op_name, workload->name,
                 check.where);
    om_work work = want.op->work(want.args, want.tensors);
    om_work expected = want.op->work(want.args, NULL);
    if (!(work.flops >= 0 && work.bytes >= 0 && expected.flops >= 0 && expected.bytes >= 0))
        fail_msg("%s %s: work is negative", workload->op_name, workload->name);
    int64_t size_bytes;
    assert_int_equal(om__args_memory_bytes(want.op, want.args, &size_bytes, NULL), OM_OK);
    if (!(work.bytes <= 3.0 * (double)size_bytes + 1024))
        fail_msg("%s %s: %g bytes of work over %lld bytes of tensors", workload->op_name,
                 workload->name, work.bytes, (long long)size_bytes);
    op_case_release(&got);
    op_case_release(&want);
}

static void references_pass_their_own_judgement(void **state)
{
    (void)state;
    for_each_workload("smoke", check_contract);
    for_each_workload("edge", check_contract);
}

/* Cheap outputs may be made whole; the rows that were asked for have the same bits. */
static void check_sampling(const om_workload *workload)
{
    op_case c = create(workload);
    char whole[512] = "";
    for (size_t i = 0; i < c.op->port_count; i++) {
        bool is_small = om_tensor_count(&c.tensors[i]) < 4096 || c.tensors[i].rank == 1 ||
                        c.tensors[i].dtype == OM_E4M3;
        size_t used = strlen(whole);
        if (is_small || strcmp(workload->op_name, "cast") == 0)
            snprintf(whole + used, sizeof whole - used, "%s ", c.op->ports[i].name);
    }
    op_case_expect_sampling(&c, whole);
    op_case_release(&c);
}

static void samples_match_the_whole(void **state)
{
    (void)state;
    for_each_workload("smoke", check_sampling);
}

/* One element spoilt in the middle of an output must fail. */
static void check_fault(const om_workload *workload, op_case *got, const op_case *want, size_t port,
                        double wrong)
{
    const om_tensor *tensor = &got->tensors[port];
    int64_t middle = om_tensor_count(tensor) / 2;
    double right = om__load_f64(want->tensors[port].data, tensor->dtype, middle);
    om__store_f64(tensor->data, tensor->dtype, middle, wrong);
    om_check check = op_case_judge(got, want);
    if (check.passed && check.rows_left_out == 0)
        fail_msg("%s %s: %s[%lld] = %g in place of %g passes", workload->op_name, workload->name,
                 got->op->ports[port].name, (long long)middle, wrong, right);
    memcpy(tensor->data, want->tensors[port].data, (size_t)om_tensor_size_bytes(tensor));
}

static void check_faults(const om_workload *workload)
{
    op_case want = create(workload), got = create(workload);
    op_case_reference(&want);
    op_case_reference(&got);
    for (size_t port = 0; port < want.op->port_count; port++) {
        const om_tensor *tensor = &want.tensors[port];
        if (want.op->ports[port].role != OM_PORT_OUT || om_tensor_count(tensor) == 0)
            continue;
        double right = om__load_f64(tensor->data, tensor->dtype, om_tensor_count(tensor) / 2);
        double far = isfinite(right) ? (right > 0 ? -3 * right : right + 100) : 0;
        check_fault(workload, &got, &want, port, far);
        if (om_dtype_is_float(tensor->dtype))
            check_fault(workload, &got, &want, port, NAN);
    }
    op_case_release(&got);
    op_case_release(&want);
}

static void spoilt_outputs_fail(void **state)
{
    (void)state;
    for_each_workload("smoke", check_faults);
}

/* Every operator and pass has smoke and edge workloads. */
static unsigned char seen[2][256];
static int seen_section;

static void mark(const om_workload *workload)
{
    size_t count;
    const om_op *const *ops = om__ops_get(&count);
    for (size_t i = 0; i < count; i++)
        if (ops[i] == workload->op)
            seen[seen_section][i] = 1;
}

static void every_operator_has_workloads(void **state)
{
    (void)state;
    size_t count;
    const om_op *const *ops = om__ops_get(&count);
    assert_true(count < 256);
    for_each_workload("smoke", mark);
    seen_section = 1;
    for_each_workload("edge", mark);
    for (size_t i = 0; i < count; i++)
        for (int section = 0; section < 2; section++)
            if (!seen[section][i])
                fail_msg("%s %s has no [%s] workload", ops[i]->name, ops[i]->pass,
                         section == 0 ? "smoke" : "edge");
}

static void tables_are_sound(void **state)
{
    (void)state;
    size_t count;
    const om_op *const *ops = om__ops_get(&count);
    for (size_t i = 0; i < count; i++) {
        const om_op *op = ops[i];
        assert_ptr_equal(om__op_find(op->name, op->pass), op);
        assert_true(op->args_size <= OM_MAX_ARGS_SIZE);
        assert_in_range(op->port_count, 2, OM_MAX_PORTS);
        assert_non_null(op->summary);
        for (size_t j = 0; j < op->field_count; j++)
            assert_true(op->fields[j].help && op->fields[j].help[0]);
        if (op->dtype_field)
            assert_non_null(om__op_field_find(op, op->dtype_field));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_sound),
        cmocka_unit_test(every_operator_has_workloads),
        cmocka_unit_test(references_pass_their_own_judgement),
        cmocka_unit_test(samples_match_the_whole),
        cmocka_unit_test(spoilt_outputs_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
