/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How "tdat profile" prints what it found. */
#ifndef CLI_PROFILE_FACTS_H
#define CLI_PROFILE_FACTS_H

#include <tdat/summary.h>

/* top is how many tasks are shown; 0: all. several: the trace is of several files. */
void profile_text(const struct tdat_summary *s, uint64_t top);
void profile_csv(const struct tdat_summary *s, bool several);

#endif
