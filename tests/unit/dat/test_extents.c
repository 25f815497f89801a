/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Places of CPU data against each other, in files that are pages and nothing else. */
#include <stdlib.h>

#include "core/limits.h"
#include "../common/made.h"
#include "../common/run.h"

enum { PAGES = 8, MOST = 4 };

/* One buffer whose table is at the first page, and the CPUs that a test gives it. */
struct settled {
	struct made m;
	struct tdat_cpu cpus[MOST];
	struct tdat_buffer buffer;
};

/* stamps: of the pages from the second on, 0 for one without data. */
static void start(struct settled *s, const uint64_t *stamps, bool tolerate)
{
	memset(s, 0, sizeof(*s));
	made_init(&s->m, 7, false, "none");
	s->m.b.len = 0;
	tdat_build_fill(&s->m.b, 0, MADE_PAGE);
	for (unsigned i = 1; i < PAGES; i++) {
		if (stamps[i - 1])
			made_page(&s->m, stamps[i - 1], 300, 1, i);
		else
			tdat_build_fill(&s->m.b, 0, MADE_PAGE);
	}
	ck_assert_uint_eq(s->m.b.len, PAGES * MADE_PAGE);
	ck_assert_int_eq(tdat_source_open_memory(&s->m.src, s->m.b.ptr, s->m.b.len, "s", NULL),
			 TDAT_OK);
	s->m.ix.src = s->m.src;
	s->m.ix.version = 7;
	s->m.ix.page_size = MADE_PAGE;
	s->m.ix.kernel_long_size = 8;
	s->m.ix.header_data_off = 16;
	s->m.ix.tolerate = tolerate;
	s->m.ix.limits = TDAT_LIMITS_DEFAULT;
	s->buffer = (struct tdat_buffer){.name = "", .clock = "", .page_size = MADE_PAGE};
}

static void put_cpu(struct settled *s, uint64_t off, uint64_t len)
{
	uint32_t i = s->buffer.cpu_count++;

	ck_assert_uint_lt(i, MOST);
	s->cpus[i] = (struct tdat_cpu){.cpu = i, .off = off, .len = len};
}

static enum tdat_status settle(struct settled *s)
{
	s->buffer.cpus = s->cpus;
	ck_assert_int_eq(dat_index_add_buffer(&s->m.ix, &s->buffer, NULL), TDAT_OK);
	return dat_index_settle(&s->m.ix, &s->m.err);
}

static void cpu_is(const struct settled *s, unsigned i, uint64_t off, uint64_t len)
{
	ck_assert_msg(s->cpus[i].off == off && s->cpus[i].len == len, "CPU %u: %llu bytes at %llu",
		      i, (unsigned long long)s->cpus[i].len, (unsigned long long)s->cpus[i].off);
}

static void finish(struct settled *s)
{
	dat_index_fini(&s->m.ix);
	tdat_source_close(s->m.src);
	s->m.src = NULL;
	made_fini(&s->m);
}

static const uint64_t rising[PAGES - 1] = {10, 20, 30, 40, 50, 60, 70};

#define P(n) ((n) * (uint64_t)MADE_PAGE)

START_TEST(sound)
{
	struct settled s;

	start(&s, rising, false);
	put_cpu(&s, P(4), P(4)); /* any order */
	put_cpu(&s, P(1), P(3));
	put_cpu(&s, P(1), 0);
	ck_assert_msg(settle(&s) == TDAT_OK, "%s", s.m.err.message);
	cpu_is(&s, 0, P(4), P(4));
	cpu_is(&s, 1, P(1), P(3));
	cpu_is(&s, 2, P(1), 0);
	ck_assert_uint_eq(s.m.ix.damage_count, 0);
	ck_assert_uint_eq(s.m.ix.chunked_count, 0);
	finish(&s);
}
END_TEST

/* Without tolerance each kind of overlap is an error that tells where. */
START_TEST(overlaps)
{
	static const struct {
		uint64_t off[2], len[2];
		uint64_t at; /* of the error */
	} v[] = {
		{{P(1), P(1)}, {P(3), P(3)}, P(1)},
		{{P(1), P(3)}, {P(3), P(3)}, P(3)},
		{{P(1), P(3) + 1}, {P(2) + 2, P(3)}, P(3) + 1},
		{{P(2), P(1)}, {P(1), P(7)}, P(2)},
	};
	struct settled s;

	for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		start(&s, rising, false);
		put_cpu(&s, v[i].off[0], v[i].len[0]);
		put_cpu(&s, v[i].off[1], v[i].len[1]);
		ck_assert_int_eq(settle(&s), TDAT_E_DAMAGED);
		ck_assert_uint_eq(s.m.err.off, v[i].at);
		ck_assert_ptr_nonnull(strstr(s.m.err.message, "overlaps that of CPU"));
		finish(&s);
	}
}
END_TEST

