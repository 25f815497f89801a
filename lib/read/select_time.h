/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parses a time as the user writes it, and finds what it is on the clock of the inputs. */
#ifndef TDAT_READ_SELECT_TIME_H
#define TDAT_READ_SELECT_TIME_H

#include <tdat/error.h>

enum select_time_kind {
	SELECT_TIME_NONE,
	SELECT_TIME_ABSOLUTE,
	SELECT_TIME_AFTER_FIRST,
	SELECT_TIME_BEFORE_LAST,
	SELECT_TIME_WALL /* of the wall clock: only text is set */
};

struct select_time {
	enum select_time_kind kind;
	const char *text; /* as it was written */
	uint64_t whole;
	uint64_t fraction; /* in units of 10^-12 */
	uint64_t unit_ns;  /* 0: none was written */
};

/* option: "from" or "to", for the sentence; NULL: none is named. text is borrowed. */
enum tdat_status select_time_parse(struct select_time *t, const char *option, const char *text,
				   struct tdat_error *err);

/* Whether both are given alike, and to is before from on any clock. */
bool select_time_reversed(const struct select_time *from, const struct select_time *to);

/* What the clocks of all inputs count, and where they start and end. */
struct select_span {
	bool seconds; /* nanoseconds, shown as seconds */
	bool raw_ns;  /* raw stamps of nanoseconds: units may follow */
	bool any;     /* there are events at all */
	uint64_t first, last;
	bool wall; /* nanoseconds of the wall clock */
	/* Of several inputs: the name of the first one that is not shown as seconds; else NULL. */
	const char *ticks;
};

/* Sets *ts to the time on the clock of the inputs; one beyond the clock's range is cut to it. */
enum tdat_status select_time_resolve(const struct select_time *t, const struct select_span *span,
				     uint64_t *ts, struct tdat_error *err);

/*
 * The times from from to to, both included, of a clock that is taken for signed: where from is
 * above to, the span goes on from the highest number to 0.
 */
struct read_span {
	bool set;
	uint64_t from, to;
};

/* The times that a filter wants, both included. */
struct read_times {
	bool set; /* not all of them */
	uint64_t from, to;
};

#endif
