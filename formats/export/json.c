/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Exports events as JSON, an object a line. Every byte that comes out is valid JSON, whatever
 * the record holds. A line has the common fields, the event's fields as export_cell() writes
 * them, and the text if it was asked for. It is a sink: several threads make lines of batches,
 * without shared state but the inputs (state.c). Bytes outside UTF-8 are escaped.
 */
#include <stdlib.h>

#include "each.h"
#include "core/json_text.h"
#include "core/number.h"
#include "exporters.h"
#include "state.h"

/* A record's bytes as a string. */
static void put_hex(struct tdat_build *out, struct tdat_span s)
{
	tdat_build_u8(out, '"');
	tdat_build_hex(out, s.ptr, s.len);
	tdat_build_u8(out, '"');
}

static void put_str(struct tdat_build *out, const char *key, const char *text)
{
	tdat_build_str(out, key);
	tdat_json_quoted(out, text, strlen(text));
}

/* Appends a literal without a call of strlen. */
#define PUT(out, literal) tdat_build_bytes(out, literal, sizeof(literal) - 1)

/* Appends a 64-bit number, as a string if the option says so: JavaScript rounds beyond 2^53. */
static void put_wide(const struct export_worker *w, struct tdat_build *out, uint64_t v)
{
	if (w->style.strings)
		tdat_build_u8(out, '"');
	tdat_number_u64(out, v);
	if (w->style.strings)
		tdat_build_u8(out, '"');
}

/*
 * Makes the part of a line that is equal for events of one CPU, task and buffer. It is kept by
 * export_head_keep().
 */
static void make_head(const struct export_worker *w, const struct tdat_event *ev,
		      struct tdat_span flags, struct tdat_build *out)
{
	const char *buffer = export_buffer_name(w->state, ev);

	PUT(out, ",\"cpu\":");
	tdat_number_u64(out, ev->cpu);
	PUT(out, ",\"pid\":");
	tdat_number_i64(out, ev->pid);
	PUT(out, ",\"comm\":");
	tdat_json_quoted(out, ev->comm.ptr, ev->comm.len);
	PUT(out, ",\"flags\":");
	tdat_json_quoted(out, flags.ptr, flags.len);
	if (w->state->input_count > 1)
		put_str(out, ",\"file\":", tdat_file_info(w->state->inputs[ev->input].file)->name);
	if (*buffer)
		put_str(out, ",\"buffer\":", buffer);
}

/* Writes the common fields. Heads come again and again, so a cache has them ready. */
static enum tdat_status put_common(const struct export_worker *w, const struct tdat_event *ev,
				   struct tdat_build *out, struct tdat_error *err)
{
	struct tdat_span flags;
	enum tdat_status st = tdat_printer_flags(w->printer, ev, &flags, err);
	struct export_head *head;
	size_t start;

	if (st != TDAT_OK)
		return st;
	PUT(out, "{\"ts\":");
	put_wide(w, out, ev->ts);
	if (export_head_find(w->heads, ev, flags, &head)) {
		export_head_put(head, out);
		return TDAT_OK;
	}
	start = out->len;
	make_head(w, ev, flags, out);
	if (!out->failed)
		export_head_keep(head, ev, out->ptr + start, out->len - start);
	return TDAT_OK;
}

/* Writes "lost": the number of events lost before this one, or true if nobody knows it. */
static void put_lost(const struct export_worker *w, struct tdat_build *out,
		     const struct tdat_event *ev)
{
	if (ev->lost_before > 0) {
		PUT(out, ",\"lost\":");
		put_wide(w, out, (uint64_t)ev->lost_before);
	} else if (ev->lost_before) {
		PUT(out, ",\"lost\":true");
	}
}

/* Copies short keys by a constant length; the keys have that many bytes behind them. */
static inline void put_key(struct tdat_build *out, const char *key, size_t len)
{
	uint8_t *room;

	if (len > EXPORT_KEY_COPY) {
		tdat_build_bytes(out, key, len);
		return;
	}
	room = tdat_build_room(out, EXPORT_KEY_COPY);
	if (!room)
		return;
	memcpy(room, key, EXPORT_KEY_COPY);
	out->len += len;
}

/* Writes the fields. Those beyond the limit print_len are left out, and "cut" names the limit. */
static enum tdat_status put_fields(struct export_worker *w, struct tdat_build *out,
				   const struct export_type *type, const struct tdat_event *ev,
				   struct tdat_error *err)
{
	const size_t count = type->cells->column_count;
	const size_t most = out->len + export_text_max(w->state, ev);
	const struct export_names names = {w->cells, type->cells, w->symbols, &w->text};
	const bool plain = !w->style.hex && !w->style.strings;
	enum tdat_status st = TDAT_OK;
	struct tdat_cell cell;
	size_t i, key = 0;

