/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Splits a file into pieces: checks what was asked for, and fills one writer for each piece. A
 * piece is a copy (lib/copy) of everything but CPU data, and the wanted events of each CPU
 * (split_stream.c). Buffers keep their names; those without a wanted event keep their place.
 * Latency text and the pages of very old kernels are refused.
 */
#include "split.h"

#include <stdlib.h>
#include <string.h>

#include "core/opts.h"
#include "core/source_fd.h"
#include "file/near.h"
#include "read/seek.h"
#include "copy/copy.h"

/* Bytes of each stream's read buffer. */
enum { WINDOW = 124 * 1024 };

/* ---- making one ---- */

/* Pages of another layout could not be taken whole into a new file. */
static enum tdat_status check_file(const struct tdat_file *file, struct tdat_error *err)
{
	const struct dat_index *ix = &file->ix;

	if (ix->old_ring_buffer)
		return tdat_error_set(err, TDAT_E_UNSUPPORTED, TDAT_NO_OFFSET,
				      "%s has ring-buffer pages of a kernel before Linux 2.6.31, "
				      "which cannot be split",
				      file->info.name);
	if (file->layout.data_off != 8u + file->layout.commit_size)
		return tdat_error_set(err, TDAT_E_UNSUPPORTED, TDAT_NO_OFFSET,
				      "pages of %s have a header of %u bytes instead of %u",
				      file->info.name, file->layout.data_off,
				      8u + file->layout.commit_size);
	for (size_t i = 0; i < ix->buffer_count; i++)
		if (ix->buffers[i].latency)
			return tdat_error_set(err, TDAT_E_UNSUPPORTED, ix->buffers[i].off,
					      "%s holds the text of a latency tracer, which has no "
					      "events to split",
					      file->info.name);
	return TDAT_OK;
}

/* Checks the unit and its count. Without a unit there is one piece, taken CPU by CPU. */
static enum tdat_status check_opts(struct tdat_split *sp, struct tdat_error *err)
{
	struct tdat_split_opts *o = &sp->opts;

	if (o->unit == TDAT_SPLIT_ALL)
		o->per_cpu = true;
	else if (!o->count)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "a piece holds at least one event, page or nanosecond");
	/* Pages belong to one CPU, so they are counted per CPU. */
	if (o->unit == TDAT_SPLIT_PAGES)
		o->per_cpu = true;
	if (o->unit == TDAT_SPLIT_NS && !clock_facts_seconds(&sp->file->clock, false))
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "the clock of %s does not count nanoseconds: it cannot be "
				      "split by time",
				      sp->file->info.name);
	return TDAT_OK;
}

/* The stream is clipped before its first record; progress is counted in stored bytes. */
static enum tdat_status open_stream(struct tdat_split *sp, struct split_buffer *b,
				    const struct tdat_cpu *cpu, struct tdat_error *err)
{
	struct split_stream *ss = &b->streams[b->stream_count];
	uint32_t chunks;
	enum tdat_status st;

	ss->buffer = b;
	st = read_stream_init(&ss->s, sp->file, b->from, cpu, &b->clock, WINDOW, err);
	if (st != TDAT_OK)
		return st;
	b->stream_count++;
	chunks = ss->s.chunks.left;
	if (sp->select && sp->select->times.set)
		st = read_stream_clip(&ss->s, sp->select->times.from, sp->select->times.to, err);
	if (st != TDAT_OK)
		return st;
	if (ss->s.compressed) {
		ss->end = ss->s.chunks.left;
		/* Chunks have different lengths: their share of the CPU's bytes is estimated. */
		ss->stored_len =
			chunks ? (uint64_t)((double)cpu->len * (double)ss->end / (double)chunks)
			       : 0;
	} else {
		ss->start = ss->s.off;
		ss->end = ss->s.end;
		ss->stored_len = ss->end - ss->start;
	}
	return split_stream_start(sp, ss, err);
}

/* Opens the streams of a buffer, of the wanted CPUs only. */
static enum tdat_status open_buffer(struct tdat_split *sp, const struct tdat_iter_input *in,
				    const struct tdat_buffer *from, const char *as,
				    struct tdat_error *err)
{
	const struct tdat_iter_opts defaults = TDAT_ITER_OPTS_INIT;
	struct split_buffer *b = &sp->buffers[sp->buffer_count++];
	enum tdat_status st = TDAT_OK;

