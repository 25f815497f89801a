/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes events as messages: time, pid, and one message with the values of their fields. It
 * follows the plan of the type field by field, and reads values inside the record only. Texts
 * are made valid UTF-8. Called by worker.c on all threads.
 */
#include "event_write.h"

#include <string.h>

#include "core/endian.h"
#include "core/number.h"
#include "export/put_cell.h"
#include "numbers.h"
#include "proto.h"

/* Extends the sign of a number of len bytes to 64 bits. */
static uint64_t sign_extended(uint64_t v, uint32_t len)
{
	const uint32_t unused = 64 - 8 * len;

	return (uint64_t)((int64_t)(v << unused) >> unused);
}

/*
 * Reads a field's number, widened to 64 bits and cut to what the message's field holds. False: it
 * is outside the record.
 */
static inline bool number_of(const struct pf_field *f, struct tdat_span record, bool big,
			     uint64_t *v)
{
	const uint32_t off = f->field->off, len = f->field->len;

	if (off > record.len || len > record.len - off)
		return false;
	*v = tdat_load_uint(record.ptr + off, len, big);
	if (f->is_signed)
		*v = sign_extended(*v, len);
	if (f->narrow == 'i')
		*v = sign_extended(*v & UINT32_MAX, 4);
	else if (f->narrow)
		*v &= UINT32_MAX;
	return true;
}

/*
 * Appends the text of a field that is read through cells. False: it has no value. The first failure
 * stays in r->status.
 */
static bool put_cell(const struct pf_field *f, struct tdat_span record, struct pf_reader *r,
		     struct tdat_build *out)
{
	static const struct export_style plain;
	struct tdat_cell c;
	enum tdat_status st;

	if (f->column == PF_NO_COLUMN)
		return false;
	st = tdat_cells_get(r->cells, r->type, f->column, record, &c, r->err);
	if (st != TDAT_OK) {
		r->status = r->status == TDAT_OK ? st : r->status;
		return false;
	}
	switch (c.kind) {
	case TDAT_CELL_BOOL:
	case TDAT_CELL_INT:
		tdat_number_int(out, c.number, c.is_signed);
		return true;
	case TDAT_CELL_TEXT:
	case TDAT_CELL_JSON:
		tdat_build_utf8(out, c.bytes.ptr, c.bytes.len);
		return true;
	case TDAT_CELL_BYTES:
		tdat_build_hex(out, c.bytes.ptr, c.bytes.len);
		return true;
	case TDAT_CELL_INTS:
	case TDAT_CELL_BITS:
		export_items(out, &plain, &c);
		return true;
	default:
		return false;
	}
}

/* ---- stacks ---- */

/*
 * Frames of a stack in a record. A kernel's stack is as long as its record whatever the format
 * says; since Linux 5.9 its field size gives the count (kernel/trace/trace_entries.h), and
 * ULONG_MAX may end it. A user's stack has eight places, or
 * those of the record (perf); unused ones are 0.
 */
static struct tdat_span stack_of(const struct pf_plan *plan, struct tdat_span record, bool big)
{
	const struct tdat_field *f = plan->frames;
	const uint32_t len = f->elem_len;
	struct tdat_span s = {NULL, 0};
	uint64_t count;

	if (f->off > record.len || (len != 4 && len != 8))
		return s;
	s = (struct tdat_span){record.ptr + f->off, record.len - f->off};
	if (plan->user && f->len && s.len > f->len)
		s.len = f->len;
	if (plan->size && tdat_field_u64(plan->size, record, &count, NULL) == TDAT_OK &&
	    count < s.len / len)
		s.len = (size_t)count * len;
	s.len -= s.len % len;
	for (size_t at = 0; at < s.len; at += len) {
		const uint64_t v = tdat_load_uint(s.ptr + at, len, big);

		/* The value of ULONG_MAX, for the size of an address. */
		if (v == UINT64_MAX >> (64 - 8 * len) || (plan->user && !v))
			s.len = at;
	}
	return s;
}

/* Appends the addresses of a stack as u64 of the host, for stacks.c. */
void pf_stack_write(const struct pf_plan *plan, struct tdat_span record, bool big,
		    struct tdat_build *out)
{
	const struct tdat_span s = stack_of(plan, record, big);
	const uint32_t len = plan->frames->elem_len;

	for (size_t at = 0; at < s.len; at += len) {
		const uint64_t addr = tdat_load_uint(s.ptr + at, len, big);

		tdat_build_bytes(out, &addr, sizeof(addr));
	}
}

/* ---- fields ---- */

