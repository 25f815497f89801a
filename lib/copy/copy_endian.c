/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Copies a file into the other byte order: events are decoded, byte-swapped and written anew. A
 * record is swapped only if every byte belongs to a known field. An event whose format leaves bytes
 * unexplained stops the copy with its name. Events are read by an iterator and written by
 * lib/write/write_stream.c, so the pages are new. Called by convert for --endian.
 */
#include <tdat/iter.h>

#include "copy.h"
#include "copy_once.h"
#include "dat/option_table.h"
#include "file/file.h"
#include "record_swapper.h"
#include "write/emit_ops.h"
#include "write/parts.h"

/* The state of one copy. */
struct swap_copy {
	struct tdat_writer *w;
	struct tdat_file *file;
	const struct tdat_file_info *info;
	bool from;	/* byte order of the file; its opposite is written */
	uint32_t first; /* writer's number of the file's buffer 0 */
	struct record_swapper records;
};

/* ---- metadata ---- */

/* The texts stay the same: they describe sizes and places, not byte order. */
static enum tdat_status copy_headers(struct swap_copy *t, struct tdat_error *err)
{
	struct tdat_span page = tdat_file_part(t->file, TDAT_PART_HEADER_PAGE);
	struct tdat_build b;

	if (!page.len)
		return tdat_error_set(err, TDAT_E_UNSUPPORTED, TDAT_NO_OFFSET,
				      "%s has ring-buffer pages of a kernel before Linux 2.6.31, "
				      "whose byte order cannot be changed",
				      t->info->name);
	tdat_build_init(&b, !t->from);
	write_parts_header_info(&b, page, tdat_file_part(t->file, TDAT_PART_HEADER_EVENT));
	return write_parts_add(&t->w->meta, TDAT_OPTION_HEADER_INFO, &b, err);
}

/* Texts have no byte order; the writer puts their lengths. */
static enum tdat_status copy_texts(struct swap_copy *t, struct tdat_error *err)
{
	struct tdat_span kallsyms = tdat_file_part(t->file, TDAT_PART_KALLSYMS);
	struct tdat_span printk = tdat_file_part(t->file, TDAT_PART_PRINTK);

	tdat_build_bytes(&t->w->meta.kallsyms, kallsyms.ptr, kallsyms.len);
	tdat_build_bytes(&t->w->meta.printk, printk.ptr, printk.len);
	if (t->w->meta.kallsyms.failed || t->w->meta.printk.failed)
		return tdat_error_no_memory(err, t->info->name);
	return write_parts_add_text(&t->w->meta, TDAT_OPTION_CMDLINES,
				    tdat_file_part(t->file, TDAT_PART_CMDLINES), err);
}

/* Formats are text as well, and keep their ids. */
static enum tdat_status copy_formats(struct swap_copy *t, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; st == TDAT_OK && i < tdat_file_format_count(t->file); i++) {
		const char *system;
		struct tdat_span text = tdat_file_format_text(t->file, i, &system);

		st = write_meta_add_format(&t->w->meta, system, (const char *)text.ptr, text.len,
					   err);
	}
	return st;
}

/* Refuses sections whose layout is not known: they cannot be byte-swapped. */
static enum tdat_status check_sections(const struct swap_copy *t, struct tdat_error *err)
{
	const struct tdat_section *list;
	size_t count;

	list = tdat_file_sections(t->file, &count);
	for (size_t i = 0; i < count; i++) {
		uint16_t id = list[i].id;
		enum dat_option_role role = dat_option_role(id);

		/* These sections hold numbers of a layout that only their makers know. */
		if (role == DAT_ROLE_FACT || role == DAT_ROLE_EXTRA)
			return tdat_error_set(err, TDAT_E_UNSUPPORTED, list[i].off,
					      "the byte order of section %u \"%s\" at offset %llu "
					      "cannot be changed, because its layout is not known",
					      id, list[i].description ? list[i].description : "",
					      (unsigned long long)list[i].off);
	}
	return TDAT_OK;
}

/* The number of CPUs and the writer's own options are made anew. */
static enum tdat_status copy_option(struct swap_copy *t, const struct tdat_file_option *o,
				    struct tdat_error *err)
{
	struct tdat_build b;
	enum tdat_status st = copy_option_whole(t->file, o, true, err);

	if (st != TDAT_OK || dat_option_is_own(o->id) || dat_option_is_cpu_count(o))
		return st;
	/* The usual text takes the place of one that an old writer left empty. */
	if (dat_option_def(o->id)->shape == DAT_SHAPE_CLOCK &&
	    !o->data.len) { /* TRACECLOCK without text, as old writers have it */
		if (!write_meta_clock(&t->w->meta, *t->w->meta.clock ? t->w->meta.clock : "local"))
			return tdat_error_no_memory(err, t->info->name);
		return write_meta_option(&t->w->meta, o->id, t->w->meta.clock_text,
					 strlen(t->w->meta.clock_text) + 1, err);
	}
	/* Texts are copied, numbers swapped, by the option's row in the table. */
	tdat_build_init(&b, !t->from);
	st = swap_option(&b, o->id, o->data, t->from, err);
	if (st == TDAT_OK)
		st = write_meta_option(&t->w->meta, o->id, b.len ? (const void *)b.ptr : "", b.len,
				       err);
	tdat_build_fini(&b);
	return st;
}

/* In the order of the file, as readers take the last of several. */
static enum tdat_status copy_options(struct swap_copy *t, struct tdat_error *err)
{
	const struct tdat_file_option *list;
	enum tdat_status st = TDAT_OK;
	size_t count;

