/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Repairs a broken file into a writer, in this order: header and formats, buffers with their pages,
 * formats of ids that were met, options. All that is left out is a finding, and the counts in the
 * result add up to those that check reports of the input. It reads with lib/read and writes with
 * lib/write.
 */
#include "repair.h"

#include <stdlib.h>
#include <string.h>

#include "core/opts.h"

static void buffer_shape(struct repair *r, uint32_t number, uint32_t page_size)
{
	const struct dat_index *ix = &r->file->ix;

	r->w->buffers[number]->shape =
		(struct write_page_shape){page_size, ix->kernel_long_size, ix->big,
					  write_page_usual_head(ix->kernel_long_size)};
}

/* Returns the writer's number of a buffer, which is added unless it is the top one. */
static uint32_t buffer_number(struct repair *r, const char *name, const char *clock)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct write_buffer *top = r->w->buffers[0];

	if (*name) {
		repair_fail(r, write_add_buffer(r->w, name, *clock ? clock : NULL, &err), &err);
		return r->w->buffer_count - 1;
	}
	top->absent = false;
	if (*clock)
		top->clock = tdat_arena_strndup(&r->w->meta.arena, clock, strlen(clock));
	return 0;
}

/* In version 7 the head has the page size of the top buffer, which trace-cmd starts with. */
static void head_page_size(struct repair *r)
{
	const struct tdat_buffer *list;
	size_t i, count;

	list = tdat_file_buffers(r->file, &count);
	for (i = 0; i < count; i++)
		if (!list[i].latency && list[i].page_size)
			break;
	if (i == count || r->w->version < 7 || r->w->meta.page_size == list[i].page_size)
		return;
	read_finding(&r->out, TDAT_NOTE, 0, "nothing",
		     "the file header states pages of %u bytes, but buffer \"%.64s\" has pages of "
		     "%u: the new file states this size",
		     r->w->meta.page_size, list[i].name, list[i].page_size);
	r->w->meta.page_size = list[i].page_size;
}

/* True if a buffer of the file, or of the new file, has that name. */
static bool name_taken(const struct repair *r, const char *name)
{
	const struct tdat_buffer *list;
	size_t i, count;

	list = tdat_file_buffers(r->file, &count);
	for (i = 0; i < count; i++)
		if (!strcmp(list[i].name, name))
			return true;
	for (i = 0; i < r->w->buffer_count; i++)
		if (!strcmp(r->w->buffers[i]->name, name))
			return true;
	return false;
}

/*
 * Returns the name that buffer number index of the file gets: its own, or another one if an earlier
 * buffer has it. trace-cmd reads only one of several top buffers. NULL: no memory.
 */
static const char *new_name(struct repair *r, size_t index)
{
	const struct tdat_buffer *list;
	size_t i, count;
	const char *name;

	list = tdat_file_buffers(r->file, &count);
	for (i = 0; i < index; i++)
		if (!strcmp(list[i].name, list[index].name) &&
		    list[i].latency == list[index].latency)
			break;
	if (i == index)
		return list[index].name;
	if (!r->last_number)
		r->last_number = 1;
	do {
		name = tdat_arena_printf(&r->w->meta.arena, "%s-%zu",
					 *list[index].name ? list[index].name : "top",
					 ++r->last_number);
	} while (name && name_taken(r, name));
	if (name)
		read_finding(&r->out, TDAT_NOTE, list[index].off, "nothing",
			     "the second buffer \"%.64s\" is named \"%.64s\" in the new file",
			     list[index].name, name);
	return name;
}

/* trace-cmd reads one text; further ones are left out with a finding. */
static void put_latency(struct repair *r, uint32_t number, const struct tdat_buffer *b, bool first)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct write_buffer *to = r->w->buffers[number];
	struct tdat_span text = tdat_file_part(r->file, TDAT_PART_LATENCY);

	if (!first) {
		read_finding(&r->out, TDAT_DAMAGE, b->off, "that text",
			     "the latency text of buffer \"%.64s\" is omitted: the new file keeps "
			     "only the first latency text",
			     b->name);
		return;
	}
	to->has_latency = true;
	repair_fail(r, write_spool_append(&r->w->spool, &to->latency, 1, text.ptr, text.len, &err),
		    &err);
}