/* Too long: it ends where the other starts. */
START_TEST(too_long)
{
	struct settled s;

	start(&s, rising, true);
	put_cpu(&s, P(1), P(4));
	put_cpu(&s, P(3), P(5));
	ck_assert_int_eq(settle(&s), TDAT_OK);
	cpu_is(&s, 0, P(1), P(2));
	cpu_is(&s, 1, P(3), P(5));
	ck_assert_uint_eq(s.m.ix.damage_count, 1);
	finish(&s);
}
END_TEST

/* The later of two at one place is lost; its pages are those that nobody has. */
START_TEST(same_place)
{
	static const uint64_t stamps[PAGES - 1] = {10, 20, 30, 5, 6, 7, 8};
	struct settled s;

	start(&s, stamps, true);
	put_cpu(&s, P(1), P(3));
	put_cpu(&s, P(1), P(3));
	ck_assert_int_eq(settle(&s), TDAT_OK);
	cpu_is(&s, 0, P(1), P(3));
	cpu_is(&s, 1, P(4), P(4));
	finish(&s);
}
END_TEST

/* Nothing is left for it: it stays lost, and has no data. */
START_TEST(nothing_left)
{
	struct settled s;

	start(&s, rising, true);
	put_cpu(&s, P(1), P(7));
	put_cpu(&s, P(1), P(7));
	ck_assert_int_eq(settle(&s), TDAT_OK);
	cpu_is(&s, 0, P(1), P(7));
	ck_assert_uint_eq(s.cpus[1].len, 0);
	finish(&s);
}
END_TEST

/* A place within the first page is moved to its start, unless all are like that. */
START_TEST(alignment)
{
	struct settled s;

	for (unsigned tolerate = 0; tolerate < 2; tolerate++) {
		start(&s, rising, tolerate);
		put_cpu(&s, P(1), P(3));
		put_cpu(&s, P(4) + 8, P(4) - 8);
		ck_assert_int_eq(settle(&s), tolerate ? TDAT_OK : TDAT_E_DAMAGED);
		cpu_is(&s, 1, P(4), P(4) - 8);
		finish(&s);
	}
	start(&s, rising, false);
	memset(s.m.b.ptr + P(1), 0, 8); /* what stands before the data is zeros */
	put_cpu(&s, P(1) + 8, P(3));
	put_cpu(&s, P(4) + 8, P(4) - 8);
	ck_assert_int_eq(settle(&s), TDAT_OK);
	cpu_is(&s, 0, P(1) + 8, P(3));
	finish(&s);
}
END_TEST

/* Pages between or behind the CPUs' that no CPU has. */
START_TEST(unlisted)
{
	static const uint64_t behind[PAGES - 1] = {10, 20, 0, 0, 50, 0, 0};
	struct settled s;

	for (unsigned tolerate = 0; tolerate < 2; tolerate++) {
		start(&s, rising, tolerate);
		put_cpu(&s, P(1), P(3));
		ck_assert_int_eq(settle(&s), tolerate ? TDAT_OK : TDAT_E_DAMAGED);
		ck_assert_uint_eq(s.m.ix.damage_count, tolerate);
		if (!tolerate)
			ck_assert_uint_eq(s.m.err.off, P(4));
		finish(&s);
	}
	/* An empty page right behind is padding. */
	start(&s, behind, false);
	put_cpu(&s, P(1), P(2));
	put_cpu(&s, P(5), P(1));
	ck_assert_msg(settle(&s) == TDAT_OK, "%s", s.m.err.message);
	finish(&s);
}
END_TEST

/* A caller without an error struct gets the same status. */
START_TEST(no_error_struct)
{
	struct settled s;

	start(&s, rising, false);
	put_cpu(&s, P(1), P(4));
	put_cpu(&s, P(3), P(5));
	s.buffer.cpus = s.cpus;
	ck_assert_int_eq(dat_index_add_buffer(&s.m.ix, &s.buffer, NULL), TDAT_OK);
	ck_assert_int_eq(dat_index_settle(&s.m.ix, NULL), TDAT_E_DAMAGED);
	finish(&s);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("extents");
	TCase *t = tcase_create("extents");

	tcase_add_test(t, sound);
	tcase_add_test(t, overlaps);
	tcase_add_test(t, too_long);
	tcase_add_test(t, same_place);
	tcase_add_test(t, nothing_left);
	tcase_add_test(t, alignment);
	tcase_add_test(t, unlisted);
	tcase_add_test(t, no_error_struct);
	suite_add_tcase(suite, t);
	return run_suite(suite);
}
