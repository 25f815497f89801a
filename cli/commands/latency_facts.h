/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What "tdat latency" prints of one table, and how. */
#ifndef CLI_LATENCY_FACTS_H
#define CLI_LATENCY_FACTS_H

#include <tdat/summary.h>

/* False: no memory. top is how many groups are shown; 0: all. */
bool latency_text(const struct tdat_summary *s, uint64_t top);
bool latency_csv(const struct tdat_summary *s);

#endif
