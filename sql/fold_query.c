/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds queries that the reader can answer in part, and writes them anew. Such a query has one
 * SELECT over one table, and counts, adds up or bounds columns. Its table becomes one of
 * combinations (group.c) of all columns that are named elsewhere, so conditions and groups mean the
 * same; count(*) becomes a sum of the numbers of rows, and so on. Of ts, which is hardly ever the
 * same, ts / N may be named, and conditions that the reader meets exactly. Any query that is not
 * understood here is left as it is.
 */
#include "fold.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "module.h"
#include "plan.h"
#include "queries.h"

enum { TOKENS_MOST = 1000, FOLDS_MOST = 1000 };

/* One attempt. Tokens are those of the first statement, and one SQL_END. */
struct fold {
	struct sql_trace *trace;
	sqlite3 *db;
	struct sql_token *v;
	size_t count;
	size_t from, after;	    /* FROM, and what is behind its table */
	const struct sql_token *as; /* the name that the table has in the query */
	const struct tdat_table *named;
	struct sql_table *table;
	struct sql_fold spec;
	bool *when; /* by token: a ts that is only compared */
	struct tdat_build out;
	const char *copied; /* until there the text is in out */
	size_t item;	    /* the first token of a column of the result */
	bool changed;	    /* there is an aggregate in it */
	bool any;	    /* or in any */
};

/* ---- tokens ---- */

static bool is(const struct sql_token *t, const char *word)
{
	return (t->kind == SQL_WORD || t->kind == SQL_SIGN) && strlen(word) == t->len &&
	       !sqlite3_strnicmp(t->p, word, (int)t->len);
}

/* Compares a name, in quotes or not. */
static bool names(const struct sql_token *t, const char *name)
{
	const char quote = t->len && *t->p == '[' ? ']' : *t->p;

	if (t->kind != SQL_QUOTED)
		return is(t, name);
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
		if (is(t, words[i]))
			return true;
	return false;
}

/* Words that end FROM and WHERE. */
static bool is_clause(const struct sql_token *t)
{
	return t->kind == SQL_END || is(t, "WHERE") || is(t, "GROUP") || is(t, "HAVING") ||
	       is(t, "ORDER") || is(t, "LIMIT") || is(t, ";");
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

	if (is(&f->v[i], "EXPLAIN"))
		i += is(&f->v[i + 1], "QUERY") ? 3 : 1;
	if (!is(&f->v[i], "SELECT"))
		return false;
	f->item = ++i;
	while (f->v[i].kind != SQL_END && !is(&f->v[i], "FROM"))
		if (is_refused(&f->v[i++]))
			return false;
	if (!is(&f->v[i], "FROM"))
		return false;
	f->from = i++;
	f->as = &f->v[i++];
	if (f->as->kind != SQL_WORD && f->as->kind != SQL_QUOTED)
		return false;
	if (!is_clause(&f->v[i])) {
		i += is(&f->v[i], "AS");
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

		if (!names(name, all[i].name))
			continue;
		f->named = all[i].table;
		return f->named->kind != TDAT_TABLE_META && !is_hidden(f, all[i].name) &&
		       sql_table_new(&f->table, &module, NULL) == TDAT_OK;
	}
	return false;
}

/* The column that a token names, or SQL_NO_COLUMN. */
static size_t column_of(const struct fold *f, size_t i)
{
	for (size_t c = 0; c < f->table->column_count; c++)
		if (names(&f->v[i], sql_table_column(f->table, c)->name))
			return c;
	return SQL_NO_COLUMN;
}

/* ---- conditions on ts ---- */

/* Passes "ts" or "t.ts" at i; 0: there is none. at: the token ts. */
static size_t past_ts(const struct fold *f, size_t i, size_t *at)
{
	i += is(&f->v[i + 1], ".") ? 2 : 0;
	*at = i;
	return f->table->ordered && column_of(f, i) == f->table->ts ? i + 1 : 0;
}

/* True if all tokens from i to end are numbers, calls of time() and sums of them. */
static bool is_constant(const struct fold *f, size_t i, size_t end)
{
	if (i >= end)
		return false;
	for (; i < end; i++) {
		const struct sql_token *t = &f->v[i];

		if (is(t, "time") && is(t + 1, "(") && t[2].kind == SQL_STRING)
			i += 2;
		else if (t->kind != SQL_NUMBER && !is(t, "+") && !is(t, "-") && !is(t, "*") &&
			 !is(t, "(") && !is(t, ")"))
			return false;
	}
	return true;
}

