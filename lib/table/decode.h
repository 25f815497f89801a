/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Turns events of one variant into rows: column by column, so that what to do is found out once
 * for a column of many events, not for each value.
 */
#ifndef TDAT_TABLE_DECODE_H
#define TDAT_TABLE_DECODE_H

#include "builder.h"
#include "decode_run.h"

/* Begins with at most TABLE_RUN events, which are all of one input. */
void table_decode_begin(struct table_decoder *d, const struct tdat_event *const *events,
			size_t count);

/* Adds a row to b for each of these events. */
void table_decode(struct table_decoder *d, struct table_builder *b,
		  const struct table_variant *variant, const struct table_source *source);

#endif
