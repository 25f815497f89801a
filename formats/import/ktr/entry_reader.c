/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads binary entries in the order in which they were written: docs/formats/ktr.md §2. Reading
 * a ring starts at its oldest slot and goes all the way round; empty slots are skipped. The
 * first pass surveys times and tasks, the second hands entries to the reorder window
 * (reorder.c) and on to output.
 */
#include "ktr.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core/build.h"
#include "core/checked.h"
#include "core/zero.h"
#include "import/window.h"
#include "entry_layout.h"
#include "kernel_strings.h"
#include "printf_format.h"
#include "reorder.h"

/* Lowest address at which an amd64 kernel is linked (KERNBASE, the top 2 GB). */
#define AMD64_KERNEL 0xffffffff80000000ull

/* Bytes read at a time. */
enum { WINDOW_LEN = 1 << 20 };

static uint64_t slot_off(const struct ktr_reader *r, uint64_t slot)
{
	return slot * r->setup->layout->len;
}

/* Takes from the sidecar how many slots a ring has and which is the oldest. */
static enum tdat_status ring_of(const struct ktr_reader *r, struct ktr_stream *s, uint32_t cpu,
				const struct ktr_meta *meta, const struct tdat_emit *emit,
				struct tdat_error *err)
{
	uint64_t want = meta->entries, idx = 0, have = s->slots;

	/* BSD/OS counts in bytes, FreeBSD in entries. */
	if (r->setup->layout == ktr_layout(KTR_BSDOS)) {
		want = meta->ring_len;
		if (want & (want - 1) || (want && want < r->setup->layout->len))
			return tdat_error_set(err, TDAT_E_FORMAT, TDAT_NO_OFFSET,
					      "%s: ktr_size is %" PRIu64
					      ", but must be a power of two, and at least %" PRIu32
					      ": the kernel uses ktr_size - 1 as an index mask",
					      meta->input->name, want, r->setup->layout->len);
		want /= r->setup->layout->len;
		s->ring = ktr_meta_ring_idx(meta, cpu, &idx);
		idx /= r->setup->layout->len;
	} else {
		s->ring = meta->has_idx;
		idx = meta->idx;
	}
	/* Files may hold more than the ring: only the ring's slots are entries. */
	if (want && want < s->slots)
		s->slots = want;
	/*
	 * Reading starts there and goes all the way round; empty slots are skipped wherever they
	 * are.
	 */
	if (s->ring && s->slots)
		s->first = idx % (want ? want : s->slots);
	if (s->first >= s->slots)
		s->first = 0;
	/* The dump was cut short: warn, and import the slots that are there. */
	if (want <= have)
		return TDAT_OK;
	return tdat_emit_warnf(emit, s->input->name, slot_off(r, have), err,
			       "holds %" PRIu64 " of %" PRIu64 " entries", have, want);
}

/* Finds out where a stream's entries begin and end, and warns of bytes that are left over. */
static enum tdat_status lay_out(const struct ktr_reader *r, struct ktr_stream *s, size_t index,
				const struct ktr_files *files, const struct tdat_emit *emit,
				struct tdat_error *err)
{
	uint64_t len = tdat_source_len(s->input->source), rest;
	enum tdat_status st = TDAT_OK;

	/* BSD/OS keeps one ring per CPU, so the file's name says the CPU of all its entries. */
	s->fixed_cpu = r->setup->layout == ktr_layout(KTR_BSDOS);
	if (s->fixed_cpu && !ktr_ring_cpu(s->input->name, &s->cpu))
		s->cpu = (uint32_t)(index < KTR_CPU_MAX ? index : KTR_CPU_MAX - 1);
	s->slots = len / r->setup->layout->len;
	if (files->meta.input)
		st = ring_of(r, s, s->cpu, &files->meta, emit, err);
	rest = len - slot_off(r, s->slots);
	if (st != TDAT_OK || !rest)
		return st;
	return tdat_emit_warnf(emit, s->input->name, len - rest, err,
			       "%" PRIu64 " trailing byte%s ignored", rest, rest == 1 ? "" : "s");
}

