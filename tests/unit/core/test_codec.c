/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Codecs give back what they got, with kept memory and without, in the form that zlib's and
 * zstd's own functions read and write; what is cut, garbled or of another length is told.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "../common/run.h"
#include "core/codec.h"

enum { LEN = 400000 }; /* more than a block of zstd */

static const struct tdat_codec *const codecs[] = {&tdat_codec_zlib, &tdat_codec_zstd};
static uint8_t plain[LEN + 1], packed[2 * LEN], out[LEN + 1];

/* Text that compresses, then noise that does not. */
static void make_plain(void)
{
	uint64_t x = 42;

	for (size_t i = 0; i < LEN; i++) {
		x = x * 6364136223846793005u + 1442695040888963407u;
		plain[i] = i < LEN / 2 ? (uint8_t)("events "[i % 7]) : (uint8_t)(x >> 56);
	}
}

static size_t pack(const struct tdat_codec *c, void *state, size_t len, int level)
{
	size_t n = sizeof(packed);
	const char *why = NULL;

	ck_assert_uint_le(c->bound(len), sizeof(packed));
	ck_assert_msg(!c->deflate(state, plain, len, packed, &n, level, &why), "%s", why);
	ck_assert_uint_le(n, c->bound(len));
	return n;
}

/* The library's own function reads what we wrote. */
static void read_by_library(const struct tdat_codec *c, size_t n, size_t len)
{
	uLongf got = sizeof(out);

	memset(out, 0, sizeof(out));
	if (c == &tdat_codec_zlib)
		ck_assert_int_eq(uncompress(out, &got, packed, n), Z_OK);
	else
		got = ZSTD_decompress(out, sizeof(out), packed, n);
	ck_assert_uint_eq(got, len);
	ck_assert_mem_eq(out, plain, len);
}

START_TEST(there_and_back)
{
	static const size_t lens[] = {0, 1, 2, 100, 4096, LEN};
	const struct tdat_codec *c = codecs[_i];
	void *in_state = c->inflate_new(), *out_state = c->deflate_new();
	const char *why = NULL;

	make_plain();
	for (size_t i = 0; i < sizeof(lens) / sizeof(lens[0]); i++)
		for (int level = 1; level <= 9; level += 4)
			for (int kept = 0; kept < 2; kept++) {
				size_t n = pack(c, kept ? out_state : NULL, lens[i], level);

				read_by_library(c, n, lens[i]);
				memset(out, 0xee, sizeof(out));
				ck_assert_msg(!c->inflate(kept ? in_state : NULL, packed, n, out,
							  lens[i], &why),
					      "%s", why);
				ck_assert_mem_eq(out, plain, lens[i]);
				ck_assert_uint_eq(out[lens[i]], 0xee);
			}
	ck_assert_str_ne(c->version(), "");
	c->inflate_free(in_state);
	c->deflate_free(out_state);
	c->inflate_free(NULL);
	c->deflate_free(NULL);
}
END_TEST

/* What is stored is read by all, and longer than what it holds. */
START_TEST(stored)
{
	static const size_t lens[] = {0, 1, 4096, 128 << 10, (128 << 10) + 1, LEN};
	const struct tdat_codec *c = codecs[_i];
	const char *why = NULL;

	make_plain();
	for (size_t i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
		size_t n = c->bound(lens[i]);

		ck_assert(!c->store(plain, lens[i], packed, &n));
		ck_assert_uint_le(n, c->bound(lens[i]));
		ck_assert_uint_gt(n, lens[i]);
		read_by_library(c, n, lens[i]);
		ck_assert(!c->inflate(NULL, packed, n, out, lens[i], &why));
		n = lens[i];
		ck_assert(c->store(plain, lens[i], packed, &n));
	}
}
END_TEST

static void fails(const struct tdat_codec *c, void *state, size_t n, size_t promised,
		  const char *words)
{
	const char *why = NULL;

	ck_assert(c->inflate(state, packed, n, out, promised, &why));
	ck_assert_ptr_nonnull(why);
	if (words)
		ck_assert_msg(strstr(why, words) != NULL, "%s", why);
}

