/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds records that a changed length of the record before them has hidden. */
#include "hidden.h"

/* Where kernels align lengths to 8 bytes, all of their records have a length word. */
enum { RECORD_LEAST = 8, LONG_SPARE = 4, OTHERS_MOST = 64 };

static bool find_end(const struct dat_page_layout *layout, const struct dat_record *rec,
		     struct dat_record_end *end)
{
	const uint32_t id = tdat_load16(rec->data, layout->big);

	return layout->ends->find(layout->ends->ctx, id, rec->data, rec->len, end);
}

/*
 * How many events a record's bytes from that offset on are, to the very end, all of them described
 * by formats; 0: they are something else. A change of time alone does not count: 8 bytes of an
 * event that a program wrote longer than its format look like one too easily.
 */
static uint32_t events_from(const struct dat_page_layout *layout, const struct dat_record *rec,
			    uint32_t from)
{
	const uint32_t len = rec->len - from;
	struct dat_page rest = {.data = rec->data + from, .len = len, .commit = len};
	struct dat_page_layout plain = *layout;
	enum dat_page_result res;
	struct dat_record inner;
	struct dat_record_end end;
	uint32_t count = 0;
	const char *why;

	plain.ends = NULL;
	while ((res = dat_page_next(&rest, &plain, &inner, &why)) == DAT_PAGE_RECORD) {
		if (inner.len < RECORD_LEAST || !find_end(layout, &inner, &end) ||
		    end.off > inner.len || end.least > inner.len)
			return 0;
		count++;
	}
	return res == DAT_PAGE_END ? count : 0;
}

/*
 * The least length of records of the same event among some that follow on the page, and among the
 * first ones of the page before the record. 0: there are none.
 */
static uint32_t len_of_others(const struct dat_page *page, const struct dat_page_layout *layout,
			      const struct dat_record *rec)
{
	struct dat_page walks[2] = {*page, *page};
	struct dat_page_layout plain = *layout;
	const uint32_t id = tdat_load16(rec->data, layout->big);
	uint32_t least = 0;

	plain.ends = NULL;
	walks[0].len = page->commit;
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

/* The length that the record has if others are hidden in it; 0: none are. */
static uint32_t own_len(const struct dat_page *page, const struct dat_page_layout *layout,
			const struct dat_record *rec, const struct dat_record_end *end,
			uint32_t spare)
{
	const uint32_t from = (end->off + 3) & ~3u;
	uint32_t own = 0, most = 0, others;

	for (uint32_t at = from; at <= from + spare && at <= rec->len; at += 4) {
		const uint32_t count = events_from(layout, rec, at);

		if (count > most) {
			most = count;
			own = at;
		}
	}
	if (!most || !spare || !end->alike)
		return own;
	/*
	 * Spare bytes have what was there before, perhaps parts of records: other records of the
	 * event tell whether it has any.
	 */
	others = len_of_others(page, layout, rec);
	return others >= from && others <= from + spare && events_from(layout, rec, others) ? others
											    : own;
}

void dat_give_back(struct dat_page *page, const struct dat_page_layout *layout,
		   struct dat_record *rec)
{
	const bool long_head = rec->data != page->data + rec->pos + 4;
	struct dat_record_end end;
	uint32_t spare, own;

	if (!layout->ends || rec->len < 2 || !find_end(layout, rec, &end))
		return;
	page->short_record |= rec->len < end.least;
	if (rec->len < RECORD_LEAST || !end.off || end.off >= rec->len || rec->len - end.off < 8)
		return;
	spare = end.spare + (long_head ? LONG_SPARE : 0);
	if (rec->len - ((end.off + 3) & ~3u) <= spare)
		return;
	own = own_len(page, layout, rec, &end, spare);
	if (!own)
		return;
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
