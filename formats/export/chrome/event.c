/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes the names and arguments of events as JSON, on several threads. Which slices begin and
 * end depends on the events before, and is found afterwards, in order (tracks.c). A thread
 * writes texts and numbers of its batch into buffers; tracks.c takes them in the order of the
 * batches. Text is escaped, and bounded by the limit print_len.
 */
#include <stdlib.h>
#include <string.h>

#include "chrome.h"
#include "core/atrace.h"
#include "core/json_text.h"
#include "core/number.h"
#include "core/text.h"
#include "export/each.h"
#include "export/type_cache.h"

/* Makes the class of an event for the worker's cache. */
static enum tdat_status make_class(const void *state, const struct tdat_event *ev, void **type,
				   struct tdat_error *err)
{
	const struct chrome_state *s = state;
	struct chrome_class *class = NULL;
	const enum tdat_status st = chrome_class_new(&class, &s->inputs[ev->input], ev->id, err);

	*type = class;
	return st;
}

static void free_class(void *class)
{
	chrome_class_free(class);
}

static enum tdat_status worker_open(void *ctx, void **worker, struct tdat_error *err)
{
	const struct chrome_state *s = ctx;
	const struct export_type_worker def = {.state = s, .make = make_class};
	struct export_type_worker *w;
	const enum tdat_status st =
		export_type_worker_new(&w, &def, s->input_count, free_class, err);

	*worker = w;
	return st;
}

/* ---- arguments ---- */

#define PUT(out, literal) tdat_build_bytes(out, literal, sizeof(literal) - 1)

/*
 * Writes a number. Readers keep numbers as doubles, so addresses are strings: none of their bits is
 * lost.
 */
static void put_number(struct tdat_build *out, const struct tdat_field_type *type, uint64_t v)
{
	const unsigned unused = 64 - 8u * type->len;

	if (type->kind == TDAT_VALUE_BOOL) {
		tdat_build_str(out, v ? "true" : "false");
	} else if (type->hex && type->len == 8) {
		PUT(out, "\"0x");
		tdat_number_x64(out, v, 0);
		PUT(out, "\"");
	} else if (type->is_signed) {
		tdat_number_i64(out, (int64_t)(v << unused) >> unused);
	} else {
		tdat_number_u64(out, v);
	}
}

/* Writes an array: its numbers, or for masks the numbers of their bits. */
static void put_list(struct tdat_build *out, const struct tdat_field_type *type,
		     struct tdat_span bytes, bool big)
{
	bool first = true;

	PUT(out, "[");
	for (size_t at = 0; bytes.len - at >= type->len; at += type->len) {
		uint64_t v = tdat_load_uint(bytes.ptr + at, type->len, big);

		if (type->kind == TDAT_VALUE_INTS) {
			if (at)
				PUT(out, ",");
			put_number(out, type, v);
			continue;
		}
		for (; v; v &= v - 1) {
			if (!first)
				PUT(out, ",");
			first = false;
			tdat_number_u64(out, at * 8 + (uint64_t)__builtin_ctzll(v));
		}
	}
	PUT(out, "]");
}

/* Writes the value of a field; null: the record does not have it. */
static void put_value(struct tdat_build *out, const struct chrome_class *c, size_t i,
		      const struct tdat_event *ev, bool big)
{
	const struct tdat_field_type *type = &c->list[i];
	struct tdat_span bytes;

	if (tdat_field_types_bytes(c->types, i, ev->record, &bytes, NULL) != TDAT_OK ||
	    ((type->kind == TDAT_VALUE_INT || type->kind == TDAT_VALUE_BOOL) &&
	     bytes.len != type->len)) {
		PUT(out, "null");
	} else if (type->kind == TDAT_VALUE_TEXT) {
		tdat_json_quoted(out, bytes.ptr, bytes.len);
	} else if (type->kind == TDAT_VALUE_BYTES) {
		PUT(out, "\"");
		tdat_build_hex(out, bytes.ptr, bytes.len);
		PUT(out, "\"");
	} else if (type->kind == TDAT_VALUE_INTS || type->kind == TDAT_VALUE_BITS) {
		put_list(out, type, bytes, big);
	} else {
		put_number(out, type, tdat_load_uint(bytes.ptr, type->len, big));
	}
}

/*
 * Writes the fields other than the common ones, up to the limit print_len; for an unknown event its
 * id and bytes.
 */
