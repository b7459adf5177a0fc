/* SPDX-License-Identifier: Apache-2.0 */
/* test_catalogue.c: the two published catalogues hold every published row, under its name and with
 * its parameters; the fixtures are the published key columns. */
#include "helpers/helper.h"

#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/json.h"
#include "bench/workload.h"

static om_workloads read_suite(const char *file)
{
    om_workloads set = {0};
    om_error err;
    om_text path = {0};
    om__text_addf(&path, "%s/workloads/catalogue/%s", OM_SOURCE_DIR, file);
    if (om__workloads_read(&set, path.data, &err) != OM_OK)
        fail_msg("line %ld: %s", err.line, err.text);
    om__text_release(&path);
    return set;
}

static const om_workload *find(const om_workloads *set, const char *table, const char *name,
                               const char *pass)
{
    for (size_t i = 0; i < set->count; i++)
        if (strcmp(set->items[i].table, table) == 0 && strcmp(set->items[i].name, name) == 0 &&
            strcmp(set->items[i].pass, pass) == 0) {
            if (set->items[i].missing != NULL)
                fail_msg("%s \"%s\": %s", table, name, set->items[i].missing);
            return &set->items[i];
        }
    fail_msg("%s \"%s\" %s is not in the catalogue", table, name, pass);
    return NULL;
}

static void check(const om_workload *w, const char *key, const char *want)
{
    const char *got = om__pairs_find(&w->all, key);
    if (got == NULL || strcmp(got, want) != 0)
        fail_msg("%s \"%s\": %s is %s, published %s", w->table, w->name, key,
                 got == NULL ? "missing" : got, want);
}

/* ---- te ---- */

typedef struct column {
    const char *published, *ours; /* ours NULL: fixed by the operator itself */
} column;

static const struct te_suite {
    const char *table;
    size_t cases;
    size_t passes;
    const char *op; /* NULL: told from the case */
    column columns[6];
} te_suites[] = {
    {"benchmark_gemm", 96, 2, "gemm", {{"M", "m"}, {"N", "n"}, {"K", "k"}, {"dtype", "dtype"}}},
    {"benchmark_gemm_fp8", 96, 2, "fp8_linear", {{"M", "m"}, {"N", "n"}, {"K", "k"}}},
    {"benchmark_grouped_gemm",
     80,
     2,
     "grouped_gemm",
     {{"B", "g"}, {"M", "m"}, {"N", "n"}, {"K", "k"}, {"dtype", "dtype"}}},
    {"benchmark_attention",
     24,
     2,
     "attention",
     {{"batch", "b"},
      {"seq_len", "s"},
      {"num_q_heads", "hq"},
      {"num_kv_heads", "hkv"},
      {"head_dim", "d"}}},
    {"benchmark_normalization",
     40,
     2,
     NULL,
     {{"M", "m"}, {"hidden_size", "h"}, {"dtype", "dtype"}}},
    {"benchmark_casting", 80, 1, "cast", {{"M", "m"}, {"hidden_size", "h"}}},
};

static const char *short_dtype(const char *name)
{
    return strcmp(name, "torch.bfloat16") == 0 ? "bf16" : name;
}

static const char *te_op(const struct te_suite *suite, const char *name)
{
    if (suite->op != NULL)
        return suite->op;
    return strstr(name, "/RMSNorm") != NULL ? "rmsnorm" : "layernorm";
}

static void check_cast(const om_workload *w, const char *words)
{
    static const struct {
        const char *words, *from, *to;
    } casts[] = {{"BF16-to-FP8-E4M3", "bf16", "e4m3"},
                 {"BF16-to-FP8-E5M2", "bf16", "e5m2"},
                 {"FP8-E4M3-to-BF16", "e4m3", "bf16"},
                 {"FP8-E5M2-to-BF16", "e5m2", "bf16"}};
    for (size_t i = 0; i < 4; i++) {
        if (strcmp(words, casts[i].words) == 0) {
            check(w, "from", casts[i].from);
            check(w, "to", casts[i].to);
            return;
        }
    }
    fail_msg("%s is no cast", words);
}