/* Prepares to read the data inputs. Nothing is read yet; r borrows setup and the inputs. */
enum tdat_status ktr_reader_init(struct ktr_reader *r, const struct ktr_setup *setup,
				 const struct ktr_files *files, const struct tdat_emit *emit,
				 struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	*r = (struct ktr_reader){.setup = setup};
	r->streams = calloc(files->data_count + 1, sizeof(*r->streams));
	if (!r->streams)
		return tdat_error_no_memory(err, "inputs");
	for (size_t i = 0; setup->layout && i < files->data_count && st == TDAT_OK; i++) {
		r->streams[i].input = files->data[i];
		st = lay_out(r, &r->streams[i], i, files, emit, err);
		r->count++;
	}
	return st;
}

void ktr_reader_fini(struct ktr_reader *r)
{
	free(r->streams);
	r->streams = NULL;
}

/* How much of an entry is decoded. */
enum part { PART_HEAD, PART_ALL };

/* Called for each slot in order. off: of the entry in its input; raw: its bytes. */
typedef enum tdat_status (*walk_fn)(void *ctx, struct ktr_stream *s, const struct ktr_entry *e,
				    const uint8_t *raw, uint64_t off, struct tdat_error *err);

/* Walks the slots [begin, end) of a stream. */
static enum tdat_status walk_slots(const struct ktr_reader *r, struct ktr_stream *s,
				   struct import_window *w, uint64_t begin, uint64_t end,
				   enum part part, walk_fn fn, void *ctx, struct tdat_error *err)
{
	size_t len = r->setup->layout->len;
	struct ktr_entry e = {0};

	for (uint64_t slot = begin; slot < end; slot++) {
		const uint8_t *p = import_window_get(w, slot * len, len, err);
		enum tdat_status st;

		if (!p)
			return w->status;
		if (part == PART_HEAD)
			ktr_decode_head(r->setup, p, &e);
		else
			ktr_decode(r->setup, p, &e);
		if (s->fixed_cpu)
			e.cpu = s->cpu;
		/* Slots in a hole are as unused as this one. */
		s->unused_behind = 0;
		if (e.unused)
			s->unused_behind = (tdat_source_skip_hole(s->input->source,
								  (slot + 1) * len, end * len) -
					    (slot + 1) * len) /
					   len;
		st = fn(ctx, s, &e, p, slot * len, err);
		if (st != TDAT_OK)
			return st;
		slot += s->unused_behind;
	}
	return TDAT_OK;
}

/* Walks a ring from its oldest slot to the end, then from 0 to the oldest slot. */
static enum tdat_status walk_stream(const struct ktr_reader *r, struct ktr_stream *s,
				    enum part part, walk_fn fn, void *ctx, struct tdat_error *err)
{
	struct import_window w;
	enum tdat_status st;

	import_window_init(&w, s->input->source, WINDOW_LEN);
	st = walk_slots(r, s, &w, s->first, s->slots, part, fn, ctx, err);
	if (st == TDAT_OK && s->first)
		st = walk_slots(r, s, &w, 0, s->first, part, fn, ctx, err);
	import_window_fini(&w);
	return st;
}

static enum tdat_status walk(const struct ktr_reader *r, enum part part, walk_fn fn, void *ctx,
			     struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; i < r->count && st == TDAT_OK; i++)
		st = walk_stream(r, &r->streams[i], part, fn, ctx, err);
	return st;
}

/* ---- the survey ---- */

/* State of the first pass. Arrays have KTR_CPU_MAX elements, so it lives on the heap. */
struct survey_ctx {
	struct ktr_survey *survey;
	const struct ktr_setup *setup;
	const struct ktr_stream *stream; /* that last_ts is of */
	uint64_t last_ts[KTR_CPU_MAX];
	uint8_t seen[KTR_CPU_MAX]; /* 1: in an earlier stream; 2: in this one */
	/* Time and CPU of the entry before, on any CPU. */
	uint64_t prev_ts;
	uint32_t prev_cpu;
	struct ktr_stathz *stathz; /* NULL: not asked for */
	struct ktr_formats *formats;
	struct ktr_strings *strings;
	struct tdat_build message;
};

/* Looks for messages that reveal the clock's rate (stathz.c); only formats that can are printed. */
static enum tdat_status survey_rate(struct survey_ctx *c, const struct ktr_entry *e,
				    struct tdat_error *err)
{
	const struct ktr_layout *l = c->setup->layout;
	struct ktr_print_stats stats = {0};
	struct ktr_format *f;
	enum tdat_status st =
		ktr_formats_find(c->formats, c->strings, e->desc, l->parm_count, &f, err);

