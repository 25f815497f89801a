/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pages byte by byte, as the kernel would have made them. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../common/run.h"
#include "write/page_build.h"

static const uint8_t payload[256] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

static struct tdat_span span(size_t len)
{
	struct tdat_span s = {payload, len};

	return s;
}

static void start(struct write_page *p, uint8_t *buf, const struct write_page_shape *shape,
		  uint64_t ts, int64_t lost)
{
	memset(p, 0, sizeof(*p));
	memset(buf, 0xee, shape->size);
	p->buf = buf;
	write_page_start(p, shape, ts, lost);
}

START_TEST(little_64)
{
	static const uint8_t want[] = {
		0x10, 0, 0, 0, 0, 0, 0, 0x20, 32, 0, 0, 0, 0, 0,  0,  0,  /* stamp, commit */
		0x03, 0, 0, 0, 1, 2, 3, 4,    5,  6, 7, 8, 9, 10, 11, 12, /* 12 bytes, delta 0 */
		0xa3, 0, 0, 0, 1, 2, 3, 4,    5,  6, 7, 8, 9, 0,  0,  0,  /* 9 bytes, delta 5 */
	};
	const struct write_page_shape shape = {256, 8, false, 16};
	struct write_page p;
	uint8_t buf[256];

	start(&p, buf, &shape, 0x2000000000000010, 0);
	write_page_put(&p, &shape, 0x2000000000000010, span(12));
	write_page_put(&p, &shape, 0x2000000000000015, span(9));
	write_page_seal(&p, &shape);
	ck_assert_mem_eq(buf, want, sizeof(want));
	for (size_t i = sizeof(want); i < sizeof(buf); i++)
		ck_assert_uint_eq(buf[i], 0);
}
END_TEST

START_TEST(big_32)
{
	static const uint8_t want[] = {
		0,    0, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 32, /* stamp, commit */
		0x18, 0, 0, 0, 1, 2, 3, 4,    5, 6, 7, 8,  9, 10, 11, 12, 0x18,
		0,    0, 5, 1, 2, 3, 4, 5,    6, 7, 8, 9,  0, 0,  0,  0,
	};
	const struct write_page_shape shape = {256, 4, true, 12};
	struct write_page p;
	uint8_t buf[256];

	start(&p, buf, &shape, 16, 0);
	write_page_put(&p, &shape, 16, span(12));
	write_page_put(&p, &shape, 21, span(9));
	write_page_seal(&p, &shape);
	ck_assert_mem_eq(buf, want, sizeof(want));
}
END_TEST

/* Kernels of 32 bits that align data by 8 have 4 bytes behind the commit. */
START_TEST(wider_head)
{
	static const uint8_t want[] = {
		16,   0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 0, 0,  0,  0, /* stamp, commit, nothing */
		0x03, 0, 0, 0, 1, 2, 3, 4, 5,  6, 7, 8, 9, 10, 11, 12,
	};
	const struct write_page_shape shape = {256, 4, false, 16};
	struct write_page p;
	uint8_t buf[256];

	start(&p, buf, &shape, 16, 0);
	write_page_put(&p, &shape, 16, span(12));
	write_page_seal(&p, &shape);
	ck_assert_mem_eq(buf, want, sizeof(want));
	ck_assert_uint_eq(write_page_room(&shape), 240);
}
END_TEST

/* A gap of 2^27 and more takes a time extend, and the event has delta 0. */
START_TEST(time_extend)
{
	static const uint8_t want[] = {
		0x03, 0,    0,	  0,	1,    2,    3,	  4,	5, 6, 7, 8, 9, 10, 11, 12,
		0xe3, 0xff, 0xff, 0xff, 1,    2,    3,	  4,	5, 6, 7, 8, 9, 10, 11, 12,
		0x7e, 0,    0,	  0,	1,    0,    0,	  0, /* 30, 2^27 + 3 */
		0x03, 0,    0,	  0,	1,    2,    3,	  4,	5, 6, 7, 8, 9, 10, 11, 12,
		0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, /* 2^59 - 1 */
		0x03, 0,    0,	  0,	1,    2,    3,	  4,	5, 6, 7, 8, 9, 10, 11, 12,
	};
	const struct write_page_shape shape = {256, 8, false, 16};
	struct write_page p;
	uint8_t buf[256];

	start(&p, buf, &shape, 0, 0);
	write_page_put(&p, &shape, 0, span(12));
	write_page_put(&p, &shape, (1 << 27) - 1, span(12));
	write_page_put(&p, &shape, (2ll << 27) + 2, span(12));
	ck_assert(write_page_fits(&p, &shape, p.ts + (1ull << 59) - 1, 12));
	ck_assert(!write_page_fits(&p, &shape, p.ts + (1ull << 59), 12));
	ck_assert(!write_page_fits(&p, &shape, p.ts - 1, 12));
	write_page_put(&p, &shape, p.ts + (1ull << 59) - 1, span(12));
	write_page_seal(&p, &shape);
	ck_assert_mem_eq(buf + 16, want, sizeof(want));
	ck_assert_uint_eq(buf[8], sizeof(want));
}
END_TEST

