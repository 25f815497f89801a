/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Takes apart the lines of the tracer function_graph. */
#ifndef TDAT_IMPORT_FTRACE_GRAPH_LINE_H
#define TDAT_IMPORT_FTRACE_GRAPH_LINE_H

#include "line_layout.h"

enum ft_graph_kind {
	FT_GRAPH_NONE,	 /* another line */
	FT_GRAPH_ENTRY,	 /* "name() {" */
	FT_GRAPH_LEAF,	 /* "name();": an entry, and the exit right behind it */
	FT_GRAPH_EXIT,	 /* "}", "} // name" */
	FT_GRAPH_EVENT,	 /* another event, as a comment */
	FT_GRAPH_SWITCH, /* "bash-1 => cat-2" */
	FT_GRAPH_MARK	 /* of an interrupt: "==========>" */
};

struct ft_graph_line {
	enum ft_graph_kind kind;
	struct ft_head head; /* of a switch: of the task that comes */
	bool has_cpu, has_task, has_duration;
	uint64_t duration;     /* ns */
	uint32_t depth;	       /* by the indent */
	struct tdat_span name; /* of the function, with offset and module where printed */
	struct tdat_span args; /* between its parentheses */
	struct tdat_span note; /* the comment behind it */
	struct tdat_span
		event; /* the text of another event; its end is in a later line if !closed */
	bool closed;
};

void ft_graph_parse(struct tdat_span line, struct ft_graph_line *out);

#endif
