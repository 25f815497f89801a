/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints EventHeader events: the name that the record says, its fields as JSON, then what of
 * the header is not 0. Records that do not say their name are left to print fmt. The handler
 * fits any event whose fields have the header's shape (event_header.c). Used by default text,
 * and by tables through record_part.c.
 */
#include "event_header.h"
#include "core/json_text.h"
#include "native_tables.h"
#include "native_util.h"

/* A handler of one event type, with the limits of its text. */
struct handler {
	struct model_native base;
	const struct tdat_event_format *format;
	uint32_t text_max, text_per_byte;
};

/* Prints the fields of the header that are not 0: version, id, tag, opcode, level. */
static void put_header(const struct tdat_event_format *format, struct tdat_span record,
		       struct tdat_build *out)
{
	/* The flags only say how to decode. */
	for (size_t i = format->common_count + 1; i < format->field_count; i++) {
		const struct tdat_field *f = &format->fields[i];
		const uint64_t v = native_load(record, f->off, f->len, format->big);

		if (v)
			tdat_build_printf(out, !strcmp(f->name, "tag") ? " %s=0x%x" : " %s=%u",
					  f->name, (unsigned)v);
	}
}

/* Prints an activity's id if the record has one. */
static void put_id(const char *name, struct tdat_span id, struct tdat_build *out)
{
	if (!id.len)
		return;
	tdat_build_str(out, name);
	event_header_put_uuid(id.ptr, out);
}

/* Prints one event. False: print fmt is used, because the record does not describe itself. */
static bool run(const struct model_native *self, const struct model_event *event,
		struct tdat_build *out)
{
	const struct handler *n = (const struct handler *)self;
	const struct tdat_span record = event->record;
	struct event_header h;
	struct tdat_span rest;

	if (!event_header_read(n->format, record, &h) || !h.described)
		return false;
	tdat_json_inside(out, h.name);
	tdat_build_u8(out, ' ');
	rest = event_header_put_fields(&h, n->text_max + (size_t)n->text_per_byte * record.len,
				       out);
	put_header(n->format, record, out);
	put_id(" activity=", h.activity, out);
	put_id(" related=", h.related, out);
	/* Bytes that were not decoded are shown, not dropped. */
	if (rest.len)
		tdat_build_str(out, " rest=");
	for (size_t i = 0; i < rest.len; i++)
		tdat_number_x64(out, rest.ptr[i], 2);
	return true;
}

enum tdat_status native_event_header(struct model_native **out,
				     const struct tdat_event_format *format,
				     const struct model_env *env, struct tdat_error *err)
{
	struct handler *n = native_alloc(sizeof(*n), format, err);

	if (!n)
		return TDAT_E_NOMEM;
	n->base.run = run;
	n->format = format;
	n->text_max = model_text_max(env);
	n->text_per_byte = model_text_per_byte(env);
	*out = &n->base;
	return TDAT_OK;
}
