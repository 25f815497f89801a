/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads what programs write to trace_marker as Android's atrace does: "B|TGID|NAME", "E|TGID",
 * "S|TGID|NAME|COOKIE", "F|TGID|NAME|COOKIE", "I|TGID|NAME", "C|TGID|NAME|VALUE".
 */
#ifndef TDAT_ANALYSIS_MARKER_H
#define TDAT_ANALYSIS_MARKER_H

#include <tdat/base.h>

struct marker {
	char kind; /* B, E, S, F, I or C */
	bool has_tgid;
	int32_t tgid;
	struct tdat_span name;
	struct tdat_span last; /* cookie or value */
};

/* False: the text is no such mark. Spans lie in text. */
bool marker_parse(struct marker *m, struct tdat_span text);

#endif
