/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the cuts of a trace, and divides streams at them. Pieces are for threads that read one
 * trace together. Times of evenly spaced parts are sampled, cut times are chosen so that pieces
 * store about equally many bytes, and each stream gets the first part at or after each cut. A
 * cut is a place, not a time: each record is in exactly one piece, also where time goes back.
 * The search for a part begins where the last one ended, so it costs cuts x streams x log n.
 */
#include "cuts.h"

#include <stdlib.h>

#include "core/search.h"
#include "core/grow.h"

/* Timestamps that are read to find each cut. */
enum { SAMPLES_PER_PIECE = 32, SAMPLES_MOST = 1 << 16 };

/*
 * The most places of cuts in streams that are kept, 64 MiB, and the bytes that a piece has at
 * least, as stored.
 */
enum { PLACES_MOST = 1 << 23, PIECE_LEAST = 4096 };

/* The places of the cuts in one stream. */
struct cut_stream {
	uint32_t input, buffer, cpu;
	bool compressed;
	uint64_t off; /* plain: of its first page */
	uint64_t part_count;
	struct dat_chunks *chunks; /* compressed: before each part */
	uint64_t *parts;	   /* for each cut: the first that starts at its time or later */
};

struct read_cuts {
	uint32_t pieces;
	uint64_t *ts; /* of each cut; there are pieces - 1, or 0 */
	uint32_t count;
	struct cut_stream *streams; /* in the order of input, buffer, cpu */
	size_t stream_count;
};

/* A time, and the stored bytes that it represents. */
struct sample {
	uint64_t ts, weight; /* ts first, for the order */
};

struct samples {
	struct sample *list;
	size_t count, cap;
};

/* Bytes of all CPUs' data as stored, by which pieces are balanced. */
uint64_t read_stored_len(const struct tdat_iter_input *inputs, size_t input_count)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < input_count; i++) {
		const struct dat_index *ix = &inputs[i].file->ix;

		for (size_t b = 0; b < ix->buffer_count; b++)
			for (uint32_t c = 0; c < ix->buffers[b].cpu_count; c++)
				sum += ix->buffers[b].cpus[c].len;
	}
	return sum;
}

/* A walk over all streams, first for samples and then for the places of the cuts. */
struct walk {
	struct read_cuts *cuts;
	const struct tdat_iter_input *inputs;
	const struct tdat_iter_opts *opts;
	uint64_t stored, sample_count;
	struct samples samples;
	/* Set when times of a stream may go back: then the trace is not cut. */
	bool unordered;
};

static enum tdat_status add_sample(struct walk *w, uint64_t ts, uint64_t weight,
				   struct tdat_error *err)
{
	struct samples *s = &w->samples;

	if (!TDAT_GROW(s->list, &s->cap, s->count + 1))
		return tdat_error_no_memory(err, "the cuts of a trace");
	s->list[s->count++] = (struct sample){ts, weight};
	return TDAT_OK;
}

/* Takes the times of evenly spaced parts, each as a sample for the parts up to the next. */
static enum tdat_status sample_parts(struct walk *w, struct read_parts *p, uint64_t len,
				     struct tdat_error *err)
{
	uint64_t n = w->stored ? len / (w->stored / w->sample_count + 1) + 1 : 1, last = 0;
	enum tdat_status st = TDAT_OK;

	n = n < p->count ? n : p->count;
	for (uint64_t i = 0; i < n && st == TDAT_OK; i++) {
		const uint64_t ts = read_parts_ts(p, p->count / n * i);

		w->unordered |= p->failed || ts < last;
		last = ts;
		st = add_sample(w, ts, len / n + 1, err);
	}
	return st;
}

/*
 * The first part from lo on that starts at ts or later; all before lo are earlier. The time of a
 * part that is compressed costs inflating it, so the search begins where the next cut is expected.
 */
static uint64_t find_part(struct walk *w, struct read_parts *p, uint64_t lo, uint64_t ts)
{
	/* Doubles the step until it passes the time, then searches by halves. */
	uint64_t step = p->count / w->cuts->pieces + 1, hi = lo;

	while (hi < p->count && read_parts_ts(p, hi) < ts) {
		lo = hi + 1;
		hi += step < p->count - hi ? step : p->count - hi;
		step *= 2;
	}
	while (lo < hi) {
		const uint64_t mid = lo + (hi - lo) / 2;

		if (read_parts_ts(p, mid) >= ts)
			hi = mid;
		else
			lo = mid + 1;
	}
	w->unordered |= p->failed;
	return lo;
}

/*
 * Finds the first part of each cut in a stream. Chunk headers move to the cut stream, so they are
 * walked only once.
 */
static enum tdat_status find_cuts(struct walk *w, struct cut_stream *cs, struct read_parts *p,
				  struct tdat_error *err)
{
	uint64_t at = 0;

