/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Walks the records of one ring-buffer page to know where each ends. It is a walk over lengths
 * only, as formats may be missing. cpu_pages.c uses it to cut a damaged page, page_guess.c to
 * score sizes.
 */
#include <string.h>

#include "core/cursor.h"
#include "core/zero.h"
#include "tracefs.h"

/*
 * Commit word and event header of the kernel's ring buffer (kernel/trace/ring_buffer.c): bits of
 * the length, RB_MISSED_STORED and RB_MISSED_EVENTS.
 */
#define LEN_MASK 0x07ffffffu
#define LOST_COUNT (1u << 30)
#define LOST (1u << 31)

/* type_len of an event header; 0 to 28 are data events (include/linux/ring_buffer.h). */
enum { PADDING = 29, TIME_EXTEND = 30, TIME_STAMP = 31 };

/*
 * True if a commit word is possible: bits 27 to 29 are 0, and above bit 31 is nothing but the sign
 * of an int.
 */
static bool commit_sane(uint64_t commit, uint8_t long_size)
{
	uint32_t low = (uint32_t)commit, high = (uint32_t)(commit >> 32);

	if (low & ~(LEN_MASK | LOST_COUNT | LOST))
		return false;
	if ((low & LOST_COUNT) && !(low & LOST))
		return false;
	if (long_size == 4 || !high)
		return true;
	return high == UINT32_MAX && (low & LOST);
}

/* True if all bytes that are left are zero. */
static bool rest_is_zero(struct tdat_cursor *c)
{
	size_t left = tdat_cursor_left(c);
	const uint8_t *p = tdat_cursor_take(c, left);

	return (p || !left) && tdat_is_zero(p, left);
}

/*
 * Skips an event of len bytes and notes its id, the first 16 bits. False: it does not end within
 * the data.
 */
static bool take_event(struct tdat_cursor *c, size_t len, struct tracefs_ids *ids)
{
	const uint8_t *p = tdat_cursor_take(c, len);

	if (p && ids && len >= 2)
		tracefs_ids_add(ids, tdat_load16(p, c->big));
	return p != NULL;
}

/*
 * Skips one record. False: there is none, or it does not end within the data. *last: nothing
 * follows it.
 */
static bool next_record(struct tdat_cursor *c, uint32_t *records, bool *last,
			struct tracefs_ids *ids)
{
	uint32_t word = tdat_cursor_u32(c);
	/*
	 * The 5 bits of type_len and 27 bits of time_delta are a bit field, so their place depends
	 * on the byte order.
	 */
	uint32_t type = c->big ? word >> 27 : word & 31;
	uint32_t delta = c->big ? word & LEN_MASK : word >> 5;
	uint32_t len;

	/* type_len 1 to 28: the length in words of 4 bytes. */
	if (type && type < PADDING) {
		*records += 1;
		return take_event(c, (size_t)type * 4, ids);
	}
	if (type == PADDING && !delta) {
		*last = true;
		return rest_is_zero(c); /* padding hides the rest of the commit */
	}
	/* type_len 0: the length is in the next word and counts itself. */
	len = tdat_cursor_u32(c);
	if (type == TIME_EXTEND || type == TIME_STAMP)
		return tdat_cursor_ok(c);
	if (len < 4)
		return false;
	*records += type == 0;
	len -= 4;
	/* Lengths are rounded up to 4 bytes. */
	return take_event(c, len, type ? NULL : ids) && tdat_cursor_take(c, -len & 3);
}

/*
 * Events lost before a page: the count is behind its data if RB_MISSED_STORED says so. UINT64_MAX:
 * some were lost, the number is unknown.
 */
