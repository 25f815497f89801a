/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Merges the records of several files by time; late ones go through an external sort. A survey
 * finds which records are later than others of their file; these go through sort.c, the rest is
 * merged by a heap. CPUs can be taken apart when no record is late. The order is by time, CPU
 * and place, never by thread.
 */
#include "record_merge.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "sort.h"
#include "core/grow.h"
#include "core/heap.h"

enum {
	BATCH = 128, /* records that are taken from a stream at once */
	BATCHES_MAX =
		64 * BATCH /* of all streams together; with more streams batches are shorter */
};

/* One input of the merge. Both passes go through it. */
struct stream {
	struct import_merge_stream source;
	const struct import_merge_record *rec; /* to give next */
	struct import_merge_record one;	       /* that did not come in a batch */
	struct import_merge_record *batch;     /* NULL: none yet */
	size_t batch_count, batch_next;
	/* Key of the latest record so far that is not late. */
	int64_t latest;
	bool any;
	struct import_merge_range range;
	uint32_t home; /* CPU of the first record */
	uint64_t home_records;
};

/* Run of streams that hold one CPU. */
struct part {
	size_t begin, end; /* streams */
};

struct import_merge {
	/* The last one, at index count, yields the late records of all. */
	struct stream *streams; /* one more than count: the late records of all */
	size_t count;
	struct part *parts;
	/* 0: the merge cannot be split by CPU */
	size_t part_count;
	struct import_merge_range range;
	pthread_mutex_t lock; /* guards late and cpu_records in the survey */
	bool locks;	      /* lock was made */
	struct import_sort *late;
	uint64_t *cpu_records;
	size_t cpu_cap;
	struct tdat_heap heap;
	bool started;
};

/* Maps signed keys to unsigned ones in the same order, for the sort and the heap. */
static uint64_t bias(int64_t key)
{
	return (uint64_t)key ^ (1ull << 63);
}

/* Prepares a merge of count streams. On failure, too, *out must be freed. */
enum tdat_status import_merge_new(struct import_merge **out,
				  const struct import_merge_stream *streams, size_t count,
				  struct tdat_error *err)
{
	struct import_merge *m = calloc(1, sizeof(*m));

	*out = m;
	if (m) {
		m->count = count;
		m->locks = !pthread_mutex_init(&m->lock, NULL);
		m->streams = calloc(count + 1, sizeof(*m->streams));
		m->heap.items = calloc(count + 1, sizeof(*m->heap.items));
	}
	if (!m || !m->streams || !m->heap.items || !m->locks)
		return tdat_error_no_memory(err, "files to merge");
	for (size_t i = 0; i < count; i++)
		m->streams[i].source = streams[i];
	return TDAT_OK;
}

void import_merge_free(struct import_merge *m)
{
	if (!m)
		return;
	if (m->locks)
		pthread_mutex_destroy(&m->lock);
	import_sort_free(m->late);
	for (size_t i = 0; m->streams && i < m->count; i++)
		free(m->streams[i].batch);
	free(m->streams);
	free(m->parts);
	free(m->heap.items);
	free(m->cpu_records);
	free(m);
}

const struct import_merge_range *import_merge_range(const struct import_merge *m)
{
	return &m->range;
}

/*
 * Keeps a late record for the second pass. The tie holds CPU and stream, 16 bits each: which thread
 * adds first must not change the order.
 */
static enum tdat_status keep_late(struct import_merge *m, const struct stream *s,
				  const struct import_merge_record *rec, struct tdat_error *err)
{
	const uint32_t tie = rec->cpu << 16 | (uint32_t)(s - m->streams);
	enum tdat_status st = TDAT_OK;

	if (rec->cpu > UINT16_MAX || s - m->streams > UINT16_MAX)
		return tdat_error_set(
			err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
			"CPU %u of file %zu cannot be sorted: the maximum of both numbers is %d",
			rec->cpu, (size_t)(s - m->streams), UINT16_MAX);
	pthread_mutex_lock(&m->lock);
	if (!m->late)
		st = import_sort_new(&m->late, 0, err);
	if (st == TDAT_OK)
		st = import_sort_add(m->late, bias(rec->key), tie, rec->data.ptr, rec->data.len,
				     err);
	pthread_mutex_unlock(&m->lock);
	return st;
}

