/* SPDX-License-Identifier: Apache-2.0 */
/* width.c: how many columns of a terminal a UTF-8 text takes. */
#include "base/width.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

typedef struct range {
    int32_t first, last;
} range;

/* Marks that join the character before them, and characters without a shape: the blocks that hold
 * nothing else, and the commonest marks of other blocks. */
static const range zero_width[] = {
    {0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd},   {0x0610, 0x061a},   {0x064b, 0x065f},
    {0x06d6, 0x06dc}, {0x0900, 0x0902}, {0x093c, 0x093c},   {0x0941, 0x0948},   {0x094d, 0x094d},
    {0x0e31, 0x0e31}, {0x0e34, 0x0e3a}, {0x0e47, 0x0e4e},   {0x1ab0, 0x1aff},   {0x1dc0, 0x1dff},
    {0x200b, 0x200f}, {0x202a, 0x202e}, {0x2060, 0x2064},   {0x20d0, 0x20ff},   {0xfe00, 0xfe0f},
    {0xfe20, 0xfe2f}, {0xfeff, 0xfeff}, {0xe0001, 0xe007f}, {0xe0100, 0xe01ef},
};

static const range hidden[] = {
    {0x0000, 0x001f}, {0x007f, 0x009f}, {0x061c, 0x061c},   {0x180e, 0x180e},
    {0x200b, 0x200b}, {0x200e, 0x200f}, {0x2028, 0x202e},   {0x2060, 0x206f},
    {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe007f},
};

static const range double_width[] = {
    {0x1100, 0x115f},   {0x231a, 0x231b},   {0x2329, 0x232a},   {0x23e9, 0x23ec},
    {0x23f0, 0x23f0},   {0x23f3, 0x23f3},   {0x25fd, 0x25fe},   {0x2614, 0x2615},
    {0x2648, 0x2653},   {0x26a1, 0x26a1},   {0x26ce, 0x26ce},   {0x26d4, 0x26d4},
    {0x2705, 0x2705},   {0x270a, 0x270b},   {0x2728, 0x2728},   {0x274c, 0x274c},
    {0x2753, 0x2755},   {0x2757, 0x2757},   {0x2795, 0x2797},   {0x2b1b, 0x2b1c},
    {0x2b50, 0x2b50},   {0x2e80, 0x303e},   {0x3041, 0x33ff},   {0x3400, 0x4dbf},
    {0x4e00, 0x9fff},   {0xa000, 0xa4cf},   {0xa960, 0xa97f},   {0xac00, 0xd7a3},
    {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},
    {0x1f004, 0x1f004}, {0x1f0cf, 0x1f0cf}, {0x1f18e, 0x1f18e}, {0x1f191, 0x1f19a},
    {0x1f200, 0x1f320}, {0x1f32d, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f7e0, 0x1f7eb},
    {0x1f900, 0x1f9ff}, {0x1fa70, 0x1faff}, {0x20000, 0x3fffd},
};

static int is_in(const range *ranges, size_t count, int32_t code)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (code > ranges[middle].last)
            low = middle + 1;
        else if (code < ranges[middle].first)
            high = middle;
        else
            return 1;
    }
    return 0;
}

size_t om__utf8_decode(const char *text, size_t size, int32_t *code)
{
    size_t length = om__utf8_length(text, size);
    *code = -1;
    if (length == 0)
        return 1;
    unsigned char first = (unsigned char)text[0];
    int32_t value = length == 1 ? first : first & (0x7f >> length);
    for (size_t i = 1; i < length; i++)
        value = value << 6 | ((unsigned char)text[i] & 0x3f);
    *code = value;
    return length;
}

int om__code_width(int32_t code)
{
    if (code < 0x300)
        return 1;
    if (is_in(zero_width, sizeof zero_width / sizeof zero_width[0], code))
        return 0;
    return is_in(double_width, sizeof double_width / sizeof double_width[0], code) ? 2 : 1;
}

bool om__code_is_hidden(int32_t code)
{
    return is_in(hidden, sizeof hidden / sizeof hidden[0], code) != 0;
}

/* The escape of a hidden character and its size; `to` holds 12. */
static size_t escape(int32_t code, char *to)
{
    if (code == '\n' || code == '\t')
        return (size_t)snprintf(to, 12, "\\%c", code == '\n' ? 'n' : 't');
    if (code < 0xa0)
        return (size_t)snprintf(to, 12, "\\x%02x", (unsigned)code);
    return (size_t)snprintf(to, 12, code < 0x10000 ? "\\u%04x" : "\\U%08x", (unsigned)code);
}

void om__text_add_code(om_text *out, int32_t code)
{
    char text[12];
    om__text_add_bytes(out, text, escape(code, text));
}

/* How one character is shown: its own bytes, or an escape in `escape`. */
typedef struct shown {
    size_t taken; /* bytes of the input */
    const char *text;
    size_t size;
    int width;
    char escape[12];
} shown;

static void show(const char *text, size_t size, shown *out)
{
    int32_t code;
    out->taken = om__utf8_decode(text, size, &code);
    out->text = text;
    out->size = out->taken;
    out->width = 1;
    if (code < 0) {
        out->text = "\xef\xbf\xbd";
        out->size = 3;
    } else if (om__code_is_hidden(code)) {
        out->size = escape(code, out->escape);
        out->text = out->escape;
        out->width = (int)out->size;
    } else {
        out->width = om__code_width(code);
    }
}

static int width_of(const char *text, size_t size)
{
    int width = 0;
    shown s;
    for (size_t i = 0; i < size; i += s.taken) {
        show(text + i, size - i, &s);
        width += s.width;
    }
    return width;
}

int om__text_width(const char *text)
{
    return width_of(text, strlen(text));
}

void om__text_add_visible(om_text *out, const char *text)
{
    size_t size = strlen(text);
    shown s;
    for (size_t i = 0; i < size; i += s.taken) {
        show(text + i, size - i, &s);
        om__text_add_bytes(out, s.text, s.size);
    }
}

void om__text_add_cut(om_text *out, const char *text, int width)
{
    int all = om__text_width(text);
    if (all <= width) {
        om__text_add_visible(out, text);
        return;
    }
    if (width <= 0)
        return;
    int head = width / 2, tail = width - 1 - head;
    size_t size = strlen(text);
    int column = 0, used = 0;
    bool cut = false;
    shown s;
    for (size_t i = 0; i < size; i += s.taken) {
        show(text + i, size - i, &s);
        column += s.width;
        if (!cut && column <= head) {
            om__text_add_bytes(out, s.text, s.size);
            used += s.width;
            continue;
        }
        if (!cut)
            om__text_add(out, "…");
        cut = true;
        if (column - s.width >= all - tail && used < width) {
            om__text_add_bytes(out, s.text, s.size);
            used += s.width;
        }
    }
}
