/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Walks the compressed chunks of version 7 and inflates them. CPU data of a compressed file is
 * a count and then chunks: stored length, promised length, data. The walk reads one header at a
 * time and checks it against the extent and the limit of the ratio before memory is asked for.
 * A chunk whose stored length is wrong is mended only by what its own stream proves
 * (docs/decisions/008-no-guessing.md).
 */
#include "chunk.h"

#include <stdlib.h>

#include "core/checked.h"
#include "core/grow.h"
#include "core/limits.h"

/*
 * The default ratio limit behind a mended chunk: at most this, file_inflates_much() finds nothing.
 */
enum { MENDED_RATIO = 16 };

/* SLACK_LEN: the 4 bytes of the count, by which the length of an extent may differ. */
enum { CHUNK_HEADER_LEN = 8, DATA_BASE = 32 << 20, SLACK_LEN = 4 };

const char dat_chunk_mended[] =
	"the chunk's length differs from its header: other readers lose the rest of that CPU";

/*
 * Returns the limit of the ratio of inflated to stored bytes. file_inflates_much(), which lowers
 * other limits, reads the heads of chunks, and may have missed those behind a wrong length. So the
 * limit is lower behind a mended chunk.
 */
static uint32_t ratio_of(const struct dat_chunks *c)
{
	const uint32_t ratio = c->ix->limits.data_ratio;

	return c->mended && ratio == TDAT_LIMITS_DEFAULT.data_ratio ? MENDED_RATIO : ratio;
}

/*
 * True if a chunk would exceed the CPU's share. The CPUs of a file may inflate to DATA_BASE plus
 * ratio times its length. The base and half of the rest are shared equally, for nearly empty pages
 * on many CPUs. The other half is shared by the stored bytes of each CPU. This bounds the time, and
 * the memory for one chunk of each.
 */
static bool over_ratio(const struct dat_chunks *c)
{
	const uint64_t cpus = c->ix->chunked_count ? c->ix->chunked_count : 1;
	const uint64_t ratio = ratio_of(c);
	uint64_t all, own;

	return tdat_mul_u64(tdat_source_len(c->ix->src), ratio, &all) &&
	       tdat_mul_u64(c->in_sum + c->in_len, ratio, &own) &&
	       c->out_sum + c->out_len > (DATA_BASE + all / 2) / cpus + own / 2;
}

/* The count of chunks bounds the walk; the extent's length bounds where they may lie. */
enum tdat_status dat_chunks_init(struct dat_chunks *c, const struct dat_index *ix, uint64_t off,
				 uint64_t len, struct tdat_error *err)
{
	uint8_t raw[4];
	enum tdat_status st;

	*c = (struct dat_chunks){.ix = ix, .off = off, .end = off, .len = len};
	if (len < sizeof(raw))
		return tdat_error_set(err, TDAT_E_DAMAGED, off,
				      "compressed data at offset %llu has %llu bytes, expected at "
				      "least 4",
				      (unsigned long long)off, (unsigned long long)len);
	st = tdat_source_read(ix->src, off, raw, sizeof(raw), err);
	if (st != TDAT_OK)
		return st;
	c->left = tdat_load32(raw, ix->big);
	/* trace-cmd writes the count in its machine's order, whatever the file's. */
	if (ix->mixed_order)
		c->left = __builtin_bswap32(c->left);
	c->off = off + sizeof(raw);
	/* Files put together by a network listener leave the 4 bytes of the count out of len. */
	c->end = tdat_source_len(ix->src);
	if (len < c->end && c->end - len > off && c->end - len - off > sizeof(raw))
		c->end = off + len + sizeof(raw);
	c->stop = c->extent_end = c->end;
	return TDAT_OK;
}

/* Moves behind the current chunk. */
static void pass_chunk(struct dat_chunks *c)
{
	c->in_sum += c->in_len;
	c->out_sum += c->out_len;
	c->off += c->in_len;
	c->left = c->behind;
	if (!c->mended)
		return;
	/* Lengths were wrong, so the count may be, too. */
	if (c->off + SLACK_LEN >= c->stop)
		c->left = 0;
	else if (!c->left)
		c->left = 1;
}

/* Reads the next head. Length, extent and ratio are checked before memory depends on them. */
enum tdat_status dat_chunks_next(struct dat_chunks *c, bool *more, struct tdat_error *err)
{
	const struct dat_index *ix = c->ix;
	uint8_t raw[CHUNK_HEADER_LEN];
	enum tdat_status st;

