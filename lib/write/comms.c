/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Collects the names of tasks by pid. Names come from importers or from a merge, one for each
 * pid, the last one counts. A keyed hash finds a pid. The text is what saved_cmdlines must be
 * for its readers: one line a task.
 */
#include "comms.h"

#include <stdlib.h>

#include "core/grow.h"

void write_comms_fini(struct write_comms *comms)
{
	free(comms->list);
	tdat_map_fini(&comms->map);
	memset(comms, 0, sizeof(*comms));
}

/* Returns the index of a pid in the list, or TDAT_MAP_NONE. */
static uint32_t find(const struct write_comms *comms, int32_t pid)
{
	uint32_t i;

	TDAT_MAP_FIND(i, &comms->map, tdat_hash_u64(comms->map.seed, (uint32_t)pid),
		      comms->list[i].pid == pid);
	return i;
}

/*
 * Copies a name for saved_cmdlines, which has a line for each task: line feeds in it become
 * '?', and an empty name becomes "<...>".
 */
static const char *clean_copy(struct tdat_arena *arena, const char *comm)
{
	char *copy = tdat_arena_strndup(arena, *comm ? comm : "<...>", *comm ? strlen(comm) : 5);

	for (char *p = copy; p && *p; p++)
		if (*p == '\n')
			*p = '?';
	return copy;
}

bool write_comms_set(struct write_comms *comms, struct tdat_arena *arena, int32_t pid,
		     const char *comm)
{
	uint32_t i = find(comms, pid);

	/* Importers may emit a name with each event: comparing costs less than copying. */
	if (i != TDAT_MAP_NONE && !strcmp(comms->list[i].comm, comm))
		return true;
	comm = clean_copy(arena, comm);
	if (!comm || !TDAT_GROW(comms->list, &comms->cap, comms->count + 1))
		return false;
	if (i == TDAT_MAP_NONE) {
		/*
		 * The index is reserved before the count grows, so that both have the entry or
		 * neither.
		 */
		if (!tdat_map_reserve(&comms->map))
			return false;
		i = (uint32_t)comms->count++;
		tdat_map_put(&comms->map, tdat_hash_u64(comms->map.seed, (uint32_t)pid), i);
		comms->list[i].pid = pid;
	}
	comms->list[i].comm = comm;
	return true;
}

const char *write_comms_find(const struct write_comms *comms, int32_t pid)
{
	const uint32_t i = find(comms, pid);

	return i == TDAT_MAP_NONE ? NULL : comms->list[i].comm;
}

void write_comms_text(const struct write_comms *comms, struct tdat_build *out)
{
	for (size_t i = 0; i < comms->count; i++) {
		const char *comm = comms->list[i].comm;

		/* Readers stop at a line without a name. */
		if (comm[strspn(comm, " \t\n\v\f\r")])
			tdat_build_printf(out, "%d %s\n", comms->list[i].pid, comm);
	}
}
