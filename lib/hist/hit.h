/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares what happens when an event with triggers comes. */
#ifndef TDAT_HIST_HIT_H
#define TDAT_HIST_HIT_H

#include "eval.h"

/* Runs all triggers of an event. A failure is one of memory, of a limit, or of a callback. */
enum tdat_status hist_hit_event(struct tdat_hist *h, struct hist_event *e,
				const struct hist_hit *hit);

#endif
