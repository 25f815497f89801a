/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds records that a changed length of the record before them has hidden. */
#include "hidden.h"

#define DAY_NS (86400ull * 1000000000)

/* Where kernels align lengths to 8 bytes, all of their records have a length word. */
enum { RECORD_LEAST = 8, LONG_SPARE = 4, OTHERS_MOST = 64 };

static bool find_end(const struct dat_page_layout *layout, const struct dat_record *rec,
		     struct dat_record_end *end)
{
	const uint32_t id = tdat_load16(rec->data, layout->big);

	return layout->ends->find(layout->ends->ctx, id, rec->data, rec->len, end);
}

/*
 * How many records the bytes of the page's last record from that offset on are, to the very end:
 * events that formats describe. 0: they are something else. Where time suffices, records that move
 * the time, by less than a day, count as one.
 */
static uint32_t records_from(const struct dat_page *page, const struct dat_page_layout *layout,
			     const struct dat_record *rec, uint32_t from, bool time_suffices)
{
	struct dat_page rest = {.data = rec->data + from, .len = rec->len - from, .ts = page->ts};
	struct dat_page_layout plain = *layout;
	enum dat_page_result res;
	struct dat_record inner;
	struct dat_record_end end;
	uint32_t count = 0;
	const char *why;

	plain.ends = NULL;
	while ((res = dat_page_next(&rest, &plain, &inner, &why)) == DAT_PAGE_RECORD) {
		if (inner.len < RECORD_LEAST || !find_end(layout, &inner, &end) ||
		    end.off > inner.len)
			return 0;
		count++;
	}
	if (res != DAT_PAGE_END)
		return 0;
	return count ? count : time_suffices && rest.ts - page->ts - 1 < DAY_NS;
}

/*
 * The least length of records of the same event among some that follow on the page, and among the
 * first ones of the page, which are before the record. 0: there are none.
 */
static uint32_t length_of_others(const struct dat_page *page, const struct dat_page_layout *layout,
				 const struct dat_record *rec)
{
	struct dat_page walks[2] = {*page, *page};
	struct dat_page_layout plain = *layout;
	const uint32_t id = tdat_load16(rec->data, layout->big);
	uint32_t least = 0;

	plain.ends = NULL;
	walks[1].pos = 0;
	walks[1].len = rec->pos;
	for (int w = 0; w < 2; w++) {
		struct dat_record other;
		const char *why;

		for (int i = 0; i < OTHERS_MOST; i++) {
			if (dat_page_next(&walks[w], &plain, &other, &why) != DAT_PAGE_RECORD)
				break;
			if (other.len >= RECORD_LEAST &&
			    tdat_load16(other.data, layout->big) == id &&
			    (!least || other.len < least))
				least = other.len;
		}
	}
	return least;
}

void dat_give_back(struct dat_page *page, const struct dat_page_layout *layout,
		   struct dat_record *rec)
{
	const bool long_head = rec->data != page->data + rec->pos + 4;
	struct dat_record_end end;
	uint32_t from, own = 0, most = 0, others;
	bool exact;

	if (!layout->ends || rec->len < RECORD_LEAST || !find_end(layout, rec, &end) || !end.off ||
	    end.off >= rec->len || rec->len - end.off < 8)
		return;
	from = (end.off + 3) & ~3u;
	end.spare += long_head ? LONG_SPARE : 0;
	if (rec->len - from <= end.spare)
		return;
	exact = end.exact && !layout->old;
	for (uint32_t at = from; at <= from + end.spare && at <= rec->len; at += 4) {
		const uint32_t count = records_from(page, layout, rec, at, exact);

		if (count > most) {
			most = count;
			own = at;
		}
	}
	if (!most)
		return;
	/*
	 * Spare bytes have what was there before, perhaps parts of records: other records of the
	 * event tell whether it has any.
	 */
	others = end.alike && end.spare ? length_of_others(page, layout, rec) : 0;
	if (others >= from && others <= from + end.spare &&
	    records_from(page, layout, rec, others, exact))
		own = others;
	page->pos -= rec->len - own;
	page->hidden = true;
	rec->len = own;
}

void dat_record_put_len(uint8_t *data, const struct dat_record *rec,
			const struct dat_page_layout *layout)
{
	uint8_t *head = data + rec->pos;
	uint32_t word = tdat_load32(head, layout->big);
	const uint32_t words = rec->len / 4;

	if (rec->data != data + rec->pos + 4) {
		tdat_store32(head + 4, rec->len + 4, layout->big);
		return;
	}
	if (layout->old && layout->big)
		word = (word & ~(7u << 27)) | words << 27;
	else if (layout->old)
		word = (word & ~(7u << 2)) | words << 2;
	else if (layout->big)
		word = (word & 0x07ffffff) | words << 27;
	else
		word = (word & ~31u) | words;
	tdat_store32(head, word, layout->big);
}
