/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds first and last time, pages, events and losses of one CPU's data. Most files give both
 * ends from two pages; a walk over all pages is made only if counts are asked for or headers of
 * chunks contradict each other. Used by info, by relative times and by the view.
 */
#include <string.h>

#include "stream.h"
#include "summary.h"

enum { SUMMARY_WINDOW = 256 * 1024 };

/* Reads a stream to its end, noting times and, when asked, counts. */
static enum tdat_status walk(struct read_stream *s, bool count, struct tdat_cpu_summary *out,
			     struct tdat_error *err)
{
	for (;;) {
		enum tdat_status st = read_stream_step(s, err);

		if (st != TDAT_OK || !s->have)
			return st;
		if (!out->has_events) {
			out->has_events = true;
			out->first_ts = s->head.ts;
		} else if (s->head.ts < out->last_ts) {
			out->backward_count++;
			if (out->last_ts - s->head.ts > out->backward_most)
				out->backward_most = out->last_ts - s->head.ts;
		}
		out->last_ts = s->head.ts;
		if (!count)
			continue;
		out->event_count++;
		if (s->head.lost_before > 0)
			out->lost_count += (uint64_t)s->head.lost_before;
		else if (s->head.lost_before)
			out->lost_marks++;
	}
}

/* Only the first record. */
static enum tdat_status first_record(struct read_stream *s, struct tdat_cpu_summary *out,
				     struct tdat_error *err)
{
	enum tdat_status st = read_stream_step(s, err);

	if (st == TDAT_OK && s->have) {
		out->has_events = true;
		out->first_ts = s->head.ts;
	}
	return st;
}

/*
 * Pages of compressed data by its chunk headers; *last is the last chunk. *broken: a header cannot
 * be right, so that the data itself must be read.
 */
static enum tdat_status count_chunks(const struct read_stream *s, uint64_t *pages,
				     struct dat_chunks *last, bool *broken, struct tdat_error *err)
{
	struct dat_chunks c = s->chunks;
	uint64_t total = 0;

	*last = c;
	*broken = false;
	for (;;) {
		struct dat_chunks before = c;
		bool more;
		enum tdat_status st = dat_chunks_next(&c, &more, err);

		if (st == TDAT_OK && !more)
			st = dat_chunks_rest(&c, err);
		if (st == TDAT_E_DAMAGED || st == TDAT_E_LIMIT) {
			tdat_error_reset(err);
			*broken = true;
			break;
		}
		if (st != TDAT_OK)
			return st;
		if (!more)
			break;
		*last = before;
		total += c.out_len;
	}
	*pages = (total + s->page_size - 1) / s->page_size;
	return TDAT_OK;
}

/*
 * Takes the damage of a stream that was read to its end, or to its first record. Pages may be read
 * twice: those of the first and those of the last record.
 */
static void take_damage(const struct read_stream *s, struct tdat_cpu_summary *out,
			struct tdat_stream_damage *damage)
{
	out->lost_end = read_stream_lost_end(s);
	if (s->bad_pages <= out->bad_pages)
		return;
	out->bad_pages = s->bad_pages;
	if (damage)
		*damage = s->damage;
}

/* The time of the last record: from the last page or chunk, else from all. */
static enum tdat_status last_record(const struct tdat_file *file, const struct tdat_buffer *b,
				    const struct tdat_cpu *cpu, const struct read_clock *clock,
				    struct tdat_cpu_summary *out, struct tdat_stream_damage *damage,
				    struct tdat_error *err)
{
	struct tdat_cpu_summary tail = {0};
	struct tdat_cpu part = *cpu;
	struct read_stream s;
	enum tdat_status st;
	int whole;

