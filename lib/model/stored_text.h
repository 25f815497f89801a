/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tells what of a stored text its table does not give out, and writes a text of which it gives out
 * all. A table ends at a NUL, and that of some texts at the first line of another shape, as in
 * libtraceevent: what stands behind is in the file, and not given out. Nor is the other one of two
 * names of a task, or of two strings at an address. The kernel ends each line with a line feed.
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

enum model_unread_why {
	MODEL_UNREAD_SHAPE, /* the line is of another shape */
	MODEL_UNREAD_NUL,   /* it stands behind a NUL */
	MODEL_UNREAD_ODD, /* it is read, but hardly as it was meant: the kernel writes none such */
	MODEL_UNREAD_TWICE, /* another line names the task, or the address, and is used */
	MODEL_UNREAD_CUT,   /* the text ends within the line, which is read as far as it goes */
};

struct model_unread {
	size_t off;		   /* of the first line that is not read, in the text */
	size_t len;		   /* bytes of such lines; 0: all is read */
	enum model_unread_why why; /* of the first */
	bool no_memory;
};

/* What is not read of text as it was meant. Blanks, line feeds and NULs do not count. */
struct model_unread model_text_unread(enum model_text which, struct tdat_span text);

/* How a line of the text looks, for messages. */
const char *model_text_shape(enum model_text which);

/*
 * Appends the lines of text that have that shape, also those behind others and behind NULs, but
 * those that name something a second time. out fails without memory.
 */
void model_text_mend(enum model_text which, struct tdat_span text, struct tdat_build *out);

#endif
