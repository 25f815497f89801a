/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the records of one CPU in one buffer, page by page. A stream owns the walk over one
 * CPU's data: windows of plain data (mapped or read), chunks inflated one by one, pages across
 * chunks. It applies what lib/dat/page.c decides, reports damage once with its offset, counts
 * what is lost, and continues at the next page. Its head is the current record; the pages of
 * records that others retain are handed over when the stream leaves them. Users are iterators,
 * counters, checks, split and repair.
 */
#include "stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAP_LEAST = 32 * 1024 }; /* mapping fewer bytes takes longer than to read them */

/*
 * Sets a stream to the extent of one CPU. A first chunk that is cut is damage to report, not a
 * failure: the other CPUs of the file are still worth reading.
 */
enum tdat_status read_stream_init(struct read_stream *s, const struct tdat_file *file,
				  const struct tdat_buffer *buffer, const struct tdat_cpu *cpu,
				  const struct read_clock *clock, size_t window,
				  struct tdat_error *err)
{
	enum tdat_status st;

	memset(s, 0, sizeof(*s));
	s->file = file;
	s->src = file->src;
	s->buffer = buffer;
	s->clock = clock;
	s->cpu = cpu->cpu;
	s->page_size = buffer->page_size;
	s->window = window / s->page_size * s->page_size;
	if (!s->window)
		s->window = s->page_size;
	s->compressed = buffer->compressed;
	s->off = s->end = cpu->off;
	s->is_cut = cpu->missing_len != 0;
	if (!cpu->len)
		return TDAT_OK;
	if (!s->compressed) {
		s->end = cpu->off + cpu->len;
		return TDAT_OK;
	}
	st = dat_chunks_init(&s->chunks, &file->ix, cpu->off, cpu->len, err);
	if (st != TDAT_OK && st != TDAT_E_DAMAGED)
		return st;
	if (st != TDAT_OK) {
		read_stream_note(s, cpu->off, err ? err->message : "its first chunk is truncated");
		tdat_error_reset(err);
		s->lost = TDAT_LOST_UNKNOWN;
	}
	return TDAT_OK;
}

/* Puts the blocks that gave records earlier, once nobody points into them any more. */
void read_stream_drop(struct read_stream *s)
{
	struct read_block *b;

	while ((b = s->retired)) {
		s->retired = b->next;
		read_block_put(b);
	}
}

/*
 * The last block of the list is the oldest one that the stream has left, and held the head
 * before: no other block of the list holds retained records.
 */
void read_stream_keep(struct read_stream *s, struct read_block **kept)
{
	struct read_block *b;

	while ((b = s->retired)) {
		s->retired = b->next;
		if (b->next || !s->retained) {
			read_block_put(b);
			continue;
		}
		b->next = *kept;
		*kept = b;
	}
	s->retained = false;
}

/* Puts every block of the stream, also the one that another thread may have inflated ahead. */
void read_stream_fini(struct read_stream *s)
{
	read_stream_drop(s);
	if (s->ahead)
		read_block_put(read_ahead_take(s->ahead));
	read_block_put(s->block);
	dat_inflater_fini(&s->own);
	read_owners_fini(&s->owners);
	s->block = NULL;
}

/* Says what the reader loses by a damage, for the findings that a user reads. */
const char *read_stream_cost(const char *why)
{
	if (why == dat_chunk_mended)
		return "nothing";
	return why == dat_page_long ? "events hidden in the extra bytes"
				    : "the rest of that page or chunk";
}

/*
 * Counts a damaged page, tells the owner, and keeps the first one for the summary of the
 * stream.
 */
void read_stream_note(struct read_stream *s, uint64_t off, const char *why)
{
	/* It is noted by those who read the piece before. */
	if (s->skips && off < s->skip_end)
		return;
	if (s->on_damage)
		s->on_damage(s->damage_ctx, off, why);
	/* A page with a long record may be damaged further on. */
	if (s->told_page && off == s->page_off)
		return;
	if (s->bad_pages++ && off >= s->damage.off)
		return;
	s->damage.cpu = s->cpu;
	s->damage.off = off;
	snprintf(s->damage.message, sizeof(s->damage.message), "%.*s",
		 (int)sizeof(s->damage.message) - 1, why ? why : "damaged");
}

/*
 * Reports a record that is longer than its page, once for each page. The records that it hides
 * count as a loss of unknown length.
 */
