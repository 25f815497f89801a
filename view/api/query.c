/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes queries, checks their names, and makes selections of events from them. Percent escapes
 * are decoded, unknown names refused, and values checked. Selections (CPUs, tasks, filters) have
 * the same names in all questions.
 */
#include "query.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "core/text.h"

/*
 * All questions with a selection share these names; "not" is a filter whose matches are excluded.
 */
static const char *const selection_names[] = {"filter", "not",	 "events",  "cpus",
					      "pids",	"comms", "buffers", NULL};

/* The list of a question ends with NULL; "SELECTION" in it adds the names above. */
static bool is_listed(const char *const *names, const char *name)
{
	for (; *names; names++) {
		if (!strcmp(*names, name))
			return true;
		if (!strcmp(*names, "SELECTION") && is_listed(selection_names, name))
			return true;
	}
	return false;
}

/*
 * Decodes "+" and percent escapes in place, as forms encode them. False for a NUL byte, which would
 * cut the text, or an incomplete escape.
 */
static bool decode(char *text)
{
	char *out = text;

	for (; *text; text++) {
		char c = *text == '+' ? ' ' : *text;

		if (c == '%') {
			const unsigned high = tdat_digit((uint8_t)text[1]);
			const unsigned low = high > 15 ? 16 : tdat_digit((uint8_t)text[2]);

			if (low > 15 || (!high && !low))
				return false;
			c = (char)(high << 4 | low);
			text += 2;
		}
		*out++ = c;
	}
	*out = 0;
	return true;
}

/* All mistakes of parameters are one sentence with the parameter's name. */
static enum tdat_status usage(struct tdat_error *err, const char *name, const char *what)
{
	return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET, "the parameter %.40s %s", name,
			      what);
}

/* Splits q->text at "&" and "=" in place: names and values point into it. Parameters may repeat. */
static enum tdat_status split(struct view_query *q, const char *const *names,
			      struct tdat_error *err)
{
	for (char *p = q->text, *next; p; p = next) {
		char *value;

		next = strchr(p, '&');
		if (next)
			*next++ = 0;
		if (!*p)
			continue;
		value = strchr(p, '=');
		if (value)
			*value++ = 0;
		else
			value = p + strlen(p);
		if (!decode(p) || !decode(value))
			return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
					      "the query has a NUL byte or a broken %% escape");
		if (!is_listed(names, p))
			return usage(err, p, "is not known here");
		if (q->count == VIEW_PARAMS)
			return tdat_error_set(err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
					      "a query has at most %d parameters", VIEW_PARAMS);
		q->v[q->count++] = (struct view_param){p, value};
	}
	return TDAT_OK;
}

/* Accepts digits and nothing else, up to `end`: no sign, no blank, no overflow. */
bool view_parse_u64(const char *text, const char *end, uint64_t *v)
{
	return tdat_read_u64(&text, end, 10, v) && text == end;
}

/* ---- selections ---- */

/* "0,2-3". Ranges are expanded, hence their sum is bounded by 65,536 CPUs; numbers end at 2^20. */
static enum tdat_status parse_cpus(struct view_query *q, const char *text, struct tdat_error *err)
{
	size_t cap = 0;

	for (const char *p = text; *p;) {
		const char *end = p + strcspn(p, ","), *dash = memchr(p, '-', (size_t)(end - p));
		uint64_t first, last;

		if (!view_parse_u64(p, dash ? dash : end, &first))
			return usage(err, "cpus", "is no list of CPUs such as 0,2-3");
		last = first;
		if (dash && !view_parse_u64(dash + 1, end, &last))
			return usage(err, "cpus", "is no list of CPUs such as 0,2-3");
		if (last < first || last >= 1 << 20 ||
		    last - first >= (1 << 16) - q->selection.cpu_count)
			return usage(err, "cpus", "has too many CPUs, or a range that goes back");
		for (; first <= last; first++) {
			if (!TDAT_GROW(q->cpus, &cap, q->selection.cpu_count + 1))
				return tdat_error_no_memory(err, "a query");
			q->cpus[q->selection.cpu_count++] = (uint32_t)first;
		}
		p = *end ? end + 1 : end;
	}
	/* An empty list chooses no CPU, which differs from no list. */
	q->selection.cpus = q->cpus;
	q->selection.has_cpus = true;
	return TDAT_OK;
}

/*
 * "1,2,3": pids are positive numbers of 31 bits. An empty list is refused, as it would select all
 * tasks.
 */
static enum tdat_status parse_pids(struct view_query *q, const char *text, struct tdat_error *err)
{
	size_t cap = 0;