static uint64_t lost_before(const struct tracefs_layout *l, const struct tracefs_page *page,
			    const uint8_t *p, size_t len)
{
	const size_t off = tracefs_page_head(l) + (size_t)page->len;

	if (!page->sane || !((uint32_t)page->commit & LOST))
		return 0;
	if (!((uint32_t)page->commit & LOST_COUNT) || off > len || l->long_size > len - off)
		return UINT64_MAX;
	return tdat_load_uint(p + off, l->long_size, l->big);
}

/* Walks the records of a page's data. out->good: bytes up to the end of the last sound record. */
static void walk(const struct tracefs_layout *l, const uint8_t *data, uint32_t len,
		 struct tracefs_page *out, struct tracefs_ids *ids)
{
	struct tdat_cursor c = tdat_cursor_init(data, len, 0, l->big);
	bool last = false;

	out->good = out->records = 0;
	while (tdat_cursor_left(&c) >= 4 && !last) {
		uint32_t records = out->records;

		if (!next_record(&c, &records, &last, ids) || !tdat_cursor_ok(&c))
			return;
		out->records = records;
		out->good = last ? len : (uint32_t)c.pos;
	}
}

/*
 * Fills *out with what a page shows. len may be less than a page. ids (may be NULL): event ids are
 * added to it.
 */
void tracefs_page_look(const struct tracefs_layout *l, const uint8_t *p, size_t len,
		       struct tracefs_page *out, struct tracefs_ids *ids)
{
	uint32_t head = tracefs_page_head(l), room;

	memset(out, 0, sizeof(*out));
	if (len < head)
		return;
	room = (uint32_t)len - head;
	out->commit = l->long_size == 4 ? tdat_load32(p + 8, l->big) : tdat_load64(p + 8, l->big);
	out->len = (uint32_t)out->commit & LEN_MASK;
	out->sane = commit_sane(out->commit, l->long_size) && out->len <= l->page_size - head;
	out->lost = lost_before(l, out, p, len);
	/* Without a sane length, take records as far as they are sound. */
	walk(l, p + head, out->sane && out->len < room ? out->len : room, out, ids);
	out->whole = out->sane && out->good == out->len;
}

/*
 * Finds bytes behind a page's data (rest), and pages that are zero throughout. Apart from
 * tracefs_page_look(), since it reads the whole page.
 */
void tracefs_page_find_rest(const struct tracefs_layout *l, struct tracefs_page *page,
			    const uint8_t *p, size_t len)
{
	size_t from = tracefs_page_head(l) + (size_t)page->len;

	page->rest = page->zero = false;
	if (!page->sane)
		return;
	if ((uint32_t)page->commit & LOST_COUNT) /* the count of lost events is there */
		from += l->long_size;
	page->rest = from < len && !tdat_is_zero(p + from, len - from);
	page->zero = !page->commit && !page->rest && !tdat_load64(p, l->big);
}

/* Makes a whole page of the good records of a damaged one. to: room for a page. */
void tracefs_page_repair(const struct tracefs_layout *l, const struct tracefs_page *page,
			 const uint8_t *from, size_t len, uint8_t *to)
{
	/* The commit word of the new page, in its low half. */
	uint32_t head = tracefs_page_head(l), low = page->good;
	uint32_t count_off = head + page->len, to_off = head + page->good;

	memcpy(to, from, head + page->good);
	memset(to + head + page->good, 0, l->page_size - head - page->good);
	if (page->sane && ((uint32_t)page->commit & LOST)) {
		low |= LOST;
		/* The count of lost events stands behind the data. */
		if (((uint32_t)page->commit & LOST_COUNT) && count_off + l->long_size <= len) {
			memcpy(to + to_off, from + count_off, l->long_size);
			low |= LOST_COUNT;
		}
	}
	/*
	 * RB_MISSED_EVENTS is a negative int in the kernel, so a 64-bit commit word has its sign
	 * extended.
	 */
	if (l->long_size == 4)
		tdat_store32(to + 8, low, l->big);
	else
		tdat_store64(to + 8, low & LOST ? low | 0xffffffffull << 32 : low, l->big);
}
