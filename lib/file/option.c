/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Takes the payload of an option apart and hands its values to a visitor. The row of the id in
 * lib/dat/option_table.c says what shape a payload has; this file walks the shape with a cursor
 * and calls a visitor for each value. It shows options to info, exporters and checks, and
 * allocates nothing. A payload that ends early is damage, after the values that were there.
 */
#include <stdio.h>
#include <string.h>

#include "clock_facts.h"
#include "core/cursor.h"
#include "core/opts.h"
#include "core/text.h"
#include "core/zero.h"
#include "dat/option_table.h"
#include "file.h"
#include "option_parts.h"

/* Returns the bytes before the first NUL, or all when there is none. */
static struct tdat_span until_nul(struct tdat_span data)
{
	if (data.len)
		data.len = strnlen((const char *)data.ptr, data.len);
	return data;
}

/* ---- options of numbers ---- */

/* The count is not trusted: each entry must have its bytes. */
static void buffer_cpus(struct option_out *o, struct tdat_cursor *c)
{
	uint32_t count = tdat_cursor_u32(c), i;

	option_list(o, "cpus");
	for (i = 0; i < count && tdat_cursor_ok(c); i++) {
		uint32_t cpu = tdat_cursor_u32(c);
		uint64_t off = tdat_cursor_u64(c), len = tdat_cursor_u64(c);

		if (!tdat_cursor_ok(c))
			break;
		option_group(o, NULL);
		option_number(o, "cpu", cpu);
		option_number(o, "offset", off);
		option_number(o, "bytes", len);
		option_group_end(o);
	}
	option_list_end(o);
}

/* Version 6 has only the offset and the name. */
static void buffer(struct option_out *o, struct tdat_cursor *c, uint32_t version, bool text)
{
	uint64_t off = tdat_cursor_u64(c);
	struct tdat_span name = tdat_cursor_cstr(c), clock;

	if (!tdat_cursor_ok(c))
		return;
	option_number(o, "offset", off);
	option_text(o, "name", name);
	if (version < 7)
		return;
	clock = tdat_cursor_cstr(c);
	if (tdat_cursor_ok(c))
		option_text(o, "clock", clock);
	if (text || !tdat_cursor_ok(c))
		return;
	option_number(o, "page_size", tdat_cursor_u32(c));
	buffer_cpus(o, c);
}

/* Reads the items from f up to the first repeated rows or the end. o: NULL to skip them. */
static const struct dat_field *take_run(struct option_out *o, const struct dat_field *f,
					struct tdat_cursor *c)
{
	for (; f->item != DAT_ITEM_END && f->item != DAT_ITEM_ROWS_END; f++) {
		struct tdat_span text = {NULL, 0};
		uint64_t value = 0;

		if (f->item == DAT_ITEM_ROWS)
			break;
		if (f->item == DAT_ITEM_STR)
			text = tdat_cursor_cstr(c);
		else if (f->item == DAT_ITEM_U64 || f->item == DAT_ITEM_HEX64)
			value = tdat_cursor_u64(c);
		else
			value = tdat_cursor_u32(c);
		if (!o)
			continue;
		if (f->item == DAT_ITEM_STR)
			option_text(o, f->key, text);
		else if (f->item == DAT_ITEM_HEX64)
			option_hex(o, f->key, value);
		else if (f->item == DAT_ITEM_S32)
			option_signed(o, f->key, (int32_t)value);
		else
			option_number(o, f->key, value);
	}
	return f;
}

/* Hands over one row. A row that is cut is left out. */
static void row(struct option_out *o, const struct dat_field *f, struct tdat_cursor *c)
{
	struct tdat_cursor start = *c;

	take_run(NULL, f, c);
	if (!tdat_cursor_ok(c))
		return;
	option_group(o, NULL);
	take_run(o, f, &start);
	option_group_end(o);
}

/*
 * Hands over the items from f on. If an item or the count of rows is cut, none of these items is
 * handed over.
 */
static void fields(struct option_out *o, const struct dat_field *f, struct tdat_cursor *c)
{
	for (;;) {
		struct tdat_cursor start = *c;
		const struct dat_field *end = take_run(NULL, f, c);
		uint32_t count = end->item == DAT_ITEM_ROWS ? tdat_cursor_u32(c) : 0, i;

		if (!tdat_cursor_ok(c))
			return;
		take_run(o, f, &start);
		if (end->item != DAT_ITEM_ROWS)
			return;
		option_list(o, end->key);
		for (i = 0; i < count && tdat_cursor_ok(c); i++)
			row(o, end + 1, c);
		option_list_end(o);
		f = dat_fields_after_rows(end) + 1;
	}
}

