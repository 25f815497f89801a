/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* CSV of one event type (RFC 4180). Arrays are numbers with blanks between. */
#include "export.h"
#include "text.h"

/* A field that does not lie in the record is empty. */
static void put_value(struct tdat_build *out, const struct export_field *f,
		      const struct tdat_event *ev, bool big)
{
	struct export_value v;

	switch (export_read(f, ev->record, &v)) {
	case EXPORT_GOT_I64:
		export_i64(out, v.i64);
		break;
	case EXPORT_GOT_U64:
		export_u64(out, v.u64);
		break;
	case EXPORT_GOT_STRING:
		export_csv_str(out, v.span.ptr, v.span.len);
		break;
	case EXPORT_GOT_ARRAY:
		export_array(out, f, v.span, big, ' ');
		break;
	case EXPORT_GOT_BYTES:
		export_hex(out, v.span.ptr, v.span.len);
		break;
	case EXPORT_GOT_NOTHING:
		break;
	}
}

static void put_str(struct tdat_build *out, const char *text)
{
	export_csv_str(out, text, strlen(text));
}

static enum tdat_status put_common(const struct export_worker *w, const struct tdat_event *ev,
				   struct tdat_build *out, struct tdat_error *err)
{
	struct tdat_span flags;
	enum tdat_status st = tdat_printer_flags(w->printer, ev, &flags, err);

	if (st != TDAT_OK)
		return st;
	if (w->export->input_count > 1) {
		put_str(out, tdat_file_info(w->export->inputs[ev->input].file)->name);
		tdat_build_u8(out, ',');
	}
	export_u64(out, ev->ts);
	tdat_build_u8(out, ',');
	export_u64(out, ev->cpu);
	tdat_build_u8(out, ',');
	export_i64(out, ev->pid);
	tdat_build_u8(out, ',');
	export_csv_str(out, ev->comm.ptr, ev->comm.len);
	tdat_build_u8(out, ',');
	export_csv_str(out, flags.ptr, flags.len);
	tdat_build_u8(out, ',');
	put_str(out, export_buffer_name(w->export, ev));
	tdat_build_u8(out, ',');
	if (ev->lost_before > 0)
		export_i64(out, ev->lost_before);
	else if (ev->lost_before)
		put_str(out, "true");
	return TDAT_OK;
}

/* Of another type than the columns. */
static enum tdat_status refuse(const struct export_worker *w, const struct tdat_event *ev,
			       struct tdat_error *err)
{
	const struct tdat_format *f =
		tdat_file_format_by_id(w->export->inputs[ev->input].file, ev->id);

	return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
			      "CSV holds events of one type, '%s', but there is also '%s': choose by "
			      "name",
			      w->export->event, f ? tdat_format_name(f) : "an unknown one");
}

static bool is_of_type(const struct tdat_export *e, const struct export_plan *plan)
{
	const struct tdat_format *f;

	if (!plan)
		return false;
	if (!plan->count || !e->columns->count)
		return plan->count == e->columns->count &&
		       !strcmp(plan->head, e->columns->head);
	f = plan->fields[0].field->format;
	return !strcmp(tdat_format_name(f), e->event) &&
	       (!e->system || !strcmp(tdat_format_system(f), e->system));
}

/* The first value beyond the limit print_len says so instead, those after it are empty. */
static void put_columns(const struct tdat_export *e, struct tdat_build *out,
			const struct export_plan *plan, const struct tdat_event *ev)
{
	const size_t most = out->len + export_text_max(e, ev);
	const bool big = export_big(e, ev);
	bool cut = false;
	size_t i;

	for (i = 0; i < e->columns->count; i++) {
		tdat_build_u8(out, ',');
		if (cut || !plan->columns[i])
			continue;
		cut = out->len > most;
		if (cut)
			put_str(out, "[CUT AT LIMIT print_len]");
		else
			put_value(out, plan->columns[i], ev, big);
	}
}

static enum tdat_status put_event(void *worker, const struct tdat_event *ev,
				  struct tdat_build *out, struct tdat_error *err)
{
	struct export_worker *w = worker;
	const struct export_plan *plan;
	enum tdat_status st = export_worker_plan(w, ev, &plan, err);
	struct tdat_span text;

	if (st == TDAT_OK && !is_of_type(w->export, plan))
		return refuse(w, ev, err);
	if (st == TDAT_OK)
		st = put_common(w, ev, out, err);
	if (st == TDAT_OK)
		put_columns(w->export, out, plan, ev);
	if (st == TDAT_OK && w->export->opts.text) {
		st = tdat_printer_info(w->printer, ev, &text, err);
		if (st != TDAT_OK)
			return st;
		tdat_build_u8(out, ',');
		export_csv_str(out, text.ptr, text.len);
	}
	tdat_build_bytes(out, "\r\n", 2);
	return st;
}

const struct tdat_sink_ops export_csv_ops = {
	.open = export_open,
	.close = export_close,
	.event = put_event,
};