	for (const char *p = text; *p;) {
		const char *end = p + strcspn(p, ",");
		uint64_t v;

		if (!view_parse_u64(p, end, &v) || v > INT32_MAX)
			return usage(err, "pids", "is no list of pids such as 1,2,3");
		if (!TDAT_GROW(q->pids, &cap, q->selection.pid_count + 1))
			return tdat_error_no_memory(err, "a query");
		q->pids[q->selection.pid_count++] = (int32_t)v;
		p = *end ? end + 1 : end;
	}
	q->selection.pids = q->pids;
	return q->selection.pid_count ? TDAT_OK : usage(err, "pids", "is empty");
}

/* Collects all values of a name, one after the other in texts. */
static void collect(struct view_query *q, const char *name, size_t *used, const char *const **list,
		    size_t *count)
{
	*list = q->texts + *used;
	*count = 0;
	for (size_t i = 0; i < q->count; i++)
		if (!strcmp(q->v[i].name, name)) {
			q->texts[(*used)++] = q->v[i].value;
			++*count;
		}
}

/*
 * Makes the selection of the query. Its arrays belong to the query; the texts are those of the
 * parameters.
 */
static enum tdat_status make_selection(struct view_query *q, struct tdat_error *err)
{
	struct view_selection *s = &q->selection;
	const char *cpus = view_query_get(q, "cpus"), *pids = view_query_get(q, "pids");
	enum tdat_status st = TDAT_OK;
	size_t used = 0;

	q->exprs = calloc(q->count + 1, sizeof(*q->exprs));
	q->texts = calloc(q->count + 1, sizeof(*q->texts));
	if (!q->exprs || !q->texts)
		return tdat_error_no_memory(err, "a query");
	for (size_t i = 0; i < q->count; i++)
		if (!strcmp(q->v[i].name, "filter") || !strcmp(q->v[i].name, "not"))
			q->exprs[s->expr_count++] =
				(struct tdat_filter_expr){q->v[i].value, *q->v[i].name == 'n'};
	s->exprs = q->exprs;
	collect(q, "events", &used, &s->events, &s->event_count);
	collect(q, "comms", &used, &s->comms, &s->comm_count);
	collect(q, "buffers", &used, &s->buffers, &s->buffer_count);
	if (cpus)
		st = parse_cpus(q, cpus, err);
	if (st == TDAT_OK && pids)
		st = parse_pids(q, pids, err);
	return st;
}

/*
 * The caller calls view_query_fini also after a failure: all members are valid from the first line
 * on.
 */
enum tdat_status view_query_init(struct view_query *q, const char *text, const char *const *names,
				 struct tdat_error *err)
{
	const size_t len = strlen(text);
	enum tdat_status st;

	*q = (struct view_query){.text = NULL};
	if (len > VIEW_QUERY_LEN)
		return tdat_error_set(err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
				      "the query has %zu bytes, at most %d are taken", len,
				      VIEW_QUERY_LEN);
	q->text = malloc(len + 1);
	q->v = calloc(VIEW_PARAMS, sizeof(*q->v));
	if (!q->text || !q->v)
		return tdat_error_no_memory(err, "a query");
	memcpy(q->text, text, len + 1);
	st = split(q, names, err);
	return st == TDAT_OK ? make_selection(q, err) : st;
}

void view_query_fini(struct view_query *q)
{
	free(q->text);
	free(q->v);
	free(q->exprs);
	free(q->texts);
	free(q->cpus);
	free(q->pids);
}

const char *view_query_get(const struct view_query *q, const char *name)
{
	for (size_t i = 0; i < q->count; i++)
		if (!strcmp(q->v[i].name, name))
			return q->v[i].value;
	return NULL;
}

enum tdat_status view_query_u64(const struct view_query *q, const char *name, uint64_t least,
				uint64_t most, uint64_t *v, struct tdat_error *err)
{
	const char *text = view_query_get(q, name);
	uint64_t given;

	if (!text)
		return TDAT_OK;
	if (!view_parse_u64(text, text + strlen(text), &given) || given < least || given > most)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "the parameter %s is no number from %llu to %llu", name,
				      (unsigned long long)least, (unsigned long long)most);
	*v = given;
	return TDAT_OK;
}

/* Without parameters the span is the whole trace. Both ends are included. */
enum tdat_status view_query_span(const struct view_query *q, const struct view_trace *t,
				 struct view_span *span, struct tdat_error *err)
{
	enum tdat_status st;

	*span = (struct view_span){t->from, t->to};
	st = view_query_u64(q, "from", 0, UINT64_MAX, &span->from, err);
	if (st == TDAT_OK)
		st = view_query_u64(q, "to", 0, UINT64_MAX, &span->to, err);
	if (st == TDAT_OK && span->to < span->from)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "to is before from: %llu, %llu", (unsigned long long)span->to,
				      (unsigned long long)span->from);
	return st;
}
