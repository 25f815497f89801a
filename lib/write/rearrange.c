/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Fills what is free, which frees the places that the bytes came from, until nothing is free. What
 * is left then are circles of parts, each in the other's place: one of them is put aside. The
 * longest free range is filled first, and ranges that touch become one, so that pieces stay long.
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

/* The number of the first free range that ends at from or behind it. */
static size_t free_at(const struct rearrange *r, uint64_t from)
{
	size_t low = 0, high = r->free_count;

	while (low < high) {
		const size_t mid = low + (high - low) / 2;

		if (r->free[mid].to < from)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static void free_remove(struct rearrange *r, size_t i)
{
	memmove(&r->free[i], &r->free[i + 1], (r->free_count - i - 1) * sizeof(*r->free));
	r->free_count--;
}

static enum tdat_status free_insert(struct rearrange *r, size_t i, struct rearrange_range range,
				    struct tdat_error *err)
{
	struct rearrange_range *grown =
		tdat_grown(r->free, &r->free_cap, r->free_count + 1, sizeof(*grown));

	if (!grown)
		return tdat_error_no_memory(err, "the places of CPU data");
	r->free = grown;
	memmove(&grown[i + 1], &grown[i], (r->free_count - i) * sizeof(*grown));
	grown[i] = range;
	r->free_count++;
	return TDAT_OK;
}

/* Adds a range whose bytes were moved away to the free ones, as far as moves have their dest in it.
 */
static enum tdat_status set_free(struct rearrange *r, uint64_t from, uint64_t to,
				 struct tdat_error *err)
{
	size_t i;

	from = from > first_dest(r) ? from : first_dest(r);
	to = to < last_dest(r) ? to : last_dest(r);
	if (from >= to)
		return TDAT_OK;
	i = free_at(r, from);
	if (i < r->free_count && r->free[i].to == from) {
		from = r->free[i].from;
		free_remove(r, i);
	}
	if (i < r->free_count && r->free[i].from == to) {
		r->free[i].from = from;
		return TDAT_OK;
	}
	return free_insert(r, i, (struct rearrange_range){from, to}, err);
}

/* Takes the longest free range. */
static struct rearrange_range take_free(struct rearrange *r)
{
	struct rearrange_range range;
	size_t best = 0;

	for (size_t i = 1; i < r->free_count; i++)
		if (r->free[i].to - r->free[i].from > r->free[best].to - r->free[best].from)
			best = i;
	range = r->free[best];
	free_remove(r, best);
	return range;
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
	const struct rearrange_range *aside = &r->aside;
	const bool is_aside = src >= aside->from && src < aside->to;
	enum tdat_status st;
	uint64_t n = m->dest + m->len - dest;

	n = n < *len ? n : *len;
	n = n < PIECE_LEN ? n : PIECE_LEN;
	if (is_aside)
		n = n < aside->to - src ? n : aside->to - src;
	else if (src < aside->from)
		n = n < aside->from - src ? n : aside->from - src;
	if (is_aside)
		st = write_disk_get(r->aside_fd, r->name, r->aside_off + (src - aside->from),
				    r->piece, (size_t)n, err);
	else
		st = write_disk_get(r->fd, r->name, src, r->piece, (size_t)n, err);
	if (st == TDAT_OK)
		st = write_disk_put(r->fd, r->name, dest, r->piece, (size_t)n, 0, err);
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
		const struct rearrange_range range = take_free(r);
		uint64_t len;

		for (uint64_t at = range.from; at < range.to && st == TDAT_OK; at += len) {
			len = range.to - at;
			st = fill_piece(r, at, &len, err);
		}
	}
	return st;
}

/* Copies what lies at the offset at into the other file, and frees its place. */
static enum tdat_status put_aside(struct rearrange *r, uint64_t at, struct tdat_error *err)
{
	const size_t next = free_at(r, at + 1);
	const uint64_t end = next < r->free_count ? r->free[next].from : last_dest(r);
	enum tdat_status st = TDAT_OK;
	uint64_t to = at, n;

	while (to < end && to - at < r->aside_len && !is_done(r, to))
		to += r->unit;
	r->aside = (struct rearrange_range){at, to};
	for (uint64_t pos = at; pos < to && st == TDAT_OK; pos += n) {
		n = to - pos < PIECE_LEN ? to - pos : PIECE_LEN;
		st = write_disk_get(r->fd, r->name, pos, r->piece, (size_t)n, err);
		if (st == TDAT_OK)
			st = write_disk_put(r->aside_fd, r->name, r->aside_off + (pos - at),
					    r->piece, (size_t)n, 0, err);
	}
	return st == TDAT_OK ? set_free(r, at, to, err) : st;
}

/* Puts the first part aside where little is free at first, as pieces are no longer than that. */
static enum tdat_status make_room(struct rearrange *r, struct tdat_error *err)
{
	const bool is_first = r->free_count && r->free[0].from == first_dest(r);
	const uint64_t at = is_first ? r->free[0].to : first_dest(r);
	const struct rearrange_move *m = move_to(r, at);

	for (size_t i = 0; i < r->free_count; i++)
		if (r->free[i].to - r->free[i].from >= r->aside_len)
			return TDAT_OK;
	return at < last_dest(r) && m->src != m->dest ? put_aside(r, at, err) : TDAT_OK;
}

/* Makes the moves that are left: circles, of each of which a part is put aside. */
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

/* Finds the ranges that are free at first: moves have their dest there, and none has its src. */
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
	if (!r->done || !r->piece)
		return tdat_error_no_memory(err, "the places of CPU data");
	st = find_free(r, err);
	if (st == TDAT_OK)
		st = make_room(r, err);
	if (st == TDAT_OK)
		st = fill_free(r, err);
	return st == TDAT_OK ? fill_circles(r, err) : st;
}
