/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Compares the places of CPU data with each other. Extents that overlap are cut; data whose offset
 * is lost is searched where no other data lies. It is the last step of opening, called once by
 * read_index.c. Extents are sorted by offset, so only neighbors are compared, and a gap is searched
 * once. Buffers are walked for each CPU that the file's end cut: buffers x cut CPUs.
 */
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/search.h"
#include "page.h"
#include "scan.h"

struct extent {
	uint64_t off, end;
	struct tdat_cpu *cpu;
	const struct tdat_buffer *buffer;
};

struct extents {
	struct dat_index *ix;
	struct extent *v; /* those with data, by offset */
	size_t count;
};

/*
 * Extents at one offset are ordered by buffer and CPU, so that the result does not depend on
 * qsort.
 */
static int by_offset(const void *a, const void *b)
{
	const struct extent *x = a, *y = b;

	return TDAT_ORDER(
		x->off, y->off,
		TDAT_ORDER(x->buffer, y->buffer, TDAT_ORDER(x->cpu->cpu, y->cpu->cpu, 0)));
}

/* The index owns the entries; readers get them const. */
static struct tdat_cpu *entry(const struct tdat_buffer *b, uint32_t i)
{
	struct tdat_cpu *cpus;

	memcpy(&cpus, &b->cpus, sizeof(cpus));
	return &cpus[i];
}

/* CPUs without data have no place and are left out. */
static bool collect(struct extents *x)
{
	struct dat_index *ix = x->ix;
	size_t i, total = 0;
	uint32_t k;

	for (i = 0; i < ix->buffer_count; i++)
		total += ix->buffers[i].cpu_count;
	x->v = calloc(total + 1, sizeof(*x->v));
	if (!x->v)
		return false;
	for (i = 0; i < ix->buffer_count; i++)
		for (k = 0; k < ix->buffers[i].cpu_count; k++) {
			struct tdat_cpu *cpu = entry(&ix->buffers[i], k);

			if (cpu->len)
				x->v[x->count++] = (struct extent){cpu->off, cpu->off + cpu->len,
								   cpu, &ix->buffers[i]};
		}
	qsort(x->v, x->count, sizeof(*x->v), by_offset);
	return true;
}

/* True if the data of a CPU was clipped to the end of the file, which is a finding already. */
static bool was_cut(const struct extents *x, const struct extent *e)
{
	return x->ix->cut_cpu_count && e->end == tdat_source_len(x->ix->src);
}

/* Moves an extent whose offset is within a page back to the start of that page. */
static enum tdat_status align_one(struct extents *x, size_t index, struct tdat_error *err)
{
	struct extent *e = &x->v[index];
	uint32_t page = e->buffer->page_size, over = (uint32_t)(e->off % page), i;
	uint64_t ts;

	if (!over || e->buffer->compressed || (index && x->v[index - 1].end > e->off - over) ||
	    !dat_scan_page(x->ix, page, e->off - over, &ts))
		return TDAT_OK;
	/* If others are not aligned either, the file was made this way. */
	for (i = 0; i < e->buffer->cpu_count; i++)
		if (e->buffer->cpus[i].off % page && &e->buffer->cpus[i] != e->cpu)
			return TDAT_OK;
	tdat_error_set(err, TDAT_E_DAMAGED, e->off,
		       "the data of CPU %u%s%.64s should be at offset %llu, but its pages start at "
		       "%llu",
		       e->cpu->cpu, *e->buffer->name ? " of buffer " : "", e->buffer->name,
		       (unsigned long long)e->off, (unsigned long long)(e->off - over));
	e->off -= over;
	e->end -= over;
	e->cpu->off = e->off;
	return dat_index_tolerate(x->ix, TDAT_E_DAMAGED, err);
}

/* Reports an overlap: a finding of a tolerant open, the failure of a strict one. */
static enum tdat_status overlap_found(struct extents *x, const struct extent *e,
				      const struct extent *other, struct tdat_error *err)
{
	tdat_error_set(err, TDAT_E_DAMAGED, e->off,
		       "the data of CPU %u%s%.64s overlaps that of CPU %u%s%.64s at offset %llu",
		       e->cpu->cpu, *e->buffer->name ? " of buffer " : "", e->buffer->name,
		       other->cpu->cpu, *other->buffer->name ? " of buffer " : "",
		       other->buffer->name, (unsigned long long)e->off);
	return dat_index_tolerate(x->ix, TDAT_E_DAMAGED, err);
}

/*
 * Cuts extents that overlap. If two start together, the later one's offset is wrong; likewise if
 * one lies within a single other one. Any other extent that reaches into the next is too long.
 */
