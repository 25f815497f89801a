/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Collects the pages of one CPU in one buffer, and puts full ones into the spool. Open pages
 * are kept in memory up to a fixed sum; beyond it the page that was not used for the longest
 * time is put into the spool until its CPU has a further event. With few CPUs several pages are
 * put there by one call of the system.
 */
#ifndef TDAT_WRITE_WRITE_STREAM_H
#define TDAT_WRITE_WRITE_STREAM_H

#include <tdat/source.h>

#include "core/codec.h"
#include "pack.h"
#include "page_build.h"
#include "spool.h"

/* Bytes that stay in an opened file until the new one is laid out. */
struct write_borrow {
	const struct tdat_source *src;	/* NULL: nothing is borrowed */
	uint64_t off, len;		/* as stored */
	const struct tdat_codec *codec; /* of chunks (v7); NULL: plain */
	bool big;			/* byte order of chunk headers */
	const struct tdat_file *file;	/* the file with the limits for these bytes */
};

struct write_stream {
	const struct write_page_shape *shape; /* of the buffer */
	uint32_t cpu;
	struct write_page page;
	uint8_t *block;		/* page.buf lies in it, behind full pages; NULL: none in memory */
	uint32_t block_pages;	/* that it has room for */
	uint32_t full;		/* sealed pages in it, which are put into the spool together */
	bool cpu_emit;		/* another thread than the writer's gives its events: cpu_emit.h */
	struct write_pack pack; /* its first pages, if they were compressed at once */
	struct write_extents ext;	    /* whole pages, behind them */
	struct write_borrow from;	    /* used instead of ext if it has a source */
	struct write_stream *newer, *older; /* among those with a block */
};

/* State shared by the streams that one thread fills. */
struct write_store {
	struct write_spool *spool;
	struct write_packer *packer; /* NULL: pages go into the spool as they are */
	struct write_stream *newest, *oldest;
	size_t resident; /* bytes of all blocks */
};

struct write_stream *write_stream_new(const struct write_page_shape *shape, uint32_t cpu);
void write_stream_free(struct write_stream *s);

static inline bool write_stream_has_data(const struct write_stream *s)
{
	return s->page.open || s->ext.used || s->pack.chunk_count || s->from.src;
}

/* Adds one event; lost is what lost_before of a tdat_emit_event is. */
enum tdat_status write_stream_event(struct write_store *store, struct write_stream *s, uint64_t ts,
				    int64_t lost, struct tdat_span record, struct tdat_error *err);

/* Adds whole pages. */
enum tdat_status write_stream_pages(struct write_store *store, struct write_stream *s,
				    const void *data, size_t len, struct tdat_error *err);

/* The same for whole pages in a file that is open until the new one is laid out. */
enum tdat_status write_stream_borrow(struct write_store *store, struct write_stream *s,
				     const struct tdat_source *src, uint64_t off, uint64_t len,
				     struct tdat_error *err);

/* Seals the open page, if any, and gives its memory back. */
enum tdat_status write_stream_flush(struct write_store *store, struct write_stream *s,
				    struct tdat_error *err);

#endif
