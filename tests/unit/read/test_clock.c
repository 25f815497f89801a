/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stamps to times: ticks, guests' samples, and the edges of 64 and 128 bits. */
#include <check.h>
#include <math.h>

#include "../common/run.h"
#include "read/clock.h"

static uint64_t by_mult(uint64_t ts, uint32_t mult, uint32_t shift, uint64_t offset)
{
	const struct read_clock c = {.mult = mult, .shift = shift, .offset = offset};

	return read_clock_ts(&c, ts, 0);
}

START_TEST(ticks)
{
	ck_assert_uint_eq(by_mult(1000, 1, 0, 0), 1000);
	ck_assert_uint_eq(by_mult(1000, 5, 2, 7), 1257);
	/* The product needs 64 bits and more. */
	ck_assert_uint_eq(by_mult(3000000000, 4000000000, 10, 0), 11718750000000000);
	ck_assert_uint_eq(by_mult(UINT64_MAX, UINT32_MAX, 32, 0), 0xfffffffeffffffff);
	ck_assert_uint_eq(by_mult(UINT64_MAX, UINT32_MAX, 95, 0), 1);
	ck_assert_uint_eq(by_mult(UINT64_MAX, UINT32_MAX, 96, 0), 0);
	ck_assert_uint_eq(by_mult(UINT64_MAX, UINT32_MAX, 127, 0), 0);
	/* No shift of any number type has as many bits. */
	ck_assert_uint_eq(by_mult(UINT64_MAX, UINT32_MAX, 128, 3), 3);
	ck_assert_uint_eq(by_mult(UINT64_MAX, UINT32_MAX, UINT32_MAX, 3), 3);
	ck_assert_uint_eq(by_mult(10, 1, 0, (uint64_t)-3), 7);
}
END_TEST

START_TEST(seconds)
{
	struct read_clock c = {.ts2secs = 2.5, .offset = 1};

	ck_assert_uint_eq(read_clock_ts(&c, 1000, 0), 2501);
	c.offset = 0;
	ck_assert_uint_eq(read_clock_ts(&c, UINT64_MAX, 0), UINT64_MAX);
	c.ts2secs = HUGE_VAL;
	ck_assert_uint_eq(read_clock_ts(&c, 1, 0), UINT64_MAX);
}
END_TEST

START_TEST(identity)
{
	const struct read_clock c = {.identity = true, .offset = 5, .mult = 3};

	ck_assert_uint_eq(read_clock_ts(&c, 10, 0), 15);
	ck_assert_uint_eq(read_clock_ts(&c, UINT64_MAX, 9), 4);
}
END_TEST

static uint64_t by_samples(struct clock_sample *s, uint32_t count, uint32_t flags, uint64_t ts)
{
	struct clock_cpu_sync cpu = {count, s};
	const struct clock_facts f = {.sync_flags = flags, .sync_cpu_count = 1, .sync = &cpu};
	const struct read_clock c = {.sync = &f};

	ck_assert_uint_eq(read_clock_ts(&c, ts, 1), ts); /* a CPU that has none */
	return read_clock_ts(&c, ts, 0);
}