/* Kept memory is good for the next chunk after each failure. */
START_TEST(failures)
{
	const struct tdat_codec *c = codecs[_i];
	void *state = c->inflate_new();
	const char *why;
	size_t n, room;

	make_plain();
	for (int kept = 0; kept < 2; kept++) {
		void *s = kept ? state : NULL;

		n = pack(c, NULL, LEN, c->default_level);
		fails(c, s, n, LEN - 1, "more bytes than the file states");
		fails(c, s, n, LEN + 1, "fewer bytes than the file states");
		fails(c, s, n, 0, NULL);
		for (size_t cut = 0; cut < n; cut += n / 23)
			fails(c, s, cut, LEN, NULL);
		packed[0] ^= 0xff;
		fails(c, s, n, LEN, NULL);
		packed[0] ^= 0xff;
		ck_assert(!c->inflate(s, packed, n, out, LEN, &why));
	}
	for (room = 0; room < n; room += n / 11) { /* too little room to compress into */
		size_t used = room;

		why = NULL;
		ck_assert(c->deflate(NULL, plain, LEN, packed, &used, 1, &why));
		ck_assert_ptr_nonnull(why);
	}
	c->inflate_free(state);
}
END_TEST

START_TEST(parts)
{
	const struct tdat_codec *c = codecs[_i];
	const char *why;
	size_t n, end, before = 0;

	make_plain();
	n = pack(c, NULL, LEN, c->default_level);
	ck_assert_uint_eq(c->inflate_part(packed, n, out, LEN, &end), LEN);
	ck_assert_mem_eq(out, plain, LEN);
	ck_assert_uint_eq(end, n);
	memset(packed + n, 0x55, 20); /* other bytes behind the stream */
	ck_assert_int_ne(c->inflate(NULL, packed, n + 20, out, LEN, &why), 0);
	ck_assert_uint_eq(c->inflate_part(packed, n + 20, out, LEN, &end), LEN);
	ck_assert_uint_eq(end, n);
	ck_assert_uint_eq(c->inflate_part(packed, n, out, 100, &end), 100); /* of longer data */
	ck_assert_uint_eq(end, 0);
	ck_assert_mem_eq(out, plain, 100);
	for (size_t cut = 0; cut <= n; cut += n / 29) {
		size_t got = c->inflate_part(packed, cut, out, LEN, &end);

		ck_assert_uint_ge(got, before);
		ck_assert_mem_eq(out, plain, got);
		before = got;
	}
	ck_assert_uint_gt(before, LEN / 4);
	memset(packed, 0x55, n);
	ck_assert_uint_eq(c->inflate_part(packed, n, out, LEN, &end), 0);
	ck_assert_uint_eq(c->inflate_part(packed, 0, out, LEN, &end), 0);
}
END_TEST

/* One inflater for chunks of both kinds, in turn. */
START_TEST(inflater)
{
	struct tdat_inflater in = {NULL, NULL};
	const char *why = NULL;

	make_plain();
	for (int round = 0; round < 6; round++) {
		const struct tdat_codec *c = codecs[round / 2 % 2];
		size_t n = pack(c, NULL, LEN / 2, 1);

		ck_assert_msg(!tdat_inflater_run(&in, c, packed, n, out, LEN / 2, &why), "%s", why);
		ck_assert_mem_eq(out, plain, LEN / 2);
		ck_assert_ptr_eq(in.codec, c);
		ck_assert(tdat_inflater_run(&in, codecs[!(round / 2 % 2)], packed, n, out, LEN / 2,
					    &why));
	}
	tdat_inflater_fini(&in);
	tdat_inflater_fini(&in);
}
END_TEST

START_TEST(names)
{
	ck_assert_ptr_eq(tdat_codec_find("zlib"), &tdat_codec_zlib);
	ck_assert_ptr_eq(tdat_codec_find("zstd"), &tdat_codec_zstd);
	ck_assert_ptr_null(tdat_codec_find("none"));
	ck_assert_ptr_null(tdat_codec_find(""));
	ck_assert_ptr_null(tdat_codec_find("zlib "));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("codec");
	TCase *t = tcase_create("codec");

	tcase_add_loop_test(t, there_and_back, 0, 2);
	tcase_add_loop_test(t, stored, 0, 2);
	tcase_add_loop_test(t, failures, 0, 2);
	tcase_add_loop_test(t, parts, 0, 2);
	tcase_add_test(t, inflater);
	tcase_add_test(t, names);
	suite_add_tcase(s, t);
	return run_suite(s);
}
