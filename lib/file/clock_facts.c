/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Collects what the options of a file say of its time, when it is opened. Input are the options
 * of the index, in the order of the file; output is struct clock_facts, which never changes
 * afterwards. An option that no clock can mean is not used, and is a finding. Called once by
 * file.c.
 */
#include "clock_facts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/search.h"

/* Nanoseconds of a tick where the clock "uptime" counts 1/100 s (USER_HZ). */
enum { UPTIME_NS = 10000000 };

/*
 * Clocks that count nanoseconds (ns): by the kernel's trace_clocks[]. usecs: trace-cmd prints them
 * with microseconds. tsc2nsec is trace-cmd's name. All others count ticks of the CPU or are not a
 * time.
 */
static const struct clock_name {
	const char *name;
	bool ns, usecs;
} clocks[] = {{"local", true, true},	{"global", true, true},	  {"perf", true, true},
	      {"mono", true, true},	{"mono_raw", true, true}, {"tai", true, true},
	      {"tsc2nsec", true, true}, {"boot", true, false},	  {"uptime", false, true}};

/* Reads a number in any base, as strtoll() of libtracecmd does. False: *v is 0. */
static bool read_number(struct tdat_span s, int64_t *v)
{
	char text[64], *end;
	const size_t n = s.len ? strnlen((const char *)s.ptr, s.len) : 0;

	*v = 0;
	/* The option's text need not end with a NUL. */
	if (!n || n >= sizeof(text))
		return false;
	memcpy(text, s.ptr, n);
	text[n] = '\0';
	errno = 0;
	*v = strtoll(text, &end, 0);
	if (errno || end == text || end[strspn(end, " \t\n")]) {
		*v = 0;
		return false;
	}
	return true;
}

/* 0: the option has no number. */
int64_t clock_number(struct tdat_span s)
{
	int64_t v;

	read_number(s, &v);
	return v;
}

/* Notes the active clock of a file. Times are printed as seconds only if all clocks allow it. */
static void note_clock(struct clock_facts *f, const char *name)
{
	struct clock_name clock = {NULL, false, !strncmp(name, "mono", 4)};

	if (!*name)
		return;
	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++)
		if (!strcmp(name, clocks[i].name))
			clock = clocks[i];
	f->named = true;
	/* With TSC2NSEC the times become nanoseconds, whatever the clock counts. */
	if (f->mult)
		return;
	f->ns = f->ns && clock.ns;
	f->usecs = f->usecs && clock.usecs;
	f->tick_ns = !strcmp(name, "uptime") ? UPTIME_NS : 0;
}

/* Sorts by time and drops later samples of one time. */
static void sort_samples(struct clock_cpu_sync *s)
{
	uint32_t i, out = 0;

	qsort(s->samples, s->count, sizeof(*s->samples), tdat_by_s64);
	for (i = 0; i < s->count; i++)
		if (!i || s->samples[i].time != s->samples[i - 1].time)
			s->samples[out++] = s->samples[i];
	s->count = out;
}

