/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Two passes over all files. Each file is nearly always in order, so the second
 * pass merges files as they are; only records behind a later one of their own
 * file (late ones) go through the external sort, as one stream more.
 */
#include <stdlib.h>

#include "import/heap.h"
#include "kmemtrace.h"

enum { WINDOWS_LEN = 16 * 1024 * 1024, WINDOW_MAX = 256 * 1024, WINDOW_MIN = 16 * 1024 };

/* Keys are signed, the sort's and the heap's are not: same order, other zero. */
static uint64_t bias(int64_t key)
{
	return (uint64_t)key ^ (1ull << 63);
}

static size_t window_len(const struct kmem_files *files)
{
	size_t n = WINDOWS_LEN / (files->count ? files->count : 1);

	if (n > WINDOW_MAX)
		return WINDOW_MAX;
	return n < WINDOW_MIN ? WINDOW_MIN : n;
}

static enum tdat_status keep_late(struct kmem_survey *s, const struct kmem_record *rec,
				  struct tdat_error *err)
{
	if (!s->late) {
		enum tdat_status st = import_sort_new(&s->late, 0, err);

		if (st != TDAT_OK)
			return st;
	}
	s->reordered++;
	return import_sort_add(s->late, bias(rec->key), rec->cpu, rec->bytes.ptr, rec->bytes.len,
			       err);
}

static enum tdat_status survey_record(struct kmem_survey *s, struct kmem_file *file,
				      const struct kmem_record *rec, int64_t *latest,
				      struct tdat_error *err)
{
	if (!s->records++)
		s->min_key = s->max_key = rec->key;
	if (rec->key < s->min_key)
		s->min_key = rec->key;
	if (rec->key > s->max_key)
		s->max_key = rec->key;
	if (rec->cpu >= s->cpu_count)
		s->cpu_count = rec->cpu + 1;
	if (file->records++ && rec->key < *latest)
		return keep_late(s, rec, err);
	*latest = rec->key;
	return TDAT_OK;
}

static enum tdat_status survey_file(struct kmem_survey *s, const struct kmem_setup *setup,
				    struct kmem_file *file, const struct tdat_emit *emit,
				    struct tdat_error *err)
{
	struct kmem_reader r;
	struct kmem_record rec;
	enum tdat_status st;
	int64_t latest = 0;

	kmem_reader_init(&r, setup, file, 0, emit);
	do {
		st = kmem_reader_next(&r, &s->ref, &rec, err);
		if (st == TDAT_OK)
			st = survey_record(s, file, &rec, &latest, err);
	} while (st == TDAT_OK);
	s->damaged = s->damaged || r.stopped;
	kmem_reader_fini(&r);
	return st == TDAT_E_NOT_FOUND ? TDAT_OK : st;
}

enum tdat_status kmem_survey(struct kmem_survey *s, const struct kmem_setup *setup,
			     struct kmem_files *files, const struct tdat_emit *emit,
			     struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	*s = (struct kmem_survey){.cpu_count = 1};
	for (size_t i = 0; i < files->count && st == TDAT_OK; i++) {
		struct kmem_file *file = &files->files[i];

		if (!setup->layout->has_cpu && file->cpu >= s->cpu_count)
			s->cpu_count = file->cpu + 1;
		st = survey_file(s, setup, file, emit, err);
	}
	return st;
}

void kmem_survey_fini(struct kmem_survey *s)
{
	import_sort_free(s->late);
	s->late = NULL;
}

/* One file, or (file NULL) the late records of all. */
struct stream {
	struct kmem_reader reader;
	struct kmem_record rec; /* the one to emit next */
	int64_t latest;
	bool started;
};

struct merge {
	struct kmem_survey *survey;
	const struct kmem_setup *setup;
	struct stream *streams;
	size_t file_count; /* stream file_count holds the late records */
	struct import_heap heap;
};

/* The file's next record that is not late: the first pass kept those. */
static enum tdat_status next_in_file(struct merge *m, struct stream *s, struct tdat_error *err)
{
	enum tdat_status st;

