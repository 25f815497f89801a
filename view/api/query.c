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
static const char *const selection_names[] = {"filter", "not",	   "events",   "cpus", "pids",
					      "comms",	"buffers", "contains", NULL};

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
			return usage(err, p, "is unknown");
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

/* A list of numbers that grows. */
struct numbers {
	uint32_t *v;
	size_t count, cap;
};

/* "0,2-3": numbers, and ranges where they may be, are expanded to at most 65,536 numbers. */
static enum tdat_status parse_list(struct numbers *out, const char *name, const char *text,
				   const char *example, bool ranges, struct tdat_error *err)
{
	const uint64_t most = ranges ? (1 << 20) - 1 : INT32_MAX;

	for (const char *p = text; *p;) {
		const char *end = p + strcspn(p, ",");
		const char *dash = ranges ? memchr(p, '-', (size_t)(end - p)) : NULL;
		uint64_t first, last;

		if (!view_parse_u64(p, dash ? dash : end, &first) ||
		    !view_parse_u64(dash ? dash + 1 : p, end, &last) || (!ranges && last > most))
			return usage(err, name, example);
		if (last < first || last > most ||
		    (ranges && last - first >= (1 << 16) - out->count))
			return usage(err, name, "has too many CPUs, or a range that goes back");
		for (; first <= last; first++) {
			if (!TDAT_GROW(out->v, &out->cap, out->count + 1))
				return tdat_error_no_memory(err, "a query");
			out->v[out->count++] = (uint32_t)first;
		}
		p = *end ? end + 1 : end;
	}
	return TDAT_OK;
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
	struct tdat_filter_opts *f = &s->filter;
	struct numbers list = {NULL, 0, 0};
	const char *cpus = view_query_get(q, "cpus"), *pids = view_query_get(q, "pids");
	enum tdat_status st = TDAT_OK;
	size_t used = 0;

	q->exprs = calloc(q->count + 1, sizeof(*q->exprs));
	q->texts = calloc(q->count + 1, sizeof(*q->texts));
	if (!q->exprs || !q->texts)
		return tdat_error_no_memory(err, "a query");
	for (size_t i = 0; i < q->count; i++)
		if (!strcmp(q->v[i].name, "filter") || !strcmp(q->v[i].name, "not"))
			q->exprs[f->expr_count++] =
				(struct tdat_filter_expr){q->v[i].value, *q->v[i].name == 'n'};
	f->exprs = q->exprs;
	s->contains = view_query_get(q, "contains");
	if (s->contains && !*s->contains)
		return usage(err, "contains", "is empty");
	collect(q, "events", &used, &f->events, &f->event_count);
	collect(q, "comms", &used, &f->comms, &f->comm_count);
	collect(q, "buffers", &used, &f->buffers, &f->buffer_count);
	/* An empty list chooses no CPU, which differs from no list. */
	s->has_cpus = cpus;
	if (cpus)
		st = parse_list(&list, "cpus", cpus, "is not a list of CPUs such as 0,2-3", true,
				err);
	s->cpus = q->cpus = list.v;
	s->cpu_count = list.count;
	list = (struct numbers){NULL, 0, 0};
	if (st == TDAT_OK && pids)
		st = parse_list(&list, "pids", pids, "is not a list of pids such as 1,2,3", false,
				err);
	q->pids = list.v;
	f->pids = (const int32_t *)list.v;
	f->pid_count = list.count;
	/* It would select all tasks. */
	if (st == TDAT_OK && pids && !list.count)
		st = usage(err, "pids", "is empty");
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

	*q = (struct view_query){.selection = {.filter = TDAT_FILTER_OPTS_INIT}};
	if (len > VIEW_QUERY_LEN)
		return tdat_error_set(err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
				      "the query has %zu bytes, but at most %d are allowed", len,
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
				      "the parameter %s is not a number from %llu to %llu", name,
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
				      "'to' is earlier than 'from': %llu, %llu",
				      (unsigned long long)span->to, (unsigned long long)span->from);
	return st;
}
