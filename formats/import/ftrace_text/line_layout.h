/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Takes apart the columns that the kernel puts before the text of an event. */
#ifndef TDAT_IMPORT_FTRACE_LINE_LAYOUT_H
#define TDAT_IMPORT_FTRACE_LINE_LAYOUT_H

#include <tdat/base.h>

#include "core/text.h"

/* A pid that the text does not tell; tgids and CPUs that it does not tell are FT_NONE, too. */
enum { FT_NO_PID = -1 };
#define FT_NONE UINT32_MAX

/* How an event's time is written. */
enum ft_unit {
	FT_NO_TIME,
	FT_COUNT,   /* an integer of a clock that does not count nanoseconds */
	FT_SECONDS, /* seconds and their fraction */
	FT_MICROS   /* microseconds since some moment that the text does not tell */
};

struct ft_head {
	struct tdat_span comm; /* len 0: not told */
	int32_t pid;
	uint32_t tgid, cpu;
	uint8_t flags, preempt; /* as common_flags and common_preempt_count have them */
	bool has_flags;
	enum ft_unit unit;
	uint8_t digits; /* of the fraction */
	bool too_late;	/* 64 bits do not hold the time in nanoseconds; ts is the greatest */
	uint64_t ts;	/* nanoseconds, or what was counted */
	size_t rest;	/* where the event's text starts in the line */
};

enum ft_layout { FT_DEFAULT, FT_LATENCY, FT_VERBOSE, FT_GRAPH, FT_PERF };

/* The columns of a line of that layout (not FT_GRAPH) from byte at on; false: it has others. */
bool ft_head_parse(enum ft_layout layout, struct tdat_span line, size_t at, struct ft_head *out);

/*
 * Where the next event starts in a line behind at, as a text without a newline at its end has
 * it stand there; line.len: nowhere.
 */
size_t ft_head_inside(enum ft_layout layout, struct tdat_span line, size_t at);

/* ---- words, for who reads other lines ---- */

struct ft_cursor {
	const uint8_t *p, *end;
};

/* Steps over blanks; returns how many. */
size_t ft_blanks(struct ft_cursor *c);
/* Steps over that text, if it is there. */
bool ft_take(struct ft_cursor *c, const char *text);
/* Reads decimal digits; false: none, or the number does not fit. */
bool ft_number(struct ft_cursor *c, uint64_t *out);
/* Reads "12.345678" as nanoseconds, or an integer. */
bool ft_time(struct ft_cursor *c, struct ft_head *out);
/* The bytes from p to end without blanks at both ends. */
struct tdat_span ft_trimmed(const uint8_t *p, const uint8_t *end);
/* Reads the column of flags, 4 to 7 characters. */
bool ft_flags(struct tdat_span word, struct ft_head *out);

#endif
