/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What losses of events make unknown of tasks. Where events of a CPU were lost, a task may have
 * been switched in and out there, so that nothing is known of tasks that did not run, and of the
 * one that ran there; what ran on another CPU is known still. Losses are numbered, and what is
 * known keeps the number of the last one before it: nothing need be walked at a loss.
 */
#ifndef TDAT_ANALYSIS_LOSSES_H
#define TDAT_ANALYSIS_LOSSES_H

#include "analysis.h"
#include "map.h"

struct losses {
	struct derived_out *out; /* gets a note when there is no room for all losses */
	uint64_t *last;		 /* by recording: number of its last loss; 0: none */
	struct map cpus;	 /* by recording and CPU: the same */
};

/* False: no memory. */
bool losses_init(struct losses *l, struct derived_out *out);
void losses_fini(struct losses *l);
/*
 * Events of a CPU were lost. It can be the function "lost" of a table whose state begins with its
 * losses.
 */
void losses_take(void *losses, uint32_t rec, uint32_t cpu, uint64_t ts);

static inline uint64_t losses_now(const struct losses *l, uint32_t rec)
{
	return l->last[rec];
}

/* Whether what was known when losses_now gave since is known still: of a task that ran on cpu, */
bool losses_knows_running(const struct losses *l, uint32_t rec, uint32_t cpu, uint64_t since);
/* and of one that did not run. */
static inline bool losses_knows(const struct losses *l, uint32_t rec, uint64_t since)
{
	return l->last[rec] == since;
}

#endif
