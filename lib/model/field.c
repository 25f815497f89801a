/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the values of fields in records; every read is inside the record or fails. It is also
 * the public way to a format's facts (include/tdat/event.h). A dynamic field's offset and
 * length come from the record and are checked against it. Numbers are in the byte order of the
 * format's file.
 */
#include "expr_op.h"
#include "format.h"

#include <string.h>

#include "core/checked.h"
#include "core/endian.h"

uint32_t tdat_event_format_id(const struct tdat_event_format *format)
{
	return format->id;
}

const char *tdat_event_format_name(const struct tdat_event_format *format)
{
	return format->name;
}

const char *tdat_event_format_system(const struct tdat_event_format *format)
{
	return format->system;
}

const char *tdat_event_format_print_fmt(const struct tdat_event_format *format)
{
	return format->print_fmt;
}

const struct tdat_field *tdat_event_format_fields(const struct tdat_event_format *format,
						  size_t *count)
{
	*count = format->field_count;
	return format->fields;
}

/*
 * Returns the field of that name, common_* fields included, or NULL. Linear: look a name up once
 * for each format, not for each record.
 */
const struct tdat_field *tdat_event_format_field(const struct tdat_event_format *format,
						 const char *name)
{
	size_t i;

	for (i = 0; i < format->field_count; i++)
		if (!strcmp(format->fields[i].name, name))
			return &format->fields[i];
	return NULL;
}

/*
 * Reports a field that ends behind its record. The record may be cut short by a damaged page, or
 * its offset and length may come from a dynamic field that lies.
 */
static enum tdat_status cut(const struct tdat_field *f, uint64_t off, uint64_t len,
			    struct tdat_span record, struct tdat_error *err)
{
	return tdat_error_set(err, TDAT_E_DAMAGED, TDAT_NO_OFFSET,
			      "field %s of event %s is at offset %llu with %llu bytes, but the "
			      "record has only %zu bytes",
			      f->name, f->format->name, (unsigned long long)off,
			      (unsigned long long)len, record.len);
}

/*
 * Reads a number without its sign. A field of another length than 1, 2, 4 or 8 bytes is the
 * caller's mistake (TDAT_E_USAGE); one outside the record is damage of the file.
 */
enum tdat_status tdat_field_u64(const struct tdat_field *f, struct tdat_span record, uint64_t *out,
				struct tdat_error *err)
{
	if (!model_is_number_len(f->len))
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "field %s of event %s has %u bytes and is not an integer",
				      f->name, f->format->name, f->len);
	if (!tdat_range_ok(f->off, f->len, record.len))
		return cut(f, f->off, f->len, record, err);
	*out = tdat_load_uint(record.ptr + f->off, f->len, f->format->big);
	return TDAT_OK;
}

enum tdat_status tdat_field_i64(const struct tdat_field *f, struct tdat_span record, int64_t *out,
				struct tdat_error *err)
{
	uint64_t v;
	enum tdat_status status = tdat_field_u64(f, record, &v, err);

	if (status == TDAT_OK)
		*out = f->flags & TDAT_FIELD_SIGNED ? (int64_t)expr_sign(v, 8 * f->len)
						    : (int64_t)v;
	return status;
}

/*
 * Reads where a __data_loc or __rel_loc points to. Its 32 bits are length << 16 | offset; the
 * offset counts from the record (__data_loc) or from the end of the field itself (__rel_loc).
 *
 * Formats of synthetic events declare 8 bytes for a dynamic string. The kernel fills the first four
 * of them, whatever the byte order (kernel/trace/trace_events_synth.c: union trace_synth_field).
 * libtraceevent reads all eight as one number, so big-endian texts of trace-cmd, and ours
 * (run_dynamic), are empty there.
 */
static enum tdat_status dynamic(const struct tdat_field *f, struct tdat_span record, uint64_t *off,
				uint64_t *len, struct tdat_error *err)
{
	uint64_t v;
	enum tdat_status status = tdat_field_u64(f, record, &v, err);

	if (status != TDAT_OK)
		return status;
	if (f->len == 8)
		v = tdat_load32(record.ptr + f->off, f->format->big);
	*off = v & 0xffff;
	if (f->flags & TDAT_FIELD_RELATIVE)
		*off += (uint64_t)f->off + f->len;
	if (f->len == 2) /* before 2.6.33: a string up to its NUL */
		*len = *off < record.len ? record.len - *off : 0;
	else
		*len = (v >> 16) & 0xffff;
	return TDAT_OK;
}

/*
 * Returns the bytes of a field as a span of the record. A dynamic field's bytes lie behind the
 * fixed part; a flexible one (size 0 in the format) reaches to the end of the record.
 */
enum tdat_status tdat_field_bytes(const struct tdat_field *f, struct tdat_span record,
				  struct tdat_span *out, struct tdat_error *err)
{
	uint64_t off = f->off, len = f->len;
	enum tdat_status status;

	if (f->flags & TDAT_FIELD_DYNAMIC) {
		status = dynamic(f, record, &off, &len, err);
		if (status != TDAT_OK)
			return status;
	} else if (f->flags & TDAT_FIELD_FLEXIBLE) {
		len = off < record.len ? record.len - off : 0;
	}
	/* The only check that covers all three kinds: off and len may come from the record. */
	if (!tdat_range_ok(off, len, record.len))
		return cut(f, off, len, record, err);
	out->ptr = record.ptr + off;
	out->len = (size_t)len;
	return TDAT_OK;
}

/* Returns the bytes up to the first NUL. Without a NUL the whole array is the string. */
enum tdat_status tdat_field_string(const struct tdat_field *f, struct tdat_span record,
				   struct tdat_span *out, struct tdat_error *err)
{
	enum tdat_status status = tdat_field_bytes(f, record, out, err);
	const uint8_t *nul;

	if (status != TDAT_OK || !out->len)
		return status;
	nul = memchr(out->ptr, 0, out->len);
	if (nul)
		out->len = (size_t)(nul - out->ptr);
	return TDAT_OK;
}

/*
 * Reads element index of an array, without its sign. The count of elements follows from the bytes
 * in the record, because a dynamic array has a length of its own in each record.
 */
enum tdat_status tdat_field_elem(const struct tdat_field *f, struct tdat_span record, size_t index,
				 uint64_t *out, struct tdat_error *err)
{
	struct tdat_span bytes;
	enum tdat_status status;
	size_t count;

	if (!model_is_number_len(f->elem_len))
		return tdat_error_set(
			err, TDAT_E_USAGE, TDAT_NO_OFFSET,
			"elements of field %s of event %s have %u bytes and are not integers",
			f->name, f->format->name, f->elem_len);
	status = tdat_field_bytes(f, record, &bytes, err);
	if (status != TDAT_OK)
		return status;
	count = bytes.len / f->elem_len;
	if (index >= count)
		return tdat_error_set(
			err, TDAT_E_USAGE, TDAT_NO_OFFSET,
			"field %s of event %s has %zu elements, but element %zu was requested",
			f->name, f->format->name, count, index);
	*out = tdat_load_uint(bytes.ptr + index * f->elem_len, f->elem_len, f->format->big);
	return TDAT_OK;
}