/* Adds n to the count of a CPU. The lock is held. */
static enum tdat_status count_cpu(struct import_merge *m, uint32_t cpu, uint64_t n,
				  struct tdat_error *err)
{
	if (cpu >= m->cpu_cap) {
		size_t cap = m->cpu_cap;

		if (!TDAT_GROW_ZERO(m->cpu_records, &cap, (size_t)cpu + 1))
			return tdat_error_no_memory(err, "counts of records by CPU");
		m->cpu_cap = cap;
	}
	m->cpu_records[cpu] += n;
	return TDAT_OK;
}

/* Widens the range of keys and CPUs by a record. */
static void note_range(struct import_merge_range *r, const struct import_merge_record *rec)
{
	if (!r->records++)
		r->min_key = r->max_key = rec->key;
	if (rec->key < r->min_key)
		r->min_key = rec->key;
	if (rec->key > r->max_key)
		r->max_key = rec->key;
	if (rec->cpu >= r->cpu_count)
		r->cpu_count = rec->cpu + 1;
}

/*
 * Counts a record by its CPU. Most streams have one CPU, their home, which is counted without the
 * lock.
 */
static enum tdat_status note_cpu(struct import_merge *m, struct stream *s,
				 const struct import_merge_record *rec, struct tdat_error *err)
{
	enum tdat_status st;

	if (!s->home_records)
		s->home = rec->cpu;
	if (rec->cpu == s->home) {
		s->home_records++;
		return TDAT_OK;
	}
	pthread_mutex_lock(&m->lock);
	st = count_cpu(m, rec->cpu, 1, err);
	pthread_mutex_unlock(&m->lock);
	return st;
}

/*
 * True if the record is earlier than one before it in its stream. Both passes must decide alike, or
 * records would be lost or doubled.
 */
static bool is_late(struct stream *s, const struct import_merge_record *rec)
{
	if (s->any && rec->key < s->latest)
		return true;
	s->any = true;
	s->latest = rec->key;
	return false;
}

/* First pass of one record; late ones are kept apart. */
static enum tdat_status survey_record(struct import_merge *m, struct stream *s,
				      const struct import_merge_record *rec, struct tdat_error *err)
{
	enum tdat_status st = note_cpu(m, s, rec, err);

	note_range(&s->range, rec);
	if (st != TDAT_OK || !is_late(s, rec))
		return st;
	s->range.late++;
	return keep_late(m, s, rec, err);
}

/*
 * Short cut for a batch that is in order and all of the home CPU, the usual case. False: nothing
 * was changed. It must match survey_record() (tests/unit/formats/test_import_threads.c).
 */
static bool survey_usual(struct stream *s, const struct import_merge_record *recs, size_t count)
{
	bool usual = s->any && s->home_records;
	int64_t latest = s->latest;

	for (size_t i = 0; i < count; i++) {
		usual &= recs[i].key >= latest && recs[i].cpu == s->home;
		latest = recs[i].key;
	}
	if (!usual)
		return false;
	s->latest = latest;
	s->home_records += count;
	s->range.records += count;
	if (latest > s->range.max_key)
		s->range.max_key = latest;
	return true;
}

/*
 * First pass over stream i, which may run on any thread. Returns the number of late records in
 * *late.
 */
enum tdat_status import_merge_survey(struct import_merge *m, size_t i, uint64_t *late,
				     struct tdat_error *err)
{
	struct import_merge_record recs[BATCH];
	struct stream *s = &m->streams[i];
	enum tdat_status st = TDAT_OK;

	while (st == TDAT_OK) {
		size_t count = s->source.batch ? s->source.batch(s->source.ctx, recs, BATCH) : 0;

		/* A batch may be empty before the end: the single read tells why. */
		if (!count) {
			st = s->source.next(s->source.ctx, recs, err);
			count = 1;
		}
		if (st != TDAT_OK || survey_usual(s, recs, count))
			continue;
		for (size_t k = 0; k < count && st == TDAT_OK; k++)
			st = survey_record(m, s, &recs[k], err);
	}
	*late = s->range.late;
	if (st != TDAT_E_NOT_FOUND)
		return st;
	if (!s->home_records)
		return TDAT_OK;
	pthread_mutex_lock(&m->lock);
	st = count_cpu(m, s->home, s->home_records, err);
	pthread_mutex_unlock(&m->lock);
	return st;
}

