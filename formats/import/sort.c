/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sorts records by time with bounded memory: sorted runs in a temporary file, then a merge of
 * them. The key is time and CPU, ties keep their order. A run is sorted in memory by qsort;
 * runs are merged by a heap, in rounds if there are many. Records may have any length below the
 * limit.
 */
#include "sort.h"

#include <stdlib.h>
#include <string.h>

#include "core/build.h"
#include "core/grow.h"
#include "core/heap.h"
#include "core/search.h"
#include "core/spill.h"

/*
 * Records gather in memory. When they reach the bound, they are sorted and written as one run to
 * the spill file. At the end the runs are merged, in rounds if there are more than can have a
 * buffer each.
 */

enum {
	MEMORY_DEFAULT = 16 * 1024 * 1024,
	MEMORY_MIN = 64 * 1024,
	/* Bytes of buffer that each run gets in a merge, at least. */
	RUN_BUF_MIN = 16 * 1024,
	RUN_HEADER = 16, /* u64 ts, u32 cpu, u32 len; host order, never leaves the process */
	FANIN_MAX = 512	 /* runs that are merged at once, at most */
};

struct sort_entry {
	uint64_t ts;
	size_t off; /* in data: also the order of insertion */
	uint32_t cpu;
	uint32_t len;
};

/* A sorted run in a spill file. */
struct sort_run {
	uint64_t off;
	uint64_t end;
};

/* Reads one run forward. */
struct run_reader {
	struct sort_run run;
	uint8_t *buf;
	size_t buf_cap;
	size_t buf_len;
	size_t pos; /* of the current record's header in buf */
	uint64_t ts;
	uint32_t cpu;
	uint32_t len;
	bool ended;
};

/* Merge of several runs; readers and heap live as long as it. */
struct run_merge {
	struct tdat_spill *spill;
	struct run_reader *readers;
	size_t reader_count;
	struct tdat_heap heap;
	bool started; /* the top was given and has to move on first */
};

/*
 * Records are in data and entries until the first run is written. runs is empty if all fits in
 * memory.
 */
struct import_sort {
	size_t memory_len;
	struct tdat_build data;
	struct sort_entry *entries;
	size_t entry_count, entry_cap;
	struct tdat_spill spill;
	struct sort_run *runs;
	size_t run_count, run_cap;
	struct run_merge merge;
	size_t next; /* entry to give next when nothing was spilled */
	bool sorted;
};

/*
 * memory_len: bytes of records in memory; 0: the default. It is a target: a single record may
 * exceed it.
 */
enum tdat_status import_sort_new(struct import_sort **out, size_t memory_len,
				 struct tdat_error *err)
{
	struct import_sort *s = calloc(1, sizeof(*s));

	*out = s;
	if (!s)
		return tdat_error_no_memory(err, "records to be sorted");
	s->memory_len = memory_len ? memory_len : MEMORY_DEFAULT;
	if (s->memory_len < MEMORY_MIN)
		s->memory_len = MEMORY_MIN;
	tdat_build_init(&s->data, TDAT_HOST_BIG);
	tdat_spill_init(&s->spill);
	return TDAT_OK;
}

static void merge_fini(struct run_merge *m)
{
	for (size_t i = 0; i < m->reader_count; i++)
		free(m->readers[i].buf);
	free(m->readers);
	free(m->heap.items);
	memset(m, 0, sizeof(*m));
}

void import_sort_free(struct import_sort *s)
{
	if (!s)
		return;
	merge_fini(&s->merge);
	tdat_spill_fini(&s->spill);
	tdat_build_fini(&s->data);
	free(s->entries);
	free(s->runs);
	free(s);
}

/* By time, CPU and order of insertion, so qsort's result is defined. */
static int entry_compare(const void *pa, const void *pb)
{
	const struct sort_entry *a = pa, *b = pb;

	return TDAT_ORDER(a->ts, b->ts, TDAT_ORDER(a->cpu, b->cpu, TDAT_ORDER(a->off, b->off, 0)));
}

static void sort_entries(struct import_sort *s)
{
	if (s->entry_count > 1)
		qsort(s->entries, s->entry_count, sizeof(*s->entries), entry_compare);
}

