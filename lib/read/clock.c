/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Converts the stamps of a buffer into the times that are shown. */
#include "clock.h"

enum { SYNC_INTERPOLATE = 1 };

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 uwide;

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
	/* Only the file's own buffer is shifted to the host's time, as in libtracecmd. */
	c->sync = f->sync_cpu_count && !instance ? f : NULL;
	c->identity = c->ts2secs == 0 && !c->mult && !c->sync;
}

/* (ts * mult) >> shift without 128-bit numbers, wrapping like the kernel's. */
static uint64_t mul_shift(uint64_t ts, uint32_t mult, uint32_t shift)
{
	uwide p = (uwide)ts * mult;

	return shift < 128 ? (uint64_t)(p >> shift) : 0;
}

/*
 * The offset on the line through two samples, which goes on before the first and
 * behind the last; without the flag that of the first.
 */
static int64_t offset_between(const struct clock_sample *a, const struct clock_sample *b,
			      int64_t ts, uint32_t flags)
{
	wide delta = (wide)b->time - a->time, rise;

	if (!(flags & SYNC_INTERPOLATE))
		return a->offset;
	/* Between samples that are senselessly far apart the first one's counts. */
	if (__builtin_mul_overflow((wide)ts - a->time, (wide)b->offset - a->offset, &rise) ||
	    __builtin_add_overflow(rise, delta / 2, &rise))
		return a->offset;
	return clock_wrap_add(a->offset, (int64_t)(rise / delta));
}

static uint64_t scale(const struct clock_sample *s, uint64_t ts)
{
	uwide v = (uwide)ts * (uint64_t)s->scaling;

	return (uint64_t)(s->fraction > 0 && s->fraction < 128 ? v >> s->fraction : v);
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

/* The guest's stamp on the host's clock, as libtracecmd works it out: a single sample shifts only. */
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
