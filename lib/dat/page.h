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

/* How many bytes a record of some event has at least and at most. */
struct dat_len_bounds {
	uint32_t least, most; /* UINT32_MAX: any number */
};

/* The lengths of records, from an owner of pages who knows the formats of events. */
struct dat_record_lens {
	struct dat_len_bounds (*find)(const void *ctx, const uint8_t *record, uint32_t len);
	const void *ctx;
	/*
	 * What saves asking, by the first two bytes of a record, for lengths in words: the least
	 * one << 8 | how many more there may be. At first 0; find may call dat_lens_keep().
	 */
	_Atomic(uint16_t) words[65536];
};

/* How pages of one file look; constant per file. */
struct dat_page_layout {
	bool big;
	bool old;			    /* 2.6.30 and before: type:2 len:3 delta:27 */
	uint8_t commit_size;		    /* 4 or 8 */
	uint32_t data_off;		    /* bytes before the data */
	const struct dat_record_lens *lens; /* NULL: lengths of records are taken as they are */
};

#define DAT_COMMIT_LEN_MASK 0x07ffffffu
#define DAT_COMMIT_LOST_COUNT (1u << 30)
#define DAT_COMMIT_LOST (1u << 31)

/* A page being walked. */
struct dat_page {
	const uint8_t *data; /* committed records */
	uint32_t len;	     /* that are to be read: all, unless the owner takes a part */
	uint32_t pos;	     /* next record header */
	uint64_t ts;	     /* of the last record read; at first the page's */
	int64_t lost;	     /* events lost before this page; -1: some */
	bool long_record;    /* a record read so far is longer than all fields of its event */
};

struct dat_record {
	const uint8_t *data;
	uint32_t len;
	uint32_t pos; /* of its header in the page's data */
};

/* The message about a page with long_record set. */
extern const char dat_page_long[];

enum dat_page_result { DAT_PAGE_END = 0, DAT_PAGE_RECORD = 1, DAT_PAGE_DAMAGED = -1 };

/*
 * This and dat_page_next are the one rule for what is read of a damaged page: all up to its first
 * contradiction, and nothing from there on. An id that no format describes is not a contradiction.
 *
 * dat_page_open validates the header of len bytes at raw: a sub-buffer of size bytes, or what is
 * left of it. false: *why is a static phrase, and nothing of the page can be read. Of a page whose
 * end is missing the records that are there can be walked: *why is set and true returned.
 */
bool dat_page_open(struct dat_page *page, const uint8_t *raw, size_t len, uint32_t size,
		   const struct dat_page_layout *layout, const char **why);

/*
 * What lies behind the committed data of an opened page of len bytes. Kernels since
 * 2.6.31 fill it with zeros: other bytes, or a page without anything, are records that a
 * wrong commit hides, or that are gone. NULL, or a static phrase.
 */
const char *dat_page_rest(const struct dat_page *page, const uint8_t *raw, size_t len,
			  const struct dat_page_layout *layout);

/* Keeps the bounds of records that begin with the two bytes of first. */
void dat_lens_keep(struct dat_record_lens *lens, uint32_t first, struct dat_len_bounds bounds);

/*
 * Reads a record that dat_page_usual left. *again is set when it was no data record and the next
 * one is to be read.
 */
enum dat_page_result dat_page_special(struct dat_page *page, const struct dat_page_layout *layout,
				      uint32_t word, struct dat_record *rec, const char **why,
				      bool *again);

enum dat_page_result dat_page_next_old(struct dat_page *page, const struct dat_page_layout *layout,
				       struct dat_record *rec, const char **why);

/* The type of a record, of its first word. */
static inline uint32_t dat_page_type(const struct dat_page_layout *layout, uint32_t word)
{
	return layout->big ? word >> 27 : word & 31;
}

/* True if the known bounds of the event allow a record of this number of words. */
static inline bool dat_record_fits(const struct dat_page_layout *layout, const uint8_t *record,
				   uint32_t words)
{
	const uint32_t known = atomic_load_explicit(
		&layout->lens->words[tdat_load16(record, layout->big)], memory_order_relaxed);

	return words - (known >> 8) <= (known & 0xff);
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
	if (layout->lens &&
	    __builtin_expect(!dat_record_fits(layout, page->data + page->pos + 4, type), 0))
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
 * With lens in the layout, a record that is shorter than the fixed fields of its event is damage.
 * One that is longer than all of them is read, and page->long_record set.
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

		if (left < 4) {
			*why = left ? "a record header is truncated" : NULL;
			return left ? DAT_PAGE_DAMAGED : DAT_PAGE_END;
		}
		r = dat_page_special(page, layout, tdat_load32(page->data + page->pos, layout->big),
				     rec, why, &again);
		if (!again)
			return r;
	}
	return DAT_PAGE_RECORD;
}

#endif
