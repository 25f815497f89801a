/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Adds the window functions nest_parent(id, ts, dur) and nest_depth(id, ts, dur). Over intervals
 * in the order of their begin, the longer one first, they give the id of the innermost interval
 * that has begun and not ended, and the number of those intervals. A dur of -1 has no end.
 */
#include <stdlib.h>

#include "core/grow.h"
#include "queries.h"

struct open_interval {
	int64_t id, end;
};

struct nest {
	struct open_interval *v;
	size_t count, room;
	bool failed;
};

static void step(sqlite3_context *c, int argc, sqlite3_value **argv)
{
	struct nest *n = sqlite3_aggregate_context(c, sizeof(*n));
	const int64_t ts = sqlite3_value_int64(argv[1]), dur = sqlite3_value_int64(argv[2]);

	(void)argc;
	if (!n)
		return;
	while (n->count && n->v[n->count - 1].end <= ts)
		n->count--;
	if (!TDAT_GROW(n->v, &n->room, n->count + 1)) {
		n->failed = true;
		return;
	}
	n->v[n->count++] = (struct open_interval){
		sqlite3_value_int64(argv[0]), dur < 0 || ts > INT64_MAX - dur ? INT64_MAX : ts + dur};
}

/* The last row is the top: its parent lies below. */
static void parent(sqlite3_context *c)
{
	const struct nest *n = sqlite3_aggregate_context(c, 0);

	if (n && n->failed)
		sqlite3_result_error_nomem(c);
	else if (n && n->count > 1)
		sqlite3_result_int64(c, n->v[n->count - 2].id);
}

static void depth(sqlite3_context *c)
{
	const struct nest *n = sqlite3_aggregate_context(c, 0);

	if (n && n->failed)
		sqlite3_result_error_nomem(c);
	else if (n && n->count)
		sqlite3_result_int64(c, (int64_t)n->count - 1);
}

/* SQLite asks for it where rows leave the window, which these never do. */
static void inverse(sqlite3_context *c, int argc, sqlite3_value **argv)
{
	(void)argc;
	(void)argv;
	sqlite3_result_error(c, "a window of nested intervals begins with the first row", -1);
}

static void end(sqlite3_context *c, void (*value)(sqlite3_context *c))
{
	struct nest *n = sqlite3_aggregate_context(c, 0);

	value(c);
	if (n)
		free(n->v);
}

static void parent_end(sqlite3_context *c)
{
	end(c, parent);
}

static void depth_end(sqlite3_context *c)
{
	end(c, depth);
}

int sql_nest_register(sqlite3 *db)
{
	const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
	const int rc = sqlite3_create_window_function(db, "nest_parent", 3, flags, NULL, step,
						      parent_end, parent, inverse, NULL);

	return rc != SQLITE_OK ? rc
			       : sqlite3_create_window_function(db, "nest_depth", 3, flags, NULL, step,
								depth_end, depth, inverse, NULL);
}