static void check_te_row(const om_workloads *set, const struct te_suite *suite, const om_csv *csv,
                         size_t row)
{
    static const char *const passes[] = {"forward", "backward"};
    const char *const *cells = csv->rows[row].cells;
    om_text name = {0};
    om__text_add(&name, cells[0]);
    for (size_t i = 1; i < csv->column_count; i++)
        om__text_addf(&name, " %s=%s", csv->header[i], cells[i]);
    for (size_t p = 0; p < suite->passes; p++) {
        const om_workload *w = find(set, suite->table, name.data, passes[p]);
        assert_string_equal(w->op_name, te_op(suite, cells[0]));
        assert_string_equal(w->cache, "warm");
        for (size_t i = 0; i < 6 && suite->columns[i].published != NULL; i++) {
            size_t at;
            assert_int_equal(om__csv_column(csv, suite->columns[i].published, &at, NULL), OM_OK);
            check(w, suite->columns[i].ours, short_dtype(cells[at]));
        }
        if (strcmp(suite->table, "benchmark_casting") == 0)
            check_cast(w, cells[3]);
        if (strcmp(suite->table, "benchmark_gemm") == 0 && p == 0)
            check(w, "trans_b", "1");
        if (strcmp(suite->table, "benchmark_attention") == 0)
            check(w, "causal", "1");
    }
    om__text_release(&name);
}

static void test_te_holds_752_cells(void **state)
{
    (void)state;
    om_workloads set = read_suite("te.wl");
    size_t cases = 0, cells = 0;
    for (size_t s = 0; s < sizeof te_suites / sizeof te_suites[0]; s++) {
        const struct te_suite *suite = &te_suites[s];
        om_text path = {0};
        om_csv csv;
        om_error err;
        om__text_addf(&path, "%s/tests/fixtures/te/%s.csv", OM_SOURCE_DIR, suite->table);
        if (om__csv_read(path.data, &csv, &err) != OM_OK)
            fail_msg("%s", err.text);
        assert_int_equal(csv.row_count, suite->cases);
        for (size_t row = 0; row < csv.row_count; row++)
            check_te_row(&set, suite, &csv, row);
        cases += suite->cases;
        cells += suite->cases * suite->passes;
        om__csv_release(&csv);
        om__text_release(&path);
    }
    assert_int_equal(cases, 416);
    assert_int_equal(cells, 752);
    assert_int_equal(set.count, 752);
    om__workloads_release(&set);
}

/* ---- llm-ops ---- */

