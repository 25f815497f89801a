/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares a queue in which events wait for their kernel stacks. A stack is an event of its own,
 * behind the event it belongs to on the same CPU, with the events that were made in between, and
 * their stacks, before it. Events leave the queue in the order in which they came.
 */
#ifndef TDAT_HIST_STACKS_H
#define TDAT_HIST_STACKS_H

#include "hist.h"

struct hist_stacks;

/* Handles an event when it leaves the queue. */
typedef enum tdat_status (*hist_stacks_fn)(struct tdat_hist *h, struct hist_event *e,
					   const struct hist_hit *hit, uint32_t id);

/* NULL: no memory. */
struct hist_stacks *hist_stacks_new(struct tdat_hist *h, hist_stacks_fn fn);
void hist_stacks_free(struct hist_stacks *s);
/* e is NULL for events without triggers, which are handed on, too. */
enum tdat_status hist_stacks_take(struct hist_stacks *s, const struct tdat_event *ev,
				  struct hist_event *e);
/* Hands on all that is left. */
enum tdat_status hist_stacks_end(struct hist_stacks *s);

#endif
