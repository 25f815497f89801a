/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Parses the text that programs write to trace_marker in the format of Android's atrace:
 * "B|TGID|NAME", "E|TGID", "S|TGID|NAME|COOKIE", "F|TGID|NAME|COOKIE", "I|TGID|NAME",
 * "C|TGID|NAME|VALUE".
 */
#ifndef TDAT_CORE_ATRACE_H
#define TDAT_CORE_ATRACE_H

#include <tdat/base.h>

struct tdat_mark {
	char kind; /* B, E, S, F, I or C */
	bool has_tgid;
	int32_t tgid;
	struct tdat_span name;
	struct tdat_span last; /* cookie or value */
};

/* False: the text is no such mark. Spans lie in text. */
bool tdat_mark_parse(struct tdat_mark *m, struct tdat_span text);

/* The part up to the next '|', which is taken off the text. */
struct tdat_span tdat_mark_part(struct tdat_span *text);

#endif
