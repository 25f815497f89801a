/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the pages of a stream that lie within a span of time. A stream that is clipped reads
 * only the parts that may hold the span: one more on each side, because a part may reach over
 * the bound and a function's exit goes with its entry. Where a stream's times may go back, or
 * clocks are corrected piece by piece, nothing is clipped, and events are dropped one by one.
 */
#include "seek.h"

#include "parts.h"

/*
 * The first part that starts at ts or later (after: later than ts); count: none.
 * lo_ts and hi_ts are the times of the first and the last part.
 */
static uint64_t search(struct read_parts *p, uint64_t ts, bool after, uint64_t lo_ts,
		       uint64_t hi_ts)
{
	uint64_t lo = 0, hi = p->count - 1;

	if (after ? hi_ts <= ts : hi_ts < ts)
		return p->count;
	if (after ? lo_ts > ts : lo_ts >= ts)
		return 0;
	/* lo starts before, hi does not. */
	while (hi - lo > 1 && !p->failed) {
		uint64_t mid = lo + (hi - lo) / 2, mid_ts = read_parts_ts(p, mid);

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

/* Clips to the parts of a span. Times that do not rise leave the stream whole. */
static void clip(struct read_parts *p, uint64_t from, uint64_t to)
{
	uint64_t lo_ts, hi_ts, first, end;

	if (p->count < 2)
		return;
	lo_ts = read_parts_ts(p, 0);
	hi_ts = read_parts_ts(p, p->count - 1);
	if (p->failed || hi_ts < lo_ts)
		return;
	/* The part before the first that starts at from may reach beyond it. */
	first = search(p, from, false, lo_ts, hi_ts);
	first = first ? first - 1 : 0;
	/* One part more: a leaf function is folded with what comes next. */
	end = search(p, to, true, lo_ts, hi_ts);
	end = end < p->count ? end + 1 : end;
	if (!p->failed && first < end)
		read_parts_apply(p, first, end);
}

/*
 * A span that wraps around 0 has all times below a bound, the negative ones among them. Pages
 * behind the bound are left out if no time of the stream is near the negative ones.
 */
static void clip_span(struct read_parts *p, const struct read_span *span)
{
	const uint64_t negative = UINT64_C(1) << 63;

	if (span->from <= span->to)
		clip(p, span->from, span->to);
	else if (p->count && read_parts_ts(p, p->count - 1) < negative / 2)
		clip(p, 0, span->to);
}

/*
 * Clips the stream to a span if its order of time is sure. Events outside are still dropped by the
 * caller one by one.
 */
enum tdat_status read_stream_clip_span(struct read_stream *s, const struct read_span *span,
				       struct tdat_error *err)
{
	struct read_parts p;

	/* Synchronised clocks are corrected piece by piece: order is not sure. */
	if (s->clock->sync)
		return TDAT_OK;
	if (read_parts_init(&p, s))
		clip_span(&p, span);
	read_parts_fini(&p);
	if (p.nomem)
		return tdat_error_no_memory(err, "a search");
	return TDAT_OK;
}

enum tdat_status read_stream_clip(struct read_stream *s, uint64_t from, uint64_t to,
				  struct tdat_error *err)
{
	/* A filter's span of this kind is empty: its events are dropped one by one. */
	if (from > to)
		return TDAT_OK;
	return read_stream_clip_span(s, &(struct read_span){true, from, to}, err);
}