	cs->parts = calloc(w->cuts->count + 1, sizeof(*cs->parts));
	if (!cs->parts)
		return tdat_error_no_memory(err, "the cuts of a trace");
	for (uint32_t i = 0; i < w->cuts->count; i++)
		cs->parts[i] = at = find_part(w, p, at, w->cuts->ts[i]);
	cs->part_count = p->count;
	cs->chunks = p->chunks;
	p->chunks = NULL;
	return TDAT_OK;
}

/* One stream: its samples, or when the cuts are known its places. */
static enum tdat_status walk_stream(struct walk *w, uint32_t input, uint32_t buffer, uint32_t cpu,
				    bool sampling, struct tdat_error *err)
{
	const struct tdat_iter_input *in = &w->inputs[input];
	const struct tdat_buffer *b = &in->file->ix.buffers[buffer];
	struct read_clock clock;
	struct read_stream s;
	struct read_parts p;
	enum tdat_status st;

	read_clock_init(&clock, &in->file->clock, *b->name != '\0', in, w->opts);
	st = read_stream_init(&s, in->file, b, &b->cpus[cpu], &clock, b->page_size, err);
	if (st != TDAT_OK)
		return st;
	/*
	 * A clock that is corrected piecewise, or damage at the start, makes times of parts
	 * unsure.
	 */
	w->unordered |= clock.sync || s.bad_pages || !read_parts_init(&p, &s);
	if (clock.sync || s.bad_pages)
		p = (struct read_parts){.s = &s};
	if (p.nomem) {
		st = tdat_error_no_memory(err, "the cuts of a trace");
	} else if (sampling) {
		st = sample_parts(w, &p, b->cpus[cpu].len, err);
	} else {
		struct cut_stream *cs = &w->cuts->streams[w->cuts->stream_count++];

		*cs = (struct cut_stream){.input = input,
					  .buffer = buffer,
					  .cpu = cpu,
					  .compressed = s.compressed,
					  .off = s.off};
		st = find_cuts(w, cs, &p, err);
	}
	read_parts_fini(&p);
	read_stream_fini(&s);
	return st;
}

/* Walks all streams in one order, which find_stream() relies on. */
static enum tdat_status walk_all(struct walk *w, size_t input_count, bool sampling,
				 struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	for (uint32_t i = 0; i < input_count; i++) {
		const struct dat_index *ix = &w->inputs[i].file->ix;

		for (uint32_t b = 0; b < ix->buffer_count; b++)
			for (uint32_t c = 0; c < ix->buffers[b].cpu_count; c++) {
				if (ix->buffers[b].latency || w->unordered)
					continue;
				st = walk_stream(w, i, b, c, sampling, err);
				if (st != TDAT_OK)
					return st;
			}
	}
	return st;
}

/* The number of streams of all inputs, with or without data. */
static size_t stream_total(const struct tdat_iter_input *inputs, size_t input_count)
{
	size_t n = 0;

	for (size_t i = 0; i < input_count; i++)
		for (size_t b = 0; b < inputs[i].file->ix.buffer_count; b++)
			n += inputs[i].file->ix.buffers[b].cpu_count;
	return n;
}

/*
 * The most pieces that make sense: bounded by samples, by memory for places, and by stored bytes.
 */
uint32_t read_cuts_most(const struct tdat_iter_input *inputs, size_t input_count)
{
	const size_t fit = PLACES_MOST / (stream_total(inputs, input_count) + 1);
	const uint64_t parts = read_stored_len(inputs, input_count) / PIECE_LEAST + 1;
	uint64_t most = SAMPLES_MOST < parts ? SAMPLES_MOST : parts;

	most = most < fit ? most : fit;
	return most ? (uint32_t)most : 1;
}

/* Picks the cut times: before each one lies its share of the stored bytes. */
static enum tdat_status pick_times(struct walk *w, struct tdat_error *err)
{
	struct read_cuts *c = w->cuts;
	uint64_t all = 0, sum = 0;
	size_t at = 0;

	c->ts = calloc(c->pieces, sizeof(*c->ts));
	if (!c->ts)
		return tdat_error_no_memory(err, "the cuts of a trace");
	if (!w->samples.count || w->unordered)
		return TDAT_OK;
	qsort(w->samples.list, w->samples.count, sizeof(*w->samples.list), tdat_by_u64);
	for (size_t i = 0; i < w->samples.count; i++)
		all += w->samples.list[i].weight;
	c->count = c->pieces - 1;
	/* Samples are in order, so one walk finds all cuts. */
	for (uint32_t i = 0; i < c->count; i++) {
		const uint64_t want = all / c->pieces * (i + 1);

		while (at + 1 < w->samples.count && sum + w->samples.list[at].weight <= want)
			sum += w->samples.list[at++].weight;
		c->ts[i] = w->samples.list[at].ts;
	}
	return TDAT_OK;
}