/* Writes a record with its header to the spill file. */
static enum tdat_status write_record(struct tdat_spill *spill, uint64_t ts, uint32_t cpu,
				     const void *data, uint32_t len, struct tdat_error *err)
{
	uint8_t head[RUN_HEADER];
	enum tdat_status st;

	tdat_store64(head, ts, TDAT_HOST_BIG);
	tdat_store32(head + 8, cpu, TDAT_HOST_BIG);
	tdat_store32(head + 12, len, TDAT_HOST_BIG);
	st = tdat_spill_write(spill, head, sizeof(head), err);
	return st == TDAT_OK ? tdat_spill_write(spill, data, len, err) : st;
}

/* Writes what is in memory as a sorted run to the spill file. */
static enum tdat_status flush_run(struct import_sort *s, struct tdat_error *err)
{
	const uint64_t off = tdat_spill_len(&s->spill);

	if (!TDAT_GROW(s->runs, &s->run_cap, s->run_count + 1))
		return tdat_error_no_memory(err, "records to be sorted");
	sort_entries(s);
	for (size_t i = 0; i < s->entry_count; i++) {
		const struct sort_entry *e = &s->entries[i];
		enum tdat_status st =
			write_record(&s->spill, e->ts, e->cpu, s->data.ptr + e->off, e->len, err);

		if (st != TDAT_OK)
			return st;
	}
	s->runs[s->run_count++] = (struct sort_run){off, tdat_spill_len(&s->spill)};
	s->data.len = s->entry_count = 0;
	return TDAT_OK;
}

/* Adds a record, whose data is copied. Not allowed once import_sort_next() was called. */
enum tdat_status import_sort_add(struct import_sort *s, uint64_t ts, uint32_t cpu, const void *data,
				 size_t len, struct tdat_error *err)
{
	struct sort_entry e = {.ts = ts, .cpu = cpu, .len = (uint32_t)len};
	size_t used = s->data.len + s->entry_count * sizeof(e);

	if (s->sorted)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "a record was added after sorting had begun");
	if (len > UINT32_MAX - RUN_HEADER)
		return tdat_error_set(err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
				      "a record of %zu bytes is too long to be sorted", len);
	/* The record would exceed the bound: write what is there as a run. */
	if (s->entry_count && (len > s->memory_len || used > s->memory_len - len)) {
		enum tdat_status st = flush_run(s, err);

		if (st != TDAT_OK)
			return st;
	}
	/*
	 * Equal keys are ordered by off, so each record needs an offset of its own, even an empty
	 * one.
	 */
	e.off = s->data.len;
	tdat_build_bytes(&s->data, data, len);
	if (!len)
		tdat_build_u8(&s->data, 0);
	if (s->data.failed || !TDAT_GROW(s->entries, &s->entry_cap, s->entry_count + 1))
		return tdat_error_no_memory(err, "records to be sorted");
	s->entries[s->entry_count++] = e;
	return TDAT_OK;
}

/* Makes n bytes from pos available in buf, which grows for records longer than it. */
static enum tdat_status reader_need(struct run_reader *r, struct tdat_spill *spill, size_t n,
				    struct tdat_error *err)
{
	uint64_t left = r->run.end - r->run.off;
	size_t keep = r->buf_len - r->pos, want;
	enum tdat_status st;

	if (keep >= n)
		return TDAT_OK;
	if (keep)
		memmove(r->buf, r->buf + r->pos, keep);
	r->pos = 0;
	r->buf_len = keep;
	if (n > r->buf_cap) {
		uint8_t *p = realloc(r->buf, n);

		if (!p)
			return tdat_error_no_memory(err, "records to be sorted");
		r->buf = p;
		r->buf_cap = n;
	}
	want = r->buf_cap - keep;
	if (want > left)
		want = (size_t)left;
	/* Another process truncated the file, or the disk failed. */
	if (keep + want < n)
		return tdat_error_set(err, TDAT_E_SYSTEM, TDAT_NO_OFFSET,
				      "the temporary file of sorted records is truncated");
	st = tdat_spill_read(spill, r->run.off, r->buf + keep, want, err);
	if (st != TDAT_OK)
		return st;
	r->run.off += want;
	r->buf_len += want;
	return TDAT_OK;
}