/* Reads the samples of one CPU: all times, then all offsets, then all scalings. */
static bool read_samples(struct dat_index *ix, struct tdat_cursor *c, struct clock_cpu_sync *s)
{
	uint32_t n = tdat_cursor_u32(c), i;

	/* 24 bytes a sample: the number is bounded by the bytes that are there. */
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
static enum tdat_status read_sync(struct dat_index *ix, const struct tdat_file_option *opt,
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
	/* Each CPU has at least the 4 bytes of its count. */
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
	/* Fractions came later: older files end here. */
	if (ok && tdat_cursor_left(&c)) {
		for (i = 0; i < cpus; i++)
			for (k = 0; k < f->sync[i].count; k++)
				f->sync[i].samples[k].fraction = (int64_t)tdat_cursor_u64(&c);
		ok = tdat_cursor_ok(&c);
	}
	/* A list that is cut is not used at all: shifting some CPUs only would mix two times. */
	if (!ok) {
		f->sync = NULL;
		f->sync_cpu_count = 0;
		return tdat_error_set(err, TDAT_E_DAMAGED, opt->off,
				      "option TIME_SHIFT at offset %llu is truncated",
				      (unsigned long long)opt->off);
	}
	for (i = 0; i < cpus; i++)
		sort_samples(&f->sync[i]);
	return TDAT_OK;
}

/* The largest shift of a 64-bit number. */
enum { FRACTION_MOST = 63 };

/*
 * Moves behind the samples of one CPU and returns their number. A cut list puts the cursor past its
 * end.
 */
uint32_t clock_skip_samples(struct tdat_cursor *c)
{
	const uint32_t n = tdat_cursor_u32(c);
	const size_t left = tdat_cursor_left(c);

	tdat_cursor_bytes(c, n > left / 24 ? left + 1 : (size_t)n * 24);
	return n;
}

/*
 * True if a TIME_SHIFT that is not cut has a sample which yields no time. Only CPUs with several
 * samples count: a single sample just shifts.
 */
static bool sync_absurd(struct tdat_cursor c)
{
	struct tdat_cursor fractions, own;
	uint32_t cpus, n;
	bool any;

	tdat_cursor_bytes(&c, 12);
	cpus = tdat_cursor_u32(&c);
	fractions = c;
	for (uint32_t i = 0; i < cpus && tdat_cursor_ok(&fractions); i++)
		clock_skip_samples(&fractions);
	any = tdat_cursor_ok(&fractions) && tdat_cursor_left(&fractions);
	for (uint32_t i = 0; i < cpus && tdat_cursor_ok(&c); i++) {
		/* own reads scalings, which lie behind times and offsets: 4 + n * 16 bytes. */
		own = c;
		n = clock_skip_samples(&c);
		tdat_cursor_bytes(&own, 4 + (tdat_cursor_ok(&c) ? (size_t)n * 16 : 0));
		for (uint32_t k = 0; k < n && tdat_cursor_ok(&c); k++) {
			const uint64_t scaling = tdat_cursor_u64(&own);
			const uint64_t fraction = any ? tdat_cursor_u64(&fractions) : 0;

			if (n > 1 && (!scaling || fraction > FRACTION_MOST))
				return true;
		}
	}
	return false;
}

enum tdat_status clock_option_check(const struct tdat_file_option *o, bool big,
				    struct tdat_error *err)
{
	int64_t number;
	uint32_t shift;

	if ((o->id == TDAT_OPTION_DATE || o->id == TDAT_OPTION_OFFSET) &&
	    !read_number(o->data, &number))
		return tdat_error_set(
			err, TDAT_E_DAMAGED, o->off, "option %s at offset %llu is not a number",
			o->id == TDAT_OPTION_DATE ? "DATE" : "OFFSET", (unsigned long long)o->off);
	if (o->id == TDAT_OPTION_TIME_SHIFT &&
	    sync_absurd(tdat_cursor_init(o->data.ptr, o->data.len, o->off, big)))
		return tdat_error_set(
			err, TDAT_E_DAMAGED, o->off,
			"option TIME_SHIFT at offset %llu has a sample with scaling 0 "
			"or more than %d fraction bits",
			(unsigned long long)o->off, FRACTION_MOST);
	if (o->id != TDAT_OPTION_TSC2NSEC || o->data.len < 8)
		return TDAT_OK;
	shift = tdat_load32(o->data.ptr + 4, big);
	if (shift <= FRACTION_MOST)
		return TDAT_OK;
	return tdat_error_set(
		err, TDAT_E_DAMAGED, o->off,
		"option TSC2NSEC at offset %llu has shift %u, but at most %d is valid",
		(unsigned long long)o->off, shift, FRACTION_MOST);
}

/* Drops the facts of an earlier option: the last of several is used, even if it makes no sense. */
static void forget(struct clock_facts *f, uint16_t id)
{
	if (id == TDAT_OPTION_TSC2NSEC) {
		f->mult = 0;
	} else if (id == TDAT_OPTION_TIME_SHIFT) {
		f->sync = NULL;
		f->sync_cpu_count = 0;
	}
}

/* Notes one option. TDAT_E_DAMAGED: it is not used; a tolerant open makes it a finding. */
static enum tdat_status note_option(struct dat_index *ix, const struct tdat_file_option *opt,
				    struct clock_facts *f, struct tdat_error *err)
{
	if (clock_option_check(opt, ix->big, err) != TDAT_OK) {
		forget(f, opt->id);
		return TDAT_E_DAMAGED;
	}
	switch (opt->id) {
	case TDAT_OPTION_DATE: /* microseconds */
		/*
		 * Sums wrap: numbers of a damaged option must not end in undefined behavior.
		 */
		f->date_ns = clock_wrap_add(f->date_ns,
					    (int64_t)((uint64_t)clock_number(opt->data) * 1000));
		return TDAT_OK;
	case TDAT_OPTION_OFFSET:
		f->offset_ns = clock_wrap_add(f->offset_ns, clock_number(opt->data));
		return TDAT_OK;
	case TDAT_OPTION_TRACECLOCK:
		/* The last of several is used: facts of earlier ones are forgotten. */
		f->usecs = f->usecs || f->has_trace_clock;
		f->ns = f->ns || f->has_trace_clock;
		f->named = false;
		f->has_trace_clock = true;
		note_clock(f, dat_clock_name(ix, opt->data));
		return TDAT_OK;
	/* mult, shift and offset: shorter options are ignored. */
	case TDAT_OPTION_TSC2NSEC:
		if (opt->data.len >= 16) {
			f->mult = tdat_load32(opt->data.ptr, ix->big);
			f->shift = tdat_load32(opt->data.ptr + 4, ix->big);
			f->usecs = f->ns = true;
			f->tick_ns = 0;
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

	/* True until a clock says otherwise. */
	*f = (struct clock_facts){.usecs = true, .ns = true};
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

/* raw_ts: timestamps are shown as recorded, so a named clock has its own unit. */
bool clock_facts_usecs(const struct clock_facts *f, bool raw_ts)
{
	return raw_ts && f->named ? false : f->usecs;
}

bool clock_facts_seconds(const struct clock_facts *f, bool raw_ts)
{
	return raw_ts && f->named ? false : f->ns || f->tick_ns;
}

bool clock_facts_use_trace_clock(const struct clock_facts *f, uint64_t ts2secs)
{
	return f->has_trace_clock && !ts2secs;
}