/*
 * Cuts the trace into pieces. If times are unordered there is one piece: count is 0, and later
 * pieces are empty.
 */
enum tdat_status read_cuts_new(struct read_cuts **out, const struct tdat_iter_input *inputs,
			       size_t input_count, const struct tdat_iter_opts *opts,
			       uint32_t pieces, struct tdat_error *err)
{
	struct read_cuts *c = calloc(1, sizeof(*c));
	struct walk w = {.cuts = c,
			 .inputs = inputs,
			 .opts = opts,
			 .stored = read_stored_len(inputs, input_count),
			 .sample_count = (uint64_t)pieces * SAMPLES_PER_PIECE};
	enum tdat_status st = TDAT_OK;

	*out = NULL;
	if (w.sample_count > SAMPLES_MOST)
		w.sample_count = SAMPLES_MOST;
	if (c)
		c->streams = calloc(stream_total(inputs, input_count) + 1, sizeof(*c->streams));
	if (!c || !c->streams) {
		free(c);
		return tdat_error_no_memory(err, "the cuts of a trace");
	}
	c->pieces = pieces;
	if (pieces > 1)
		st = walk_all(&w, input_count, true, err);
	if (st == TDAT_OK)
		st = pick_times(&w, err);
	if (st == TDAT_OK && c->count)
		st = walk_all(&w, input_count, false, err);
	if (w.unordered)
		c->count = 0;
	free(w.samples.list);
	if (st != TDAT_OK) {
		read_cuts_free(c);
		return st;
	}
	*out = c;
	return TDAT_OK;
}

void read_cuts_free(struct read_cuts *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->stream_count; i++) {
		free(c->streams[i].parts);
		free(c->streams[i].chunks);
	}
	free(c->streams);
	free(c->ts);
	free(c);
}

static bool is_before(const struct cut_stream *s, uint32_t input, uint32_t buffer, uint32_t cpu)
{
	return s->input != input     ? s->input < input
	       : s->buffer != buffer ? s->buffer < buffer
				     : s->cpu < cpu;
}

/* Returns the cut places of a stream; streams are sorted by input, buffer and CPU. */
static const struct cut_stream *find_stream(const struct read_cuts *c, uint32_t input,
					    uint32_t buffer, uint32_t cpu)
{
	size_t lo;

	TDAT_SEARCH(lo, c->stream_count, is_before(&c->streams[lo], input, buffer, cpu));
	return lo < c->stream_count ? &c->streams[lo] : NULL;
}

/* Where a part begins in the file: its page, or the header of its chunk. */
static uint64_t part_off(const struct cut_stream *cs, const struct read_stream *s, uint64_t part)
{
	if (part >= cs->part_count)
		return UINT64_MAX;
	return cs->compressed ? cs->chunks[part].off : cs->off + part * s->page_size;
}

/* Nothing of the stream is in the pieces. */
static void leave_out(struct read_stream *s)
{
	s->off = s->end;
	s->chunks.left = 0;
	s->chunks.part = true;
}

/*
 * Restricts a stream to pieces first to before end. whole: stacks depend on earlier events, so the
 * stream is read from its beginning and records before the piece are skipped.
 */
void read_cuts_apply(const struct read_cuts *c, struct read_stream *s, uint32_t input,
		     uint32_t buffer, uint32_t cpu, uint32_t first, uint32_t end, bool whole)
{
	const struct cut_stream *cs = find_stream(c, input, buffer, cpu);
	struct read_parts p = {.s = s};
	uint64_t from = 0, to;

	/* Without cuts the first piece is everything. */
	if (!c->count || !cs || first > c->count) {
		if (first)
			leave_out(s);
		return;
	}
	p.count = to = cs->part_count;
	p.chunks = cs->chunks;
	if (end <= c->count) {
		to = cs->parts[end - 1];
		if (!to) {
			leave_out(s);
			return;
		}
		/*
		 * The last part of the piece may reach beyond the cut: records from stop_ts on
		 * belong to the next piece.
		 */
		s->stop_off = part_off(cs, s, to - 1);
		s->stop_ts = c->ts[end - 1];
		s->stops = true;
	}
	if (first) {
		from = cs->parts[first - 1];
		/*
		 * The part before the cut may hold records of this piece, so it is read and
		 * filtered by time.
		 */
		s->skips = from > 0;
		s->skip_off = from ? part_off(cs, s, from - 1) : 0;
		s->skip_end = part_off(cs, s, from);
		s->skip_ts = c->ts[first - 1];
		/* Losses at the end of a part are known only to those who read it. */
		from = from > 2 && !whole ? from - 2 : 0;
	}
	if (p.count)
		read_parts_apply(&p, from, to);
}