void read_stream_note_long(struct read_stream *s)
{
	if (!s->told_page)
		read_stream_note(s, s->page_off, dat_page_long);
	s->told_page = true;
	s->page.long_record = false;
	s->lost = TDAT_LOST_UNKNOWN;
	s->lost_from = s->head.ts;
}

/* Reports that the file shrank while the block was mapped: some of its bytes may be zeros now. */
static void note_lost(struct read_stream *s, const struct read_block *b)
{
	if (!b || !tdat_window_lost(&b->window, s->src))
		return;
	read_stream_note(s, b->off, "the file was truncated while it was mapped");
	s->lost = TDAT_LOST_UNKNOWN;
}

/* Keeps a block that gave records for the owner; others, of which there may be many, are put. */
static void retire(struct read_stream *s, struct read_block *b, bool gave)
{
	if (!gave) {
		read_block_put(b);
		return;
	}
	b->next = s->retired;
	s->retired = b;
}

/* Skips the pages in a hole of the file: what was written there is lost. */
static void skip_hole(struct read_stream *s)
{
	uint64_t data = tdat_source_skip_hole(s->src, s->off, s->end);
	uint64_t pages = (data - s->off) / s->page_size;

	s->off += pages * s->page_size;
	s->pages += pages;
	if (pages)
		s->lost = TDAT_LOST_UNKNOWN;
}

/* Makes a block of len bytes at s->off: of a source in memory, mapped, or read. NULL: failed. */
static struct read_block *plain_block(const struct read_stream *s, size_t len, enum tdat_status *st,
				      struct tdat_error *err)
{
	const uint8_t *lent = tdat_source_peek(s->src, s->off, len);
	struct tdat_window window = {NULL, 0};
	struct read_block *b;

	if (!lent && len >= MAP_LEAST)
		lent = tdat_window_map(&window, s->src, s->off, len);
	b = read_block_new(lent ? 0 : len);
	if (!b) {
		tdat_window_unmap(&window);
		*st = tdat_error_set(err, TDAT_E_NOMEM, s->off, "no memory for CPU data");
		return NULL;
	}
	b->off = s->off;
	b->len = len;
	b->window = window;
	if (lent) {
		b->data = lent;
		return b;
	}
	*st = tdat_source_read(s->src, s->off, b->own, len, err);
	if (*st == TDAT_OK)
		return b;
	read_block_put(b);
	return NULL;
}

/* Makes a block of the next window of plain data. */
static enum tdat_status load_plain(struct read_stream *s, bool *more, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	size_t len;

	skip_hole(s);
	len = s->end - s->off < s->window ? (size_t)(s->end - s->off) : s->window;
	*more = false;
	if (!len)
		return TDAT_OK;
	s->block = plain_block(s, len, &st, err);
	if (!s->block && st != TDAT_E_DAMAGED)
		return st;
	if (!s->block) {
		/* The file is shorter than when it was opened: the rest of its data is lost. */
		read_stream_note(s, s->off, err ? err->message : NULL);
		tdat_error_reset(err);
		s->off = s->end;
		s->lost = TDAT_LOST_UNKNOWN;
		return TDAT_OK;
	}
	s->off += len;
	s->block_pos = 0;
	*more = true;
	return TDAT_OK;
}

/*
 * Inflates as much as it can of a chunk that is cut or has another length than its header says:
 * whole pages, or all bytes if it is the last chunk.
 */
static bool load_part(struct read_stream *s, struct read_block *b, size_t carry_len)
{
	size_t got = dat_chunks_inflate_part(&s->chunks, b->own + carry_len);

	if (s->chunks.left)
		got = (carry_len + got) / s->page_size * s->page_size;
	else
		got += carry_len;
	s->lost_len +=
		got < carry_len + s->chunks.out_len ? carry_len + s->chunks.out_len - got : 0;
	if (got <= carry_len)
		return false;
	b->len = got;
	s->loss_follows = got < carry_len + s->chunks.out_len;
	return true;
}

/* Reports, once, that the current chunk could not be inflated whole, or by its own length only. */
static void note_chunk(struct read_stream *s, struct tdat_error *err, bool mended)
{
	if (mended) {
		read_stream_note(s, s->chunks.chunk_off, dat_chunk_mended);
		tdat_error_reset(err);
		return;
	}
	/* A last chunk that the end of the file cuts was reported at opening. */
	if (s->chunks.left || !s->file->ix.cut_cpu_count)
		read_stream_note(s, s->chunks.chunk_off, err ? err->message : NULL);
	tdat_error_reset(err);
}

