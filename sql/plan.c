/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes plans of queries. It turns SQLite's constraints into a struct sql_plan for rows.c: which
 * columns are read, which conditions reduce reading, whether rows can be grouped or come in order.
 * SQLite tests all conditions again, so that one which is only partly used still gives the right
 * rows; only the times of folds are left to the reader.
 */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "fold.h"

/* ---- conditions ---- */

/* How plans show comparisons. */
static const char *const compares[] = {
	[PLAN_IN] = " IN (?)", [PLAN_EQ] = "=?", [PLAN_GT] = ">?",
	[PLAN_LE] = "<=?",     [PLAN_LT] = "<?", [PLAN_GE] = ">=?",
};

/* False: the reader has nothing for this comparison. */
static bool is_compare(unsigned char op)
{
	return op < sizeof(compares) / sizeof(compares[0]) && compares[op];
}

/* True if values of the column are integers in SQLite. */
static bool is_number_type(const struct column_type *type)
{
	return !type->is_list && (type->kind == COLUMN_INT || type->kind == COLUMN_TIMESTAMP);
}

/* True for the hidden column of a fold that is only compared. */
static bool is_when(const struct sql_table *t, size_t column)
{
	return t->fold && column >= t->column_count && column - t->column_count < t->fold->count &&
	       t->fold->values[column - t->column_count].kind == FOLD_WHEN;
}

/* Sets the role of a column in a condition. False: conditions on it cannot reduce reading. */
static bool role_of(const struct sql_table *t, size_t column, enum plan_role *role)
{
	if (t->table->kind == TDAT_TABLE_META) {
		*role = PLAN_KEY;
		return is_number_type(sql_table_column(t, column)) ||
		       (sql_table_column(t, column)->kind == COLUMN_TEXT &&
			!sql_table_column(t, column)->is_list);
	}
	if (column == SQL_NO_COLUMN)
		return false;
	*role = column == t->ts || is_when(t, column) ? PLAN_TS
		: column == t->cpu		      ? PLAN_CPU
		: column == t->pid		      ? PLAN_PID
		: column == t->system		      ? PLAN_SYSTEM
						      : PLAN_EVENT;
	return *role == PLAN_TS || column == t->cpu || column == t->pid || column == t->system ||
	       column == t->event;
}

/* A second condition on the same column is left to SQLite. */
static bool has_role(const struct sql_plan *p, enum plan_role role)
{
	for (size_t i = 0; i < p->condition_count; i++)
		if (p->conditions[i].role == role)
			return true;
	return false;
}

/* True if texts are compared by their bytes. Other collations cannot be looked up. */
static bool is_binary(sqlite3_index_info *info, int constraint)
{
	return !sqlite3_stricmp(sqlite3_vtab_collation(info, constraint), "BINARY");
}

/* True if the condition reduces reading; c then describes it. */
static bool takes(const struct sql_table *t, const struct sql_plan *p, sqlite3_index_info *info,
		  int i, struct plan_condition *c)
{
	const struct sqlite3_index_constraint *k = &info->aConstraint[i];

	if (!k->usable || k->iColumn < 0 || !is_compare(k->op) ||
	    !role_of(t, (size_t)k->iColumn, &c->role))
		return false;
	c->compare = (enum plan_compare)k->op;
	c->column = (size_t)k->iColumn;
	/* Times take any comparison: several narrow one span. */
	if (c->role == PLAN_TS) {
		c->column = t->ts;
		return true;
	}
	if (c->compare != PLAN_EQ || has_role(p, c->role) || !is_binary(info, i))
		return false;
	/* All values of an IN come at once: the reader goes over the trace only once for them. */
	if (c->role != PLAN_KEY && sqlite3_vtab_in(info, i, -1)) {
		sqlite3_vtab_in(info, i, 1);
		c->compare = PLAN_IN;
	}
	return true;
}