/* Takes count numbers of 8 bytes. */
static struct tdat_cursor take_array(struct tdat_cursor *c, uint32_t count)
{
	size_t left = tdat_cursor_left(c);

	return tdat_cursor_sub(c, count > left / 8 ? left + 1 : (size_t)count * 8);
}

/*
 * Hands over the samples of one CPU: three arrays, one behind the other. Later versions have a
 * fourth, behind the arrays of all CPUs.
 */
static void samples(struct option_out *o, struct tdat_cursor *c, struct tdat_cursor *fractions)
{
	uint32_t count = tdat_cursor_u32(c), i;
	struct tdat_cursor time = take_array(c, count), off = take_array(c, count);
	struct tdat_cursor scaling = take_array(c, count), own = {.failed = true};

	if (!tdat_cursor_ok(c))
		return;
	if (fractions)
		own = take_array(fractions, count);
	option_group(o, NULL);
	option_list(o, "samples");
	for (i = 0; i < count; i++) {
		option_group(o, NULL);
		option_signed(o, "time", (int64_t)tdat_cursor_u64(&time));
		option_signed(o, "offset", (int64_t)tdat_cursor_u64(&off));
		option_signed(o, "scaling", (int64_t)tdat_cursor_u64(&scaling));
		if (tdat_cursor_ok(&own))
			option_signed(o, "fraction", (int64_t)tdat_cursor_u64(&own));
		option_group_end(o);
	}
	option_list_end(o);
	option_group_end(o);
}

/* Fractions are found by skipping the samples of all CPUs first. */
static void time_shift(struct option_out *o, struct tdat_cursor *c)
{
	uint64_t peer = tdat_cursor_u64(c);
	uint32_t flags = tdat_cursor_u32(c), cpus = tdat_cursor_u32(c), i;
	struct tdat_cursor fractions = *c;
	bool any;

	if (!tdat_cursor_ok(c))
		return;
	for (i = 0; i < cpus && tdat_cursor_ok(&fractions); i++)
		clock_skip_samples(&fractions);
	any = tdat_cursor_ok(&fractions) && tdat_cursor_left(&fractions);
	option_hex(o, "peer_trace_id", peer);
	option_number(o, "flags", flags);
	option_list(o, "cpus");
	for (i = 0; i < cpus && tdat_cursor_ok(c); i++)
		samples(o, c, any ? &fractions : NULL);
	option_list_end(o);
	/* Fractions are the end of the option. */
	if (any && tdat_cursor_ok(c))
		*c = fractions;
}

/* The offset leads to a section of version 7, whose length is shown as well. */
static void section(struct option_out *o, struct tdat_cursor *c, const struct dat_index *ix)
{
	uint64_t off = tdat_cursor_u64(c);
	const struct tdat_section *s;

	if (!tdat_cursor_ok(c))
		return;
	option_number(o, "offset", off);
	s = ix->version < 7 ? NULL : dat_section_at(ix->sections, ix->section_count, off);
	if (s)
		option_number(o, "bytes", s->body_len);
}

static void cpu_count(struct option_out *o, struct tdat_cursor *c, const struct dat_index *ix)
{
	struct tdat_span data = tdat_cursor_bytes(c, 4);

	if (data.len)
		option_number(o, "cpus", dat_cpu_count(ix, data));
}

/* ---- options of text ---- */

/* The clock in [brackets] is in use. */
static void trace_clock(struct option_out *o, struct tdat_span text)
{
	const struct tdat_span clock = tdat_active_clock(text);

	if (!text.len)
		return;
	option_text(o, "text", text);
	if (clock.ptr)
		option_text(o, "clock", clock);
}

/* Old writers leave the option empty: its text stands behind the table of CPU data. */
bool option_names_no_clock(struct tdat_span text)
{
	return text.len && *text.ptr && !tdat_active_clock(text).ptr;
}

/* A number as text: both are shown, as the text may have more. */
static void time_text(struct option_out *o, struct tdat_span data, const char *unit)
{
	option_text(o, "text", until_nul(data));
	option_signed(o, unit, clock_number(data));
}

