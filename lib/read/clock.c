/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clock.h"

#include <stdlib.h>
#include <string.h>

enum { SYNC_INTERPOLATE = 1 };

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 uwide;

/* Clocks that count nanoseconds; "boot" does, but the ecosystem shows it raw. */
static bool clock_is_ns(const char *name)
{
	static const char *const ns[] = {"local", "global", "uptime", "perf", "tsc2nsec", "tai"};
	size_t i;

	for (i = 0; i < sizeof(ns) / sizeof(ns[0]); i++)
		if (!strcmp(name, ns[i]))
			return true;
	return !strncmp(name, "mono", 4);
}

int64_t read_clock_number(struct tdat_span s)
{
	char text[64];
	size_t n = s.len < sizeof(text) - 1 ? s.len : sizeof(text) - 1;

	if (n)
		memcpy(text, s.ptr, n);
	text[n] = '\0';
	return strtoll(text, NULL, 0);
}

static int64_t wrap_add(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static void note_clock(struct read_clock_facts *f, const char *name)
{
	if (!*name)
		return;
	f->named = true;
	if (!f->mult && !clock_is_ns(name))
		f->usecs = false;
}

static int sample_order(const void *a, const void *b)
{
	const struct clock_sample *x = a, *y = b;

	return x->time < y->time ? -1 : x->time > y->time;
}

/* Sorts by time and drops later samples of one time. */
static void sort_samples(struct clock_cpu_sync *s)
{
	uint32_t i, out = 0;

	qsort(s->samples, s->count, sizeof(*s->samples), sample_order);
	for (i = 0; i < s->count; i++)
		if (!i || s->samples[i].time != s->samples[i - 1].time)
			s->samples[out++] = s->samples[i];
	s->count = out;
}

static bool read_samples(struct dat_index *ix, struct tdat_cursor *c, struct clock_cpu_sync *s)
{
	uint32_t n = tdat_cursor_u32(c), i;

	if (!tdat_cursor_ok(c) || n > tdat_cursor_left(c) / 24)
		return false;
	s->samples = tdat_arena_array(&ix->arena, n, sizeof(*s->samples));
	if (!s->samples)
		return false;
	s->count = n;
	for (i = 0; i < n; i++)
		s->samples[i].time = (int64_t)tdat_cursor_u64(c);
	for (i = 0; i < n; i++)
		s->samples[i].offset = (int64_t)tdat_cursor_u64(c);
	for (i = 0; i < n; i++)
		s->samples[i].scaling = (int64_t)tdat_cursor_u64(c);
	return tdat_cursor_ok(c);
}

/* TIME_SHIFT (option 12): peer id, flags, per CPU times/offsets/scalings, then fractions. */
static enum tdat_status read_sync(struct dat_index *ix, const struct tdat_option *opt,
				  struct read_clock_facts *f, struct tdat_error *err)
{
	struct tdat_cursor c = tdat_cursor_init(opt->data.ptr, opt->data.len, opt->off, ix->big);
	uint32_t cpus, i, k;
	bool ok = true;

	if (opt->data.len < 16)
		return TDAT_OK; /* as libtracecmd: too short to mean anything */
	tdat_cursor_u64(&c);
	f->sync_flags = tdat_cursor_u32(&c);
	cpus = tdat_cursor_u32(&c);
	if (cpus > tdat_cursor_left(&c) / 4)
		return tdat_error_set(err, TDAT_E_DAMAGED, opt->off,
				      "option TIME_SHIFT at offset %llu lists %u CPUs, but has "
				      "%zu bytes",
				      (unsigned long long)opt->off, cpus, opt->data.len);
	f->sync = tdat_arena_array(&ix->arena, cpus, sizeof(*f->sync));
	if (!f->sync)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory");
	f->sync_cpu_count = cpus;
	for (i = 0; i < cpus && ok; i++)
		ok = read_samples(ix, &c, &f->sync[i]);
	if (ok && tdat_cursor_left(&c)) {
		for (i = 0; i < cpus; i++)
			for (k = 0; k < f->sync[i].count; k++)
				f->sync[i].samples[k].fraction = (int64_t)tdat_cursor_u64(&c);
		ok = tdat_cursor_ok(&c);
	}
	if (!ok) {
		f->sync = NULL;
		f->sync_cpu_count = 0;
		return tdat_error_set(err, TDAT_E_DAMAGED, opt->off,
				      "option TIME_SHIFT at offset %llu is cut",
				      (unsigned long long)opt->off);
	}
	for (i = 0; i < cpus; i++)
		sort_samples(&f->sync[i]);
	return TDAT_OK;
}

static enum tdat_status note_option(struct dat_index *ix, const struct tdat_option *opt,
				    struct read_clock_facts *f, struct tdat_error *err)
{
	switch (opt->id) {
	case TDAT_OPTION_DATE: /* microseconds */
		f->date_ns = wrap_add(f->date_ns,
				      (int64_t)((uint64_t)read_clock_number(opt->data) * 1000));
		return TDAT_OK;
	case TDAT_OPTION_OFFSET:
		f->offset_ns = wrap_add(f->offset_ns, read_clock_number(opt->data));
		return TDAT_OK;
	case TDAT_OPTION_TRACECLOCK:
		f->has_trace_clock = true;
		note_clock(f, dat_clock_name(ix, opt->data));
		return TDAT_OK;
	case TDAT_OPTION_TSC2NSEC:
		if (opt->data.len >= 16) {
			f->mult = tdat_load32(opt->data.ptr, ix->big);
			f->shift = tdat_load32(opt->data.ptr + 4, ix->big);
			f->usecs = true;
		}
		return TDAT_OK;
	case TDAT_OPTION_TIME_SHIFT:
		return read_sync(ix, opt, f, err);
	default:
		return TDAT_OK;
	}
}

enum tdat_status read_clock_facts(struct dat_index *ix, struct read_clock_facts *f,
				  struct tdat_error *err)
{
	enum tdat_status st;
	size_t i;

	*f = (struct read_clock_facts){.usecs = true};
	for (i = 0; i < ix->option_count; i++) {
		st = dat_index_tolerate(ix, note_option(ix, &ix->options[i], f, err), err);
		if (st != TDAT_OK)
			return st;
	}
	/* In version 6 the clock's text stands behind the table of the top buffer. */
	if (ix->version == 6 && f->has_trace_clock && ix->buffer_count && !*ix->buffers[0].name)
		note_clock(f, ix->buffers[0].clock);
	return TDAT_OK;
}

void read_clock_init(struct read_clock *c, const struct read_clock_facts *f, bool instance,
		     const struct tdat_iter_input *in, const struct tdat_iter_opts *opts)
{
	int64_t offset = in->ts_offset;

	*c = (struct read_clock){.raw = opts->raw_ts};
	if (opts->raw_ts) {
		c->identity = true;
		return;
	}
	if (!opts->no_date)
		offset = wrap_add(offset, f->date_ns);
	offset = wrap_add(offset, f->offset_ns);
	c->offset = (uint64_t)offset;
	if (in->ts2secs)
		c->ts2secs = 1e9 / (double)in->ts2secs;
	c->mult = f->mult;
	c->shift = f->shift;
	/* Only the file's own buffer is shifted to the host's time, as in libtracecmd. */
	c->sync = f->sync_cpu_count && !instance ? f : NULL;
	c->identity = c->ts2secs == 0 && !c->mult && !c->sync;
}

bool read_clock_usecs(const struct read_clock_facts *f, bool raw_ts)
{
	return raw_ts && f->named ? false : f->usecs;
}

bool read_clock_use_trace_clock(const struct read_clock_facts *f, uint64_t ts2secs)
{
	return f->has_trace_clock && !ts2secs;
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

	/* Samples that are senselessly far apart, or in no order, have no line. */
	if (!(flags & SYNC_INTERPOLATE) || delta <= 0 ||
	    __builtin_mul_overflow((wide)ts - a->time, (wide)b->offset - a->offset, &rise) ||
	    __builtin_add_overflow(rise, delta / 2, &rise))
		return a->offset;
	return wrap_add(a->offset, (int64_t)(rise / delta));
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
static uint64_t host_time(const struct read_clock_facts *f, uint64_t ts, uint32_t cpu)
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
