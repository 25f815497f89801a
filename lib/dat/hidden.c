/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds records that a changed length of the record before them has hidden. */
#include "hidden.h"

#define DAY_NS (86400ull * 1000000000)

/* Where kernels align lengths to 8 bytes, all of their records have a length word. */
enum { RECORD_LEAST = 8, LONG_SPARE = 4, OTHERS_MOST = 64, ALIKE_LEAST = 3 };

static bool find_end(const struct dat_page_layout *layout, const struct dat_record *rec,
		     struct dat_record_end *end)
{
	const uint32_t id = tdat_load16(rec->data, layout->big);

	return layout->ends->find(layout->ends->ctx, id, rec->data, rec->len, end);
}

/*
 * How many events the bytes of the page's last record from that offset on are, to the very end, all
 * of them described by formats; 0: they are something else. *moved is how far the records there
 * move the time.
 */
static uint32_t events_from(const struct dat_page *page, const struct dat_page_layout *layout,
			    const struct dat_record *rec, uint32_t from, uint64_t *moved)
{
	const uint32_t len = rec->len - from;
	struct dat_page rest = {
		.data = rec->data + from, .len = len, .commit = len, .ts = page->ts};
	struct dat_page_layout plain = *layout;
	enum dat_page_result res;
	struct dat_record inner;
	struct dat_record_end end;
	uint32_t count = 0;
	const char *why;

	*moved = 0;
	plain.ends = NULL;
	while ((res = dat_page_next(&rest, &plain, &inner, &why)) == DAT_PAGE_RECORD) {
		if (inner.len < RECORD_LEAST || !find_end(layout, &inner, &end) ||
		    end.off > inner.len)
			return 0;
		count++;
	}
	if (res == DAT_PAGE_END)
		*moved = rest.ts - page->ts;
	return res == DAT_PAGE_END ? count : 0;
}

/* Lengths of some records beside one on its page that are of the same event. */
struct others {
	uint32_t least;	      /* 0: there are none */
	uint32_t count, same; /* same: of the least length */
};

/* Looks at some records that follow on the page, and at the first ones of the page before it. */
static struct others look_beside(const struct dat_page *page, const struct dat_page_layout *layout,
				 const struct dat_record *rec)
{
	struct dat_page walks[2] = {*page, *page};
	struct dat_page_layout plain = *layout;
	const uint32_t id = tdat_load16(rec->data, layout->big);
	struct others o = {0, 0, 0};

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
			if (other.len < RECORD_LEAST || tdat_load16(other.data, layout->big) != id)
				continue;
			o.count++;
			if (!o.least || other.len < o.least) {
				o.least = other.len;
				o.same = 0;
			}
			o.same += other.len == o.least;
		}
	}
	return o;
}

/*
 * The length of a record whose bytes from there on are events; 0: it has none. *any says whether
 * they are records of any kind.
 */
static uint32_t len_by_events(const struct dat_page *page, const struct dat_page_layout *layout,
			      const struct dat_record *rec, uint32_t from, uint32_t spare,
			      bool *any)
{
	uint32_t len = 0, most = 0;
	uint64_t moved;

	*any = false;
	for (uint32_t at = from; at <= from + spare && at <= rec->len; at += 4) {
		const uint32_t count = events_from(page, layout, rec, at, &moved);

		*any |= count || moved;
		if (count > most) {
			most = count;
			len = at;
		}
	}
	return len;
}

/*
 * The length of a record of an event whose records are all alike, as others beside it tell; 0: they
 * do not. Spare bytes have what was there before, perhaps parts of records. Where no event but a
 * change of time seems hidden, which takes 8 bytes only, more than half of several others must have
 * that length.
 */
static uint32_t len_by_others(const struct dat_page *page, const struct dat_page_layout *layout,
			      const struct dat_record *rec, uint32_t from, uint32_t spare)
{
	const struct others o = look_beside(page, layout, rec);
	uint64_t moved;

	if (o.least < from || o.least > from + spare || o.least > rec->len)
		return 0;
	if (events_from(page, layout, rec, o.least, &moved))
		return o.least;
	return o.same >= ALIKE_LEAST && o.same > o.count / 2 && moved - 1 < DAY_NS ? o.least : 0;
}

void dat_give_back(struct dat_page *page, const struct dat_page_layout *layout,
		   struct dat_record *rec)
{
	const bool long_head = rec->data != page->data + rec->pos + 4;
	struct dat_record_end end;
	uint32_t from, len, others;
	bool any;

	if (!layout->ends || rec->len < RECORD_LEAST || !find_end(layout, rec, &end) || !end.off ||
	    end.off >= rec->len || rec->len - end.off < 8)
		return;
	from = (end.off + 3) & ~3u;
	end.spare += long_head ? LONG_SPARE : 0;
	if (rec->len - from <= end.spare)
		return;
	len = len_by_events(page, layout, rec, from, end.spare, &any);
	others = any && end.alike ? len_by_others(page, layout, rec, from, end.spare) : 0;
	len = others ? others : len;
	if (!len)
		return;
	page->pos -= rec->len - len;
	page->hidden = true;
	rec->len = len;
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
