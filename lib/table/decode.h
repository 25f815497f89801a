/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Turns events of one variant into rows: column by column, so that what to do is found out once
 * for a column of many events, not for each value.
 */
#ifndef TDAT_TABLE_DECODE_H
#define TDAT_TABLE_DECODE_H

#include <tdat/iter.h>
#include <tdat/print.h>

#include "builder.h"
#include "task_groups.h"

/* What decoding needs of one input. */
struct table_input {
	struct tdat_file *file;
	const struct tdat_buffer *buffers;
	size_t buffer_count;
	const struct model_symbols *symbols;
	const struct task_groups *groups;
	const struct tdat_field *flags, *preempt, *migrate; /* common fields; may be NULL */
	bool big;
};

/* What one thread needs. */
struct table_decoder {
	const struct table_input *inputs;
	struct model_scratch *scratch;
	struct tdat_printer *printer; /* NULL unless lines are wanted */
	struct tdat_build text;
	struct tdat_error err;
	enum tdat_status status;
};

/* Adds a row to b for each of the events, which are all of one input. */
void table_decode(struct table_decoder *d, struct table_builder *b,
		  const struct table_variant *variant, const struct table_source *source,
		  const struct tdat_event *const *events, size_t count);

#endif