	if (st != TDAT_OK || !f->stathz)
		return st;
	c->message.len = 0;
	ktr_format_print(f, e, l->word, l->parm_count, c->strings, &c->message, &stats);
	ktr_stathz_add(c->stathz, e->cpu, e->ts,
		       (struct tdat_span){c->message.ptr, c->message.len});
	return TDAT_OK;
}

/* Counts one slot and checks its order. Backwards times are judged per CPU and per stream. */
static enum tdat_status survey_entry(void *ctx, struct ktr_stream *stream,
				     const struct ktr_entry *e, const uint8_t *raw, uint64_t off,
				     struct tdat_error *err)
{
	struct survey_ctx *c = ctx;
	struct ktr_survey *s = c->survey;

	if (e->unused) {
		ktr_see(&stream->unused, off);
		/* A slot without a format but with other bytes was being written at the dump. */
		if (!tdat_is_zero(raw, c->setup->layout->len))
			ktr_see(&stream->begun, off);
		stream->unused.count += stream->unused_behind;
		return TDAT_OK;
	}
	/*
	 * Another stream starts: a CPU may be seen again, but not compared with the stream before.
	 */
	if (c->stream != stream) {
		for (uint32_t i = 0; i < s->cpu_count; i++)
			c->seen[i] = c->seen[i] ? 1 : 0;
		c->stream = stream;
	}
	if (e->bad_cpu)
		ktr_see(&s->bad_cpu, off);
	if (e->early)
		ktr_see(&s->early, off);
	if (!c->seen[e->cpu])
		s->cpus++;
	if (c->seen[e->cpu] == 2 && e->ts < c->last_ts[e->cpu])
		ktr_see(&s->backwards, off);
	c->last_ts[e->cpu] = e->ts;
	c->seen[e->cpu] = 2;
	/* Already in order of time and CPU: the second pass needs no reordering. */
	if (s->entries && (e->ts < c->prev_ts || (e->ts == c->prev_ts && e->cpu < c->prev_cpu)))
		s->ordered = false;
	c->prev_ts = e->ts;
	c->prev_cpu = e->cpu;
	if (e->cpu >= s->cpu_count)
		s->cpu_count = e->cpu + 1;
	/* Votes for an amd64 kernel, whose cycles are those of the TSC (clock_name() in ktr.c). */
	s->image_votes += e->desc >= AMD64_KERNEL;
	s->entries++;
	/*
	 * Bounds of blocks of times, from which the reorder window learns when an entry is final.
	 */
	ktr_blocks_add(&s->blocks, e->ts);
	return c->stathz && e->desc ? survey_rate(c, e, err) : TDAT_OK;
}

/* First pass over all entries: order, CPUs, doubts and, where asked for, the clock's rate. */
enum tdat_status ktr_reader_survey(struct ktr_reader *r, struct ktr_survey *s,
				   struct ktr_stathz *stathz, struct ktr_formats *formats,
				   struct ktr_strings *strings, struct tdat_error *err)
{
	struct survey_ctx *c = calloc(1, sizeof(*c));
	enum tdat_status st;

	*s = (struct ktr_survey){.ordered = true};
	if (!c)
		return tdat_error_no_memory(err, "the state of CPUs");
	c->survey = s;
	c->setup = r->setup;
	c->stathz = stathz;
	c->formats = formats;
	c->strings = strings;
	tdat_build_init(&c->message, false);
	st = walk(r, stathz ? PART_ALL : PART_HEAD, survey_entry, c, err);
	tdat_build_fini(&c->message);
	free(c);
	if (!ktr_blocks_end(&s->blocks) && st == TDAT_OK)
		st = tdat_error_no_memory(err, "the times of entries");
	return st;
}

void ktr_survey_fini(struct ktr_survey *s)
{
	ktr_blocks_fini(&s->blocks);
}