/* Writes a repeated field, one number after the other. */
static void put_each(struct tdat_build *out, const struct pf_field *f, struct tdat_span bytes,
		     bool big)
{
	const uint32_t len = f->field->elem_len;

	for (size_t at = 0; bytes.len - at >= len; at += len)
		proto_u64(out, f->number, tdat_load_uint(bytes.ptr + at, len, big));
}

/*
 * Writes a field that is not a plain number. number: of the message's field, or of a pair's value.
 */
static void put_long_field(const struct pf_field *f, uint32_t number, struct tdat_span record,
			   struct pf_reader *r, struct tdat_build *out)
{
	const size_t before = out->len;
	struct tdat_span bytes;
	size_t start;

	if (f->kind == PF_STRING) {
		if (tdat_field_string(f->field, record, &bytes, NULL) == TDAT_OK)
			proto_string(out, number, bytes.ptr, bytes.len);
	} else if (f->kind == PF_CELL) {
		start = proto_open(out, number);
		if (put_cell(f, record, r, out))
			proto_close(out, start);
		else
			/* No value: take the tag off again. */
			out->len = before;
	} else if (tdat_field_bytes(f->field, record, &bytes, NULL) == TDAT_OK) {
		if (f->kind == PF_BYTES)
			proto_bytes(out, number, bytes.ptr, bytes.len);
		else
			put_each(out, f, bytes, r->big);
	}
}

/* Writes the first count fields of a plan. */
static void put_fields(const struct pf_plan *plan, size_t count, struct tdat_span record,
		       struct pf_reader *r, struct tdat_build *out)
{
	for (size_t i = 0; i < count; i++) {
		const struct pf_field *f = &plan->fields[i];
		uint64_t v;

		if (f->kind != PF_NUMBER)
			put_long_field(f, f->number, record, r, out);
		else if (number_of(f, record, r->big, &v))
			proto_u64(out, f->number, v);
	}
}

/*
 * Writes the fields without a number of their own as one text, "name=value name=value". It ends at
 * the limit print_len, with a mark.
 */
static void put_more(const struct pf_plan *plan, struct tdat_span record, struct pf_reader *r,
		     struct tdat_build *out)
{
	const size_t start = proto_open(out, (uint32_t)plan->own_count + 1);
	struct tdat_build text;

	tdat_build_init(&text, false);
	for (size_t i = plan->own_count; i < plan->count; i++) {
		const struct pf_field *f = &plan->fields[i];
		struct tdat_span bytes;
		uint64_t v;

		tdat_build_str(&text, i > plan->own_count ? " " : "");
		if (text.len > r->text_most) {
			tdat_build_str(&text, "[CUT AT LIMIT print_len]");
			break;
		}
		tdat_build_str(&text, f->field->name);
		tdat_build_u8(&text, '=');
		if (f->kind == PF_NUMBER && number_of(f, record, r->big, &v)) {
			tdat_number_int(&text, v, f->is_signed);
		} else if (f->kind == PF_STRING &&
			   tdat_field_string(f->field, record, &bytes, NULL) == TDAT_OK) {
			tdat_build_bytes(&text, bytes.ptr, bytes.len);
		} else if (f->kind == PF_CELL) {
			put_cell(f, record, r, &text);
		}
	}
	tdat_build_utf8(out, text.ptr, text.len);
	out->failed |= text.failed;
	tdat_build_fini(&text);
	proto_close(out, start);
}

/* ---- the pairs of older readers ---- */

/* Writes one field as a pair of GenericFtraceEvent, for readers that know no descriptors. */
static void put_pair(const struct pf_field *f, struct tdat_span record, struct pf_reader *r,
		     struct tdat_build *out)
{
	const size_t start = proto_open(out, PF_GENERIC_FIELD);
	uint64_t v;

	proto_cstr(out, PF_GENERIC_FIELD_NAME, f->field->name);
	if (f->kind != PF_NUMBER)
		put_long_field(f, PF_GENERIC_FIELD_STR, record, r, out);
	else if (number_of(f, record, r->big, &v))
		proto_u64(out, f->is_signed ? PF_GENERIC_FIELD_INT : PF_GENERIC_FIELD_UINT, v);
	proto_close(out, start);
}

static void put_text_pair(const char *name, struct tdat_span text, struct tdat_build *out)
{
	const size_t start = proto_open(out, PF_GENERIC_FIELD);

	proto_cstr(out, PF_GENERIC_FIELD_NAME, name);
	proto_string(out, PF_GENERIC_FIELD_STR, text.ptr, text.len);
	proto_close(out, start);
}

/* Writes an event as GenericFtraceEvent: its name and the pairs, up to the limit print_len. */
static void put_pairs(const struct pf_plan *plan, struct tdat_span record, struct pf_reader *r,
		      struct tdat_span text, struct tdat_build *out)
{
	const struct tdat_span limit = {(const uint8_t *)"print_len", 9};
	const size_t most = out->len + r->text_most;
	size_t i;