static void put_args(struct tdat_build *out, const struct chrome_class *c,
		     const struct chrome_input *in, const struct tdat_event *ev)
{
	const size_t most = out->len + in->text_max + in->per_byte * ev->record.len;
	bool first = true;

	PUT(out, "{");
	for (size_t i = 0; c && i < c->count && out->len < most; i++) {
		if (c->list[i].field->flags & TDAT_FIELD_COMMON)
			continue;
		if (!first)
			PUT(out, ",");
		first = false;
		tdat_build_str(out, c->keys[i]);
		put_value(out, c, i, ev, in->big);
	}
	if (!c) {
		PUT(out, "\"id\":");
		tdat_number_u64(out, ev->id);
		PUT(out, ",\"record\":\"");
		tdat_build_hex(out, ev->record.ptr, ev->record.len);
		PUT(out, "\"");
	}
	PUT(out, "}");
}

/* ---- slices ---- */

/* Number of a field; 0 if f is NULL. *ok becomes false if the record does not have it. */
static int64_t number_of(const struct tdat_field *f, struct tdat_span record, bool *ok)
{
	int64_t v = 0;

	if (f && tdat_field_i64(f, record, &v, NULL) != TDAT_OK)
		*ok = false;
	return v;
}

/* Writes the name that the print fmt has for a softirq's number, or the number. */
static void put_vector(struct tdat_build *out, const struct chrome_class *c, int64_t v)
{
	const struct tdat_field_type *type = &c->list[0];

	for (size_t i = 0; i < c->count; i++)
		if (c->list[i].field == c->key)
			type = &c->list[i];
	for (size_t i = 0; i < type->name_count; i++)
		if (type->names[i].value == (uint64_t)v) {
			tdat_json_quoted(out, type->names[i].text, strlen(type->names[i].text));
			return;
		}
	tdat_build_printf(out, "\"softirq %lld\"", (long long)v);
}

/* Writes the name of an interrupt's slice, as in "irq 19 ahci". */
static void put_interrupt(struct tdat_build *out, int32_t number, struct tdat_span name)
{
	struct tdat_build text;

	tdat_build_init(&text, false);
	tdat_build_printf(&text, "irq %d ", number);
	tdat_build_bytes(&text, name.ptr, name.len);
	tdat_json_quoted(out, text.ptr, text.len);
	out->failed |= text.failed;
	tdat_build_fini(&text);
}

/* Writes the function at an address; its address if it has no symbol. */
static void put_function(struct tdat_build *out, const struct tdat_file *file, uint64_t addr)
{
	const struct tdat_span name = tdat_file_symbol(file, addr, NULL);

	if (name.ptr)
		tdat_json_quoted(out, name.ptr, name.len);
	else
		tdat_build_printf(out, "\"0x%llx\"", (unsigned long long)addr);
}

/* Writes the name of a system call, from the event's name or the number. */
static void put_call(struct tdat_build *out, const struct chrome_class *c,
		     const struct chrome_input *in, int64_t number)
{
	const char *event = tdat_event_format_name(c->format), *name = NULL;

	if (!c->next) /* sys_enter_openat */
		name = event + (c->kind == CHROME_CALL_IN ? 10 : 9);
	else if (number >= 0 && number < INT32_MAX)
		name = tdat_syscall_name(in->calls, (uint32_t)number);
	if (name)
		tdat_json_quoted(out, name, strlen(name));
	else
		tdat_build_printf(out, "\"syscall %lld\"", (long long)number);
}

/*
 * Finds out what a mark of atrace does (core/atrace.h). An instant has the mark's name. Source:
 * system/core/libcutils/trace-dev.inc of Android.
 */
static enum chrome_kind mark_of(struct tdat_span text, struct chrome_piece *piece,
				struct tdat_span *name)
{
	struct tdat_mark m;

	if (!tdat_mark_parse(&m, text) ||
	    (strchr("CSF", m.kind) && !tdat_whole_i64(m.last, &piece->next)))
		return CHROME_INSTANT;
	*name = m.name;
	if (m.kind == 'I')
		return CHROME_INSTANT;
	piece->key = m.tgid;
	if (m.kind == 'B' || m.kind == 'E')
		return m.kind == 'B' ? CHROME_MARK_IN : CHROME_MARK_OUT;
	return m.kind == 'C'   ? CHROME_MARK_COUNT
	       : m.kind == 'S' ? CHROME_ASYNC_IN
			       : CHROME_ASYNC_OUT;
}

