/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Takes one ring-buffer sub-buffer apart into its records (docs/file-format.md, "Pages").
 * The page header is validated once; each record costs one comparison.
 */
#ifndef TDAT_DAT_PAGE_H
#define TDAT_DAT_PAGE_H

#include <stdatomic.h>

#include <tdat/error.h>

#include "core/endian.h"

/* Where what the fields of a record describe ends. */
struct dat_record_end {
	uint32_t off;	/* 0: they do not tell */
	uint32_t spare; /* so many bytes may lie behind it, aligned to a word */
	uint32_t least; /* where its fixed fields end: no record is shorter */
	bool alike;	/* all records of the event have the same length */
};

/*
 * What an owner of pages who knows the formats of events tells of their records, so that one whose
 * changed length takes in the records behind it is found: dat_page_next.
 */
struct dat_record_ends {
	/* False: no sound format describes the event. */
	bool (*find)(const void *ctx, uint32_t id, const uint8_t *record, uint32_t len,
		     struct dat_record_end *end);
	const void *ctx;
	/*
	 * What saves asking, by the event id, which is in the first two bytes of a record:
	 * DAT_LEN_HINT or DAT_LOC_HINT. At first 0; find may set it.
	 */
	_Atomic(uint16_t) hints[65536];
};

/* Records of least to most words are sound; most is not 0. */
#define DAT_LEN_HINT(least, most) ((uint16_t)((most) | (least) << 8))

/*
 * The fixed fields of records end with a __data_loc at loc_off, which is not 0, and records with
 * the dynamic array that it tells of.
 */
#define DAT_LOC_HINT(loc_off) ((uint16_t)((loc_off) << 8))

/*
 * How many bytes a kernel may reserve for a record whose fixed fields and dynamic arrays end there:
 * it aligns the size of the fixed fields to 8 bytes, though the arrays begin right behind the last
 * field, and the whole to a word.
 */
static inline uint32_t dat_record_room(uint32_t fixed_end, uint32_t end)
{
	return (((fixed_end + 7) & ~7u) + (end - fixed_end) + 3) & ~3u;
}

/* How pages of one file look; constant per file. */
struct dat_page_layout {
	bool big;
	bool old;			    /* 2.6.30 and before: type:2 len:3 delta:27 */
	uint8_t commit_size;		    /* 4 or 8 */
	uint32_t data_off;		    /* bytes before the data */
	const struct dat_record_ends *ends; /* NULL: lengths of records are taken as they are */
};

#define DAT_COMMIT_LEN_MASK 0x07ffffffu
#define DAT_COMMIT_LOST_COUNT (1u << 30)
#define DAT_COMMIT_LOST (1u << 31)

/* A page being walked. */
struct dat_page {
	const uint8_t *data; /* committed records */
	uint32_t len;	     /* that are to be read: all, unless the owner takes a part */
	uint32_t commit;     /* all that are there */
	uint32_t pos;	     /* next record header */
	uint64_t ts;	     /* of the last record read; at first the page's */
	int64_t lost;	     /* events lost before this page; -1: some */
	bool hidden;	     /* a record read so far was longer than its fields, and held others */
	bool short_record;   /* a record read so far ends before its fields do */
};

struct dat_record {
	const uint8_t *data;
	uint32_t len;
	uint32_t pos; /* of its header in the page's data */
};

/* What is told of a page with hidden set, and of one with short_record. */
extern const char dat_page_hidden[], dat_page_short[];

enum dat_page_result { DAT_PAGE_END = 0, DAT_PAGE_RECORD = 1, DAT_PAGE_DAMAGED = -1 };

/*
 * dat_page_open validates the header of len bytes at raw (a whole sub-buffer,
 * or what is left of it). false: *why is a static phrase. A commit beyond the
 * bytes there are is damage, but the records that are there can be walked:
 * then *why is set and true returned.
 */
bool dat_page_open(struct dat_page *page, const uint8_t *raw, size_t len,
		   const struct dat_page_layout *layout, const char **why);

/*
 * What lies behind the committed data of an opened page of len bytes. Kernels since
 * 2.6.31 fill it with zeros: other bytes, or a page without anything, are records that a
 * wrong commit hides, or that are gone. NULL, or a static phrase.
 */
const char *dat_page_rest(const struct dat_page *page, const uint8_t *raw, size_t len,
			  const struct dat_page_layout *layout);

