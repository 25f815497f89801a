/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares lists in the text of a statement, and the macros that go through lists. */
#ifndef SQL_PERFETTO_LISTS_H
#define SQL_PERFETTO_LISTS_H

#include "queries.h"

/* A part of a text. */
struct sql_text {
	const char *p;
	size_t len;
};

struct sql_span_list {
	struct sql_text *v; /* free() */
	size_t count, room;
};

/*
 * Reads "(a, b)" at p, split at its own commas, without the blanks around the items. Returns what
 * is behind it; NULL: the bracket is open, or no memory.
 */
const char *sql_list_read(struct sql_span_list *list, const char *p, const char *end);

/*
 * Writes the body of a macro that a statement of SQL cannot be, as it goes through lists of tables
 * or columns. False: name is none of them.
 */
bool sql_list_macro(struct sql_queries *q, struct sql_token name, const struct sql_span_list *args,
		    struct tdat_build *body, int *rc);

#endif