/* argvIndex is the place of the value in xFilter; from 1, as 0 means that it is not passed. */
static void take_conditions(const struct sql_table *t, struct sql_plan *p, sqlite3_index_info *info)
{
	/* LIMIT and OFFSET only size the batches: rows behind the limit are never asked for. */
	for (int i = 0; i < info->nConstraint; i++) {
		const unsigned char op = info->aConstraint[i].op;
		struct plan_condition c = {PLAN_LIMIT, PLAN_EQ, 0};
		const bool limit =
			info->aConstraint[i].usable && (op == SQLITE_INDEX_CONSTRAINT_LIMIT ||
							op == SQLITE_INDEX_CONSTRAINT_OFFSET);

		if (p->condition_count < PLAN_CONDITIONS && (limit || takes(t, p, info, i, &c))) {
			p->conditions[p->condition_count++] = c;
			info->aConstraintUsage[i].argvIndex = (int)p->condition_count;
			/* Rows of a fold have no ts, and the reader compares it as SQLite does. */
			info->aConstraintUsage[i].omit =
				!limit && is_when(t, (size_t)info->aConstraint[i].iColumn);
		}
	}
}

/* ---- order ---- */

/*
 * True if a column of a derived table has times; in tables without a calendar they are plain
 * numbers.
 */
static bool is_time(const struct column_type *type)
{
	const size_t len = strlen(type->name);

	return type->kind == COLUMN_TIMESTAMP || type->kind == COLUMN_DURATION ||
	       !strcmp(type->name, "dur") || (len > 3 && !strcmp(type->name + len - 3, "_ts"));
}

/* Times are almost never the same: SQLite sorts their rows, on disk if there are many. */
bool sql_can_group(const struct sql_table *t, uint64_t columns)
{
	/* Bit 63 means several columns, so they cannot be told apart. */
	if (t->table->kind == TDAT_TABLE_META || columns >> 63)
		return false;
	for (size_t i = 0; i < t->column_count && i < 63; i++) {
		const struct column_type *type = sql_table_column(t, i);

		if (!(columns >> i & 1))
			continue;
		/*
		 * Lists, bytes and doubles have no number in a dictionary; texts need one of the
		 * batch.
		 */
		if (i == t->ts || i >= t->types.count || type->is_list ||
		    (t->table->kind == TDAT_TABLE_DERIVED && is_time(type)) ||
		    type->kind == COLUMN_BYTES || type->kind == COLUMN_DOUBLE ||
		    (type->kind == COLUMN_TEXT && !type->index_width))
			return false;
	}
	return columns;
}

/* Decides how the order that SQLite wants can be met. If it cannot, SQLite sorts. */
static void take_order(const struct sql_table *t, struct sql_plan *p, sqlite3_index_info *info)
{
	const int distinct = sqlite3_vtab_distinct(info);
	const struct sqlite3_index_orderby *by = info->aOrderBy;
	uint64_t columns = 0;

	if (!info->nOrderBy)
		return;
	/* ORDER BY ts: events come in that order anyway. */
	if (t->ordered && info->nOrderBy == 1 && by->iColumn >= 0 && (size_t)by->iColumn == t->ts &&
	    !by->desc) {
		p->by_time = true;
		info->orderByConsumed = 1;
		return;
	}
	for (int i = 0; i < info->nOrderBy; i++) {
		if (by[i].iColumn < 0 || by[i].iColumn >= 63)
			return;
		if (columns >> by[i].iColumn & 1)
			continue;
		columns |= UINT64_C(1) << by[i].iColumn;
		p->order[p->order_count++] =
			(struct plan_order){(uint8_t)by[i].iColumn, by[i].desc};
	}
	/* With 1 groups may come in any order; with 2 each combination comes once, in any order. */
	if ((distinct != 1 && distinct != 2) || (columns & ~p->used) || !sql_can_group(t, p->used))
		return;
	p->together = columns;
	p->once = distinct == 2;
	info->orderByConsumed = 1;
}