/* Reports, once, bytes behind the chunks that the extent of the CPU has. */
static void note_rest(struct read_stream *s)
{
	struct tdat_error why = TDAT_ERROR_INIT;

	if (dat_chunks_rest(&s->chunks, &why) != TDAT_OK) {
		read_stream_note(s, s->chunks.off, why.message);
		s->lost = TDAT_LOST_UNKNOWN;
	}
	s->chunks.end = s->chunks.off;
}

/* The one message for a block that could not be had; it names the chunk by its offset. */
static enum tdat_status no_chunk_memory(const struct read_stream *s, struct tdat_error *err)
{
	return tdat_error_set(err, TDAT_E_NOMEM, s->chunks.chunk_off, "no memory for a chunk");
}

/* Makes what was inflated ahead the current block. */
static bool load_ahead(struct read_stream *s, size_t carry_len)
{
	struct read_block *b = s->ahead ? read_ahead_take(s->ahead) : NULL;

	if (!b || carry_len || s->loss_follows) {
		read_block_put(b);
		return false;
	}
	s->chunks = s->ahead->chunks;
	s->block = b;
	s->block_pos = 0;
	read_ahead_want(s->ahead, &s->chunks);
	return true;
}

/*
 * Makes a block of the next chunk, behind carry_len bytes of a page whose first part the chunk
 * before had. A chunk of which nothing can be inflated is skipped.
 */
static enum tdat_status load_chunk(struct read_stream *s, const uint8_t *carry, size_t carry_len,
				   bool *more, struct tdat_error *err)
{
	*more = true;
	if (load_ahead(s, carry_len))
		return TDAT_OK;
	for (;;) {
		struct read_block *b;
		enum tdat_status st;
		bool cut;

		/* Backward reading stops at the part that it has listed already. */
		*more = !s->chunks_stop || s->chunks.off < s->chunks_stop;
		if (!*more)
			return TDAT_OK;
		st = dat_chunks_next(&s->chunks, more, err);
		cut = st == TDAT_E_DAMAGED || st == TDAT_E_LIMIT;
		/* A loss in the chunk before goes to the first record behind it. */
		if (s->loss_follows)
			s->lost = TDAT_LOST_UNKNOWN;
		s->loss_follows = false;
		if (st == TDAT_OK && !*more)
			note_rest(s);
		if (!cut && (st != TDAT_OK || !*more))
			return st;
		b = read_block_new(carry_len + s->chunks.out_len + 1);
		if (!b)
			return no_chunk_memory(s, err);
		b->off = s->chunks.chunk_off;
		b->len = carry_len + s->chunks.out_len;
		if (carry_len)
			memcpy(b->own, carry, carry_len);
		if (!cut)
			st = dat_chunks_inflate(&s->chunks, read_stream_inflater(s),
						b->own + carry_len, err);
		if (st != TDAT_OK && st != TDAT_E_DAMAGED && st != TDAT_E_LIMIT) {
			read_block_put(b);
			return st;
		}
		/* The chunk may still be whole if the length of its header is wrong. */
		if (st != TDAT_OK) {
			const bool mended = dat_chunks_mend(&s->chunks, b->own + carry_len);

			note_chunk(s, err, mended);
			st = mended ? TDAT_OK : st;
		}
		if (st == TDAT_OK || load_part(s, b, carry_len)) {
			s->block = b;
			s->block_pos = 0;
			*more = true;
			if (st == TDAT_OK && s->ahead)
				read_ahead_want(s->ahead, &s->chunks);
			return TDAT_OK;
		}
		read_block_put(b);
		/* The page that began in the chunk before cannot be completed. */
		carry_len = 0;
		s->lost = TDAT_LOST_UNKNOWN;
	}
}

/*
 * Replaces the current block by the next one. Pages of compressed data may cross chunks, so
 * the bytes that are left in the old block are carried to the new one.
 */
static enum tdat_status load_block(struct read_stream *s, bool *more, struct tdat_error *err)
{
	struct read_block *old = s->block;
	const uint8_t *carry = NULL;
	size_t carry_len = 0;
	bool gave = s->gave;
	enum tdat_status st;

	if (s->compressed && old && s->block_pos < old->len) {
		carry = old->data + s->block_pos;
		carry_len = old->len - s->block_pos;
	}
	s->block = NULL;
	s->gave = false;
	note_lost(s, old);
	st = s->compressed ? load_chunk(s, carry, carry_len, more, err) : load_plain(s, more, err);
	retire(s, old, gave);
	return st;
}

