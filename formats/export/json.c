/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Exports events as JSON, an object a line. Every byte that comes out is valid JSON, whatever the
 * record holds.
 */
#include <stdlib.h>

#include "core/number.h"
#include "exporters.h"
#include "put_text.h"
#include "state.h"

static void put_hex(struct tdat_build *out, struct tdat_span s)
{
	tdat_build_u8(out, '"');
	export_hex(out, s.ptr, s.len);
	tdat_build_u8(out, '"');
}

/* A field that does not lie in the record is null. */
static void put_value(struct tdat_build *out, const struct export_field *f,
		      const struct tdat_event *ev, bool big)
{
	struct export_value v;

	switch (export_read(f, ev->record, &v)) {
	case EXPORT_GOT_I64:
		tdat_number_i64(out, v.i64);
		break;
	case EXPORT_GOT_U64:
		tdat_number_u64(out, v.u64);
		break;
	case EXPORT_GOT_STRING:
		export_json_str(out, v.span.ptr, v.span.len);
		break;
	case EXPORT_GOT_ARRAY:
		tdat_build_u8(out, '[');
		export_array(out, f, v.span, big, ',');
		tdat_build_u8(out, ']');
		break;
	case EXPORT_GOT_BYTES:
		put_hex(out, v.span);
		break;
	case EXPORT_GOT_NOTHING:
		tdat_build_bytes(out, "null", 4);
		break;
	}
}

static void put_str(struct tdat_build *out, const char *key, const char *text)
{
	tdat_build_str(out, key);
	export_json_str(out, text, strlen(text));
}

#define PUT(out, literal) tdat_build_bytes(out, literal, sizeof(literal) - 1)

static enum tdat_status put_common(const struct export_worker *w, const struct tdat_event *ev,
				   struct tdat_build *out, struct tdat_error *err)
{
	const char *buffer = export_buffer_name(w->state, ev);
	struct tdat_span flags;
	enum tdat_status st = tdat_printer_flags(w->printer, ev, &flags, err);

	if (st != TDAT_OK)
		return st;
	PUT(out, "{\"ts\":");
	tdat_number_u64(out, ev->ts);
	PUT(out, ",\"cpu\":");
	tdat_number_u64(out, ev->cpu);
	PUT(out, ",\"pid\":");
	tdat_number_i64(out, ev->pid);
	PUT(out, ",\"comm\":");
	export_json_str(out, ev->comm.ptr, ev->comm.len);
	PUT(out, ",\"flags\":");
	export_json_str(out, flags.ptr, flags.len);
	if (w->state->input_count > 1)
		put_str(out, ",\"file\":", tdat_file_info(w->state->inputs[ev->input].file)->name);
	if (*buffer)
		put_str(out, ",\"buffer\":", buffer);
	return TDAT_OK;
}

static void put_lost(struct tdat_build *out, const struct tdat_event *ev)
{
	if (ev->lost_before > 0) {
		PUT(out, ",\"lost\":");
		tdat_number_i64(out, ev->lost_before);
	} else if (ev->lost_before) {
		PUT(out, ",\"lost\":true");
	}
}

/* Puts the fields. Those beyond the limit print_len are left out, and "cut" names the limit. */
static void put_fields(const struct export_state *s, struct tdat_build *out,
		       const struct export_plan *plan, const struct tdat_event *ev)
{
	const size_t most = out->len + export_text_max(s, ev);
	const bool big = export_big(s, ev);
	size_t i;

	PUT(out, ",\"fields\":{");
	for (i = 0; i < plan->count && out->len < most; i++) {
		tdat_build_bytes(out, plan->fields[i].key, plan->fields[i].key_len);
		put_value(out, &plan->fields[i], ev, big);
	}
	tdat_build_u8(out, '}');
	if (i < plan->count)
		PUT(out, ",\"cut\":\"print_len\"");
}

/* An event without a format: its number and its bytes. */
static void put_unknown(struct tdat_build *out, const struct tdat_event *ev)
{
	PUT(out, ",\"system\":null,\"event\":null,\"id\":");
	tdat_number_u64(out, ev->id);
	put_lost(out, ev);
	PUT(out, ",\"fields\":{},\"record\":");
	put_hex(out, ev->record);
}

static enum tdat_status put_text(const struct export_worker *w, const struct tdat_event *ev,
				 struct tdat_build *out, struct tdat_error *err)
{
	struct tdat_span text;
	enum tdat_status st = tdat_printer_info(w->printer, ev, &text, err);

	if (st != TDAT_OK)
		return st;
	PUT(out, ",\"text\":");
	export_json_str(out, text.ptr, text.len);
	return TDAT_OK;
}

static inline enum tdat_status put_event(struct export_worker *w, const struct tdat_event *ev,
					 struct tdat_build *out, struct tdat_error *err)
{
	const struct export_plan *plan;
	enum tdat_status st = export_worker_plan(w, ev, &plan, err);

	if (st == TDAT_OK)
		st = put_common(w, ev, out, err);
	if (st != TDAT_OK)
		return st;
	if (plan) {
		tdat_build_bytes(out, plan->head, plan->head_len);
		put_lost(out, ev);
		put_fields(w->state, out, plan, ev);
	} else {
		put_unknown(out, ev);
	}
	if (w->state->text)
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

static enum tdat_status json_begin(void **state, const struct tdat_export_request *request,
				   struct tdat_build *head, struct tdat_error *err)
{
	struct export_state *s = calloc(1, sizeof(*s));
	enum tdat_status st = s ? export_state_init(s, request, err) : export_no_memory(err);

	(void)head;
	*state = st == TDAT_OK ? s : NULL;
	if (st != TDAT_OK && s)
		json_end(s, NULL, NULL);
	return st;
}

static const struct tdat_keyed_option_desc json_options[] = {
	{"text", NULL, "also the event's text"},
	{NULL, NULL, NULL},
};

const struct tdat_exporter export_json = {
	.name = "json",
	.summary = "an object a line with the fields of each event",
	.options = json_options,
	.begin = json_begin,
	.events = &json_events,
	.end = json_end,
};