	/* Only the top buffer's times are shifted to the host's. */
	if (sp->file->clock.sync_cpu_count && (*from->name == 0) != (*as == 0))
		return tdat_error_set(err, TDAT_E_UNSUPPORTED, from->off,
				      "the clock of %s is corrected for its top buffer only: "
				      "buffer \"%s\" cannot become \"%s\"",
				      sp->file->info.name, from->name, as);
	b->from = from;
	b->as = strdup(as);
	b->streams = calloc(from->cpu_count + 1, sizeof(*b->streams));
	if (!b->as || !b->streams)
		return tdat_error_no_memory(err, "a split");
	read_clock_init(&b->clock, &sp->file->clock, *from->name != '\0', in, &defaults);
	for (uint32_t i = 0; st == TDAT_OK && i < from->cpu_count; i++)
		if (read_cpus_has(&sp->cpus, from->cpus[i].cpu))
			st = open_stream(sp, b, &from->cpus[i], err);
	return st;
}

/* The filter may name buffers. */
static bool buffer_passes(const struct tdat_split *sp, const struct tdat_buffer *b)
{
	return !sp->opts.filter || read_select_buffer(sp->opts.filter, b);
}

/* Two buffers of one name would become one. */
static enum tdat_status name_taken(const struct tdat_split *sp, const char *as,
				   struct tdat_error *err)
{
	for (size_t i = 0; i < sp->buffer_count; i++)
		if (!strcmp(sp->buffers[i].as, as))
			return tdat_error_set(
				err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				*as ? "two buffers would be named \"%s\""
				    : "two buffers would become the top-level buffer%s",
				as);
	return TDAT_OK;
}

/* Only buffers that the caller names, under the names that it gives. */
static enum tdat_status open_named(struct tdat_split *sp, const struct tdat_iter_input *in,
				   const struct tdat_split_buffer *name, struct tdat_error *err)
{
	enum tdat_status st = name_taken(sp, name->as, err);
	struct tdat_near near = {.word = name->name};
	const struct tdat_buffer *list;
	size_t count;

	/* The first buffer of a name counts, as for readers. */
	list = tdat_file_buffers(sp->file, &count);
	for (size_t i = 0; st == TDAT_OK && i < count; i++) {
		if (strcmp(list[i].name, name->name) != 0)
			continue;
		return buffer_passes(sp, &list[i]) ? open_buffer(sp, in, &list[i], name->as, err)
						   : TDAT_OK;
	}
	file_near_buffers(&near, sp->file);
	return st != TDAT_OK
		       ? st
		       : tdat_error_set(err, TDAT_E_NOT_FOUND, TDAT_NO_OFFSET,
					*name->name ? "%s has no buffer named \"%s\"%s"
						    : "%s has no top-level buffer%s%s",
					sp->file->info.name, name->name, tdat_near_hint(&near, ""));
}

/* The top buffer, if it is there, is the first in any file. */
static enum tdat_status open_buffers(struct tdat_split *sp, const struct tdat_iter_input *in,
				     struct tdat_error *err)
{
	const struct tdat_split_opts *o = &sp->opts;
	enum tdat_status st = TDAT_OK;
	const struct tdat_buffer *list;
	size_t count;

	list = tdat_file_buffers(sp->file, &count);
	sp->buffers = calloc(count + o->buffer_count + 1, sizeof(*sp->buffers));
	if (!sp->buffers)
		return tdat_error_no_memory(err, "a split");
	/* The top buffer comes first in any file. */
	for (int top = 1; top >= 0; top--) /* true, then false */
		for (size_t i = 0; st == TDAT_OK && i < o->buffer_count; i++)
			if ((*o->buffers[i].as == '\0') == top)
				st = open_named(sp, in, &o->buffers[i], err);
	for (size_t i = 0; st == TDAT_OK && !o->buffers && i < count; i++)
		if (buffer_passes(sp, &list[i]))
			st = open_buffer(sp, in, &list[i], list[i].name, err);
	return st;
}

/*
 * Checks the file and the options, then opens streams. The filter is bound to the file here, so
 * that a wrong name fails before a piece is begun.
 */
static enum tdat_status setup(struct tdat_split *sp, struct tdat_error *err)
{
	const struct tdat_iter_opts defaults = TDAT_ITER_OPTS_INIT;
	const struct tdat_iter_input in = {.file = sp->file};
	enum tdat_status st = check_file(sp->file, err);

	if (st == TDAT_OK)
		st = check_opts(sp, err);
	file_common_find(sp->file, &sp->common);
	if (st == TDAT_OK && sp->opts.filter)
		st = read_select_new(&sp->select, sp->opts.filter, &in, 1, &defaults, err);
	return st == TDAT_OK ? open_buffers(sp, &in, err) : st;
}