	PUT(out, ",\"fields\":{");
	for (i = 0; st == TDAT_OK && i < count && out->len < most; i++) {
		const size_t start = out->len;

		st = tdat_cells_get(w->cells, type->cells, i, ev->record, &cell, err);
		put_key(out, type->keys + key, type->key_ends[i] - key);
		key = type->key_ends[i];
		/* The usual number, without a call. */
		if (cell.kind == TDAT_CELL_INT && (cell.len < 8 || plain))
			tdat_number_int(out, cell.number, cell.is_signed);
		else if (!export_cell(out, &w->style, &names, &cell, most)) {
			out->len = start;
			break;
		}
	}
	tdat_build_u8(out, '}');
	if (i < count)
		PUT(out, ",\"cut\":\"print_len\"");
	return st;
}

/* Writes an event without a format: its id and the bytes of its record. */
static void put_unknown(const struct export_worker *w, struct tdat_build *out,
			const struct tdat_event *ev)
{
	PUT(out, ",\"system\":null,\"event\":null,\"id\":");
	tdat_number_u64(out, ev->id);
	put_lost(w, out, ev);
	PUT(out, ",\"fields\":{},\"record\":");
	put_hex(out, ev->record);
}

/* Writes the text that dump would print behind the event's name. */
static enum tdat_status put_text(const struct export_worker *w, const struct tdat_event *ev,
				 struct tdat_build *out, struct tdat_error *err)
{
	struct tdat_span text;
	enum tdat_status st = tdat_printer_info(w->printer, ev, &text, err);

	if (st != TDAT_OK)
		return st;
	PUT(out, ",\"text\":");
	tdat_json_quoted(out, text.ptr, text.len);
	return TDAT_OK;
}

/* Writes the line of one event; inline, so that export_each() has it in its loop. */
static inline enum tdat_status put_event(void *worker, const struct tdat_event *ev,
					 struct tdat_build *out, struct tdat_error *err)
{
	struct export_worker *w = worker;
	const struct export_type *type;
	enum tdat_status st = export_worker_type(w, ev, &type, err);

	if (st == TDAT_OK)
		st = put_common(w, ev, out, err);
	if (st != TDAT_OK)
		return st;
	if (type) {
		tdat_build_bytes(out, type->head, type->head_len);
		put_lost(w, out, ev);
		st = put_fields(w, out, type, ev, err);
	} else {
		put_unknown(w, out, ev);
	}
	if (st == TDAT_OK && w->state->text)
		st = put_text(w, ev, out, err);
	PUT(out, "}\n");
	return st;
}

static enum tdat_status put_batch(void *worker, const struct tdat_batch *batch, size_t *done,
				  struct tdat_build *out, struct tdat_error *err)
{
	return export_each(put_event, worker, batch, done, out, err);
}

static const struct tdat_sink_ops json_events = {
	.size = sizeof(struct tdat_sink_ops),
	.open = export_open,
	.close = export_close,
	.batch = put_batch,
};

static enum tdat_status json_end(void *state, struct tdat_build *tail, struct tdat_error *err)
{
	(void)tail;
	(void)err;
	export_state_fini(state);
	free(state);
	return TDAT_OK;
}

/* Begins an export. Lines need no head. */
static enum tdat_status json_begin(void **state, const struct tdat_export_request *request,
				   struct tdat_build *head, struct tdat_error *err)
{
	struct export_state *s = calloc(1, sizeof(*s));
	enum tdat_status st =
		s ? export_state_init(s, request, err) : tdat_error_no_memory(err, "an export");

	(void)head;
	*state = st == TDAT_OK ? s : NULL;
	if (st != TDAT_OK && s)
		json_end(s, NULL, NULL);
	return st;
}

static const struct tdat_keyed_option_desc json_options[] = {
	{"hex", NULL, "write unsigned 64-bit fields as hexadecimal strings, \"0xff\""},
	{"strings", NULL, "write 64-bit numbers as strings, for readers that round them"},
	{"text", NULL, "add what the format text prints after the event's name"},
	{NULL, NULL, NULL},
};

const struct tdat_exporter export_json = {
	.size = sizeof(struct tdat_exporter),
	.name = "json",
	.summary = "one JSON object per event, each on its own line",
	.options = json_options,
	.begin = json_begin,
	.events = &json_events,
	.end = json_end,
};