/*
 * Returns the buffer with CPU data that excludes a latency text: that of its name, else any; or
 * NULL.
 */
static const struct tdat_buffer *with_events(const struct repair *r, const struct tdat_buffer *text)
{
	const struct tdat_buffer *list, *found = NULL;
	size_t i, count;

	list = tdat_file_buffers(r->file, &count);
	for (i = 0; i < count; i++)
		if (!list[i].latency && list[i].cpu_count &&
		    (!found || !strcmp(list[i].name, text->name)))
			found = &list[i];
	return found;
}

/* A text beside events is left out, since trace-cmd then reads no events. */
static void put_buffers(struct repair *r)
{
	const struct tdat_buffer *list;
	bool latency = false;
	size_t i, count;

	list = tdat_file_buffers(r->file, &count);
	r->w->buffers[0]->absent = count && *list[0].name;
	for (i = 0; r->out.status == TDAT_OK && i < count; i++) {
		const struct tdat_buffer *b = &list[i];
		const char *name = new_name(r, i);
		struct tdat_error err = TDAT_ERROR_INIT;
		uint32_t number, k;

		if (b->latency && with_events(r, b)) {
			read_finding(&r->out, TDAT_DAMAGE, b->off, "that text",
				     "the latency text of buffer \"%.64s\" is omitted: beside it, "
				     "trace-cmd would not read the events of buffer \"%.64s\"",
				     b->name, with_events(r, b)->name);
			continue;
		}
		if (!name)
			repair_fail(r, tdat_error_no_memory(&err, "a buffer's name"), &err);
		if (r->out.status != TDAT_OK)
			return;
		number = buffer_number(r, name, b->clock);
		if (r->out.status != TDAT_OK)
			return;
		buffer_shape(r, number, b->page_size);
		if (b->latency) {
			put_latency(r, number, b, !latency);
			latency = true;
			continue;
		}
		for (k = 0; k < b->cpu_count; k++)
			repair_cpu(r, number, b, &b->cpus[k], NULL);
	}
}

/* ---- CPU data from files of its own ---- */

/* Returns the index of the buffer of that name, or the number of buffers. */
static uint32_t find_buffer(const struct repair *r, const char *name)
{
	uint32_t i;

	for (i = 0; i < r->w->buffer_count; i++)
		if (!strcmp(r->w->buffers[i]->name, name))
			break;
	return i;
}

/* Data that the trace.dat has already is not replaced: that is wrong usage. */
static void put_source(struct repair *r, const struct tdat_repair_pages *p)
{
	const struct tdat_cpu cpu = {.cpu = p->cpu, .len = tdat_source_len(p->source)};
	struct tdat_buffer b = {.name = p->buffer, .clock = ""};
	uint32_t number = find_buffer(r, p->buffer);
	struct tdat_error err = TDAT_ERROR_INIT;
	struct write_buffer *to;

	if (number == r->w->buffer_count)
		number = buffer_number(r, p->buffer, "");
	if (r->out.status != TDAT_OK)
		return;
	to = r->w->buffers[number];
	to->absent = false;
	b.page_size = to->shape.size ? to->shape.size : r->file->ix.page_size;
	if (!to->shape.size)
		buffer_shape(r, number, b.page_size);
	if (p->cpu < to->stream_cap && to->streams[p->cpu]) {
		tdat_error_set(&err, TDAT_E_USAGE, TDAT_NO_OFFSET,
			       "%s contains data of CPU %u, but another input already does",
			       tdat_source_name(p->source), p->cpu);
		repair_fail(r, TDAT_E_USAGE, &err);
		return;
	}
	repair_cpu(r, number, &b, &cpu, p->source);
}

