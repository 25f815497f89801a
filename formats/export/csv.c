/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Exports events of one type as CSV (RFC 4180). Arrays are numbers with blanks between. All
 * events must be of one type: the head has its columns. dump_csv.c makes sure of that before a
 * byte is written. Values are those of <tdat/cells.h>, as in tables.
 */
#include <stdlib.h>

#include "each.h"
#include "core/number.h"
#include "exporters.h"
#include "put_text.h"
#include "state.h"

/* State of an export; state comes first, as workers point to it. */
struct csv_export {
	struct export_state state;
	char *system, *event; /* the type; system NULL: of any */
};

static const struct csv_export *csv_of(const struct export_worker *w)
{
	return (const struct csv_export *)w->state;
}

static void put_str(struct tdat_build *out, const char *text)
{
	export_csv_str(out, text, strlen(text));
}

/*
 * Writes the columns that every event has: file (if there are several), ts, cpu, pid, comm, flags,
 * buffer, lost.
 */
static enum tdat_status put_common(const struct export_worker *w, const struct tdat_event *ev,
				   struct tdat_build *out, struct tdat_error *err)
{
	struct tdat_span flags;
	enum tdat_status st = tdat_printer_flags(w->printer, ev, &flags, err);

	if (st != TDAT_OK)
		return st;
	if (w->state->input_count > 1) {
		put_str(out, tdat_file_info(w->state->inputs[ev->input].file)->name);
		tdat_build_u8(out, ',');
	}
	tdat_number_u64(out, ev->ts);
	tdat_build_u8(out, ',');
	tdat_number_u64(out, ev->cpu);
	tdat_build_u8(out, ',');
	tdat_number_i64(out, ev->pid);
	tdat_build_u8(out, ',');
	export_csv_str(out, ev->comm.ptr, ev->comm.len);
	tdat_build_u8(out, ',');
	export_csv_str(out, flags.ptr, flags.len);
	tdat_build_u8(out, ',');
	put_str(out, export_buffer_name(w->state, ev));
	tdat_build_u8(out, ',');
	if (ev->lost_before > 0)
		tdat_number_i64(out, ev->lost_before);
	/* Events were lost, but nobody knows how many. */
	else if (ev->lost_before)
		put_str(out, "true");
	return TDAT_OK;
}

/* Fails for an event of another type than that of the columns. */
static enum tdat_status refuse(const struct export_worker *w, const struct tdat_event *ev,
			       struct tdat_error *err)
{
	const struct tdat_event_format *f =
		tdat_file_format_by_id(w->state->inputs[ev->input].file, ev->id);

	return tdat_error_set(
		err, TDAT_E_USAGE, TDAT_NO_OFFSET,
		"CSV needs events of one type, but there are '%s' and '%s': select one by name",
		csv_of(w)->event, f ? tdat_event_format_name(f) : "an unknown one");
}

/* True if an event is of the export's type, by name: ids differ between files. */
static bool is_of_type(const struct csv_export *x, const struct export_type *type)
{
	const struct tdat_event_format *f = type ? type->cells->format : NULL;

	return f && !strcmp(tdat_event_format_name(f), x->event) &&
	       (!x->system || !strcmp(tdat_event_format_system(f), x->system));
}

/*
 * Writes the columns of the type's fields. The first value beyond the limit print_len is a mark
 * instead, and those after it are empty.
 */
static enum tdat_status put_columns(struct export_worker *w, struct tdat_build *out,
				    const struct export_type *type, const struct tdat_event *ev,
				    struct tdat_error *err)
{
	const size_t most = out->len + export_text_max(w->state, ev);
	const struct export_names names = {w->cells, type->cells, w->symbols, &w->text};
	enum tdat_status st = TDAT_OK;
	bool cut = false;

	for (size_t i = 0; st == TDAT_OK && i < w->state->columns->column_count; i++) {
		/* The column of this event's own format, plus 1; 0: its format lacks the field. */
		const size_t column = type->columns[i];
		struct tdat_cell cell;

		tdat_build_u8(out, ',');
		if (cut || !column)
			continue;
		cut = out->len > most;
		if (!cut)
			st = tdat_cells_get(w->cells, type->cells, column - 1, ev->record, &cell,
					    err);
		if (!cut && st == TDAT_OK)
			cut = !export_cell(out, &w->style, &names, &cell, most);
		if (cut)
			put_str(out, "[CUT AT LIMIT print_len]");
	}
	return st;
}

/* Writes the line of one event. */
static inline enum tdat_status put_event(void *worker, const struct tdat_event *ev,
					 struct tdat_build *out, struct tdat_error *err)
{
	struct export_worker *w = worker;
	const struct export_type *type;
	enum tdat_status st = export_worker_type(w, ev, &type, err);
	struct tdat_span text;

	if (st == TDAT_OK && !is_of_type(csv_of(w), type))
		return refuse(w, ev, err);
	if (st == TDAT_OK)
		st = put_common(w, ev, out, err);
	if (st == TDAT_OK)
		st = put_columns(w, out, type, ev, err);
	if (st == TDAT_OK && w->state->text) {
		st = tdat_printer_info(w->printer, ev, &text, err);
		if (st != TDAT_OK)
			return st;
		tdat_build_u8(out, ',');
		export_csv_str(out, text.ptr, text.len);
	}
	tdat_build_bytes(out, "\r\n", 2);
	return st;
}

