/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Surveys all files of a kmemtrace capture, then emits their records in order of time
 * (docs/formats/kmemtrace.md §3).
 */
#include <stdlib.h>

#include "kmemtrace.h"

static enum tdat_status open_readers(struct kmem_merge *m, const struct tdat_emit *emit,
				     struct tdat_error *err)
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
				 emit);
		streams[i] = kmem_reader_stream(&m->readers[i]);
	}
	st = import_merge_new(&m->merge, streams, count, err);
	free(streams);
	return st;
}

static enum tdat_status survey(struct kmem_merge *m, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	m->range = import_merge_range(m->merge);
	m->cpu_count = 1;
	for (size_t i = 0; i < m->files->count && st == TDAT_OK; i++) {
		uint32_t cpu = m->files->files[i].cpu;
		uint64_t late;

		if (!m->setup->layout->has_cpu && cpu >= m->cpu_count)
			m->cpu_count = cpu + 1;
		st = import_merge_survey(m->merge, i, &late, err);
		m->damaged = m->damaged || m->readers[i].stopped;
		import_merge_rewind(m->merge, i);
	}
	if (m->range->cpu_count > m->cpu_count)
		m->cpu_count = m->range->cpu_count;
	return st;
}

enum tdat_status kmem_merge_init(struct kmem_merge *m, const struct kmem_setup *setup,
				 const struct kmem_files *files, const struct tdat_emit *emit,
				 struct tdat_error *err)
{
	enum tdat_status st;

	*m = (struct kmem_merge){.setup = setup, .files = files};
	st = open_readers(m, emit, err);
	return st == TDAT_OK ? survey(m, err) : st;
}

void kmem_merge_fini(struct kmem_merge *m)
{
	for (size_t i = 0; m->readers && i < m->files->count; i++)
		kmem_reader_fini(&m->readers[i]);
	free(m->readers);
	import_merge_free(m->merge);
}

/* Returns the wraps, 2^32 each, that lie before the first record: no time must be negative. */
static uint64_t shift_of(int64_t min_key)
{
	if (min_key >= 0)
		return 0;
	return (((0 - (uint64_t)min_key) + UINT32_MAX) >> 32) << 32;
}

static enum tdat_status emit_record(const struct kmem_merge *m,
				    const struct import_merge_record *item, uint64_t shift,
				    struct kmem_output *out, struct tdat_error *err)
{
	struct kmem_record rec;

	kmem_decode(m->setup->layout, m->setup->big, item->data, &rec);
	rec.cpu = item->cpu;
	return kmem_output_record(out, &rec, (uint64_t)item->key + shift, err);
}

enum tdat_status kmem_merge_emit(struct kmem_merge *m, struct kmem_output *out,
				 uint64_t *missing_seq, struct tdat_error *err)
{
	const struct import_merge_range *range = m->range;
	uint64_t shift = shift_of(range->min_key), distinct = 0;
	struct import_merge_record item;
	int64_t last = 0;
	enum tdat_status st;

	while ((st = import_merge_next(m->merge, &item, err)) == TDAT_OK) {
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
