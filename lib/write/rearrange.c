/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Fills what is free, which frees the places that the bytes came from, until nothing is free. What
 * is left then are circles of pieces, each in the other's place: one of them is put aside.
 */
#include "rearrange.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "disk.h"

/* Larger ones take no less time; smaller ones more calls of the system. */
enum { PIECE_LEN = 256 * 1024 };

enum tdat_status rearrange_add(struct rearrange *r, uint64_t src, uint64_t dest, uint64_t len,
			       struct tdat_error *err)
{
	struct rearrange_move *moves =
		tdat_grown(r->moves, &r->move_cap, r->move_count + 1, sizeof(*moves));

	if (!moves)
		return tdat_error_no_memory(err, "the places of CPU data");
	r->moves = moves;
	r->moves[r->move_count++] = (struct rearrange_move){src, dest, len};
	return TDAT_OK;
}

void rearrange_fini(struct rearrange *r)
{
	free(r->moves);
	free(r->done);
	free(r->free);
	free(r->piece);
	free(r->aside);
	memset(r, 0, sizeof(*r));
}

static uint64_t first_dest(const struct rearrange *r)
{
	return r->moves[0].dest;
}

static uint64_t last_dest(const struct rearrange *r)
{
	const struct rearrange_move *m = &r->moves[r->move_count - 1];

	return m->dest + m->len;
}

static bool is_done(const struct rearrange *r, uint64_t at)
{
	const uint64_t i = (at - first_dest(r)) / r->unit;

	return r->done[i / 8] >> (i & 7) & 1;
}

static void set_done(struct rearrange *r, uint64_t from, uint64_t to)
{
	for (uint64_t i = (from - first_dest(r)) / r->unit; from < to; i++, from += r->unit)
		r->done[i / 8] |= (uint8_t)(1 << (i & 7));
}

/* Of a range that nothing lies in any more, what pieces go to. */
static enum tdat_status set_free(struct rearrange *r, uint64_t from, uint64_t to,
				 struct tdat_error *err)
{
	struct rearrange_range *grown;

	from = from > first_dest(r) ? from : first_dest(r);
	to = to < last_dest(r) ? to : last_dest(r);
	if (from >= to)
		return TDAT_OK;
	grown = tdat_grown(r->free, &r->free_cap, r->free_count + 1, sizeof(*grown));
	if (!grown)
		return tdat_error_no_memory(err, "the places of CPU data");
	r->free = grown;
	r->free[r->free_count++] = (struct rearrange_range){from, to};
	return TDAT_OK;
}

/* The move whose bytes belong at dest. */
static const struct rearrange_move *move_to(const struct rearrange *r, uint64_t dest)
{
	size_t low = 0, high = r->move_count;

	while (high - low > 1) {
		const size_t mid = low + (high - low) / 2;

		if (r->moves[mid].dest <= dest)
			low = mid;
		else
			high = mid;
	}
	return &r->moves[low];
}

/* Puts the bytes of one piece to dest, and frees where they were. *len: at most, and then done. */
static enum tdat_status fill_piece(struct rearrange *r, uint64_t dest, uint64_t *len,
				   struct tdat_error *err)
{
	const struct rearrange_move *m = move_to(r, dest);
	const uint64_t src = m->src + (dest - m->dest);
	const struct rearrange_range *aside = &r->aside_range;
	const bool is_aside = src >= aside->from && src < aside->to;
	const uint8_t *bytes = r->piece;
	enum tdat_status st = TDAT_OK;
	uint64_t n = m->dest + m->len - dest;

	n = n < *len ? n : *len;
	n = n < PIECE_LEN ? n : PIECE_LEN;
	if (is_aside)
		n = n < aside->to - src ? n : aside->to - src;
	else if (src < aside->from)
		n = n < aside->from - src ? n : aside->from - src;
	if (is_aside)
		bytes = r->aside + (src - aside->from);
	else
		st = write_disk_get(r->fd, r->name, src, r->piece, (size_t)n, err);
	if (st == TDAT_OK)
		st = write_disk_put(r->fd, r->name, dest, bytes, (size_t)n, 0, err);
	if (st != TDAT_OK)
		return st;
	set_done(r, dest, dest + n);
	r->on_moved(r->ctx, n);
	*len = n;
	return is_aside ? TDAT_OK : set_free(r, src, src + n, err);
}

static enum tdat_status fill_free(struct rearrange *r, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	while (r->free_count && st == TDAT_OK) {
		const struct rearrange_range range = r->free[--r->free_count];
		uint64_t len;

		for (uint64_t at = range.from; at < range.to && st == TDAT_OK; at += len) {
			len = range.to - at;
			st = fill_piece(r, at, &len, err);
		}
	}
	return st;
}

/* What lies from at on goes aside, as it is in a circle with other pieces. */
static enum tdat_status put_aside(struct rearrange *r, uint64_t at, struct tdat_error *err)
{
	uint64_t to = at;
	enum tdat_status st;

	while (to < last_dest(r) && to - at <= PIECE_LEN - r->unit && !is_done(r, to))
		to += r->unit;
	r->aside_range = (struct rearrange_range){at, to};
	st = write_disk_get(r->fd, r->name, at, r->aside, (size_t)(to - at), err);
	return st == TDAT_OK ? set_free(r, at, to, err) : st;
}

/* Opens the circles, one after the other. */
static enum tdat_status fill_circles(struct rearrange *r, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	for (uint64_t at = first_dest(r); at < last_dest(r) && st == TDAT_OK;) {
		const struct rearrange_move *m = move_to(r, at);

		if (is_done(r, at)) {
			at += r->unit;
		} else if (m->src == m->dest) {
			r->on_moved(r->ctx, m->dest + m->len - at);
			at = m->dest + m->len;
		} else {
			st = put_aside(r, at, err);
			if (st == TDAT_OK)
				st = fill_free(r, err);
		}
	}
	return st;
}

static int by_src(const void *a, const void *b)
{
	const struct rearrange_move *x = a, *y = b;

	return (x->src > y->src) - (x->src < y->src);
}

/* What pieces go to, and where nothing that is moved lies at first. */
static enum tdat_status find_free(struct rearrange *r, struct tdat_error *err)
{
	struct rearrange_move *sorted = malloc(r->move_count * sizeof(*sorted));
	enum tdat_status st = TDAT_OK;
	uint64_t end = 0;

	if (!sorted)
		return tdat_error_no_memory(err, "the places of CPU data");
	memcpy(sorted, r->moves, r->move_count * sizeof(*sorted));
	qsort(sorted, r->move_count, sizeof(*sorted), by_src);
	for (size_t i = 0; i < r->move_count && st == TDAT_OK; i++) {
		st = set_free(r, end, sorted[i].src, err);
		end = sorted[i].src + sorted[i].len;
	}
	free(sorted);
	return st == TDAT_OK ? set_free(r, end, UINT64_MAX, err) : st;
}

enum tdat_status rearrange_run(struct rearrange *r, int fd, const char *name,
			       struct tdat_error *err)
{
	enum tdat_status st;

	if (!r->move_count)
		return TDAT_OK;
	r->fd = fd;
	r->name = name;
	r->done = calloc((size_t)((last_dest(r) - first_dest(r)) / r->unit / 8 + 1), 1);
	r->piece = malloc(PIECE_LEN);
	r->aside = malloc(PIECE_LEN);
	if (!r->done || !r->piece || !r->aside)
		return tdat_error_no_memory(err, "the places of CPU data");
	st = find_free(r, err);
	if (st == TDAT_OK)
		st = fill_free(r, err);
	return st == TDAT_OK ? fill_circles(r, err) : st;
}
