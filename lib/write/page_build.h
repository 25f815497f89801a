/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Lays events out on one ring-buffer page as the kernel's ring buffer does: a 64-bit timestamp, a
 * commit word as wide as the kernel's long, then records aligned to 4 bytes. The records of a
 * page cannot hold a step back in time, or a gap of 2^59 and more: there the caller starts a
 * new page, whose timestamp has all 64 bits.
 */
#ifndef TDAT_WRITE_PAGE_BUILD_H
#define TDAT_WRITE_PAGE_BUILD_H

#include <tdat/base.h>

/* The shape that all pages of one buffer share. */
struct write_page_shape {
	uint32_t size;	   /* bytes of a page, head included */
	uint8_t long_size; /* 4 or 8: width of the commit word */
	bool big;	   /* byte order */
	uint32_t head;	   /* bytes before the data: stamp, commit word, and what a copied
			    * header_page tells of beside them, which is zeros */
};

struct write_page {
	uint8_t *buf; /* shape->size bytes */
	uint32_t len; /* bytes of data so far, head excluded */
	bool open;    /* started and not yet sealed */
	uint64_t ts;  /* of the newest event */
	int64_t lost; /* events lost before the page; -1 unknown */
};

/* Bytes before the data of pages whose header_page the writer makes. */
static inline uint32_t write_page_usual_head(uint8_t long_size)
{
	return 8u + long_size;
}

/* Bytes for data; none where a damaged header_page has more before them than a page is long. */
static inline uint32_t write_page_room(const struct write_page_shape *shape)
{
	return shape->head < shape->size ? shape->size - shape->head : 0;
}

/* Bytes a record of len bytes takes on a page without a time extend. */
uint64_t write_page_need(uint64_t len);

/* Starts an empty page in page->buf; its first event will have the timestamp ts. */
void write_page_start(struct write_page *page, const struct write_page_shape *shape, uint64_t ts,
		      int64_t lost);

/* True when a record of len bytes at ts can follow on an open page. */
bool write_page_fits(const struct write_page *page, const struct write_page_shape *shape,
		     uint64_t ts, uint64_t len);

/* Adds a record that fits; the first one of a page always does when a page can hold it. */
void write_page_put(struct write_page *page, const struct write_page_shape *shape, uint64_t ts,
		    struct tdat_span record);

/* Adds a record to an open page if it fits there; false, and nothing done, when not. */
bool write_page_add(struct write_page *page, const struct write_page_shape *shape, uint64_t ts,
		    struct tdat_span record);

/* Writes the commit word and the lost count, and zeroes the rest. */
void write_page_seal(struct write_page *page, const struct write_page_shape *shape);

#endif