/* Checks byte order and longs of the sources: formats describe records of one order and size. */
static void check_sources(struct repair *r)
{
	const struct dat_index *a = &r->file->ix;
	const struct tdat_file *other = r->opts.formats_from;
	struct tdat_error err = TDAT_ERROR_INIT;

	if (!other ||
	    (other->ix.big == a->big && other->ix.kernel_long_size == a->kernel_long_size))
		return;
	tdat_error_set(
		&err, TDAT_E_USAGE, TDAT_NO_OFFSET,
		"formats of %s (%s-endian, %u-byte long) do not match %s (%s-endian, %u-byte long)",
		tdat_file_info(other)->name, other->ix.big ? "big" : "little",
		other->ix.kernel_long_size, tdat_file_info(r->file)->name,
		a->big ? "big" : "little", a->kernel_long_size);
	repair_fail(r, TDAT_E_USAGE, &err);
}

/*
 * Notes CPU-data damage that no counter quantifies. Data that the file lacks at its end is one of
 * the damages found at opening, which repair_options() counts.
 */
static void note_hiding(struct repair *r, uint64_t damages)
{
	struct tdat_repair_result *res = &r->result;
	const uint64_t lossless = res->chunks_mended;

	if (damages > lossless && !res->pages_mended && !res->pages_lost && !res->lost_len)
		res->hiding += damages - lossless;
}

/* Findings of opening come first, so that they are in the order of the file. */
static void run(struct repair *r)
{
	const uint64_t failures = tdat_file_memory_failures(r->file);
	const uint64_t from_failures =
		r->opts.formats_from ? tdat_file_memory_failures(r->opts.formats_from) : 0;
	struct tdat_error err = TDAT_ERROR_INIT;
	uint64_t before;
	size_t i;

	check_sources(r);
	repair_fail(r, copy_file_begin(r->w, r->file, &err), &err);
	if (r->out.status != TDAT_OK)
		return;
	r->begun = true;
	read_opening_findings(&r->out, r->file);
	before = r->out.damages;
	read_text_findings(&r->out, r->file);
	r->result.texts_mended = r->out.damages - before;
	r->result.missing_len = r->file->ix.missing_len;
	head_page_size(r);
	repair_parts(r);
	before = r->out.damages;
	if (!r->opts.metadata_only)
		put_buffers(r);
	for (i = 0; r->out.status == TDAT_OK && i < r->opts.page_source_count; i++)
		put_source(r, &r->opts.pages[i]);
	note_hiding(r, r->out.damages - before);
	repair_formats(r); /* ids are known */
	repair_options(r); /* last: CPUs are known */
	repair_fail(r, file_memory(r->file, failures, &err), &err);
	if (r->opts.formats_from)
		repair_fail(r, file_memory(r->opts.formats_from, from_failures, &err), &err);
}

/* The writer is broken after a failure, so that no half file appears. */
enum tdat_status tdat_repair(struct tdat_writer *w, const struct tdat_file *file,
			     const struct tdat_repair_opts *opts, tdat_finding_fn fn, void *ctx,
			     struct tdat_repair_result *result, struct tdat_error *err)
{
	const struct tdat_repair_opts defaults = TDAT_REPAIR_OPTS_INIT;
	struct repair *r = calloc(1, sizeof(*r));
	enum tdat_status st;

	if (!r)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory to repair");
	r->w = w;
	r->file = file;
	r->layout = file->layout;
	r->opts = defaults;
	tdat_opts_copy(&r->opts, sizeof(r->opts), opts);
	r->out.fn = fn;
	r->out.ctx = ctx;
	tdat_error_reset(&r->out.err);
	run(r);
	st = r->out.status;
	/*
	 * Later even wrong usage leaves a part of the file, for example a source of pages that does
	 * not fit.
	 */
	if (st != TDAT_OK && r->begun)
		copy_file_break(w, st, &r->out.err);
	r->result.damages = r->out.damages;
	if (result)
		*result = r->result;
	if (st != TDAT_OK && err)
		*err = r->out.err;
	repair_parts_fini(r);
	tdat_build_fini(&r->ftrace);
	tdat_build_fini(&r->events);
	free(r->page);
	free(r);
	return st;
}
