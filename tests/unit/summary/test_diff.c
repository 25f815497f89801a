/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Comparisons of made values: two halves of a steady trace have no finding, a change of 10 % of one
 * latency is found, each in 95 % of cases at least, whether values are independent or depend on
 * the one before.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <check.h>

#include "summary/diff.h"
#include "summary/odds.h"

#include "../common/part.h"
#include "../common/run.h"

enum { WAKEUPS = 3000, EVENTS = 6 };

static const struct diff_family families[] = {{.what = "wakeup", .kind = DIFF_VALUES},
					      {.what = "event", .kind = DIFF_COUNT},
					      {.what = "on_cpu", .kind = DIFF_TIME}};
enum { FAMILIES = sizeof(families) / sizeof(families[0]) };

/* Between 0 and 1, both excluded: SplitMix64. */
static double uniform(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return ((double)((z ^ z >> 31) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(uint64_t *state)
{
	const double r = sqrt(-2 * log(uniform(state)));

	return r * cos(2 * M_PI * uniform(state));
}

static uint32_t key(struct tdat_diff *d, uint32_t family, const char *name)
{
	return diff_key_of(d, family, (struct tdat_span){(const uint8_t *)name, strlen(name)});
}

/* One wakeup: its latency, the time on the CPU that follows, and events of other types. */
static void add(struct tdat_diff *d, int side, size_t block, double latency, uint64_t *state)
{
	const uint32_t busy = key(d, 2, "task");
	char name[16];

	ck_assert(diff_add_value(d, key(d, 0, "task"), side, block, (int64_t)latency));
	ck_assert(diff_add_amount(d, busy, side, block,
				  (uint64_t)(200000 * exp(0.5 * normal(state)))));
	d->keys[busy].sides[side].rows++;
	for (int i = 0; i < EVENTS; i++) {
		uint32_t k;

		if (uniform(state) * (i + 1) > 1)
			continue;
		snprintf(name, sizeof(name), "event%d", i);
		k = key(d, 1, name);
		ck_assert(diff_add_amount(d, k, side, block, 1));
		d->keys[k].sides[side].rows++;
	}
}

static int all_cases(void)
{
	return (int)part_of(100);
}

/* One of twenty may be wrong. */
static int most_wrong(void)
{
	return (all_cases() + 19) / 20;
}

static int least_right(void)
{
	return all_cases() - most_wrong();
}

/* How many of the cases have a finding, and how many one of the wakeups. */
struct found {
	int any, wakeup;
};

/*
 * Of all cases, each with a seed: wakeups on both sides together, samples of each side with a level
 * of their own by spread, values of the second side greater by change.
 */
static struct found run(int wakeups, double depends, double change, size_t samples, double spread)
{
	const int cases = all_cases();
	struct found found = {0, 0};

	for (int i = 0; i < cases; i++) {
		uint64_t state = (uint64_t)i * 1000003 + 17;
		struct tdat_diff_opts opts = TDAT_DIFF_OPTS_INIT;
		const struct tdat_diff_change *c;
		struct tdat_diff *d;
		double x = normal(&state);
		bool is_wakeup = false;

		ck_assert_int_eq(tdat_diff_new(&d, &opts, NULL), TDAT_OK);
		memcpy(d->families, families, sizeof(families));
		for (int side = 0; side < DIFF_SIDES; side++) {
			for (uint32_t f = 0; f < FAMILIES; f++)
				d->sides[side].rows[f] = 1;
			for (size_t s = 0; s < samples; s++) {
				const int n = wakeups / 2 / (int)samples;
				const double level = spread * normal(&state);
				double exposure[DIFF_BLOCKS];

				for (int b = 0; b < DIFF_BLOCKS; b++)
					exposure[b] = n * 1e6 / DIFF_BLOCKS;
				ck_assert(diff_add_blocks(d, side, exposure, DIFF_BLOCKS, 1));
				for (int k = 0; k < n; k++) {
					x = depends * x +
					    sqrt(1 - depends * depends) * normal(&state);
					add(d, side,
					    s * DIFF_BLOCKS + (size_t)(k * DIFF_BLOCKS / n),
					    100000 * exp(0.3 * x + level) * (side ? 1 + change : 1),
					    &state);
				}
			}
			d->sides[side].time = d->sides[side].exposures[true].total;
			ck_assert(diff_settle(d, side));
		}
		ck_assert_int_eq(tdat_diff_run(d, NULL), TDAT_OK);
		for (size_t k = 0; (c = tdat_diff_change(d, k)); k++)
			is_wakeup |= !strcmp(c->what, "wakeup");
		found.any += tdat_diff_facts(d)->change_count > 0;
		found.wakeup += is_wakeup;
		tdat_diff_free(d);
	}
	printf("%d wakeups, %.1f, %+.2f, %zu samples, %.2f: %d any, %d of wakeups\n", wakeups,
	       depends, change, samples, spread, found.any, found.wakeup);
	return found;
}

START_TEST(steady)
{
	ck_assert_int_le(run(WAKEUPS, 0, 0, 1, 0).any, most_wrong());
	ck_assert_int_le(run(WAKEUPS, 0.5, 0, 1, 0).any, most_wrong());
}
END_TEST

START_TEST(planted)
{
	/* Halves of one trace, then two traces. */
	ck_assert_int_ge(run(WAKEUPS, 0, 0.1, 1, 0).wakeup, least_right());
	ck_assert_int_ge(run(WAKEUPS, 0.5, 0.1, 1, 0).wakeup, least_right());
	ck_assert_int_ge(run(2 * WAKEUPS, 0, 0.1, 1, 0).wakeup, least_right());
	ck_assert_int_ge(run(2 * WAKEUPS, 0.5, 0.1, 1, 0).wakeup, least_right());
}
END_TEST

/* Files that differ by 10 % among themselves: that is noise. A change beyond it is found. */
START_TEST(samples)
{
	ck_assert_int_le(run(WAKEUPS, 0.5, 0, 4, 0.1).any, most_wrong());
	ck_assert_int_ge(run(2 * WAKEUPS, 0.5, 0.1, 4, 0).wakeup, least_right());
	ck_assert_int_ge(run(WAKEUPS, 0.5, 0.6, 4, 0.05).wakeup, least_right());
}
END_TEST

START_TEST(odds)
{
	static const struct {
		double t, df, p;
	} of_t[] = {{0, 5, 1},
		    {1, 1, 0.5},
		    {40, 1, 0.01591217}, /* 1 - 2 / pi * atan(t) */
		    {5, 2, 0.03774955},	 /* 1 - t / sqrt(t * t + 2) */
		    {2.228139, 10, 0.05},
		    {3.290527, 1e7, 0.001}};

	for (size_t i = 0; i < sizeof(of_t) / sizeof(of_t[0]); i++)
		ck_assert_double_eq_tol(odds_t(of_t[i].t, of_t[i].df) / of_t[i].p, 1, 1e-5);
	ck_assert_double_eq_tol(odds_binomial(0, 5, 0.5), 0.0625, 1e-12);
	ck_assert_double_eq_tol(odds_binomial(5, 5, 0.5), 0.0625, 1e-12);
	ck_assert_double_eq_tol(odds_binomial(5, 10, 0.5), 1, 1e-12);
	ck_assert_double_eq_tol(odds_binomial(2, 10, 0.5), 0.109375, 1e-12);
	ck_assert_double_eq_tol(odds_binomial(0, 50, 10.0 / 11), 0, 1e-12);
}
END_TEST

/* Ranges have no gap and no overlap, and quantiles lie within a range of the value. */
START_TEST(ranges)
{
	struct sketch_pool pool = {.most = 1 << 20};
	struct sketch s = {.total = 0};
	double counts[SKETCH_RANGES] = {0};
	uint64_t sum = 0;

	for (uint32_t i = 0; i < SKETCH_RANGES; i++) {
		ck_assert_uint_eq(sketch_range_of((int64_t)sketch_first(i)), i);
		if (i)
			ck_assert_uint_eq(sketch_range_of((int64_t)sketch_first(i) - 1), i - 1);
	}
	ck_assert_uint_eq(sketch_range_of(INT64_MAX), SKETCH_RANGES - 1);
	ck_assert_uint_eq(sketch_range_of(-1), 0);
	/* Blocks come nearly in order. */
	for (uint32_t i = 0; i < 100000; i++)
		ck_assert(sketch_add(&s, &pool, i / 1000 + i % 2, 1000 + i * 7919 % 100000));
	ck_assert(sketch_settle(&s, &pool));
	for (size_t i = 0; i < s.count; i++) {
		if (i)
			ck_assert_uint_lt(s.cells[i - 1].at, s.cells[i].at);
		counts[sketch_range(&s.cells[i])] += s.cells[i].count;
		sum += s.cells[i].count;
	}
	ck_assert_uint_eq(sum, 100000);
	for (double q = 0.01; q < 1; q += 0.01)
		ck_assert_double_eq_tol(sketch_quantile(NULL, counts, SKETCH_RANGES, 100000, q) /
						(1000 + q * 100000),
					1, 0.01);
	sketch_fini(&s, &pool);
	ck_assert_uint_eq(pool.used, 0);
	/* A rank at the end of a range is in it, however its shares are rounded: 1/10, ten times.
	 */
	memset(counts, 0, sizeof(counts));
	for (uint32_t i = 0; i < 10; i++)
		counts[i] = 0.1;
	for (uint32_t i = 1; i <= 10; i++)
		ck_assert_double_eq(sketch_quantile(NULL, counts, SKETCH_RANGES, 1, i / 10.0),
				    i - 1);
}
END_TEST

/* What there is no room for is not compared, and counted. */
START_TEST(room)
{
	const double exposure[] = {1e9};
	struct tdat_diff *d;
	uint32_t k;

	ck_assert_int_eq(tdat_diff_new(&d, NULL, NULL), TDAT_OK);
	memcpy(d->families, families, sizeof(families));
	d->pool.most = 4096;
	for (int side = 0; side < DIFF_SIDES; side++) {
		d->sides[side].rows[0] = 1;
		d->sides[side].time = 1e9;
		ck_assert(diff_add_blocks(d, side, exposure, 1, 1));
		for (int64_t i = 0; i < 5000; i++)
			ck_assert(diff_add_value(d, key(d, 0, "many"), side, 0, i * 1000));
		for (int64_t i = 0; i < 50; i++)
			ck_assert(diff_add_value(d, key(d, 0, "few"), side, 0, 7));
		ck_assert(diff_settle(d, side));
	}
	k = key(d, 0, "many");
	ck_assert(d->keys[k].is_full);
	ck_assert(!d->keys[key(d, 0, "few")].is_full);
	ck_assert_int_eq(tdat_diff_run(d, NULL), TDAT_OK);
	ck_assert_uint_eq(tdat_diff_facts(d)->left_out, 1);
	ck_assert_uint_eq(tdat_diff_facts(d)->change_count, 0);
	ck_assert_uint_gt(tdat_diff_facts(d)->unchanged, 0);
	tdat_diff_free(d);
}
END_TEST

START_TEST(folded)
{
	static const char *const names[][2] = {{"kworker/0:1", "kworker/N:N"},
					       {"kworker/u16:3-ev", "kworker/uN:N-ev"},
					       {"a", "a"},
					       {"", ""}};
	struct tdat_build b;

	tdat_build_init(&b, false);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		b.len = 0;
		diff_fold(&b,
			  (struct tdat_span){(const uint8_t *)names[i][0], strlen(names[i][0])});
		tdat_build_u8(&b, 0);
		ck_assert_str_eq((const char *)b.ptr, names[i][1]);
	}
	tdat_build_fini(&b);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {steady, planted, samples, odds, ranges, room, folded};
	Suite *suite = suite_create("diff");
	TCase *tc = tcase_create("diff");

	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		tcase_add_test(tc, tests[i]);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
