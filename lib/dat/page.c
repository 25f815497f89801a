/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Takes one ring-buffer sub-buffer apart into its records. */
#include "page.h"

#include <string.h>

#include "core/zero.h"
#include "hidden.h"

const char dat_page_hidden[] =
	"the length of a record takes in those behind it, which are read all the same";

const char dat_page_short[] = "a record ends before the fields of its event";

enum { TYPE_LONG = 0, TYPE_PADDING = 29, TYPE_TIME_EXTEND = 30, TYPE_TIME_STAMP = 31 };

/* Absolute stamps hold 59 bits; the rest comes from the time before. */
#define STAMP_TOP (0xf8ull << 56)

bool dat_page_open(struct dat_page *page, const uint8_t *raw, size_t len,
		   const struct dat_page_layout *layout, const char **why)
{
	uint64_t commit;
	size_t room;

	*why = NULL;
	*page = (struct dat_page){0};
	if (len < layout->data_off) {
		*why = "the page header is cut";
		return false;
	}
	page->ts = tdat_load64(raw, layout->big);
	/* Bits 63..32 are all ones when bit 31 is set on 64-bit kernels: ignore them. */
	commit = tdat_load_uint(raw + 8, layout->commit_size, layout->big);
	page->data = raw + layout->data_off;
	page->len = (uint32_t)commit & DAT_COMMIT_LEN_MASK;
	room = len - layout->data_off;
	if (page->len > room) {
		*why = "the page's commit is larger than the page";
		page->len = (uint32_t)room;
	}
	page->commit = page->len;
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

const char *dat_page_rest(const struct dat_page *page, const uint8_t *raw, size_t len,
			  const struct dat_page_layout *layout)
{
	uint64_t commit = tdat_load_uint(raw + 8, layout->commit_size, layout->big);
	const uint8_t *rest = page->data + page->len, *end = raw + len;

	/* The number of lost events is stored behind the data, too. */
	if (!layout->old && (commit & DAT_COMMIT_LOST) && (commit & DAT_COMMIT_LOST_COUNT))
		rest += layout->commit_size <= end - rest ? layout->commit_size : end - rest;
	if (!layout->old && rest < end && !tdat_is_zero(rest, (size_t)(end - rest)))
		return "there are bytes behind the page's committed data";
	if (!commit && !tdat_load64(raw, layout->big))
		return "the page is all zero";
	return NULL;
}

/*
 * Padding without a length: nothing follows on the page (§6.3). Kernels end the committed data
 * before it; where something else than zeros follows inside of the commit, these are records
 * that nothing leads to any more.
 */
static enum dat_page_result end_at_padding(struct dat_page *page, const char **why)
{
	const uint8_t *rest = page->data + page->pos + 4, *end = page->data + page->len;

	if (rest < end && !tdat_is_zero(rest, (size_t)(end - rest))) {
		*why = "padding without a length hides what follows it on its page";
		return DAT_PAGE_DAMAGED;
	}
	page->pos = page->len;
	return DAT_PAGE_END;
}

/* Padding: a discarded event or the rest of the page (§6.3). */
static enum dat_page_result skip_padding(struct dat_page *page,
					 const struct dat_page_layout *layout, uint32_t delta,
					 const char **why, bool *again)
{
	uint32_t left = page->len - page->pos, n;

	if (!delta)
		return end_at_padding(page, why);
	if (left < 8) {
		*why = "padding is cut";
		return DAT_PAGE_DAMAGED;
	}
	n = tdat_load32(page->data + page->pos + 4, layout->big);
	if (n < 4 || n > left - 4) {
		*why = "padding has a length outside its page";
		return DAT_PAGE_DAMAGED;
	}
	/* Kernels align the lengths of all records; other readers go on inside of a word. */
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

static void set_stamp(struct dat_page *page, uint64_t stamp)
{
	uint64_t before = page->ts & STAMP_TOP;

	stamp |= before;
	if (before && stamp < page->ts)
		stamp += 1ull << 59;
	page->ts = stamp;
}

bool dat_page_doubted(struct dat_page *page, const struct dat_page_layout *layout,
		      struct dat_record *rec)
{
	struct dat_page_layout plain = *layout;
	struct dat_page whole = *page;

	plain.ends = NULL;
	whole.len = whole.commit;
	if (!dat_page_usual(&whole, &plain, rec))
		return false;
	dat_give_back(&whole, layout, rec);
	if (whole.pos > page->len)
		return false;
	whole.len = page->len;
	*page = whole;
	return true;
}

/* Ends the reading of a record that lies within what is committed. */
static enum dat_page_result judged(struct dat_page *page, const struct dat_page_layout *layout,
				   struct dat_record *rec, const char **why)
{
	dat_give_back(page, layout, rec);
	if (page->pos <= page->len)
		return DAT_PAGE_RECORD;
	*why = "a record reaches past its page";
	return DAT_PAGE_DAMAGED;
}

static enum dat_page_result long_record(struct dat_page *page, const struct dat_page_layout *layout,
					uint32_t delta, struct dat_record *rec, const char **why)
{
	uint32_t left = page->commit - page->pos, n;

	if (left < 8) {
		*why = "a record's length is cut";
		return DAT_PAGE_DAMAGED;
	}
	n = tdat_load32(page->data + page->pos + 4, layout->big);
	if (n <= 4) {
		*why = "a record has no data";
		return DAT_PAGE_DAMAGED;
	}
	n -= 4;
	if (n > left - 8) {
		*why = "a record reaches past its page";
		return DAT_PAGE_DAMAGED;
	}
	/* Lengths count in words; the last one may be cut off by the page's end. */
	n = (n + 3) & ~3u;
	if (n > left - 8)
		n = left - 8;
	rec->pos = page->pos;
	rec->data = page->data + page->pos + 8;
	rec->len = n;
	page->pos += 8 + n;
	page->ts += delta;
	return judged(page, layout, rec, why);
}

enum dat_page_result dat_page_special(struct dat_page *page, const struct dat_page_layout *layout,
				      uint32_t word, struct dat_record *rec, const char **why,
				      bool *again)
{
	uint32_t type = dat_page_type(layout, word);
	uint32_t delta = layout->big ? word & 0x07ffffff : word >> 5;
	uint64_t high;

	if (type == TYPE_LONG)
		return long_record(page, layout, delta, rec, why);
	if (type == TYPE_PADDING)
		return skip_padding(page, layout, delta, why, again);
	if (page->len - page->pos < 8) {
		*why = "a time record is cut";
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

void dat_record_make_time(uint8_t *head, const struct dat_page_layout *layout)
{
	const uint32_t word = tdat_load32(head, layout->big);

	tdat_store32(head,
		     layout->big ? (word & 0x07ffffff) | (uint32_t)TYPE_TIME_EXTEND << 27
				 : (word & ~31u) | TYPE_TIME_EXTEND,
		     layout->big);
	tdat_store32(head + 4, 0, layout->big);
}

/* ---- kernels up to 2.6.30 (§6.9) ---- */

enum { OLD_PADDING = 0, OLD_TIME_EXTEND = 1, OLD_TIME_STAMP = 2 };

static enum dat_page_result old_data(struct dat_page *page, const struct dat_page_layout *layout,
				     uint32_t len, uint32_t delta, struct dat_record *rec,
				     const char **why)
{
	uint32_t left = page->commit - page->pos, head = 4, n = len * 4;

	if (!len) {
		if (left < 8 || (n = tdat_load32(page->data + page->pos + 4, layout->big)) <= 4) {
			*why = left < 8 ? "a record's length is cut" : "a record has no data";
			return DAT_PAGE_DAMAGED;
		}
		head = 8;
		n -= 4;
	}
	if (n > left - head) {
		*why = "a record reaches past its page";
		return DAT_PAGE_DAMAGED;
	}
	n = (n + 3) & ~3u;
	if (n > left - head)
		n = left - head;
	rec->pos = page->pos;
	rec->data = page->data + page->pos + head;
	rec->len = n;
	page->pos += head + n;
	page->ts += delta;
	return judged(page, layout, rec, why);
}

enum dat_page_result dat_page_next_old(struct dat_page *page, const struct dat_page_layout *layout,
				       struct dat_record *rec, const char **why)
{
	for (;;) {
		uint32_t left = page->len - page->pos, word, type, len, delta;

		if (left < 4) {
			*why = left ? "a record header is cut" : NULL;
			return left ? DAT_PAGE_DAMAGED : DAT_PAGE_END;
		}
		word = tdat_load32(page->data + page->pos, layout->big);
		type = layout->big ? word >> 30 : word & 3;
		len = layout->big ? word >> 27 & 7 : word >> 2 & 7;
		delta = layout->big ? word & 0x07ffffff : word >> 5;
		if (type == OLD_PADDING)
			return end_at_padding(page, why);
		if (type != OLD_TIME_EXTEND && type != OLD_TIME_STAMP)
			return old_data(page, layout, len, delta, rec, why);
		if (left < (type == OLD_TIME_STAMP ? 16u : 8u)) {
			*why = "a time record is cut";
			return DAT_PAGE_DAMAGED;
		}
		if (type == OLD_TIME_EXTEND)
			page->ts += ((uint64_t)tdat_load32(page->data + page->pos + 4, layout->big)
				     << 27) +
				    delta;
		page->pos += type == OLD_TIME_STAMP ? 16 : 8;
	}
}
