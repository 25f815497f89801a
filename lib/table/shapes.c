/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds EventHeader events whose records are all of one shape. One pass reads the events of their
 * ids in all inputs; it ends when no table may have a shape any more. Options of a reader change
 * nothing here, so a table has the same columns however its rows are chosen.
 */
#include "shapes.h"

#include <stdlib.h>
#include <string.h>

#include "core/search.h"
#include "model/event_header.h"
#include "model/record_part.h"
#include "read/iter.h"

/* The shape that the records of a table share. */
struct table_shape {
	struct event_header_shape *shape; /* of all records so far; NULL: there was none */
	bool none;
	struct record_part *parts;
	size_t count;
};

/* A format of a table whose records are read here. */
struct shape_format {
	uint32_t input, id;
	struct table_shape *of;
	const struct tdat_event_format *format;
};

/* The pass over the records. */
struct look {
	const struct tdat_trace *trace;
	struct tdat_arena *arena;
	struct table_shape *tables;
	struct shape_format *formats; /* by input, then by id */
	size_t count;
	size_t left;   /* tables that may have a shape */
	uint8_t **ids; /* by input: bits of the formats' ids */
	struct tdat_build text;
};

/* ---- which events ---- */

/* Order of input, then of id: look_at() searches by both. */
static int by_id(const void *a, const void *b)
{
	const struct shape_format *x = a, *y = b;

	return TDAT_ORDER(x->input, y->input, TDAT_ORDER(x->id, y->id, 0));
}

/* Adds the formats of a table. One format that is not an EventHeader rules the table out. */
static void add_formats(struct look *l, size_t table)
{
	const struct trace_table *facts = &l->trace->facts[table];
	struct table_shape *of = &l->tables[table];
	const size_t before = l->count;

	for (size_t i = 0; i < facts->format_count && !of->none; i++) {
		const struct trace_format *f = &facts->formats[i];
		const struct tdat_file *file = l->trace->inputs[f->input].file;
		const struct tdat_event_format *format;

		if (tdat_file_format(file, f->index, &format, NULL) != TDAT_OK ||
		    !file_format_reads(file, f->index, tdat_event_format_id(format)))
			continue;
		of->none = !event_header_is(format);
		l->formats[l->count++] =
			(struct shape_format){f->input, tdat_event_format_id(format), of, format};
	}
	if (of->none)
		l->count = before;
	l->left += l->count > before;
}

/* Lists the formats of all tables that may have a shape, and bits of their ids. */
static bool find_formats(struct look *l)
{
	const struct tdat_trace *t = l->trace;
	size_t most = 0;

	for (size_t i = 0; i < t->table_count; i++)
		most += t->facts[i].format_count;
	l->tables = tdat_arena_array(l->arena, t->table_count, sizeof(*l->tables));
	l->formats = calloc(most + 1, sizeof(*l->formats));
	l->ids = calloc(t->input_count + 1, sizeof(*l->ids));
	if (!l->tables || !l->formats || !l->ids)
		return false;
	for (size_t i = 0; i < t->table_count; i++)
		add_formats(l, i);
	qsort(l->formats, l->count, sizeof(*l->formats), by_id);
	for (size_t i = 0; i < t->input_count; i++)
		if (!(l->ids[i] = calloc(1, FILE_ID_COUNT / 8)))
			return false;
	for (size_t i = 0; i < l->count; i++) {
		const uint32_t id = l->formats[i].id & (FILE_ID_COUNT - 1);

		l->ids[l->formats[i].input][id / 8] |= (uint8_t)(1u << id % 8);
	}
	return true;
}

/* ---- their records ---- */

/* Copies what points into a record, which is gone after the next event. */
static bool copy(struct tdat_arena *arena, struct tdat_span from, struct tdat_span *to)
{
	to->ptr = (const uint8_t *)tdat_arena_strndup(arena, from.ptr, from.len);
	to->len = from.len;
	return to->ptr;
}

/* Makes the shape of a first record; *out is NULL if its fields make none. False: no memory. */
static bool new_shape(struct look *l, const struct event_header *h, struct event_header_shape **out)
{
	struct event_header_shape *s = tdat_arena_alloc(l->arena, sizeof(*s));

	if (!s || !copy(l->arena, h->name, &s->name) ||
	    !copy(l->arena, h->definitions, &s->definitions))
		return false;
	*out = event_header_shape_read(s, h->big, &l->text) ? s : NULL;
	return !l->text.failed;
}