/* A failure frees everything: *out stays NULL. */
enum tdat_status tdat_split_new(struct tdat_split **out, struct tdat_file *file,
				const struct tdat_split_opts *opts, struct tdat_error *err)
{
	const struct tdat_split_opts defaults = TDAT_SPLIT_OPTS_INIT;
	struct tdat_split *sp = calloc(1, sizeof(*sp));
	enum tdat_status st;

	*out = NULL;
	if (!sp)
		return tdat_error_no_memory(err, "a split");
	sp->file = file;
	sp->memory_failures = tdat_file_memory_failures(file);
	sp->fd = tdat_source_fd(file->src);
	sp->opts = defaults;
	tdat_opts_copy(&sp->opts, sizeof(sp->opts), opts);
	if (read_cpus_init(&sp->cpus, sp->opts.cpus, sp->opts.cpu_count))
		st = setup(sp, err);
	else
		st = tdat_error_no_memory(err, "a split");
	if (st != TDAT_OK) {
		tdat_split_free(sp);
		return st;
	}
	*out = sp;
	return TDAT_OK;
}

/* Writers that were filled stay the caller's. */
void tdat_split_free(struct tdat_split *sp)
{
	if (!sp)
		return;
	for (size_t i = 0; i < sp->buffer_count; i++) {
		for (size_t k = 0; k < sp->buffers[i].stream_count; k++)
			split_stream_fini(&sp->buffers[i].streams[k]);
		free(sp->buffers[i].streams);
		free(sp->buffers[i].as);
	}
	read_select_free(sp->select);
	read_cpus_fini(&sp->cpus);
	free(sp->buffers);
	free(sp->damage);
	free(sp->run);
	free(sp);
}

void tdat_split_on_progress(struct tdat_split *sp, tdat_progress_fn fn, void *ctx)
{
	sp->progress = fn;
	sp->progress_ctx = ctx;
}

/* ---- pieces ---- */

/* True if a stream has a head, which is always a wanted event. */
static bool anything_left(const struct tdat_split *sp)
{
	for (size_t i = 0; i < sp->buffer_count; i++)
		for (size_t k = 0; k < sp->buffers[i].stream_count; k++)
			if (sp->buffers[i].streams[k].s.have)
				return true;
	return false;
}

/* Every piece has all buffers, also those without an event in it. */
static enum tdat_status copy_buffers(struct tdat_split *sp, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	sp->w->buffers[0]->absent = true; /* until it is met */
	for (size_t i = 0; st == TDAT_OK && i < sp->buffer_count; i++)
		st = copy_file_buffer(sp->w, sp->file, sp->buffers[i].from, sp->buffers[i].as,
				      &sp->buffers[i].number, err);
	return st;
}

/* Fills one piece. CPU data first: with shrink it decides which metadata is written. */
static enum tdat_status fill(struct tdat_split *sp, struct tdat_error *err)
{
	enum tdat_status st = copy_buffers(sp, err);

	if (st == TDAT_OK && sp->opts.shrink)
		st = split_shrink_new(&sp->shrink, sp->file, err);
	if (st == TDAT_OK)
		st = split_piece(sp, err);
	if (st == TDAT_OK && sp->select && read_select_failed(sp->select))
		st = tdat_error_no_memory(err, "a split");
	if (st == TDAT_OK && sp->shrink)
		st = split_shrink_parts(sp->shrink, sp->w, err);
	split_shrink_free(sp->shrink);
	sp->shrink = NULL;
	if (st == TDAT_OK)
		st = copy_file_sections(sp->w, sp->file, err);
	return st == TDAT_OK ? copy_file_options(sp->w, sp->file, err) : st;
}

/*
 * Fills w with the next piece. *more is known only after the piece, when streams have their next
 * heads.
 */
enum tdat_status tdat_split_next(struct tdat_split *sp, struct tdat_writer *w, bool *more,
				 struct tdat_error *err)
{
	enum tdat_status st = copy_file_begin(w, sp->file, err);

	*more = false;
	if (st != TDAT_OK)
		return copy_file_end(w, st, err);
	sp->w = w;
	sp->pieces++;
	st = fill(sp, err);
	if (st == TDAT_OK)
		st = file_memory(sp->file, sp->memory_failures, err);
	*more = st == TDAT_OK && anything_left(sp);
	return copy_file_end(w, st, err);
}

/* Lists the streams with damage so far. The list is valid until the next call. */
const struct tdat_stream_damage *tdat_split_damage(struct tdat_split *sp, size_t *count)
{
	size_t n = 0;

	*count = 0;
	for (size_t i = 0; i < sp->buffer_count; i++)
		n += sp->buffers[i].stream_count;
	free(sp->damage);
	sp->damage = calloc(n + 1, sizeof(*sp->damage));
	for (size_t i = 0; sp->damage && i < sp->buffer_count; i++) {
		const struct split_buffer *b = &sp->buffers[i];

		for (size_t k = 0; k < b->stream_count; k++) {
			const struct read_stream *s = &b->streams[k].s;
			struct tdat_stream_damage *d = &sp->damage[*count];

			if (!s->bad_pages)
				continue;
			*d = s->damage;
			d->buffer = (uint32_t)(b->from - sp->file->ix.buffers);
			d->cpu = s->cpu;
			d->bad_pages = s->bad_pages;
			++*count;
		}
	}
	return sp->damage;
}
