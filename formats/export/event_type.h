/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares what JSON and CSV make once of an event type: texts around the values of its columns. */
#ifndef EXPORT_EVENT_TYPE_H
#define EXPORT_EVENT_TYPE_H

#include <tdat/cells.h>

/* Bytes that may be read from the start of each key on. */
enum { EXPORT_KEY_COPY = 32 };

struct export_type {
	const struct tdat_cell_type *cells;
	char *head; /* JSON: ,"system":"sched","event":"sched_switch" */
	size_t head_len;
	char *keys; /* JSON: "pid":,"prio": ..., the key of each column behind the one before */
	size_t *key_ends;
	size_t *columns; /* CSV: for each column of the output the type's own + 1; 0: it has none */
};

/* The cells are borrowed. */
enum tdat_status export_type_new(struct export_type **out, const struct tdat_cell_type *cells,
				 struct tdat_error *err);
void export_type_free(void *type);

/* Finds the columns of t for those of the output, which are of another format perhaps. */
enum tdat_status export_type_match(struct export_type *t, const struct tdat_cell_type *output,
				   struct tdat_error *err);

#endif
