/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Searches the bytes of a broken file for pages of CPU data. Only files whose tables are broken get
 * here. A place is taken for a page only if its head makes sense. A CPU ends where time goes back.
 * Callers are the two salvage files and extents.c.
 */
#include "scan.h"

#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/zero.h"
#include "chunk.h"
#include "page.h"

/* Numbers follow the order in the file, as the real ones are lost. */
static enum tdat_status add_cpu(struct dat_index *ix, struct dat_cpu_list *l, uint64_t off,
				uint64_t len, struct tdat_error *err)
{
	struct tdat_cpu *bigger;

	if (l->count >= ix->limits.cpus)
		return tdat_error_set(err, TDAT_E_LIMIT, off,
				      "the file has more than %u CPUs (limit cpus)",
				      ix->limits.cpus);
	if (l->count == l->cap) {
		uint32_t cap = l->cap ? l->cap * 2 : 16;

		bigger = tdat_arena_array(&ix->arena, cap, sizeof(*bigger));
		if (!bigger)
			return tdat_error_set(err, TDAT_E_NOMEM, off, "no memory for CPUs");
		if (l->count)
			memcpy(bigger, l->cpus, l->count * sizeof(*bigger));
		l->cpus = bigger;
		l->cap = cap;
	}
	l->cpus[l->count] = (struct tdat_cpu){.cpu = l->count, .off = off, .len = len};
	l->count++;
	return TDAT_OK;
}

/* True if a page may begin at off: a time, and a commit that fits. An empty page proves nothing. */
bool dat_scan_page(const struct dat_index *ix, uint32_t page_size, uint64_t off, uint64_t *ts)
{
	uint8_t raw[16];
	uint64_t commit;

	if (!tdat_range_ok(off, sizeof(raw), tdat_source_len(ix->src)) ||
	    tdat_source_read(ix->src, off, raw, sizeof(raw), NULL) != TDAT_OK)
		return false;
	*ts = tdat_load64(raw, ix->big);
	commit = tdat_load_uint(raw + 8, ix->kernel_long_size, ix->big);
	commit = (uint32_t)commit & DAT_COMMIT_LEN_MASK;
	return *ts && commit && commit <= page_size - ix->header_data_off;
}

bool dat_scan_chunk(struct dat_index *ix, uint64_t off, uint64_t end)
{
	struct dat_chunks c;
	bool more;

	return end - off > 12 && dat_chunks_init(&c, ix, off, end - off, NULL) == TDAT_OK &&
	       c.left && dat_chunks_next(&c, &more, NULL) == TDAT_OK && c.in_len && c.out_len;
}

/* Time that goes back starts the next CPU. Holes are skipped by whole pages. */
enum tdat_status dat_scan_plain(struct dat_index *ix, uint32_t page_size, uint64_t off,
				uint64_t end, uint32_t most, struct dat_cpu_list *l,
				struct tdat_error *err)
{
	uint64_t start = 0, stop = 0, before = 0, ts;
	enum tdat_status st = TDAT_OK;

	for (; st == TDAT_OK && off < end; off += page_size) {
		off += (tdat_source_skip_hole(ix->src, off, end) - off) / page_size * page_size;
		if (off >= end || !dat_scan_page(ix, page_size, off, &ts))
			continue;
		if (start && ts < before && l->count + 1 < most) {
			st = add_cpu(ix, l, start, off - start, err);
			start = 0;
		}
		if (!start)
			start = off;
		before = ts;
		stop = end - off < page_size ? end : off + page_size;
	}
	if (st == TDAT_OK && start && l->count < most)
		st = add_cpu(ix, l, start, stop - start, err);
	return st;
}

/* A CPU ends behind its last chunk; a broken chunk takes the rest. */
enum tdat_status dat_scan_chunked(struct dat_index *ix, uint32_t page_size, uint64_t off,
				  uint64_t end, uint32_t most, struct dat_cpu_list *l,
				  struct tdat_error *err)
{
	while (off < end && l->count < most) {
		struct dat_chunks c;
		uint64_t next;
		bool more = true, cut = false;
		enum tdat_status st = dat_chunks_init(&c, ix, off, end - off, err);

		while (st == TDAT_OK && more)
			st = dat_chunks_next(&c, &more, err);
		if (st == TDAT_E_DAMAGED || st == TDAT_E_LIMIT) {
			tdat_error_reset(err);
			cut = true;
		} else if (st != TDAT_OK) {
			return st;
		}
		next = cut ? end : c.off;
		st = add_cpu(ix, l, off, next - off, err);
		if (st != TDAT_OK || cut || !tdat_align_u64(next, page_size, &off))
			return st;
	}
	return TDAT_OK;
}

/* Zeros are what is left of data that was not written. */
uint64_t dat_scan_nonzero(const struct dat_index *ix, uint64_t off, uint64_t end)
{
	uint8_t buf[4096];

	while ((off = tdat_source_skip_hole(ix->src, off, end)) < end) {
		const size_t len = end - off < sizeof(buf) ? (size_t)(end - off) : sizeof(buf);
		size_t i = 0;

		if (tdat_source_read(ix->src, off, buf, len, NULL) != TDAT_OK)
			return end;
		if (!tdat_is_zero(buf, len)) {
			while (!buf[i])
				i++;
			return off + i;
		}
		off += len;
	}
	return end;
}

/* Windows overlap by the tag's length, so that none is missed at their border. */
uint64_t dat_scan_tag(const struct dat_index *ix, const char *tag, uint64_t off)
{
	enum { WINDOW = 1 << 16 };
	uint64_t total = tdat_source_len(ix->src);
	size_t n = strlen(tag) + 1;
	uint8_t *buf = malloc(WINDOW);
	const uint8_t *hit = NULL;

	while (buf && (off = tdat_source_skip_hole(ix->src, off, total)) < total &&
	       total - off >= n) {
		size_t len = total - off < WINDOW ? (size_t)(total - off) : WINDOW;

		if (tdat_source_read(ix->src, off, buf, len, NULL) != TDAT_OK)
			break;
		hit = memmem(buf, len, tag, n);
		if (hit)
			break;
		off += len - (n - 1);
	}
	if (hit)
		off += (uint64_t)(hit - buf);
	free(buf);
	return hit ? off : UINT64_MAX;
}
