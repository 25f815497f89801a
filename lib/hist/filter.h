/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares the filter of a trigger, in the kernel's grammar: && binds closer than ||, ! stands
 * before a comparison or a parenthesis, ~ compares with a pattern.
 */
#ifndef TDAT_HIST_FILTER_H
#define TDAT_HIST_FILTER_H

#include "filter_step.h"

/* NULL: refused, or no memory. */
struct hist_filter *hist_filter_new(struct tdat_hist *h, const struct hist_event *e,
				    const char *text);
bool hist_filter_run(const struct tdat_hist *h, const struct hist_filter *f,
		     const struct hist_hit *hit);

#endif