/* Whether more data follows the current block. */
static bool at_last_block(const struct read_stream *s)
{
	return s->compressed ? !s->chunks.left : s->off >= s->end;
}

/*
 * Leaves out what follows on the page, and behind it, where the piece to be read ends there. That
 * records of the page are too long is told by this piece also where the next one reads them.
 */
static void stop_page(struct read_stream *s)
{
	struct dat_page page = s->page;
	struct dat_record rec;
	const char *why;

	while (dat_page_next(&page, &s->file->layout, &rec, &why) == DAT_PAGE_RECORD) {
		if (s->stopped || read_clock_ts(s->clock, page.ts, s->cpu) < s->stop_ts)
			continue;
		s->page.len = rec.pos;
		s->stopped = true;
	}
	if (page.long_record && !s->told_page)
		read_stream_note(s, s->page_off, dat_page_long);
	s->told_page |= page.long_record;
}

/* Opens the next page of the block. false: the block is used up. */
static bool open_page(struct read_stream *s)
{
	size_t left = s->block ? s->block->len - s->block_pos : 0;
	size_t len = left < s->page_size ? left : s->page_size;
	const char *why, *rest;
	bool ok;

	if (s->stopped)
		s->block_pos = s->block ? s->block->len : 0;
	if (s->stopped || !left || (len < s->page_size && !at_last_block(s)))
		return false;
	s->page_raw = (struct tdat_span){s->block->data + s->block_pos, len};
	ok = dat_page_open(&s->page, s->page_raw.ptr, len, s->page_size, &s->file->layout, &why);
	s->page_off = s->compressed ? s->block->off : s->block->off + s->block_pos;
	s->block_pos += len;
	/* Opening has reported that the file is cut: the cut page is not further damage. */
	if (why && !(len < s->page_size && s->file->ix.cut_cpu_count))
		read_stream_note(s, s->page_off, why);
	s->cut_page = len < s->page_size && s->file->ix.cut_cpu_count;
	s->broken_page = why != NULL;
	s->told_page = s->skips && s->page_off < s->skip_end; /* by who reads the piece before */
	rest = why ? NULL : dat_page_rest(&s->page, s->page_raw.ptr, len, &s->file->layout);
	s->dirty_page = rest != NULL;
	if (rest)
		read_stream_note(s, s->page_off, rest);
	s->in_page = ok;
	s->pages++;
	s->lost_pages += !ok;
	if (!ok)
		s->lost = TDAT_LOST_UNKNOWN;
	if (ok && s->page.lost && s->lost != TDAT_LOST_UNKNOWN)
		s->lost = s->page.lost < 0 ? TDAT_LOST_UNKNOWN : s->lost + s->page.lost;
	if (ok && s->stops && s->page_off == s->stop_off)
		stop_page(s);
	return true;
}

/*
 * Opens the next page that has a readable header; blocks without one are passed over. Reading can
 * be cancelled here only: every page comes through this loop, also if none of its events is wanted.
 */
enum tdat_status read_stream_page(struct read_stream *s, bool *more, struct tdat_error *err)
{
	*more = true;
	s->in_page = false;
	while (!s->in_page) {
		enum tdat_status st;

		if (s->is_cancelled && s->is_cancelled(s->cancel_ctx))
			return tdat_error_set(err, TDAT_E_CANCELLED, TDAT_NO_OFFSET,
					      "reading was canceled");
		if (open_page(s))
			continue;
		st = load_block(s, more, err);
		if (st != TDAT_OK || !*more)
			return st;
	}
	return TDAT_OK;
}

/*
 * Sets the head to the first record of the next page that has one. Without a head at the end
 * the stream is used up.
 */
enum tdat_status read_stream_next_page(struct read_stream *s, struct tdat_error *err)
{
	s->in_page = false;
	s->have = false;
	for (;;) {
		const char *why = NULL;
		enum dat_page_result r;
		bool more;
		enum tdat_status st = read_stream_page(s, &more, err);

		if (st != TDAT_OK || !more)
			return st;
		r = dat_page_next(&s->page, &s->file->layout, &s->head.rec, &why);
		if (r != DAT_PAGE_RECORD) {
			read_stream_leave(s, r, why);
			continue;
		}
		read_stream_put_head(s);
		s->have = s->gave = true;
		return TDAT_OK;
	}
}