/* Warns of slots without a format. In a ring they are normal unless something is in them. */
static enum tdat_status warn_unused(const struct ktr_reader *r, const struct tdat_emit *emit,
				    struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; i < r->count && st == TDAT_OK; i++) {
		const struct ktr_stream *s = &r->streams[i];

		if (!s->ring && s->unused.count)
			st = tdat_emit_warnf(emit, s->input->name, s->unused.off, err,
					     "%" PRIu64 " unused entr%s (null format)",
					     s->unused.count, s->unused.count == 1 ? "y" : "ies");
		else if (s->ring && s->begun.count)
			st = tdat_emit_warnf(emit, s->input->name, s->begun.off, err,
					     "%" PRIu64 " slot%s without a format %s not empty",
					     s->begun.count, s->begun.count == 1 ? "" : "s",
					     s->begun.count == 1 ? "is" : "are");
	}
	return st;
}

enum tdat_status ktr_survey_warn(const struct ktr_survey *s, const struct ktr_reader *r,
				 const struct tdat_emit *emit, struct tdat_error *err)
{
	enum tdat_status st = warn_unused(r, emit, err);

	if (st == TDAT_OK)
		st = ktr_warn_bad_cpu(&s->bad_cpu, emit, err);
	if (st == TDAT_OK && s->early.count)
		st = tdat_emit_warnf(emit, NULL, s->early.off, err,
				     "%" PRIu64 " timestamp%s before 1970 taken as 0",
				     s->early.count, s->early.count == 1 ? "" : "s");
	return st == TDAT_OK ? ktr_warn_backwards(&s->backwards, emit, err) : st;
}

/* ---- the second pass ---- */

/* State of the second pass. */
struct emit_ctx {
	const struct ktr_reader *reader;
	const struct ktr_survey *survey;
	struct ktr_output *out;
	struct ktr_pipe *pipe;	     /* NULL: there is none, events go out one by one */
	struct ktr_reorder *reorder; /* NULL: as read */
};

/* Hands an entry to the pipe or, without one, straight to the output. */
static enum tdat_status give(struct emit_ctx *c, const struct ktr_entry *e, struct tdat_error *err)
{
	return c->pipe ? ktr_pipe_add(c->pipe, e, err) : ktr_output_entry(c->out, e, err);
}

/* Takes a slot of the walk: emits it, or holds its raw bytes until its turn. */
static enum tdat_status emit_entry(void *ctx, struct ktr_stream *stream, const struct ktr_entry *e,
				   const uint8_t *raw, uint64_t off, struct tdat_error *err)
{
	struct emit_ctx *c = ctx;

	(void)stream;
	(void)off;
	if (e->unused)
		return TDAT_OK;
	if (!c->reorder)
		return give(c, e, err);
	return ktr_reorder_add(c->reorder, e->ts, e->cpu, raw, err);
}

/* Takes an entry from the reorder window. It was kept as raw bytes and is decoded again. */
static enum tdat_status emit_sorted(void *ctx, uint64_t ts, uint32_t cpu, struct tdat_span data,
				    struct tdat_error *err)
{
	struct emit_ctx *c = ctx;
	struct ktr_entry e;

	ktr_decode(c->reader->setup, data.ptr, &e);
	e.ts = ts;
	e.cpu = cpu;
	return give(c, &e, err);
}

/* Second pass: walks all streams, through the reorder window unless they are in order. */
static enum tdat_status read_all(void *ctx, struct ktr_pipe *pipe, struct tdat_error *err)
{
	struct emit_ctx *c = ctx;
	const struct ktr_survey *s = c->survey;
	enum tdat_status st = TDAT_OK;

	c->pipe = pipe;
	if (!s->ordered)
		st = ktr_reorder_new(&c->reorder, &s->blocks, c->reader->setup->layout->len,
				     emit_sorted, c, err);
	if (st == TDAT_OK)
		st = walk(c->reader, c->reorder ? PART_HEAD : PART_ALL, emit_entry, c, err);
	if (st == TDAT_OK && c->reorder)
		st = ktr_reorder_end(c->reorder, err);
	ktr_reorder_free(c->reorder);
	return st;
}

/* Emits all entries. Only plain "ktr" events go through the pipe with a thread of its own. */
enum tdat_status ktr_reader_emit(struct ktr_reader *r, const struct ktr_survey *s,
				 struct ktr_output *out, uint32_t threads, struct tdat_error *err)
{
	struct emit_ctx c = {.reader = r, .survey = s, .out = out};

	return out->others ? read_all(&c, NULL, err)
			   : ktr_pipe_run(out, threads, read_all, &c, err);
}
