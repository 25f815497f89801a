/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds values of records that are not fields. A part is a column without a field behind it: string
 * and arguments of trace_printk(), name and values of EventHeader events. The format decides which
 * event has parts, never a record, so a schema is known before an event is read. A new part is a
 * row in a table below. Used by lib/table.
 */
#include "record_part.h"

#include "bytes_text.h"
#include "bprint_args.h"
#include "event_header.h"
#include "print_prog.h"

/* ---- EventHeader ---- */

enum { EH_NAME, EH_FIELDS, EH_ACTIVITY, EH_RELATED };

/* A column of the header, which each reads anew, as columns are filled one by one. */
static bool eh_put(const struct record_part_in *in, struct tdat_build *out)
{
	struct event_header h;
	struct tdat_span id;

	if (!event_header_read(in->format, in->record, &h))
		return false;
	if (in->part->field == EH_NAME && h.described)
		tdat_build_bytes(out, h.name.ptr, h.name.len);
	else if (in->part->field == EH_FIELDS && h.described)
		event_header_put_fields(&h, in->text_most, out);
	if (in->part->field == EH_NAME || in->part->field == EH_FIELDS)
		return h.described;
	id = in->part->field == EH_ACTIVITY ? h.activity : h.related;
	if (id.len)
		uuid_put(id.ptr, false, false, out);
	return id.len;
}

/* Appends the bytes that column eh_fields did not decode; of a record without a sound header, all.
 */
static bool eh_rest(const struct record_part_in *in, struct tdat_build *out)
{
	const size_t len = out->len;
	const size_t off = in->format->fields[in->format->common_count].off;
	struct tdat_span rest = {NULL, 0};
	struct event_header h;

	if (event_header_read(in->format, in->record, &h)) {
		rest = event_header_put_fields(&h, in->text_most, out);
		out->len = len;
	} else if (in->record.len > off) {
		rest = (struct tdat_span){in->record.ptr + off, in->record.len - off};
	}
	tdat_build_bytes(out, rest.ptr, rest.len);
	return rest.len;
}

/*
 * The columns of every EventHeader event. Further ones, one for each field, are made by lib/table
 * if all records of an event have the same shape.
 */
static const struct record_part eh_parts[] = {
	{.column = "eh_name", .type = RECORD_PART_TEXT, .put = eh_put, .field = EH_NAME},
	{.column = "eh_fields", .type = RECORD_PART_JSON, .put = eh_put, .field = EH_FIELDS},
	{.column = "eh_activity", .type = RECORD_PART_TEXT, .put = eh_put, .field = EH_ACTIVITY},
	{.column = "eh_related", .type = RECORD_PART_TEXT, .put = eh_put, .field = EH_RELATED},
	{.column = "eh_rest", .type = RECORD_PART_BYTES, .put = eh_rest},
};

/* Appends the value of a field that all records of the event have in one type. */
static bool eh_value(const struct record_part_in *in, struct tdat_build *out)
{
	struct event_header h;

	return event_header_read(in->format, in->record, &h) &&
	       event_header_has_shape(&h, in->part->shape) &&
	       event_header_put_one(&h, in->part->shape, in->part->field, out);
}

/* Returns the column of one field of such a shape. */
struct record_part record_part_of_shape(const struct event_header_shape *shape, size_t field,
					const char *column)
{
	static const enum record_part_type types[] = {[EVENT_HEADER_INT] = RECORD_PART_INT,
						      [EVENT_HEADER_BOOL] = RECORD_PART_BOOL,
						      [EVENT_HEADER_TEXT] = RECORD_PART_TEXT};
	const struct event_header_field *f = &shape->fields[field];

	return (struct record_part){.column = column,
				    .type = types[f->kind],
				    .put = eh_value,
				    .shape = shape,
				    .field = field,
				    .len = f->len,
				    .is_signed = f->is_signed};
}

/* ---- trace_printk() ---- */

/* Reads a number by its field's name. False: there is none, or it is outside the record. */
static bool load(const struct record_part_in *in, const char *name, uint64_t *v)
{
	const struct tdat_field *f = tdat_event_format_field(in->format, name);

	return f && tdat_field_u64(f, in->record, v, NULL) == TDAT_OK;
}

