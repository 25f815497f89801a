/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds page sizes that the data contradicts. Option BUFFER, the file's head and header_page
 * each have one, and pages of another size than that would be read in pieces. Called once, when
 * all buffers are known. The first pages of a few CPUs of each doubtful buffer are opened in
 * each of these sizes. If another size fits and the buffer's own does not, the buffer gets it,
 * with a finding.
 */
#include <stdlib.h>

#include "chunk.h"
#include "page.h"
#include "page_size.h"

/* Bounds of the pages that are read if the sizes differ; else none is read. */
enum { LOOK_PAGES = 8, LOOK_CPUS = 4, LOOK_MOST = 1 << 20 };

/* Bytes at the start of a CPU's data, inflated. */
struct look {
	uint8_t *ptr;
	size_t len;
};

static void look_plain(const struct dat_index *ix, const struct tdat_cpu *cpu, size_t most,
		       struct look *l)
{
	size_t len = cpu->len < most ? (size_t)cpu->len : most;

	l->ptr = malloc(len + 1);
	if (l->ptr && tdat_source_read(ix->src, cpu->off, l->ptr, len, NULL) == TDAT_OK)
		l->len = len;
}

/* Reads the first chunk, which is enough: it begins with a page. */
static void look_chunk(const struct dat_index *ix, const struct tdat_cpu *cpu, struct look *l)
{
	struct dat_inflater inflater = {.in = NULL};
	struct dat_chunks c;
	bool more;

	if (dat_chunks_init(&c, ix, cpu->off, cpu->len, NULL) != TDAT_OK ||
	    dat_chunks_next(&c, &more, NULL) != TDAT_OK || !more || c.out_len > LOOK_MOST)
		return;
	l->ptr = malloc((size_t)c.out_len + 1);
	if (l->ptr && dat_chunks_inflate(&c, &inflater, l->ptr, NULL) == TDAT_OK)
		l->len = c.out_len;
	dat_inflater_fini(&inflater);
}

/* True if all whole pages are sound with that size, and there is one. */
static bool fits(const struct dat_index *ix, const struct look *l, uint32_t size)
{
	const struct dat_page_layout layout = {.big = ix->big,
					       .old = ix->old_ring_buffer,
					       .commit_size = ix->kernel_long_size,
					       .data_off = ix->header_data_off};
	size_t at;

	if (size < 64 || l->len < size)
		return false;
	for (at = 0; l->len - at >= size; at += size) {
		struct dat_page page;
		const char *why;

		if (!dat_page_open(&page, l->ptr + at, size, size, &layout, &why) ||
		    dat_page_rest(&page, l->ptr + at, size, &layout))
			return false;
	}
	return true;
}

/* Returns the size that the CPU's pages have; 0: it cannot be seen, or it is the buffer's. */
static uint32_t size_of(const struct dat_index *ix, const struct tdat_buffer *b,
			const struct tdat_cpu *cpu, const uint32_t others[2])
{
	struct look l = {NULL, 0};
	uint32_t found = 0, most = b->page_size;
	int i;

	for (i = 0; i < 2; i++)
		most = others[i] > most ? others[i] : most;
	if (b->compressed)
		look_chunk(ix, cpu, &l);
	else
		look_plain(ix, cpu, most < LOOK_MOST / LOOK_PAGES ? LOOK_PAGES * most : LOOK_MOST,
			   &l);
	for (i = 0; l.len && i < 2 && !found; i++)
		if (others[i] != b->page_size && fits(ix, &l, others[i]) &&
		    !fits(ix, &l, b->page_size))
			found = others[i];
	free(l.ptr);
	return found;
}

/* Sets the size of the buffer's pages, with a finding. */
static enum tdat_status mend(struct dat_index *ix, struct tdat_buffer *b, uint32_t size,
			     struct tdat_error *err)
{
	tdat_error_set(err, TDAT_E_DAMAGED, b->off,
		       "buffer \"%.64s\" claims pages of %u bytes, but its pages have %u", b->name,
		       b->page_size, size);
	if (ix->page_size == b->page_size)
		ix->page_size = size;
	b->page_size = size;
	return dat_index_tolerate(ix, TDAT_E_DAMAGED, err);
}

/*
 * Compares sizes, buffer by buffer. A few CPUs with data are read; the first clear answer decides.
 */
enum tdat_status dat_index_page_sizes(struct dat_index *ix, struct tdat_error *err)
{
	const uint32_t others[2] = {ix->header_page_size, ix->page_size};
	enum tdat_status st = TDAT_OK;
	size_t i;
	uint32_t k;

	for (i = 0; st == TDAT_OK && i < ix->buffer_count; i++) {
		struct tdat_buffer *b = &ix->buffers[i];
		uint32_t size = 0, looks = 0;

		if (b->latency ||
		    (b->page_size == others[1] && (!others[0] || others[0] == others[1])))
			continue;
		for (k = 0; !size && k < b->cpu_count && looks < LOOK_CPUS; k++) {
			if (!b->cpus[k].len)
				continue;
			size = size_of(ix, b, &b->cpus[k], others);
			looks++;
		}
		if (size)
			st = mend(ix, b, size, err);
	}
	return st;
}
