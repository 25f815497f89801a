/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walking and inflating compressed chunks: what fits, and each way not to fit. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "../common/run.h"
#include "core/build.h"
#include "dat/chunk.h"

enum { CHUNKS = 3, OFF = 10 };

struct made {
	struct tdat_build b;
	struct tdat_source *src;
	struct dat_index ix;
	struct tdat_error err;
	struct dat_chunks c;
};

static size_t len_of(unsigned int i)
{
	return 1000 + 700 * i;
}

static void put_chunk(struct tdat_build *b, unsigned int i)
{
	uint8_t plain[4000], packed[5000];
	uLongf n = sizeof(packed);

	memset(plain, 'a' + (int)i, len_of(i));
	ck_assert_int_eq(compress(packed, &n, plain, len_of(i)), Z_OK);
	tdat_build_u32(b, (uint32_t)n);
	tdat_build_u32(b, (uint32_t)len_of(i));
	tdat_build_bytes(b, packed, n);
}

/* An extent from OFF on; its parts are changed by the tests before they open it. */
static void start(struct made *m, bool big, uint32_t count)
{
	memset(m, 0, sizeof(*m));
	tdat_build_init(&m->b, big);
	tdat_build_fill(&m->b, 0xee, OFF);
	tdat_build_u32(&m->b, count);
	for (unsigned int i = 0; i < CHUNKS; i++)
		put_chunk(&m->b, i);
	m->ix.big = big;
	m->ix.codec = &tdat_codec_zlib;
	m->ix.chunked_count = 1;
	m->ix.limits = (struct tdat_limits){.size = sizeof(struct tdat_limits),
					    .section_len = 1 << 20,
					    .chunk_len = 1 << 20,
					    .text_ratio = 10,
					    .data_ratio = 10};
}

/* len: of the extent; extra: bytes that follow it in the file. */
static enum tdat_status open_extent(struct made *m, uint64_t len)
{
	ck_assert(!m->b.failed);
	ck_assert_int_eq(tdat_source_open_memory(&m->src, m->b.ptr, m->b.len, "made", NULL),
			 TDAT_OK);
	m->ix.src = m->src;
	return dat_chunks_init(&m->c, &m->ix, OFF, len, &m->err);
}

static void finish(struct made *m)
{
	tdat_arena_fini(&m->ix.arena);
	tdat_source_close(m->src);
	tdat_build_fini(&m->b);
}

static void next_is(struct made *m, unsigned int i, struct dat_inflater *inflater)
{
	uint8_t out[4000];
	bool more;

	ck_assert_int_eq(dat_chunks_next(&m->c, &more, &m->err), TDAT_OK);
	ck_assert(more);
	ck_assert_uint_eq(m->c.out_len, len_of(i));
	ck_assert_int_eq(dat_chunks_inflate(&m->c, inflater, out, &m->err), TDAT_OK);
	for (size_t k = 0; k < len_of(i); k++)
		ck_assert_int_eq(out[k], 'a' + (int)i);
}

static void next_fails(struct made *m, enum tdat_status st, const char *words)
{
	bool more = true;

	ck_assert_int_eq(dat_chunks_next(&m->c, &more, &m->err), st);
	ck_assert(!more);
	ck_assert_msg(strstr(m->err.message, words) != NULL, "%s", m->err.message);
	/* The walk is over, and is so when asked again. */
	ck_assert_int_eq(dat_chunks_next(&m->c, &more, &m->err), TDAT_OK);
	ck_assert(!more);
}

/* The chunks from that one on follow, and nothing behind the last. */
static void rest_is_whole(struct made *m, unsigned int from, struct dat_inflater *inflater)
{
	bool more;

	for (unsigned int i = from; i < CHUNKS; i++)
		next_is(m, i, inflater);
	ck_assert_int_eq(dat_chunks_next(&m->c, &more, &m->err), TDAT_OK);
	ck_assert(!more);
	ck_assert_int_eq(dat_chunks_rest(&m->c, &m->err), TDAT_OK);
}

