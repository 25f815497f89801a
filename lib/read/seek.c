/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds the pages of a stream that lie within a span of time. */
#include "seek.h"

#include <stdlib.h>

#include "core/grow.h"

/* The parts of a stream at which reading can start: pages, or chunks of whole pages. */
struct parts {
	struct read_stream *s;
	uint64_t count;
	struct dat_chunks *chunks; /* compressed: the state before each chunk */
	bool failed;		   /* a time could not be read */
	bool nomem;
};

/* Lists the state before each chunk; false when a chunk other than the last ends inside a page. */
static bool list_chunks(struct parts *p)
{
	struct dat_chunks c = p->s->chunks;
	size_t cap = 0;

	for (;;) {
		struct dat_chunks before = c, *grown;
		bool more;

		if (dat_chunks_next(&c, &more, NULL) != TDAT_OK)
			return false;
		if (!more)
			return true;
		/* Only the last one may end inside a page. */
		if (c.left && c.out_len % p->s->page_size)
			return false;
		/* All that are counted here are in memory. */
		grown = tdat_grown(p->chunks, &cap, (size_t)p->count + 1, sizeof(*grown));
		if (!grown) {
			p->nomem = true;
			return false;
		}
		p->chunks = grown;
		p->chunks[p->count++] = before;
	}
}

static bool page_ts(const struct parts *p, uint64_t i, uint8_t raw[8])
{
	const struct read_stream *s = p->s;

	return tdat_source_read(s->file->src, s->off + i * s->page_size, raw, 8, NULL) == TDAT_OK;
}

/* The first bytes of a chunk. */
static bool chunk_ts(struct parts *p, uint64_t i, uint8_t raw[8])
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

/* When part i starts, as it is shown. */
static uint64_t time_of(struct parts *p, uint64_t i)
{
	const struct read_stream *s = p->s;
	uint8_t raw[8] = {0};

	if (!(s->compressed ? chunk_ts(p, i, raw) : page_ts(p, i, raw)))
		p->failed = true;
	return read_clock_ts(s->clock, tdat_load64(raw, s->file->layout.big), s->cpu);
}

/*
 * Returns the first part that starts at ts or later (after: later than ts), or count. lo_ts and
 * hi_ts are the times of the first and the last part.
 */
static uint64_t search(struct parts *p, uint64_t ts, bool after, uint64_t lo_ts, uint64_t hi_ts)
{
	uint64_t lo = 0, hi = p->count - 1;

	if (after ? hi_ts <= ts : hi_ts < ts)
		return p->count;
	if (after ? lo_ts > ts : lo_ts >= ts)
		return 0;
	/* lo starts before, hi does not. */
	while (hi - lo > 1 && !p->failed) {
		uint64_t mid = lo + (hi - lo) / 2, mid_ts = time_of(p, mid);

		if (mid_ts < lo_ts || mid_ts > hi_ts)
			p->failed = true;
		if (after ? mid_ts > ts : mid_ts >= ts) {
			hi = mid;
			hi_ts = mid_ts;
		} else {
			lo = mid;
			lo_ts = mid_ts;
		}
	}
	return hi;
}

static void apply(struct parts *p, uint64_t first, uint64_t end)
{
	struct read_stream *s = p->s;

	if (s->compressed) {
		s->chunks = p->chunks[first];
		s->chunks.left = (uint32_t)(end - first);
		s->chunks.part = end < p->count;
		return;
	}
	if (end < p->count)
		s->end = s->off + end * s->page_size;
	s->off += first * s->page_size;
}

static void clip(struct parts *p, uint64_t from, uint64_t to)
{
	uint64_t lo_ts, hi_ts, first, end;

	if (p->count < 2)
		return;
	lo_ts = time_of(p, 0);
	hi_ts = time_of(p, p->count - 1);
	if (p->failed || hi_ts < lo_ts)
		return;
	/* The part before the first that starts at from may reach beyond it. */
	first = search(p, from, false, lo_ts, hi_ts);
	first = first ? first - 1 : 0;
	/* One part more: a leaf function is folded with what comes next. */
	end = search(p, to, true, lo_ts, hi_ts);
	end = end < p->count ? end + 1 : end;
	if (!p->failed && first < end)
		apply(p, first, end);
}

enum tdat_status read_stream_clip(struct read_stream *s, uint64_t from, uint64_t to,
				  struct tdat_error *err)
{
	struct parts p = {.s = s};
	bool ok = true;

	/* Synchronised clocks are corrected piece by piece: order is not sure. */
	if (s->clock->sync)
		return TDAT_OK;
	if (s->compressed)
		ok = list_chunks(&p);
	else
		p.count = (s->end - s->off) / s->page_size;
	if (ok)
		clip(&p, from, to);
	free(p.chunks);
	if (p.nomem)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory for a search");
	return TDAT_OK;
}
