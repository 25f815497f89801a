/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers that read much of the trace: they are made by the threads of the engine, and the last few
 * are kept. Meanwhile the answer is "pending".
 */
#ifndef VIEW_API_MADE_H
#define VIEW_API_MADE_H

#include "answer.h"

/* An answer is found by its function and its query; the other members belong to the function. */
struct view_made_key {
	struct view_api *api;
	view_answer_fn answer;
	const char *const *names; /* of its parameters */
	const char *shorter;	  /* what makes it shorter */
	const char *text;
	bool waits; /* the caller asks rarely, but waits: the answer is not given up */
};

extern const struct view_cache_ops view_made_ops;

/* Writes the members of an answer, or "pending". */
enum tdat_status view_answer_made(struct view_question *q, const struct view_made_key *key);

#endif
