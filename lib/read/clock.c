/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Converts the timestamps of a buffer into the times that are shown. The steps, in this order:
 * synchronization with a host, scaling (TSC or seconds), offset; with the rounding of
 * libtracecmd. Usual clocks need none of them and stay in the inline function of clock.h. A
 * clock belongs to a buffer and is immutable.
 */
#include "clock.h"

#include "../core/wide.h"

/* The flag of option TIME_SHIFT: offsets between two samples are interpolated. */
enum { SYNC_INTERPOLATE = 1 };

/* Chooses the steps for a buffer. identity: only the offset is added, inline. */
void read_clock_init(struct read_clock *c, const struct clock_facts *f, bool instance,
		     const struct tdat_iter_input *in, const struct tdat_iter_opts *opts)
{
	int64_t offset = in->ts_offset;

	*c = (struct read_clock){.raw = opts->raw_ts};
	if (opts->raw_ts) {
		c->identity = true;
		return;
	}
	if (!opts->no_date)
		offset = clock_wrap_add(offset, f->date_ns);
	offset = clock_wrap_add(offset, f->offset_ns);
	c->offset = (uint64_t)offset;
	if (in->ts2secs)
		c->ts2secs = 1e9 / (double)in->ts2secs;
	c->mult = f->mult;
	c->shift = f->shift;
	/*
	 * trace-cmd does not scale clocks that tick in other units, so neither does its mode here.
	 */
	if (!c->mult && !opts->trace_cmd)
		c->mult = f->tick_ns;
	/* Only the file's own buffer is shifted to the host's time, as in libtracecmd. */
	c->sync = f->sync_cpu_count && !instance ? f : NULL;
	c->identity = c->ts2secs == 0 && !c->mult && !c->sync;
}

/* (ts * mult) >> shift, cut to 64 bits like the kernel's. */
static uint64_t mul_shift(uint64_t ts, uint32_t mult, uint32_t shift)
{
	return shift < 128 ? tdat_mul_shift(ts, mult, shift) : 0;
}

/* a - b, which may need 65 bits: how far apart they are, and whether b is the greater. */
static uint64_t distance(int64_t a, int64_t b, bool *negative)
{
	*negative = a < b;
	return *negative ? (uint64_t)b - (uint64_t)a : (uint64_t)a - (uint64_t)b;
}

/*
 * (x * y + divisor / 2) / divisor towards zero, cut to 64 bits, x * y being negative or not.
 * False where the sum needs more than 127 bits and a sign.
 */
static bool divide_rounded(uint64_t x, uint64_t y, bool negative, uint64_t divisor, uint64_t *out)
{
	const uint64_t sign = 1ull << 63, half = divisor / 2;
	struct tdat_u128 rise = tdat_mul(x, y);

	if (rise.hi >= sign && !(negative && rise.hi == sign && !rise.lo))
		return false;
	if (!negative) {
		rise.lo += half;
		rise.hi += rise.lo < half;
		if (rise.hi >= sign)
			return false;
	} else if (rise.hi || rise.lo >= half) {
		rise.hi -= rise.lo < half;
		rise.lo -= half;
	} else {
		rise.lo = half - rise.lo;
		negative = false;
	}
	*out = tdat_div(rise, divisor);
	if (negative)
		*out = -*out;
	return true;
}

/*
 * Returns the offset at ts on the line through two samples, also before the first and behind
 * the second; without the flag it is that of the first.
 */
static int64_t offset_between(const struct clock_sample *a, const struct clock_sample *b,
			      int64_t ts, uint32_t flags)
{
	bool before, falls, none;
	uint64_t run = distance(ts, a->time, &before), rise;
	uint64_t height = distance(b->offset, a->offset, &falls);

	if (!(flags & SYNC_INTERPOLATE))
		return a->offset;
	/* Between samples that are senselessly far apart the first one's counts. */
	if (!divide_rounded(run, height, before != falls, distance(b->time, a->time, &none), &rise))
		return a->offset;
	return clock_wrap_add(a->offset, (int64_t)rise);
}

/* Scales a guest's timestamp: the fraction is a shift, and libtracecmd ignores one out of range. */
static uint64_t scale(const struct clock_sample *s, uint64_t ts)
{
	bool shifts = s->fraction > 0 && s->fraction < 128;

	return tdat_mul_shift(ts, (uint64_t)s->scaling, shifts ? (unsigned int)s->fraction : 0);
}

/* The first of the two samples that hold at ts; there are at least two. */
static const struct clock_sample *sample_before(const struct clock_cpu_sync *s, int64_t ts)
{
	uint32_t lo = 0, hi = s->count - 1;

	while (hi - lo > 1) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (s->samples[mid].time <= ts)
			lo = mid;
		else
			hi = mid;
	}
	return &s->samples[lo];
}

/*
 * The guest's timestamp on the host's clock, as libtracecmd computes it: a single sample only
 * shifts.
 */
static uint64_t host_time(const struct clock_facts *f, uint64_t ts, uint32_t cpu)
{
	const struct clock_cpu_sync *s = cpu < f->sync_cpu_count ? &f->sync[cpu] : NULL;
	const struct clock_sample *a;

	if (!s || !s->count)
		return ts;
	if (s->count == 1)
		return ts + (uint64_t)s->samples[0].offset;
	a = sample_before(s, (int64_t)ts);
	return scale(a, ts) + (uint64_t)offset_between(a, a + 1, (int64_t)ts, f->sync_flags);
}

/* Applies all steps, for clocks that need more than an offset. */
uint64_t read_clock_slow(const struct read_clock *c, uint64_t ts, uint32_t cpu)
{
	if (c->sync)
		ts = host_time(c->sync, ts, cpu);
	if (c->ts2secs != 0) {
		double v = (double)ts * c->ts2secs;

		/* Beyond 2^64 a conversion would be undefined. */
		ts = v < 18446744073709549568.0 ? (uint64_t)v : UINT64_MAX;
	} else if (c->mult) {
		ts = mul_shift(ts, c->mult, c->shift);
	}
	return ts + c->offset;
}
