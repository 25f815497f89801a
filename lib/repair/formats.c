/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes metadata parts anew of what could be read and of what another file has. Formats of the
 * broken file come first, then those of the file that the user names (formats_from), then made
 * ones for ids that have events and no format. Records are measured with exactly these formats,
 * so that what repair writes is what its readers will read. Order: repair_parts() before
 * events, repair_formats() after them.
 */
#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "model/stored_text.h"
#include "repair.h"
#include "write/parts.h"

static void no_memory(struct repair *r)
{
	struct tdat_error err = TDAT_ERROR_INIT;

	tdat_error_set(&err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory to repair %s",
		       tdat_file_info(r->file)->name);
	repair_fail(r, TDAT_E_NOMEM, &err);
}

static void add_part(struct repair *r, uint16_t id, struct tdat_build *body)
{
	struct tdat_error err = TDAT_ERROR_INIT;

	repair_fail(r, write_parts_add(&r->w->meta, id, body, &err), &err);
}

bool repair_moves_data(const struct repair *r)
{
	const struct dat_index *ix = &r->file->ix;

	return ix->header_data_off != write_page_usual_head(ix->kernel_long_size);
}

/* The usual text is the writer's; only a readable one of the same layout is kept. */
static void add_header_pages(struct repair *r)
{
	const struct dat_index *ix = &r->file->ix;
	struct tdat_build b;

	/* Without a header_page that was read the writer makes the usual one. */
	if (!ix->header_page.len && !ix->old_ring_buffer)
		return;
	if (repair_moves_data(r)) {
		read_finding(&r->out, TDAT_DOUBT, 0, "nothing",
			     "header_page places the data of pages at byte %u, but trace-cmd reads "
			     "it at %u: the new file has it there",
			     ix->header_data_off, write_page_usual_head(ix->kernel_long_size));
		return;
	}
	if (!ix->old_ring_buffer && !dat_header_page_usual(ix->header_page)) {
		read_finding(
			&r->out, TDAT_DOUBT, 0, "nothing",
			"header_page does not list timestamp, commit, overwrite and data, each "
			"once, in this order and at their usual places: trace-cmd would read "
			"another page layout from it, so the new file has a new header_page");
		return;
	}
	tdat_build_init(&b, ix->big);
	write_parts_header_info(&b, ix->header_page, ix->header_event);
	add_part(r, TDAT_OPTION_HEADER_INFO, &b);
}

/* ---- formats ---- */

/* Formats of both files as the two parts hold them. */
struct bodies {
	struct tdat_build ftrace, events;
	uint32_t ftrace_count, system_count, in_system;
	size_t system_at;   /* where the number of formats of the system goes */
	const char *system; /* the open one; NULL: none */
	/*
	 * What the first format of each part that has common fields says of them; ftrace's are
	 * read first.
	 */
	struct file_common common, ftrace_common;
	bool has_common, has_ftrace_common;
};

/* The system of formats that repair makes. */
static const char made_system[] = "lost_formats";

static void close_system(struct bodies *b)
{
	if (b->system && !b->events.failed)
		tdat_store32(b->events.ptr + b->system_at, b->in_system, b->events.big);
	b->system = NULL;
}

/*
 * Formats of ftrace have a part of their own; others are grouped by system, in the file's
 * order.
 */