static enum tdat_status put_batch(void *worker, const struct tdat_batch *batch, size_t *done,
				  struct tdat_build *out, struct tdat_error *err)
{
	return export_each(put_event, worker, batch, done, out, err);
}

static const struct tdat_sink_ops csv_events = {
	.size = sizeof(struct tdat_sink_ops),
	.open = export_open,
	.close = export_close,
	.batch = put_batch,
};

/* ---- columns ---- */

/*
 * Bytes of the limit print_len for each column of a file: a column takes time on each line even if
 * it is empty.
 */
enum { COLUMN_LEN = 4 };

/* Refuses formats with very many fields, which only hostile files have. */
static enum tdat_status check_columns(const struct csv_export *x, size_t input,
				      struct tdat_error *err)
{
	const size_t most = x->state.rooms[input].text_max / COLUMN_LEN;
	const size_t count = x->state.columns->column_count;

	if (count <= most)
		return TDAT_OK;
	return tdat_error_set(err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
			      "event %s has %zu fields, but CSV allows at most %zu columns (a "
			      "quarter of limit print_len)",
			      x->event, count, most);
}

/* Takes the columns from the first file that has the event. */
static enum tdat_status make_columns(struct csv_export *x, struct tdat_error *err)
{
	struct export_state *s = &x->state;
	size_t i;

	for (i = 0; i < s->input_count; i++) {
		struct tdat_file *file = s->inputs[i].file;
		const uint64_t failures = tdat_file_memory_failures(file);
		const struct tdat_event_format *f =
			tdat_file_format_by_name(file, x->system, x->event);

		if (f) {
			enum tdat_status st = tdat_cells_new(&s->cells, err);

			if (st == TDAT_OK)
				st = tdat_cells_type(s->cells, file, f, &s->columns, err);

			return st == TDAT_OK ? check_columns(x, i, err) : st;
		}
		/* A format that failed for lack of memory must not count as missing. */
		if (failures != tdat_file_memory_failures(file))
			return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
					      "no memory for the columns of '%s'", x->event);
	}
	return tdat_error_set(err, TDAT_E_NOT_FOUND, TDAT_NO_OFFSET, "no event is named '%s%s%s'",
			      x->system ? x->system : "", x->system ? "/" : "", x->event);
}

/* True if every event has a column of that name; a field of this name gets the prefix "fields.". */
static bool is_common_column(const char *name)
{
	static const char *const names[] = {"file",  "ts",     "cpu",  "pid", "comm",
					    "flags", "buffer", "lost", "text"};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

/* Writes the line with the names of columns. */
static void put_head(const struct csv_export *x, struct tdat_build *head)
{
	const struct export_state *s = &x->state;
	size_t i;

	tdat_build_str(head, s->input_count > 1 ? "file," : "");
	tdat_build_str(head, "ts,cpu,pid,comm,flags,buffer,lost");
	for (i = 0; i < s->columns->column_count; i++) {
		const char *name = s->columns->columns[i];

		tdat_build_str(head, is_common_column(name) ? ",fields." : ",");
		export_csv_str(head, name, strlen(name));
	}
	tdat_build_str(head, s->text ? ",text\r\n" : "\r\n");
}

/* Takes the event's type from the options. */
static enum tdat_status set_type(struct csv_export *x, const struct tdat_export_request *request,
				 struct tdat_error *err)
{
	const char *system = export_option(request, "system");
	const char *event = export_option(request, "event");

	if (!event)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "CSV needs the event type");
	x->system = system ? strdup(system) : NULL;
	x->event = strdup(event);
	return x->event && (!system || x->system) ? TDAT_OK
						  : tdat_error_no_memory(err, "an export");
}

static enum tdat_status csv_end(void *state, struct tdat_build *tail, struct tdat_error *err)
{
	struct csv_export *x = state;

	(void)tail;
	(void)err;
	export_state_fini(&x->state);
	free(x->system);
	free(x->event);
	free(x);
	return TDAT_OK;
}

static enum tdat_status csv_begin(void **state, const struct tdat_export_request *request,
				  struct tdat_build *head, struct tdat_error *err)
{
	struct csv_export *x = calloc(1, sizeof(*x));
	enum tdat_status st = x ? export_state_init(&x->state, request, err)
				: tdat_error_no_memory(err, "an export");

	if (st == TDAT_OK) {
		x->state.style.csv = true;
		st = set_type(x, request, err);
	}
	if (st == TDAT_OK)
		st = make_columns(x, err);
	if (st == TDAT_OK)
		put_head(x, head);
	*state = st == TDAT_OK ? x : NULL;
	if (st != TDAT_OK && x)
		csv_end(x, NULL, NULL);
	return st;
}

static const struct tdat_keyed_option_desc csv_options[] = {
	{"event", "NAME", "the event type"},
	{"system", "NAME", "the system of the event type (default: any)"},
	{"text", NULL, "add a column with what the format text prints after the event's name"},
	{NULL, NULL, NULL},
};

const struct tdat_exporter export_event_csv = {
	.size = sizeof(struct tdat_exporter),
	.name = "event_csv",
	.summary = "events of one type, one column per field (RFC 4180)",
	.options = csv_options,
	.begin = csv_begin,
	.events = &csv_events,
	.end = csv_end,
};
