/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Surveys all files of a kmemtrace capture, then emits their records in order of time
 * (docs/formats/kmemtrace.md §3). Where nothing is late and each file has one CPU, CPUs are
 * emitted on threads, each through an emit of its own; else records are merged on one thread.
 * The survey decides which way is taken.
 */
#include <stdlib.h>

#include "import/crew.h"
#include "import/event_batch.h"
#include "kmemtrace.h"

/* CPUs that are emitted separately, at most: each takes memory. */
enum { PARTS_MAX = 1024 }; /* of CPUs that are emitted apart from each other: each takes memory */

/* Makes a reader for each file and the merge of all of them. */
static enum tdat_status open_readers(struct kmem_merge *m, struct tdat_error *err)
{
	size_t count = m->files->count, window_len = import_window_share(count);
	struct import_merge_stream *streams = calloc(count, sizeof(*streams));
	enum tdat_status st;

	m->readers = calloc(count, sizeof(*m->readers));
	if (!m->readers || !streams) {
		free(streams);
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
				      "no memory to read %zu files", count);
	}
	for (size_t i = 0; i < count; i++) {
		kmem_reader_init(&m->readers[i], m->setup, &m->files->files[i], &m->ref, window_len,
				 NULL);
		streams[i] = kmem_reader_stream(&m->readers[i]);
	}
	st = import_merge_new(&m->merge, streams, count, err);
	free(streams);
	return st;
}

/*
 * Finds the sequence number that others are unwrapped around: that of the first record of the first
 * file that has one. A failure here happens again in the survey, where it is reported.
 */
static void find_reference(struct kmem_merge *m)
{
	for (size_t i = 0; i < m->files->count && !m->ref.set && m->setup->layout->has_seq; i++) {
		const struct kmem_reference none = {false, 0};
		struct import_merge_record rec;
		struct import_merge_stream stream;
		struct kmem_reader r;

		kmem_reader_init(&r, m->setup, &m->files->files[i], &none, 0, NULL);
		stream = kmem_reader_stream(&r);
		if (stream.next(stream.ctx, &rec, NULL) == TDAT_OK)
			m->ref = (struct kmem_reference){true, r.last_seq};
		kmem_reader_fini(&r);
	}
}

/* Surveys one file, on any thread. Damage is noted now: the second pass stops at the same place. */
static enum tdat_status survey_file(void *ctx, size_t i, const struct tdat_emit *emit,
				    struct tdat_error *err)
{
	struct kmem_merge *m = ctx;
	enum tdat_status st;
	uint64_t late;

	m->readers[i].emit = emit;
	st = import_merge_survey(m->merge, i, &late, err);
	m->readers[i].damaged = m->readers[i].stopped;
	import_merge_rewind(m->merge, i);
	return st;
}

/* First pass over all files. Sets the range of times and the number of CPUs. */
static enum tdat_status survey(struct kmem_merge *m, const struct tdat_emit *emit,
			       struct tdat_error *err)
{
	enum tdat_status st;

	m->range = import_merge_range(m->merge);
	m->cpu_count = 1;
	find_reference(m);
	st = import_crew_run(m->threads, m->files->count, survey_file, m, emit, err);
	import_merge_surveyed(m->merge);
	/* Without a CPU in the records, the files' numbers say which CPUs there are. */
	for (size_t i = 0; i < m->files->count; i++) {
		uint32_t cpu = m->files->files[i].cpu;

		if (!m->setup->layout->has_cpu && cpu >= m->cpu_count)
			m->cpu_count = cpu + 1;
		m->damaged = m->damaged || m->readers[i].damaged;
	}
	if (m->range->cpu_count > m->cpu_count)
		m->cpu_count = m->range->cpu_count;
	return st;
}

/* Opens all files and makes the first pass. kmem_merge_fini() must follow also on failure. */
enum tdat_status kmem_merge_init(struct kmem_merge *m, const struct kmem_setup *setup,
				 const struct kmem_files *files, uint32_t threads,
				 const struct tdat_emit *emit, struct tdat_error *err)
{
	enum tdat_status st;

	*m = (struct kmem_merge){.setup = setup, .files = files, .threads = threads};
	st = open_readers(m, err);
	return st == TDAT_OK ? survey(m, emit, err) : st;
}

void kmem_merge_fini(struct kmem_merge *m)
{
	for (size_t i = 0; m->readers && i < m->files->count; i++)
		kmem_reader_fini(&m->readers[i]);
	free(m->readers);
	import_merge_free(m->merge);
}

/*
 * Returns the offset that makes all times positive. It is a multiple of 2^32, so the low half of a
 * time stays the recorded sequence number.
 */
static uint64_t shift_of(int64_t min_key)
{
	if (min_key >= 0)
		return 0;
	return (((0 - (uint64_t)min_key) + UINT32_MAX) >> 32) << 32;
}

/* Emits one record; most go without being decoded. */
static enum tdat_status emit_record(const struct kmem_merge *m,
				    const struct import_merge_record *item, uint64_t shift,
				    struct kmem_output *out, struct tdat_error *err)
{
	const uint64_t ts = (uint64_t)item->key + shift;
	struct kmem_record rec;
	enum tdat_status st;

	if (kmem_output_usual(out, item, ts, &st, err))
		return st;
	kmem_decode(m->setup->layout, m->setup->big, item->data, &rec);
	rec.cpu = item->cpu;
	return kmem_output_record(out, &rec, ts, err);
}

/* ---- CPU by CPU ---- */

