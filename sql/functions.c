/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Adds functions to SQL: names of addresses and tasks, times of the trace, statistics.
 * Functions ask for the connection's current trace (register.c), so they stay when another
 * trace takes its place. percentile interpolates between two values, as SQLite 3.47 does.
 */
#include <math.h>
#include <stdlib.h>

#include "core/grow.h"
#include "trace.h"

/* The trace of the call, not of the registration. */
static const struct sql_trace *trace_of(sqlite3_context *c)
{
	const struct sql_current *current = sqlite3_user_data(c);

	return current->trace;
}

/* sym(addr): the function at an address, and the offset in it. */
static void sym(sqlite3_context *c, int argc, sqlite3_value **argv)
{
	const struct sql_trace *t = trace_of(c);
	const uint64_t addr = (uint64_t)sqlite3_value_int64(argv[0]);
	struct tdat_build text;

	(void)argc;
	if (sqlite3_value_type(argv[0]) == SQLITE_NULL)
		return;
	/* The first file that has a symbol decides. */
	for (size_t i = 0; i < t->def.input_count; i++) {
		uint64_t start = 0;
		const struct tdat_span name = tdat_file_symbol(t->def.inputs[i].file, addr, &start);

		if (!name.ptr)
			continue;
		tdat_build_init(&text, false);
		tdat_build_bytes(&text, name.ptr, name.len);
		if (addr != start)
			tdat_build_printf(&text, "+0x%llx", (unsigned long long)(addr - start));
		sql_result_build(c, &text);
		tdat_build_fini(&text);
		return;
	}
}

/* comm(pid): the name that a file has saved for a task. */
static void comm(sqlite3_context *c, int argc, sqlite3_value **argv)
{
	const struct sql_trace *t = trace_of(c);
	const int64_t pid = sqlite3_value_int64(argv[0]);
	struct tdat_span name = {NULL, 0};

	(void)argc;
	if (sqlite3_value_type(argv[0]) == SQLITE_NULL || pid < INT32_MIN || pid > INT32_MAX)
		return;
	for (size_t i = 0; i < t->def.input_count && !name.ptr; i++)
		name = tdat_file_comm(t->def.inputs[i].file, (int32_t)pid);
	/* No file saves a name for the idle tasks; their column comm says the same. */
	if (!name.ptr && !pid)
		name = (struct tdat_span){(const uint8_t *)"<idle>", 6};
	if (name.ptr)
		sqlite3_result_text64(c, (const char *)name.ptr, name.len, SQLITE_TRANSIENT,
				      SQLITE_UTF8);
}

/* time('+1.5s'): what --from takes, as the column ts has it. */
static void time_of(sqlite3_context *c, int argc, sqlite3_value **argv)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	const char *text = (const char *)sqlite3_value_text(argv[0]);
	int64_t ts;

	(void)argc;
	if (!text)
		return;
	if (tdat_trace_time(trace_of(c)->def.trace, text, &ts, &err) == TDAT_OK)
		sqlite3_result_int64(c, ts);
	else if (err.status == TDAT_E_NOMEM)
		sqlite3_result_error_nomem(c);
	else
		sqlite3_result_error(c, err.message, -1);
}

/*
 * log2_bucket(x): the greatest power of two that is not above x; 0 for values below 1. In integers:
 * log() of a double would be wrong near large powers.
 */
static void log2_bucket(sqlite3_context *c, int argc, sqlite3_value **argv)
{
	int64_t v = sqlite3_value_int64(argv[0]);
	int64_t bucket = 1;

	(void)argc;
	if (sqlite3_value_numeric_type(argv[0]) == SQLITE_NULL)
		return;
	if (v < 1) {
		sqlite3_result_int64(c, 0);
		return;
	}
	while (v >>= 1)
		bucket <<= 1;
	sqlite3_result_int64(c, bucket);
}

/* ---- percentile(x, p) ---- */

/* All values of one group, kept until its end; SQLite zeroes it with the first row. */
struct percentile {
	double *v;
	size_t count, room;
	double p;
	bool has_p;
};

/* The step of percentile(): checks both arguments, and keeps the value. NULLs do not count. */
static void percentile_add(sqlite3_context *c, int argc, sqlite3_value **argv)
{
	struct percentile *s = sqlite3_aggregate_context(c, sizeof(*s));
	const int type = sqlite3_value_numeric_type(argv[0]);
	const double p = sqlite3_value_double(argv[1]);

	(void)argc;
	if (!s) {
		sqlite3_result_error_nomem(c);
		return;
	}
	if (!(p >= 0 && p <= 100) || sqlite3_value_numeric_type(argv[1]) == SQLITE_NULL) {
		sqlite3_result_error(c, "the second argument of percentile() must be from 0 to 100",
				     -1);
		return;
	}
	/* Otherwise the result would depend on the order of rows. */
	if (s->has_p && s->p != p) {
		sqlite3_result_error(
			c, "the second argument of percentile() must be the same for all rows", -1);
		return;
	}
	s->p = p;
	s->has_p = true;
	if (type == SQLITE_NULL)
		return;
	if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) {
		sqlite3_result_error(c, "percentile() needs numbers", -1);
		return;
	}
	if (!TDAT_GROW(s->v, &s->room, s->count + 1)) {
		sqlite3_result_error_nomem(c);
		return;
	}
	s->v[s->count++] = sqlite3_value_double(argv[0]);
}

static int by_value(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/*
 * The end of percentile(). Between two values the result is interpolated, as in percentile() of
 * SQLite 3.47 and PERCENTILE_CONT. Without values it is NULL.
 */
static void percentile_end(sqlite3_context *c)
{
	struct percentile *s = sqlite3_aggregate_context(c, 0);
	double at, below;
	size_t i;

	/* No row at all. */
	if (!s)
		return;
	if (s->count) {
		qsort(s->v, s->count, sizeof(*s->v), by_value);
		at = s->p / 100 * (double)(s->count - 1);
		below = floor(at);
		i = (size_t)below;
		if (i + 1 < s->count)
			sqlite3_result_double(c, s->v[i] + (at - below) * (s->v[i + 1] - s->v[i]));
		else
			sqlite3_result_double(c, s->v[s->count - 1]);
	}
	free(s->v);
	s->v = NULL;
}

/* fn: a scalar function; step and end: an aggregate. */
static const struct {
	const char *name;
	int args;
	void (*fn)(sqlite3_context *c, int argc, sqlite3_value **argv);
	void (*step)(sqlite3_context *c, int argc, sqlite3_value **argv);
	void (*end)(sqlite3_context *c);
} functions[] = {
	{"sym", 1, sym, NULL, NULL},
	{"comm", 1, comm, NULL, NULL},
	{"time", 1, time_of, NULL, NULL},
	{"log2_bucket", 1, log2_bucket, NULL, NULL},
	{"percentile", 2, NULL, percentile_add, percentile_end},
};

/* Called once for each function when the connection closes. */
static void put_current(void *current)
{
	sql_current_put(current);
}

int sql_functions_register(struct sql_current *current, sqlite3 *db)
{
	/*
	 * Deterministic: SQLite may compute a call with constant arguments once. Innocuous: views
	 * may use it.
	 */
	const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;

	if (current->has_functions)
		return SQLITE_OK;
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		int rc;

		current->references++;
		/* After a failure the reference was given back. */
		rc = sqlite3_create_function_v2(db, functions[i].name, functions[i].args, flags,
						current, functions[i].fn, functions[i].step,
						functions[i].end, put_current);
		if (rc != SQLITE_OK)
			return rc;
	}
	current->has_functions = true;
	return SQLITE_OK;
}