	for (whole = 0; whole < 2 && !tail.has_events; whole++) {
		if (!whole && !b->compressed && cpu->len > b->page_size) {
			uint64_t rest = cpu->len % b->page_size;

			part.len = rest ? rest + b->page_size : b->page_size;
			part.len = part.len > cpu->len ? cpu->len : part.len;
			part.off = cpu->off + cpu->len - part.len;
		} else {
			part = *cpu;
		}
		st = read_stream_init(&s, file, b, &part, clock, SUMMARY_WINDOW, err);
		if (st == TDAT_OK && !whole && b->compressed) {
			struct dat_chunks last;
			uint64_t pages;
			bool broken;

			st = count_chunks(&s, &pages, &last, &broken, err);
			s.chunks = last;
		}
		if (st == TDAT_OK)
			st = walk(&s, false, &tail, err);
		take_damage(&s, out, damage);
		read_stream_fini(&s);
		if (st != TDAT_OK)
			return st;
	}
	if (tail.has_events)
		out->last_ts = tail.last_ts;
	return TDAT_OK;
}

/*
 * Makes the summary: from both ends, or from all pages if counts are asked for or a header of a
 * chunk is broken.
 */
static enum tdat_status summarise(const struct tdat_file *file, const struct tdat_buffer *b,
				  const struct tdat_cpu *cpu, const struct read_clock *clock,
				  bool count, struct tdat_cpu_summary *out,
				  struct tdat_stream_damage *damage, struct tdat_error *err)
{
	bool all = count;
	struct dat_chunks last;
	struct read_stream s;
	enum tdat_status st;

	memset(out, 0, sizeof(*out));
	st = read_stream_init(&s, file, b, cpu, clock, count ? SUMMARY_WINDOW : b->page_size, err);
	out->page_count = (cpu->len + b->page_size - 1) / b->page_size;
	if (st == TDAT_OK && b->compressed) {
		bool broken;

		st = count_chunks(&s, &out->page_count, &last, &broken, err);
		all |= broken;
	}
	if (st == TDAT_OK)
		st = all ? walk(&s, count, out, err) : first_record(&s, out, err);
	if (b->compressed && all)
		out->page_count = s.pages;
	take_damage(&s, out, damage);
	read_stream_fini(&s);
	/* The first pass read only the first record. */
	if (st == TDAT_OK && !all && out->has_events)
		st = last_record(file, b, cpu, clock, out, damage, err);
	return st;
}

/* Summary of one CPU on the file's own clock; count reads all of its pages. */
enum tdat_status tdat_file_cpu_summary(const struct tdat_file *file, size_t buffer_index,
				       size_t cpu_index, bool count, struct tdat_cpu_summary *out,
				       struct tdat_error *err)
{
	const struct tdat_iter_input in = {NULL, 0, 0};
	const struct tdat_iter_opts opts = TDAT_ITER_OPTS_INIT;
	const struct tdat_buffer *b;
	struct read_clock clock;

	memset(out, 0, sizeof(*out));
	if (buffer_index >= file->ix.buffer_count ||
	    cpu_index >= file->ix.buffers[buffer_index].cpu_count)
		return tdat_error_set(err, TDAT_E_NOT_FOUND, TDAT_NO_OFFSET,
				      "there is no CPU entry %zu in buffer %zu", cpu_index,
				      buffer_index);
	b = &file->ix.buffers[buffer_index];
	read_clock_init(&clock, &file->clock, *b->name != '\0', &in, &opts);
	return summarise(file, b, &b->cpus[cpu_index], &clock, count, out, NULL, err);
}

/* Only the ends, on the clock of an iterator's input; *damage is the first damage met, if any. */
enum tdat_status read_summary_ends(const struct tdat_iter_input *in,
				   const struct tdat_iter_opts *opts, size_t buffer, size_t cpu,
				   struct tdat_cpu_summary *out, struct tdat_stream_damage *damage,
				   struct tdat_error *err)
{
	const struct tdat_buffer *b = &in->file->ix.buffers[buffer];
	struct read_clock clock;

	read_clock_init(&clock, &in->file->clock, *b->name != '\0', in, opts);
	return summarise(in->file, b, &b->cpus[cpu], &clock, false, out, damage, err);
}
