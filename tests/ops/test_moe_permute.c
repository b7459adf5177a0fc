/* SPDX-License-Identifier: Apache-2.0 */
/* test_moe_permute.c: moe_permute, moe_permute_align and moe_unpermute by hand, and their
 * properties. */
#include "helpers/op_case.h"

#include <string.h>

#include "core/convert.h"
#include "opmark/moe_permute.h"
#include "opmark/moe_permute_align.h"
#include "opmark/moe_unpermute.h"

/* Two tokens, two choices each: flat 0→2, 1→0, 2→0, 3→2. */
static void permute_sorts_stably(void **state)
{
    (void)state;
    op_case c = op_case_create("moe_permute", NULL, "t=2 h=2 e=3 k=2 dtype=f32");
    op_case_set(&c, "ids", 2, 0, 0, 2);
    op_case_set(&c, "hidden", 10, 11, 20, 21);
    op_case_reference(&c);
    op_case_expect(&c, "sizes", 0, 2, 0, 2);
    op_case_expect(&c, "offsets", 0, 0, 2, 2);
    op_case_expect(&c, "first_token_offset", 0, 0, 2, 2, 4);
    op_case_expect(&c, "fwd_idx", 0, 2, 0, 1, 3);
    op_case_expect(&c, "perm_h", 0, 10, 11, 20, 21, 10, 11, 20, 21);
    op_case_release(&c);
}

/* Experts 0 and 2 are local numbers 1 and 0; expert 1 and the ids -1 and 9 belong to nobody. */
static void permute_keeps_local_experts_only(void **state)
{
    (void)state;
    op_case c = op_case_create("moe_permute", NULL, "t=3 h=1 e=3 k=2 e_local=2 has_map=1");
    op_case_set(&c, "expert_map", 1, -1, 0);
    op_case_set(&c, "ids", 0, 1, 2, -1, 0, 9);
    op_case_set(&c, "hidden", 1, 2, 3);
    op_case_reference(&c);
    op_case_expect(&c, "sizes", 0, 1, 2);
    op_case_expect(&c, "offsets", 0, 0, 1);
    op_case_expect(&c, "first_token_offset", 0, 0, 1, 3);
    op_case_expect(&c, "fwd_idx", 0, 1, -1, 0, -1, 2, -1);
    const uint16_t *rows = op_case_data(&c, "perm_h");
    assert_int_equal(rows[0], om__bf16_from_f32(2));
    assert_int_equal(rows[1], om__bf16_from_f32(1));
    assert_int_equal(rows[2], om__bf16_from_f32(3));
    for (int slot = 3; slot < 6; slot++)
        assert_int_equal(rows[slot], 0xFFFF); /* still poisoned */
    op_case_release(&c);
}

static void all_tokens_on_one_expert(void **state)
{
    (void)state;
    op_case c = op_case_create("moe_permute", NULL, "t=5 h=3 e=4 k=1 routing=one");
    op_case_reference(&c);
    op_case_expect(&c, "sizes", 0, 5, 0, 0, 0);
    op_case_expect(&c, "offsets", 0, 0, 5, 5, 5);
    op_case_expect(&c, "fwd_idx", 0, 0, 1, 2, 3, 4);
    op_case_release(&c);
    c = op_case_create("moe_permute", NULL, "t=0 h=3 e=4 k=1");
    op_case_reference(&c);
    op_case_expect(&c, "sizes", 0, 0, 0, 0, 0);
    op_case_release(&c);
}

/* Blocks of 4 for expert counts 1, 0, 5: 4 + 0 + 8 slots used of 6 + 4·3 = 18, five blocks. */
static void align_pads_each_expert(void **state)
{
    (void)state;
    op_case c = op_case_create("moe_permute_align", NULL, "t=6 e=3 k=1 block_size=4");
    op_case_set(&c, "ids", 2, 2, 0, 2, 2, 2);
    op_case_reference(&c);
    op_case_expect(&c, "num_tokens_post_pad", 0, 12);
    op_case_expect(&c, "sorted_token_ids", 0, 2, 6, 6, 6, 0, 1, 3, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 6);
    op_case_expect(&c, "expert_ids", 0, 0, 2, 2, -1, -1);
    op_case_release(&c);
}

static void align_leaves_foreign_ids_out(void **state)
{
    (void)state;
    op_case c = op_case_create("moe_permute_align", NULL, "t=2 e=2 k=2 block_size=1");
    op_case_set(&c, "ids", 1, -1, 2, 0);
    op_case_reference(&c);
    op_case_expect(&c, "num_tokens_post_pad", 0, 2);
    op_case_expect(&c, "sorted_token_ids", 0, 3, 0, 4, 4);
    op_case_expect(&c, "expert_ids", 0, 0, 1, -1, -1);
    op_case_release(&c);
}

static void unpermute_sums_with_weights(void **state)
{
    (void)state;
    op_case c = op_case_create("moe_unpermute", NULL, "t=2 h=2 k=2 dtype=f32");
    op_case_set(&c, "rows", 1, 2, 10, 20, 100, 200, 1000, 2000);
    op_case_set(&c, "fwd_idx", 3, 0, -1, -1);
    op_case_set(&c, "weights", 0.5, 2, 1, 1);
    op_case_reference(&c);
    op_case_expect(&c, "out", 0, 502, 1004, 0, 0);
    op_case_release(&c);
}