/* Loads the record at pos; sets ended behind the last one. */
static enum tdat_status reader_load(struct run_reader *r, struct tdat_spill *spill,
				    struct tdat_error *err)
{
	enum tdat_status st;

	if (r->pos == r->buf_len && r->run.off == r->run.end) {
		r->ended = true;
		return TDAT_OK;
	}
	st = reader_need(r, spill, RUN_HEADER, err);
	if (st != TDAT_OK)
		return st;
	r->ts = tdat_load64(r->buf + r->pos, TDAT_HOST_BIG);
	r->cpu = tdat_load32(r->buf + r->pos + 8, TDAT_HOST_BIG);
	r->len = tdat_load32(r->buf + r->pos + 12, TDAT_HOST_BIG);
	return reader_need(r, spill, RUN_HEADER + (size_t)r->len, err);
}

/* Orders equal times by CPU, then by run: earlier runs hold earlier records. */
static struct tdat_heap_item heap_item(const struct run_reader *r, size_t i)
{
	return (struct tdat_heap_item){r->ts, (uint64_t)r->cpu << 32 | (uint32_t)i};
}

static size_t top_run(const struct run_merge *m)
{
	return (uint32_t)m->heap.items[0].tie;
}

/* Opens a reader per run and fills the heap. The caller calls merge_fini() also on failure. */
static enum tdat_status merge_init(struct run_merge *m, struct tdat_spill *spill,
				   const struct sort_run *runs, size_t count, size_t buf_len,
				   struct tdat_error *err)
{
	memset(m, 0, sizeof(*m));
	m->spill = spill;
	m->readers = calloc(count, sizeof(*m->readers));
	m->heap.items = calloc(count, sizeof(*m->heap.items));
	if (!m->readers || !m->heap.items)
		return tdat_error_no_memory(err, "records to be sorted");
	for (size_t i = 0; i < count; i++) {
		struct run_reader *r = &m->readers[i];
		enum tdat_status st;

		m->reader_count = i + 1;
		r->run = runs[i];
		r->buf = malloc(buf_len);
		r->buf_cap = buf_len;
		if (!r->buf)
			return tdat_error_no_memory(err, "records to be sorted");
		st = reader_load(r, spill, err);
		if (st != TDAT_OK)
			return st;
		if (!r->ended)
			tdat_heap_push(&m->heap, heap_item(r, i));
	}
	return TDAT_OK;
}

/*
 * Moves on from the record returned last. Its bytes must stay until then, so the step comes before
 * the read.
 */
static enum tdat_status merge_step(struct run_merge *m, struct tdat_error *err)
{
	struct run_reader *r;
	enum tdat_status st;

	if (!m->started) {
		m->started = true;
		return TDAT_OK;
	}
	if (!m->heap.count)
		return TDAT_OK;
	r = &m->readers[top_run(m)];
	r->pos += RUN_HEADER + r->len;
	st = reader_load(r, m->spill, err);
	if (st != TDAT_OK)
		return st;
	if (r->ended)
		tdat_heap_drop_top(&m->heap);
	else
		tdat_heap_replace_top(&m->heap, heap_item(r, top_run(m)));
	return TDAT_OK;
}

/* Returns the next record of the merge; data is valid until the next call. */
static enum tdat_status merge_next(struct run_merge *m, uint64_t *ts, uint32_t *cpu,
				   struct tdat_span *data, struct tdat_error *err)
{
	enum tdat_status st = merge_step(m, err);
	const struct run_reader *r;

	if (st != TDAT_OK)
		return st;
	if (!m->heap.count)
		return TDAT_E_NOT_FOUND;
	r = &m->readers[top_run(m)];
	*ts = r->ts;
	*cpu = r->cpu;
	*data = (struct tdat_span){r->buf + r->pos + RUN_HEADER, r->len};
	return TDAT_OK;
}

/* Merges count runs into one run at the end of another spill file. */
static enum tdat_status merge_group(struct tdat_spill *from, struct tdat_spill *to,
				    const struct sort_run *runs, size_t count, size_t buf_len,
				    struct sort_run *out, struct tdat_error *err)
{
	struct run_merge m;
	struct tdat_span data;
	uint64_t ts;
	uint32_t cpu;
	enum tdat_status st;

