/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tells what of a stored text its table does not read, and writes a text of which all is read. A
 * table ends at a NUL, and that of some texts at the first line of another shape, as in
 * libtraceevent: what stands behind is in the file, and not given out.
 */
#ifndef TDAT_MODEL_STORED_TEXT_H
#define TDAT_MODEL_STORED_TEXT_H

#include <stdbool.h>

#include "core/build.h"

enum model_text {
	MODEL_TEXT_KALLSYMS,
	MODEL_TEXT_PRINTK,
	MODEL_TEXT_CMDLINES,
	MODEL_TEXT_TGIDS,
};

struct model_unread {
	size_t off; /* of the first byte that is not read, in the text */
	size_t len; /* how many there are; 0: all is read */
	bool nul;   /* it stands behind a NUL */
};

/* What is not read of text. Blanks, line feeds and NULs do not count. */
struct model_unread model_text_unread(enum model_text which, struct tdat_span text);

/* How a line of the text looks, for messages. */
const char *model_text_shape(enum model_text which);

/* Appends the lines of text that have that shape, also those behind others and behind NULs. */
void model_text_mend(enum model_text which, struct tdat_span text, struct tdat_build *out);

#endif