/* A field of truth values that has others is one of integers. */
static void look_at_bools(struct look *l, const struct event_header *h,
			  struct event_header_shape *s)
{
	for (size_t i = 0; i < s->count; i++) {
		if (s->fields[i].kind != EVENT_HEADER_BOOL)
			continue;
		l->text.len = 0;
		if (event_header_put_one(h, s, i, &l->text) && l->text.len &&
		    !strchr("tf", l->text.ptr[0]))
			s->fields[i].kind = EVENT_HEADER_INT;
	}
}

/* Compares a record with its table's shape; one that differs rules the table out. */
static bool look_at(struct look *l, const struct tdat_event *ev)
{
	const struct shape_format key = {.input = ev->input, .id = ev->id};
	struct table_shape *of;
	struct event_header h;
	size_t i;

	TDAT_SEARCH(i, l->count, by_id(&l->formats[i], &key) < 0);
	if (i == l->count || by_id(&l->formats[i], &key) || l->formats[i].of->none)
		return true;
	/* The first record of a table sets the shape. */
	of = l->formats[i].of;
	of->none = !event_header_read(l->formats[i].format, ev->record, &h) || !h.described;
	if (!of->none && !of->shape) {
		if (!new_shape(l, &h, &of->shape))
			return false;
		of->none = !of->shape;
	}
	of->none = of->none || !event_header_has_shape(&h, of->shape);
	if (of->none)
		l->left--;
	else
		look_at_bools(l, &h, of->shape);
	return !l->text.failed;
}

/* Reads events until all tables are ruled out or the trace ends. */
static enum tdat_status read_records(struct look *l, struct tdat_error *err)
{
	const struct read_iter_extra extra = {.ids = (const uint8_t *const *)l->ids};
	const struct tdat_iter_opts opts = trace_iter_opts(l->trace);
	struct tdat_iter *it = NULL;
	struct tdat_event ev;
	enum tdat_status st;
	bool more = true;

	st = read_iter_new(&it, l->trace->iter_inputs, l->trace->input_count, &opts, &extra, err);
	while (st == TDAT_OK && l->left && (st = read_iter_take(it, &ev, &more, err)) == TDAT_OK &&
	       more)
		if (!look_at(l, &ev))
			st = tdat_error_no_memory(err, "shapes of events");
	if (st == TDAT_OK)
		st = read_iter_memory(it, err);
	tdat_iter_free(it);
	return st;
}

/* ---- columns ---- */

/* Makes a part, and so a column, of each field of the shape. */
static bool make_parts(struct look *l, struct table_shape *t)
{
	const size_t count = t->none || !t->shape ? 0 : t->shape->count;

	t->parts = tdat_arena_array(l->arena, count + 1, sizeof(*t->parts));
	for (; t->parts && t->count < count; t->count++) {
		const struct tdat_span name = t->shape->fields[t->count].name;
		const char *column = tdat_arena_strndup(l->arena, name.ptr, name.len);

		if (!column)
			return false;
		t->parts[t->count] = record_part_of_shape(t->shape, t->count, column);
	}
	return t->parts;
}

/*
 * Finds the shapes of all tables. If the trace cannot be read to its end no table has a shape; who
 * reads the rows gets the reason.
 */
static enum tdat_status look(struct look *l, struct tdat_error *err)
{
	enum tdat_status st;

	if (!find_formats(l))
		return tdat_error_no_memory(err, "shapes of events");
	st = read_records(l, err);
	if (st == TDAT_E_NOMEM)
		return st;
	for (size_t i = 0; i < l->trace->table_count; i++) {
		l->tables[i].none |= st != TDAT_OK;
		if (!make_parts(l, &l->tables[i]))
			return tdat_error_no_memory(err, "shapes of events");
	}
	return TDAT_OK;
}

/* Returns the parts of a table. The first caller runs the pass for all tables; the others wait. */
enum tdat_status table_shapes_parts(const struct tdat_trace *trace, const struct tdat_table *table,
				    const struct record_part **parts, size_t *count,
				    struct tdat_error *err)
{
	/* Only shapes change, under the lock: a trace is const to those who share it. */
	struct tdat_trace *t = (struct tdat_trace *)trace;
	struct look l = {.trace = trace, .arena = &t->shapes.arena};
	enum tdat_status st = TDAT_OK;

	pthread_mutex_lock(&t->shapes.lock);
	if (!t->shapes.tables) {
		st = look(&l, err);
		for (size_t i = 0; l.ids && i < trace->input_count; i++)
			free(l.ids[i]);
		free(l.ids);
		free(l.formats);
		tdat_build_fini(&l.text);
		t->shapes.tables = st == TDAT_OK ? l.tables : NULL;
	}
	if (t->shapes.tables) {
		*parts = t->shapes.tables[table->index].parts;
		*count = t->shapes.tables[table->index].count;
	}
	pthread_mutex_unlock(&t->shapes.lock);
	return st;
}
