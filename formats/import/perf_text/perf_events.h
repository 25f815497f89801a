/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes events of what perf script printed of a sample. */
#ifndef TDAT_IMPORT_PERF_EVENTS_H
#define TDAT_IMPORT_PERF_EVENTS_H

#include "import/ftrace_text/text_events.h"
#include "perf_line.h"

struct perf_words {
	struct tdat_build text; /* room for one that is put in other words */
	bool kernel_states;	/* the plugin has the kernel's letters of states */
	bool addresses;		/* instructions stand behind the texts of tracepoints */
};

/* The sample of a line, whose event and text may be of another buffer. */
enum tdat_status perf_out_sample(struct ft_out *o, const struct perf_line *line,
				 struct perf_words *words, struct tdat_error *err);

/* Whether the text of a sched_switch has a state that plugins with the kernel's letters know. */
bool perf_kernel_state(const struct perf_line *line);
/* 1: an instruction stands behind the text of a tracepoint; -1: none does; 0: it is another event.
 */
int perf_address(const struct perf_line *line);

/* Events of the kernel's part of a call chain, and of the program's. */
extern const struct perf_stack {
	const char *name, *title;
} perf_stacks[];

#endif
