/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Lists the parts of a stream, finds out when they start, and lets a stream read some of them.
 * A part is a page of plain data, or a chunk of compressed data. Its time is that of its first
 * page. Headers of chunks are walked once and kept, as they cannot be found from the middle.
 * Used by seek.c and cuts.c.
 */
#include "parts.h"

#include <stdlib.h>

#include "core/grow.h"

/* States before all chunks; false when they cannot be told apart by pages. */
static bool list_chunks(struct read_parts *p)
{
	struct dat_chunks c = p->s->chunks;
	size_t cap = 0;

	for (;;) {
		struct dat_chunks before = c;
		bool more;

		if (dat_chunks_next(&c, &more, NULL) != TDAT_OK)
			return false;
		if (!more)
			return true;
		/* Only the last one may end inside a page. */
		if (c.left && c.out_len % p->s->page_size)
			return false;
		/* All that are counted here are in memory. */
		if (!TDAT_GROW(p->chunks, &cap, (size_t)p->count + 1)) {
			p->nomem = true;
			return false;
		}
		p->chunks[p->count++] = before;
	}
}

/* A page starts with its timestamp, 8 bytes. */
static bool page_ts(const struct read_parts *p, uint64_t i, uint8_t raw[8])
{
	const struct read_stream *s = p->s;

	return tdat_source_read(s->file->src, s->off + i * s->page_size, raw, 8, NULL) == TDAT_OK;
}

/* The first bytes of a chunk. */
static bool chunk_ts(struct read_parts *p, uint64_t i, uint8_t raw[8])
{
	struct dat_chunks c = p->chunks[i];
	enum tdat_status st = TDAT_E_NOMEM;
	uint8_t *out;
	bool more;

	if (dat_chunks_next(&c, &more, NULL) != TDAT_OK || !more || c.out_len < 8)
		return false;
	out = malloc(c.out_len);
	if (out)
		st = dat_chunks_inflate(&c, read_stream_inflater(p->s), out, NULL);
	p->nomem |= st == TDAT_E_NOMEM;
	if (st == TDAT_OK)
		memcpy(raw, out, 8);
	free(out);
	return st == TDAT_OK;
}

/* Returns the time of part i on the shown clock. A part that cannot be read sets p->failed. */
uint64_t read_parts_ts(struct read_parts *p, uint64_t i)
{
	const struct read_stream *s = p->s;
	uint8_t raw[8] = {0};

	if (!(s->compressed ? chunk_ts(p, i, raw) : page_ts(p, i, raw)))
		p->failed = true;
	return read_clock_ts(s->clock, tdat_load64(raw, s->file->layout.big), s->cpu);
}

/* Restricts the stream to parts first to before end. Later chunks are not inflated. */
void read_parts_apply(struct read_parts *p, uint64_t first, uint64_t end)
{
	struct read_stream *s = p->s;

	if (s->compressed) {
		s->chunks = p->chunks[first];
		s->chunks.left = (uint32_t)(end - first);
		s->chunks.part = end < p->count;
		if (s->chunks.part)
			s->chunks.stop = p->chunks[end].off;
		return;
	}
	if (end < p->count)
		s->end = s->off + end * s->page_size;
	s->off += first * s->page_size;
}

/* Lists the parts of a stream. False: chunks cannot be parts, or memory ran out (p->nomem). */
bool read_parts_init(struct read_parts *p, struct read_stream *s)
{
	const uint64_t len = s->end - s->off;

	*p = (struct read_parts){.s = s};
	if (s->compressed)
		return list_chunks(p);
	/* A page that the end of the file cuts is a part as well, if its time is there. */
	p->count = len / s->page_size + (len % s->page_size >= 8);
	return true;
}

void read_parts_fini(struct read_parts *p)
{
	free(p->chunks);
	p->chunks = NULL;
}
