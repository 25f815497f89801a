/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Lays events out on a ring-buffer page as the kernel does. The layout is the ring buffer's: a
 * header with timestamp and commit, records with time deltas, time extends where a delta is too
 * long, lost events marked in the header. A page that this file makes is one that the kernel
 * could have made, and lib/dat/page.c reads it back.
 */
#include "page_build.h"

#include "core/endian.h"

/* The constants of struct ring_buffer_event in include/linux/ring_buffer.h. */
enum {
	DELTA_BITS = 27,
	TYPE_LEN_MAX = 28, /* payload of type_len words */
	TYPE_TIME_EXTEND = 30,
	SMALL_MAX = TYPE_LEN_MAX * 4,
	EXTEND_LEN = 8
};

/* Above DELTA_MAX a record needs a time extend in front of it; an extend holds 59 bits. */
#define DELTA_MAX (1ull << DELTA_BITS)
#define EXTEND_MAX (1ull << 59)
/* Flags in the upper bits of commit: the kernel's RB_MISSED_EVENTS and RB_MISSED_STORED. */
#define COMMIT_MISSED (1u << 31)
#define COMMIT_COUNTED (1u << 30)

static uint64_t align4(uint64_t len)
{
	return (len + 3) & ~3ull;
}

/*
 * The kernel never makes a record of 8 bytes: discarded, it could not be told
 * from a time extend.
 */
uint64_t write_page_need(uint64_t len)
{
	uint64_t need = 4 + align4(len ? len : 1);

	/* Records of more than 112 bytes have their length in a word of its own. */
	if (len > SMALL_MAX)
		return need + 4;
	return need == EXTEND_LEN ? need + 4 : need;
}

/* Starts a page: the timestamp is known, the commit comes with write_page_seal(). */
void write_page_start(struct write_page *page, const struct write_page_shape *shape, uint64_t ts,
		      int64_t lost)
{
	page->len = 0;
	page->open = true;
	page->ts = ts;
	page->lost = lost;
	tdat_store64(page->buf, ts, shape->big);
	/* The commit is known when it is full; until then it may be put aside on disk. */
	memset(page->buf + 8, 0, shape->head - 8);
}

/* Returns how many bytes of data fit on a page: a lost count is kept behind the data. */
static uint32_t room(const struct write_page *page, const struct write_page_shape *shape)
{
	return shape->size - shape->head - (page->lost > 0 ? shape->long_size : 0);
}

/* True if the record fits in time and in room. A page cannot go back in time. */
bool write_page_fits(const struct write_page *page, const struct write_page_shape *shape,
		     uint64_t ts, uint64_t len)
{
	uint64_t need = write_page_need(len), left;

	if (ts < page->ts || ts - page->ts >= EXTEND_MAX || page->len > room(page, shape))
		return false;
	/* The time extend takes 8 bytes more. */
	if (ts - page->ts >= DELTA_MAX)
		need += EXTEND_LEN;
	left = room(page, shape) - page->len;
	return need <= left;
}

/* type_len and time delta in one word. Their places differ by byte order, as bit fields do. */
static uint32_t header(uint32_t type_len, uint32_t delta, bool big)
{
	return big ? type_len << DELTA_BITS | delta : delta << 5 | type_len;
}

static void put32(struct write_page *page, const struct write_page_shape *shape, uint32_t v)
{
	tdat_store32(page->buf + shape->head + page->len, v, shape->big);
	page->len += 4;
}

/* Most records are short and follow soon: one check, one header, one copy. */
bool write_page_add(struct write_page *page, const struct write_page_shape *shape, uint64_t ts,
		    struct tdat_span record)
{
	uint64_t delta = ts - page->ts;
	uint32_t body = ((uint32_t)record.len + 3) & ~3u, used;
	uint8_t *at;

	/* Rare cases take the long way: records of the 8-byte exception, long ones, long gaps. */
	if (record.len <= 4 || record.len > SMALL_MAX || delta >= DELTA_MAX || ts < page->ts) {
		if (!write_page_fits(page, shape, ts, record.len))
			return false;
		write_page_put(page, shape, ts, record);
		return true;
	}
	used = page->len + 4 + body;
	if (used > room(page, shape))
		return false;
	at = page->buf + shape->head + page->len;
	tdat_store32(at, header(body / 4, (uint32_t)delta, shape->big), shape->big);
	/* The rest of the last word is zero. */
	memset(at + body, 0, 4);
	memcpy(at + 4, record.ptr, record.len);
	page->len = used;
	page->ts = ts;
	return true;
}

/* The same without the check, for every length. */
void write_page_put(struct write_page *page, const struct write_page_shape *shape, uint64_t ts,
		    struct tdat_span record)
{
	uint64_t delta = ts - page->ts;
	uint32_t body = (uint32_t)write_page_need(record.len) - 4, type_len = body / 4;
	uint8_t *at;

	/* The delta is split: 27 bits in the header, the rest in the word behind it. */
	if (delta >= DELTA_MAX) {
		put32(page, shape,
		      header(TYPE_TIME_EXTEND, (uint32_t)(delta & (DELTA_MAX - 1)), shape->big));
		put32(page, shape, (uint32_t)(delta >> DELTA_BITS));
		delta = 0;
	}
	/* type_len 0: the length follows in a word of its own. */
	if (record.len > SMALL_MAX)
		type_len = 0;
	put32(page, shape, header(type_len, (uint32_t)delta, shape->big));
	if (!type_len) {
		put32(page, shape, body); /* the length counts its own four bytes */
		body -= 4;
	}
	at = page->buf + shape->head + page->len;
	memcpy(at, record.ptr, record.len);
	memset(at + record.len, 0, body - record.len);
	page->len += body;
	page->ts = ts;
}

/* The kernel adds the int 1<<31 to a long: on 64 bits the upper half turns to ones. */
static void store_commit(struct write_page *page, const struct write_page_shape *shape,
			 uint32_t commit)
{
	uint64_t wide = commit & COMMIT_MISSED ? commit | 0xffffffffull << 32 : commit;

	tdat_store_uint(page->buf + 8, shape->long_size, wide, shape->big);
}

/* Completes a page: commit, flags of lost events, zeros behind the data. */
void write_page_seal(struct write_page *page, const struct write_page_shape *shape)
{
	uint32_t end = shape->head + page->len, commit = page->len;
	/*
	 * The count of lost events is stored behind the data if there is room, as the kernel does.
	 */
	bool counted = page->lost > 0 && shape->size - end >= shape->long_size &&
		       (shape->long_size == 8 || page->lost <= UINT32_MAX);

	if (page->lost)
		commit |= COMMIT_MISSED;
	/* Readers of the kernel's format expect the count as a long. */
	if (counted) {
		commit |= COMMIT_COUNTED;
		tdat_store_uint(page->buf + end, shape->long_size, (uint64_t)page->lost,
				shape->big);
		end += shape->long_size;
	}
	store_commit(page, shape, commit);
	memset(page->buf + end, 0, shape->size - end);
	page->open = false;
}
