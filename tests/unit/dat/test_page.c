/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ring-buffer pages made byte by byte from the format's description. */
#include <check.h>
#include <stdlib.h>

#include "../common/run.h"
#include "core/build.h"
#include "dat/hidden.h"
#include "dat/page.h"

enum { PAGE = 256 };

struct made {
	struct tdat_build b;
	struct dat_page_layout layout;
};

static void start(struct made *m, bool big, uint8_t commit_size, uint64_t ts)
{
	tdat_build_init(&m->b, big);
	m->layout = (struct dat_page_layout){
		.big = big, .commit_size = commit_size, .data_off = 8u + commit_size};
	tdat_build_u64(&m->b, ts);
	tdat_build_fill(&m->b, 0, commit_size);
}

static void word(struct made *m, uint32_t type, uint32_t delta)
{
	tdat_build_u32(&m->b, m->b.big ? type << 27 | delta : delta << 5 | type);
}

/* flags: of commit; the page is filled up with zeros. */
static void finish(struct made *m, uint64_t flags)
{
	uint64_t commit = (m->b.len - m->layout.data_off) | flags;

	if (m->layout.commit_size == 8)
		tdat_store64(m->b.ptr + 8, commit, m->b.big);
	else
		tdat_store32(m->b.ptr + 8, (uint32_t)commit, m->b.big);
}

static void fill_up(struct made *m)
{
	tdat_build_fill(&m->b, 0, PAGE - m->b.len);
	ck_assert(!m->b.failed);
}

static void open_page(struct made *m, struct dat_page *page)
{
	const char *why;

	fill_up(m);
	ck_assert(dat_page_open(page, m->b.ptr, m->b.len, &m->layout, &why));
	ck_assert_ptr_null(why);
}

static void expect_record(struct made *m, struct dat_page *page, uint64_t ts, uint32_t len,
			  uint8_t first)
{
	struct dat_record rec;
	const char *why = NULL;

	ck_assert_int_eq(dat_page_next(page, &m->layout, &rec, &why), DAT_PAGE_RECORD);
	ck_assert_uint_eq(page->ts, ts);
	ck_assert_uint_eq(rec.len, len);
	ck_assert_uint_eq(rec.data[0], first);
}

static void expect_end(struct made *m, struct dat_page *page, enum dat_page_result r)
{
	struct dat_record rec;
	const char *why = NULL;

	ck_assert_int_eq(dat_page_next(page, &m->layout, &rec, &why), r);
	ck_assert(r == DAT_PAGE_END || why);
	tdat_build_fini(&m->b);
}

/* _i: bit 0 byte order, bit 1 width of commit. */
START_TEST(all_kinds)
{
	struct dat_page page;
	struct made m;

	start(&m, _i & 1, _i & 2 ? 4 : 8, 1000);
	word(&m, 1, 5); /* 4 bytes */
	tdat_build_fill(&m.b, 'a', 4);
	word(&m, 28, 0); /* 112 bytes */
	tdat_build_fill(&m.b, 'b', 112);
	word(&m, 30, 7); /* time extend */
	tdat_build_u32(&m.b, 3);
	word(&m, 0, 1); /* long record of 6 bytes, in 8 */
	tdat_build_u32(&m.b, 10);
	tdat_build_fill(&m.b, 'c', 8);
	word(&m, 29, 2); /* discarded event of 4 + 8 bytes */
	tdat_build_u32(&m.b, 12);
	tdat_build_fill(&m.b, 'x', 8);
	word(&m, 31, 9); /* absolute stamp */
	tdat_build_u32(&m.b, 1000);
	word(&m, 2, 1);
	tdat_build_fill(&m.b, 'd', 8);
	finish(&m, 0);
	open_page(&m, &page);
	ck_assert_int_eq(page.lost, 0);
	expect_record(&m, &page, 1005, 4, 'a');
	expect_record(&m, &page, 1005, 112, 'b');
	expect_record(&m, &page, 1005 + (3ull << 27) + 7 + 1, 8, 'c');
	expect_record(&m, &page, (1000ull << 27) + 9 + 1, 8, 'd');
	expect_end(&m, &page, DAT_PAGE_END);
}
END_TEST

START_TEST(lost_events)
{
	struct dat_page page;
	struct made m;

	start(&m, _i & 1, _i & 2 ? 4 : 8, 1);
	word(&m, 1, 0);
	tdat_build_fill(&m.b, 'a', 4);
	/* 64-bit kernels extend the sign of bit 31. */
	finish(&m, _i & 2 ? 0xc0000000u : 0xffffffffc0000000ull);
	if (_i & 2)
		tdat_build_u32(&m.b, 71136);
	else
		tdat_build_u64(&m.b, 71136);
	open_page(&m, &page);
	ck_assert_int_eq(page.lost, 71136);
	expect_record(&m, &page, 1, 4, 'a');
	expect_end(&m, &page, DAT_PAGE_END);

	start(&m, _i & 1, 8, 1);
	finish(&m, 1u << 31);
	open_page(&m, &page);
	ck_assert_int_eq(page.lost, -1);
	expect_end(&m, &page, DAT_PAGE_END);
}
END_TEST

