/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes events as messages, by their plans. */
#ifndef TDAT_PERFETTO_EVENT_WRITE_H
#define TDAT_PERFETTO_EVENT_WRITE_H

#include <tdat/iter.h>

#include "event_plan.h"

/* How values are read that are no plain numbers or texts. */
struct pf_reader {
	bool big;	  /* byte order of the event's file */
	size_t text_most; /* the limit print_len of the event's text */
	struct tdat_cells *cells;
	const struct tdat_cell_type *type;
	enum tdat_status status; /* of the first failure, which is want of memory */
	struct tdat_error *err;
};

/*
 * Appends the inside of a FtraceEvent: time, pid and the event's message. text is
 * the event's text, for plans that have it as a field.
 */
void pf_event_write(const struct pf_plan *plan, const struct tdat_event *event,
		    struct pf_reader *reader, struct tdat_span text, struct tdat_build *out);

/* The same for an event whose text is markup, as a message print. */
void pf_mark_write(const struct pf_plan *plan, const struct tdat_event *event, bool big,
		   struct tdat_span text, struct tdat_build *out);

/* Appends the addresses of a stack, innermost first, as numbers of 64 bits of this machine. */
void pf_stack_write(const struct pf_plan *plan, struct tdat_span record, bool big,
		    struct tdat_build *out);

/*
 * The same for an event that its file does not describe: a name with its number, and its record
 * in hexadecimal. number is that of its field in FtraceEvent; with pairs it is not used.
 */
void pf_unknown_write(const struct tdat_event *event, uint32_t number, bool pairs,
		      struct tdat_build *out);
/* Appends the descriptor for such events of one id. */
void pf_unknown_describe(uint32_t id, uint32_t number, struct tdat_build *out);

#endif
