/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Replaces macros: name!(argument, ...) becomes the body of the macro with its arguments, in which
 * macros are replaced again, down to SQL_NESTING_MOST. The text cannot grow beyond
 * SQL_EXPANDED_MOST. Macros of modules are made when they are first named.
 */
#include "queries.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "perfetto_lists.h"

static struct sql_macro *find(const struct sql_queries *q, const char *name, size_t len)
{
	for (size_t i = 0; i < q->macro_count; i++)
		if (strlen(q->macros[i].name) == len &&
		    !sqlite3_strnicmp(q->macros[i].name, name, (int)len))
			return &q->macros[i];
	return NULL;
}

static void macro_fini(struct sql_macro *m)
{
	for (size_t i = 0; i < m->param_count; i++)
		sqlite3_free(m->params[i]);
	free(m->params);
	sqlite3_free(m->name);
	sqlite3_free(m->body);
}

void sql_macros_free(struct sql_queries *q)
{
	for (size_t i = 0; i < q->macro_count; i++)
		macro_fini(&q->macros[i]);
	free(q->macros);
}

/* name(param Type, ...) RETURNS Type AS body */
int sql_macro_create(struct sql_queries *q, const char *p, const char *end, bool replace)
{
	struct sql_macro m = {.name = NULL}, *was;
	struct sql_columns c = {.count = 0};
	struct sql_token t = sql_token_skip(p, end);

	if (!sql_token_name(t, &m.name))
		return sql_refuse(q, "CREATE PERFETTO MACRO needs a name");
	p = sql_token_end(t);
	if (!sql_columns_read(q, &c, &p, end)) {
		sqlite3_free(m.name);
		sql_columns_fini(&c);
		return SQLITE_ERROR;
	}
	m.params = c.names;
	m.param_count = c.count;
	for (size_t i = 0; i < c.count; i++)
		sqlite3_free(c.types[i]);
	free(c.types);
	/* RETURNS TYPE AS: the type says where the macro stands, which SQLite sees itself. */
	t = sql_token_skip(p, end);
	for (; t.kind != SQL_END && !sql_token_is(t, "AS"); t = sql_token_skip(p, end))
		p = sql_token_end(t);
	m.body = sqlite3_mprintf("%.*s", (int)(end - sql_token_end(t)), sql_token_end(t));
	was = find(q, m.name ? m.name : "", m.name ? strlen(m.name) : 0);
	if (t.kind == SQL_END || (was && !replace)) {
		const int rc = t.kind == SQL_END
				       ? sql_refuse(q, "AS is missing in the macro %s", m.name)
				       : sql_refuse(q, "the macro %s already exists", m.name);

		macro_fini(&m);
		return rc;
	}
	if (!m.name || !m.body ||
	    (!was && !TDAT_GROW(q->macros, &q->macro_room, q->macro_count + 1))) {
		macro_fini(&m);
		return SQLITE_NOMEM;
	}
	if (was)
		macro_fini(was);
	*(was ? was : &q->macros[q->macro_count++]) = m;
	return SQLITE_OK;
}

/* Splits "(a, b(c, d))" at the commas of the outer bracket. *end: behind it; NULL: it is open. */
static bool read_arguments(const char *p, const char *end, struct sql_span_list *list,
			   const char **after)
{
	*after = sql_list_read(list, p, end);
	return *after;
}

static void put(struct tdat_build *out, struct sql_text s)
{
	tdat_build_bytes(out, s.p, s.len);
}

/* Appends the body with the arguments in place of $name. */
static void put_body(struct tdat_build *out, const struct sql_macro *m,
		     const struct sql_span_list *args)
{
	const char *end = m->body + strlen(m->body);
	struct sql_token t = sql_token_at(m->body, end);

	for (; t.kind != SQL_END; t = sql_token_at(sql_token_end(t), end)) {
		struct sql_text text = {t.p, t.len};

		for (size_t i = 0; t.kind == SQL_VARIABLE && *t.p == '$' && i < m->param_count; i++)
			if (strlen(m->params[i]) == t.len - 1 &&
			    !sqlite3_strnicmp(m->params[i], t.p + 1, (int)t.len - 1))
				text = args->v[i];
		put(out, text);
	}
}

/* Replaces one macro; p is the bracket of its arguments. */
static int expand_one(struct sql_queries *q, struct sql_token name, const char *p, const char *end,
		      struct tdat_build *out, const char **after)
{
	struct sql_span_list args = {.count = 0};
	struct tdat_build body;
	const struct sql_macro *m;
	int rc = SQLITE_OK;

	tdat_build_init(&body, false);
	if (++q->expanded > SQL_MACROS_MOST)
		rc = sql_refuse(q, "a statement has more than %d macros", SQL_MACROS_MOST);
	else if (!read_arguments(p, end, &args, after))
		rc = sql_refuse(q, "the bracket of %.*s! is not closed", sql_shown(name.len),
				name.p);
	else if (sql_list_macro(q, name, &args, &body, &rc))
		;
	else if (rc == SQLITE_OK &&
		 (rc = sql_objects_need(q, name.p, sql_token_end(name))) == SQLITE_OK) {
		m = find(q, name.p, name.len);
		if (!m)
			rc = sql_refuse(q, "no such macro: %.*s", sql_shown(name.len), name.p);
		else if (args.count != m->param_count)
			rc = sql_refuse(q, "the macro %s takes %d argument%s, but got %d", m->name,
					(int)m->param_count, m->param_count == 1 ? "" : "s",
					(int)args.count);
		else
			put_body(&body, m, &args);
	}
	if (rc == SQLITE_OK && body.len)
		rc = sql_macros_expand(q, (const char *)body.ptr, (const char *)body.ptr + body.len,
				       out);
	if (body.failed || out->failed)
		rc = SQLITE_NOMEM;
	tdat_build_fini(&body);
	free(args.v);
	return rc;
}

int sql_macros_expand(struct sql_queries *q, const char *text, const char *end,
		      struct tdat_build *out)
{
	struct sql_token t = sql_token_at(text, end);
	int rc = SQLITE_OK;

	if (!q->nesting)
		q->expanded = 0;
	if (++q->nesting > SQL_NESTING_MOST)
		rc = sql_refuse(q, "macros are nested more than %d levels deep", SQL_NESTING_MOST);
	while (rc == SQLITE_OK && t.kind != SQL_END) {
		const struct sql_token sign = sql_token_skip(sql_token_end(t), end);
		const struct sql_token bracket = sql_token_skip(sql_token_end(sign), end);
		const char *after = sql_token_end(t);

		if (t.kind == SQL_WORD && sql_token_is(sign, "!") && sql_token_is(bracket, "("))
			rc = expand_one(q, t, bracket.p, end, out, &after);
		else
			tdat_build_bytes(out, t.p, t.len);
		if (rc == SQLITE_OK && out->len > SQL_EXPANDED_MOST)
			rc = sql_refuse(q, "macros expand a statement to more than %d bytes",
					SQL_EXPANDED_MOST);
		if (rc == SQLITE_OK)
			t = sql_token_at(after, end);
	}
	q->nesting--;
	return rc;
}
