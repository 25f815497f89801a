/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Adds the window functions nest_parent(id, ts, dur), nest_depth(id, ts, dur), nest_stack(id, ts,
 * dur, text...) and nest_parent_stack of the same. Over intervals in the order of their begin, the
 * longer one first, they give the id of the innermost interval that has begun and not ended, the
 * number of those intervals, and a hash of their texts. A dur of -1 has no end.
 */
#include <stdlib.h>

#include "core/grow.h"
#include "queries.h"

struct open_interval {
	int64_t id, end;
	uint64_t hash; /* of its texts, and of those around it */
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
	uint64_t hash = 0xcbf29ce484222325;

	if (!n)
		return;
	while (n->count && n->v[n->count - 1].end <= ts)
		n->count--;
	if (!TDAT_GROW(n->v, &n->room, n->count + 1)) {
		n->failed = true;
		return;
	}
	if (n->count)
		hash = n->v[n->count - 1].hash;
	/* FNV-1a, with a byte behind each text that no text has. */
	for (int i = 3; i < argc; i++) {
		const unsigned char *p = sqlite3_value_text(argv[i]);

		for (; p && *p; p++)
			hash = (hash ^ *p) * 0x100000001b3;
		hash = (hash ^ 0xff) * 0x100000001b3;
	}
	n->v[n->count++] = (struct open_interval){
		sqlite3_value_int64(argv[0]),
		dur < 0 || ts > INT64_MAX - dur ? INT64_MAX : ts + dur, hash};
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

static void give_stack(sqlite3_context *c, size_t behind)
{
	const struct nest *n = sqlite3_aggregate_context(c, 0);

	if (n && n->failed)
		sqlite3_result_error_nomem(c);
	else if (n && n->count)
		sqlite3_result_int64(c, n->count > behind
						? (int64_t)(n->v[n->count - 1 - behind].hash >> 1)
						: 0);
}

static void stack(sqlite3_context *c)
{
	give_stack(c, 0);
}

static void parent_stack(sqlite3_context *c)
{
	give_stack(c, 1);
}

/* SQLite asks for it where rows leave the window, which these never do. */
static void inverse(sqlite3_context *c, int argc, sqlite3_value **argv)
{
	(void)argc;
	(void)argv;
	sqlite3_result_error(c, "a window of nested intervals must begin with the first row", -1);
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

static void stack_end(sqlite3_context *c)
{
	end(c, stack);
}

static void parent_stack_end(sqlite3_context *c)
{
	end(c, parent_stack);
}

int sql_nest_register(sqlite3 *db)
{
	static const struct {
		const char *name;
		int count;
		void (*end)(sqlite3_context *c), (*value)(sqlite3_context *c);
	} functions[] = {
		{"nest_parent", 3, parent_end, parent},
		{"nest_depth", 3, depth_end, depth},
		{"nest_stack", -1, stack_end, stack},
		{"nest_parent_stack", -1, parent_stack_end, parent_stack},
	};
	int rc = SQLITE_OK;

	for (size_t i = 0; rc == SQLITE_OK && i < sizeof(functions) / sizeof(functions[0]); i++)
		rc = sqlite3_create_window_function(
			db, functions[i].name, functions[i].count,
			SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, NULL, step,
			functions[i].end, functions[i].value, inverse, NULL);
	return rc;
}