	*more = false;
	if (!c->left)
		return TDAT_OK;
	c->chunk_off = c->off;
	c->in_len = c->out_len = 0;
	c->in_before = c->in_sum;
	c->out_before = c->out_sum;
	c->behind = c->left - 1;
	if (c->end - c->off < sizeof(raw)) {
		uint32_t missing = c->left;
		uint64_t end = c->end;

		c->left = 0;
		c->end = c->off;
		return tdat_error_set(err, TDAT_E_DAMAGED, c->off,
				      "%u more compressed chunks should be at offset %llu, but the "
				      "data ends at %llu",
				      missing, (unsigned long long)c->off, (unsigned long long)end);
	}
	st = tdat_source_read(ix->src, c->off, raw, sizeof(raw), err);
	if (st != TDAT_OK)
		return st;
	c->in_len = tdat_load32(raw, ix->big);
	c->out_len = tdat_load32(raw + 4, ix->big);
	c->off += sizeof(raw);
	if (c->in_len > c->end - c->off || c->out_len > ix->limits.chunk_len) {
		uint64_t room = c->end - c->off;

		c->left = 0;
		c->end = c->off;
		if (c->out_len > ix->limits.chunk_len) {
			uint32_t len = c->out_len;

			c->in_len = c->out_len = 0;
			return tdat_error_set(err, TDAT_E_LIMIT, c->chunk_off,
					      "the chunk at offset %llu inflates to %u bytes, more "
					      "than limit chunk_len of %llu",
					      (unsigned long long)c->chunk_off, len,
					      (unsigned long long)ix->limits.chunk_len);
		}
		tdat_error_set(err, TDAT_E_DAMAGED, c->chunk_off,
			       "the chunk at offset %llu claims %u bytes, but only %llu are left",
			       (unsigned long long)c->chunk_off, c->in_len,
			       (unsigned long long)room);
		c->in_len = (uint32_t)room;
		return TDAT_E_DAMAGED;
	}
	if (over_ratio(c)) {
		c->left = 0;
		c->in_len = 0;
		return tdat_error_set(err, TDAT_E_LIMIT, c->chunk_off,
				      "the chunk at offset %llu inflates to %u bytes, more than "
				      "limit data_ratio of %u allows for this CPU",
				      (unsigned long long)c->chunk_off, c->out_len, ratio_of(c));
	}
	pass_chunk(c);
	*more = true;
	return TDAT_OK;
}

enum tdat_status dat_chunks_rest(const struct dat_chunks *c, struct tdat_error *err)
{
	if (c->left || c->part || c->end == c->off || c->end - c->off == SLACK_LEN)
		return TDAT_OK;
	return tdat_error_set(err, TDAT_E_DAMAGED, c->off,
			      "%llu bytes at offset %llu follow the last compressed chunk",
			      (unsigned long long)(c->end - c->off), (unsigned long long)c->off);
}

void dat_inflater_fini(struct dat_inflater *inflater)
{
	tdat_inflater_fini(&inflater->codec);
	free(inflater->in);
	inflater->in = NULL;
	inflater->in_cap = 0;
}

/* Inflates the current chunk into out, which has out_len bytes. */
enum tdat_status dat_chunks_inflate(const struct dat_chunks *c, struct dat_inflater *inflater,
				    uint8_t *out, struct tdat_error *err)
{
	const struct dat_index *ix = c->ix;
	uint64_t data_off = c->chunk_off + CHUNK_HEADER_LEN;
	const uint8_t *in = tdat_source_peek(ix->src, data_off, c->in_len);
	const char *why;

	/*
	 * No more bytes than out_len can compress to; this bounds chunks that dat_chunks_mend()
	 * shortens, too.
	 */
	if (c->in_len > ix->codec->bound(c->out_len))
		return tdat_error_set(err, TDAT_E_DAMAGED, c->chunk_off,
				      "the chunk at offset %llu has %u bytes, more than "
				      "compression of %u bytes can produce",
				      (unsigned long long)c->chunk_off, c->in_len, c->out_len);
	if (!in) {
		enum tdat_status st;

		if (!TDAT_GROW(inflater->in, &inflater->in_cap, (size_t)c->in_len + 1))
			return tdat_error_set(err, TDAT_E_NOMEM, c->chunk_off,
					      "no memory for a chunk");
		st = tdat_source_read(ix->src, data_off, inflater->in, c->in_len, err);
		if (st != TDAT_OK)
			return st;
		in = inflater->in;
	}
	if (tdat_inflater_run(&inflater->codec, ix->codec, in, c->in_len, out, c->out_len, &why))
		return tdat_error_set(err, TDAT_E_DAMAGED, c->chunk_off,
				      "the chunk at offset %llu: %s",
				      (unsigned long long)c->chunk_off, why);
	return TDAT_OK;
}

/*
 * Inflates as much as it can of in_len bytes behind the chunk's head. *end: what the codec reports.
 */
static size_t inflate_part(const struct dat_chunks *c, size_t in_len, uint8_t *out, size_t *end)
{
	const struct dat_index *ix = c->ix;
	uint64_t data_off = c->chunk_off + CHUNK_HEADER_LEN;
	const uint8_t *in;
	uint8_t *own = NULL;
	size_t got = 0;

	*end = 0;
	in = tdat_source_peek(ix->src, data_off, in_len);
	if (!in) {
		own = malloc(in_len);
		if (own && tdat_source_read(ix->src, data_off, own, in_len, NULL) == TDAT_OK)
			in = own;
	}
	if (in)
		got = ix->codec->inflate_part(in, in_len, out, c->out_len, end);
	free(own);
	return got;
}

