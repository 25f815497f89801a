/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Turns records into payloads of CTF, on several threads. What comes out for an event depends
 * on that event only: its place in a packet is found afterwards, in order (stream.c). The class
 * of a type (class.c) says which bytes go where. A whole record takes one check of its length;
 * one that is cut takes a slower way.
 */
#include <stdlib.h>
#include <string.h>

#include "core/utf8.h"
#include "ctf.h"
#include "export/each.h"
#include "export/type_cache.h"

/* Makes the class of an event for the worker's cache. */
static enum tdat_status make_class(const void *state, const struct tdat_event *ev, void **type,
				   struct tdat_error *err)
{
	const struct ctf_state *s = state;
	struct ctf_class *class = NULL;
	const enum tdat_status st = ctf_class_new(&class, s, ev->input, ev->id, err);

	*type = class;
	return st;
}

static enum tdat_status worker_open(void *ctx, void **worker, struct tdat_error *err)
{
	const struct ctf_state *s = ctx;
	const struct export_type_worker def = {.state = s, .make = make_class};
	struct export_type_worker *w;
	const enum tdat_status st =
		export_type_worker_new(&w, &def, s->input_count, ctf_class_free, err);

	*worker = w;
	return st;
}

/* ---- values ---- */

/* Appends a number in the trace's byte order. */
static void put_u32(struct tdat_build *out, uint32_t v, bool big)
{
	uint8_t *room = tdat_build_room(out, 4);

	if (!room)
		return;
	tdat_store32(room, v, big);
	out->len += 4;
}

/* Appends a text with a NUL. Each byte outside UTF-8 becomes U+FFFD, as in tables. */
static void put_text(struct tdat_build *out, struct tdat_span text)
{
	tdat_build_utf8(out, text.ptr, text.len);
	tdat_build_u8(out, 0);
}

/* Appends the count and the numbers of the bits that are set. */
static void put_bits(struct tdat_build *out, const struct tdat_field_type *type,
		     struct tdat_span words, bool big)
{
	const size_t start = out->len;
	uint32_t count = 0;

	put_u32(out, 0, big);
	for (size_t at = 0; words.len - at >= type->len; at += type->len) {
		uint64_t word = tdat_load_uint(words.ptr + at, type->len, big);

		for (; word; word &= word - 1, count++)
			put_u32(out, (uint32_t)(at * 8) + (uint32_t)__builtin_ctzll(word), big);
	}
	if (!out->failed)
		tdat_store32(out->ptr + start, count, big);
}

/* Appends the value of a field. False: the record does not have it. */
static bool put_value(struct tdat_build *out, const struct ctf_class *c, size_t field,
		      struct tdat_span record)
{
	const struct tdat_field_type *type = &c->list[field];
	struct tdat_span bytes;

	if (tdat_field_types_bytes(c->types, field, record, &bytes, NULL) != TDAT_OK)
		return false;
	if (type->kind == TDAT_VALUE_TEXT) {
		put_text(out, bytes);
	} else if (type->kind == TDAT_VALUE_BITS) {
		put_bits(out, type, bytes, c->big);
	} else if ((type->kind == TDAT_VALUE_INT || type->kind == TDAT_VALUE_BOOL) &&
		   bytes.len != type->len) {
		return false;
	} else {
		/* Dynamic arrays have their length before them, as a sequence of CTF. */
		if (!type->fixed)
			put_u32(out, (uint32_t)(bytes.len / type->len), c->big);
		tdat_build_bytes(out, bytes.ptr, bytes.len);
	}
	return true;
}

/* ---- events ---- */

/* Byte of a common field; 0: the record is too short for it. */
static uint8_t common_byte(const struct tdat_field *f, struct tdat_span record)
{
	return f && f->off < record.len ? record.ptr[f->off] : 0;
}

/* Appends the context: pid, comm, flags, preempt count. */
static void put_context(struct tdat_build *out, const struct ctf_class *c, bool big,
			const struct tdat_event *ev)
{
	put_u32(out, (uint32_t)ev->pid, big);
	put_text(out, ev->comm);
	tdat_build_u8(out, c ? common_byte(c->flags, ev->record) : 0);
	tdat_build_u8(out, c ? common_byte(c->preempt, ev->record) : 0);
}

