/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Decides which events a piece gets: all, or up to a number of them, per CPU or per buffer. Pieces
 * are by count, by time, or one for all. For counts over all CPUs the heads of a buffer's streams
 * are merged by time. All other pieces take one CPU after the other, which keeps whole pages.
 * Called by split.c for each piece.
 */
#include <stdlib.h>

#include "split.h"

/* Returns the last time of a piece that starts at first; the end of time if it would overflow. */
static uint64_t last_of(const struct tdat_split *sp, uint64_t first)
{
	uint64_t last;

	/* A first time that was asked for is where the first piece starts. */
	if (sp->pieces == 1 && sp->select && sp->select->times.set && sp->select->times.from)
		first = sp->select->times.from;
	return __builtin_add_overflow(first, sp->opts.count, &last) ? UINT64_MAX : last;
}

/* Whether the head still belongs to the piece, whose last time, if it has one, is given. */
static bool takes_head(const struct tdat_split *sp, const struct split_stream *ss, uint64_t last)
{
	switch (sp->opts.unit) {
	case TDAT_SPLIT_NS:
		return ss->s.head.ts <= last;
	case TDAT_SPLIT_EVENTS:
		return ss->events < sp->opts.count;
	case TDAT_SPLIT_PAGES: /* one that was begun is taken to its end */
		return ss->page_counted || ss->pages < sp->opts.count;
	default:
		return true;
	}
}

static enum tdat_status take_cpu(struct tdat_split *sp, struct split_stream *ss, uint64_t last,
				 struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	while (st == TDAT_OK && ss->s.have && takes_head(sp, ss, last))
		st = split_stream_take(sp, ss, err);
	return st;
}

/* CPU by CPU, so that whole pages can be taken. */
static enum tdat_status each_cpu(struct tdat_split *sp, struct split_buffer *b,
				 struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; st == TDAT_OK && i < b->stream_count; i++)
		if (b->streams[i].s.have)
			st = take_cpu(sp, &b->streams[i], last_of(sp, b->streams[i].s.head.ts),
				      err);
	return st;
}

/* The earliest head of all CPUs begins the piece. */
static enum tdat_status span_of_buffer(struct tdat_split *sp, struct split_buffer *b,
				       struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	uint64_t first = UINT64_MAX;

	for (size_t i = 0; i < b->stream_count; i++)
		if (b->streams[i].s.have && b->streams[i].s.head.ts < first)
			first = b->streams[i].s.head.ts;
	for (size_t i = 0; st == TDAT_OK && i < b->stream_count; i++)
		st = take_cpu(sp, &b->streams[i], last_of(sp, first), err);
	return st;
}

/* Takes the first opts.count events of all CPUs in order of time; ties by the order of streams. */
static enum tdat_status events_of_buffer(struct tdat_split *sp, struct split_buffer *b,
					 struct tdat_error *err)
{
	struct tdat_heap heap = {calloc(b->stream_count + 1, sizeof(*heap.items)), 0};
	enum tdat_status st = TDAT_OK;
	uint64_t n;

	if (!heap.items)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory to split");
	for (size_t i = 0; i < b->stream_count; i++)
		if (b->streams[i].s.have)
			heap.items[heap.count++] =
				(struct tdat_heap_item){b->streams[i].s.head.ts, i};
	tdat_heap_build(&heap);
	for (n = 0; st == TDAT_OK && heap.count && n < sp->opts.count; n++) {
		/* tie is the index of the stream. */
		struct split_stream *ss = &b->streams[heap.items[0].tie];

		st = split_stream_take(sp, ss, err);
		if (ss->s.have)
			tdat_heap_replace_top(
				&heap, (struct tdat_heap_item){ss->s.head.ts, heap.items[0].tie});
		else
			tdat_heap_drop_top(&heap);
	}
	free(heap.items);
	return st;
}

/*
 * Fills the piece from one buffer. Counters begin anew; streams continue where the last piece
 * ended.
 */
static enum tdat_status piece_of_buffer(struct tdat_split *sp, struct split_buffer *b,
					struct tdat_error *err)
{
	enum tdat_status st;

	for (size_t i = 0; i < b->stream_count; i++) {
		b->streams[i].to = NULL;
		b->streams[i].events = b->streams[i].pages = 0;
	}
	if (sp->opts.unit == TDAT_SPLIT_NS && !sp->opts.per_cpu)
		st = span_of_buffer(sp, b, err);
	else if (sp->opts.unit == TDAT_SPLIT_EVENTS && !sp->opts.per_cpu)
		st = events_of_buffer(sp, b, err);
	else
		st = each_cpu(sp, b, err);
	for (size_t i = 0; st == TDAT_OK && i < b->stream_count; i++)
		st = split_stream_end(sp, &b->streams[i], err);
	return st;
}

/* Returns when the piece is full or all streams have ended. */
enum tdat_status split_piece(struct tdat_split *sp, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; st == TDAT_OK && i < sp->buffer_count; i++)
		st = piece_of_buffer(sp, &sp->buffers[i], err);
	return st;
}
