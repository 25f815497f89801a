/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Takes one ring-buffer sub-buffer apart into its records. This is the one place that decides how
 * much of a damaged page is read: all up to the first contradiction, nothing behind it, for every
 * command alike (docs/decisions/008-no-guessing.md). A page is checked once when it is opened. Then
 * each record needs one comparison, and bytes are loaded by memcpy in the file's order. Callers:
 * lib/read/stream.c, and the few that judge single pages.
 */
#include "page.h"

#include <string.h>

#include "core/zero.h"

const char dat_page_long[] = "a record has more bytes than the fields of its event";

enum { TYPE_LONG = 0, TYPE_PADDING = 29, TYPE_TIME_EXTEND = 30, TYPE_TIME_STAMP = 31 };

/* An absolute timestamp has 59 bits; these are the others, taken from the time before. */
#define STAMP_TOP (0xf8ull << 56)

/*
 * Opens a page. The commit counts the bytes of records. A commit beyond the page is a
 * contradiction: nothing is read. A commit beyond the bytes that are there means that the page is
 * cut.
 */
bool dat_page_open(struct dat_page *page, const uint8_t *raw, size_t len, uint32_t size,
		   const struct dat_page_layout *layout, const char **why)
{
	uint64_t commit;
	size_t room;

	*why = NULL;
	*page = (struct dat_page){0};
	if (len < layout->data_off) {
		*why = "the page header is truncated";
		return false;
	}
	page->ts = tdat_load64(raw, layout->big);
	/* Bits 63..32 are all ones when bit 31 is set on 64-bit kernels: ignore them. */
	commit = tdat_load_uint(raw + 8, layout->commit_size, layout->big);
	page->data = raw + layout->data_off;
	page->len = (uint32_t)commit & DAT_COMMIT_LEN_MASK;
	room = len - layout->data_off;
	if (page->len > room && page->len > size - layout->data_off) {
		*why = "the page's commit value exceeds the page size";
		return false;
	}
	if (page->len > room) {
		*why = "the end of the page is missing";
		page->len = (uint32_t)room;
	}
	if (layout->old || !((uint32_t)commit & DAT_COMMIT_LOST))
		return true;
	page->lost = -1;
	if (((uint32_t)commit & DAT_COMMIT_LOST_COUNT) && !*why &&
	    layout->commit_size <= room - page->len) {
		uint64_t n =
			tdat_load_uint(page->data + page->len, layout->commit_size, layout->big);

		if (n && n <= INT64_MAX)
			page->lost = (int64_t)n;
	}
	return true;
}

/*
 * Returns a sentence on bytes behind the commit, or NULL. Kernels zero the unused part, so other
 * bytes show that the commit is wrong.
 */
const char *dat_page_rest(const struct dat_page *page, const uint8_t *raw, size_t len,
			  const struct dat_page_layout *layout)
{
	uint64_t commit = tdat_load_uint(raw + 8, layout->commit_size, layout->big);
	const uint8_t *rest = page->data + page->len, *end = raw + len;

	/* The number of lost events is stored behind the data, too. */
	if (!layout->old && (commit & DAT_COMMIT_LOST) && (commit & DAT_COMMIT_LOST_COUNT))
		rest += layout->commit_size <= end - rest ? layout->commit_size : end - rest;
	if (!layout->old && rest < end && !tdat_is_zero(rest, (size_t)(end - rest)))
		return "nonzero bytes follow the page's committed data";
	if (!commit && !tdat_load64(raw, layout->big))
		return "the page is all zero";
	return NULL;
}

/*
 * Ends a page at padding without a length (§6.3). Kernels end the committed data before it. If
 * bytes other than zeros follow within the commit, they are records that nothing leads to.
 */
static enum dat_page_result end_at_padding(struct dat_page *page, const char **why)
{
	const uint8_t *rest = page->data + page->pos + 4, *end = page->data + page->len;

	if (rest < end && !tdat_is_zero(rest, (size_t)(end - rest))) {
		*why = "padding without a length hides the rest of its page";
		return DAT_PAGE_DAMAGED;
	}
	page->pos = page->len;
	return DAT_PAGE_END;
}

/* Skips padding: a discarded event or the rest of the page (§6.3). */
static enum dat_page_result skip_padding(struct dat_page *page,
					 const struct dat_page_layout *layout, uint32_t delta,
					 const char **why, bool *again)
{
	uint32_t left = page->len - page->pos, n;

	if (!delta)
		return end_at_padding(page, why);
	if (left < 8) {
		*why = "padding is truncated";
		return DAT_PAGE_DAMAGED;
	}
	n = tdat_load32(page->data + page->pos + 4, layout->big);
	if (n < 4 || n > left - 4) {
		*why = "padding extends beyond its page";
		return DAT_PAGE_DAMAGED;
	}
	/* Kernels align the lengths of all records; other readers continue inside a word. */
	if (n & 3) {
		*why = "padding has a length that is not a multiple of 4";
		return DAT_PAGE_DAMAGED;
	}
	/* Readers of the ecosystem count a discarded event's time. */
	page->ts += delta;
	page->pos += 4 + n;
	*again = true;
	return DAT_PAGE_END;
}

/*
 * Sets the time from an absolute timestamp of 59 bits. The upper bits are those of the page; an
 * overflow of the lower ones is carried.
 */
static void set_stamp(struct dat_page *page, uint64_t stamp)
{
	uint64_t before = page->ts & STAMP_TOP;

	stamp |= before;
	if (before && stamp < page->ts)
		stamp += 1ull << 59;
	page->ts = stamp;
}

