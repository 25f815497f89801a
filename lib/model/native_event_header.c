/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints EventHeader events: the name that the record says, its fields as JSON, then what of
 * the header is not 0. Records that do not say their name are left to print fmt. The handler
 * fits any event whose fields have the header's shape (event_header.c). Used by default text,
 * and by tables through record_part.c.
 */
#include "bytes_text.h"
#include "event_header.h"
#include "core/json_text.h"
#include "native_tables.h"
#include "native_util.h"

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
	uuid_put(id.ptr, false, false, out);
}

/* Prints one event. False: print fmt is used, because the record does not describe itself. */
static bool run(const struct model_native *n, const struct model_event *event,
		struct tdat_build *out)
{
	const struct tdat_span record = event->record;
	struct event_header h;
	struct tdat_span rest;

	if (!event_header_read(n->format, record, &h) || !h.described)
		return false;
	tdat_json_inside(out, h.name);
	tdat_build_u8(out, ' ');
	rest = event_header_put_fields(&h, model_text_most(n->env, record.len), out);
	put_header(n->format, record, out);
	put_id(" activity=", h.activity, out);
	put_id(" related=", h.related, out);
	/* Bytes that were not decoded are shown, not dropped. */
	if (rest.len)
		tdat_build_str(out, " rest=");
	tdat_build_hex(out, rest.ptr, rest.len);
	return true;
}

const struct model_native_entry native_event_header = {.run = run};