static bool text_of(const struct tdat_field *f, struct tdat_span record, struct tdat_span *text)
{
	return tdat_field_string(f, record, text, NULL) == TDAT_OK;
}

/*
 * Sets the piece's kind and keys, and appends the name of its slice. A cut record stays an instant.
 */
static void put_slice(struct tdat_build *out, const struct chrome_class *c,
		      const struct chrome_input *in, const struct tdat_event *ev,
		      struct chrome_piece *piece)
{
	struct tdat_span text = {NULL, 0}, name = {NULL, 0};
	bool ok = true;

	piece->key = (int32_t)number_of(c->key, ev->record, &ok);
	piece->next = number_of(c->next, ev->record, &ok);
	if (!ok || (c->text && !text_of(c->text, ev->record, &text)))
		return;
	piece->kind = c->kind;
	switch (c->kind) {
	case CHROME_SWITCH:
		tdat_json_quoted(out, text.ptr, text.len);
		return;
	case CHROME_IRQ_IN:
		put_interrupt(out, piece->key, text);
		return;
	case CHROME_SOFTIRQ_IN:
		put_vector(out, c, piece->key);
		return;
	case CHROME_CALL_IN:
	case CHROME_CALL_OUT:
		/* Events of syscalls and raw_syscalls are told apart, as a trace may have both. */
		piece->key = !c->next;
		put_call(out, c, in, piece->next);
		return;
	case CHROME_FUNCTION_IN:
		put_function(out, in->file, (uint64_t)piece->next);
		return;
	case CHROME_MARK_IN:
		piece->kind = mark_of(text, piece, &name);
		if (name.ptr && piece->kind != CHROME_MARK_OUT)
			tdat_json_quoted(out, name.ptr, name.len);
		return;
	default:
		return;
	}
}

/* The name and category of an event without a format. */
static const char unknown[] = "\"unknown_event\"\"\"";

/* Appends the piece of an event: its head, and the texts that tracks.c puts together. */
static enum tdat_status put_event(void *worker, const struct tdat_event *ev, struct tdat_build *out,
				  struct tdat_error *err)
{
	struct export_type_worker *w = worker;
	const struct chrome_state *s = w->state;
	/* Written again below, when the lengths are known. */
	struct chrome_piece piece = {.ts = ev->ts,
				     .lost = ev->lost_before,
				     .pid = ev->pid,
				     .input = ev->input,
				     .buffer = ev->buffer,
				     .cpu = ev->cpu,
				     .kind = CHROME_INSTANT};
	const size_t start = out->len;
	const struct chrome_input *in;
	const void *type;
	const enum tdat_status st = export_type_of(w, ev, &type, err);
	const struct chrome_class *c = type;
	size_t at;

	if (st != TDAT_OK)
		return st;
	in = &s->inputs[ev->input];
	tdat_build_bytes(out, &piece, sizeof(piece));
	at = out->len;
	if (c && c->kind != CHROME_INSTANT)
		put_slice(out, c, in, ev, &piece);
	piece.slice_len = (uint32_t)(out->len - at);
	piece.name_len = c ? (uint32_t)c->name_len : sizeof(unknown) - 3;
	piece.category_len = c ? (uint32_t)c->category_len : 2;
	if (piece.kind == CHROME_INSTANT && piece.slice_len) {
		/* An instant that has a name of its own. */
		tdat_build_bytes(out, c->name + c->name_len, c->category_len);
		piece.name_len = piece.slice_len;
		piece.slice_len = 0;
	} else {
		tdat_build_bytes(out, c ? c->name : unknown, piece.name_len + piece.category_len);
	}
	at = out->len;
	put_args(out, c, in, ev);
	piece.args_len = (uint32_t)(out->len - at);
	if (out->failed)
		return tdat_error_no_memory(err, "an event");
	if (out->len - start > UINT32_MAX / 2)
		return tdat_error_set(err, TDAT_E_LIMIT, ev->off, "an event of %zu bytes of text",
				      out->len - start);
	memcpy(out->ptr + start, &piece, sizeof(piece));
	return TDAT_OK;
}

static enum tdat_status put_batch(void *worker, const struct tdat_batch *batch, size_t *done,
				  struct tdat_build *out, struct tdat_error *err)
{
	return export_each(put_event, worker, batch, done, out, err);
}

const struct tdat_sink_ops chrome_events = {
	.size = sizeof(struct tdat_sink_ops),
	.open = worker_open,
	.close = export_type_worker_free,
	.batch = put_batch,
};
