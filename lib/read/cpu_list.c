/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sorts the CPUs that are asked for. The list is sorted once, so that each CPU of a file costs
 * a search by halves.
 */
#include "cpu_list.h"
#include "core/search.h"

#include <stdlib.h>
#include <string.h>

/* Copies, sorts and removes duplicates. cpus NULL: all CPUs. False: no memory. */
bool read_cpus_init(struct read_cpus *c, const uint32_t *cpus, size_t count)
{
	*c = (struct read_cpus){.all = !cpus};
	if (!cpus)
		return true;
	c->list = calloc(count + 1, sizeof(*c->list));
	if (!c->list)
		return false;
	memcpy(c->list, cpus, count * sizeof(*cpus));
	qsort(c->list, count, sizeof(*c->list), tdat_by_u32);
	for (size_t i = 0; i < count; i++)
		if (!i || c->list[i] != c->list[c->count - 1])
			c->list[c->count++] = c->list[i];
	return true;
}

void read_cpus_fini(struct read_cpus *c)
{
	free(c->list);
	*c = (struct read_cpus){.all = false};
}
