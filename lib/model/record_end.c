/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds where that ends which the fields of a record describe. */
#include "record_end.h"

#include <string.h>

#include "bprint_args.h"
#include "core/endian.h"

/*
 * Where a kernel 6.12 has room for the times of funcgraph_exit twice, the second is not set: it has
 * the bytes of an event that was there before.
 */
enum { GRAPH_SPARE = 16 };

/* Behind text are a newline that was added and the alignment; programs write more into user events.
 */
enum { TEXT_SPARE = 4, USER_SPARE = 8 };

/* Bytes that kernels since 5.8, and those before, have for text of a synthetic event. */
enum { WIDE_TEXT = 256, WIDE_TEXT_OLD = 32 };

static bool is_event(const struct tdat_format *format, const char *system, const char *name)
{
	return !strcmp(format->system, system) && !strcmp(format->name, name);
}

/* The index of a field; field_count: there is none. */
static size_t find_field(const struct tdat_format *format, const char *name)
{
	size_t i = 0;

	while (i < format->field_count && strcmp(format->fields[i].name, name) != 0)
		i++;
	return i;
}

/*
 * Kernels since 5.6 tell how many addresses a stack has, which begin where its last field does.
 * Before, a stack could be longer than that field.
 */
static enum model_end_kind kind_of_stack(struct tdat_format *format)
{
	const size_t size = find_field(format, "size");

	if (size == format->field_count || format->fields[size].len != 4)
		return MODEL_END_UNKNOWN;
	format->end.locs[0] = (uint32_t)size;
	return MODEL_END_STACK;
}

/* The address of a string, and behind it words that its arguments are packed into. */
static enum model_end_kind kind_of_bprint(struct tdat_format *format)
{
	const size_t string = find_field(format, "fmt");
	const struct tdat_field *last;

	if (string >= format->field_count - 1 || format->fields[string].len > 8)
		return MODEL_END_UNKNOWN;
	last = &format->fields[format->field_count - 1];
	if (!(last->flags & TDAT_FIELD_FLEXIBLE) || last->off < format->fixed_len || last->off & 3)
		return MODEL_END_UNKNOWN;
	format->end.locs[0] = (uint32_t)string;
	return MODEL_END_BPRINT;
}

static enum model_end_kind kind_of_fields(struct tdat_format *format)
{
	struct model_end *end = &format->end;

	for (size_t i = 0; i < format->field_count; i++) {
		const struct tdat_field *f = &format->fields[i];
		const bool last = i + 1 == format->field_count;

		if (f->flags & TDAT_FIELD_FLEXIBLE)
			return last && !end->loc_count && f->flags & TDAT_FIELD_STRING
				       ? MODEL_END_TEXT
				       : MODEL_END_UNKNOWN;
		if (!model_field_is_loc(f))
			continue;
		if (end->loc_count == MODEL_LOCS_MOST)
			return MODEL_END_UNKNOWN;
		end->locs[end->loc_count++] = (uint32_t)i;
	}
	return end->loc_count ? MODEL_END_LOCS : MODEL_END_FIXED;
}

/* The kernel reserves as much for each text of a synthetic event, whatever the size of its field.
 */
static bool has_wide_text(const struct tdat_format *format)
{
	const struct tdat_field *last = &format->fields[format->field_count - 1];

	return !strcmp(format->system, "synthetic") && last->flags & TDAT_FIELD_STRING;
}

void model_end_init(struct tdat_format *format)
{
	struct model_end *end = &format->end;
	const size_t type = find_field(format, "common_type");

	*end = (struct model_end){.kind = MODEL_END_UNKNOWN};
	if (type == format->field_count)
		return;
	end->tells = format->fields[type].off == 0 && format->fields[type].len == 2 &&
		     strcmp(format->system, MODEL_LOST_SYSTEM) != 0;
	if (format->unread_off)
		return;
	if (is_event(format, "ftrace", "kernel_stack"))
		end->kind = kind_of_stack(format);
	else if (is_event(format, "ftrace", "bprint"))
		end->kind = kind_of_bprint(format);
	else if (!is_event(format, "ftrace", "raw_data")) /* its text is any bytes */
		end->kind = kind_of_fields(format);
	if (end->kind == MODEL_END_FIXED && has_wide_text(format))
		end->kind = MODEL_END_WIDE;
	if (is_event(format, "ftrace", "funcgraph_exit"))
		end->spare = GRAPH_SPARE;
	else if (end->kind == MODEL_END_TEXT)
		end->spare = TEXT_SPARE;
	else if (!strcmp(format->system, "user_events"))
		end->spare = USER_SPARE;
}

