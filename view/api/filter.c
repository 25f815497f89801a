/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks the text of a filter while the user types, and completes it. The library parses the text;
 * its message names a column. Completions are names of events and fields that begin with the word
 * at the cursor, and the operators that can follow a field or a value.
 */
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "core/build.h"
#include "core/grow.h"
#include "core/search.h"
#include "core/text.h"

/* Enough for one event's fields; a longer list helps nobody who types. */
enum { CANDIDATES = 200 };

struct candidates {
	const char **v; /* of the files */
	size_t count, cap;
	bool failed;
};

/* Names of events may hold "/" and "-". */
static bool is_word(char c)
{
	return tdat_is_word((uint8_t)c) || c == '/' || c == '-';
}

/* Adds a name that begins with the word. It is borrowed from the files. */
static void add(struct candidates *c, const char *name, const char *word, size_t len)
{
	if (strncmp(name, word, len))
		return;
	if (!TDAT_GROW(c->v, &c->cap, c->count + 1)) {
		c->failed = true;
		return;
	}
	c->v[c->count++] = name;
}

static bool is_text(const char *begin, const char *end, const char *text)
{
	const size_t len = strlen(text);

	return (size_t)(end - begin) == len && !memcmp(begin, text, len);
}

/*
 * True if a list "a, b/c" before the colon of a filter names an event, with or without its system.
 */
static bool names_event(const char *list, const char *end, const struct tdat_table *table)
{
	while (list < end) {
		const char *begin;

		while (list < end && !is_word(*list))
			list++;
		begin = list;
		while (list < end && is_word(*list))
			list++;
		if (begin < list &&
		    (is_text(begin, list, table->event) || is_text(begin, list, table->name)))
			return true;
	}
	return false;
}

/*
 * Fields of an event type may differ between files, so all files add theirs; duplicates are removed
 * when they are written.
 */
static void add_fields(struct candidates *c, const struct view_trace *t,
		       const struct tdat_table *table, const char *word, size_t len)
{
	for (size_t i = 0; i < t->input_count; i++) {
		const struct tdat_event_format *f =
			tdat_file_format_by_name(t->inputs[i].file, table->system, table->event);
		size_t count = 0;
		const struct tdat_field *fields = f ? tdat_event_format_fields(f, &count) : NULL;

		for (size_t k = 0; k < count; k++)
			add(c, fields[k].name, word, len);
	}
}

/* Lists replacements of the word at the cursor: fields behind a colon, events before it. */
static void complete(struct candidates *c, const struct view_trace *t, const char *text,
		     const char *word, size_t len)
{
	const char *colon = memchr(text, ':', (size_t)(word - text));
	size_t count;
	const struct tdat_table *tables = tdat_trace_tables(t->tables, &count);

	for (size_t i = 0; i < count; i++) {
		if (tables[i].kind != TDAT_TABLE_EVENT)
			continue;
		if (colon && names_event(text, colon, &tables[i]))
			add_fields(c, t, &tables[i], word, len);
		if (colon)
			continue;
		add(c, tables[i].event, word, len);
		/* Users who type a slash mean SYSTEM/EVENT. */
		if (memchr(word, '/', len))
			add(c, tables[i].name, word, len);
	}
	if (c->count)
		qsort(c->v, c->count, sizeof(*c->v), tdat_by_text);
}

/* ---- operators ---- */

/* Returns how many parentheses are open at the end of a text; those in strings do not count. */
static size_t open_parens(const char *text, size_t len)
{
	size_t open = 0;
	char quote = 0;

	for (size_t i = 0; i < len; i++) {
		if (quote)
			quote = text[i] == quote ? 0 : quote;
		else if (text[i] == '"' || text[i] == '\'')
			quote = text[i];
		else if (text[i] == '(')
			open++;
		else if (text[i] == ')' && open)
			open--;
	}
	return open;
}

/* True if the text, with `rest` and all parentheses closed, is a filter. */
static bool can_end(struct candidates *c, const struct view_trace *t, const char *text, size_t len,
		    const char *rest)
{
	struct tdat_build out = {0};
	struct tdat_filter_expr expr = {NULL, false};
	struct view_selection s = {.filter = TDAT_FILTER_OPTS_INIT};
	enum tdat_status st = TDAT_E_NOMEM;
	char *whole;

	tdat_build_bytes(&out, text, len);
	tdat_build_str(&out, rest);
	for (size_t i = open_parens(text, len); i; i--)
		tdat_build_str(&out, ")");
	whole = tdat_build_text(&out);
	if (whole) {
		expr.text = whole;
		s.filter.exprs = &expr;
		s.filter.expr_count = 1;
		st = view_read_check(t, &s, NULL);
	}
	c->failed = c->failed || st == TDAT_E_NOMEM;
	free(whole);
	return st == TDAT_OK;
}

