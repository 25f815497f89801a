/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Collects what the options of a file say of its time, when it is opened. */
#include "clock_facts.h"

#include <stdlib.h>
#include <string.h>

/* Clocks that count nanoseconds. "boot" does, too, but trace-cmd shows its times raw. */
static bool clock_is_ns(const char *name)
{
	static const char *const ns[] = {"local", "global", "uptime", "perf", "tsc2nsec", "tai"};
	size_t i;

	for (i = 0; i < sizeof(ns) / sizeof(ns[0]); i++)
		if (!strcmp(name, ns[i]))
			return true;
	return !strncmp(name, "mono", 4);
}

int64_t clock_number(struct tdat_span s)
{
	char text[64];
	size_t n = s.len < sizeof(text) - 1 ? s.len : sizeof(text) - 1;

	if (n)
		memcpy(text, s.ptr, n);
	text[n] = '\0';
	return strtoll(text, NULL, 0);
}

static void note_clock(struct clock_facts *f, const char *name)
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
				  struct clock_facts *f, struct tdat_error *err)
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
				    struct clock_facts *f, struct tdat_error *err)
{
	switch (opt->id) {
	case TDAT_OPTION_DATE: /* microseconds */
		f->date_ns = clock_wrap_add(f->date_ns,
					    (int64_t)((uint64_t)clock_number(opt->data) * 1000));
		return TDAT_OK;
	case TDAT_OPTION_OFFSET:
		f->offset_ns = clock_wrap_add(f->offset_ns, clock_number(opt->data));
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

enum tdat_status clock_facts_read(struct dat_index *ix, struct clock_facts *f,
				  struct tdat_error *err)
{
	enum tdat_status st;
	size_t i;

	*f = (struct clock_facts){.usecs = true};
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

bool clock_facts_usecs(const struct clock_facts *f, bool raw_ts)
{
	return raw_ts && f->named ? false : f->usecs;
}

bool clock_facts_use_trace_clock(const struct clock_facts *f, uint64_t ts2secs)
{
	return f->has_trace_clock && !ts2secs;
}
