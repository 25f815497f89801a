/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ring-buffer pages made byte by byte from the format's description. */
#include <check.h>
#include <stdlib.h>

#include "../common/run.h"
#include "core/build.h"
#include "dat/page.h"

enum { PAGE = 256 };

struct made {
	struct tdat_build b;
	struct dat_page_layout layout;
	struct dat_record_lens lens;
	unsigned asked; /* for bounds of lengths */
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
	ck_assert(dat_page_open(page, m->b.ptr, m->b.len, PAGE, &m->layout, &why));
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

/* A commit beyond the page contradicts it; one beyond what is left of a page does not. */
START_TEST(commit_beyond)
{
	struct dat_page page;
	const char *why;
	struct made m;

	start(&m, false, 8, 1);
	word(&m, 1, 0);
	tdat_build_fill(&m.b, 'a', 4);
	fill_up(&m);
	tdat_store64(m.b.ptr + 8, PAGE - 15, false);
	ck_assert(!dat_page_open(&page, m.b.ptr, m.b.len, PAGE, &m.layout, &why));
	ck_assert_ptr_nonnull(why);
	ck_assert(!dat_page_open(&page, m.b.ptr, 24, PAGE, &m.layout, &why));
	tdat_store64(m.b.ptr + 8, PAGE - 16, false);
	ck_assert(dat_page_open(&page, m.b.ptr, 24, PAGE, &m.layout, &why));
	ck_assert_ptr_nonnull(why);
	ck_assert_uint_eq(page.len, 8);
	expect_record(&m, &page, 1, 4, 'a');
	expect_end(&m, &page, DAT_PAGE_END);
	ck_assert(!dat_page_open(&page, (const uint8_t *)"0123456789", 10, PAGE, &m.layout, &why));
}
END_TEST

/* ---- lengths of records and fields of events ---- */

/* Records of event 1 have 10 to 16 bytes, of event 2 from 120 bytes on, of others from 8 on. */
static struct dat_len_bounds find_bounds(const void *ctx, const uint8_t *record, uint32_t len)
{
	struct made *m = (struct made *)ctx;
	const uint32_t id = len > 1 ? tdat_load16(record, m->b.big) : 0;
	const struct dat_len_bounds b = {id == 1   ? 10
					 : id == 2 ? 120
						   : 8,
					 id == 1 ? 16 : UINT32_MAX};

	m->asked++;
	dat_lens_keep(&m->lens, id, b);
	return b;
}

static void event(struct made *m, uint16_t id, uint32_t len, bool length_word)
{
	word(m, length_word ? 0 : len / 4, 1);
	if (length_word)
		tdat_build_u32(&m->b, len + 4);
	tdat_build_u16(&m->b, id);
	tdat_build_fill(&m->b, 0xff, len - 2);
}

/* Whether the last of three records of these lengths, the others of event 1, is told as such. */
static void expect_last(int i, uint16_t id, uint32_t len, enum dat_page_result want, bool too_long)
{
	struct dat_record rec;
	struct dat_page page;
	const char *why;
	struct made m = {.asked = 0};

	start(&m, i & 1, 8, 1000);
	m.lens.find = find_bounds;
	m.lens.ctx = &m;
	m.layout.lens = &m.lens;
	event(&m, 1, 12, i & 2);
	event(&m, 1, 16, i & 2);
	event(&m, id, len, i & 2);
	finish(&m, 0);
	open_page(&m, &page);
	for (int n = 0; n < 2; n++) {
		ck_assert_int_eq(dat_page_next(&page, &m.layout, &rec, &why), DAT_PAGE_RECORD);
		ck_assert_uint_eq(m.asked, 1);
		ck_assert(!page.long_record);
	}
	ck_assert_int_eq(dat_page_next(&page, &m.layout, &rec, &why), want);
	ck_assert_int_eq(page.long_record, too_long);
	if (want == DAT_PAGE_RECORD)
		expect_end(&m, &page, DAT_PAGE_END);
	else
		tdat_build_fini(&m.b);
}

/* _i: bit 0 byte order, bit 1 lengths are in words of their own. */
START_TEST(lengths)
{
	expect_last(_i, 1, 8, DAT_PAGE_DAMAGED, false);
	expect_last(_i, 1, 20, DAT_PAGE_RECORD, true);
	expect_last(_i, 1, 28, DAT_PAGE_RECORD, true);
	expect_last(_i, 2, 112, DAT_PAGE_DAMAGED, false);
	expect_last(_i, 3, 4, DAT_PAGE_DAMAGED, false);
	expect_last(_i, 3, 8, DAT_PAGE_RECORD, false);
	expect_last(_i, 3, 100, DAT_PAGE_RECORD, false);
	expect_last(_i | 2, 2, 120, DAT_PAGE_RECORD, false);
	expect_last(_i | 2, 2, 128, DAT_PAGE_RECORD, false);
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
	tcase_add_loop_test(t, lengths, 0, 4);
	suite_add_tcase(s, t);
	return run_suite(s);
}
