/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Collects what the options of a file say of its time (docs/file-format.md, "Time"). */
#ifndef TDAT_FILE_CLOCK_FACTS_H
#define TDAT_FILE_CLOCK_FACTS_H

#include "dat/index.h"

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

/* Facts that the options of a file give about its time; immutable. */
struct clock_facts {
	bool usecs;	      /* trace-cmd takes the clock for one of ns */
	bool ns;	      /* timestamps are ns */
	uint32_t tick_ns;     /* ns of a tick; 0: unknown */
	bool named;	      /* a clock text was found (then --raw-ts shows ticks) */
	int64_t date_ns;      /* DATE, all of them */
	int64_t offset_ns;    /* OFFSET, all of them */
	uint32_t mult, shift; /* TSC2NSEC; mult 0: none */
	bool has_trace_clock; /* option TRACECLOCK is there */
	uint32_t sync_flags;
	uint32_t sync_cpu_count;
	struct clock_cpu_sync *sync; /* TIME_SHIFT; NULL: none */
};

/* Fills f; damaged options go through dat_index_tolerate. */
enum tdat_status clock_facts_read(struct dat_index *ix, struct clock_facts *f,
				  struct tdat_error *err);

/*
 * The number that a text is, as strtoll() reads it with base 0; the bytes may lack a NUL. 0 where
 * the text is none, or has anything but white space behind it.
 */
int64_t clock_number(struct tdat_span s);

/*
 * TDAT_E_DAMAGED when an option of time, whose bytes are all there, says what no clock can be:
 * DATE or OFFSET that is not a number, a shift of TSC2NSEC or fraction bits of TIME_SHIFT beyond
 * 63, a scaling of 0. The option is then not used.
 */
enum tdat_status clock_option_check(const struct tdat_file_option *o, bool big,
				    struct tdat_error *err);

/* Moves c behind the samples of a CPU in TIME_SHIFT, and returns how many they are. */
uint32_t clock_skip_samples(struct tdat_cursor *c);

/*
 * Whether times are ns, shown as seconds, with the user's options: by what the kernel's clock
 * counts, and as report's TRACECMD_FL_IN_USECS.
 */
bool clock_facts_seconds(const struct clock_facts *f, bool raw_ts);
bool clock_facts_usecs(const struct clock_facts *f, bool raw_ts);

/* True if --ts-diff rounds to microseconds: report's use_trace_clock. */
bool clock_facts_use_trace_clock(const struct clock_facts *f, uint64_t ts2secs);

/* A sum that wraps as the kernel's 64-bit sums do. */
static inline int64_t clock_wrap_add(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

#endif