static uint32_t end_of_locs(const struct tdat_format *format, const uint8_t *record, uint32_t len)
{
	size_t end = format->fixed_len;

	for (size_t i = 0; i < format->end.loc_count; i++) {
		const struct tdat_field *f = &format->fields[format->end.locs[i]];
		uint64_t loc;
		size_t off;

		if (f->off > len || f->len > len - f->off || !f->len || f->len > 8)
			return 0;
		loc = tdat_load_uint(record + f->off, f->len, format->big);
		off = (loc & 0xffff) + (loc >> 16 & 0xffff);
		if (f->flags & TDAT_FIELD_RELATIVE)
			off += (size_t)f->off + f->len;
		end = off > end ? off : end;
	}
	return end < UINT32_MAX ? (uint32_t)end : 0;
}

static uint32_t end_of_text(const struct tdat_format *format, const uint8_t *record, uint32_t len)
{
	const uint32_t off = format->fields[format->field_count - 1].off;
	const uint8_t *nul = off < len ? memchr(record + off, 0, len - off) : NULL;

	return nul ? (uint32_t)(nul - record) + 1 : 0;
}

static uint32_t end_of_wide(const struct tdat_format *format, uint32_t len)
{
	const struct tdat_field *last = &format->fields[format->field_count - 1];
	uint64_t end = last->len > WIDE_TEXT_OLD ? WIDE_TEXT : WIDE_TEXT_OLD;

	if (len >= WIDE_TEXT && last->off <= len - WIDE_TEXT)
		end = WIDE_TEXT;
	end += last->off;
	return end < UINT32_MAX ? (uint32_t)end : 0;
}

static uint32_t end_of_stack(const struct tdat_format *format, const uint8_t *record, uint32_t len)
{
	const struct tdat_field *size = &format->fields[format->end.locs[0]];
	uint64_t end = format->fields[format->field_count - 1].off;

	if (size->off > len || len - size->off < 4)
		return 0;
	end += (uint64_t)tdat_load32(record + size->off, format->big) * format->long_size;
	return end < UINT32_MAX ? (uint32_t)end : 0;
}

static uint32_t end_of_bprint(const struct tdat_format *format, const struct model_printk *printk,
			      const uint8_t *record, uint32_t len)
{
	const struct tdat_field *string = &format->fields[format->end.locs[0]];
	const uint32_t off = format->fields[format->field_count - 1].off;
	struct bprint_args args = {.base = off, .big = format->big, .long_size = format->long_size};
	struct tdat_span takes;

	if (off >= len)
		return 0;
	takes = model_printk_takes(printk,
				   tdat_load_uint(record + string->off, string->len, format->big));
	args.buf = (struct tdat_span){record + off, len - off};
	if (!takes.ptr || !bprint_take_all(&args, takes))
		return 0;
	return off + (uint32_t)args.pos;
}

uint32_t model_record_end(const struct tdat_format *format, const struct model_printk *printk,
			  const uint8_t *record, uint32_t len)
{
	switch (format->end.kind) {
	case MODEL_END_FIXED:
		return format->fixed_len < UINT32_MAX ? (uint32_t)format->fixed_len : 0;
	case MODEL_END_LOCS:
		return end_of_locs(format, record, len);
	case MODEL_END_TEXT:
		return end_of_text(format, record, len);
	case MODEL_END_WIDE:
		return end_of_wide(format, len);
	case MODEL_END_STACK:
		return end_of_stack(format, record, len);
	case MODEL_END_BPRINT:
		return end_of_bprint(format, printk, record, len);
	case MODEL_END_UNKNOWN:
		break;
	}
	return 0;
}