size_t dat_chunks_inflate_part(const struct dat_chunks *c, uint8_t *out)
{
	size_t end;

	return c->in_len && c->out_len ? inflate_part(c, c->in_len, out, &end) : 0;
}

/* True if a chunk's head may be at off, or nothing more of the extent. */
static bool may_follow(const struct dat_chunks *c, uint64_t off)
{
	uint8_t raw[CHUNK_HEADER_LEN];
	uint32_t in_len, out_len;

	if (off > c->stop)
		return false;
	if (c->stop - off <= SLACK_LEN)
		return true;
	if (c->stop - off < sizeof(raw) ||
	    tdat_source_read(c->ix->src, off, raw, sizeof(raw), NULL) != TDAT_OK)
		return false;
	in_len = tdat_load32(raw, c->ix->big);
	out_len = tdat_load32(raw + 4, c->ix->big);
	return in_len && out_len && in_len <= c->ix->codec->bound(out_len) &&
	       out_len <= c->ix->limits.chunk_len;
}

/*
 * Only the stream's own end counts, and only if another chunk or the end follows it. The work
 * is bounded by what the promised length can compress to.
 */
bool dat_chunks_mend(struct dat_chunks *c, uint8_t *out)
{
	const uint64_t data_off = c->chunk_off + CHUNK_HEADER_LEN;
	struct dat_chunks mended = *c;
	uint64_t room;
	size_t end;

	if (!c->in_len || !c->out_len || data_off > c->stop)
		return false;
	room = c->stop - data_off;
	if (room > c->ix->codec->bound(c->out_len))
		room = c->ix->codec->bound(c->out_len);
	if (!room)
		return false;
	inflate_part(c, (size_t)room, out, &end);
	if (!end || end > UINT32_MAX || !may_follow(c, data_off + end))
		return false;
	mended.end = c->extent_end;
	mended.off = data_off;
	mended.in_len = (uint32_t)end;
	mended.in_sum = c->mended ? c->in_before : 0;
	mended.out_sum = c->mended ? c->out_before : 0;
	mended.mended = true;
	if (over_ratio(&mended))
		return false;
	pass_chunk(&mended);
	*c = mended;
	return true;
}

/* Sums up the promised sizes. */
static enum tdat_status measure(struct dat_index *ix, uint64_t off, uint64_t len, uint64_t *out_len,
				struct tdat_error *err)
{
	struct dat_chunks c;
	enum tdat_status st = dat_chunks_init(&c, ix, off, len, err);
	bool more = true;

	*out_len = 0;
	while (st == TDAT_OK) {
		st = dat_chunks_next(&c, &more, err);
		if (st != TDAT_OK || !more)
			break;
		*out_len += c.out_len;
		if (*out_len > ix->limits.section_len)
			return tdat_error_set(err, TDAT_E_LIMIT, off,
					      "text at offset %llu inflates to more than limit "
					      "section_len of %llu bytes",
					      (unsigned long long)off,
					      (unsigned long long)ix->limits.section_len);
	}
	return st == TDAT_OK ? dat_index_inflate(ix, "text", off, *out_len, err) : st;
}

/* Measures first, so that memory is asked for once and within the limits. */
enum tdat_status dat_chunk_inflate_all(struct dat_index *ix, uint64_t off, uint64_t len,
				       const char *what, struct tdat_span *out,
				       struct tdat_error *err)
{
	struct dat_chunks c;
	struct dat_inflater inflater = {.in = NULL};
	uint8_t *buf;
	uint64_t total, at = 0;
	bool more = true;
	enum tdat_status st;

	if (!ix->codec)
		return tdat_error_set(err, TDAT_E_DAMAGED, off,
				      "%s at offset %llu is marked as compressed, but the file has "
				      "no compression",
				      what, (unsigned long long)off);
	if (!tdat_range_ok(off, len, tdat_source_len(ix->src)))
		return tdat_error_set(err, TDAT_E_DAMAGED, off, "%s is truncated at offset %llu",
				      what, (unsigned long long)tdat_source_len(ix->src));
	st = measure(ix, off, len, &total, err);
	if (st != TDAT_OK)
		return st;
	buf = tdat_arena_alloc(&ix->arena, (size_t)total + 1);
	if (!buf)
		return tdat_error_set(err, TDAT_E_NOMEM, off, "no memory for %s", what);
	st = dat_chunks_init(&c, ix, off, len, err);
	while (st == TDAT_OK) {
		st = dat_chunks_next(&c, &more, err);
		if (st != TDAT_OK || !more)
			break;
		st = dat_chunks_inflate(&c, &inflater, buf + at, err);
		/* Data with other bytes behind it is complete. */
		if (st == TDAT_E_DAMAGED && dat_chunks_inflate_part(&c, buf + at) == c.out_len)
			st = dat_index_tolerate(ix, st, err);
		at += c.out_len;
	}
	dat_inflater_fini(&inflater);
	*out = (struct tdat_span){buf, (size_t)at};
	return st == TDAT_OK ? dat_index_tolerate(ix, dat_chunks_rest(&c, err), err) : st;
}