START_TEST(samples)
{
	struct clock_sample s[] = {{1000, 100, 1, 0}, {2000, 300, 1, 0}, {3000, -50, 3, 1}};

	ck_assert_uint_eq(by_samples(s, 0, 1, 77), 77);
	ck_assert_uint_eq(by_samples(s, 1, 1, 77), 177); /* one sample only shifts */
	/* On the line through two samples, rounded, and on beyond its ends. */
	ck_assert_uint_eq(by_samples(s, 2, 1, 1000), 1100);
	ck_assert_uint_eq(by_samples(s, 2, 1, 1500), 1700);
	ck_assert_uint_eq(by_samples(s, 2, 1, 1502), 1702);
	ck_assert_uint_eq(by_samples(s, 2, 1, 1503), 1704);
	ck_assert_uint_eq(by_samples(s, 2, 1, 500), 501);
	ck_assert_uint_eq(by_samples(s, 2, 1, 3000), 3500);
	ck_assert_uint_eq(by_samples(s, 3, 1, 2500), 2626); /* 300 - 174.5 */
	/* Without the flag the sample before it counts, for what is before all too. */
	ck_assert_uint_eq(by_samples(s, 3, 0, 1500), 1600);
	ck_assert_uint_eq(by_samples(s, 3, 0, 10), 110);
	ck_assert_uint_eq(by_samples(s, 3, 0, 2999), 3299);
	/* Scaled by the sample's factor; a fraction without sense is none. */
	s[1] = (struct clock_sample){2000, 0, 3, 1};
	ck_assert_uint_eq(by_samples(s, 3, 0, 2500), 3750);
	s[1].fraction = 128;
	ck_assert_uint_eq(by_samples(s, 3, 0, 2500), 7500);
	s[1].fraction = -1;
	ck_assert_uint_eq(by_samples(s, 3, 0, 2500), 7500);
	s[1] = (struct clock_sample){2000, 0, INT64_MIN, 64}; /* unsigned */
	ck_assert_uint_eq(by_samples(s, 3, 0, 2500), 1250);
}
END_TEST

/* Distances of 64 bits, and products that no signed number of 128 bits holds. */
START_TEST(far_apart)
{
	struct clock_sample s[] = {{INT64_MIN, INT64_MIN, 0, 0}, {INT64_MAX, INT64_MAX, 0, 0}};
	const uint64_t lowest = 1ull << 63;

	ck_assert_uint_eq(by_samples(s, 2, 1, INT64_MAX), lowest); /* gives up: the first's */
	ck_assert_uint_eq(by_samples(s, 2, 1, (uint64_t)INT64_MIN), lowest);
	ck_assert_uint_eq(by_samples(s, 2, 1, (uint64_t)INT64_MIN + 1), lowest + 1);
	s[0].offset = INT64_MAX;
	s[1].offset = INT64_MIN;
	ck_assert_uint_eq(by_samples(s, 2, 1, INT64_MAX), INT64_MAX);
	/* -2^126, rounded up by half of 2^63 and divided by it: one less than 2^63. */
	s[0] = (struct clock_sample){-1, 0, 0, 0};
	s[1] = (struct clock_sample){INT64_MAX, INT64_MIN, 0, 0};
	ck_assert_uint_eq(by_samples(s, 2, 1, INT64_MAX), lowest + 1);
}
END_TEST

#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 wide;

/* The formula as it is written in numbers of 128 bits. */
static int64_t expected(const struct clock_sample *s, int64_t ts)
{
	wide delta = (wide)s[1].time - s[0].time, rise;

	if (__builtin_mul_overflow((wide)ts - s[0].time, (wide)s[1].offset - s[0].offset, &rise) ||
	    __builtin_add_overflow(rise, delta / 2, &rise))
		return s[0].offset;
	return (int64_t)((uint64_t)s[0].offset + (uint64_t)(rise / delta));
}

START_TEST(as_128_bits)
{
	uint64_t x = 88172645463325252u, v[5];

	for (int round = 0; round < 300000; round++) {
		struct clock_sample s[2] = {{0}};

		for (int i = 0; i < 5; i++) {
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			v[i] = (x & 1 ? 0 : UINT64_MAX) ^ x >> (x >> 1) % 64;
		}
		s[0].time = (int64_t)v[0];
		s[1].time = (int64_t)v[1];
		s[0].offset = (int64_t)v[2];
		s[1].offset = (int64_t)v[3];
		if (s[0].time >= s[1].time)
			continue;
		ck_assert_uint_eq(by_samples(s, 2, 1, v[4]), (uint64_t)expected(s, (int64_t)v[4]));
	}
}
END_TEST
#endif

int main(void)
{
	Suite *s = suite_create("clock");
	TCase *t = tcase_create("clock");

	tcase_add_test(t, ticks);
	tcase_add_test(t, seconds);
	tcase_add_test(t, identity);
	tcase_add_test(t, samples);
	tcase_add_test(t, far_apart);
#ifdef __SIZEOF_INT128__
	tcase_add_test(t, as_128_bits);
#endif
	suite_add_tcase(s, t);
	return run_suite(s);
}