static void drawn_slots_miss_as_many_as_asked(void **state)
{
    (void)state;
    op_case c = op_case_create("moe_unpermute", NULL, "t=8 h=1 k=4 missing=5");
    int missing = 0;
    bool seen[32] = {false};
    for (int64_t i = 0; i < 32; i++) {
        int slot = (int)op_case_get(&c, "fwd_idx", i);
        missing += slot == -1;
        if (slot == -1)
            continue;
        assert_in_range(slot, 0, 31);
        assert_false(seen[slot]);
        seen[slot] = true;
    }
    assert_int_equal(missing, 5);
    op_case_release(&c);
}

/* A permutation undone with weights that add up to 1 is the identity. */
static void permute_then_unpermute_is_the_identity(void **state)
{
    (void)state;
    op_case permute = op_case_create("moe_permute", NULL, "t=17 h=9 e=8 k=4 routing=zipf");
    op_case_reference(&permute);
    op_case back = op_case_create("moe_unpermute", NULL, "t=17 h=9 k=4");
    memcpy(op_case_data(&back, "rows"), op_case_data(&permute, "perm_h"), 17 * 4 * 9 * 2);
    memcpy(op_case_data(&back, "fwd_idx"), op_case_data(&permute, "fwd_idx"), 17 * 4 * 4);
    for (int i = 0; i < 17 * 4; i++)
        ((float *)op_case_data(&back, "weights"))[i] = 0.25f;
    op_case_reference(&back);
    assert_memory_equal(op_case_data(&back, "out"), op_case_data(&permute, "hidden"), 17 * 9 * 2);
    op_case_release(&back);
    op_case_release(&permute);
}

/* Every choice is local to exactly one of two ranks. */
static void ranks_share_the_choices(void **state)
{
    (void)state;
    op_case low = op_case_create("moe_permute", NULL, "t=31 h=1 e=6 k=3 e_local=3 has_map=1");
    op_case high = op_case_create("moe_permute", NULL, "t=31 h=1 e=6 k=3 e_local=3 has_map=1");
    op_case_set(&low, "expert_map", 0, 1, 2, -1, -1, -1);
    op_case_set(&high, "expert_map", -1, -1, -1, 0, 1, 2);
    op_case_reference(&low);
    op_case_reference(&high);
    for (int64_t i = 0; i < 31 * 3; i++)
        assert_true((op_case_get(&low, "fwd_idx", i) == -1) !=
                    (op_case_get(&high, "fwd_idx", i) == -1));
    op_case_release(&high);
    op_case_release(&low);
}

static void samples_match_the_whole(void **state)
{
    (void)state;
    op_case c = op_case_create("moe_permute", NULL, "t=9 h=4 e=8 k=3 e_local=4 has_map=1");
    op_case_expect_sampling(&c, "offsets sizes first_token_offset fwd_idx");
    op_case_release(&c);
    c = op_case_create("moe_permute_align", NULL, "t=9 e=8 k=3 block_size=8 routing=skewed");
    op_case_expect_sampling(&c, "sorted_token_ids expert_ids num_tokens_post_pad");
    op_case_release(&c);
    c = op_case_create("moe_unpermute", NULL, "t=9 h=4 k=3 missing=4 dtype=fp16");
    op_case_expect_sampling(&c, NULL);
    op_case_release(&c);
}

static void bad_parameters_are_refused(void **state)
{
    (void)state;
    char args[OM_MAX_ARGS_SIZE];
    om_error err;
    assert_int_equal(op_case_parse("moe_permute", NULL, "t=1 h=1 e=4 k=2 e_local=2", args, &err),
                     OM_INVALID);
    assert_non_null(strstr(err.text, "has_map"));
    assert_int_equal(op_case_parse("moe_permute", NULL, "t=99999 h=1 e=99999 k=99999", args, &err),
                     OM_INVALID);
    assert_int_equal(op_case_parse("moe_permute_align", NULL,
                                   "t=1 e=2000000000 k=2 block_size=2000000000", args, &err),
                     OM_INVALID);
    assert_int_equal(op_case_parse("moe_unpermute", NULL, "t=2 h=1 k=2 missing=5", args, &err),
                     OM_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(permute_sorts_stably),
        cmocka_unit_test(permute_keeps_local_experts_only),
        cmocka_unit_test(all_tokens_on_one_expert),
        cmocka_unit_test(align_pads_each_expert),
        cmocka_unit_test(align_leaves_foreign_ids_out),
        cmocka_unit_test(unpermute_sums_with_weights),
        cmocka_unit_test(drawn_slots_miss_as_many_as_asked),
        cmocka_unit_test(permute_then_unpermute_is_the_identity),
        cmocka_unit_test(ranks_share_the_choices),
        cmocka_unit_test(samples_match_the_whole),
        cmocka_unit_test(bad_parameters_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
