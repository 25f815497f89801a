/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "export.h"

#include <stdlib.h>

#include "text.h"

static enum tdat_status no_memory(struct tdat_error *err)
{
	return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory to export");
}

/* ---- workers ---- */

enum tdat_status export_open(void *ctx, void **worker, struct tdat_error *err)
{
	const struct tdat_export *e = ctx;
	struct tdat_print_opts opts = TDAT_PRINT_OPTS_INIT;
	struct export_worker *w = calloc(1, sizeof(*w));
	enum tdat_status st;

	*worker = NULL;
	if (!w)
		return no_memory(err);
	w->export = e;
	w->plans = calloc(e->input_count * EXPORT_IDS, sizeof(struct export_plan *));
	if (!w->plans) {
		export_close(w);
		return no_memory(err);
	}
	opts.latency_format = true;
	st = tdat_printer_new(&w->printer, e->inputs, e->input_count, &opts, err);
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
	for (i = 0; w->plans && i < w->export->input_count * EXPORT_IDS; i++)
		export_plan_free(w->plans[i]);
	free(w->plans);
	tdat_printer_free(w->printer);
	free(w);
}

enum tdat_status export_worker_plan(struct export_worker *w, const struct tdat_event *ev,
				    const struct export_plan **plan, struct tdat_error *err)
{
	struct export_plan **slot;
	const struct tdat_format *format;
	enum tdat_status st;

	*plan = NULL;
	if (ev->input >= w->export->input_count)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "the event is not of the export's inputs");
	if (ev->id >= EXPORT_IDS)
		return TDAT_OK;
	slot = &w->plans[ev->input * EXPORT_IDS + ev->id];
	if (!*slot) {
		const struct tdat_file *file = w->export->inputs[ev->input].file;
		const uint64_t failures = tdat_file_memory_failures(file);

		format = tdat_file_format_by_id(file, ev->id);
		if (!format && failures != tdat_file_memory_failures(file))
			return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
					      "no memory for event %u", ev->id);
		if (!format)
			return TDAT_OK;
		st = export_plan_new(slot, format, err);
		if (st == TDAT_OK && w->export->columns)
			st = export_plan_match(*slot, w->export->columns, err);
		if (st != TDAT_OK)
			return st;
	}
	*plan = *slot;
	return TDAT_OK;
}

const char *export_buffer_name(const struct tdat_export *e, const struct tdat_event *ev)
{
	size_t count;
	const struct tdat_buffer *b = tdat_file_buffers(e->inputs[ev->input].file, &count);

	return ev->buffer < count ? b[ev->buffer].name : "";
}

bool export_big(const struct tdat_export *e, const struct tdat_event *ev)
{
	return tdat_file_info(e->inputs[ev->input].file)->big_endian;
}

size_t export_text_max(const struct tdat_export *e, const struct tdat_event *ev)
{
	const struct export_room *room = &e->rooms[ev->input];

	return room->text_max + room->per_byte * ev->record.len;
}

/* ---- making one ---- */

/* Each takes time on each line, though there be nothing in it. */
enum { COLUMN_LEN = 4 };

static enum tdat_status check_columns(const struct tdat_export *e, size_t input,
				      struct tdat_error *err)
{
	const size_t most = e->rooms[input].text_max / COLUMN_LEN;

	if (e->columns->count <= most)
		return TDAT_OK;
	return tdat_error_set(err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
			      "event %s has %zu fields, CSV has %zu columns at most (a quarter of "
			      "limit print_len)",
			      e->event, e->columns->count, most);
}

static enum tdat_status make_columns(struct tdat_export *e, struct tdat_error *err)
{
	size_t i;

	for (i = 0; i < e->input_count; i++) {
		const uint64_t failures = tdat_file_memory_failures(e->inputs[i].file);
		const struct tdat_format *f = tdat_file_format_by_name(e->inputs[i].file, e->system,
								       e->event);

		if (f) {
			enum tdat_status st = export_plan_new(&e->columns, f, err);

			return st == TDAT_OK ? check_columns(e, i, err) : st;
		}
		if (failures != tdat_file_memory_failures(e->inputs[i].file))
			return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
					      "no memory for the columns of '%s'", e->event);
	}
	return tdat_error_set(err, TDAT_E_NOT_FOUND, TDAT_NO_OFFSET, "no event is named '%s%s%s'",
			      e->system ? e->system : "", e->system ? "/" : "", e->event);
}

/* A column of each event; a field of that name gets another. */
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

static void make_csv_head(struct tdat_export *e)
{
	size_t i;

	tdat_build_str(&e->head, e->input_count > 1 ? "file," : "");
	tdat_build_str(&e->head, "ts,cpu,pid,comm,flags,buffer,lost");
	for (i = 0; i < e->columns->count; i++) {
		const char *name = e->columns->fields[i].field->name;

		tdat_build_str(&e->head, is_common_column(name) ? ",fields." : ",");
		export_csv_str(&e->head, name, strlen(name));
	}
	tdat_build_str(&e->head, e->opts.text ? ",text\r\n" : "\r\n");
}

static enum tdat_status make_csv(struct tdat_export *e, struct tdat_error *err)
{
	enum tdat_status st;

	if (!e->opts.event)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "CSV needs to know the type of its events");
	e->system = e->opts.system ? strdup(e->opts.system) : NULL;
	e->event = strdup(e->opts.event);
	if (!e->event || (e->opts.system && !e->system))
		return no_memory(err);
	st = make_columns(e, err);
	if (st != TDAT_OK)
		return st;
	make_csv_head(e);
	return e->head.failed ? no_memory(err) : TDAT_OK;
}

enum tdat_status tdat_export_new(struct tdat_export **out, const struct tdat_iter_input *inputs,
				 size_t input_count, const struct tdat_export_opts *opts,
				 struct tdat_error *err)
{
	struct tdat_export *e = calloc(1, sizeof(*e));
	enum tdat_status st = TDAT_OK;
	size_t i;

	*out = NULL;
	if (!e)
		return no_memory(err);
	e->opts = *opts;
	e->inputs = calloc(input_count + 1, sizeof(*e->inputs));
	e->rooms = calloc(input_count + 1, sizeof(*e->rooms));
	if (!e->inputs || !e->rooms)
		st = no_memory(err);
	for (i = 0; st == TDAT_OK && i < input_count; i++) {
		e->inputs[i] = inputs[i];
		e->rooms[i].text_max = tdat_file_text_max(inputs[i].file, &e->rooms[i].per_byte);
	}
	e->input_count = input_count;
	if (st == TDAT_OK && opts->kind == TDAT_EXPORT_CSV)
		st = make_csv(e, err);
	if (st != TDAT_OK) {
		tdat_export_free(e);
		return st;
	}
	*out = e;
	return TDAT_OK;
}

void tdat_export_free(struct tdat_export *e)
{
	if (!e)
		return;
	export_plan_free(e->columns);
	tdat_build_fini(&e->head);
	free(e->system);
	free(e->event);
	free(e->inputs);
	free(e->rooms);
	free(e);
}

struct tdat_span tdat_export_head(const struct tdat_export *e)
{
	return (struct tdat_span){e->head.ptr, e->head.len};
}

const struct tdat_sink_ops *tdat_export_ops(const struct tdat_export *e)
{
	return e->opts.kind == TDAT_EXPORT_CSV ? &export_csv_ops : &export_json_ops;
}