	do {
		st = kmem_reader_next(&s->reader, &m->survey->ref, &s->rec, err);
	} while (st == TDAT_OK && s->started && s->rec.key < s->latest);
	s->started = true;
	if (st == TDAT_OK)
		s->latest = s->rec.key;
	return st;
}

static enum tdat_status next_late(struct merge *m, struct stream *s, struct tdat_error *err)
{
	struct tdat_span bytes;
	uint64_t key;
	uint32_t cpu;
	enum tdat_status st = import_sort_next(m->survey->late, &key, &cpu, &bytes, err);

	if (st != TDAT_OK)
		return st;
	kmem_decode(m->setup->layout, m->setup->big, bytes, &s->rec);
	s->rec.cpu = cpu;
	s->rec.key = (int64_t)bias((int64_t)key);
	return TDAT_OK;
}

static enum tdat_status next_record(struct merge *m, size_t i, struct tdat_error *err)
{
	struct stream *s = &m->streams[i];

	return i < m->file_count ? next_in_file(m, s, err) : next_late(m, s, err);
}

static enum tdat_status merge_init(struct merge *m, const struct kmem_files *files,
				   struct tdat_error *err)
{
	size_t count = files->count + (m->survey->late != NULL);

	m->file_count = files->count;
	m->streams = calloc(count + 1, sizeof(*m->streams));
	m->heap.items = calloc(count + 1, sizeof(*m->heap.items));
	if (!m->streams || !m->heap.items)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
				      "no memory to merge %zu files", files->count);
	for (size_t i = 0; i < files->count; i++)
		kmem_reader_init(&m->streams[i].reader, m->setup, &files->files[i],
				 window_len(files), NULL);
	for (size_t i = 0; i < count; i++) {
		const struct kmem_record *rec = &m->streams[i].rec;
		enum tdat_status st = next_record(m, i, err);

		if (st == TDAT_OK)
			import_heap_push(&m->heap, (struct import_heap_item){
							   bias(rec->key), rec->cpu, (uint32_t)i});
		else if (st != TDAT_E_NOT_FOUND)
			return st;
	}
	return TDAT_OK;
}

static void merge_fini(struct merge *m)
{
	for (size_t i = 0; m->streams && i < m->file_count; i++)
		kmem_reader_fini(&m->streams[i].reader);
	free(m->streams);
	free(m->heap.items);
}

/* Emits the smallest and lets its stream move on. */
static enum tdat_status merge_one(struct merge *m, struct kmem_output *out, uint64_t shift,
				  struct tdat_error *err)
{
	size_t i = m->heap.items[0].stream;
	const struct kmem_record *rec = &m->streams[i].rec;
	enum tdat_status st = kmem_output_record(out, rec, (uint64_t)rec->key + shift, err);

	if (st != TDAT_OK)
		return st;
	st = next_record(m, i, err);
	if (st == TDAT_OK)
		import_heap_replace(&m->heap, bias(rec->key), rec->cpu);
	else if (st == TDAT_E_NOT_FOUND)
		import_heap_pop(&m->heap);
	else
		return st;
	return TDAT_OK;
}

/* Wraps that lie before the first record: times must not be negative. */
static uint64_t shift_of(int64_t min_key)
{
	if (min_key >= 0)
		return 0;
	return (((0 - (uint64_t)min_key) + UINT32_MAX) >> 32) << 32;
}

enum tdat_status kmem_merge(struct kmem_survey *s, const struct kmem_setup *setup,
			    const struct kmem_files *files, struct kmem_output *out,
			    uint64_t *missing_seq, struct tdat_error *err)
{
	struct merge m = {.survey = s, .setup = setup};
	uint64_t shift = shift_of(s->min_key), distinct = 0;
	uint64_t last = 0;
	enum tdat_status st = merge_init(&m, files, err);

	while (st == TDAT_OK && m.heap.count) {
		uint64_t key = m.heap.items[0].key;

		distinct += !distinct || key != last;
		last = key;
		st = merge_one(&m, out, shift, err);
	}
	merge_fini(&m);
	*missing_seq = 0;
	if (setup->layout->has_seq && s->records)
		*missing_seq = (uint64_t)s->max_key - (uint64_t)s->min_key + 1 - distinct;
	return st;
}