/* ---- folds ---- */

/*
 * Plans a fold: the columns that the query names, and parts of ts, make combinations, each of which
 * comes once; columns that are added up are read, too. Combinations can come in any order of these.
 * False: a condition on ts that is left to SQLite, which has no ts to compare.
 */
static bool fold_plan(const struct sql_table *t, struct sql_plan *p, sqlite3_index_info *info)
{
	const uint64_t named = p->used & ((UINT64_C(1) << t->column_count) - 1);

	p->once = true;
	p->together = named;
	for (size_t i = 0; i < t->fold->count; i++) {
		const struct fold_value *v = &t->fold->values[i];
		const uint64_t bit = UINT64_C(1) << (t->column_count + i);

		if (v->kind == FOLD_PART)
			p->together |= p->used & bit;
		if (p->used & bit && (v->kind == FOLD_PART || sql_fold_is_sum(v->kind)))
			p->used |= UINT64_C(1) << (v->kind == FOLD_PART ? t->ts : v->column);
	}
	for (int i = 0; i < info->nConstraint; i++)
		if (is_when(t, (size_t)info->aConstraint[i].iColumn) &&
		    !info->aConstraintUsage[i].omit)
			return false;
	for (int i = 0; i < info->nOrderBy; i++) {
		const int column = info->aOrderBy[i].iColumn;

		if (column < 0 || column >= 63 || !(p->together >> column & 1)) {
			p->order_count = 0;
			return true;
		}
		p->order[p->order_count++] =
			(struct plan_order){(uint8_t)column, info->aOrderBy[i].desc};
	}
	info->orderByConsumed = info->nOrderBy > 0;
	return true;
}

/* ---- the plan in words, and its price ---- */

/* Names of columns, for EXPLAIN QUERY PLAN. */
static void put_columns(struct tdat_build *out, const struct sql_table *t, uint64_t columns)
{
	size_t n = 0;

	for (size_t i = 0; i < t->column_count; i++) {
		if (!(columns >> (i < 63 ? i : 63) & 1))
			continue;
		tdat_build_str(out, n++ ? ", " : "");
		tdat_build_str(out, sql_table_column(t, i)->name);
	}
	if (!n)
		tdat_build_str(out, "no column");
}

/* "ts>? AND cpu=?; ", or "all rows; ". */
static void put_conditions(struct tdat_build *out, const struct sql_table *t,
			   const struct sql_plan *p)
{
	for (size_t i = 0; i < p->condition_count; i++) {
		const struct plan_condition *c = &p->conditions[i];

		if (c->role == PLAN_LIMIT)
			continue;
		tdat_build_str(out, sql_table_column(t, c->column)->name);
		tdat_build_str(out, compares[c->compare]);
		tdat_build_str(out, " AND ");
	}
	/* The last " AND ". */
	if (out->len)
		out->len -= 5;
	tdat_build_str(out, out->len ? "; " : "all rows; ");
}

/* Returns the text that EXPLAIN QUERY PLAN shows, for sqlite3_free(); NULL: no memory. */
static char *plan_text(const struct sql_table *t, const struct sql_plan *p)
{
	struct tdat_build out;
	char *text;

	tdat_build_init(&out, false);
	put_conditions(&out, t, p);
	tdat_build_str(&out, "reads ");
	put_columns(&out, t, p->used);
	if (p->by_time)
		tdat_build_str(&out, "; in the order of ts");
	if (t->fold)
		tdat_build_str(&out, "; added up");
	if (p->together) {
		tdat_build_str(&out, t->fold   ? " by "
				     : p->once ? "; each once: "
					       : "; counted by ");
		put_columns(&out, t, p->together);
	}
	if (has_role(p, PLAN_LIMIT))
		tdat_build_str(&out, "; until LIMIT");
	tdat_build_u8(&out, 0);
	text = out.failed ? NULL : sqlite3_mprintf("%s", out.ptr);
	tdat_build_fini(&out);
	return text;
}