/* _i: bit 0 byte order of the file, bit 1 the count is in the other. */
START_TEST(walk)
{
	struct dat_inflater inflater = {.in = NULL};
	struct made m;

	start(&m, _i & 1, _i & 2 ? __builtin_bswap32(CHUNKS) : CHUNKS);
	m.ix.mixed_order = _i & 2;
	ck_assert_int_eq(open_extent(&m, m.b.len - OFF), TDAT_OK);
	rest_is_whole(&m, 0, &inflater);
	dat_inflater_fini(&inflater);
	finish(&m);
}
END_TEST

/* A listener's files leave the count out of the length; any other difference is damage. */
START_TEST(rest)
{
	struct dat_inflater inflater = {.in = NULL};
	struct made m;

	for (uint64_t extra = 0; extra < 12; extra++) {
		start(&m, false, CHUNKS);
		tdat_build_fill(&m.b, 0, 40);
		ck_assert_int_eq(open_extent(&m, m.b.len - OFF - 40 - 4 + extra), TDAT_OK);
		for (unsigned int i = 0; i < CHUNKS; i++)
			next_is(&m, i, &inflater);
		ck_assert_int_eq(dat_chunks_rest(&m.c, &m.err),
				 extra && extra != 4 ? TDAT_E_DAMAGED : TDAT_OK);
		finish(&m);
	}
	dat_inflater_fini(&inflater);
}
END_TEST

START_TEST(cut)
{
	struct dat_inflater inflater = {.in = NULL};
	uint8_t out[4000];
	struct made m;
	bool more;

	for (uint64_t len = 0; len < 4; len++) {
		start(&m, false, CHUNKS);
		ck_assert_int_eq(open_extent(&m, len), TDAT_E_DAMAGED);
		finish(&m);
	}
	start(&m, false, CHUNKS + 1); /* one more than there are */
	ck_assert_int_eq(open_extent(&m, m.b.len - OFF), TDAT_OK);
	for (unsigned int i = 0; i < CHUNKS; i++)
		next_is(&m, i, &inflater);
	next_fails(&m, TDAT_E_DAMAGED, "1 more compressed chunks");
	finish(&m);

	start(&m, false, CHUNKS); /* the file ends within the last */
	m.b.len -= 9;
	ck_assert_int_eq(open_extent(&m, m.b.len - OFF + 9), TDAT_OK);
	next_is(&m, 0, &inflater);
	next_is(&m, 1, &inflater);
	ck_assert_int_eq(dat_chunks_next(&m.c, &more, &m.err), TDAT_E_DAMAGED);
	ck_assert_uint_gt(m.c.in_len, 0);
	ck_assert_uint_le(dat_chunks_inflate_part(&m.c, out), len_of(2));
	finish(&m);
	dat_inflater_fini(&inflater);
}
END_TEST

START_TEST(claims)
{
	struct made m;

	start(&m, false, CHUNKS); /* stored length */
	tdat_store32(m.b.ptr + OFF + 4, UINT32_MAX, false);
	ck_assert_int_eq(open_extent(&m, m.b.len - OFF), TDAT_OK);
	next_fails(&m, TDAT_E_DAMAGED, "claims 4294967295 bytes");
	finish(&m);

	start(&m, false, CHUNKS); /* inflated length: one more than the limit */
	tdat_store32(m.b.ptr + OFF + 8, (1 << 20) + 1, false);
	ck_assert_int_eq(open_extent(&m, m.b.len - OFF), TDAT_OK);
	next_fails(&m, TDAT_E_LIMIT, "limit chunk_len");
	finish(&m);

	start(&m, false, CHUNKS); /* more than a file of this length may have */
	m.ix.limits.chunk_len = UINT32_MAX;
	tdat_store32(m.b.ptr + OFF + 8, 40 << 20, false);
	ck_assert_int_eq(open_extent(&m, m.b.len - OFF), TDAT_OK);
	next_fails(&m, TDAT_E_LIMIT, "limit data_ratio");
	finish(&m);

	start(&m, false, CHUNKS); /* a ratio without end is none */
	m.ix.limits.chunk_len = UINT32_MAX;
	m.ix.limits.data_ratio = UINT32_MAX;
	tdat_store32(m.b.ptr + OFF + 8, 40 << 20, false);
	ck_assert_int_eq(open_extent(&m, m.b.len - OFF), TDAT_OK);
	ck_assert_int_eq(dat_chunks_next(&m.c, &(bool){false}, &m.err), TDAT_OK);
	finish(&m);
}
END_TEST