START_TEST(stamp_top_bits)
{
	const uint64_t top = 0xf8ull << 56;
	struct dat_page page;
	struct made m;

	/* The 59 bits wrapped since the page's stamp. */
	start(&m, false, 8, (1ull << 59) | 0x7ffffffffffffffull);
	word(&m, 31, 5);
	tdat_build_u32(&m.b, 0);
	word(&m, 1, 0);
	tdat_build_fill(&m.b, 'a', 4);
	finish(&m, 0);
	open_page(&m, &page);
	expect_record(&m, &page, (2ull << 59) + 5, 4, 'a');
	ck_assert_uint_eq(page.ts & top, 2ull << 59);
	expect_end(&m, &page, DAT_PAGE_END);
}
END_TEST

/* Each breaks a page that starts with one good record; _i picks the break. */
START_TEST(damage)
{
	struct dat_page page;
	struct made m;

	start(&m, false, 8, 1);
	word(&m, 1, 0);
	tdat_build_fill(&m.b, 'a', 4);
	switch (_i) {
	case 0: /* reaches past the data */
		word(&m, 28, 0);
		break;
	case 1: /* length below 4 */
		word(&m, 0, 0);
		tdat_build_u32(&m.b, 3);
		break;
	case 2: /* huge length */
		word(&m, 0, 0);
		tdat_build_u32(&m.b, 0xfffffff0u);
		break;
	case 3: /* padding that never ends for others */
		word(&m, 29, 1);
		tdat_build_u32(&m.b, 0xfffffffcu);
		break;
	case 4: /* padding without its length word */
		word(&m, 29, 1);
		break;
	case 5: /* half a time extend */
		word(&m, 30, 1);
		break;
	case 6: /* half a header */
		tdat_build_u16(&m.b, 1);
		break;
	case 7: /* padding up to the middle of a word */
		word(&m, 29, 1);
		tdat_build_u32(&m.b, 6);
		tdat_build_u32(&m.b, 0);
		break;
	}
	finish(&m, 0);
	open_page(&m, &page);
	expect_record(&m, &page, 1, 4, 'a');
	expect_end(&m, &page, DAT_PAGE_DAMAGED);
}
END_TEST

START_TEST(commit_beyond)
{
	struct dat_page page;
	const char *why;
	struct made m;

	start(&m, false, 8, 1);
	word(&m, 1, 0);
	tdat_build_fill(&m.b, 'a', 4);
	fill_up(&m);
	tdat_store64(m.b.ptr + 8, 100000, false);
	ck_assert(dat_page_open(&page, m.b.ptr, m.b.len, &m.layout, &why));
	ck_assert_ptr_nonnull(why);
	ck_assert_uint_eq(page.len, PAGE - 16);
	expect_record(&m, &page, 1, 4, 'a');
	tdat_build_fini(&m.b);
	ck_assert(!dat_page_open(&page, (const uint8_t *)"0123456789", 10, &m.layout, &why));
}
END_TEST

/* ---- records that take in those behind them ---- */

enum { EXACT = 1, SPARE = 2, UNTOLD = 3, UNKNOWN = 9 };

/* Records of EXACT and SPARE have 12 bytes; of SPARE 16 bytes more that are anything. */
static bool find_end(const void *ctx, uint32_t id, const uint8_t *record, uint32_t len,
		     struct dat_record_end *end)
{
	(void)ctx;
	(void)record;
	(void)len;
	*end = (struct dat_record_end){
		.off = id == UNTOLD ? 0 : 12, .spare = id == SPARE ? 16 : 0, .alike = id != UNTOLD};
	return id < UNKNOWN;
}

static void event(struct made *m, uint32_t words, uint16_t id, uint32_t len)
{
	word(m, words, 1);
	if (!words)
		tdat_build_u32(&m->b, len + 4);
	tdat_build_u16(&m->b, id);
	tdat_build_fill(&m->b, 0xff, 10);
}

static void spare(struct made *m)
{
	event(m, 3, EXACT, 0); /* what was there before is a whole record, too */
}

static struct dat_record_ends *want_ends(struct made *m)
{
	struct dat_record_ends *ends = calloc(1, sizeof(*ends));

	ck_assert_ptr_nonnull(ends);
	ends->find = find_end;
	m->layout.ends = ends;
	return ends;
}