static void add_range(struct import_merge_range *all, const struct import_merge_range *r)
{
	if (!r->records)
		return;
	if (!all->records || r->min_key < all->min_key)
		all->min_key = r->min_key;
	if (!all->records || r->max_key > all->max_key)
		all->max_key = r->max_key;
	if (r->cpu_count > all->cpu_count)
		all->cpu_count = r->cpu_count;
	all->records += r->records;
	all->late += r->late;
}

/*
 * Finds runs of streams that hold one CPU each, in rising order. There are none if a CPU is in
 * several runs, if records are late, or without memory.
 */
static void find_parts(struct import_merge *m)
{
	uint32_t above = 0; /* what a further part's CPU must not be less than */

	m->parts = m->range.late ? NULL : calloc(m->count, sizeof(*m->parts));
	for (size_t i = 0; m->parts && i < m->count; i++) {
		const struct stream *s = &m->streams[i];

		if (!s->range.records)
			continue;
		/* Other CPUs in the stream, or a CPU that an earlier part holds. */
		if (s->home_records != s->range.records || s->home + 1 < above) {
			m->part_count = 0;
			return;
		}
		if (s->home + 1 > above)
			m->parts[m->part_count++].begin = i;
		m->parts[m->part_count - 1].end = i + 1;
		above = s->home + 1;
	}
}

/* Ends the first pass when all streams are surveyed; called by one thread. */
void import_merge_surveyed(struct import_merge *m)
{
	for (size_t i = 0; i < m->count; i++)
		add_range(&m->range, &m->streams[i].range);
	find_parts(m);
}

size_t import_merge_parts(const struct import_merge *m)
{
	return m->part_count;
}

uint32_t import_merge_part_cpu(const struct import_merge *m, size_t i)
{
	return m->streams[m->parts[i].begin].home;
}

/*
 * Makes a merge of one part, which yields all records of its CPU. The streams are shared: m must
 * not be read meanwhile.
 */
enum tdat_status import_merge_part_new(struct import_merge **out, const struct import_merge *m,
				       size_t i, struct tdat_error *err)
{
	const struct part *part = &m->parts[i];
	const size_t count = part->end - part->begin;
	struct import_merge_stream *streams = calloc(count, sizeof(*streams));
	enum tdat_status st;

	*out = NULL;
	if (!streams)
		return tdat_error_no_memory(err, "files to merge");
	for (size_t k = 0; k < count; k++)
		streams[k] = m->streams[part->begin + k].source;
	st = import_merge_new(out, streams, count, err);
	free(streams);
	return st;
}

/* Starts stream i again for the second pass. */
void import_merge_rewind(struct import_merge *m, size_t i)
{
	m->streams[i].any = false;
	m->streams[i].batch_count = m->streams[i].batch_next = 0;
	m->streams[i].source.rewind(m->streams[i].source.ctx);
}

uint64_t import_merge_cpu_records(const struct import_merge *m, uint32_t cpu)
{
	return cpu < m->cpu_cap ? m->cpu_records[cpu] : 0;
}

/* Next record of those that were late. They come sorted, as another stream. */
static enum tdat_status next_of_late(struct import_merge *m, struct import_merge_record *rec,
				     struct tdat_error *err)
{
	uint64_t key;
	enum tdat_status st;

	if (!m->late)
		return TDAT_E_NOT_FOUND;
	st = import_sort_next(m->late, &key, &rec->cpu, &rec->data, err);
	rec->cpu >>= 16;
	if (st == TDAT_OK)
		rec->key = (int64_t)bias((int64_t)key);
	return st;
}

/* Takes a batch from a stream, or a single record if it has no batches. */
static enum tdat_status refill(const struct import_merge *m, struct stream *s,
			       struct tdat_error *err)
{
	/* Many streams share BATCHES_MAX, to bound the memory. */
	const size_t share = BATCHES_MAX / (m->count ? m->count : 1);
	const size_t max = share < BATCH ? share : BATCH;