/* State of emission by CPU, one part per CPU. */
struct parts {
	const struct kmem_merge *m;
	const struct tdat_emit **cpu_emits; /* by part */
	struct kmem_output *outs;
	struct kmem_seq_set *seqs; /* NULL: there are no sequence numbers */
	uint64_t shift;
};

/* Emits the records of one CPU; other threads emit other CPUs at the same time. */
static enum tdat_status emit_part(void *ctx, size_t i, const struct tdat_emit *emit,
				  struct tdat_error *err)
{
	struct parts *p = ctx;
	struct kmem_output *out = &p->outs[i];
	struct import_merge *merge;
	struct kmem_seq_piece piece;
	enum tdat_status st = import_merge_part_new(&merge, p->m->merge, i, err);

	(void)emit;
	/* NULL is fine: events then go out one by one. */
	out->events = import_events_new(out->emit);
	if (p->seqs)
		kmem_seq_piece_init(&piece, p->seqs);
	while (st == TDAT_OK) {
		const struct import_merge_record *items;
		size_t count;

		st = import_merge_next_some(merge, &items, &count, err);
		for (size_t k = 0; st == TDAT_OK && k < count; k++) {
			/*
			 * Each thread notes sequence numbers in blocks, to keep off the shared set.
			 */
			if (p->seqs)
				kmem_seq_piece_add(&piece, items[k].key);
			st = emit_record(p->m, &items[k], p->shift, out, err);
		}
	}
	if (p->seqs)
		kmem_seq_piece_flush(&piece, piece.first);
	import_merge_free(merge);
	if (st == TDAT_E_NOT_FOUND)
		st = out->events ? import_events_flush(out->events, err) : TDAT_OK;
	if (st == TDAT_OK)
		/* The sink may now finish this CPU's data. */
		st = tdat_emit_cpu_end(out->emit, err);
	import_events_free(out->events);
	out->events = NULL;
	return st;
}

static void parts_fini(struct parts *p, size_t count)
{
	for (size_t i = 0; p->outs && i < count; i++)
		kmem_output_part_fini(&p->outs[i]);
	free(p->outs);
	free(p->cpu_emits);
	kmem_seq_set_free(p->seqs);
}

/* Makes the state of parts. False: no memory, so the records are merged as a whole. */
static bool parts_init(struct parts *p, size_t count)
{
	p->cpu_emits = calloc(count, sizeof(*p->cpu_emits));
	p->outs = calloc(count, sizeof(*p->outs));
	if (p->m->setup->layout->has_seq)
		p->seqs = kmem_seq_set_new(p->m->range->min_key, p->m->range->max_key);
	return p->cpu_emits && p->outs && (p->seqs || !p->m->setup->layout->has_seq);
}

/*
 * Emits all records by CPU if possible; *done says whether it was. *distinct: number of different
 * sequence numbers.
 */
static enum tdat_status emit_parts(struct kmem_merge *m, struct kmem_output *out, uint64_t shift,
				   uint64_t *distinct, bool *done, struct tdat_error *err)
{
	const size_t count = import_merge_parts(m->merge);
	struct parts p = {.m = m, .shift = shift};
	enum tdat_status st = TDAT_OK;

	*done = false;
	/*
	 * Counters (--atrace) follow pointers across CPUs, so they need one order of all records.
	 */
	if (!count || count > PARTS_MAX || out->atrace || !TDAT_HAS(out->emit->ops, cpu_emit))
		return TDAT_OK;
	if (!parts_init(&p, count)) {
		parts_fini(&p, 0);
		return TDAT_OK;
	}
	*done = true;
	/* Sinks number CPUs by these calls, so they come in order and on this thread. */
	for (size_t i = 0; i < count; i++) {
		if (st == TDAT_OK)
			st = tdat_emit_cpu_emit(out->emit, 0, import_merge_part_cpu(m->merge, i),
						&p.cpu_emits[i], err);
		kmem_output_part_init(&p.outs[i], out, p.cpu_emits[i]);
	}
	if (st == TDAT_OK)
		st = import_crew_run(m->threads, count, emit_part, &p, out->emit, err);
	for (size_t i = 0; i < count; i++)
		kmem_output_part_add(out, &p.outs[i], import_merge_part_cpu(m->merge, i));
	*distinct = p.seqs ? kmem_seq_set_count(p.seqs) : 0;
	parts_fini(&p, count);
	return st;
}

/*
 * Second pass: emits all records. *missing_seq: sequence numbers without a record, lost in the
 * kernel or with a file.
 */
enum tdat_status kmem_merge_emit(struct kmem_merge *m, struct kmem_output *out,
				 uint64_t *missing_seq, struct tdat_error *err)
{
	const struct import_merge_range *range = m->range;
	uint64_t shift = shift_of(range->min_key), distinct = 0;
	struct import_merge_record item;
	int64_t last = 0;
	bool done;
	enum tdat_status st = emit_parts(m, out, shift, &distinct, &done, err);

	if (st != TDAT_OK)
		return st;
	/*
	 * Merged in order, equal sequence numbers are neighbors, so distinct ones can be counted.
	 */
	while (!done && (st = import_merge_next(m->merge, &item, err)) == TDAT_OK) {
		distinct += !distinct || item.key != last;
		last = item.key;
		st = emit_record(m, &item, shift, out, err);
		if (st != TDAT_OK)
			return st;
	}
	*missing_seq = 0;
	if (m->setup->layout->has_seq && range->records)
		*missing_seq = (uint64_t)range->max_key - (uint64_t)range->min_key + 1 - distinct;
	return st == TDAT_E_NOT_FOUND ? TDAT_OK : st;
}
