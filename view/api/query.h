/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes the query of an address apart: "name=value&name=value", percent-encoded, as the URL
 * standard has it for forms. All values lie in one block of memory of the query.
 */
#ifndef VIEW_API_QUERY_H
#define VIEW_API_QUERY_H

#include "data/read.h"

enum { VIEW_QUERY_LEN = 16 << 10, VIEW_PARAMS = 512 };

struct view_param {
	const char *name, *value; /* without NUL bytes inside */
};

struct view_query {
	char *text;
	struct view_param *v;
	size_t count;
	/* What a selection points to. */
	struct tdat_filter_expr *exprs;
	const char **texts;
	uint32_t *cpus, *pids;
	struct view_selection selection;
};

/*
 * Takes text apart. The names it may have are a list that NULL ends; "SELECTION" in it stands for
 * all names of a selection. A failure is TDAT_E_USAGE or TDAT_E_LIMIT; view_query_fini frees.
 */
enum tdat_status view_query_init(struct view_query *q, const char *text, const char *const *names,
				 struct tdat_error *err);
void view_query_fini(struct view_query *q);

/* The value of a name, or NULL. */
const char *view_query_get(const struct view_query *q, const char *name);

/* Reads a number; *v is left as it is without the parameter. */
enum tdat_status view_query_u64(const struct view_query *q, const char *name, uint64_t least,
				uint64_t most, uint64_t *v, struct tdat_error *err);

/*
 * Reads from and to, which are those of the trace unless given. A span in which to is before from
 * is refused.
 */
enum tdat_status view_query_span(const struct view_query *q, const struct view_trace *t,
				 struct view_span *span, struct tdat_error *err);

/* Parses a text up to end that is a decimal number and nothing else; false if it is none. */
bool view_parse_u64(const char *text, const char *end, uint64_t *v);

#endif