/* Published parameter → ours; "" where it says what the operator is, or nothing of its own. */
static const struct {
    const char *table, *op;
    struct {
        const char *published, *ours;
    } names[12];
} llm_tables[] = {
    {"GemmFwd",
     "gemm",
     {{"m", "m"}, {"n", "n"}, {"k", "k"}, {"trans_a", "trans_a"}, {"trans_b", "trans_b"}}},
    {"GemmFp8Fwd",
     "gemm_fp8",
     {{"m", "m"},
      {"n", "n"},
      {"k", "k"},
      {"scale_mode", "scale_mode"},
      {"bias_shape", "has_bias"}}},
    {"GemmW4A16Fwd", "gemm_w4a16", {{"m", "m"}, {"n", "n"}, {"k", "k"}}},
    {"BmmFwd", "bmm", {{"b", "batch"}, {"m", "m"}, {"n", "n"}, {"k", "k"}}},
    {"BmmFp8NKFwd", "bmm_fp8_nk", {{"b", "batch"}, {"m", "m"}, {"n", "n"}, {"k", "k"}}},
    {"BmmFp8KNFwd", "bmm_fp8_kn", {{"b", "batch"}, {"m", "m"}, {"n", "n"}, {"k", "k"}}},
    {"grouped_gemm_nt",
     "grouped_gemm_nt",
     {{"batch_count", "g"},
      {"batch_sum", "s"},
      {"n", "n"},
      {"k", "k"},
      {"transpose_a", ""},
      {"transpose_b", ""}}},
    {"grouped_gemm_nn",
     "grouped_gemm_nn",
     {{"batch_count", "g"},
      {"batch_sum", "s"},
      {"n", "n"},
      {"k", "k"},
      {"transpose_a", ""},
      {"transpose_b", ""}}},
    {"grouped_gemm_tn",
     "grouped_gemm_tn",
     {{"batch_count", "g"},
      {"batch_sum", "s"},
      {"n", "n"},
      {"k", "k"},
      {"transpose_a", ""},
      {"transpose_b", ""}}},
    {"grouped_gemm_3wg_baselines",
     "grouped_gemm_nt",
     {{"num_experts", "g"}, {"rows_per_expert", ""}, {"n", "n"}, {"k", "k"}}},
    {"MoeGateUpFwd",
     "moe_gate_up",
     {{"num_experts", "e"}, {"numel", "s"}, {"ffn", "f"}, {"k", "k"}}},
    {"MoeGroupedGemmNopadFwd",
     "moe_grouped_gemm",
     {{"num_experts", "g"}, {"numel", "s"}, {"n", "n"}, {"k", "k"}}},
    {"MoePermuteAlignFwd",
     "moe_permute_align",
     {{"total_tokens", "t"}, {"num_experts", "e"}, {"top_k", "k"}, {"block_size", "block_size"}}},
    {"MoeUnpermuteFwd",
     "moe_unpermute",
     {{"total_tokens", "t"}, {"hidden_size", "h"}, {"top_k", "k"}}},
    {"MoePermuteNopadFwd",
     "moe_permute",
     {{"num_experts", "e"},
      {"num_experts_local", "e_local"},
      {"expert_map_shape", "has_map"},
      {"hidden_states_shape", "t h"},
      {"topk_ids_shape", "t k"}}},
    {"FusedTopK",
     "moe_topk",
     {{"num_tokens", "t"},
      {"num_experts", "e"},
      {"top_k", "k"},
      {"scoring_func", "score"},
      {"renormalize", "renormalize"}}},
    {"FusedMoeFwd",
     "fused_moe",
     {{"num_tokens", "t"},
      {"num_experts", "e"},
      {"top_k", "k"},
      {"hidden_size", "h"},
      {"ffn_size", "f"},
      {"scoring_func", "score"},
      {"renormalize", "renormalize"},
      {"correction_bias_shape", "has_bias"},
      {"routed_scaling_factor", "routed_scaling_factor"}}},
    {"FusedMoEExpertsNopadPersistent3WGFwd",
     "moe_experts",
     {{"num_tokens", "t"},
      {"num_experts", "e"},
      {"num_experts_local", "e_local"},
      {"expert_map_shape", "has_map"},
      {"top_k", "k"},
      {"hidden_size", "h"},
      {"ffn_size", "f"}}},
    {"SharedFusedMoE",
     "shared_fused_moe",
     {{"num_tokens", "t"},
      {"num_experts", "e"},
      {"top_k", "k"},
      {"hidden_size", "h"},
      {"ffn_size", "f"},
      {"shared_ffn_size", "fs"},
      {"scoring_func", "score"},
      {"renormalize", "renormalize"},
      {"correction_bias", "has_bias"},
      {"routed_scaling_factor", "routed_scaling_factor"}}},
    {"FP8LightningIndexerFwd",
     "lightning_indexer",
     {{"batch", "b"},
      {"seq_len", "s"},
      {"seq_len_kv", "n"},
      {"heads", "h"},
      {"kv_group", "g"},
      {"index_dim", "d"},
      {"clean_logits", ""}}},
    {"FP8QuantFwd",
     "fp8_quant",
     {{"batch", "b"},
      {"seq_len_kv", "s"},
      {"kv_group", "g"},
      {"index_dim", "d"},
      {"in_dtype", "dtype"}}},
};
#define LLM_TABLES (sizeof llm_tables / sizeof llm_tables[0])