static void put_format(struct bodies *b, const char *system, const struct tdat_event_format *format,
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

/* True if an earlier repair made this format, and the other file has a real one. */
static bool is_made(const struct repair *r, const char *system, uint32_t id)
{
	return r->opts.formats_from && !strcmp(system, made_system) &&
	       tdat_file_format_by_id(r->opts.formats_from, id);
}

/* Makes a format readable to its end. *format becomes NULL if none is left. */
static void mend_format(struct repair *r, const char *system,
			const struct tdat_event_format **format, struct tdat_span *text)
{
	struct tdat_event_format *mended = NULL;

	if (!TDAT_GROW(r->mended, &r->mended_cap, r->mended_count + 1) ||
	    !repair_format_text(r, system, text, &mended))
		no_memory(r);
	else if (mended)
		r->mended[r->mended_count++] = mended;
	*format = mended;
}

/* Keeps the format that readers of the new file will take: ftrace's, then the first of an id. */
static void keep_format(struct repair *r, const struct tdat_event_format *format)
{
	const struct tdat_event_format **kept = &r->formats[format->id];

	if (!*kept || (!strcmp(format->system, "ftrace") && strcmp((*kept)->system, "ftrace") != 0))
		*kept = format;
}

/*
 * Adds the formats of a file that can be used and are not there yet. Returns how many cannot be
 * parsed.
 */
static uint64_t put_formats(struct repair *r, struct bodies *b, const struct tdat_file *file,
			    bool own)
{
	size_t i, count = tdat_file_format_count(file);
	uint64_t broken = 0;

	for (i = 0; i < count && r->out.status == TDAT_OK; i++) {
		struct tdat_error err = TDAT_ERROR_INIT;
		const struct tdat_event_format *format;
		const char *system;
		struct tdat_span text = tdat_file_format_text(file, i, &system);

		if (tdat_file_format(file, i, &format, &err) != TDAT_OK) {
			if (own)
				read_finding(&r->out, TDAT_DAMAGE, err.off,
					     "the fields of such events",
					     "a format of system %.64s cannot be read: %s", system,
					     err.message);
			broken++;
			continue;
		}
		if (format->unread_off) {
			file_format_whole(file, i, &err);
			if (own)
				read_finding(&r->out, TDAT_DAMAGE, err.off,
					     "the rest of that format", "%s", err.message);
			broken++;
			mend_format(r, system, &format, &text);
		}
		if (!format || format->id >= FILE_ID_COUNT || (!own && r->formats[format->id]) ||
		    (own && is_made(r, system, format->id)))
			continue;
		keep_format(r, format);
		put_format(b, system, format, text);
		r->result.formats++;
		r->result.formats_taken += !own;
	}
	return broken;
}

/* The bounds that readers of the new file will find, as its formats are those kept here. */
static struct dat_len_bounds find_bounds(const void *ctx, const uint8_t *record, uint32_t len)
{
	struct repair *r = (struct repair *)ctx;
	const uint32_t id = file_record_id(&r->common, record, len, r->layout.big);
	const struct dat_len_bounds bounds = file_record_bounds(r->formats[id], &r->common);

	if (len > 1)
		file_record_keep(&r->lens, &r->common, record, r->layout.big, bounds);
	return bounds;
}

/* The parts stay open until all events were read: ids without a format get one then. */
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
	r->lens.find = find_bounds;
	r->lens.ctx = r;
	r->layout.lens = &r->lens;
	/* Events are checked as readers of the new file will read them. */
	r->common = b.has_ftrace_common ? b.ftrace_common
		    : b.has_common	? b.common
					: FILE_COMMON_USUAL;
	if (!b.ftrace.failed)
		tdat_store32(b.ftrace.ptr, b.ftrace_count, big);
	r->ftrace = b.ftrace;
	r->events = b.events;
	r->system_count = b.system_count;
}

