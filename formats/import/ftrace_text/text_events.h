/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes events of the texts that were read, and hands them to a tdat_emit. */
#ifndef TDAT_IMPORT_FTRACE_TEXT_EVENTS_H
#define TDAT_IMPORT_FTRACE_TEXT_EVENTS_H

#include <tdat/emit.h>

#include "core/build.h"
#include "core/map.h"
#include "event_forms.h"
#include "graph_line.h"
#include "typed_events.h"
#include "import/sort.h"

/*
 * A page, and the most bytes of an event's text, which it takes with all else. Each CPU has a page:
 * where there are more than FT_CPUS_MANY, pages are small.
 */
enum {
	FT_PAGE = 64 * 1024,
	FT_PAGE_SMALL = 4 * 1024,
	FT_REST = 1024, /* of a page: heads, fields and ends of strings */
	FT_TEXT_MOST = 60 * 1024,
	FT_CPUS_MANY = 1024
};

/* A part of an event: a number or a text. */
struct ft_part {
	uint64_t num;
	struct tdat_span text;
};

struct ft_name;
struct ft_task;

struct ft_out {
	const struct tdat_emit *emit;
	struct import_sort *sort; /* NULL: events come in order of time */
	struct ft_typed *typed;	  /* NULL: texts stay texts */
	bool report;		  /* text of trace-cmd report, which pads names of events */
	bool ranks;		  /* there are no times */
	const char *tracer;	  /* of the header; "" */
	const char *system;	  /* of events that carry texts */

	struct ft_name *names; /* of formats that were handed over */
	size_t name_cap;
	struct tdat_map name_map;
	struct ft_task *tasks;
	size_t task_cap;
	struct tdat_map task_map;
	size_t text_most; /* bytes of an event's text */
	int64_t *lost;	  /* before the next event, by CPU */
	size_t lost_count;

	struct tdat_build record;
	struct tdat_build moments; /* rows of option TASK_NAMES */
	uint32_t moment_count;
	uint64_t rank; /* of the event given last, from 1 */
	uint64_t last_ts, last_given;
	uint32_t last_cpu;
	uint64_t events, raised, cut, renamed, typed_count, unnamed;
};

/* system: of events that carry texts; big: the byte order of records. */
void ft_out_init(struct ft_out *o, const struct tdat_emit *emit, const char *system, bool big);
void ft_out_fini(struct ft_out *o);

/* Lost events of a CPU, before its next event; -1: the text does not say how many. */
enum tdat_status ft_out_lost(struct ft_out *o, uint32_t cpu, int64_t count, struct tdat_error *err);

/* A name that a task has from ts on; names and thread groups that the head lacks are passed over.
 */
enum tdat_status ft_out_task(struct ft_out *o, const struct ft_head *head, uint64_t ts,
			     struct tdat_error *err);

/* An event of a form, with a part for each of its fields. */
enum tdat_status ft_out_parts(struct ft_out *o, const struct ft_head *head, enum form_id form,
			      struct tdat_span name, const struct ft_part *parts,
			      struct tdat_error *err);

/* A typed event of that name ("system:name", or a name alone), if one has that text (*done). */
enum tdat_status ft_out_typed(struct ft_out *o, const struct ft_head *head, struct tdat_span name,
			      struct tdat_span text, bool *done, struct tdat_error *err);

/* An event of that name that carries the text. */
enum tdat_status ft_out_text(struct ft_out *o, const struct ft_head *head, struct tdat_span name,
			     struct tdat_span text, struct tdat_error *err);

/* An event with its text, which may have several lines. */
enum tdat_status ft_out_event(struct ft_out *o, const struct ft_head *head, struct tdat_span text,
			      struct tdat_error *err);

/* An entry, exit or both of function_graph; func names the function of an exit, if known. */
enum tdat_status ft_out_graph(struct ft_out *o, const struct ft_graph_line *line,
			      struct tdat_span func, struct tdat_error *err);

/* After the last event: what belongs to the whole. */
enum tdat_status ft_out_finish(struct ft_out *o, struct tdat_error *err);

#endif