/* Reads a record that dat_page_usual left because of its length, if it is within the page. */
bool dat_page_doubted(struct dat_page *page, const struct dat_page_layout *layout,
		      struct dat_record *rec);

/*
 * Reads a record of one of the rare kinds: time, padding, or with a length word. *again is set
 * when it was no data record and the next one is to be read.
 */
enum dat_page_result dat_page_special(struct dat_page *page, const struct dat_page_layout *layout,
				      uint32_t word, struct dat_record *rec, const char **why,
				      bool *again);

enum dat_page_result dat_page_next_old(struct dat_page *page, const struct dat_page_layout *layout,
				       struct dat_record *rec, const char **why);

/* Makes of a record of one word, whose header is at head, one that changes the time by its delta.
 */
void dat_record_make_time(uint8_t *head, const struct dat_page_layout *layout);

/* The type of a record, of its first word. */
static inline uint32_t dat_page_type(const struct dat_page_layout *layout, uint32_t word)
{
	return layout->big ? word >> 27 : word & 31;
}

/* Whether the hints say that the data record at the page's position, of len bytes, is sound. */
static inline bool dat_record_hinted(const struct dat_page *page,
				     const struct dat_page_layout *layout, uint32_t len)
{
	const uint8_t *record = page->data + page->pos + 4;
	const uint32_t hint = atomic_load_explicit(
		&layout->ends->hints[tdat_load16(record, layout->big)], memory_order_relaxed);
	const uint32_t fixed_end = (hint >> 8) + 4;
	uint32_t loc, end;

	if (__builtin_expect(len <= (hint & 0xff) * 4, 1))
		return len >= (hint >> 8) * 4;
	if ((hint & 0xff) || fixed_end == 4 || len < fixed_end)
		return false;
	loc = tdat_load32(record + fixed_end - 4, layout->big);
	end = (loc & 0xffff) + (loc >> 16);
	return end >= fixed_end && len <= dat_record_room(fixed_end, end);
}

/*
 * Reads the next record if it is data with a short length that needs no further look. False:
 * nothing was changed.
 */
static inline bool dat_page_usual(struct dat_page *page, const struct dat_page_layout *layout,
				  struct dat_record *rec)
{
	const uint32_t left = page->len - page->pos;
	uint32_t word, type;

	if (left < 4)
		return false;
	word = tdat_load32(page->data + page->pos, layout->big);
	type = dat_page_type(layout, word);
	if (__builtin_expect(type - 1 >= 28 || type * 4 > left - 4, 0))
		return false;
	if (layout->ends && __builtin_expect(!dat_record_hinted(page, layout, type * 4), 0))
		return false;
	rec->len = type * 4;
	rec->pos = page->pos;
	rec->data = page->data + page->pos + 4;
	page->pos += 4 + rec->len;
	page->ts += layout->big ? word & 0x07ffffff : word >> 5;
	return true;
}

/*
 * Reads the next data record. *why is a static phrase when the rest of the page is damaged.
 *
 * Where the layout has ends, a record that is longer than its fields, and whose bytes behind them
 * are records of known events to the very end, is given out with its own length. Those that it
 * took in follow, and page->hidden is set. One that is shorter than its fields is given out as it
 * is, and page->short_record is set.
 */
static inline enum dat_page_result dat_page_next(struct dat_page *page,
						 const struct dat_page_layout *layout,
						 struct dat_record *rec, const char **why)
{
	if (__builtin_expect(layout->old, 0))
		return dat_page_next_old(page, layout, rec, why);
	while (!dat_page_usual(page, layout, rec)) {
		const uint32_t left = page->len - page->pos;
		bool again = false;
		enum dat_page_result r;
		uint32_t word;

		if (left < 4) {
			*why = left ? "a record header is cut" : NULL;
			return left ? DAT_PAGE_DAMAGED : DAT_PAGE_END;
		}
		word = tdat_load32(page->data + page->pos, layout->big);
		if (dat_page_type(layout, word) - 1 < 28) {
			if (dat_page_doubted(page, layout, rec))
				return DAT_PAGE_RECORD;
			*why = "a record reaches past its page";
			return DAT_PAGE_DAMAGED;
		}
		r = dat_page_special(page, layout, word, rec, why, &again);
		if (!again)
			return r;
	}
	return DAT_PAGE_RECORD;
}

#endif