/*
 * Keeps the bounds of a record id in two bytes: least words, and how many more at most. Bounds that
 * do not fit are not kept, and are computed again.
 */
void dat_lens_keep(struct dat_record_lens *lens, uint32_t first, struct dat_len_bounds bounds)
{
	const uint32_t least = bounds.least / 4 + !!(bounds.least & 3);
	uint32_t more = bounds.most / 4 - least;

	if (least > UINT8_MAX || bounds.most / 4 < least)
		return;
	more = more < UINT8_MAX ? more : UINT8_MAX;
	atomic_store_explicit(&lens->words[first & 0xffff], (uint16_t)(least << 8 | more),
			      memory_order_relaxed);
}

/* Compares the length of a record with the fields of its event. */
static enum dat_page_result judge(struct dat_page *page, const struct dat_page_layout *layout,
				  const struct dat_record *rec, const char **why)
{
	struct dat_len_bounds bounds;

	if (!layout->lens || (rec->len > 1 && dat_record_fits(layout, rec->data, rec->len / 4)))
		return DAT_PAGE_RECORD;
	bounds = layout->lens->find(layout->lens->ctx, rec->data, rec->len);
	if (rec->len < bounds.least) {
		*why = "a record ends before the fields of its event";
		return DAT_PAGE_DAMAGED;
	}
	/* Pages of old kernels cannot mark the loss that a long record means. */
	page->long_record |= rec->len > bounds.most && !layout->old;
	return DAT_PAGE_RECORD;
}

/* Reads a record of n bytes behind a header of that length. */
static enum dat_page_result data_record(struct dat_page *page, const struct dat_page_layout *layout,
					uint32_t head, uint32_t n, uint32_t delta,
					struct dat_record *rec, const char **why)
{
	const uint32_t left = page->len - page->pos - head;

	if (n > left) {
		*why = "a record extends beyond its page";
		return DAT_PAGE_DAMAGED;
	}
	/* Lengths count in words; the last one may be cut off by the page's end. */
	n = (n + 3) & ~3u;
	if (n > left)
		n = left;
	rec->pos = page->pos;
	rec->data = page->data + page->pos + head;
	rec->len = n;
	page->pos += head + n;
	page->ts += delta;
	return judge(page, layout, rec, why);
}

/* Reads a record whose second word is its length. */
static enum dat_page_result long_record(struct dat_page *page, const struct dat_page_layout *layout,
					uint32_t delta, struct dat_record *rec, const char **why)
{
	uint32_t n;

	if (page->len - page->pos < 8) {
		*why = "a record's length is truncated";
		return DAT_PAGE_DAMAGED;
	}
	n = tdat_load32(page->data + page->pos + 4, layout->big);
	if (n <= 4) {
		*why = "a record has no data";
		return DAT_PAGE_DAMAGED;
	}
	return data_record(page, layout, 8, n - 4, delta, rec, why);
}

/* Reads all but usual data: long records, padding, time extends, absolute timestamps. */
enum dat_page_result dat_page_special(struct dat_page *page, const struct dat_page_layout *layout,
				      uint32_t word, struct dat_record *rec, const char **why,
				      bool *again)
{
	uint32_t type = dat_page_type(layout, word);
	uint32_t delta = layout->big ? word & 0x07ffffff : word >> 5;
	uint64_t high;

	if (type == TYPE_LONG)
		return long_record(page, layout, delta, rec, why);
	if (type < TYPE_PADDING)
		return data_record(page, layout, 4, type * 4, delta, rec, why);
	if (type == TYPE_PADDING)
		return skip_padding(page, layout, delta, why, again);
	if (page->len - page->pos < 8) {
		*why = "a time record is truncated";
		return DAT_PAGE_DAMAGED;
	}
	high = (uint64_t)tdat_load32(page->data + page->pos + 4, layout->big) << 27;
	if (type == TYPE_TIME_EXTEND)
		page->ts += high + delta;
	else
		set_stamp(page, high + delta);
	page->pos += 8;
	*again = true;
	return DAT_PAGE_END;
}

/* ---- kernels up to 2.6.30 (§6.9) ---- */

enum { OLD_PADDING = 0, OLD_TIME_EXTEND = 1, OLD_TIME_STAMP = 2 };

/* Ring buffers up to 2.6.30 have two bits of type and three of length. */
enum dat_page_result dat_page_next_old(struct dat_page *page, const struct dat_page_layout *layout,
				       struct dat_record *rec, const char **why)
{
	for (;;) {
		uint32_t left = page->len - page->pos, word, type, len, delta;

		if (left < 4) {
			*why = left ? "a record header is truncated" : NULL;
			return left ? DAT_PAGE_DAMAGED : DAT_PAGE_END;
		}
		word = tdat_load32(page->data + page->pos, layout->big);
		type = layout->big ? word >> 30 : word & 3;
		len = layout->big ? word >> 27 & 7 : word >> 2 & 7;
		delta = layout->big ? word & 0x07ffffff : word >> 5;
		if (type == OLD_PADDING)
			return end_at_padding(page, why);
		if (type != OLD_TIME_EXTEND && type != OLD_TIME_STAMP)
			return len ? data_record(page, layout, 4, len * 4, delta, rec, why)
				   : long_record(page, layout, delta, rec, why);
		if (left < (type == OLD_TIME_STAMP ? 16u : 8u)) {
			*why = "a time record is truncated";
			return DAT_PAGE_DAMAGED;
		}
		if (type == OLD_TIME_EXTEND)
			page->ts += ((uint64_t)tdat_load32(page->data + page->pos + 4, layout->big)
				     << 27) +
				    delta;
		page->pos += type == OLD_TIME_STAMP ? 16 : 8;
	}
}
