/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds queries that the reader can answer in part, and writes them anew. Such a query has one
 * SELECT over one table, and counts, adds up or bounds columns. Its table becomes one of
 * combinations (group.c) of all columns that are named elsewhere, so conditions and groups mean the
 * same; count(*) becomes a sum of the numbers of rows, and so on. Of ts, which is hardly ever the
 * same, ts / N may be named, and conditions that the reader meets exactly. Any query that is not
 * understood here is left as it is; fold_text.c writes the others.
 */
#include "fold_query.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "module.h"
#include "plan.h"
#include "queries.h"

enum { TOKENS_MOST = 1000, FOLDS_MOST = 1000 };

/* ---- tokens ---- */

bool fold_names(const struct sql_token *t, const char *name)
{
	const char quote = t->len && *t->p == '[' ? ']' : *t->p;

	if (t->kind != SQL_QUOTED)
		return sql_token_is(*t, name);
	for (size_t i = 1; i + 1 < t->len; i++, name++) {
		i += quote != ']' && t->p[i] == quote; /* written twice */
		if (sqlite3_strnicmp(&t->p[i], name, 1) != 0 || !*name)
			return false;
	}
	return !*name;
}

/* ---- the shape of the query ---- */

/* Words of statements that are more than one SELECT over one table. */
static bool is_refused(const struct sql_token *t)
{
	static const char *const words[] = {
		"SELECT", "DISTINCT", "ALL",  "UNION",	 "EXCEPT",   "INTERSECT", "JOIN",
		"OVER",	  "FILTER",   "WITH", "WINDOW",	 "EXISTS",   "VALUES",	  "INDEXED",
		"rowid",  "oid",      "FROM", "_rowid_", "RETURNING"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (sql_token_is(*t, words[i]))
			return true;
	return false;
}

/* Words that end FROM and WHERE. */
static bool is_clause(const struct sql_token *t)
{
	return t->kind == SQL_END || sql_token_is(*t, "WHERE") || sql_token_is(*t, "GROUP") ||
	       sql_token_is(*t, "HAVING") || sql_token_is(*t, "ORDER") ||
	       sql_token_is(*t, "LIMIT") || sql_token_is(*t, ";");
}

/* Two signs that are one operator; "->>" is two, which no reader here minds. */
static bool is_pair(const char *p)
{
	static const char *const pairs[] = {"||", "<=", ">=", "<>", "<<", ">>", "==", "!=", "->"};

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		if (!strncmp(p, pairs[i], 2))
			return true;
	return false;
}

static bool read_tokens(struct fold *f, const char *text, const char *end)
{
	struct sql_token t;

	f->copied = text;
	f->v = malloc((TOKENS_MOST + 4) * sizeof(*f->v));
	f->when = calloc(TOKENS_MOST + 4, sizeof(*f->when));
	if (!f->v || !f->when)
		return false;
	do {
		t = sql_token_skip(text, end);
		t.len += t.kind == SQL_SIGN && end - t.p > 1 && is_pair(t.p);
		text = sql_token_end(t);
		f->v[f->count++] = t;
	} while (t.kind != SQL_END && f->count < TOKENS_MOST);
	/* Those behind the end can be looked at. */
	for (size_t i = 0; i < 4; i++)
		f->v[f->count + i] = (struct sql_token){SQL_END, end, 0};
	return t.kind == SQL_END;
}

/* Finds SELECT, FROM and the table; each is there once. */
static bool find_parts(struct fold *f)
{
	size_t i = 0;

	if (sql_token_is(f->v[i], "EXPLAIN"))
		i += sql_token_is(f->v[i + 1], "QUERY") ? 3 : 1;
	if (!sql_token_is(f->v[i], "SELECT"))
		return false;
	f->item = ++i;
	while (f->v[i].kind != SQL_END && !sql_token_is(f->v[i], "FROM"))
		if (is_refused(&f->v[i++]))
			return false;
	if (!sql_token_is(f->v[i], "FROM"))
		return false;
	f->from = i++;
	f->as = &f->v[i++];
	if (f->as->kind != SQL_WORD && f->as->kind != SQL_QUOTED)
		return false;
	if (!is_clause(&f->v[i])) {
		i += sql_token_is(f->v[i], "AS");
		f->as = &f->v[i++];
	}
	f->after = i;
	if (!is_clause(&f->v[i]))
		return false;
	for (; f->v[i].kind != SQL_END; i++)
		if (is_refused(&f->v[i]))
			return false;
	return true;
}

/* A view or table of the user hides a table of the trace. */
static bool is_hidden(const struct fold *f, const char *name)
{
	sqlite3_stmt *stmt = NULL;
	bool found;

	if (sqlite3_prepare_v2(
		    f->db,
		    "SELECT 1 FROM sqlite_temp_master WHERE name = ?1 COLLATE NOCASE "
		    "UNION ALL SELECT 1 FROM sqlite_master WHERE name = ?1 COLLATE NOCASE",
		    -1, &stmt, NULL))
		return true;
	sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC);
	found = sqlite3_step(stmt) != SQLITE_DONE;
	sqlite3_finalize(stmt);
	return found;
}

