/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * As much of libcheck's interface as the unit tests use, for builds with
 * MemorySanitizer, which takes every word that the real, uninstrumented library
 * writes for uninitialised. Tests run in this process; the first failure ends it.
 * Tests that are named after libtraceevent compare with it, and are left out.
 */
#ifndef TDAT_TESTS_MSAN_CHECK_H
#define TDAT_TESTS_MSAN_CHECK_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct check_test {
	const char *name;
	void (*fn)(int i);
	int from, to;
};

typedef struct {
	struct check_test *tests;
	size_t count;
	void (*setup)(void);
	void (*teardown)(void);
	void (*begin)(void); /* once, before and behind all tests */
	void (*end)(void);
} TCase;

typedef struct {
	TCase **cases;
	size_t count;
} Suite;

typedef Suite SRunner;

enum { CK_ENV };

#define CHECK_UNUSED __attribute__((unused))

/* A name stands for its function and what it is called. */
#define START_TEST(name)                                                                           \
	static void name##_fn(int _i);                                                             \
	static const struct check_test name##_test = {#name, name##_fn, 0, 1};                     \
	static const struct check_test *const name = &name##_test;                                 \
	static void name##_fn(int _i CHECK_UNUSED)
#define END_TEST

static inline void *check_more(void *list, size_t count, size_t size)
{
	void *p = realloc(list, (count + 1) * size);

	if (!p)
		abort();
	return p;
}

static inline TCase *tcase_create(const char *name)
{
	(void)name;
	return calloc(1, sizeof(TCase));
}

static inline Suite *suite_create(const char *name)
{
	(void)name;
	return calloc(1, sizeof(Suite));
}

static inline void suite_add_tcase(Suite *s, TCase *t)
{
	s->cases = check_more(s->cases, s->count, sizeof(*s->cases));
	s->cases[s->count++] = t;
}

static inline void tcase_add_loop_test(TCase *t, const struct check_test *test, int from, int to)
{
	t->tests = check_more(t->tests, t->count, sizeof(*t->tests));
	t->tests[t->count] = *test;
	t->tests[t->count].from = from;
	t->tests[t->count++].to = to;
}

static inline void tcase_add_test(TCase *t, const struct check_test *test)
{
	tcase_add_loop_test(t, test, 0, 1);
}

static inline void tcase_add_checked_fixture(TCase *t, void (*setup)(void), void (*teardown)(void))
{
	t->setup = setup;
	t->teardown = teardown;
}

static inline void tcase_add_unchecked_fixture(TCase *t, void (*begin)(void), void (*end)(void))
{
	t->begin = begin;
	t->end = end;
}

static inline void tcase_set_timeout(TCase *t, double seconds)
{
	(void)t, (void)seconds;
}

static inline SRunner *srunner_create(Suite *s)
{
	return s;
}

static inline void check_run(const TCase *t, const struct check_test *test)
{
	for (int i = test->from; i < test->to; i++) {
		if (t->setup)
			t->setup();
		test->fn(i);
		if (t->teardown)
			t->teardown();
	}
}

static inline void srunner_run_all(SRunner *r, int mode)
{
	size_t done = 0, left_out = 0;

	(void)mode;
	for (size_t i = 0; i < r->count; i++) {
		if (r->cases[i]->begin)
			r->cases[i]->begin();
		for (size_t k = 0; k < r->cases[i]->count; k++) {
			const struct check_test *test = &r->cases[i]->tests[k];

			if (strstr(test->name, "libtraceevent")) {
				left_out++;
			} else {
				check_run(r->cases[i], test);
				done++;
			}
		}
		if (r->cases[i]->end)
			r->cases[i]->end();
	}
	printf("%zu tests, %zu left out\n", done, left_out);
}

static inline int srunner_ntests_failed(const SRunner *r)
{
	(void)r;
	return 0;
}

static inline void srunner_free(SRunner *r)
{
	for (size_t i = 0; i < r->count; i++) {
		free(r->cases[i]->tests);
		free(r->cases[i]);
	}
	free(r->cases);
	free(r);
}

/* An expression, as asserts.h of the unit tests uses it in one. */
#define ck_abort_msg(...)                                                                          \
	((void)fprintf(stderr, "%s:%d: ", __FILE__, __LINE__), (void)fprintf(stderr, __VA_ARGS__), \
	 (void)fputc('\n', stderr), exit(EXIT_FAILURE))
#define ck_assert_msg(cond, ...)                                                                   \
	do {                                                                                       \
		if (!(cond))                                                                       \
			ck_abort_msg(__VA_ARGS__);                                                 \
	} while (0)
#define ck_assert(cond) ck_assert_msg(cond, "%s", #cond)

#define CHECK_NUM(type, fmt, a, op, b)                                                             \
	do {                                                                                       \
		const type check_a = (type)(a), check_b = (type)(b);                               \
		ck_assert_msg(check_a op check_b, "%s (%" fmt ") " #op " %s (%" fmt ")", #a,       \
			      check_a, #b, check_b);                                               \
	} while (0)
#define ck_assert_int_eq(a, b) CHECK_NUM(long long, "lld", a, ==, b)
#define ck_assert_int_ne(a, b) CHECK_NUM(long long, "lld", a, !=, b)
#define ck_assert_int_gt(a, b) CHECK_NUM(long long, "lld", a, >, b)
#define ck_assert_int_ge(a, b) CHECK_NUM(long long, "lld", a, >=, b)
#define ck_assert_int_lt(a, b) CHECK_NUM(long long, "lld", a, <, b)
#define ck_assert_int_le(a, b) CHECK_NUM(long long, "lld", a, <=, b)
#define ck_assert_uint_eq(a, b) CHECK_NUM(unsigned long long, "llu", a, ==, b)
#define ck_assert_uint_ne(a, b) CHECK_NUM(unsigned long long, "llu", a, !=, b)
#define ck_assert_uint_gt(a, b) CHECK_NUM(unsigned long long, "llu", a, >, b)
#define ck_assert_uint_ge(a, b) CHECK_NUM(unsigned long long, "llu", a, >=, b)
#define ck_assert_uint_lt(a, b) CHECK_NUM(unsigned long long, "llu", a, <, b)
#define ck_assert_uint_le(a, b) CHECK_NUM(unsigned long long, "llu", a, <=, b)
#define ck_assert_ptr_eq(a, b) ck_assert((const void *)(a) == (const void *)(b))
#define ck_assert_ptr_ne(a, b) ck_assert((const void *)(a) != (const void *)(b))
#define ck_assert_ptr_null(a) ck_assert((a) == NULL)
#define ck_assert_ptr_nonnull(a) ck_assert((a) != NULL)
#define ck_assert_mem_eq(a, b, n) ck_assert(!memcmp(a, b, n))
#define ck_assert_str_eq(a, b)                                                                     \
	do {                                                                                       \
		const char *check_a = (a), *check_b = (b);                                         \
		ck_assert_msg(!strcmp(check_a, check_b), "%s is \"%s\", not \"%s\"", #a, check_a,  \
			      check_b);                                                            \
	} while (0)
#define ck_assert_str_ne(a, b) ck_assert(strcmp(a, b))
#define ck_assert_double_eq(a, b) ck_assert((a) == (b))

#endif
