/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Keeps the CPUs that are asked for, sorted, so that a long list costs no more for each event. */
#ifndef TDAT_READ_CPU_LIST_H
#define TDAT_READ_CPU_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/search.h"

/* All zero asks for no CPU; fini may be called. */
struct read_cpus {
	bool all;
	uint32_t *list; /* ascending, each once */
	size_t count;
};

/* Copies count numbers; cpus NULL: all CPUs are asked for. False: no memory. */
bool read_cpus_init(struct read_cpus *c, const uint32_t *cpus, size_t count);
void read_cpus_fini(struct read_cpus *c);

static inline bool read_cpus_has(const struct read_cpus *c, uint32_t cpu)
{
	size_t i;

	if (c->all)
		return true;
	TDAT_SEARCH(i, c->count, c->list[i] < cpu);
	return i < c->count && c->list[i] == cpu;
}

#endif
