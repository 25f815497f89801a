/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads the events of one text, in its order. */
#ifndef TDAT_IMPORT_FTRACE_TEXT_READER_H
#define TDAT_IMPORT_FTRACE_TEXT_READER_H

#include "graph_line.h"
#include "text_events.h"

/* What a first pass learns of a text; all zero before it. */
struct ft_facts {
	uint64_t events, lines;
	enum ft_unit unit; /* of its first event */
	enum ft_layout layout;
	uint32_t cpus; /* as its header says, or the greatest number and 1 */
	bool report;   /* trace-cmd report made it */
	bool backward; /* a time is before that of an event above */
	bool console, html, cpu_unknown;
	uint64_t buffered, written; /* events, as the header says; 0: it does not */
	uint64_t marks;		    /* of interrupts, which are no events */
	char tracer[32], kernel[64];
};

/*
 * Reads all lines. With out NULL only facts are learnt; else its events are handed over, and
 * facts are those of a first pass.
 */
enum tdat_status ft_read_text(const struct tdat_source *source, struct ft_facts *facts,
			      struct ft_out *out, struct tdat_error *err);

#endif