static enum tdat_status settle_overlaps(struct extents *x, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	size_t i = 0, j;

	for (j = 1; st == TDAT_OK && j < x->count; j++) {
		struct extent *a = &x->v[i], *b = &x->v[j];
		bool within = b->end <= a->end && !was_cut(x, a) &&
			      (j + 1 == x->count || x->v[j + 1].off >= a->end);

		if (b->off >= a->end) {
			i = j;
			continue;
		}
		if (!was_cut(x, a) || b->off == a->off)
			st = overlap_found(x, b, a, err);
		if (b->off == a->off || within) {
			b->cpu->missing_len = b->cpu->len;
			b->cpu->len = 0;
			b->cpu->off = UINT64_MAX; /* its offset is lost */
			b->off = b->end = a->off;
			continue;
		}
		a->cpu->len = b->off - a->off;
		a->end = b->off;
		i = j;
	}
	return st;
}

/* Cuts data that runs into the head of another buffer. */
static void stop_at_buffers(struct extents *x)
{
	struct dat_index *ix = x->ix;
	size_t i, k;

	/* Only if the end of the file had cut it: else its length is known. */
	for (i = 0; i < x->count; i++)
		for (k = 0; was_cut(x, &x->v[i]) && k < ix->buffer_count; k++) {
			uint64_t off = ix->buffers[k].off;

			if (off <= x->v[i].off || off >= x->v[i].end)
				continue;
			x->v[i].end = off;
			x->v[i].cpu->len = off - x->v[i].off;
			k = ix->buffer_count;
		}
}

/* ---- lost ones ---- */

static bool is_lost(const struct dat_index *ix, const struct tdat_cpu *cpu)
{
	return !cpu->len && cpu->off && cpu->off >= tdat_source_len(ix->src);
}

static uint32_t count_lost(const struct dat_index *ix, const struct tdat_buffer *b)
{
	uint32_t i, n = 0;

	for (i = 0; i < b->cpu_count; i++)
		n += is_lost(ix, &b->cpus[i]);
	return n;
}

/* Returns where the data of a buffer may lie: from *lo to *hi. */
static void region(const struct dat_index *ix, const struct tdat_buffer *b, uint64_t *lo,
		   uint64_t *hi)
{
	size_t i;

	*lo = b->off + 16 + (ix->version == 6 ? 16ull * b->cpu_count : 0);
	*hi = tdat_source_len(ix->src);
	for (i = 0; i < ix->buffer_count; i++)
		if (ix->buffers[i].off > b->off && ix->buffers[i].off < *hi)
			*hi = ix->buffers[i].off;
	for (i = 0; i < ix->section_count && ix->version > 6; i++)
		if (ix->sections[i].off == b->off && ix->sections[i].body_len < *hi - *lo)
			*hi = *lo + ix->sections[i].body_len;
}

/* Assigns pages in [lo, hi), where no other data lies, to lost entries from *next on. */
static enum tdat_status fill_gap(struct extents *x, const struct tdat_buffer *b, uint64_t lo,
				 uint64_t hi, uint32_t *next, uint32_t *left,
				 struct tdat_error *err)
{
	struct dat_cpu_list l = {NULL, 0, 0};
	enum tdat_status st;
	uint32_t i;

	if (!*left || !tdat_align_u64(lo, b->page_size, &lo) || lo >= hi)
		return TDAT_OK;
	if (b->compressed)
		st = dat_scan_chunked(x->ix, b->page_size, lo, hi, *left, &l, err);
	else
		st = dat_scan_plain(x->ix, b->page_size, lo, hi, *left, &l, err);
	for (i = 0; st == TDAT_OK && i < l.count; i++) {
		while (!is_lost(x->ix, &b->cpus[*next]))
			(*next)++;
		entry(b, *next)->off = l.cpus[i].off;
		entry(b, *next)->len = l.cpus[i].len;
		entry(b, *next)->missing_len = 0;
		(*left)--;
	}
	return st;
}

/* Walks the gaps between known extents in the region of the buffer, in order. */
static enum tdat_status find_lost(struct extents *x, const struct tdat_buffer *b,
				  struct tdat_error *err)
{
	uint32_t left = count_lost(x->ix, b), next = 0;
	enum tdat_status st = TDAT_OK;
	uint64_t lo, hi;
	size_t i;

	if (b->latency || !left)
		return TDAT_OK;
	region(x->ix, b, &lo, &hi);
	for (i = 0; st == TDAT_OK && i < x->count; i++) {
		const struct extent *e = &x->v[i];

		if (e->end <= lo || e->off >= hi || e->end == e->off)
			continue;
		if (e->off > lo)
			st = fill_gap(x, b, lo, e->off, &next, &left, err);
		lo = e->end;
	}
	return st == TDAT_OK && lo < hi ? fill_gap(x, b, lo, hi, &next, &left, err) : st;
}

