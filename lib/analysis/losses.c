/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Numbers losses of events. A state machine that pairs events may use what it knew only if no
 * event was lost meanwhile. A loss gets a number that rises; a table keeps the number at which
 * it learned something, and asks whether a loss of that CPU came later. Users are the derived
 * tables of this folder.
 */
#include "losses.h"

#include <stdlib.h>

enum { CPUS_MAX = 1 << 20 };

struct loss_cpu {
	struct map_key key;
	uint64_t last;
};

bool losses_init(struct losses *l, struct derived_out *out)
{
	l->out = out;
	map_init(&l->cpus, sizeof(struct loss_cpu), CPUS_MAX);
	l->last = calloc((size_t)derived_rec_count(out) + 1, sizeof(*l->last));
	return l->last;
}

void losses_fini(struct losses *l)
{
	map_fini(&l->cpus);
	free(l->last);
}

void losses_take(void *losses, uint32_t rec, uint32_t cpu, uint64_t ts)
{
	struct losses *l = losses;
	struct loss_cpu *c = map_get(&l->cpus, rec, cpu);

	(void)ts;
	l->last[rec]++;
	if (c)
		c->last = l->last[rec];
	else
		derived_note(l->out, ANALYSIS_FULL);
}

bool losses_knows_running(const struct losses *l, uint32_t rec, uint32_t cpu, uint64_t since)
{
	const struct loss_cpu *c = l->last[rec] == since ? NULL : map_find(&l->cpus, rec, cpu);

	return !c || c->last <= since;
}
