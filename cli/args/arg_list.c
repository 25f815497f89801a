/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists that options add to: CPU numbers, and strings of the command line. An option that is
 * repeated adds to its list. The strings are those of argv, which outlive it. The caller reports a
 * failure of memory.
 */
#include "args/arg_list.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "core/search.h"

/*
 * Adds the CPUs first to last. The list stays sorted and without duplicates, as cli_cpus_has()
 * searches by halves. False: no memory, and the list is as it was.
 */
bool cli_cpus_add(struct cli_cpus *cpus, uint32_t first, uint32_t last)
{
	size_t span = (size_t)(last - first) + 1;
	uint32_t *merged = malloc((cpus->count + span) * sizeof(*merged));
	size_t n = 0, i = 0;

	if (!merged)
		return false;
	/* Merges the range into the list: numbers before it, the range, numbers behind it. */
	while (i < cpus->count && cpus->v[i] < first)
		merged[n++] = cpus->v[i++];
	for (uint32_t cpu = first; cpu <= last; cpu++)
		merged[n++] = cpu;
	for (; i < cpus->count; i++)
		if (cpus->v[i] > last)
			merged[n++] = cpus->v[i];
	free(cpus->v);
	cpus->v = merged;
	cpus->count = n;
	return true;
}

bool cli_cpus_has(const struct cli_cpus *cpus, uint32_t cpu)
{
	size_t i;

	TDAT_SEARCH(i, cpus->count, cpus->v[i] < cpu);
	return i < cpus->count && cpus->v[i] == cpu;
}

void cli_cpus_fini(struct cli_cpus *cpus)
{
	free(cpus->v);
	cpus->v = NULL;
	cpus->count = 0;
}

/* Adds a string without a copy. False: no memory. */
bool cli_list_add(struct cli_list *list, const char *value)
{
	if (!TDAT_GROW(list->v, &list->room, list->count + 1))
		return false;
	list->v[list->count++] = value;
	return true;
}

/* Cuts a text at its commas, and adds its words. Empty words are skipped. */
bool cli_list_words(struct cli_list *list, char *text)
{
	char *rest;

	for (char *word = strtok_r(text, ",", &rest); word; word = strtok_r(NULL, ",", &rest))
		if (!cli_list_add(list, word))
			return false;
	return true;
}

void cli_list_fini(struct cli_list *list)
{
	free(list->v);
	list->v = NULL;
	list->count = list->room = 0;
}