/* The shape of the option's row decides; an option that is not known is shown as bytes. */
static void decode(struct option_out *o, struct tdat_cursor *c, const struct dat_index *ix,
		   const struct tdat_file_option *opt)
{
	const struct dat_option_def *def = dat_option_def(opt->id);
	struct tdat_span text = until_nul(opt->data);

	switch (def->shape) {
	case DAT_SHAPE_BYTES:
		option_bytes(o, "data", opt->data);
		break;
	case DAT_SHAPE_FIELDS:
		fields(o, def->fields, c);
		break;
	case DAT_SHAPE_TEXT:
		option_text(o, "text", text);
		break;
	case DAT_SHAPE_MICROSECONDS:
		time_text(o, opt->data, "microseconds");
		break;
	case DAT_SHAPE_NANOSECONDS:
		time_text(o, opt->data, "nanoseconds");
		break;
	case DAT_SHAPE_CLOCK:
		trace_clock(o, text);
		break;
	case DAT_SHAPE_HOOK:
		option_hook(o, text);
		break;
	case DAT_SHAPE_CPU_COUNT:
		/*
		 * Valve's fork of trace-cmd saved TGIDS text under the id of the count
		 * (option_table.h).
		 */
		if (opt->data.len <= 4)
			cpu_count(o, c, ix);
		else
			option_tgids(o, text);
		break;
	case DAT_SHAPE_TGIDS:
		option_tgids(o, text);
		break;
	case DAT_SHAPE_PROCMAPS:
		option_procmaps(o, text);
		break;
	case DAT_SHAPE_LAST_BOOT:
		option_last_boot(o, text);
		break;
	case DAT_SHAPE_TIME_SHIFT:
		time_shift(o, c);
		break;
	case DAT_SHAPE_BUFFER:
	case DAT_SHAPE_BUFFER_TEXT:
		buffer(o, c, ix->version, def->shape == DAT_SHAPE_BUFFER_TEXT);
		break;
	case DAT_SHAPE_SECTION:
		section(o, c, ix);
		break;
	}
}

/*
 * Returns whether an option's numbers are big-endian. Some are in the order of the machine that
 * wrote them (docs/file-format.md, §4.7).
 */
static bool order_of(const struct dat_index *ix, uint16_t id)
{
	bool own = dat_option_role(id) == DAT_ROLE_DATA;

	return ix->big != (own && ix->mixed_order);
}

static struct tdat_cursor payload(const struct tdat_file *file,
				  const struct tdat_file_option *option)
{
	return tdat_cursor_init(option->data.ptr, option->data.len, option->off,
				order_of(&file->ix, option->id));
}

/* A decoder without a visitor only moves the cursor: the rest is unread. */
struct tdat_span option_unread(const struct tdat_file *file, const struct tdat_file_option *option)
{
	const struct dat_option_def *def = dat_option_def(option->id);
	struct tdat_cursor c = payload(file, option);
	struct option_out o = {.v = {0}};
	struct tdat_span rest;

	if (def->nul != DAT_NUL_NONE && !dat_option_is_cpu_count(option))
		return dat_option_behind_nul(option);
	decode(&o, &c, &file->ix, option);
	rest = tdat_cursor_bytes(&c, tdat_cursor_left(&c));
	if (def->shape == DAT_SHAPE_BYTES || tdat_is_zero(rest.ptr, rest.len))
		rest.len = 0;
	return rest;
}

/* Values come before the failure, so that a cut option shows what it has. */
enum tdat_status tdat_file_option_decode(const struct tdat_file *file,
					 const struct tdat_file_option *option,
					 const struct tdat_file_option_visitor *visitor,
					 struct tdat_error *err)
{
	struct tdat_cursor c = payload(file, option);
	struct option_out o = {.v = {0}};
	char what[32] = "an unknown option";

	tdat_opts_copy(&o.v, sizeof(o.v), visitor);
	decode(&o, &c, &file->ix, option);
	if (tdat_cursor_ok(&c))
		return clock_option_check(option, c.big, err);
	if (tdat_file_option_name(option->id))
		snprintf(what, sizeof(what), "option %s", tdat_file_option_name(option->id));
	return tdat_cursor_error(&c, err, what);
}
