/* SPDX-License-Identifier: Apache-2.0 */
/* wl.h: the line grammar of .wl files, the one parser for workloads, policies and aliases.
 *
 *     # comment                              to the end of the line; '#' inside quotes is text
 *     [perf]                                 a section: holds until the next
 *     gemm m=4096 n=4096 k="a b" name=x      bare words first, then key=value pairs
 *     gemm m=16,64,4096                      lists are the reader's business: the value is the raw
 * text
 *
 * A word, a key or a value is quoted with "…" where it holds blanks, '#', '"' or '\' or is empty;
 * inside quotes \" and \\ stand for themselves and \xHH for a control character (01 to 1f, 7f). A
 * line that ends in a backslash goes on in the next one. Texts are UTF-8; control characters other
 * than tab are errors. Every error names file and line.
 */
#ifndef OM_BASE_WL_H
#define OM_BASE_WL_H

#include "base/pairs.h"

typedef struct om_wl_line {
    char *section; /* "" before the first section */
    char **words;
    size_t word_count;
    om_pairs pairs; /* a key given twice on one line is an error */
    long line;      /* 1-based, of the first physical line */
} om_wl_line;

typedef struct om_wl {
    char *file;
    om_wl_line *lines;
    size_t count;
} om_wl;

om_status om__wl_parse(const char *text, size_t size, const char *file, om_wl *wl, om_error *err);
om_status om__wl_read(const char *path, om_wl *wl, om_error *err);
void om__wl_release(om_wl *wl);

#endif