static bool is_order(const struct sql_token *t)
{
	return is(t, "<") || is(t, "<=") || is(t, ">") || is(t, ">=") || is(t, "=") || is(t, "==");
}

/* Marks the ts of one condition, from i to end, if it is only compared with a constant. */
static void mark_condition(struct fold *f, size_t i, size_t end, size_t between)
{
	size_t at, op = past_ts(f, i, &at);

	if (op && is_order(&f->v[op]) && is_constant(f, op + 1, end)) {
		f->when[at] = true;
	} else if (op && is(&f->v[op], "BETWEEN") && is_constant(f, op + 1, between) &&
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

	if (!is(&f->v[f->after], "WHERE"))
		return;
	for (size_t i = first; depth || !is_clause(&f->v[i]); i++) {
		const struct sql_token *t = &f->v[i];

		if (t->kind == SQL_END)
			return;
		if (!depth && is(t, "OR")) {
			memset(f->when, 0, f->count * sizeof(*f->when));
			return;
		}
		depth += is(t, "(") || is(t, "CASE");
		depth -= depth && (is(t, ")") || is(t, "END"));
		if (depth)
			continue;
		if (is(t, "BETWEEN"))
			between = 1;
		else if (between == 1 && is(t, "AND"))
			between = i;
		else if (is(t, "AND") || is_clause(t + 1)) {
			mark_condition(f, first, is(t, "AND") ? i : i + 1, between);
			first = i + 1;
			between = 0;
		}
	}
}

/* ---- the new text ---- */

/* Copies the text before a token, and leaves the token out up to the one at next. */
static void replace(struct fold *f, size_t i, size_t next)
{
	tdat_build_bytes(&f->out, f->copied, (size_t)(f->v[i].p - f->copied));
	f->copied = f->v[next - 1].p + f->v[next - 1].len;
}

/* Returns the index of a hidden column, which is made once. FOLD_VALUES: there is no room. */
static size_t value_of(struct fold *f, enum fold_kind kind, size_t column)
{
	size_t i = 0;

	while (i < f->spec.count &&
	       (f->spec.values[i].kind != kind || f->spec.values[i].column != column))
		i++;
	if (i == f->spec.count && i < FOLD_VALUES)
		f->spec.values[f->spec.count++] = (struct fold_value){kind, column};
	return i;
}

static bool put_value(struct fold *f, const char *before, enum fold_kind kind, size_t column,
		      const char *behind)
{
	const size_t i = value_of(f, kind, column);

	tdat_build_printf(&f->out, "%s\"#%zu\"%s", before, i, behind);
	return i < FOLD_VALUES;
}

/* True if the column has integers in its buffer. */
static bool is_integer(const struct fold *f, size_t column)
{
	const struct column_type *type = sql_table_column(f->table, column);

	return column < f->table->types.count && !type->is_list &&
	       (type->kind == COLUMN_INT || type->kind == COLUMN_TIMESTAMP ||
		type->kind == COLUMN_DURATION);
}

/* True if the values of a column can be told apart by the reader. */
static bool may_name(const struct fold *f, size_t column)
{
	return column < 63 && sql_can_group(f->table, UINT64_C(1) << column);
}

/* Puts the aggregate of a column of integers. */
static bool put_aggregate(struct fold *f, const struct sql_token *name, size_t column)
{
	if (is(name, "count"))
		return put_value(f, "ifnull(sum(", FOLD_COUNT, column, "), 0)");
	if (is(name, "sum"))
		return put_value(f, "sum(", FOLD_SUM, column, ")");
	if (is(name, "min"))
		return put_value(f, "min(", FOLD_LEAST, column, ")");
	if (is(name, "max"))
		return put_value(f, "max(", FOLD_GREATEST, column, ")");
	/* avg: a sum that does not fit into 64 bits is none of its failures. */
	return put_value(f, "((sum(", FOLD_HIGH, column, ") * 4294967296.0 + ") &&
	       put_value(f, "sum(", FOLD_LOW, column, ")) / ") &&
	       put_value(f, "sum(", FOLD_COUNT, column, "))");
}

static bool is_aggregate(const struct sql_token *t)
{
	static const char *const all[] = {"count", "sum", "min", "max", "avg"};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (is(t, all[i]))
			return true;
	return false;
}

/*
 * Puts an aggregate of all rows or of one column at i, and returns the token behind it. 0: it is
 * none of these.
 */
static size_t take_aggregate(struct fold *f, size_t i)
{
	const struct sql_token *name = &f->v[i];
	size_t at = i + 2, column;
	bool ok;

	if (is(name, "count") && (is(&f->v[at], ")") || is(&f->v[at], "*"))) {
		at += is(&f->v[at], "*");
		replace(f, i, at + 1);
		ok = put_value(f, "ifnull(sum(", FOLD_ROWS, 0, "), 0)");
	} else {
		at += is(&f->v[at + 1], ".") ? 2 : 0;
		column = column_of(f, at++);
		if (column == SQL_NO_COLUMN || !is(&f->v[at], ")"))
			return 0;
		if (is_integer(f, column)) {
			replace(f, i, at + 1);
			ok = put_aggregate(f, name, column);
		} else {
			/* Texts are counted by their combinations. */
			if (!is(name, "count") || !may_name(f, column))
				return 0;
			replace(f, i, at + 1);
			ok = put_value(f, "ifnull(sum(", FOLD_ROWS, 0, ") FILTER (WHERE ");
			tdat_build_printf(&f->out, "%.*s NOTNULL), 0)", (int)f->v[at - 1].len,
					  f->v[at - 1].p);
		}
	}
	f->any = f->changed = true;
	return ok && is(&f->v[at], ")") ? at + 1 : 0;
}

/*
 * Returns whether a call can stay: of a function that gives the same for each row of a combination,
 * or of min, max and distinct values, to which the number of rows does not matter.
 */
static bool may_call(const struct fold *f, size_t i)
{
	const struct sql_token *name = &f->v[i];
	sqlite3_stmt *stmt = NULL;
	bool found;

	if (is(name, "min") || is(name, "max"))
		return true;
	if (is_aggregate(name))
		return is(&f->v[i + 2], "DISTINCT");
	if (sqlite3_prepare_v2(f->db,
			       "SELECT 1 FROM pragma_function_list WHERE name = lower(?1) GROUP BY "
			       "name HAVING min(type = 's' AND flags & 2048)",
			       -1, &stmt, NULL))
		return false;
	sqlite3_bind_text(stmt, 1, name->p, (int)name->len, SQLITE_STATIC);
	found = sqlite3_step(stmt) == SQLITE_ROW;
	sqlite3_finalize(stmt);
	return found;
}

/* Puts "ts / N" at i in place of its parts, and returns the token behind it; 0: it is none. */
static size_t take_part(struct fold *f, size_t i)
{
	static const char *const before[] = {"SELECT", ",", "(", "BY", "+"};
	const struct sql_token *n = &f->v[i + 2], *first = &f->v[i - 1];
	uint64_t divisor = 0;
	bool ok = false;

	first -= is(first, ".") ? 2 : 0;
	for (size_t k = 0; k < sizeof(before) / sizeof(before[0]); k++)
		ok |= is(first, before[k]);
	if (!ok || !is(&f->v[i + 1], "/") || n->kind != SQL_NUMBER || n->len > 18 ||
	    !is_integer(f, f->table->ts) || is(n + 1, "||") || is(n + 1, "->") ||
	    is(n + 1, "COLLATE"))
		return 0;
	for (size_t k = 0; k < n->len; k++) {
		if (n->p[k] < '0' || n->p[k] > '9')
			return 0;
		divisor = divisor * 10 + (uint64_t)(n->p[k] - '0');
	}
	if (!divisor || (f->spec.divisor && f->spec.divisor != divisor))
		return 0;
	f->spec.divisor = divisor;
	replace(f, i, i + 3);
	f->changed = true;
	return put_value(f, "", FOLD_PART, 0, "") ? i + 3 : 0;
}

/* Passes a name of a column at i; 0: the query cannot be folded. */
static size_t take_column(struct fold *f, size_t i, size_t column)
{
	if (f->when[i]) {
		replace(f, i, i + 1);
		return put_value(f, "", FOLD_WHEN, 0, "") ? i + 1 : 0;
	}
	if (column == f->table->ts)
		return take_part(f, i);
	return may_name(f, column) ? i + 1 : 0;
}

/* Puts one token or more, and returns what is behind; 0: the query cannot be folded. */
static size_t take_token(struct fold *f, size_t i)
{
	const struct sql_token *t = &f->v[i];
	const bool is_name = t->kind == SQL_WORD || t->kind == SQL_QUOTED;
	size_t column, next = 0;

	/* All columns: "*" behind SELECT, "," or ".". */
	if (is(t, "*"))
		return is(t - 1, "SELECT") || is(t - 1, ",") || is(t - 1, ".") ? 0 : i + 1;
	/* A name of a column of the result, or of a type. */
	if (!is_name || is(t - 1, "AS") || is(t + 1, "."))
		return i + 1;
	if (t->kind == SQL_WORD && is(t + 1, "(")) {
		if (is_aggregate(t))
			next = take_aggregate(f, i);
		if (next || f->out.failed)
			return next;
		/* Also keywords, such as IN: "(" may follow. */
		return sqlite3_keyword_check(t->p, (int)t->len) || may_call(f, i) ? i + 1 : 0;
	}
	column = column_of(f, i);
	return column == SQL_NO_COLUMN ? i + 1 : take_column(f, i, column);
}

/* ---- names of the result ---- */

/* True if the tokens before end give the column of the result a name. */
static bool has_alias(const struct fold *f, size_t end)
{
	const struct sql_token *t = &f->v[end - 1], *before = t - 1;

	if (end - f->item < 2 ||
	    (t->kind != SQL_WORD && t->kind != SQL_QUOTED && t->kind != SQL_STRING))
		return false;
	if (is(before, "AS"))
		return true;
	if (t->kind == SQL_WORD && sqlite3_keyword_check(t->p, (int)t->len))
		return false;
	return is(before, ")") || is(before, "END") || before->kind == SQL_NUMBER ||
	       (before->kind == SQL_WORD && !sqlite3_keyword_check(before->p, (int)before->len));
}

/* Gives a changed column of the result, which ends before end, the name that it had. */
static void end_item(struct fold *f, size_t end)
{
	const char *p = f->v[f->item].p, *past = f->v[end - 1].p + f->v[end - 1].len;

	if (f->changed && !has_alias(f, end)) {
		tdat_build_bytes(&f->out, f->copied, (size_t)(past - f->copied));
		f->copied = past;
		tdat_build_str(&f->out, " AS \"");
		for (; p < past; p++) {
			if (*p == '"')
				tdat_build_u8(&f->out, '"');
			tdat_build_u8(&f->out, (uint8_t)*p);
		}
		tdat_build_u8(&f->out, '"');
	}
	f->changed = false;
	f->item = end + 1;
}

/* ---- folds of a trace ---- */

/* Puts the table in place of the one that was named, with the name that it has in the query. */
static void put_table(struct fold *f, const char *name)
{
	replace(f, f->from + 1, f->after);
	tdat_build_printf(&f->out, "\"%s\" AS %.*s", name, (int)f->as->len, f->as->p);
}

/* Writes what follows the table. The columns are known before, so the table can be named. */
static bool put_all(struct fold *f, const char *name)
{
	size_t depth = 0;

	f->out.len = 0;
	f->copied = f->v[0].p;
	f->any = f->changed = false;
	for (size_t i = f->item; f->v[i].kind != SQL_END;) {
		if (i == f->from || (i < f->from && !depth && is(&f->v[i], ",")))
			end_item(f, i);
		if (i == f->from) {
			put_table(f, name);
			i = f->after;
			continue;
		}
		depth += is(&f->v[i], "(");
		depth -= depth && is(&f->v[i], ")");
		i = take_token(f, i);
		if (!i)
			return false;
	}
	tdat_build_bytes(&f->out, f->copied, (size_t)(f->v[f->count - 1].p - f->copied));
	tdat_build_u8(&f->out, 0);
	return f->any && !f->out.failed &&
	       f->table->column_count + f->spec.count < 63; /* bit 63 is for several columns */
}

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
	if (!put_all(f, "") || !register_fold(f, &number))
		return false;
	snprintf(name, sizeof(name), "tdat.fold.%zu", number);
	f->item = item;
	return put_all(f, name);
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