/*
 * Appends all fields of a whole record. False: it is cut, or longer than the limit most; what was
 * appended is then of no use.
 */
static bool put_whole(struct tdat_build *out, const struct ctf_class *c, struct tdat_span record,
		      size_t most)
{
	if (record.len < c->need)
		return false;
	for (size_t i = 0; i < c->step_count; i++) {
		const struct ctf_step *step = &c->steps[i];

		if (step->copy)
			tdat_build_bytes(out, record.ptr + step->off, step->len);
		else if (!put_value(out, c, step->field, record))
			return false;
		if (out->len > most)
			return false;
	}
	return true;
}

/* Appends each field behind a byte: 1, or 0 if the record or the limit has no room for it. */
static void put_partial(struct tdat_build *out, const struct ctf_class *c, struct tdat_span record,
			size_t most)
{
	for (size_t i = 0; i < c->field_count; i++) {
		const size_t start = out->len;

		tdat_build_u8(out, 1);
		if (start <= most && put_value(out, c, c->fields[i], record))
			continue;
		out->len = start;
		tdat_build_u8(out, 0);
	}
}

/* Appends a record without a format: id, length and bytes. */
static void put_record(struct tdat_build *out, const struct tdat_event *ev, bool big)
{
	put_u32(out, ev->id, big);
	put_u32(out, (uint32_t)ev->record.len, big);
	tdat_build_bytes(out, ev->record.ptr, ev->record.len);
}

/* Number of the system call, or CTF_NO_CALL. */
static uint32_t call_of(const struct ctf_class *c, struct tdat_span record)
{
	uint64_t id;

	if (!c || !c->call_id || tdat_field_u64(c->call_id, record, &id, NULL) != TDAT_OK ||
	    id >= CTF_NO_CALL)
		return CTF_NO_CALL;
	return (uint32_t)id;
}

/* Appends the chunk of one event: a head for stream.c, and the payload. */
static enum tdat_status put_event(void *worker, const struct tdat_event *ev, struct tdat_build *out,
				  struct tdat_error *err)
{
	struct export_type_worker *w = worker;
	const struct ctf_state *s = w->state;
	/* Written again below, when its length and shape are known. */
	struct ctf_chunk chunk = {.ts = ev->ts,
				  .lost = ev->lost_before,
				  .input = ev->input,
				  .buffer = ev->buffer,
				  .cpu = ev->cpu,
				  .id = ev->id,
				  .shape = CTF_WHOLE};
	const size_t start = out->len;
	const void *type;
	const enum tdat_status st = export_type_of(w, ev, &type, err);
	const struct ctf_class *c = type;
	size_t fields, most;
	bool big;

	if (st != TDAT_OK)
		return st;
	big = s->inputs[ev->input].big;
	chunk.call = call_of(c, ev->record);
	tdat_build_bytes(out, &chunk, sizeof(chunk));
	put_context(out, c, big, ev);
	fields = out->len;
	most = fields + s->inputs[ev->input].text_max +
	       s->inputs[ev->input].per_byte * ev->record.len;
	if (!c) {
		chunk.shape = CTF_UNKNOWN;
		put_record(out, ev, big);
	} else if (!put_whole(out, c, ev->record, most)) {
		chunk.shape = CTF_PARTIAL;
		out->len = fields;
		put_partial(out, c, ev->record, most);
	}
	if (out->failed)
		return tdat_error_no_memory(err, "an event");
	/* stream.c adds alignment, so lengths stay far below 32 bits. */
	if (out->len - start - sizeof(chunk) > UINT32_MAX / 16)
		return tdat_error_set(err, TDAT_E_LIMIT, ev->off, "an event of %zu bytes",
				      out->len - start);
	chunk.len = (uint32_t)(out->len - start - sizeof(chunk));
	memcpy(out->ptr + start, &chunk, sizeof(chunk));
	return TDAT_OK;
}

static enum tdat_status put_batch(void *worker, const struct tdat_batch *batch, size_t *done,
				  struct tdat_build *out, struct tdat_error *err)
{
	return export_each(put_event, worker, batch, done, out, err);
}

const struct tdat_sink_ops ctf_events = {
	.size = sizeof(struct tdat_sink_ops),
	.open = worker_open,
	.close = export_type_worker_free,
	.batch = put_batch,
};
