/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Parses messages of KTRGRAPH, group:"G", id:"ID", TYPE:DATA, attributes: none | name:value,
 * ... as schedgraph reads them: docs/formats/ktr.md §4. Nothing is allocated and nothing is
 * looked up: the result is spans of the message. A message of another shape is not an error, as
 * most messages are.
 */
#include "ktrgraph.h"

#include <string.h>

#include "core/text.h"

/*
 * Finds a short mark. memchr() on its first byte beats memmem() here, whose setup takes longer than
 * the search.
 */
static const uint8_t *find(struct tdat_span s, const char *mark, size_t len)
{
	const uint8_t *p = s.ptr, *end = p + s.len;

	while ((size_t)(end - p) >= len) {
		p = memchr(p, mark[0], (size_t)(end - p) - len + 1);
		if (!p)
			return NULL;
		if (!memcmp(p, mark, len))
			return p;
		p++;
	}
	return NULL;
}

/*
 * Returns the text before the mark in *out; *s moves behind the mark. False: the mark is missing.
 */
static inline bool until(struct tdat_span *s, const char *mark, struct tdat_span *out)
{
	size_t len = strlen(mark);
	const uint8_t *p = s->len >= len ? find(*s, mark, len) : NULL;

	if (!p)
		return false;
	*out = (struct tdat_span){s->ptr, (size_t)(p - s->ptr)};
	s->len -= out->len + len;
	s->ptr = p + len;
	return true;
}

/* Reads decimal digits with a sign; saturates at the ends of int64_t. False: no digit. */
static bool parse_decimal(struct tdat_span s, int64_t *out, size_t *used)
{
	bool negative = s.len && s.ptr[0] == '-';
	size_t digits;
	uint64_t v;

	s = tdat_span_from(s, negative);
	digits = tdat_take_digits(&s, 10, &v);
	v = v < INT64_MAX ? v : INT64_MAX;
	*out = negative ? -(int64_t)v : (int64_t)v;
	*used = negative + digits;
	return digits;
}

/* Splits "sshd tid 100057" into name and number. tid is -1 where the id has no number. */
static void split_id(struct ktr_graph *g)
{
	size_t i = g->id.len, used;
	int64_t tid;

	g->name = g->id;
	g->tid = -1;
	while (i && tdat_is_dec(g->id.ptr[i - 1]))
		i--;
	/* The number counts only behind "tid ", which begins the id or follows a blank. */
	if (i == g->id.len || i < 4 || memcmp(g->id.ptr + i - 4, "tid ", 4) ||
	    (i > 4 && g->id.ptr[i - 5] != ' '))
		return;
	if (!parse_decimal((struct tdat_span){g->id.ptr + i, g->id.len - i}, &tid, &used) ||
	    tid > INT32_MAX)
		return;
	g->tid = (int32_t)tid;
	/* A thread without a name has the id "tid N". */
	g->name.len = i > 4 ? i - 5 : 0;
}

/* Reads TYPE:DATA up to the attributes. */
static bool parse_data(struct tdat_span rest, struct ktr_graph *g)
{
	static const char tail[] = ", attributes: ";
	struct tdat_span all = rest;
	size_t used;

	if (!until(&rest, tail, &all)) {
		/* The message may be cut before the attributes. */
		all = rest;
		rest.len = 0;
	}
	g->attributes = rest;
	g->data = all;
	if (ktr_span_skip(&g->data, "counter:")) {
		g->kind = KTR_GRAPH_COUNTER;
		ktr_span_skip(&g->data, "\""); /* of schedgraph.d */
		return parse_decimal(g->data, &g->counter, &used);
	}
	/* A begin and an end of something longer become points; the text keeps which one it is. */
	if (g->data.len > 6 &&
	    (!memcmp(g->data.ptr, "start:", 6) || !memcmp(g->data.ptr, "stop:", 5))) {
		g->kind = KTR_GRAPH_POINT;
		return true;
	}
	if (ktr_span_skip(&g->data, "state:\""))
		g->kind = KTR_GRAPH_STATE;
	else if (ktr_span_skip(&g->data, "point:\""))
		g->kind = KTR_GRAPH_POINT;
	else
		return false;
	/* The closing quote is missing if KTR cut the message. */
	if (g->data.len && g->data.ptr[g->data.len - 1] == '"')
		g->data.len--;
	return true;
}

/* Parses a message of KTRGRAPH. False: it is another message, and *out is undefined. */
bool ktr_graph_parse(struct tdat_span message, struct ktr_graph *out)
{
	struct tdat_span s = message;

	if (!ktr_span_skip(&s, "KTRGRAPH group:\"") || !until(&s, "\", id:\"", &out->group) ||
	    !until(&s, "\", ", &out->id) || !parse_data(s, out))
		return false;
	split_id(out);
	return true;
}

/*
 * Reads a number of the attributes, as in "prio:120". False: the key is missing or its value is not
 * a number.
 */
bool ktr_graph_number(const struct ktr_graph *g, const char *key, int64_t *out)
{
	struct tdat_span s = g->attributes;
	size_t len = strlen(key), used;

	while (s.len > len) {
		struct tdat_span item;

		if (!memcmp(s.ptr, key, len) && s.ptr[len] == ':')
			return parse_decimal((struct tdat_span){s.ptr + len + 1, s.len - len - 1},
					     out, &used);
		if (!until(&s, ", ", &item))
			break;
	}
	return false;
}