/* _i: 0 one byte less than it inflates to is promised, 1 one more, 2 garbled. */
START_TEST(wrong_length)
{
	struct dat_inflater inflater = {.in = NULL};
	uint8_t out[4000];
	struct made m;
	bool more;

	start(&m, false, CHUNKS);
	if (_i < 2)
		tdat_store32(m.b.ptr + OFF + 8, (uint32_t)len_of(0) + (_i ? 1u : -1u), false);
	else
		m.b.ptr[OFF + 12] ^= 0xff;
	ck_assert_int_eq(open_extent(&m, m.b.len - OFF), TDAT_OK);
	ck_assert_int_eq(dat_chunks_next(&m.c, &more, &m.err), TDAT_OK);
	ck_assert_int_eq(dat_chunks_inflate(&m.c, &inflater, out, &m.err), TDAT_E_DAMAGED);
	ck_assert_uint_eq(m.err.off, OFF + 4);
	ck_assert_uint_eq(dat_chunks_inflate_part(&m.c, out),
			  _i == 2 ? 0 : len_of(0) - (_i ? 0 : 1));
	next_is(&m, 1, &inflater); /* the next is not harmed */
	dat_inflater_fini(&inflater);
	finish(&m);
}
END_TEST

/* The length of the first chunk, and the number of chunks, as a broken file gives them. */
static const struct wrong {
	int64_t more; /* than there are; INT64_MIN: as many as take in the second chunk */
	uint32_t count;
} wrongs[] = {
	{1, 3},		{-1, 3},	{9, 3},		{-9, 3}, {1 << 20, 3}, {UINT32_MAX / 2, 3},
	{INT64_MIN, 3}, {INT64_MIN, 2}, {INT64_MIN, 1},
};

START_TEST(mended)
{
	const struct wrong *wrong = &wrongs[_i];
	struct dat_inflater inflater = {.in = NULL};
	uint8_t out[4000];
	struct made m;
	uint32_t len, second;
	bool more;

	start(&m, false, wrong->count);
	len = tdat_load32(m.b.ptr + OFF + 4, false);
	second = 8 + tdat_load32(m.b.ptr + OFF + 12 + len, false);
	tdat_store32(m.b.ptr + OFF + 4,
		     (uint32_t)(len + (wrong->more == INT64_MIN ? second : wrong->more)), false);
	ck_assert_int_eq(open_extent(&m, m.b.len - OFF), TDAT_OK);
	if (dat_chunks_next(&m.c, &more, &m.err) == TDAT_OK)
		ck_assert_int_eq(dat_chunks_inflate(&m.c, &inflater, out, &m.err), TDAT_E_DAMAGED);
	ck_assert(dat_chunks_mend(&m.c, out));
	for (size_t k = 0; k < len_of(0); k++)
		ck_assert_int_eq(out[k], 'a');
	rest_is_whole(&m, 1, &inflater);
	dat_inflater_fini(&inflater);
	finish(&m);
}
END_TEST

