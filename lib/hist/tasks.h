/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares what is known of the names of tasks while events go by. A task has one name after the
 * other; a name that is not known yet gets a number at once and its text when an event tells it.
 */
#ifndef TDAT_HIST_TASKS_H
#define TDAT_HIST_TASKS_H

#include "hist.h"

enum { HIST_COMM = 16 };

/* Prepares for the events that tell names; false: no memory. */
bool hist_tasks_init(struct tdat_hist *h);
void hist_tasks_fini(struct tdat_hist *h);

/* Learn the names that hold before an event, and those that hold after it. */
void hist_tasks_before(struct tdat_hist *h, uint32_t id, const struct hist_hit *hit);
void hist_tasks_after(struct tdat_hist *h, uint32_t id, const struct hist_hit *hit);

/* The number of the name that a task has now, for hist_tasks_name(). */
uint32_t hist_tasks_number(struct tdat_hist *h, int32_t pid);
/* At most 15 bytes; what the file has saved when no event told it. */
struct tdat_span hist_tasks_name(const struct tdat_hist *h, uint32_t number);
/* The same for a text that is printed: says once when no event told the name. */
struct tdat_span hist_tasks_shown(struct tdat_hist *h, uint32_t number);
/* The name that is known now. */
struct tdat_span hist_tasks_now(const struct tdat_hist *h, int32_t pid);

#endif
