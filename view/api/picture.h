/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declares what the rows of a picture have in common. */
#ifndef VIEW_API_PICTURE_H
#define VIEW_API_PICTURE_H

#include "answer.h"

struct view_picture {
	struct view_question *q;
	struct view_span span;
	uint32_t width;
	/* Tasks that cells name: numbers of the index, in the order in which they first come. */
	uint32_t *tasks;
	size_t task_count, task_cap;
	uint32_t *places; /* by number of the index: the place in tasks, and one */
	size_t place_count;
};

/* The place of a task in the answer's list, or -1. */
int64_t view_picture_task(struct view_picture *p, uint32_t task);

/* Begins a row, and ends one. */
void view_picture_row(struct view_picture *p, const char *key, const char *kind);
void view_picture_columns(struct view_picture *p, const char *const *columns);

/* A row by its key; TDAT_E_USAGE where there is no such kind of key. */
enum tdat_status view_picture_put(struct view_picture *p, const char *key);

#endif
