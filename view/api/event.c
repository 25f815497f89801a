/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers with all that is known of one event: its fields, its stack, its line, its format. The
 * event is found by its key (event_key.c) and read from the file with the events around it, as
 * its stack may be the next one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tdat/cells.h>

#include "answer.h"
#include "event_key.h"
#include "core/endian.h"

/* State of one question while lanes are read: the key to find, and whether it was found. */
struct find {
	struct view_question *q;
	struct view_key key;
	struct view_key_maker keys;
	struct tdat_cells *cells;
	struct tdat_printer *printer;
	bool found;
	/* A failure within the reader's callback, which can only stop the reading. */
	enum tdat_status st;
};

/* ---- values ---- */

/* An element of a field of integers of 1, 2, 4 or 8 bytes; the caller has checked the bounds. */
static uint64_t load(const struct tdat_cell *c, size_t off)
{
	return tdat_load_uint(c->bytes.ptr + off, c->len, c->big);
}

/*
 * Array fields are JSON arrays; numbers beyond 53 bits are strings. A cpumask or bitmask is the
 * list of its set bits, from 0.
 */
static void put_numbers(struct tdat_json *j, const struct tdat_cell *c)
{
	/* A length of 0 would loop forever. */
	const uint8_t len = c->len ? c->len : 1;
	const unsigned unused = 64 - 8u * len;

	tdat_json_array(j, "value");
	for (size_t off = 0; c->bytes.len - off >= len; off += len) {
		const uint64_t v = load(c, off);

		for (unsigned bit = 0; c->kind == TDAT_CELL_BITS && bit < 8u * len; bit++)
			if (v >> bit & 1)
				tdat_json_u64(j, NULL, off * 8 + bit);
		if (c->kind == TDAT_CELL_BITS)
			continue;
		if (c->is_signed)
			view_json_exact_i64(j, NULL, (int64_t)(v << unused) >> unused);
		else
			view_json_exact_u64(j, NULL, v);
	}
	tdat_json_array_end(j);
}

/* "name+0x1f": names beyond 512 bytes are cut, as the text has a bound. */
static void put_symbol(struct tdat_json *j, const char *key, struct tdat_span name, uint64_t off)
{
	char text[600];

	snprintf(text, sizeof(text), "%.*s+0x%llx", (int)(name.len < 512 ? name.len : 512),
		 (const char *)name.ptr, (unsigned long long)off);
	tdat_json_str(j, key, text);
}

/* Addresses of a stack, one text each. An address without a symbol is shown as a number. */
static void put_symbols(struct find *f, const struct tdat_cell_type *type, const char *key,
			const struct tdat_cell *c)
{
	struct tdat_json *j = &f->q->json;
	const uint8_t len = c->len ? c->len : 8;
	const struct tdat_cell copy = *c;

	tdat_json_array(j, key);
	for (size_t off = 0; copy.bytes.len - off >= len; off += len) {
		const uint64_t addr = load(&copy, off);
		uint64_t in = 0;
		const struct tdat_span name = tdat_cells_symbol(f->cells, type, addr, &in);
		char text[24];

		if (name.ptr) {
			put_symbol(j, NULL, name, in);
			continue;
		}
		snprintf(text, sizeof(text), "0x%llx", (unsigned long long)addr);
		tdat_json_str(j, NULL, text);
	}
	tdat_json_array_end(j);
}

static void put_value(struct find *f, const struct tdat_cell_type *type, const struct tdat_cell *c)
{
	struct tdat_json *j = &f->q->json;

	switch (c->kind) {
	case TDAT_CELL_NULL:
		tdat_json_null(j, "value");
		break;
	case TDAT_CELL_BOOL:
		tdat_json_bool(j, "value", c->number);
		break;
	case TDAT_CELL_INT:
		if (c->is_signed)
			view_json_exact_i64(j, "value", (int64_t)c->number);
		else
			view_json_exact_u64(j, "value", c->number);
		break;
	case TDAT_CELL_TEXT:
	case TDAT_CELL_JSON:
		tdat_json_strn(j, "value", c->bytes.ptr ? (const void *)c->bytes.ptr : "",
			       c->bytes.len);
		break;
	case TDAT_CELL_BYTES:
		tdat_json_hex(j, "value", c->bytes.ptr, c->bytes.len);
		break;
	case TDAT_CELL_INTS:
	case TDAT_CELL_BITS:
		put_numbers(j, c);
		break;
	case TDAT_CELL_SYMBOL:
		put_symbol(j, "value", c->bytes, c->number);
		break;
	case TDAT_CELL_SYMBOLS:
		put_symbols(f, type, "value", c);
		break;
	}
}

/*
 * The fields with their values, in the order of the format. Names and C types are those of the
 * format file, which the page shows together.
 */
static enum tdat_status put_fields(struct find *f, const struct tdat_event_format *format,
				   const struct tdat_event *event)
{
	struct tdat_json *j = &f->q->json;
	struct tdat_file *file = f->q->api->trace->inputs[event->input].file;
	const struct tdat_cell_type *type;
	enum tdat_status st = tdat_cells_type(f->cells, file, format, &type, f->q->err);

	tdat_json_array(j, "fields");
	for (size_t i = 0; st == TDAT_OK && i < type->column_count; i++) {
		const struct tdat_field *field = tdat_event_format_field(format, type->columns[i]);
		struct tdat_cell cell;

		st = tdat_cells_get(f->cells, type, i, event->record, &cell, f->q->err);
		if (st != TDAT_OK)
			break;
		tdat_json_object(j, NULL);
		tdat_json_str(j, "name", type->columns[i]);
		tdat_json_str(j, "type", field ? field->type : "");
		put_value(f, type, &cell);
		tdat_json_object_end(j);
	}
	tdat_json_array_end(j);
	return st;
}