static bool open_table(struct fold *f)
{
	const struct sql_token *name = &f->v[f->from + 1];
	size_t count;
	const struct sql_name *all = sql_trace_names(f->trace, &count);

	for (size_t i = 0; i < count; i++) {
		struct sql_module module = {f->trace, all[i].table, false, NULL};

		if (!fold_names(name, all[i].name))
			continue;
		f->named = all[i].table;
		return f->named->kind != TDAT_TABLE_META && !is_hidden(f, all[i].name) &&
		       sql_table_new(&f->table, &module, NULL) == TDAT_OK;
	}
	return false;
}

/* The column that a token names, or SQL_NO_COLUMN. */
size_t fold_column(const struct fold *f, size_t i)
{
	for (size_t c = 0; c < f->table->column_count; c++)
		if (fold_names(&f->v[i], sql_table_column(f->table, c)->name))
			return c;
	return SQL_NO_COLUMN;
}

/* ---- conditions on ts ---- */

/* Passes "ts" or "t.ts" at i; 0: there is none. at: the token ts. */
static size_t past_ts(const struct fold *f, size_t i, size_t *at)
{
	i += sql_token_is(f->v[i + 1], ".") ? 2 : 0;
	*at = i;
	return f->table->ordered && fold_column(f, i) == f->table->ts ? i + 1 : 0;
}

/* True if all tokens from i to end are numbers, calls of time() and sums of them. */
static bool is_constant(const struct fold *f, size_t i, size_t end)
{
	if (i >= end)
		return false;
	for (; i < end; i++) {
		const struct sql_token *t = &f->v[i];

		if (sql_token_is(*t, "time") && sql_token_is(t[1], "(") && t[2].kind == SQL_STRING)
			i += 2;
		else if (t->kind != SQL_NUMBER && !sql_token_is(*t, "+") &&
			 !sql_token_is(*t, "-") && !sql_token_is(*t, "*") &&
			 !sql_token_is(*t, "(") && !sql_token_is(*t, ")"))
			return false;
	}
	return true;
}

static bool is_order(const struct sql_token *t)
{
	return sql_token_is(*t, "<") || sql_token_is(*t, "<=") || sql_token_is(*t, ">") ||
	       sql_token_is(*t, ">=") || sql_token_is(*t, "=") || sql_token_is(*t, "==");
}

/* Marks the ts of one condition, from i to end, if it is only compared with a constant. */
static void mark_condition(struct fold *f, size_t i, size_t end, size_t between)
{
	size_t at, op = past_ts(f, i, &at);

	if (op && is_order(&f->v[op]) && is_constant(f, op + 1, end)) {
		f->when[at] = true;
	} else if (op && sql_token_is(f->v[op], "BETWEEN") && is_constant(f, op + 1, between) &&
		   is_constant(f, between + 1, end)) {
		f->when[at] = true;
	} else {
		for (op = i; op < end && !is_order(&f->v[op]); op++)
			;
		if (op < end && is_constant(f, i, op) && past_ts(f, op + 1, &at) == end)
			f->when[at] = true;
	}
}