	list = tdat_file_options(t->file, &count);
	for (size_t i = 0; st == TDAT_OK && i < count; i++)
		st = copy_option(t, &list[i], err);
	return st;
}

/* ---- buffers and events ---- */

/* A second latency text has no place: readers take one. */
static enum tdat_status copy_buffer(struct swap_copy *t, uint32_t number,
				    const struct tdat_buffer *from, struct tdat_error *err)
{
	const char *clock = *from->clock ? from->clock : NULL;
	enum tdat_status st = TDAT_OK;
	struct tdat_span text;

	if (number) {
		st = write_add_buffer(t->w, from->name, clock, err);
	} else if (clock) {
		t->w->meta.clock = tdat_arena_strndup(&t->w->meta.arena, clock, strlen(clock));
		st = t->w->meta.clock ? TDAT_OK : tdat_error_no_memory(err, t->info->name);
	}
	if (st != TDAT_OK)
		return st;
	/* Pages keep their size and layout; only the byte order differs. */
	t->w->buffers[number]->shape = (struct write_page_shape){
		from->page_size, t->info->kernel_long_size, !t->from, t->file->ix.header_data_off};
	if (!from->latency)
		return TDAT_OK;
	if (number != t->first)
		return tdat_error_set(err, TDAT_E_UNSUPPORTED, from->off,
				      "the latency text of buffer \"%s\" cannot be copied: only "
				      "the first latency text can",
				      from->name);
	text = tdat_file_part(t->file, TDAT_PART_LATENCY);
	t->w->buffers[number]->has_latency = true;
	return write_spool_append(&t->w->spool, &t->w->buffers[number]->latency, 1, text.ptr,
				  text.len, err);
}

/* Numbers shift by one if the file has no top buffer, which a writer always has. */
static enum tdat_status copy_buffers(struct swap_copy *t, struct tdat_error *err)
{
	const struct tdat_buffer *list;
	enum tdat_status st = TDAT_OK;
	size_t count;

	list = tdat_file_buffers(t->file, &count);
	t->first = count && !*list[0].name ? 0 : 1;
	t->w->buffers[0]->absent = t->first;
	for (size_t i = 0; st == TDAT_OK && i < count; i++)
		st = copy_buffer(t, t->first + (uint32_t)i, &list[i], err);
	return st;
}

/* Swaps and writes one event. It keeps its raw timestamp and the losses before it. */
static enum tdat_status copy_event(struct swap_copy *t, const struct tdat_event *e,
				   struct tdat_error *err)
{
	struct tdat_span record;
	struct write_stream *s;
	enum tdat_status st = record_swapper_run(&t->records, e->id, e->record, &record, err);

	if (st == TDAT_OK)
		st = write_find_stream(t->w, t->first + e->buffer, e->cpu, &s, err);
	if (st == TDAT_OK)
		st = write_stream_event(&t->w->store, s, e->ts, e->lost_before, record, err);
	t->w->event_count += st == TDAT_OK;
	return st;
}

/* A damaged page cannot be swapped, as its rest is unknown: the copy fails. */
static enum tdat_status copy_events(struct swap_copy *t, struct tdat_error *err)
{
	struct tdat_iter_opts opts = TDAT_ITER_OPTS_INIT;
	struct tdat_iter_input input = {.file = t->file};
	const struct tdat_stream_damage *damage;
	const struct tdat_event *e;
	struct tdat_iter *iter;
	enum tdat_status st;
	size_t count;

	/* Raw timestamps: the options that correct times are copied, too. */
	opts.raw_ts = true;
	opts.no_date = true;
	st = tdat_iter_new(&iter, &input, 1, &opts, err);
	if (st != TDAT_OK)
		return st;
	do {
		st = tdat_iter_next(iter, &e, err);
		if (st == TDAT_OK && e)
			st = copy_event(t, e, err);
	} while (st == TDAT_OK && e);
	damage = tdat_iter_damage(iter, &count);
	if (st == TDAT_OK && count)
		st = tdat_error_set(err, TDAT_E_DAMAGED, damage[0].off,
				    "the byte order of damaged pages cannot be changed: %s",
				    damage[0].message);
	tdat_iter_free(iter);
	return st;
}

/* Copies everything. CPU data comes last, when formats are known. */
static enum tdat_status copy_file(struct swap_copy *t, struct tdat_error *err)
{
	enum tdat_status st = check_sections(t, err);

	if (st == TDAT_OK)
		st = copy_headers(t, err);
	if (st == TDAT_OK)
		st = copy_formats(t, err);
	if (st == TDAT_OK)
		st = copy_texts(t, err);
	if (st == TDAT_OK)
		st = copy_buffers(t, err);
	if (st == TDAT_OK)
		st = copy_options(t, err);
	return st == TDAT_OK ? copy_events(t, err) : st;
}

/* A file that has the wanted order already is copied page by page. */
enum tdat_status tdat_writer_copy_endian(struct tdat_writer *w, struct tdat_file *file,
					 bool big_endian, struct tdat_error *err)
{
	struct swap_copy t = {.w = w, .file = file, .info = tdat_file_info(file)};
	enum tdat_status st = write_usable(w, err);

	if (t.info->big_endian == big_endian)
		return tdat_writer_copy(w, file, err);
	if (st == TDAT_OK)
		st = copy_file_begin(w, file, err);
	if (st != TDAT_OK)
		return copy_file_end(w, st, err);
	w->meta.big = big_endian;
	t.from = t.info->big_endian;
	st = record_swapper_init(&t.records, file, &w->meta.arena, err);
	if (st == TDAT_OK)
		st = copy_file(&t, err);
	record_swapper_fini(&t.records);
	return copy_file_end(w, st, err);
}