/* Words that both spell differently. */
static const char *our_word(const char *text)
{
    static const char *const words[][2] = {{"true", "1"},
                                           {"false", "0"},
                                           {"bfloat16", "bf16"},
                                           {"float16", "fp16"},
                                           {"float32", "f32"}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(text, words[i][0]) == 0)
            return words[i][1];
    return text;
}

/* A shape, "[1, 7168]": its numbers belong to the keys in `ours`, in turn; of a single key it says
 * only that the tensor is there. */
static void check_shape(const om_workload *w, const char *ours, const char *shape)
{
    char keys[64], *next = NULL;
    if (strchr(ours, ' ') == NULL) {
        check(w, ours, "1");
        return;
    }
    strcpy(keys, ours);
    const char *at = shape + 1;
    for (char *key = strtok_r(keys, " ", &next); key != NULL; key = strtok_r(NULL, " ", &next)) {
        char number[32];
        size_t size = strcspn(at, ",]");
        memcpy(number, at, size);
        number[size] = '\0';
        check(w, key, number);
        at += size + 2;
    }
}

static void check_parameter(const om_workload *w, size_t table, const char *key, const char *value)
{
    for (size_t i = 0; i < 12 && llm_tables[table].names[i].published != NULL; i++) {
        const char *ours = llm_tables[table].names[i].ours;
        if (strcmp(llm_tables[table].names[i].published, key) != 0)
            continue;
        if (strcmp(ours, "e_local") == 0) {
            /* Without a map e_local keeps its standard, 0: all of them. */
            const char *map = om__pairs_find(&w->all, "has_map");
            check(w, ours, map != NULL && strcmp(map, "1") == 0 ? value : "0");
        } else if (*value == '[') {
            check_shape(w, ours, value);
        } else if (*ours != '\0') {
            check(w, ours, our_word(value));
        }
        return;
    }
    fail_msg("%s: published parameter %s is not covered", w->table, key);
}

static void check_llm_row(const om_workloads *set, const char *const *cells)
{
    const om_workload *w = find(set, cells[0], cells[1], "forward");
    size_t table = 0;
    while (table < LLM_TABLES && strcmp(llm_tables[table].table, cells[0]) != 0)
        table++;
    assert_true(table < LLM_TABLES);
    assert_string_equal(w->op_name, llm_tables[table].op);
    assert_string_equal(w->cache, "cold");
    om_json json;
    const char *key, *value;
    om__json_init(&json, cells[3], strlen(cells[3]), "params", 1);
    assert_int_equal(om__json_enter(&json, '{', NULL), OM_OK);
    for (;;) {
        assert_int_equal(om__json_next_key(&json, &key, NULL), OM_OK);
        if (key == NULL)
            break;
        assert_int_equal(om__json_read_any(&json, &value, NULL, NULL), OM_OK);
        check_parameter(w, table, key, value);
    }
    om__json_release(&json);
    /* The published dtype is a contract's own where the operator has one only. */
    if (om__pairs_find(&w->all, "dtype") != NULL)
        check(w, "dtype", our_word(cells[2]));
}

static void test_llm_ops_holds_152_rows(void **state)
{
    (void)state;
    om_workloads set = read_suite("llm-ops.wl");
    om_csv csv;
    om_error err;
    if (om__csv_read(OM_SOURCE_DIR "/tests/fixtures/llm-ops/shapes.csv", &csv, &err) != OM_OK)
        fail_msg("%s", err.text);
    assert_int_equal(csv.row_count, 152);
    assert_int_equal(set.count, 152);
    for (size_t row = 0; row < csv.row_count; row++)
        check_llm_row(&set, csv.rows[row].cells);
    om__csv_release(&csv);
    om__workloads_release(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_te_holds_752_cells),
        cmocka_unit_test(test_llm_ops_holds_152_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
