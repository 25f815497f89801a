/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes a query anew as one of a table of combinations. Aggregates become those of hidden columns,
 * ts / N a hidden column; all else stays as it is written, if it means the same for each row of a
 * combination. Columns of the result keep the names that SQLite would give them.
 */
#include <string.h>

#include "fold_query.h"
#include "plan.h"

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
	if (sql_token_is(*name, "count"))
		return put_value(f, "ifnull(sum(", FOLD_COUNT, column, "), 0)");
	if (sql_token_is(*name, "sum"))
		return put_value(f, "sum(", FOLD_SUM, column, ")");
	if (sql_token_is(*name, "min"))
		return put_value(f, "min(", FOLD_LEAST, column, ")");
	if (sql_token_is(*name, "max"))
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
		if (sql_token_is(*t, all[i]))
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

	if (sql_token_is(*name, "count") &&
	    (sql_token_is(f->v[at], ")") || sql_token_is(f->v[at], "*"))) {
		at += sql_token_is(f->v[at], "*");
		replace(f, i, at + 1);
		ok = put_value(f, "ifnull(sum(", FOLD_ROWS, 0, "), 0)");
	} else {
		at += sql_token_is(f->v[at + 1], ".") ? 2 : 0;
		column = fold_column(f, at++);
		if (column == SQL_NO_COLUMN || !sql_token_is(f->v[at], ")"))
			return 0;
		if (is_integer(f, column)) {
			replace(f, i, at + 1);
			ok = put_aggregate(f, name, column);
		} else {
			/* Texts are counted by their combinations. */
			if (!sql_token_is(*name, "count") || !may_name(f, column))
				return 0;
			replace(f, i, at + 1);
			ok = put_value(f, "ifnull(sum(", FOLD_ROWS, 0, ") FILTER (WHERE ");
			tdat_build_printf(&f->out, "%.*s NOTNULL), 0)", (int)f->v[at - 1].len,
					  f->v[at - 1].p);
		}
	}
	f->any = f->changed = true;
	return ok && sql_token_is(f->v[at], ")") ? at + 1 : 0;
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

	if (sql_token_is(*name, "min") || sql_token_is(*name, "max"))
		return true;
	if (is_aggregate(name))
		return sql_token_is(f->v[i + 2], "DISTINCT");
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

	first -= sql_token_is(*first, ".") ? 2 : 0;
	for (size_t k = 0; k < sizeof(before) / sizeof(before[0]); k++)
		ok |= sql_token_is(*first, before[k]);
	if (!ok || !sql_token_is(f->v[i + 1], "/") || n->kind != SQL_NUMBER || n->len > 18 ||
	    !is_integer(f, f->table->ts) || sql_token_is(n[1], "||") || sql_token_is(n[1], "->") ||
	    sql_token_is(n[1], "COLLATE"))
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
	if (sql_token_is(*t, "*"))
		return sql_token_is(t[-1], "SELECT") || sql_token_is(t[-1], ",") ||
				       sql_token_is(t[-1], ".")
			       ? 0
			       : i + 1;
	/* A name of a column of the result, or of a type. */
	if (!is_name || sql_token_is(t[-1], "AS") || sql_token_is(t[1], "."))
		return i + 1;
	if (t->kind == SQL_WORD && sql_token_is(t[1], "(")) {
		if (is_aggregate(t))
			next = take_aggregate(f, i);
		if (next || f->out.failed)
			return next;
		/* Also keywords, such as IN: "(" may follow. */
		return sqlite3_keyword_check(t->p, (int)t->len) || may_call(f, i) ? i + 1 : 0;
	}
	column = fold_column(f, i);
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
	if (sql_token_is(*before, "AS"))
		return true;
	if (t->kind == SQL_WORD && sqlite3_keyword_check(t->p, (int)t->len))
		return false;
	return sql_token_is(*before, ")") || sql_token_is(*before, "END") ||
	       before->kind == SQL_NUMBER ||
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

/* ---- all of it ---- */

/* Puts the table in place of the one that was named, with the name that it has in the query. */
static void put_table(struct fold *f, const char *name)
{
	replace(f, f->from + 1, f->after);
	tdat_build_printf(&f->out, "\"%s\" AS %.*s", name, (int)f->as->len, f->as->p);
}

/* Writes what follows the table. The columns are known before, so the table can be named. */
bool fold_text(struct fold *f, const char *name)
{
	size_t depth = 0;

	f->out.len = 0;
	f->copied = f->v[0].p;
	f->any = f->changed = false;
	for (size_t i = f->item; f->v[i].kind != SQL_END;) {
		if (i == f->from || (i < f->from && !depth && sql_token_is(f->v[i], ",")))
			end_item(f, i);
		if (i == f->from) {
			put_table(f, name);
			i = f->after;
			continue;
		}
		depth += sql_token_is(f->v[i], "(");
		depth -= depth && sql_token_is(f->v[i], ")");
		i = take_token(f, i);
		if (!i)
			return false;
	}
	tdat_build_bytes(&f->out, f->copied, (size_t)(f->v[f->count - 1].p - f->copied));
	tdat_build_u8(&f->out, 0);
	return f->any && !f->out.failed &&
	       f->table->column_count + f->spec.count < 63; /* bit 63 is for several columns */
}
