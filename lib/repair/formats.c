/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes metadata parts anew of what could be read and of what another file has. */
#include <string.h>

#include "dat/option_table.h"
#include "repair.h"

static void no_memory(struct repair *r)
{
	struct tdat_error err = TDAT_ERROR_INIT;

	tdat_error_set(&err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory to repair %s",
		       tdat_file_info(r->file)->name);
	repair_fail(r, TDAT_E_NOMEM, &err);
}

/* The built bytes become a part of the new file. */
static void add_part(struct repair *r, uint16_t id, struct tdat_build *body)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_span span = {NULL, body->len};
	enum tdat_status st = TDAT_OK;

	if (r->out.status == TDAT_OK && !body->failed)
		span.ptr = (const uint8_t *)tdat_arena_strndup(&r->w->meta.arena, body->ptr,
							       body->len);
	tdat_build_fini(body);
	if (!span.ptr) {
		no_memory(r);
		return;
	}
	st = write_meta_add_raw(&r->w->meta, id, dat_option_def(id)->section, span, &err);
	repair_fail(r, st, &err);
}

static void add_header_pages(struct repair *r)
{
	const struct dat_index *ix = &r->file->ix;
	struct tdat_build b;

	/* Never read: the writer makes the usual one. */
	if (!ix->header_page.len && !ix->old_ring_buffer)
		return;
	tdat_build_init(&b, ix->big);
	tdat_build_cstr(&b, "header_page");
	tdat_build_u64(&b, ix->header_page.len);
	tdat_build_bytes(&b, ix->header_page.ptr, ix->header_page.len);
	tdat_build_cstr(&b, "header_event");
	tdat_build_u64(&b, ix->header_event.len);
	tdat_build_bytes(&b, ix->header_event.ptr, ix->header_event.len);
	add_part(r, TDAT_OPTION_HEADER_INFO, &b);
}

/* ---- formats ---- */

/* Formats of both files as the two parts hold them. */
struct bodies {
	struct tdat_build ftrace, events;
	uint32_t ftrace_count, system_count, in_system;
	size_t system_at;   /* where the number of formats of the system goes */
	const char *system; /* the open one; NULL: none */
	/* What the first of each part that tells says; ftrace's are read first. */
	struct file_common common, ftrace_common;
	bool has_common, has_ftrace_common;
};

static void close_system(struct bodies *b)
{
	if (b->system && !b->events.failed)
		tdat_store32(b->events.ptr + b->system_at, b->in_system, b->events.big);
	b->system = NULL;
}

static void put_format(struct bodies *b, const char *system, const struct tdat_format *format,
		       struct tdat_span text)
{
	struct tdat_build *to = &b->events;

	if (!strcmp(system, "ftrace")) {
		to = &b->ftrace;
		b->ftrace_count++;
		if (!b->has_ftrace_common)
			b->has_ftrace_common = file_common_of_format(format, &b->ftrace_common);
	} else {
		if (!b->has_common)
			b->has_common = file_common_of_format(format, &b->common);
		if (!b->system || strcmp(b->system, system)) {
			close_system(b);
			tdat_build_cstr(to, system);
			b->system = system;
			b->system_at = to->len;
			b->in_system = 0;
			b->system_count++;
			tdat_build_u32(to, 0);
		}
		b->in_system++;
	}
	tdat_build_u64(to, text.len);
	tdat_build_bytes(to, text.ptr, text.len);
}

/*
 * Formats of a file that can be used and are not there yet. Returns how many
 * cannot be parsed.
 */
static uint64_t put_formats(struct repair *r, struct bodies *b, const struct tdat_file *file,
			    bool own)
{
	size_t i, count = tdat_file_format_count(file);
	uint64_t broken = 0;

	for (i = 0; i < count; i++) {
		struct tdat_error err = TDAT_ERROR_INIT;
		const struct tdat_format *format;
		const char *system;
		struct tdat_span text = tdat_file_format_text(file, i, &system);

		if (tdat_file_format(file, i, &format, &err) != TDAT_OK) {
			if (own)
				read_tell(&r->out, TDAT_DAMAGE, err.off,
					  "the fields of such events",
					  "a format of system %.64s: %s", system, err.message);
			broken++;
			continue;
		}
		if (format->id >= FILE_ID_COUNT || (!own && r->known[format->id]))
			continue;
		r->known[format->id] = true;
		put_format(b, system, format, text);
		r->result.formats++;
		r->result.formats_taken += !own;
	}
	return broken;
}

static void add_formats(struct repair *r)
{
	const bool big = r->file->ix.big;
	struct bodies b = {.system = NULL};

	tdat_build_init(&b.ftrace, big);
	tdat_build_init(&b.events, big);
	tdat_build_u32(&b.ftrace, 0);
	tdat_build_u32(&b.events, 0);
	r->result.formats_lost = put_formats(r, &b, r->file, true);
	if (r->opts.formats_from && r->opts.formats_from != r->file)
		put_formats(r, &b, r->opts.formats_from, false);
	close_system(&b);
	/* Events are judged as readers of the new file find them. */
	r->common = b.has_ftrace_common ? b.ftrace_common
		    : b.has_common	? b.common
					: FILE_COMMON_USUAL;
	if (!b.ftrace.failed)
		tdat_store32(b.ftrace.ptr, b.ftrace_count, big);
	if (!b.events.failed)
		tdat_store32(b.events.ptr, b.system_count, big);
	add_part(r, TDAT_OPTION_FTRACE_EVENTS, &b.ftrace);
	add_part(r, TDAT_OPTION_EVENT_FORMATS, &b.events);
}

/* ---- tables of names ---- */

static void add_text(struct repair *r, uint16_t id, enum tdat_part part, bool wide)
{
	struct tdat_span text = tdat_file_part(r->file, part);
	struct tdat_build b;

	/* Names of tasks are another recording's own; symbols are the kernel's. */
	if (!text.len && r->opts.formats_from && part != TDAT_PART_CMDLINES)
		text = tdat_file_part(r->opts.formats_from, part);
	tdat_build_init(&b, r->file->ix.big);
	if (wide)
		tdat_build_u64(&b, text.len);
	else
		tdat_build_u32(&b, (uint32_t)text.len);
	tdat_build_bytes(&b, text.ptr, text.len);
	add_part(r, id, &b);
}

void repair_parts(struct repair *r)
{
	if (r->out.status == TDAT_OK)
		add_header_pages(r);
	if (r->out.status == TDAT_OK)
		add_formats(r);
	if (r->out.status == TDAT_OK)
		add_text(r, TDAT_OPTION_KALLSYMS, TDAT_PART_KALLSYMS, false);
	if (r->out.status == TDAT_OK)
		add_text(r, TDAT_OPTION_PRINTK, TDAT_PART_PRINTK, false);
	if (r->out.status == TDAT_OK)
		add_text(r, TDAT_OPTION_CMDLINES, TDAT_PART_CMDLINES, true);
}
