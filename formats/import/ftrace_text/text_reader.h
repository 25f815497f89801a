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
	uint8_t digits;	   /* of that time */
	enum ft_layout layout;
	uint32_t cpus; /* as its header says, or the greatest number and 1 */
	bool report;   /* trace-cmd report made it */
	bool backward; /* a time is before that of an event above */
	bool console, html;
	bool cpu_known, cpu_unknown; /* of events */
	bool stacks;		     /* perf script printed call chains */
	bool kernel_states;	     /* its plugin has the kernel's letters */
	int64_t addresses; /* tracepoints' texts with an instruction behind, less those without */
	unsigned columns;  /* of perf script */
	uint64_t own_records;	    /* of perf, which are no events */
	uint64_t buffered, written; /* events, as the header says; 0: it does not */
	uint32_t first_cpu;	    /* of its first event */
	bool several_cpus;
	uint64_t no_task;	/* events whose task is not told */
	uint64_t unnamed_exits; /* of functions that were not remembered */
	uint64_t too_late;	/* events with times beyond 64 bits, which are left out */
	uint64_t marks;		/* of interrupts, which are no events */
	char tracer[32], kernel[64];
};

/*
 * Reads all lines. With out NULL only facts are learnt; else its events are handed over, and
 * facts are those of a first pass.
 */
enum tdat_status ft_read_text(const struct tdat_source *source, struct ft_facts *facts,
			      struct ft_out *out, struct tdat_error *err);

/* A kind of text whose events are made alike. */
struct ft_kind {
	const char *name;   /* of the importer */
	const char *system; /* of events that carry texts */
	const char *none;   /* why a text without events is refused */
	enum tdat_status (*read)(const struct tdat_source *source, struct ft_facts *facts,
				 struct ft_out *out, struct tdat_error *err);
};

extern const struct tdat_keyed_option_desc ft_option_descs[];

/* Converts texts of that kind: what an importer of them runs. */
enum tdat_status ft_import(const struct ft_kind *kind, const struct tdat_import_request *request,
			   const struct tdat_emit *emit, struct tdat_error *err);

/*
 * Bits that the lines at the beginning of an input speak for a kind of text: those of line_bits for
 * each, and title_bits if the input begins with title.
 */
uint32_t ft_probe(const struct tdat_source *source, const char *title, uint32_t title_bits,
		  uint32_t (*line_bits)(struct tdat_span line));

#endif
