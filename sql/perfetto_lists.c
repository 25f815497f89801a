/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads lists in brackets, and writes the macros of PerfettoSQL that go through lists of tables
 * and columns: intersections of intervals, and intervals that are joined where they overlap. Their
 * bodies are joins and window functions of SQLite.
 */
#include "perfetto_lists.h"

#include "core/grow.h"

/* Adds what lies between two places, without blanks at its ends. False: no memory. */
static bool add_item(struct sql_span_list *list, const char *p, const char *end)
{
	const struct sql_token first = sql_token_at(p, end);

	if (first.kind == SQL_SPACE)
		p = sql_token_end(first);
	if (!TDAT_GROW(list->v, &list->room, list->count + 1))
		return false;
	list->v[list->count++] = (struct sql_text){p, (size_t)(end - p)};
	return true;
}

const char *sql_list_read(struct sql_span_list *list, const char *p, const char *end)
{
	struct sql_token t = sql_token_skip(p, end);
	const char *item = sql_token_end(t);
	size_t open = 1;
	bool ok = true;

	*list = (struct sql_span_list){.count = 0};
	for (t = sql_token_at(item, end); ok && t.kind != SQL_END;
	     t = sql_token_at(sql_token_end(t), end)) {
		open += sql_token_is(t, "(");
		open -= sql_token_is(t, ")");
		if (open > 1 || !(sql_token_is(t, ",") || !open))
			continue;
		/* "()" is a list of nothing. */
		if (open || list->count || sql_token_skip(item, t.p).kind != SQL_END)
			ok = add_item(list, item, t.p);
		item = sql_token_end(t);
		if (!open)
			return ok ? item : NULL;
	}
	return NULL;
}

/* An argument that is a list in brackets. */
static bool inner_list(struct sql_queries *q, struct sql_text arg, struct sql_span_list *list,
		       int *rc)
{
	if (sql_token_is(sql_token_skip(arg.p, arg.p + arg.len), "(") &&
	    sql_list_read(list, arg.p, arg.p + arg.len))
		return true;
	*rc = sql_refuse(q, "expected a list in brackets, not %.*s", sql_shown(arg.len), arg.p);
	return false;
}

static void put_text(struct tdat_build *b, struct sql_text s)
{
	tdat_build_bytes(b, s.p, s.len);
}

/* "FN(a0.ts + a0.dur, a1.ts + a1.dur, ...)" */
static void put_bound(struct tdat_build *b, size_t tables, bool last)
{
	tdat_build_str(b, last ? "min(" : "max(");
	for (size_t i = 0; i < tables; i++) {
		tdat_build_printf(b, "%sa%zu.ts", i ? ", " : "", i);
		if (last)
			tdat_build_printf(b, " + a%zu.dur", i);
	}
	/* min() of one value would be the aggregate. */
	tdat_build_str(b, tables == 1 ? (last ? ", a0.ts + a0.dur)" : ", a0.ts)") : ")");
}

/* _interval_intersect!((table, ...), (column, ...)) */
static void put_intersection(struct tdat_build *b, const struct sql_span_list *tables,
			     const struct sql_span_list *columns)
{
	tdat_build_str(b, "(SELECT ");
	put_bound(b, tables->count, false);
	tdat_build_str(b, " AS ts, ");
	put_bound(b, tables->count, true);
	tdat_build_str(b, " - ");
	put_bound(b, tables->count, false);
	tdat_build_str(b, " AS dur");
	for (size_t i = 0; i < tables->count; i++)
		tdat_build_printf(b, ", a%zu.id AS id_%zu", i, i);
	for (size_t i = 0; i < columns->count; i++) {
		tdat_build_str(b, ", a0.");
		put_text(b, columns->v[i]);
	}
	for (size_t i = 0; i < tables->count; i++) {
		tdat_build_str(b, i ? " JOIN " : " FROM ");
		put_text(b, tables->v[i]);
		tdat_build_printf(b, " AS a%zu", i);
		if (i)
			tdat_build_printf(
				b, " ON a%zu.ts < a0.ts + a0.dur AND a%zu.ts + a%zu.dur > a0.ts", i,
				i, i);
		for (size_t k = 0; i && k < columns->count; k++) {
			tdat_build_printf(b, " AND a%zu.", i);
			put_text(b, columns->v[k]);
			tdat_build_str(b, " = a0.");
			put_text(b, columns->v[k]);
		}
	}
	tdat_build_str(b, " WHERE ");
	put_bound(b, tables->count, true);
	tdat_build_str(b, " > ");
	put_bound(b, tables->count, false);
	tdat_build_str(b, ")");
}

/* "PARTITION BY a, b", or nothing. */
static void put_partition(struct tdat_build *b, const struct sql_span_list *columns)
{
	for (size_t i = 0; i < columns->count; i++) {
		tdat_build_str(b, i ? ", " : "PARTITION BY ");
		put_text(b, columns->v[i]);
	}
}

static void put_columns(struct tdat_build *b, const struct sql_span_list *columns)
{
	for (size_t i = 0; i < columns->count; i++) {
		tdat_build_str(b, ", ");
		put_text(b, columns->v[i]);
	}
}

/* interval_merge_overlapping_partitioned!(table, (column, ...)) */
static void put_merged(struct tdat_build *b, struct sql_text table,
		       const struct sql_span_list *columns)
{
	tdat_build_str(b, "(SELECT min(ts) AS ts, max(ts + dur) - min(ts) AS dur");
	put_columns(b, columns);
	tdat_build_str(b, " FROM (SELECT *, sum(_first) OVER (");
	put_partition(b, columns);
	tdat_build_str(b, " ORDER BY ts ROWS UNBOUNDED PRECEDING) AS _group FROM (SELECT *, ts > "
			  "ifnull(max(ts + dur) OVER (");
	put_partition(b, columns);
	tdat_build_str(b,
		       " ORDER BY ts ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), ts - 1) AS "
		       "_first FROM ");
	put_text(b, table);
	tdat_build_str(b, ")) GROUP BY _group");
	put_columns(b, columns);
	tdat_build_str(b, " ORDER BY ts)");
}

bool sql_list_macro(struct sql_queries *q, struct sql_token name, const struct sql_span_list *args,
		    struct tdat_build *body, int *rc)
{
	const bool intersect = sql_token_is(name, "_interval_intersect");
	struct sql_span_list tables = {.count = 0}, columns = {.count = 0};

	if (!intersect && !sql_token_is(name, "interval_merge_overlapping_partitioned"))
		return false;
	if (args->count != 2)
		*rc = sql_refuse(q, "the macro %.*s needs 2 arguments", (int)name.len, name.p);
	else if (intersect && inner_list(q, args->v[0], &tables, rc) &&
		 inner_list(q, args->v[1], &columns, rc))
		put_intersection(body, &tables, &columns);
	else if (!intersect && inner_list(q, args->v[1], &columns, rc))
		put_merged(body, args->v[0], &columns);
	free(tables.v);
	free(columns.v);
	return true;
}