/* Appends the string that a field points to; the address if the file has no such string. */
static bool put_pointed(const struct record_part_in *in, const char *name, struct tdat_build *out)
{
	struct tdat_span s;
	uint64_t addr;

	if (!load(in, name, &addr))
		return false;
	s = model_printk_find(in->env->printk, addr);
	if (s.ptr)
		bprint_escapes(s, out);
	else
		tdat_number_0x(out, addr);
	return true;
}

/* Columns of trace_printk() and trace_puts(). */
static bool bprint_fmt(const struct record_part_in *in, struct tdat_build *out)
{
	return put_pointed(in, "fmt", out);
}

/* Appends the text of trace_printk(), or its arguments as JSON. */
static bool bprint(const struct record_part_in *in, bool args, struct tdat_build *out)
{
	const struct tdat_field *buf = tdat_event_format_field(in->format, "buf");
	/* A run without a program: print_bprint_part() reads the record alone. */
	const struct run r = {.data = in->record.ptr,
			      .avail = in->record.len,
			      .size = in->record.len,
			      .most = in->text_most,
			      .env = in->env,
			      .scratch = in->scratch};
	uint64_t addr;

	return buf && load(in, "fmt", &addr) && print_bprint_part(&r, addr, buf->off, args, out);
}

static bool bprint_args(const struct record_part_in *in, struct tdat_build *out)
{
	return bprint(in, true, out);
}

static bool bprint_text(const struct record_part_in *in, struct tdat_build *out)
{
	return bprint(in, false, out);
}

static bool bputs_text(const struct record_part_in *in, struct tdat_build *out)
{
	return put_pointed(in, "str", out);
}

/* A string without conversions: a constant, or one that the kernel formatted already. */
static bool no_args(const struct record_part_in *in, struct tdat_build *out)
{
	(void)in;
	tdat_build_str(out, "[]");
	return true;
}

/* The value is NULL for every record: the column exists for a common schema. */
static bool none(const struct record_part_in *in, struct tdat_build *out)
{
	(void)in;
	(void)out;
	return false;
}

/* Appends the text of ftrace:print without its final newline, which trace_marker adds. */
static bool print_text(const struct record_part_in *in, struct tdat_build *out)
{
	const struct tdat_field *buf = tdat_event_format_field(in->format, "buf");
	struct tdat_span s;

	if (!buf || buf->off > in->record.len)
		return false;
	s = (struct tdat_span){in->record.ptr + buf->off, in->record.len - buf->off};
	s.len = strnlen((const char *)s.ptr, s.len);
	if (s.len && s.ptr[s.len - 1] == '\n')
		s.len--;
	tdat_build_bytes(out, s.ptr, s.len);
	return true;
}

static const struct record_part bprint_parts[] = {
	{.column = "fmt", .type = RECORD_PART_TEXT, .put = bprint_fmt},
	{.column = "args", .type = RECORD_PART_JSON, .put = bprint_args},
	{.column = "text", .type = RECORD_PART_TEXT, .put = bprint_text},
};

static const struct record_part bputs_parts[] = {
	{.column = "fmt", .type = RECORD_PART_TEXT, .put = bputs_text},
	{.column = "args", .type = RECORD_PART_JSON, .put = no_args},
	{.column = "text", .type = RECORD_PART_TEXT, .put = bputs_text},
};

/* The kernel has printed it before it was recorded, and kept no string to print it by. */
static const struct record_part print_parts[] = {
	{.column = "fmt", .type = RECORD_PART_TEXT, .put = none},
	{.column = "args", .type = RECORD_PART_JSON, .put = none},
	{.column = "text", .type = RECORD_PART_TEXT, .put = print_text},
};

const struct record_part *record_parts(const struct tdat_event_format *format, size_t *count)
{
	static const struct {
		const char *name;
		const struct record_part *parts;
	} printks[] = {{"bprint", bprint_parts}, {"bputs", bputs_parts}, {"print", print_parts}};

	*count = 0;
	if (event_header_is(format)) {
		*count = sizeof(eh_parts) / sizeof(eh_parts[0]);
		return eh_parts;
	}
	/* Events of other systems may have the same names. */
	if (strcmp(format->system, "ftrace"))
		return NULL;
	for (size_t i = 0; i < sizeof(printks) / sizeof(printks[0]); i++)
		if (!strcmp(format->name, printks[i].name)) {
			*count = sizeof(bprint_parts) / sizeof(bprint_parts[0]);
			return printks[i].parts;
		}
	return NULL;
}