/* Counted once, so that readers know whether any data is compressed. */
static void count_chunked(struct dat_index *ix)
{
	size_t i;
	uint32_t k;

	for (i = 0; i < ix->buffer_count; i++)
		for (k = 0; ix->buffers[i].compressed && k < ix->buffers[i].cpu_count; k++)
			ix->chunked_count += ix->buffers[i].cpus[k].len != 0;
}

/* ---- data that no entry leads to ---- */

/*
 * True if pages or chunks begin at the first multiple of the page size in [*lo, hi). *lo then
 * becomes that offset.
 */
static bool begins_data(struct extents *x, const struct tdat_buffer *b, uint64_t *lo, uint64_t hi)
{
	uint64_t at, ts;

	if (!tdat_align_u64(*lo, b->page_size, &at) || at >= hi ||
	    !(b->compressed
		      ? dat_scan_chunk(x->ix, at, hi)
		      : hi - at >= b->page_size && dat_scan_page(x->ix, b->page_size, at, &ts)))
		return false;
	*lo = at;
	return true;
}

/*
 * Checks that a gap between the CPUs of a buffer is zero. Only behind chunks trace-cmd leaves other
 * bytes: those that were there before it compressed the data.
 */
static enum tdat_status check_gap(struct extents *x, const struct tdat_buffer *b, uint64_t lo,
				  uint64_t hi, struct tdat_error *err)
{
	const char *of = *b->name ? " of buffer " : "";

	if (begins_data(x, b, &lo, hi)) {
		tdat_error_set(err, TDAT_E_DAMAGED, lo,
			       "CPU data at offset %llu%s%.64s belongs to none of the listed CPUs",
			       (unsigned long long)lo, of, b->name);
	} else {
		lo = b->compressed ? hi : dat_scan_nonzero(x->ix, lo, hi);
		if (lo == hi)
			return TDAT_OK;
		tdat_error_set(err, TDAT_E_DAMAGED, lo,
			       "nonzero bytes from offset %llu to %llu, outside the CPU "
			       "data%s%.64s, belong to no CPU",
			       (unsigned long long)lo, (unsigned long long)hi, of, b->name);
	}
	return dat_index_tolerate(x->ix, TDAT_E_DAMAGED, err);
}

/* Returns lo, or the end of the clock's text, which version 6 has behind a table. */
static uint64_t skip_clock(const struct dat_index *ix, const struct tdat_buffer *b, uint64_t lo)
{
	uint64_t at = b->off + 10 + 16ull * b->cpu_count, len;
	uint8_t raw[8];

	if (ix->version > 6 || tdat_source_read(ix->src, at, raw, sizeof(raw), NULL) != TDAT_OK)
		return lo;
	len = tdat_load64(raw, ix->big);
	return len <= 4096 ? at + 8 + len : lo;
}

/* Checks the gaps between and behind the CPUs of a buffer. */
static enum tdat_status check_gaps(struct extents *x, const struct tdat_buffer *b,
				   struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	uint64_t lo, hi;
	size_t i;

	region(x->ix, b, &lo, &hi);
	lo = skip_clock(x->ix, b, lo);
	for (i = 0; st == TDAT_OK && i < x->count; i++) {
		const struct extent *e = &x->v[i];

		if (e->end <= lo || e->off >= hi)
			continue;
		if (e->off > lo)
			st = check_gap(x, b, lo, e->off, err);
		lo = e->end;
	}
	return st == TDAT_OK && lo < hi ? check_gap(x, b, lo, hi, err) : st;
}

/*
 * Settles all extents in this order: cut at buffers, align, cut overlaps, search for lost data in
 * the rest. Gaps of a sound file are only reported.
 */
enum tdat_status dat_index_settle(struct dat_index *ix, struct tdat_error *err)
{
	struct extents x = {.ix = ix};
	struct tdat_error own = TDAT_ERROR_INIT;
	enum tdat_status st = TDAT_OK;
	size_t i;

	if (!err)
		err = &own;
	if (!collect(&x))
		return tdat_error_no_memory(err, "CPUs");
	stop_at_buffers(&x);
	for (i = 0; st == TDAT_OK && i < x.count; i++)
		st = align_one(&x, i, err);
	qsort(x.v, x.count, sizeof(*x.v), by_offset);
	if (st == TDAT_OK)
		st = settle_overlaps(&x, err);
	for (i = 0; st == TDAT_OK && ix->damage_count && i < ix->buffer_count; i++)
		st = find_lost(&x, &ix->buffers[i], err);
	for (i = 0; st == TDAT_OK && !ix->damage_count && i < ix->buffer_count; i++)
		if (!ix->buffers[i].latency)
			st = check_gaps(&x, &ix->buffers[i], err);
	free(x.v);
	count_chunked(ix);
	for (i = 0; i < ix->buffer_count; i++)
		if (count_lost(ix, &ix->buffers[i]))
			return st;
	ix->missing_len -= ix->outside_len; /* all of it was found in other places */
	return st;
}
