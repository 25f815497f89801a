/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Gives the sub-buffers of a file in order of time, without their padding: docs/formats/gtsc.md
 * §4. The oldest sub-buffer need not be the first of the file: slots are numbered in order of
 * time. Sub-buffers in a hole of a sparse file are skipped.
 */
#include "relay.h"

#include <inttypes.h>

#include "core/endian.h"

/*
 * COUNT_LEN: bytes of a padding count; GUESS_SLOTS: sub-buffers that a guess reads; HOLE_PIECE:
 * bytes that are tested for a hole at once.
 */
enum { COUNT_LEN = 4, ZERO_BLOCK = 4096, GUESS_SLOTS = 64, HOLE_PIECE = 64 << 20 };

void relay_subbufs_init(struct relay_subbufs *r, const struct relay_geometry *geometry, bool big,
			const struct relay_file *file, size_t window_len,
			const struct tdat_emit *emit)
{
	*r = (struct relay_subbufs){
		.geometry = geometry, .name = file->name, .emit = emit, .big = big};
	import_window_init(&r->window, file->source, window_len);
}

void relay_subbufs_fini(struct relay_subbufs *r)
{
	import_window_fini(&r->window);
}

/* Sub-buffers of a file; the last one may be cut. */
static uint64_t slot_count(const struct relay_geometry *g, uint64_t len)
{
	return len / g->sub_len + (len % g->sub_len != 0);
}

/*
 * Position in the file of the sub-buffer that is number i in order of time. Once more were produced
 * than the file has, the ring has wrapped and the oldest is in the middle.
 */
static uint64_t slot_index(const struct relay_subbufs *r, uint64_t i, uint64_t slots)
{
	const uint64_t produced = r->geometry->produced;
	const uint64_t ring = r->geometry->ring > slots ? r->geometry->ring : slots;
	uint64_t oldest = produced > ring ? produced % ring : 0;

	/* A file that is cut does not have it: then its first is the oldest that is there. */
	i += oldest < slots ? oldest : 0;
	return i < slots ? i : i - slots;
}

/*
 * Skips sub-buffers in a hole of a sparse file. They are zeros, which no kind takes for records.
 * The last one of the file is kept, since it may be cut.
 */
static void skip_holes(struct relay_subbufs *r, uint64_t slots)
{
	const uint64_t sub_len = r->geometry->sub_len;

	while (r->next < slots) {
		const uint64_t at = slot_index(r, r->next, slots);
		uint64_t n = tdat_source_skip_hole(r->window.source, at * sub_len,
						   (slots - 1) * sub_len) /
			     sub_len;

		n = n > at ? n - at : 0;
		if (!n)
			break;
		r->next += n < slots - r->next ? n : slots - r->next;
	}
}

/* Moves *end back over the zero bytes at the end of [off, *end). */
static enum tdat_status cut_zeros(struct relay_subbufs *r, uint64_t off, uint64_t *end,
				  struct tdat_error *err)
{
	uint8_t block[ZERO_BLOCK];

	while (*end > off) {
		/* Large pieces that are holes need not be read. */
		uint64_t piece = *end - off > HOLE_PIECE ? *end - HOLE_PIECE : off;

		if (tdat_source_skip_hole(r->window.source, piece, *end) == *end) {
			*end = piece;
			continue;
		}
		size_t n = *end - off < ZERO_BLOCK ? (size_t)(*end - off) : ZERO_BLOCK;
		enum tdat_status st = tdat_source_read(r->window.source, *end - n, block, n, err);

		if (st != TDAT_OK)
			return st;
		while (n && !block[n - 1]) {
			n--;
			--*end;
		}
		if (n)
			break;
	}
	return TDAT_OK;
}

/* Takes the padding count off the start of a chunk, and the padding off its end. */
static enum tdat_status cut_counted(struct relay_subbufs *r, struct relay_chunk *c,
				    struct tdat_error *err)
{
	uint64_t start = c->off, len = c->end - c->off;
	const uint8_t *p;
	uint32_t count;

	/* A sub-buffer without room for its count has no data. */
	if (len < COUNT_LEN) {
		c->off = c->end;
		return TDAT_OK;
	}
	p = import_window_get(&r->window, c->off, COUNT_LEN, err);
	if (!p)
		return r->window.status;
	count = tdat_load32(p, r->big);
	c->off += COUNT_LEN;
	/* A larger count is damage: use all bytes, as none of them is known to be padding. */
	if (count <= len - COUNT_LEN) {
		c->end -= count;
		return TDAT_OK;
	}
	if (!r->emit)
		return TDAT_OK;
	return tdat_emit_warnf(r->emit, r->name, start, err,
			       "padding count %" PRIu32 " of the sub-buffer at %" PRIu64
			       " is larger than %" PRIu64 ": the whole sub-buffer is used",
			       count, start, len - COUNT_LEN);
}

/* Returns the next sub-buffer's data; TDAT_E_NOT_FOUND behind the last. The chunk may be empty. */
enum tdat_status relay_subbufs_next(struct relay_subbufs *r, struct relay_chunk *out,
				    struct tdat_error *err)
{
	const struct relay_geometry *g = r->geometry;
	uint64_t len = r->window.len, slots;
	enum tdat_status st = TDAT_OK;

	/* Without sub-buffers the whole file is one chunk. */
	if (!g->sub_len) {
		*out = (struct relay_chunk){0, len};
		return r->next++ ? TDAT_E_NOT_FOUND : TDAT_OK;
	}
	slots = slot_count(g, len);
	skip_holes(r, slots);
	if (r->next >= slots)
		return TDAT_E_NOT_FOUND;
	out->off = slot_index(r, r->next++, slots) * g->sub_len;
	out->end = len - out->off < g->sub_len ? len : out->off + g->sub_len;
	if (r->emit && out->end - out->off < g->sub_len)
		st = tdat_emit_warnf(r->emit, r->name, out->off, err,
				     "the last sub-buffer at %" PRIu64 " has only %" PRIu64
				     " of %" PRIu64 " bytes",
				     out->off, out->end - out->off, g->sub_len);
	if (st == TDAT_OK && g->padding == RELAY_PAD_COUNT)
		st = cut_counted(r, out, err);
	if (st != TDAT_OK || r->keep_zeros)
		return st;
	return cut_zeros(r, out->off, &out->end, err);
}

/* Guesses the byte order by the padding counts of the first sub-buffers; -1: both fit alike. */
int relay_subbufs_guess_big(const struct relay_geometry *g, const struct tdat_source *source)
{
	uint64_t len = tdat_source_len(source), sound[2] = {0, 0};

	for (uint64_t i = 0; i < GUESS_SLOTS && i * g->sub_len + COUNT_LEN <= len; i++) {
		uint8_t p[COUNT_LEN];

		if (tdat_source_read(source, i * g->sub_len, p, COUNT_LEN, NULL) != TDAT_OK)
			break;
		for (int big = 0; big < 2; big++)
			sound[big] += tdat_load32(p, big) <= g->sub_len - COUNT_LEN;
	}
	return sound[0] == sound[1] ? -1 : sound[1] > sound[0];
}
