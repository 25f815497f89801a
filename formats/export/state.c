/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps the inputs of an export, and for each thread what it made of event types. Event types
 * are made by each thread when its first event of them comes, because cells belong to one
 * thread. Used by the exporters json and csv.
 */
#include "state.h"

#include <stdlib.h>

/* Value of an option; the last one wins. NULL: not given. */
const char *export_option(const struct tdat_export_request *request, const char *key)
{
	const char *value = NULL;

	for (size_t i = 0; i < request->option_count; i++)
		if (!strcmp(request->options[i].key, key))
			value = request->options[i].value;
	return value;
}

/* The end of an exporter whose state has no parts. */
enum tdat_status export_end_free(void *state, struct tdat_build *tail, struct tdat_error *err)
{
	(void)tail;
	(void)err;
	free(state);
	return TDAT_OK;
}

/* Prepares what all event exporters need: the inputs, their text limits, and the common options. */
enum tdat_status export_state_init(struct export_state *s,
				   const struct tdat_export_request *request,
				   struct tdat_error *err)
{
	size_t i;

	memset(s, 0, sizeof(*s));
	s->inputs = calloc(request->input_count + 1, sizeof(*s->inputs));
	s->rooms = calloc(request->input_count + 1, sizeof(*s->rooms));
	if (!s->inputs || !s->rooms)
		return tdat_error_no_memory(err, "an export");
	for (i = 0; i < request->input_count; i++) {
		s->inputs[i] = request->inputs[i];
		/* Limit of texts of a file: text_max, and per_byte for each byte of a record. */
		s->rooms[i].text_max = tdat_file_text_max(s->inputs[i].file, &s->rooms[i].per_byte);
	}
	s->input_count = request->input_count;
	s->text = export_option(request, "text");
	s->style.hex = export_option(request, "hex");
	s->style.strings = export_option(request, "strings");
	return TDAT_OK;
}

void export_state_fini(struct export_state *s)
{
	tdat_cells_free(s->cells);
	free(s->inputs);
	free(s->rooms);
}

/*
 * Opens a worker of JSON or CSV, with its own printer, cells and caches, as these
 * belong to one thread.
 */
enum tdat_status export_open(void *ctx, void **worker, struct tdat_error *err)
{
	const struct export_state *s = ctx;
	struct tdat_print_opts opts = TDAT_PRINT_OPTS_INIT;
	struct export_worker *w = calloc(1, sizeof(*w));
	enum tdat_status st;

	*worker = NULL;
	if (!w)
		return tdat_error_no_memory(err, "an export");
	w->state = s;
	w->style = s->style;
	tdat_build_init(&w->text, false);
	st = export_type_cache_init(&w->types, s->input_count, export_type_free, err);
	w->symbols = calloc(1, sizeof(*w->symbols));
	w->heads = calloc(1, sizeof(*w->heads));
	if (st == TDAT_OK && (!w->symbols || !w->heads))
		st = tdat_error_no_memory(err, "an export");
	/* The flags come from the latency columns of the printer. */
	opts.latency_format = true;
	if (st == TDAT_OK)
		st = tdat_cells_new(&w->cells, err);
	if (st == TDAT_OK)
		st = tdat_printer_new(&w->printer, s->inputs, s->input_count, &opts, err);
	if (st != TDAT_OK) {
		export_close(w);
		return st;
	}
	*worker = w;
	return TDAT_OK;
}

void export_close(void *worker)
{
	struct export_worker *w = worker;

	if (!w)
		return;
	export_type_cache_fini(&w->types);
	free(w->symbols);
	free(w->heads);
	tdat_cells_free(w->cells);
	tdat_build_fini(&w->text);
	tdat_printer_free(w->printer);
	free(w);
}

/* Makes the type for events of an id. *slot stays NULL if the file does not describe it. */
static enum tdat_status make_type(struct export_worker *w, const struct tdat_event *ev, void **slot,
				  struct tdat_error *err)
{
	struct tdat_file *file = w->state->inputs[ev->input].file;
	const uint64_t failures = tdat_file_memory_failures(file);
	const struct tdat_event_format *format = tdat_file_format_by_id(file, ev->id);
	const struct tdat_cell_type *cells;
	struct export_type *type = NULL;
	enum tdat_status st;

	/* A format that failed for lack of memory must not count as unknown. */
	if (!format && failures != tdat_file_memory_failures(file))
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory for event %u",
				      ev->id);
	if (!format)
		return TDAT_OK;
	st = tdat_cells_type(w->cells, file, format, &cells, err);
	if (st == TDAT_OK)
		st = export_type_new(&type, cells, err);
	*slot = type;
	if (st == TDAT_OK && w->state->columns)
		st = export_type_match(type, w->state->columns, err);
	return st;
}

/* Returns the type of an event; *type NULL: its file does not describe it. */
enum tdat_status export_worker_type(struct export_worker *w, const struct tdat_event *ev,
				    const struct export_type **type, struct tdat_error *err)
{
	enum tdat_status st;
	void **slot;

	st = export_type_slot(&w->types, ev, &slot, err);
	if (slot && !*slot)
		st = make_type(w, ev, slot, err);
	*type = slot ? *slot : NULL;
	return st;
}

/* Name of the event's buffer instance; "": the top buffer. */
const char *export_buffer_name(const struct export_state *s, const struct tdat_event *ev)
{
	size_t count;
	const struct tdat_buffer *b = tdat_file_buffers(s->inputs[ev->input].file, &count);

	return ev->buffer < count ? b[ev->buffer].name : "";
}

/* Limit of the text that an event may become, in bytes (print_len). */
size_t export_text_max(const struct export_state *s, const struct tdat_event *ev)
{
	const struct export_room *room = &s->rooms[ev->input];

	return room->text_max + room->per_byte * ev->record.len;
}