	s->batch_count = s->batch_next = 0;
	/* Without memory they come one by one. */
	if (s->source.batch && !s->batch && max)
		s->batch = calloc(max, sizeof(*s->batch));
	if (s->source.batch && s->batch)
		s->batch_count = s->source.batch(s->source.ctx, s->batch, max);
	if (s->batch_count) {
		s->rec = &s->batch[s->batch_next++];
		return TDAT_OK;
	}
	s->rec = &s->one;
	return s->source.next(s->source.ctx, &s->one, err);
}

/* Moves stream i to its next record that is not late. */
static enum tdat_status next_of(struct import_merge *m, size_t i, struct tdat_error *err)
{
	struct stream *s = &m->streams[i];
	enum tdat_status st = TDAT_OK;

	if (i == m->count) {
		s->rec = &s->one;
		return next_of_late(m, &s->one, err);
	}
	do {
		if (s->batch_next < s->batch_count)
			s->rec = &s->batch[s->batch_next++];
		else
			st = refill(m, s, err);
	} while (st == TDAT_OK && is_late(s, s->rec));
	return st;
}

/* Equal keys come by CPU, then by stream. */
static struct tdat_heap_item heap_item(const struct import_merge_record *rec, size_t i)
{
	return (struct tdat_heap_item){bias(rec->key), (uint64_t)rec->cpu << 32 | (uint32_t)i};
}

/* The stream's index is the low half of the tie. */
static size_t top_stream(const struct import_merge *m)
{
	return (uint32_t)m->heap.items[0].tie;
}

/* Fills the heap with the first record of each stream. */
static enum tdat_status start(struct import_merge *m, struct tdat_error *err)
{
	for (size_t i = 0; i <= m->count; i++) {
		enum tdat_status st = next_of(m, i, err);
		const struct import_merge_record *rec = m->streams[i].rec;

		if (st == TDAT_OK)
			tdat_heap_push(&m->heap, heap_item(rec, i));
		else if (st != TDAT_E_NOT_FOUND)
			return st;
	}
	m->started = true;
	return TDAT_OK;
}

/* Moves on the stream whose record was returned last. */
static enum tdat_status move_on(struct import_merge *m, struct tdat_error *err)
{
	size_t i = top_stream(m);
	enum tdat_status st = next_of(m, i, err);
	const struct import_merge_record *rec = m->streams[i].rec;

	/* Only one stream is left, so its key in the heap no longer matters. */
	if (st == TDAT_OK && m->heap.count == 1)
		return TDAT_OK;
	if (st == TDAT_OK)
		tdat_heap_replace_top(&m->heap, heap_item(rec, i));
	else if (st == TDAT_E_NOT_FOUND)
		tdat_heap_drop_top(&m->heap);
	else
		return st;
	return TDAT_OK;
}

/* Brings the next record to the top of the heap; TDAT_E_NOT_FOUND: the end. */
static enum tdat_status advance(struct import_merge *m, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	if (!m->started)
		st = start(m, err);
	else if (m->heap.count)
		st = move_on(m, err);
	if (st == TDAT_OK && !m->heap.count)
		return TDAT_E_NOT_FOUND;
	return st;
}

/*
 * Number of records behind rec in the batch, all of which can be returned at once: 0 if one of them
 * is late.
 */
static size_t rest_of_batch(struct stream *s)
{
	const struct import_merge_record *rest = s->batch + s->batch_next;
	const size_t count = s->batch_count - s->batch_next;
	int64_t latest = s->latest;

	for (size_t i = 0; i < count; i++) {
		if (rest[i].key < latest)
			return 0;
		latest = rest[i].key;
	}
	s->latest = latest;
	s->batch_next = s->batch_count;
	return count;
}

/*
 * Returns the next record in order of key, CPU and stream; several at once where only one stream is
 * left. Their data is valid until the next call.
 */
enum tdat_status import_merge_next(struct import_merge *m, const struct import_merge_record **out,
				   size_t *count, struct tdat_error *err)
{
	enum tdat_status st = advance(m, err);
	struct stream *s;

	if (st != TDAT_OK)
		return st;
	s = &m->streams[top_stream(m)];
	*out = s->rec;
	*count = 1;
	if (m->heap.count == 1 && s->rec != &s->one && s->batch_next < s->batch_count)
		*count += rest_of_batch(s);
	return TDAT_OK;
}
