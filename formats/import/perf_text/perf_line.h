/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Takes apart the columns that perf script prints before the text of an event. */
#ifndef TDAT_IMPORT_PERF_LINE_H
#define TDAT_IMPORT_PERF_LINE_H

#include "import/ftrace_text/line_layout.h"

/* Columns that all lines of a text have, or none. The CPU and the period are told line by line. */
enum { PERF_COMM = 1, PERF_TID = 2, PERF_TIME = 4, PERF_ALL = 7 };

struct perf_line {
	struct ft_head head; /* cpu FT_NONE: not told; rest is not used */
	bool has_period;
	uint64_t period;
	struct tdat_span event; /* without the ":" behind it, as in "sched:sched_switch" */
	struct tdat_span text;	/* what is behind */
};

/* False: the line has other columns, or no event's name. */
bool perf_line_parse(unsigned columns, struct tdat_span line, struct perf_line *out);
/* The richest columns that fit the line; false: none does. */
bool perf_line_guess(struct tdat_span line, unsigned *columns, struct perf_line *out);

/* A record of perf itself, not a sample: PERF_RECORD_COMM and others. */
bool perf_is_record(struct tdat_span event);
/* "system:name" of a tracepoint, with modifiers behind it or not; *out has none. */
bool perf_tracepoint(struct tdat_span event, struct tdat_span *out);
/* Whether the line is a frame of a call chain: blanks, an address, and maybe its symbol. */
bool perf_is_frame(struct tdat_span line);
/* Whether a frame, without blanks before it, is of a program: by its file, or else its address. */
bool perf_is_user(struct tdat_span frame);
/* Reads hexadecimal digits, at most 16, without "0x". */
bool perf_hex(struct ft_cursor *c, uint64_t *out);

#endif
