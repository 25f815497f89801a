/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * From ring-buffer stamps to the time that is shown: guest to host, ticks to
 * nanoseconds, offsets (docs/file-format.md, "Time").
 */
#ifndef TDAT_READ_CLOCK_H
#define TDAT_READ_CLOCK_H

#include <tdat/iter.h>

#include "../dat/index.h"

/* One sample of TIME_SHIFT: from time on, host = guest * scaling >> fraction + offset. */
struct clock_sample {
	int64_t time;
	int64_t offset;
	int64_t scaling;
	int64_t fraction;
};

struct clock_cpu_sync {
	uint32_t count;
	struct clock_sample *samples; /* by time, unique */
};

/* What the options of a file say of its time; immutable. */
struct read_clock_facts {
	bool usecs;            /* the clock counts ns: shown as seconds */
	bool named;            /* a clock text was found (then --raw-ts shows ticks) */
	int64_t date_ns;       /* DATE, all of them */
	int64_t offset_ns;     /* OFFSET, all of them */
	uint32_t mult, shift;  /* TSC2NSEC; mult 0: none */
	bool has_trace_clock;  /* option TRACECLOCK is there */
	uint32_t sync_flags;
	uint32_t sync_cpu_count;
	struct clock_cpu_sync *sync; /* TIME_SHIFT; NULL: none */
};

enum tdat_status read_clock_facts(struct dat_index *ix, struct read_clock_facts *f,
				  struct tdat_error *err);

/* strtoll(text, NULL, 0) over bytes that may lack a NUL. */
int64_t read_clock_number(struct tdat_span s);

/* How one iterator converts the stamps of one buffer. */
struct read_clock {
	bool raw;
	bool identity;         /* nothing to do but add offset */
	double ts2secs;        /* != 0: ns per tick, from the user */
	uint32_t mult, shift;
	uint64_t offset;       /* added last, wrapping */
	const struct read_clock_facts *sync; /* with samples; NULL: none */
};

void read_clock_init(struct read_clock *c, const struct read_clock_facts *f, bool instance,
		     const struct tdat_iter_input *in, const struct tdat_iter_opts *opts);

uint64_t read_clock_slow(const struct read_clock *c, uint64_t ts, uint32_t cpu);

static inline uint64_t read_clock_ts(const struct read_clock *c, uint64_t ts, uint32_t cpu)
{
	if (__builtin_expect(c->identity, 1))
		return ts + c->offset;
	return read_clock_slow(c, ts, cpu);
}

/*
 * Whether a buffer's times are shown as seconds, with the user's options:
 * report's TRACECMD_FL_IN_USECS.
 */
bool read_clock_usecs(const struct read_clock_facts *f, bool raw_ts);

/* Whether --ts-diff rounds to microseconds: report's use_trace_clock. */
bool read_clock_use_trace_clock(const struct read_clock_facts *f, uint64_t ts2secs);

#endif
