/* SPDX-License-Identifier: Apache-2.0 */
/* defuse.h: markdown from a source that is not trusted, made harmless.
 *
 * A pull request can change the program that measured it, so its report may hold anything. Outside
 * of code spans and fences: tags other than a short list become text, mentions and issue numbers
 * link to nobody, links, addresses and images are shown as they are written, commands to the forge
 * are text, hidden markers become visible. Code is believed only where every reader sees it.
 * Defusing twice changes nothing.
 */
#ifndef OM_FORGE_DEFUSE_H
#define OM_FORGE_DEFUSE_H

#include "base/text.h"

void om__markdown_defuse(const char *markdown, om_text *out);

#endif
