/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Walks and inflates compressed CPU data and text of version 7: a u32 count of chunks, then
 * each chunk behind its two sizes (docs/file-format.md, section 4.3).
 */
#ifndef TDAT_DAT_CHUNK_H
#define TDAT_DAT_CHUNK_H

#include "index.h"

/* Walks the chunks of one extent in order. */
struct dat_chunks {
	const struct dat_index *ix;
	uint64_t off;	    /* file offset of the next chunk's header */
	uint64_t end;	    /* file offset that no chunk may reach beyond */
	uint64_t len;	    /* bytes of the extent, as the file gives them */
	uint32_t left;	    /* chunks not walked yet */
	bool part;	    /* the walk is over the first chunks only; more follow in the extent */
	bool mended;	    /* one had another length than its header says: dat_chunks_mend */
	uint64_t chunk_off; /* file offset of the current chunk's header */
	uint64_t in_sum, out_sum; /* stored and inflated bytes of all chunks so far */
	uint32_t in_len, out_len; /* the same of the current chunk; in_len 0: none is in the file */
	/* The state that dat_chunks_mend returns to. */
	uint64_t stop; /* where the chunks end that are walked; at first the end of the extent */
	uint64_t extent_end, in_before, out_before;
	uint32_t behind; /* chunks behind the current one, as the file counts them */
};

/* The message about a chunk that dat_chunks_mend found to have another length. */
extern const char dat_chunk_mended[];

enum tdat_status dat_chunks_init(struct dat_chunks *c, const struct dat_index *ix, uint64_t off,
				 uint64_t len, struct tdat_error *err);

/*
 * Reads the next chunk's header. *more is false at the end. A chunk that does
 * not fit the extent ends the walk with TDAT_E_DAMAGED.
 */
enum tdat_status dat_chunks_next(struct dat_chunks *c, bool *more, struct tdat_error *err);

/* After the last chunk: TDAT_E_DAMAGED if the extent continues behind it. */
enum tdat_status dat_chunks_rest(const struct dat_chunks *c, struct tdat_error *err);

/* Memory that one thread keeps from chunk to chunk for inflating, whatever file they are of. */
struct dat_inflater {
	struct tdat_inflater codec;
	uint8_t *in; /* stored bytes, when the source cannot lend them */
	size_t in_cap;
};

void dat_inflater_fini(struct dat_inflater *inflater);

/* Inflates the current chunk into out (c->out_len bytes). */
enum tdat_status dat_chunks_inflate(const struct dat_chunks *c, struct dat_inflater *inflater,
				    uint8_t *out, struct tdat_error *err);

/*
 * Inflates as much as it can of the current chunk, which is cut or inflates to another size
 * than its header gives. Returns the number of bytes in out, which has room for c->out_len.
 */
size_t dat_chunks_inflate_part(const struct dat_chunks *c, uint8_t *out);

/*
 * For a chunk that dat_chunks_next or dat_chunks_inflate refused: if its data is all there, and
 * ends elsewhere than its header says, at the header of another chunk or at the end of the extent,
 * it is inflated, and the walk continues behind it, up to the end of the extent, whatever the count
 * of chunks. False: nothing was changed but out, which has room for c->out_len.
 */
bool dat_chunks_mend(struct dat_chunks *c, uint8_t *out);

/* All chunks of an extent as one block in the index's arena. */
enum tdat_status dat_chunk_inflate_all(struct dat_index *ix, uint64_t off, uint64_t len,
				       const char *what, struct tdat_span *out,
				       struct tdat_error *err);

#endif
