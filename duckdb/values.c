/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Takes the values of parameters: texts, numbers and times, alone or in lists. DuckDB's C API would
 * turn a value of another type into one without a failure to notice, so types are asked for first,
 * and integers are read from their texts, which hold those of all widths. Sentences name the
 * parameter.
 */
#include "duck.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/grow.h"

static duckdb_type type_of(duckdb_value value)
{
	/* The type belongs to the value. */
	return duckdb_get_type_id(duckdb_get_value_type(value));
}

static bool is_integer(duckdb_type type)
{
	return (type >= DUCKDB_TYPE_TINYINT && type <= DUCKDB_TYPE_UBIGINT) ||
	       type == DUCKDB_TYPE_HUGEINT || type == DUCKDB_TYPE_UHUGEINT;
}

/* Takes one value of a list. */
typedef enum tdat_status (*take_fn)(void *ctx, duckdb_value value, struct tdat_error *err);

/* Calls take for the value, or for each of a list. */
static enum tdat_status for_each(duckdb_value value, take_fn take, void *ctx,
				 struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	if (type_of(value) != DUCKDB_TYPE_LIST)
		return take(ctx, value, err);
	for (idx_t i = 0; i < duckdb_get_list_size(value) && st == TDAT_OK; i++) {
		duckdb_value item = duckdb_get_list_child(value, i);

		st = take(ctx, item, err);
		duckdb_destroy_value(&item);
	}
	return st;
}

/* ---- texts ---- */

struct taken_texts {
	const char *name;
	struct duck_texts *to;
};

void duck_texts_fini(struct duck_texts *t)
{
	for (size_t i = 0; i < t->count; i++)
		free(t->v[i]);
	free(t->v);
}

static enum tdat_status take_text(void *ctx, duckdb_value value, struct tdat_error *err)
{
	struct taken_texts *t = ctx;
	char *text, *copy;

	if (duckdb_is_null_value(value) || type_of(value) != DUCKDB_TYPE_VARCHAR)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "%s needs a text or a list of texts", t->name);
	if (!TDAT_GROW(t->to->v, &t->to->room, t->to->count + 1))
		return tdat_error_no_memory(err, t->name);
	text = duckdb_get_varchar(value);
	copy = text ? strdup(text) : NULL;
	duckdb_free(text);
	if (!copy)
		return tdat_error_no_memory(err, t->name);
	t->to->v[t->to->count++] = copy;
	return TDAT_OK;
}

enum tdat_status duck_take_texts(duckdb_value value, const char *name, struct duck_texts *out,
				 struct tdat_error *err)
{
	struct taken_texts t = {name, out};

	return for_each(value, take_text, &t, err);
}

/* ---- numbers ---- */

struct taken_numbers {
	const char *name;
	int64_t least, most;
	uint32_t *v;
	size_t count, room;
};

/* An integer of any width; false: it is none, or has more than 64 bits. */
static bool integer_of(duckdb_value value, int64_t *out)
{
	char *text, *end;
	bool good;

	if (duckdb_is_null_value(value) || !is_integer(type_of(value)))
		return false;
	text = duckdb_get_varchar(value);
	if (!text)
		return false;
	errno = 0;
	*out = strtoll(text, &end, 10);
	good = !errno && !*end && end != text;
	duckdb_free(text);
	return good;
}

static enum tdat_status take_number(void *ctx, duckdb_value value, struct tdat_error *err)
{
	struct taken_numbers *n = ctx;
	int64_t v;

	if (!integer_of(value, &v) || v < n->least || v > n->most)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "%s needs integers from %lld to %lld", n->name,
				      (long long)n->least, (long long)n->most);
	if (!TDAT_GROW(n->v, &n->room, n->count + 1))
		return tdat_error_no_memory(err, n->name);
	n->v[n->count++] = (uint32_t)v;
	return TDAT_OK;
}

enum tdat_status duck_take_numbers(duckdb_value value, const char *name, int64_t least,
				   int64_t most, uint32_t **out, size_t *count,
				   struct tdat_error *err)
{
	struct taken_numbers n = {.name = name, .least = least, .most = most};
	enum tdat_status st = for_each(value, take_number, &n, err);

	/* An empty list is a list: no row has one of its numbers. */
	if (st == TDAT_OK && !n.v && !TDAT_GROW(n.v, &n.room, 1))
		st = tdat_error_no_memory(err, name);
	if (st != TDAT_OK)
		free(n.v);
	*out = st == TDAT_OK ? n.v : NULL;
	*count = n.count;
	return st;
}

/* ---- times ---- */

/* A timestamp as nanoseconds since 1970, if it is one that they can tell. */
static bool timestamp_of(duckdb_value value, int64_t *out)
{
	switch ((int)type_of(value)) {
	case DUCKDB_TYPE_TIMESTAMP:
		return !__builtin_mul_overflow(duckdb_get_timestamp(value).micros, 1000, out);
	case DUCKDB_TYPE_TIMESTAMP_TZ:
		return !__builtin_mul_overflow(duckdb_get_timestamp_tz(value).micros, 1000, out);
	case DUCKDB_TYPE_TIMESTAMP_NS:
		*out = duckdb_get_timestamp_ns(value).nanos;
		return true;
	default:
		return false;
	}
}

/* True if the column ts has timestamps. */
static bool has_dates(const struct duck_source *s)
{
	const char *const ts[] = {"ts"};
	struct tdat_table_opts opts = TDAT_TABLE_OPTS_INIT;
	struct ArrowSchema schema;
	bool is_date;

	opts.columns = ts;
	opts.column_count = 1;
	if (tdat_trace_schema(s->trace, s->table, &opts, &schema, NULL) != TDAT_OK)
		return false;
	is_date = schema.children[0]->format[0] == 't';
	schema.release(&schema);
	return is_date;
}

enum tdat_status duck_take_time(const struct duck_source *s, duckdb_value value, const char *name,
				int64_t *out, struct tdat_error *err)
{
	enum tdat_status st;
	char *text;

	if (integer_of(value, out) || (has_dates(s) && timestamp_of(value, out)))
		return TDAT_OK;
	if (duckdb_is_null_value(value) || type_of(value) != DUCKDB_TYPE_VARCHAR)
		return tdat_error_set(
			err, TDAT_E_USAGE, TDAT_NO_OFFSET,
			"%s needs a value of the column ts, or a text such as '+1.5s'", name);
	text = duckdb_get_varchar(value);
	st = text ? tdat_trace_time(s->trace, text, out, err) : tdat_error_no_memory(err, name);
	duckdb_free(text);
	if (st != TDAT_OK)
		tdat_error_prefix(err, "%s", name);
	return st;
}