/* Marks each ts of WHERE that is compared, if its conditions are joined by AND alone. */
static void mark_conditions(struct fold *f)
{
	size_t first = f->after + 1, depth = 0, between = 0;

	if (!sql_token_is(f->v[f->after], "WHERE"))
		return;
	for (size_t i = first; depth || !is_clause(&f->v[i]); i++) {
		const struct sql_token *t = &f->v[i];

		if (t->kind == SQL_END)
			return;
		if (!depth && sql_token_is(*t, "OR")) {
			memset(f->when, 0, f->count * sizeof(*f->when));
			return;
		}
		depth += sql_token_is(*t, "(") || sql_token_is(*t, "CASE");
		depth -= depth && (sql_token_is(*t, ")") || sql_token_is(*t, "END"));
		if (depth)
			continue;
		if (sql_token_is(*t, "BETWEEN"))
			between = 1;
		else if (between == 1 && sql_token_is(*t, "AND"))
			between = i;
		else if (sql_token_is(*t, "AND") || is_clause(t + 1)) {
			mark_condition(f, first, sql_token_is(*t, "AND") ? i : i + 1, between);
			first = i + 1;
			between = 0;
		}
	}
}

/* ---- folds of a trace ---- */

/* Makes a module of the fold, or finds the one that is alike. *name: a number for its name. */
static bool register_fold(struct fold *f, size_t *name)
{
	struct sql_trace *t = f->trace;
	struct sql_fold *copy;
	char text[32];

	for (*name = 0; *name < t->fold_count; ++*name)
		if (!memcmp(t->folds[*name], &f->spec, sizeof(f->spec)))
			return true;
	if (t->fold_count == FOLDS_MOST || !TDAT_GROW(t->folds, &t->fold_room, t->fold_count + 1))
		return false;
	copy = malloc(sizeof(*copy));
	if (!copy)
		return false;
	memcpy(copy, &f->spec, sizeof(*copy));
	t->folds[t->fold_count] = copy;
	snprintf(text, sizeof(text), "tdat.fold.%zu", t->fold_count++);
	return sql_module_register(f->db, &(struct sql_module){t, f->named, false, copy}, text) ==
	       SQLITE_OK;
}

/* Writes a statement anew; false: it is not one of those that can be. */
static bool fold(struct fold *f, const char *text, const char *end)
{
	char name[32];
	size_t number, item;

	if (!read_tokens(f, text, end) || !find_parts(f) || !open_table(f))
		return false;
	mark_conditions(f);
	/* Zero, padding too: folds are compared by their bytes. */
	memset(&f->spec, 0, sizeof(f->spec));
	f->spec.table = f->named;
	item = f->item;
	/* Once to know the columns of the fold, which its name depends on. */
	if (!fold_text(f, "") || !register_fold(f, &number))
		return false;
	snprintf(name, sizeof(name), "tdat.fold.%zu", number);
	f->item = item;
	return fold_text(f, name);
}

void sql_fold_query(struct sql_queries *q, const char *text, size_t len, sqlite3_stmt **stmt)
{
	struct fold f = {.trace = q->trace, .db = q->db};
	sqlite3_stmt *folded = NULL;

	tdat_build_init(&f.out, false);
	if (*stmt && !q->trace->def.plain && fold(&f, text, text + len) &&
	    sqlite3_prepare_v2(q->db, (const char *)f.out.ptr, -1, &folded, NULL) == SQLITE_OK) {
		sqlite3_finalize(*stmt);
		*stmt = folded;
	}
	if (f.table)
		sql_table_free(f.table);
	tdat_build_fini(&f.out);
	free(f.v);
	free(f.when);
}