/* Sets the cost. The numbers are guesses, which only have to order the ways to run a join. */
static void set_price(const struct sql_table *t, const struct sql_plan *p, sqlite3_index_info *info)
{
	double rows = (double)t->trace->events, all, cost;

	/* Tables of names and CPUs are small. */
	if (t->table->kind == TDAT_TABLE_META)
		rows = 2000;
	else if (t->table->kind != TDAT_TABLE_EVENTS)
		rows = rows / 10 + 1;
	all = cost = 1000 + rows;
	for (size_t i = 0; i < p->condition_count; i++) {
		const enum plan_role role = p->conditions[i].role;
		const double part = role == PLAN_KEY			   ? 0.001
				    : role == PLAN_EVENT		   ? 0.05
				    : role == PLAN_CPU || role == PLAN_PID ? 0.2
				    : role == PLAN_TS			   ? 0.3
									   : 1;

		rows *= part;
		/* A span and CPUs are found without reading the rest. */
		if (role == PLAN_TS || role == PLAN_CPU || role == PLAN_KEY)
			cost = 1000 + (cost - 1000) * part;
	}
	if (t->table->kind == TDAT_TABLE_META && has_role(p, PLAN_KEY))
		cost = 10;
	/* One scan of all rows must be cheaper than the several that SQLite can make for an OR. */
	else if (cost < 0.6 * all)
		cost = 0.6 * all;
	info->estimatedCost = cost;
	info->estimatedRows = (sqlite3_int64)rows + 1;
}

/* ---- the list of plans ---- */

/* True if both plans read the same rows in the same way. */
static bool is_same(const struct sql_plan *a, const struct sql_plan *b)
{
	if (a->used != b->used || a->condition_count != b->condition_count ||
	    a->by_time != b->by_time || a->together != b->together || a->once != b->once ||
	    a->order_count != b->order_count)
		return false;
	for (size_t i = 0; i < a->condition_count; i++)
		if (a->conditions[i].role != b->conditions[i].role ||
		    a->conditions[i].compare != b->conditions[i].compare ||
		    a->conditions[i].column != b->conditions[i].column)
			return false;
	for (size_t i = 0; i < a->order_count; i++)
		if (a->order[i].column != b->order[i].column ||
		    a->order[i].desc != b->order[i].desc)
			return false;
	return true;
}

/*
 * Returns the number of a plan, or -1 without memory. SQLite keeps the number in a prepared
 * statement, so plans live as long as the table.
 */
static int number_of(struct sql_table *t, const struct sql_plan *p)
{
	struct sql_plan *copy;

	for (size_t i = 0; i < t->plan_count; i++)
		if (is_same(t->plans[i], p))
			return (int)i;
	if (!TDAT_GROW(t->plans, &t->plan_room, t->plan_count + 1))
		return -1;
	copy = malloc(sizeof(*copy));
	if (!copy)
		return -1;
	*copy = *p;
	t->plans[t->plan_count] = copy;
	return (int)t->plan_count++;
}

/* xBestIndex. colUsed has a bit for each column, and bit 63 for all behind. */
int sql_plan_make(sqlite3_vtab *table, sqlite3_index_info *info)
{
	struct sql_table *t = (struct sql_table *)(void *)table;
	struct sql_plan p = {.used = info->colUsed};

	/*
	 * plain: every row is read, for tests that compare, and for tables whose rows are numbered.
	 */
	if (!t->plain) {
		take_conditions(t, &p, info);
		if (!t->fold)
			take_order(t, &p, info);
		else if (!fold_plan(t, &p, info))
			return SQLITE_CONSTRAINT;
	}
	set_price(t, &p, info);
	info->idxNum = number_of(t, &p);
	info->idxStr = plan_text(t, &p);
	info->needToFreeIdxStr = 1;
	return info->idxNum < 0 || !info->idxStr ? SQLITE_NOMEM : SQLITE_OK;
}
