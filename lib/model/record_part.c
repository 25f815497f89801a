/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds values of records that are no fields: which event types have some, and how each is made. */
#include "record_part.h"

#include "event_header.h"
#include "print_prog.h"

/* ---- EventHeader ---- */

static bool eh_name(const struct record_part_in *in, struct tdat_build *out)
{
	struct event_header h;

	if (!event_header_read(in->format, in->record, &h) || !h.described)
		return false;
	tdat_build_bytes(out, h.name.ptr, h.name.len);
	return true;
}

static bool put_id(struct tdat_span id, struct tdat_build *out)
{
	if (id.len)
		event_header_put_uuid(id.ptr, out);
	return id.len;
}

static bool eh_activity(const struct record_part_in *in, struct tdat_build *out)
{
	struct event_header h;

	return event_header_read(in->format, in->record, &h) && put_id(h.activity, out);
}

static bool eh_related(const struct record_part_in *in, struct tdat_build *out)
{
	struct event_header h;

	return event_header_read(in->format, in->record, &h) && put_id(h.related, out);
}

static bool eh_fields(const struct record_part_in *in, struct tdat_build *out)
{
	struct event_header h;

	if (!event_header_read(in->format, in->record, &h) || !h.described)
		return false;
	event_header_put_fields(&h, in->text_most, out);
	return true;
}

/* The bytes that eh_fields has not decoded. */
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

static const struct record_part eh_parts[] = {
	{"eh_name", RECORD_PART_TEXT, eh_name},
	{"eh_fields", RECORD_PART_JSON, eh_fields},
	{"eh_activity", RECORD_PART_TEXT, eh_activity},
	{"eh_related", RECORD_PART_TEXT, eh_related},
	{"eh_rest", RECORD_PART_BYTES, eh_rest},
};

/* ---- trace_printk() ---- */

static bool load(const struct record_part_in *in, const char *name, uint64_t *v)
{
	const struct tdat_field *f = tdat_format_field(in->format, name);

	return f && tdat_field_u64(f, in->record, v, NULL) == TDAT_OK;
}

/* The string that a field points to; the address where the file has no such string. */
static bool put_pointed(const struct record_part_in *in, const char *name, struct tdat_build *out)
{
	struct tdat_span s;
	uint64_t addr;

	if (!load(in, name, &addr))
		return false;
	s = in->env->printk ? model_printk_find(in->env->printk, addr)
			    : (struct tdat_span){NULL, 0};
	if (s.ptr) {
		print_escapes(s, out);
	} else {
		tdat_build_str(out, "0x");
		tdat_number_x64(out, addr, 0);
	}
	return true;
}

static bool bprint_fmt(const struct record_part_in *in, struct tdat_build *out)
{
	return put_pointed(in, "fmt", out);
}

static bool bprint(const struct record_part_in *in, bool args, struct tdat_build *out)
{
	const struct tdat_field *buf = tdat_format_field(in->format, "buf");
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

/* A string without conversions: a constant one, or one that the kernel has printed already. */
static bool no_args(const struct record_part_in *in, struct tdat_build *out)
{
	(void)in;
	tdat_build_str(out, "[]");
	return true;
}

static bool none(const struct record_part_in *in, struct tdat_build *out)
{
	(void)in;
	(void)out;
	return false;
}

static bool print_text(const struct record_part_in *in, struct tdat_build *out)
{
	const struct tdat_field *buf = tdat_format_field(in->format, "buf");
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
	{"fmt", RECORD_PART_TEXT, bprint_fmt},
	{"args", RECORD_PART_JSON, bprint_args},
	{"text", RECORD_PART_TEXT, bprint_text},
};

static const struct record_part bputs_parts[] = {
	{"fmt", RECORD_PART_TEXT, bputs_text},
	{"args", RECORD_PART_JSON, no_args},
	{"text", RECORD_PART_TEXT, bputs_text},
};

/* The kernel has printed it before it was recorded, and kept no string to print it by. */
static const struct record_part print_parts[] = {
	{"fmt", RECORD_PART_TEXT, none},
	{"args", RECORD_PART_JSON, none},
	{"text", RECORD_PART_TEXT, print_text},
};

const struct record_part *record_parts(const struct tdat_format *format, size_t *count)
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
	if (strcmp(format->system, "ftrace"))
		return NULL;
	for (size_t i = 0; i < sizeof(printks) / sizeof(printks[0]); i++)
		if (!strcmp(format->name, printks[i].name)) {
			*count = sizeof(bprint_parts) / sizeof(bprint_parts[0]);
			return printks[i].parts;
		}
	return NULL;
}
