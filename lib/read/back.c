/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads a stream backwards for iterators (next_event.c). A part is read by read_stream_next as
 * always, so that damage, losses and clocks are those of reading forward, and its records are
 * listed. Events lost at the end of a part belong to the first record of the next one: the first
 * record of a part is given only when the part before it was read.
 */
#include "back.h"

#include <stdlib.h>

#include "core/grow.h"

/* Bytes of pages that are read at once, at most. */
enum { BACK_LEN = 32 * 1024 };

/* Backward reading needs parts that begin with a page, and a header for each chunk. */
static enum tdat_status refuse(const struct read_stream *s, struct tdat_error *err)
{
	return tdat_error_set(err, TDAT_E_UNSUPPORTED, s->chunks.off,
			      "the compressed data of CPU %u cannot be read backward: a header is "
			      "damaged, or a page spans two chunks",
			      s->cpu);
}

/*
 * Prepares a stream for reading from its end. Sets s->window so that each part becomes one block.
 */
enum tdat_status read_back_init(struct read_back *b, struct read_stream *s, struct tdat_error *err)
{
	*b = (struct read_back){.off = s->off, .end = s->end};
	b->pages = (s->window < BACK_LEN ? s->window : BACK_LEN) / s->page_size;
	b->pages = b->pages ? b->pages : 1;
	s->window = SIZE_MAX; /* a part is one block */
	if (!read_parts_init(&b->parts, s))
		return b->parts.nomem ? tdat_error_no_memory(err, "chunks") : refuse(s, err);
	b->left = b->parts.count;
	return TDAT_OK;
}

void read_back_fini(struct read_back *b)
{
	read_parts_fini(&b->parts);
	read_block_put(b->block);
	free(b->list);
}

/* Sets the stream to the last part that was not read: a chunk, or some pages. */
static void aim(struct read_back *b, struct read_stream *s)
{
	const uint64_t left = b->left;

	if (s->compressed) {
		s->chunks = b->parts.chunks[--b->left];
		s->chunks_stop = left < b->parts.count ? b->parts.chunks[left].off : 0;
		return;
	}
	b->left -= left < b->pages ? left : b->pages;
	s->off = b->off + b->left * s->page_size;
	s->end = left < b->parts.count ? b->off + left * s->page_size : b->end;
}

/* Reads the part forward and lists its records. Their bytes stay in the block of the part. */
static enum tdat_status list_records(struct read_back *b, struct read_stream *s,
				     struct tdat_error *err)
{
	enum tdat_status st;

	while ((st = read_stream_next(s, err)) == TDAT_OK && s->have) {
		struct back_record *r =
			tdat_grown(b->list, &b->cap, b->count + 1, sizeof(*b->list));

		if (!r)
			return tdat_error_no_memory(err, "a part of CPU data");
		b->list = r;
		r[b->count++] =
			(struct back_record){s->head.ts, s->head.rec.data, s->head.lost_before,
					     s->head.rec.len, s->head.rec.pos};
	}
	return st;
}

/* Adds what was lost at the end of the part just read to what was lost before the part behind it.
 */
static void add_loss(struct read_stream *s, int64_t *lost)
{
	if (s->loss_follows || s->lost == TDAT_LOST_UNKNOWN || *lost == TDAT_LOST_UNKNOWN)
		*lost = TDAT_LOST_UNKNOWN;
	else
		*lost += s->lost;
	s->lost = 0;
	s->loss_follows = false;
}

/* Lists the last part with records that was not read yet; none is left without any. */
static enum tdat_status load(struct read_back *b, struct read_stream *s, int64_t *lost,
			     struct tdat_error *err)
{
	struct read_block *own = s->block;
	enum tdat_status st = TDAT_OK;

	/*
	 * The block of the records not yet returned must survive while the part before it is read.
	 */
	s->block = NULL;
	while (st == TDAT_OK && b->left && !b->count) {
		aim(b, s);
		st = list_records(b, s, err);
		/*
		 * A mended chunk has another length than its header says, so places in it are not
		 * sure.
		 */
		if (st == TDAT_OK && s->chunks.mended)
			st = refuse(s, err);
		add_loss(s, lost);
	}
	if (st == TDAT_OK) {
		b->block = s->retired;
		s->retired = NULL;
	} else {
		read_block_put(s->block);
	}
	s->block = own;
	return st;
}

/* Keeps a block that returned records may point into; the owner puts it later. */
static void hold(struct read_block *b, struct read_block **held)
{
	if (!b)
		return;
	b->next = *held;
	*held = b;
}

/*
 * Puts the record before the current one at the head; have is false at the beginning of the data.
 * Blocks left behind go to *held.
 */
enum tdat_status read_back_advance(struct read_back *b, struct read_stream *s,
				   struct read_block **held, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	struct back_record r;
	int64_t none = 0;

	/* The first call: nothing is loaded yet. */
	if (!s->block && !b->block)
		st = load(b, s, &none, err);
	if (b->block || !b->count) {
		hold(s->block, held);
		s->block = b->block;
		b->block = NULL;
	}
	s->have = false;
	if (st != TDAT_OK || !b->count)
		return st;
	r = b->list[--b->count];
	/*
	 * The first record of a part: the losses at the end of the part before it are needed now.
	 */
	if (!b->count)
		st = load(b, s, &r.lost, err);
	if (st != TDAT_OK)
		return st;
	s->head = (struct read_head){r.ts, {r.data, r.len, r.pos}, r.lost, !r.pos};
	/* Compressed data: the offset of the chunk; plain data: that of the page. */
	s->page_off = s->block->off;
	if (!s->compressed)
		s->page_off += (uint64_t)(r.data - s->block->data) / s->page_size * s->page_size;
	s->have = true;
	return TDAT_OK;
}