/* type_len reaches 28 words; longer payloads have array[0], which counts itself. */
START_TEST(long_payload)
{
	const struct write_page_shape shape = {512, 8, false, 16};
	struct write_page p;
	uint8_t buf[512];

	start(&p, buf, &shape, 0, 0);
	write_page_put(&p, &shape, 0, span(112));
	write_page_put(&p, &shape, 0, span(113));
	write_page_seal(&p, &shape);
	ck_assert_uint_eq(buf[16], 28);
	ck_assert_uint_eq(buf[16 + 116], 0);
	ck_assert_uint_eq(buf[16 + 116 + 4], 120);
	ck_assert_mem_eq(buf + 16 + 116 + 8, payload, 113);
	ck_assert_uint_eq(p.len, 116 + 8 + 116);
	ck_assert_uint_eq(write_page_need(112), 116);
	ck_assert_uint_eq(write_page_need(113), 8 + 116);
}
END_TEST

/* A record of 8 bytes in all would look like a discarded time extend. */
START_TEST(short_payload)
{
	ck_assert_uint_eq(write_page_need(0), 12);
	ck_assert_uint_eq(write_page_need(4), 12);
	ck_assert_uint_eq(write_page_need(5), 12);
	ck_assert_uint_eq(write_page_need(9), 16);
}
END_TEST

START_TEST(lost_events)
{
	static const uint8_t counted[] = {16, 0, 0, 0xc0, 0xff, 0xff, 0xff, 0xff};
	static const uint8_t unknown[] = {16, 0, 0, 0x80, 0xff, 0xff, 0xff, 0xff};
	static const uint8_t count[] = {0x44, 0x33, 0x22, 0x11, 0, 0, 0, 0};
	static const uint8_t big[] = {0xc0, 0, 0, 16};
	struct write_page_shape shape = {256, 8, false, 16};
	struct write_page p;
	uint8_t buf[256];

	start(&p, buf, &shape, 0, 0x11223344);
	write_page_put(&p, &shape, 0, span(12));
	write_page_seal(&p, &shape);
	ck_assert_mem_eq(buf + 8, counted, 8);
	ck_assert_mem_eq(buf + 32, count, 8);

	start(&p, buf, &shape, 0, -1);
	write_page_put(&p, &shape, 0, span(12));
	write_page_seal(&p, &shape);
	ck_assert_mem_eq(buf + 8, unknown, 8);
	ck_assert_uint_eq(buf[32], 0);

	shape = (struct write_page_shape){256, 4, true, 12};
	start(&p, buf, &shape, 0, 0x11223344);
	write_page_put(&p, &shape, 0, span(12));
	write_page_seal(&p, &shape);
	ck_assert_mem_eq(buf + 8, big, 4);
	ck_assert_uint_eq(buf[28], 0x11);
}
END_TEST

/* Later events leave the count its room; a first one may take it. */
START_TEST(lost_room)
{
	const struct write_page_shape shape = {256, 8, false, 16};
	struct write_page p;
	uint8_t buf[256];

	start(&p, buf, &shape, 0, 5);
	write_page_put(&p, &shape, 0, span(12));
	ck_assert(write_page_fits(&p, &shape, 0, 240 - 16 - 8 - 8));
	ck_assert(!write_page_fits(&p, &shape, 0, 240 - 16 - 8 - 8 + 1));
	start(&p, buf, &shape, 0, 5);
	write_page_put(&p, &shape, 0, span(240 - 8));
	write_page_seal(&p, &shape);
	ck_assert_uint_eq(buf[11], 0x80);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("page_build");
	TCase *tc = tcase_create("pages");

	tcase_add_test(tc, little_64);
	tcase_add_test(tc, big_32);
	tcase_add_test(tc, wider_head);
	tcase_add_test(tc, time_extend);
	tcase_add_test(tc, long_payload);
	tcase_add_test(tc, short_payload);
	tcase_add_test(tc, lost_events);
	tcase_add_test(tc, lost_room);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
