/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parses KTRGRAPH messages: the states, counters and points of scheduler and lock events. */
#ifndef TDAT_IMPORT_KTR_KTRGRAPH_H
#define TDAT_IMPORT_KTR_KTRGRAPH_H

#include <tdat/source.h>

#include "core/text.h"

enum ktr_graph_kind { KTR_GRAPH_STATE, KTR_GRAPH_COUNTER, KTR_GRAPH_POINT };

struct ktr_graph {
	enum ktr_graph_kind kind;
	struct tdat_span group, id;
	struct tdat_span data; /* state, point, or the counter as text */
	int64_t counter;
	struct tdat_span attributes;
	struct tdat_span name; /* of the thread: id without its number */
	int32_t tid;	       /* -1: the id has none */
};

/* False when the message is not one of KTRGRAPH. All spans point into it. */
bool ktr_graph_parse(struct tdat_span message, struct ktr_graph *out);
/* Moves behind the word if the span begins with it. */
static inline bool ktr_span_skip(struct tdat_span *s, const char *word)
{
	const bool begins = tdat_span_starts(*s, word);

	if (begins)
		*s = tdat_span_from(*s, strlen(word));
	return begins;
}
/* The number behind "key:" in the attributes; false without it. */
bool ktr_graph_number(const struct ktr_graph *g, const char *key, int64_t *out);

#endif