/* Broken data, or data that no chunk follows, is not taken for a chunk of another length. */
START_TEST(not_mended)
{
	struct dat_inflater inflater = {.in = NULL};
	uint8_t out[4000];
	struct made m;
	bool more;

	start(&m, false, CHUNKS);
	m.b.ptr[OFF + 20] ^= 0xff;
	ck_assert_int_eq(open_extent(&m, m.b.len - OFF), TDAT_OK);
	ck_assert_int_eq(dat_chunks_next(&m.c, &more, &m.err), TDAT_OK);
	ck_assert(!dat_chunks_mend(&m.c, out));
	next_is(&m, 1, &inflater);
	finish(&m);

	start(&m, false, CHUNKS);
	tdat_store32(m.b.ptr + OFF + 4, tdat_load32(m.b.ptr + OFF + 4, false) + 1, false);
	memset(m.b.ptr + OFF + 12 + tdat_load32(m.b.ptr + OFF + 4, false) - 1, 0, 8);
	ck_assert_int_eq(open_extent(&m, m.b.len - OFF), TDAT_OK);
	ck_assert_int_eq(dat_chunks_next(&m.c, &more, &m.err), TDAT_OK);
	ck_assert_int_eq(dat_chunks_inflate(&m.c, &inflater, out, &m.err), TDAT_E_DAMAGED);
	ck_assert(!dat_chunks_mend(&m.c, out));
	ck_assert_uint_eq(dat_chunks_inflate_part(&m.c, out), len_of(0));
	finish(&m);
	dat_inflater_fini(&inflater);
}
END_TEST

static enum tdat_status inflate_all(struct made *m, uint64_t len, struct tdat_span *out)
{
	open_extent(m, m->b.len - OFF);
	return dat_chunk_inflate_all(&m->ix, OFF, len, "the text", out, &m->err);
}

START_TEST(all_at_once)
{
	const size_t sum = len_of(0) + len_of(1) + len_of(2);
	struct tdat_span out;
	struct made m;

	start(&m, true, CHUNKS);
	ck_assert_int_eq(inflate_all(&m, m.b.len - OFF, &out), TDAT_OK);
	ck_assert_uint_eq(out.len, sum);
	ck_assert_int_eq(out.ptr[0], 'a');
	ck_assert_int_eq(out.ptr[sum - 1], 'c');
	ck_assert_uint_eq(m.ix.inflated_len, sum);
	finish(&m);

	start(&m, true, CHUNKS);
	m.ix.limits.section_len = sum;
	ck_assert_int_eq(inflate_all(&m, m.b.len - OFF, &out), TDAT_OK);
	finish(&m);
	start(&m, true, CHUNKS);
	m.ix.limits.section_len = sum - 1;
	ck_assert_int_eq(inflate_all(&m, m.b.len - OFF, &out), TDAT_E_LIMIT);
	ck_assert_ptr_nonnull(strstr(m.err.message, "section_len"));
	finish(&m);

	start(&m, true, CHUNKS);
	m.ix.codec = NULL;
	ck_assert_int_eq(inflate_all(&m, m.b.len - OFF, &out), TDAT_E_DAMAGED);
	finish(&m);
	start(&m, true, CHUNKS); /* past the end, and past the end of numbers */
	ck_assert_int_eq(inflate_all(&m, m.b.len - OFF + 1, &out), TDAT_E_DAMAGED);
	ck_assert_int_eq(dat_chunk_inflate_all(&m.ix, OFF, UINT64_MAX, "the text", &out, &m.err),
			 TDAT_E_DAMAGED);
	ck_assert_int_eq(dat_chunk_inflate_all(&m.ix, UINT64_MAX, 8, "the text", &out, &m.err),
			 TDAT_E_DAMAGED);
	finish(&m);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("chunk");
	TCase *t = tcase_create("chunk");

	tcase_add_loop_test(t, walk, 0, 4);
	tcase_add_test(t, rest);
	tcase_add_test(t, cut);
	tcase_add_test(t, claims);
	tcase_add_loop_test(t, wrong_length, 0, 3);
	tcase_add_loop_test(t, mended, 0, sizeof(wrongs) / sizeof(wrongs[0]));
	tcase_add_test(t, not_mended);
	tcase_add_test(t, all_at_once);
	suite_add_tcase(s, t);
	return run_suite(s);
}
