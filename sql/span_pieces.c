/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the two sides of a join of spans as pieces of time, in the order of partition and time:
 * rows, and the gaps around them where the join shows the other side alone. Two pieces that share a
 * moment are a row of the join; then the piece that ends first gives way to the next one.
 */
#include "span_join.h"

#include <string.h>

static int failed(struct join_table *t)
{
	sqlite3_free(t->base.zErrMsg);
	t->base.zErrMsg = sqlite3_mprintf("%s", sqlite3_errmsg(t->q->db));
	return SQLITE_ERROR;
}

/* "SELECT partition, ts, dur, columns FROM table" in the order of both. */
static int prepare(struct join_table *t, const struct join_def *d, struct join_side *side)
{
	struct tdat_build sql;
	char *text;
	int rc = SQLITE_NOMEM;

	sqlite3_finalize(side->stmt);
	*side = (struct join_side){.kind = PIECE_NONE};
	tdat_build_init(&sql, false);
	for (size_t i = 0; i < d->count; i++) {
		text = sqlite3_mprintf(", \"%w\"", d->columns[i]);
		tdat_build_str(&sql, text ? text : "");
		sqlite3_free(text);
	}
	tdat_build_u8(&sql, 0);
	text = sql.failed ? NULL
	       : d->partition
		       ? sqlite3_mprintf(
				 "SELECT \"%w\", ts, dur%s FROM \"%w\" WHERE \"%w\" IS NOT NULL "
				 "ORDER BY 1, ts",
				 d->partition, sql.ptr, d->table, d->partition)
		       : sqlite3_mprintf("SELECT 0, ts, dur%s FROM \"%w\" ORDER BY ts", sql.ptr,
					 d->table);
	if (text)
		rc = sqlite3_prepare_v2(t->q->db, text, -1, &side->stmt, NULL);
	sqlite3_free(text);
	tdat_build_fini(&sql);
	return rc;
}

static int read_row(struct join_table *t, struct join_side *side)
{
	const int rc = sqlite3_step(side->stmt);

	side->row = rc == SQLITE_ROW;
	if (!side->row)
		return rc == SQLITE_DONE ? SQLITE_OK : failed(t);
	side->partition = sqlite3_column_int64(side->stmt, 0);
	return SQLITE_OK;
}

int span_start(struct join_table *t, struct join_cursor *c, size_t side)
{
	const int rc = prepare(t, &t->sides[side], &c->sides[side]);

	return rc == SQLITE_OK ? read_row(t, &c->sides[side]) : rc;
}

/* True if the side has a row that lies in the partition that is read. */
static bool in_partition(const struct join_table *t, const struct join_cursor *c, size_t s)
{
	return c->sides[s].row && (!t->sides[s].partition || c->sides[s].partition == c->partition);
}

/* True if the gaps of a side are shown beside the rows of the other. */
static bool has_gaps(const struct join_table *t, size_t s)
{
	return t->kind == JOIN_OUTER || (t->kind == JOIN_LEFT && s);
}

/* Makes the row, or the gap from a moment to it, the piece of a side. */
static void set_piece(const struct join_table *t, struct join_cursor *c, size_t s, int64_t from,
		      bool gap)
{
	struct join_side *side = &c->sides[s];
	const bool row = in_partition(t, c, s);
	const int64_t ts = row ? sqlite3_column_int64(side->stmt, 1) : INT64_MAX;

	side->is_open = false;
	side->kind = PIECE_NONE;
	if (gap && has_gaps(t, s) && from < ts) {
		side->kind = PIECE_GAP;
		side->ts = from;
		side->end = ts;
	} else if (row) {
		const int64_t dur = sqlite3_column_int64(side->stmt, 2);

		side->kind = PIECE_ROW;
		side->is_open = dur < 0;
		side->ts = ts;
		side->end = dur < 0 ? ts : ts > INT64_MAX - dur ? INT64_MAX : ts + dur;
	}
}

/* Moves a side to its next piece. */
static int next_piece(struct join_table *t, struct join_cursor *c, size_t s)
{
	struct join_side *side = &c->sides[s];
	const bool was_row = side->kind == PIECE_ROW;
	const int64_t end = side->end;
	int rc = SQLITE_OK;

	if (was_row)
		rc = read_row(t, side);
	/* A gap is followed by its row; the gap behind the last row is the last piece. */
	if (rc == SQLITE_OK)
		set_piece(t, c, s, end, was_row);
	return rc;
}

/* Chooses the least partition that is left. Sides without one begin anew. */
static int next_partition(struct join_table *t, struct join_cursor *c)
{
	bool any = false;
	int rc = SQLITE_OK;

	for (size_t s = 0; s < 2; s++) {
		if (!c->sides[s].row || (t->partition && !t->sides[s].partition))
			continue;
		if (!any || c->sides[s].partition < c->partition)
			c->partition = c->sides[s].partition;
		any = true;
	}
	c->ended = !any;
	c->in_partition = any;
	for (size_t s = 0; any && rc == SQLITE_OK && s < 2; s++) {
		if (t->partition && !t->sides[s].partition) {
			sqlite3_reset(c->sides[s].stmt);
			rc = read_row(t, &c->sides[s]);
		}
		if (rc == SQLITE_OK)
			set_piece(t, c, s, INT64_MIN, true);
	}
	return rc;
}

/* Skips the rest of a partition of which one side has no piece any more. */
static int end_partition(struct join_table *t, struct join_cursor *c)
{
	int rc = SQLITE_OK;

	for (size_t s = 0; rc == SQLITE_OK && s < 2; s++)
		while (rc == SQLITE_OK && t->sides[s].partition && in_partition(t, c, s))
			rc = read_row(t, &c->sides[s]);
	c->in_partition = false;
	/* Without partitions there is one. */
	c->ended = !t->partition;
	return rc;
}

/* The side whose piece ends first; of both a gap, else the second. */
static size_t first_to_end(const struct join_cursor *c)
{
	const struct join_side *a = &c->sides[0], *b = &c->sides[1];

	if (a->end != b->end)
		return a->end > b->end;
	return !(a->kind == PIECE_GAP && b->kind == PIECE_ROW);
}

/* True if the pieces of both sides share a moment, and not both are gaps. */
static bool is_wanted(const struct join_cursor *c)
{
	const struct join_side *a = &c->sides[0], *b = &c->sides[1];

	if (a->kind == PIECE_GAP && b->kind == PIECE_GAP)
		return false;
	return a->ts == b->ts || (a->ts < b->ts ? b->ts < a->end : a->ts < b->end);
}

int span_next(sqlite3_vtab_cursor *base)
{
	struct join_cursor *c = (struct join_cursor *)(void *)base;
	struct join_table *t = (struct join_table *)(void *)base->pVtab;
	int rc = SQLITE_OK;

	c->number++;
	while (rc == SQLITE_OK && !c->ended) {
		if (!c->in_partition)
			rc = next_partition(t, c);
		else if (c->shown)
			rc = next_piece(t, c, first_to_end(c));
		c->shown = true;
		if (rc != SQLITE_OK || c->ended)
			break;
		if (c->sides[0].kind == PIECE_NONE || c->sides[1].kind == PIECE_NONE) {
			rc = end_partition(t, c);
			c->shown = false;
		} else if (is_wanted(c)) {
			break;
		}
	}
	return rc;
}