/* Expects records of 12 bytes, count of them, or one of len bytes; and whether any hid others. */
static void expect_all(struct made *m, struct dat_record_ends *ends, uint32_t count, uint32_t len,
		       bool hidden)
{
	struct dat_record rec;
	struct dat_page page;
	const char *why;

	finish(m, 0);
	open_page(m, &page);
	for (uint32_t i = 0; i < count; i++) {
		ck_assert_int_eq(dat_page_next(&page, &m->layout, &rec, &why), DAT_PAGE_RECORD);
		ck_assert_uint_eq(rec.len, len);
		dat_record_put_len(m->b.ptr + m->layout.data_off, &rec, &m->layout);
	}
	ck_assert_int_eq(dat_page_next(&page, &m->layout, &rec, &why), DAT_PAGE_END);
	ck_assert_int_eq(page.hidden, hidden);
	/* With the lengths that were put there no record hides another. */
	m->layout.ends = NULL;
	ck_assert(dat_page_open(&page, m->b.ptr, m->b.len, &m->layout, &why));
	for (uint32_t i = 0; i < count; i++) {
		ck_assert_int_eq(dat_page_next(&page, &m->layout, &rec, &why), DAT_PAGE_RECORD);
		ck_assert_uint_eq(rec.len, len);
	}
	expect_end(m, &page, DAT_PAGE_END);
	free(ends);
}

/* _i: bit 0 byte order, bit 1 the length is in a word of its own. */
START_TEST(taken_in)
{
	struct made m;

	start(&m, _i & 1, 8, 1000);
	event(&m, _i & 2 ? 0 : 11, EXACT, 44);
	event(&m, 3, SPARE, 0);
	event(&m, 3, UNTOLD, 0);
	event(&m, 3, EXACT, 0);
	expect_all(&m, want_ends(&m), 4, 12, true);
}
END_TEST

/* _i: as above. The page is read up to a record that is taken in. */
START_TEST(taken_in_behind_the_end)
{
	struct dat_record rec;
	struct dat_page page;
	const char *why;
	struct made m;

	start(&m, _i & 1, 8, 1000);
	event(&m, _i & 2 ? 0 : 7, EXACT, 28);
	event(&m, 3, EXACT, 0);
	finish(&m, 0);
	want_ends(&m);
	open_page(&m, &page);
	page.len = _i & 2 ? 20 : 16;
	ck_assert_int_eq(dat_page_next(&page, &m.layout, &rec, &why), DAT_PAGE_RECORD);
	ck_assert_uint_eq(rec.len, 12);
	ck_assert_uint_eq(page.pos, page.len);
	ck_assert_int_eq(dat_page_next(&page, &m.layout, &rec, &why), DAT_PAGE_END);
	free((void *)m.layout.ends);
	tdat_build_fini(&m.b);
}
END_TEST

START_TEST(taken_in_by_taken_in)
{
	struct made m;

	start(&m, _i & 1, 8, 1000);
	event(&m, 15, EXACT, 0);
	event(&m, 11, EXACT, 0);
	event(&m, 3, EXACT, 0);
	event(&m, 3, EXACT, 0);
	expect_all(&m, want_ends(&m), 4, 12, true);
}
END_TEST

/* What follows the fields is no sequence of records that are described. */
START_TEST(longer)
{
	struct made m;

	start(&m, _i & 1, 8, 1000);
	event(&m, 7, _i & 2 ? UNTOLD : EXACT, 0);
	event(&m, 3, _i & 2 ? EXACT : UNKNOWN, 0);
	expect_all(&m, want_ends(&m), 1, 28, false);
}
END_TEST

/* A change of time alone is no record that is hidden: too many other bytes look like one. */
START_TEST(time_taken_in)
{
	struct made m;

	start(&m, _i & 1, 8, 1000);
	event(&m, 5, EXACT, 0);
	word(&m, 30, 7);
	tdat_build_u32(&m.b, 0);
	expect_all(&m, want_ends(&m), 1, 20, false);
}
END_TEST

/* Spare bytes may look like a record. Other records of the event tell that they are none. */
START_TEST(spare_bytes)
{
	struct made m;

	start(&m, _i & 1, 8, 1000);
	event(&m, 15, SPARE, 0); /* with the next one */
	spare(&m);
	event(&m, 7, SPARE, 0);
	spare(&m);
	event(&m, 7, SPARE, 0);
	spare(&m);
	expect_all(&m, want_ends(&m), 3, 28, true);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("page");
	TCase *t = tcase_create("page");

	tcase_add_loop_test(t, all_kinds, 0, 4);
	tcase_add_loop_test(t, lost_events, 0, 4);
	tcase_add_test(t, stamp_top_bits);
	tcase_add_loop_test(t, damage, 0, 8);
	tcase_add_test(t, commit_beyond);
	tcase_add_loop_test(t, taken_in, 0, 4);
	tcase_add_loop_test(t, taken_in_behind_the_end, 0, 4);
	tcase_add_loop_test(t, taken_in_by_taken_in, 0, 2);
	tcase_add_loop_test(t, longer, 0, 4);
	tcase_add_loop_test(t, time_taken_in, 0, 2);
	tcase_add_loop_test(t, spare_bytes, 0, 2);
	suite_add_tcase(s, t);
	return run_suite(s);
}
