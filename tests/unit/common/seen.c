/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps what a reader gives of a file, and compares it with what it gives of a part of it. */
#include "unit/common/seen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asserts.h"
#include "core/endian.h"

void bytes_load(struct bytes *b, const char *path)
{
	FILE *f = fopen(path, "rb");

	ck_assert_msg(f != NULL, "%s is missing", path);
	fseek(f, 0, SEEK_END);
	b->len = (size_t)ftell(f);
	rewind(f);
	b->ptr = malloc(b->len + 1);
	ck_assert_ptr_nonnull(b->ptr);
	ck_assert_uint_eq(fread(b->ptr, 1, b->len, f), b->len);
	fclose(f);
}

uint8_t *bytes_cut(const struct bytes *b, size_t len)
{
	uint8_t *copy = malloc(len ? len : 1);

	ck_assert_ptr_nonnull(copy);
	memcpy(copy, b->ptr, len);
	return copy;
}

uint64_t seen_hash(struct tdat_span s)
{
	uint64_t h = 1469598103934665603ull;

	for (size_t i = 0; i < s.len; i++)
		h = (h ^ s.ptr[i]) * 1099511628211ull;
	return h;
}

/* off is of a chunk: its stored size comes first, then the other one. */
static uint64_t chunk_end(const struct tdat_file *file, uint64_t off)
{
	uint8_t raw[4];

	ck_assert_int_eq(tdat_source_read(tdat_file_source(file), off, raw, 4, NULL), TDAT_OK);
	return off + 8 + tdat_load32(raw, tdat_file_info(file)->big_endian);
}

static uint64_t page_end(const struct tdat_file *file, const struct tdat_event *ev)
{
	size_t count;
	const struct tdat_buffer *b = &tdat_file_buffers(file, &count)[ev->buffer];
	uint32_t i;

	if (b->compressed)
		return chunk_end(file, ev->off);
	for (i = 0; i < b->cpu_count; i++)
		if (b->cpus[i].cpu == ev->cpu)
			break;
	ck_assert_uint_lt(i, b->cpu_count);
	return b->cpus[i].off + ((ev->off - b->cpus[i].off) / b->page_size + 1) * b->page_size;
}

void seen_read(struct seen_all *all, struct tdat_file *file)
{
	const struct tdat_iter_input in = {file, 0, 0};
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_event *ev;
	struct tdat_iter *iter;

	all->count = 0;
	all->latency_len = tdat_file_part(file, TDAT_PART_LATENCY).len;
	ck_assert_msg(tdat_iter_new(&iter, &in, 1, NULL, &err) == TDAT_OK, "%s", err.message);
	for (;;) {
		ck_assert_msg(tdat_iter_next(iter, &ev, &err) == TDAT_OK, "%s", err.message);
		if (!ev)
			break;
		if (all->count == all->cap) {
			all->cap = all->cap ? all->cap * 2 : 1024;
			all->v = realloc(all->v, all->cap * sizeof(*all->v));
			ck_assert_ptr_nonnull(all->v);
		}
		all->v[all->count++] = (struct seen){ev->ts, seen_hash(ev->record),
						     page_end(file, ev), ev->cpu, ev->buffer};
	}
	tdat_iter_free(iter);
}

void seen_free(struct seen_all *all)
{
	free(all->v);
	*all = (struct seen_all){NULL, 0, 0, 0};
}

static int by_time(const void *a, const void *b)
{
	const struct seen *x = a, *y = b;

	if (x->ts != y->ts)
		return x->ts < y->ts ? -1 : 1;
	return x->hash < y->hash ? -1 : x->hash > y->hash;
}

size_t seen_missing(const struct seen_all *all, uint64_t cut, const struct seen_all *got)
{
	struct seen *want = malloc((all->count + 1) * sizeof(*want));
	struct seen *have = malloc((got->count + 1) * sizeof(*have));
	size_t n = 0, i, k = 0, missing = 0;

	ck_assert(want && have);
	for (i = 0; i < all->count; i++)
		if (all->v[i].end <= cut)
			want[n++] = all->v[i];
	if (got->count)
		memcpy(have, got->v, got->count * sizeof(*have));
	qsort(want, n, sizeof(*want), by_time);
	qsort(have, got->count, sizeof(*have), by_time);
	for (i = 0; i < n; i++) {
		while (k < got->count && by_time(&have[k], &want[i]) < 0)
			k++;
		if (k < got->count && !by_time(&have[k], &want[i]))
			k++;
		else
			missing++;
	}
	free(want);
	free(have);
	return missing;
}

size_t seen_before(const struct seen_all *all, uint64_t cut)
{
	size_t n = 0;

	for (size_t i = 0; i < all->count; i++)
		n += all->v[i].end <= cut;
	return n;
}