	proto_cstr(out, PF_GENERIC_NAME, tdat_event_format_name(plan->format));
	for (i = 0; i < plan->count && out->len <= most; i++)
		put_pair(&plan->fields[i], record, r, out);
	if (i < plan->count)
		put_text_pair("cut", limit, out);
	if (plan->text)
		put_text_pair("text", text, out);
}

/* ---- events ---- */

/* Writes timestamp and pid, with which each FtraceEvent begins. Room for both is reserved once. */
static inline void put_head(const struct tdat_event *ev, struct tdat_build *out)
{
	uint8_t *p = tdat_build_room(out, 2 * (1 + PROTO_VARINT_MAX)), *end;

	if (!p)
		return;
	end = proto_tag_at(p, PF_EVENT_TIMESTAMP, PROTO_VARINT);
	end = proto_varint_at(end, ev->ts);
	end = proto_tag_at(end, PF_EVENT_PID, PROTO_VARINT);
	end = proto_varint_at(end, (uint32_t)ev->pid);
	out->len += (size_t)(end - p);
}

/* Writes an event as an FtraceEvent without its own tag. text: the printed text, if plan->text. */
void pf_event_write(const struct pf_plan *plan, const struct tdat_event *ev, struct pf_reader *r,
		    struct tdat_span text, struct tdat_build *out)
{
	size_t start;

	put_head(ev, out);
	start = proto_open(out, plan->number);
	if (plan->form == PF_PAIRS) {
		put_pairs(plan, ev->record, r, text, out);
	} else {
		size_t last = plan->own_count;

		put_fields(plan, last, ev->record, r, out);
		if (last < plan->count) {
			put_more(plan, ev->record, r, out);
			last++;
		}
		if (plan->text)
			proto_string(out, (uint32_t)last + 1, text.ptr, text.len);
	}
	proto_close(out, start);
}

/* Writes a mark as print: markup in it becomes slices and counters of trace processor. */
void pf_mark_write(const struct pf_plan *plan, const struct tdat_event *ev, bool big,
		   struct tdat_span text, struct tdat_build *out)
{
	const struct tdat_field *ip = plan->ip;
	size_t start;

	put_head(ev, out);
	start = proto_open(out, PF_EVENT_PRINT);
	if (ip && (ip->len == 4 || ip->len == 8) && ip->off <= ev->record.len &&
	    ip->len <= ev->record.len - ip->off)
		proto_u64(out, PF_PRINT_IP, tdat_load_uint(ev->record.ptr + ip->off, ip->len, big));
	proto_string(out, PF_PRINT_BUF, text.ptr, text.len);
	proto_close(out, start);
}

/* ---- events that their file does not describe ---- */

/* Writes the made-up name of an event that its file does not describe. */
static void unknown_name(uint32_t id, struct tdat_build *out, uint32_t number)
{
	const size_t start = proto_open(out, number);

	tdat_build_str(out, "unknown_event_");
	tdat_number_u64(out, id);
	proto_close(out, start);
}

/* Writes an event without a format: its record in hexadecimal. */
void pf_unknown_write(const struct tdat_event *ev, uint32_t number, bool pairs,
		      struct tdat_build *out)
{
	size_t start, pair = 0, value;

	put_head(ev, out);
	start = proto_open(out, pairs ? (uint32_t)PF_EVENT_GENERIC : number);
	if (pairs) {
		unknown_name(ev->id, out, PF_GENERIC_NAME);
		pair = proto_open(out, PF_GENERIC_FIELD);
		proto_cstr(out, PF_GENERIC_FIELD_NAME, "record");
	}
	value = proto_open(out, pairs ? (uint32_t)PF_GENERIC_FIELD_STR : 1);
	tdat_build_hex(out, ev->record.ptr, ev->record.len);
	proto_close(out, value);
	if (pairs)
		proto_close(out, pair);
	proto_close(out, start);
}

/* Writes the descriptor for pf_unknown_write(). */
void pf_unknown_describe(uint32_t id, uint32_t number, struct tdat_build *b)
{
	const size_t at = proto_open(b, PF_BUNDLE_DESCRIPTOR);
	size_t proto;

	proto_u64(b, PF_DESCRIPTOR_ID, number);
	proto = proto_open(b, PF_DESCRIPTOR_PROTO);
	unknown_name(id, b, PF_PROTO_NAME);
	pf_describe_field(b, "record", 1, PF_TYPE_STRING);
	proto_close(b, proto);
	proto_close(b, at);
}