static void add_all(struct candidates *c, const char *const *list)
{
	for (; *list; list++)
		add(c, *list, "", 0);
}

/*
 * Behind a field come comparisons, behind a value what joins it with another, or closes. False:
 * neither is there.
 */
static bool complete_operator(struct candidates *c, const struct view_trace *t, const char *text,
			      size_t len)
{
	static const char *const comparisons[] = {
		"!=", "!~", "&", "<", "<=", "==", "=~", ">", ">=", NULL};
	static const char *const joins[] = {"&&", "||", NULL};

	if (!len || !strchr(" )\"'", text[len - 1]) || !memchr(text, ':', len))
		return false;
	if (can_end(c, t, text, len, "== 0"))
		add_all(c, comparisons);
	else if (can_end(c, t, text, len, ""))
		add_all(c, joins);
	else
		return false;
	if (open_parens(text, len) && can_end(c, t, text, len, ""))
		add(c, ")", "", 0);
	return true;
}

/* ---- answers ---- */

/*
 * Finds the column in the library's message "filter 'TEXT', column N". Columns count from 1, *at
 * from 0.
 */
bool view_filter_at(const char *message, const char *text, uint64_t *at)
{
	static const char begin[] = "filter '", behind[] = "', column ";
	const size_t len = strlen(text);
	const char *p = message + sizeof(begin) - 1;
	uint64_t column;

	/* The message is not searched for the text, which may have any words in it. */
	if (strncmp(message, begin, sizeof(begin) - 1) || strncmp(p, text, len) ||
	    strncmp(p + len, behind, sizeof(behind) - 1))
		return false;
	p += len + sizeof(behind) - 1;
	if (!view_parse_u64(p, p + strspn(p, "0123456789"), &column) || !column)
		return false;
	*at = column - 1;
	return true;
}

/* An invalid filter is a good answer with "ok" false: the page asks at each key. */
enum tdat_status view_answer_filter(struct view_question *q)
{
	const char *text = view_query_get(q->query, "text");
	const struct tdat_filter_expr expr = {text ? text : "", false};
	struct view_selection s = {.filter = TDAT_FILTER_OPTS_INIT};
	struct candidates c = {.count = 0};
	struct tdat_error wrong = TDAT_ERROR_INIT;
	struct tdat_json *j = &q->json;
	uint64_t pos = strlen(expr.text), at = 0;
	size_t from, kept = 0;
	enum tdat_status st = view_query_u64(q->query, "pos", 0, pos, &pos, q->err);

	if (st != TDAT_OK)
		return st;
	s.filter.exprs = &expr;
	s.filter.expr_count = *expr.text ? 1 : 0;
	/* The word at the cursor begins at `from`, which the page replaces. */
	for (from = (size_t)pos; from && is_word(expr.text[from - 1]);)
		from--;
	st = view_read_check(q->api->trace, &s, &wrong);
	if (st == TDAT_E_NOMEM)
		return tdat_error_no_memory(q->err, "a filter");
	if (from != pos || !complete_operator(&c, q->api->trace, expr.text, from))
		complete(&c, q->api->trace, expr.text, expr.text + from, (size_t)pos - from);
	tdat_json_bool(j, "ok", st == TDAT_OK);
	if (st != TDAT_OK)
		tdat_json_str(j, "error", wrong.message);
	if (st != TDAT_OK && view_filter_at(wrong.message, expr.text, &at))
		tdat_json_u64(j, "at", at);
	tdat_json_u64(j, "from", from);
	tdat_json_array(j, "candidates");
	/* The list is sorted, hence equal names are neighbors. */
	for (size_t i = 0; i < c.count && kept < CANDIDATES; i++)
		if (!i || strcmp(c.v[i], c.v[i - 1])) {
			tdat_json_str(j, NULL, c.v[i]);
			kept++;
		}
	tdat_json_array_end(j);
	free(c.v);
	return c.failed ? tdat_error_no_memory(q->err, "a filter") : TDAT_OK;
}