/* ---- the event ---- */

/*
 * Writes all members of the event. A text that the printer cannot make is left out; the fields are
 * shown anyway.
 */
static enum tdat_status put_event(struct find *f, const struct tdat_event *event)
{
	const struct view_trace *t = f->q->api->trace;
	struct tdat_file *file = t->inputs[event->input].file;
	const struct tdat_event_format *format = tdat_file_format_by_id(file, event->id);
	struct tdat_json *j = &f->q->json;
	enum tdat_status st = TDAT_OK;
	struct tdat_span text;
	char name[600];

	view_event_name(t, event, name, sizeof(name));
	view_json_time(j, "ts", event->ts);
	tdat_json_u64(j, "rec", f->key.rec);
	tdat_json_u64(j, "cpu", event->cpu);
	tdat_json_i64(j, "pid", event->pid);
	tdat_json_strn(j, "comm", event->comm.ptr, event->comm.len);
	tdat_json_str(j, "event", name);
	tdat_json_u64(j, "id", event->id);
	view_json_time(j, "off", event->off);
	tdat_json_i64(j, "lost", event->lost_before);
	if (!tdat_printer_info(f->printer, event, &text, NULL))
		tdat_json_strn(j, "text", text.ptr, text.len);
	if (!tdat_printer_line(f->printer, event, &text, NULL))
		tdat_json_strn(j, "line", text.ptr, text.len);
	if (format)
		st = put_fields(f, format, event);
	/*
	 * The text of the format is found by comparing pointers: the library keeps one parsed
	 * format for each.
	 */
	for (size_t i = 0, n = tdat_file_format_count(file); format && i < n; i++) {
		const struct tdat_event_format *one;
		const char *system;

		if (tdat_file_format(file, i, &one, NULL) != TDAT_OK || one != format)
			continue;
		text = tdat_file_format_text(file, i, &system);
		tdat_json_strn(j, "format", text.ptr, text.len);
		break;
	}
	return st;
}

/*
 * Writes the stack of the event, if the next event is one: the kernel records a stack trigger's or
 * option's kernel_stack right after its event.
 */
static enum tdat_status put_stack(struct find *f, const struct tdat_event *event)
{
	struct tdat_file *file = f->q->api->trace->inputs[event->input].file;
	const struct tdat_event_format *format = tdat_file_format_by_id(file, event->id);
	const struct tdat_cell_type *type;
	enum tdat_status st;

	if (!format || strcmp(tdat_event_format_name(format), "kernel_stack") ||
	    strcmp(tdat_event_format_system(format), "ftrace"))
		return TDAT_OK;
	st = tdat_cells_type(f->cells, file, format, &type, f->q->err);
	for (size_t i = 0; st == TDAT_OK && i < type->column_count; i++) {
		struct tdat_cell cell;

		st = tdat_cells_get(f->cells, type, i, event->record, &cell, f->q->err);
		if (st == TDAT_OK && cell.kind == TDAT_CELL_SYMBOLS)
			put_symbols(f, type, "stack", &cell);
	}
	return st;
}

/* Stops one event behind the wanted one, which may be its stack. */
static size_t take_events(void *ctx, const struct tdat_event *events, size_t count)
{
	struct find *f = ctx;

	for (size_t i = 0; i < count; i++) {
		const struct tdat_event *event = &events[i];
		const struct view_key key = view_key_next(&f->keys, event);

		if (f->found) {
			f->st = put_stack(f, event);
			return i;
		}
		/* Events of a lane come in order of time: the key is not in the file. */
		if (key.ts > f->key.ts)
			return i;
		if (!view_key_same(&key, &f->key))
			continue;
		f->found = true;
		f->st = put_event(f, event);
		if (f->st != TDAT_OK)
			return i;
	}
	return count;
}

/* Reads one lane from the time of the key on. */
enum tdat_status view_answer_event(struct view_question *q)
{
	const char *text = view_query_get(q->query, "key");
	const struct view_trace *t = q->api->trace;
	struct find f = {.q = q, .keys = {.trace = t}};
	const struct view_lane *lane;
	struct view_span span;
	enum tdat_status st;

	if (!text || !view_key_parse(text, &f.key))
		return tdat_error_set(q->err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "the parameter key is not the key of an event");
	lane = view_trace_lane(t, f.key.rec, f.key.cpu);
	st = tdat_cells_new(&f.cells, q->err);
	if (st == TDAT_OK)
		st = tdat_printer_share(&f.printer, q->api->trace->printer, q->err);
	span = (struct view_span){f.key.ts, UINT64_MAX};
	/* Without a lane of that CPU nothing is read, and the answer is 404. */
	if (st == TDAT_OK && lane)
		st = view_read_lane(t, lane, &span, NULL, take_events, &f, NULL, q->err);
	if (st == TDAT_OK)
		st = f.st;
	if (st == TDAT_OK && !f.found)
		st = tdat_error_set(q->err, TDAT_E_NOT_FOUND, TDAT_NO_OFFSET,
				    "no event has the key %.80s", text);
	tdat_printer_free(f.printer);
	tdat_cells_free(f.cells);
	view_key_maker_fini(&f.keys);
	return st;
}
