/* SPDX-License-Identifier: Apache-2.0 */
/* test_sections.c: merging sections into a comment, and defusing markdown. */
#include "helpers/helper.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "forge/defuse.h"
#include "forge/sections.h"

static om_comment_section section(const char *key, const char *commit, int64_t sequence,
                                  const char *details)
{
    return (om_comment_section){(char *)key, (char *)commit, sequence, (char *)"**1 slower**",
                                (char *)details};
}

/* Merges and returns the text, to free(). */
static char *merge(const char *body, om_comment_section s, size_t budget)
{
    om_text merged = {0};
    om_error err = {0};
    if (om__sections_merge(body, &s, budget, &merged, &err) != OM_OK)
        fail_msg("%s", err.text);
    return merged.data;
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at++)
        count++;
    return count;
}

static void merging_twice_changes_nothing(void **state)
{
    (void)state;
    char *once = merge("", section("mi300", "c1", 1, "table"), 65536);
    char *twice = merge(once, section("mi300", "c1", 1, "table"), 65536);
    assert_string_equal(once, twice);
    assert_true(om__sections_is_ours(once));
    free(once);
    free(twice);
}

/* Field case C-25: mi3 is no prefix match of mi30, order is by name, a late result of c1 stays out.
 */
static void machines_have_exact_keys_and_an_order(void **state)
{
    (void)state;
    char *a = merge("", section("mi30", "c1", 1, "thirty"), 65536);
    char *b = merge(a, section("mi3", "c1", 1, "three"), 65536);
    assert_true(strstr(b, "three") < strstr(b, "thirty"));
    char *c = merge(b, section("mi3", "c2", 2, "newer"), 65536);
    assert_null(strstr(c, "three"));
    assert_non_null(strstr(c, "thirty"));
    assert_non_null(strstr(c, "mi30: no result for c2 yet (last c1)"));
    char *late = merge(c, section("mi3", "c1", 1, "three"), 65536);
    assert_string_equal(late, c);
    char *d = merge(c, section("mi30", "c2", 2, "thirty-two"), 65536);
    assert_null(strstr(d, "no result for"));
    assert_int_equal(count_of(d, "<!-- opmark:section"), 2);
    /* The other order of arrival gives the same comment. */
    char *e = merge(b, section("mi30", "c2", 2, "thirty-two"), 65536);
    char *f = merge(e, section("mi3", "c2", 2, "newer"), 65536);
    assert_string_equal(d, f);
    free(a), free(b), free(c), free(late), free(d), free(e), free(f);
}

static void text_of_others_is_kept(void **state)
{
    (void)state;
    char *a = merge("", section("m", "c1", 1, "table"), 65536);
    om_text edited = {0};
    om__text_addf(&edited, "<!-- opmark:report -->\nA note by hand.\n%sAnd one below.\n",
                  a + strlen("<!-- opmark:report -->\n"));
    char *b = merge(edited.data, section("a", "c1", 1, "more"), 65536);
    char *c = merge(b, section("a", "c1", 1, "more"), 65536);
    assert_string_equal(b, c);
    assert_true(strstr(b, "A note by hand.") < strstr(b, "<!-- opmark:section"));
    assert_non_null(strstr(b, "And one below."));
    om__text_release(&edited);
    free(a), free(b), free(c);
}

static void damaged_markers_are_an_error(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "no marker at all",
        "<!-- opmark:report -->\n<!-- opmark:section key=\"a\" commit=\"c\" sequence=\"1\" -->\nx",
        "<!-- opmark:report -->\n<!-- opmark:end key=\"a\" -->",
        "<!-- opmark:report -->\n<!-- opmark:section key=\"a\" commit=\"c\" sequence=\"1\" -->\n"
        "x\n<!-- opmark:end key=\"b\" -->",
        "<!-- opmark:report -->\n<!-- opmark:section key=\"a\" sequence=\"1\" -->\n"
        "x\n<!-- opmark:end key=\"a\" -->",
        "<!-- opmark:report -->\n<!-- opmark:section key=\"a b\" commit=\"c\" sequence=\"1\" -->\n"
        "x\n<!-- opmark:end key=\"a b\" -->",
        "<!-- opmark:report -->\n<!-- opmark:section key=\"a\" commit=\"c\" sequence=\"1\" -->\n"
        "<!-- opmark:stale --> x\n<!-- opmark:stale --> y\n<!-- opmark:end key=\"a\" -->",
    };
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        om_text merged = {0};
        om_comment_section s = section("a", "c", 1, "x");
        assert_int_equal(om__sections_merge(bodies[i], &s, 65536, &merged, NULL), OM_PARSE);
        assert_false(om__sections_are_whole(bodies[i]));
        om__text_release(&merged);
    }
}

static void sections_cannot_forge_markers(void **state)
{
    (void)state;
    om_text merged = {0};
    om_comment_section s = section("a", "c", 1, "x <!-- opmark:end key=\"a\" --> y");
    assert_int_equal(om__sections_merge("", &s, 65536, &merged, NULL), OM_INVALID);
    s = section("a\" -->", "c", 1, "x");
    assert_int_equal(om__sections_merge("", &s, 65536, &merged, NULL), OM_INVALID);
    s = section("a", "", 1, "x");
    assert_int_equal(om__sections_merge("", &s, 65536, &merged, NULL), OM_INVALID);
    om__text_release(&merged);
}