/* Makes a format of the common fields alone: no more is known of an event whose format is lost. */
static void make_format(struct repair *r, uint32_t id)
{
	const struct file_common *c = &r->common;
	const uint32_t type_end = c->type_off + c->type_len, pid_end = c->pid_off + c->pid_len;
	struct tdat_build text;

	tdat_build_init(&text, false);
	tdat_build_printf(&text, "name: lost_%u\nID: %u\nformat:\n", id, id);
	tdat_build_printf(&text,
			  "\tfield:unsigned short common_type;\toffset:%u;\tsize:%u;\tsigned:0;\n",
			  c->type_off, c->type_len);
	if (c->type_off == 0 && c->type_len == 2 && c->pid_off == 4)
		tdat_build_str(&text, "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;"
				      "\tsigned:0;\n\tfield:unsigned char common_preempt_count;"
				      "\toffset:3;\tsize:1;\tsigned:0;\n");
	tdat_build_printf(&text, "\tfield:int common_pid;\toffset:%u;\tsize:%u;\tsigned:1;\n",
			  c->pid_off, c->pid_len);
	tdat_build_printf(&text,
			  "\n\tfield:char data[];\toffset:%u;\tsize:0;\tsigned:0;\n\n"
			  "print fmt: \"its format is lost\"\n",
			  type_end > pid_end ? type_end : pid_end);
	if (text.failed) {
		no_memory(r);
	} else {
		tdat_build_u64(&r->events, text.len);
		tdat_build_bytes(&r->events, text.ptr, text.len);
	}
	tdat_build_fini(&text);
}

void repair_parts_fini(struct repair *r)
{
	while (r->mended_count)
		model_format_free(r->mended[--r->mended_count]);
	free(r->mended);
}

/* Counts at the start of the parts are patched, as they are known only now. */
void repair_formats(struct repair *r)
{
	uint32_t id, count = 0;

	for (id = 0; id < FILE_ID_COUNT; id++)
		count += r->missed[id];
	if (count && r->out.status == TDAT_OK) {
		tdat_build_cstr(&r->events, made_system);
		tdat_build_u32(&r->events, count);
		for (id = 0; id < FILE_ID_COUNT; id++)
			if (r->missed[id])
				make_format(r, id);
		r->system_count++;
	}
	if (r->out.status == TDAT_OK && !r->events.failed)
		tdat_store32(r->events.ptr, r->system_count, r->file->ix.big);
	add_part(r, TDAT_OPTION_FTRACE_EVENTS, &r->ftrace);
	add_part(r, TDAT_OPTION_EVENT_FORMATS, &r->events);
}

/* ---- tables of names ---- */

/* Adds a text. One that is readable to its end is copied; another one is mended line by line. */
static void add_text(struct repair *r, uint16_t id, enum tdat_part part, enum model_text which)
{
	struct tdat_span text = tdat_file_part(r->file, part);
	struct tdat_error err = TDAT_ERROR_INIT;
	struct model_unread unread;
	struct tdat_build mended;

	/*
	 * Names of tasks belong to one recording; symbols of another one on the same kernel are
	 * right.
	 */
	if (!text.len && r->opts.formats_from && part != TDAT_PART_CMDLINES)
		text = tdat_file_part(r->opts.formats_from, part);
	tdat_build_init(&mended, false);
	unread = model_text_unread(which, text);
	if (unread.len) {
		model_text_mend(which, text, &mended);
		text = (struct tdat_span){mended.ptr, mended.len};
	}
	if (unread.no_memory || mended.failed)
		no_memory(r);
	else
		repair_fail(r, write_parts_add_text(&r->w->meta, id, text, &err), &err);
	tdat_build_fini(&mended);
}

/* Each step is skipped after a failure, which repair_fail() has kept. */
void repair_parts(struct repair *r)
{
	if (r->out.status == TDAT_OK)
		add_header_pages(r);
	if (r->out.status == TDAT_OK)
		add_formats(r);
	if (r->out.status == TDAT_OK)
		add_text(r, TDAT_OPTION_KALLSYMS, TDAT_PART_KALLSYMS, MODEL_TEXT_KALLSYMS);
	if (r->out.status == TDAT_OK)
		add_text(r, TDAT_OPTION_PRINTK, TDAT_PART_PRINTK, MODEL_TEXT_PRINTK);
	if (r->out.status == TDAT_OK)
		add_text(r, TDAT_OPTION_CMDLINES, TDAT_PART_CMDLINES, MODEL_TEXT_CMDLINES);
}
