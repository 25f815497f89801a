/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds events by their number, and returns their fields as values. Numbers count events in the
 * order of dump. Reading continues from the last event; a smaller number starts again. So the query
 * decides on the cost. Used by args_table.c.
 */
#include "event_args.h"

/* Begins with the first event. number -1: before it. */
static enum tdat_status start(struct event_reader *r, struct tdat_error *err)
{
	const struct sql_trace_def *def = &r->trace->def;
	struct tdat_iter_opts opts = TDAT_ITER_OPTS_INIT;

	event_reader_end(r);
	opts.raw_ts = def->raw_ts;
	opts.no_date = def->no_date;
	return tdat_iter_new(&r->iter, def->inputs, def->input_count, &opts, err);
}

enum tdat_status event_reader_find(struct event_reader *r, int64_t number,
				   const struct tdat_event **event, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	*event = NULL;
	if (number < 0)
		return TDAT_OK;
	/* Only a smaller number starts again: the usual join asks for rising numbers. */
	if (!r->iter || number < r->number)
		st = start(r, err);
	while (st == TDAT_OK && r->number < number) {
		st = tdat_iter_next(r->iter, &r->event, err);
		if (st == TDAT_OK && !r->event)
			return TDAT_OK;
		r->number++;
	}
	*event = st == TDAT_OK ? r->event : NULL;
	return st;
}

void event_reader_end(struct event_reader *r)
{
	tdat_iter_free(r->iter);
	r->iter = NULL;
	r->event = NULL;
	r->number = -1;
}

/* The common fields come first in each format, so the rest is one array. */
const struct tdat_field *event_fields(const struct event_reader *r, const struct tdat_event *event,
				      size_t *count)
{
	const struct tdat_file *file = r->trace->def.inputs[event->input].file;
	const struct tdat_event_format *format = tdat_file_format_by_id(file, event->id);
	const struct tdat_field *fields;
	size_t common = 0;

	*count = 0;
	if (!format)
		return NULL;
	fields = tdat_event_format_fields(format, count);
	while (common < *count && (fields[common].flags & TDAT_FIELD_COMMON))
		common++;
	*count -= common;
	return fields + common;
}

/* Strings are text, numbers are integers, all else is shown as hexadecimal bytes. */
enum event_value_kind event_value(const struct tdat_field *f, const struct tdat_event *event,
				  int64_t *number, struct tdat_build *text)
{
	const uint32_t arrays =
		TDAT_FIELD_ARRAY | TDAT_FIELD_DYNAMIC | TDAT_FIELD_RELATIVE | TDAT_FIELD_FLEXIBLE;
	struct tdat_span s;

	text->len = 0;
	if (f->flags & TDAT_FIELD_STRING) {
		if (tdat_field_string(f, event->record, &s, NULL) != TDAT_OK)
			return EVENT_V_NULL;
		tdat_build_utf8(text, s.ptr, s.len);
		return EVENT_V_TEXT;
	}
	if (!(f->flags & arrays) && tdat_field_i64(f, event->record, number, NULL) == TDAT_OK)
		return EVENT_V_INT;
	if (tdat_field_bytes(f, event->record, &s, NULL) != TDAT_OK)
		return EVENT_V_NULL;
	tdat_build_hex(text, s.ptr, s.len);
	return EVENT_V_TEXT;
}