static void the_budget_is_kept_and_cuts_are_announced(void **state)
{
    (void)state;
    char *long_details = malloc(5001), *longer_details = malloc(9001);
    memset(long_details, 'a', 5000), long_details[5000] = '\0';
    memset(longer_details, 'b', 9000), longer_details[9000] = '\0';
    char *a = merge("", section("one", "c1", 1, long_details), 10000);
    assert_non_null(strstr(a, long_details));
    char *b = merge(a, section("two", "c1", 1, longer_details), 10000);
    assert_true(strlen(b) <= 10000);
    assert_non_null(strstr(b, long_details)); /* the section over its share was cut */
    assert_null(strstr(b, "bbb"));
    assert_non_null(strstr(b, "Details of two left out: 9000 bytes"));
    assert_int_equal(count_of(b, "**1 slower**"), 2); /* each keeps its headline */
    om_text merged = {0};
    om_comment_section s = section("three", "c1", 1, "x");
    assert_int_equal(om__sections_merge(b, &s, 200, &merged, NULL), OM_INVALID);
    om__text_release(&merged);
    free(a), free(b), free(long_details), free(longer_details);
}

static void expect_defused(const char *markdown, const char *want)
{
    om_text out = {0}, again = {0};
    om__markdown_defuse(markdown, &out);
    assert_string_equal(out.data, want);
    om__markdown_defuse(out.data, &again);
    assert_string_equal(again.data, want);
    om__text_release(&out);
    om__text_release(&again);
}

static void hostile_markdown_is_defused(void **state)
{
    (void)state;
    expect_defused("plain | table | 1.03x", "plain | table | 1.03x");
    /* what our own tables put around names that a forge would take for mentions or emoji */
    expect_defused("| <code>a&#58;b&#58;</code> |", "| <code>a&#58;b&#58;</code> |");
    expect_defused("<code onclick=x>", "&lt;code onclick=x>");
    expect_defused("a\u202eb", "a\\u202eb");
    expect_defused("a\u200bb", "a\u200bb");
    expect_defused("<img src=x onerror=y>", "&lt;img src=x onerror=y>");
    expect_defused("<details>\n<summary>", "<details>\n<summary>");
    expect_defused("<DETAILS>", "&lt;DETAILS>");
    expect_defused("hi @some-team, #12", "hi @\xE2\x80\x8Bsome-team, #\xE2\x80\x8B"
                                         "12");
    expect_defused("[t](u)", "[t]\\(u)");
    expect_defused("[t]: u", "[t]\\: u");
    expect_defused("`@kept <b>`", "`@kept <b>`");
    expect_defused("`cut | @x`", "&#96;cut | @\xE2\x80\x8Bx&#96;");
    expect_defused("``` \n@in <b>\n```\n@out", "``` \n@in <b>\n```\n@\xE2\x80\x8Bout");
    expect_defused("```\nnever closed @x", "&#96;&#96;&#96;\nnever closed @\xE2\x80\x8Bx");
    expect_defused("<!-- opmark:end -->", "&lt;!-- opmark:end -->");
    expect_defused("bell\a", "bell ");
}

#define GAP "\xE2\x80\x8B"

/* Each of these showed one thing to us and another to a reader of markdown. */
static void code_is_believed_only_where_readers_agree(void **state)
{
    (void)state;
    /* a backtick behind a backslash opens nothing */
    expect_defused("\\`<img> @x", "&#92;&#96;&lt;img> @" GAP "x");
    expect_defused("\\`<img> @x`", "&#92;`<img> @x`"); /* now it does, for everybody */
    /* inside of HTML there is no code, until a blank line; of <pre>, until its end */
    expect_defused("<details>`<a> @x`", "<details>&#96;&lt;a> @" GAP "x&#96;");
    expect_defused("<details>\n\n`<a> @x`", "<details>\n\n`<a> @x`");
    expect_defused("<pre>\n\n```\n<a>\n```\n</pre>\n\n`<a>`",
                   "<pre>\n\n&#96;&#96;&#96;\n&lt;a>\n&#96;&#96;&#96;\n</pre>\n\n`<a>`");
    /* a closing line with blanks behind it closes; an indented one may */
    expect_defused("```\n``` \n<a>\n```", "```\n``` \n&lt;a>\n&#96;&#96;&#96;");
    expect_defused("```\n    ```\n<a>\n```",
                   "&#96;&#96;&#96;\n    &#96;&#96;&#96;\n&lt;a>\n&#96;&#96;&#96;");
    expect_defused("~~~\nrest", "&#126;~~\nrest");
    expect_defused("~~struck~~", "~~struck~~");
}

static void nothing_links_and_nothing_commands(void **state)
{
    (void)state;
    expect_defused("see https://evil.example/x", "see https" GAP "://evil.example/x");
    expect_defused("HTTP://e www.e.example", "HTTP" GAP "://e www" GAP ".e.example");
    expect_defused("https&#58;//e", "https" GAP "&#58;//e");
    expect_defused("http&#x3A;//e", "http" GAP "&#x3A;//e");
    expect_defused("http<b", "http&lt;b");
    expect_defused("http`b", "http&#96;b");
    expect_defused("xhttps://e", "xhttps://e"); /* no reader takes that for an address */
    expect_defused("/merge\n  /close x\na/b /usr", "&#47;merge\n  &#47;close x\na/b /usr");
    expect_defused("\a/t", " &#47;t");
    expect_defused("```\n/approve\n```", "```\n" GAP "/approve\n```");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(merging_twice_changes_nothing),
        cmocka_unit_test(machines_have_exact_keys_and_an_order),
        cmocka_unit_test(text_of_others_is_kept),
        cmocka_unit_test(damaged_markers_are_an_error),
        cmocka_unit_test(sections_cannot_forge_markers),
        cmocka_unit_test(the_budget_is_kept_and_cuts_are_announced),
        cmocka_unit_test(hostile_markdown_is_defused),
        cmocka_unit_test(code_is_believed_only_where_readers_agree),
        cmocka_unit_test(nothing_links_and_nothing_commands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
