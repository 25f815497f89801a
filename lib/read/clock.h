/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Converts ring-buffer stamps to the times that are shown: guest to host, ticks to
 * nanoseconds, offsets (docs/file-format.md, "Time").
 */
#ifndef TDAT_READ_CLOCK_H
#define TDAT_READ_CLOCK_H

#include <tdat/iter.h>

#include "file/clock_facts.h"

/* How one iterator converts the stamps of one buffer. */
struct read_clock {
	bool raw;
	bool identity;	/* the conversion is only to add offset */
	double ts2secs; /* != 0: ns per tick, from the user */
	uint32_t mult, shift;
	uint64_t offset;		/* added last, wrapping */
	const struct clock_facts *sync; /* with samples; NULL: none */
};

void read_clock_init(struct read_clock *c, const struct clock_facts *f, bool instance,
		     const struct tdat_iter_input *in, const struct tdat_iter_opts *opts);

uint64_t read_clock_slow(const struct read_clock *c, uint64_t ts, uint32_t cpu);

static inline uint64_t read_clock_ts(const struct read_clock *c, uint64_t ts, uint32_t cpu)
{
	if (__builtin_expect(c->identity, 1))
		return ts + c->offset;
	return read_clock_slow(c, ts, cpu);
}

#endif
