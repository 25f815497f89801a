/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Keeps the inputs of an export, and for each thread what it made of event types. */
#include "state.h"

#include <stdlib.h>

enum tdat_status export_no_memory(struct tdat_error *err)
{
	return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory to export");
}

const char *export_option(const struct tdat_export_request *request, const char *key)
{
	const char *value = NULL;

	for (size_t i = 0; i < request->option_count; i++)
		if (!strcmp(request->options[i].key, key))
			value = request->options[i].value;
	return value;
}

enum tdat_status export_state_init(struct export_state *s,
				   const struct tdat_export_request *request,
				   struct tdat_error *err)
{
	size_t i;

	memset(s, 0, sizeof(*s));
	s->inputs = calloc(request->input_count + 1, sizeof(*s->inputs));
	s->rooms = calloc(request->input_count + 1, sizeof(*s->rooms));
	if (!s->inputs || !s->rooms)
		return export_no_memory(err);
	for (i = 0; i < request->input_count; i++) {
		s->inputs[i] = request->inputs[i];
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

/* ---- workers ---- */

enum tdat_status export_open(void *ctx, void **worker, struct tdat_error *err)
{
	const struct export_state *s = ctx;
	struct tdat_print_opts opts = TDAT_PRINT_OPTS_INIT;
	struct export_worker *w = calloc(1, sizeof(*w));
	enum tdat_status st;

	*worker = NULL;
	if (!w)
		return export_no_memory(err);
	w->state = s;
	w->style = s->style;
	tdat_build_init(&w->text, false);
	w->types = calloc(s->input_count * EXPORT_IDS, sizeof(struct export_type *));
	w->symbols = calloc(1, sizeof(*w->symbols));
	w->heads = calloc(1, sizeof(*w->heads));
	if (!w->types || !w->symbols || !w->heads) {
		export_close(w);
		return export_no_memory(err);
	}
	opts.latency_format = true;
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
	size_t i;

	if (!w)
		return;
	for (i = 0; w->types && i < w->state->input_count * EXPORT_IDS; i++)
		export_type_free(w->types[i]);
	free(w->types);
	free(w->symbols);
	free(w->heads);
	tdat_cells_free(w->cells);
	tdat_build_fini(&w->text);
	tdat_printer_free(w->printer);
	free(w);
}

static enum tdat_status make_type(struct export_worker *w, const struct tdat_event *ev,
				  struct export_type **slot, struct tdat_error *err)
{
	struct tdat_file *file = w->state->inputs[ev->input].file;
	const uint64_t failures = tdat_file_memory_failures(file);
	const struct tdat_format *format = tdat_file_format_by_id(file, ev->id);
	const struct tdat_cell_type *cells;
	enum tdat_status st;

	if (!format && failures != tdat_file_memory_failures(file))
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory for event %u",
				      ev->id);
	if (!format)
		return TDAT_OK;
	st = tdat_cells_type(w->cells, file, format, &cells, err);
	if (st == TDAT_OK)
		st = export_type_new(slot, cells, err);
	if (st == TDAT_OK && w->state->columns)
		st = export_type_match(*slot, w->state->columns, err);
	return st;
}

enum tdat_status export_worker_type(struct export_worker *w, const struct tdat_event *ev,
				    const struct export_type **type, struct tdat_error *err)
{
	struct export_type **slot;
	enum tdat_status st = TDAT_OK;

	*type = NULL;
	if (ev->input >= w->state->input_count)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "the event is not of the export's inputs");
	if (ev->id >= EXPORT_IDS)
		return TDAT_OK;
	slot = &w->types[ev->input * EXPORT_IDS + ev->id];
	if (!*slot)
		st = make_type(w, ev, slot, err);
	*type = *slot;
	return st;
}

const char *export_buffer_name(const struct export_state *s, const struct tdat_event *ev)
{
	size_t count;
	const struct tdat_buffer *b = tdat_file_buffers(s->inputs[ev->input].file, &count);

	return ev->buffer < count ? b[ev->buffer].name : "";
}

size_t export_text_max(const struct export_state *s, const struct tdat_event *ev)
{
	const struct export_room *room = &s->rooms[ev->input];

	return room->text_max + room->per_byte * ev->record.len;
}
