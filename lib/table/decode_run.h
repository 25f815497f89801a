/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What decoding has of an input, of the events whose rows are under way, and for one thread. */
#ifndef TDAT_TABLE_DECODE_RUN_H
#define TDAT_TABLE_DECODE_RUN_H

#include <tdat/iter.h>
#include <tdat/print.h>

#include "core/build.h"
#include "core/task_groups.h"

struct model_scratch;
struct model_symbols;

/* What decoding needs of one input. */
struct table_input {
	struct tdat_file *file;
	const struct tdat_buffer *buffers;
	size_t buffer_count;
	const struct model_symbols *symbols;
	const struct tdat_task_groups *groups;
	const struct tdat_field *flags, *preempt, *migrate; /* common fields; may be NULL */
	size_t text_max, text_per_byte; /* limit print_len of an event, and for each byte of it */
	bool big;
	bool ranks; /* its clock counts events: times have an order, and no distance */
};

/* The most bytes that the names of a list's items may have together: as an event's text has. */
static inline size_t table_names_most(const struct table_input *in, size_t list_len)
{
	return in->text_max + in->text_per_byte * list_len;
}

/* Events that are decoded at once, so few that they stay in a CPU's nearest cache. */
enum { TABLE_RUN = 256 };

/*
 * Events of one input whose rows follow each other, and what their columns share. It is found in
 * one pass, so that columns need not look at events and records again.
 */
struct table_run {
	const struct tdat_event *const *events;
	size_t count;
	const struct table_input *in;
	struct tdat_span records[TABLE_RUN];
	size_t least_len; /* of the records */
	bool any_lost;	  /* events were lost before one of them */
	bool one_buffer;  /* all are of one buffer */
	/* common_flags and common_preempt_count, where all records have them and they are bytes */
	bool has_flags, has_preempt;
	uint8_t any_flags; /* all flags or-ed */
	uint8_t flags[TABLE_RUN], preempt[TABLE_RUN];
};

/* What one thread needs. */
struct table_decoder {
	const struct table_input *inputs;
	struct table_run run;
	struct model_scratch *scratch;
	struct tdat_printer *printer; /* NULL unless lines are wanted */
	struct tdat_build text;
	struct tdat_error err;
	enum tdat_status status;
};

#endif
