/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declares rows of lists of events. */
#ifndef VIEW_API_ROWS_H
#define VIEW_API_ROWS_H

#include <stdio.h>

#include "answer.h"
#include "event_key.h"

struct view_rows {
	struct view_question *q;
	const char *name;	      /* the key of a row in its object; NULL: in an array */
	struct tdat_printer *printer; /* NULL: without texts */
	struct view_key_maker keys;
	uint64_t skip, left; /* events before the first row; rows that are still wanted */
	uint64_t row;	     /* the number of the next one */
	bool numbered;
};

/* Puts a row; row is NULL where its number is not known. */
void view_row_put(struct view_rows *r, const struct tdat_event *event, const struct view_key *key,
		  const uint64_t *row);

#endif