	out->off = tdat_spill_len(to);
	st = merge_init(&m, from, runs, count, buf_len, err);
	while (st == TDAT_OK) {
		st = merge_next(&m, &ts, &cpu, &data, err);
		if (st == TDAT_OK)
			st = write_record(to, ts, cpu, data.ptr, (uint32_t)data.len, err);
	}
	merge_fini(&m);
	out->end = tdat_spill_len(to);
	return st == TDAT_E_NOT_FOUND ? TDAT_OK : st;
}

/*
 * Merges groups of neighboring runs into a new spill file. Neighbors keep the order of equal
 * records.
 */
static enum tdat_status merge_round(struct import_sort *s, size_t fanin, struct tdat_error *err)
{
	struct tdat_spill to;
	size_t count = s->run_count, made = 0;
	struct sort_run *runs = s->runs;
	enum tdat_status st = tdat_spill_flush(&s->spill, err);

	tdat_spill_init(&to);
	for (size_t i = 0; i < count && st == TDAT_OK; i += fanin) {
		size_t n = count - i < fanin ? count - i : fanin;
		struct sort_run run;

		st = merge_group(&s->spill, &to, runs + i, n, s->memory_len / (fanin + 1), &run,
				 err);
		runs[made++] = run;
	}
	/* Later groups still read runs[i..], which lie behind runs[made]. */
	s->run_count = made;
	tdat_spill_fini(&s->spill);
	s->spill = to;
	return st;
}

/* Ends adding: sorts what is in memory or, if runs were written, merges down to fanin runs. */
static enum tdat_status sort_start(struct import_sort *s, struct tdat_error *err)
{
	size_t fanin = s->memory_len / RUN_BUF_MIN - 1;
	enum tdat_status st;

	s->sorted = true;
	if (!s->run_count) {
		sort_entries(s);
		return TDAT_OK;
	}
	st = flush_run(s, err);
	/* The memory of the records now serves the runs' buffers. */
	tdat_build_fini(&s->data);
	free(s->entries);
	s->entries = NULL;
	if (fanin > FANIN_MAX)
		fanin = FANIN_MAX;
	while (st == TDAT_OK && s->run_count > fanin)
		st = merge_round(s, fanin, err);
	if (st == TDAT_OK)
		st = tdat_spill_flush(&s->spill, err);
	if (st != TDAT_OK)
		return st;
	return merge_init(&s->merge, &s->spill, s->runs, s->run_count,
			  s->memory_len / (s->run_count + 1), err);
}

/*
 * Returns the next record in order; TDAT_E_NOT_FOUND behind the last. data is valid until the next
 * call.
 */
enum tdat_status import_sort_next(struct import_sort *s, uint64_t *ts, uint32_t *cpu,
				  struct tdat_span *data, struct tdat_error *err)
{
	const struct sort_entry *e;

	if (!s->sorted) {
		enum tdat_status st = sort_start(s, err);

		if (st != TDAT_OK)
			return st;
	}
	if (s->run_count)
		return merge_next(&s->merge, ts, cpu, data, err);
	if (s->next == s->entry_count)
		return TDAT_E_NOT_FOUND;
	e = &s->entries[s->next++];
	*ts = e->ts;
	*cpu = e->cpu;
	*data = (struct tdat_span){s->data.ptr + e->off, e->len};
	return TDAT_OK;
}

/* Calls fn for each record in order, and stops at the first failure. */
enum tdat_status import_sort_each(struct import_sort *s, import_sort_fn fn, void *ctx,
				  struct tdat_error *err)
{
	for (;;) {
		struct tdat_span data;
		uint64_t ts;
		uint32_t cpu;
		enum tdat_status st = import_sort_next(s, &ts, &cpu, &data, err);

		if (st == TDAT_E_NOT_FOUND)
			return TDAT_OK;
		if (st == TDAT_OK)
			st = fn(ctx, ts, cpu, data, err);
		if (st != TDAT_OK)
			return st;
	}
}
