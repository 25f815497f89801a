/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Collects the names of tasks by pid. */
#include "comms.h"

#include <stdlib.h>

#include "core/grow.h"
#include "core/hash.h"

void write_comms_fini(struct write_comms *comms)
{
	free(comms->list);
	free(comms->slots);
	memset(comms, 0, sizeof(*comms));
}

static uint32_t *slot_of(const struct write_comms *comms, int32_t pid)
{
	size_t mask = comms->slot_count - 1;
	size_t i = (size_t)tdat_hash_u64(comms->seed, (uint32_t)pid) & mask;

	while (comms->slots[i] && comms->list[comms->slots[i] - 1].pid != pid)
		i = (i + 1) & mask;
	return &comms->slots[i];
}

/* Keeps at least half of the slots free, so that slot_of ends. */
static bool grow(struct write_comms *comms)
{
	struct write_comm *list =
		tdat_grown(comms->list, &comms->cap, comms->count + 1, sizeof(*list));
	uint32_t *slots;

	if (!list)
		return false;
	comms->list = list;
	if (comms->slot_count >= comms->cap * 2)
		return true;
	slots = calloc(comms->cap, 2 * sizeof(*slots));
	if (!slots)
		return false;
	if (!comms->slots)
		comms->seed = tdat_hash_seed();
	free(comms->slots);
	comms->slots = slots;
	comms->slot_count = comms->cap * 2;
	for (size_t i = 0; i < comms->count; i++)
		*slot_of(comms, list[i].pid) = (uint32_t)i + 1;
	return true;
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
	struct write_comm *known = NULL;
	uint32_t *slot;

	if (!grow(comms))
		return false;
	slot = slot_of(comms, pid);
	if (*slot)
		known = &comms->list[*slot - 1];
	if (known && !strcmp(known->comm, comm))
		return true;
	comm = clean_copy(arena, comm);
	if (!comm)
		return false;
	if (!known) {
		known = &comms->list[comms->count++];
		known->pid = pid;
		*slot = (uint32_t)comms->count;
	}
	known->comm = comm;
	return true;
}

const char *write_comms_find(const struct write_comms *comms, int32_t pid)
{
	const uint32_t *slot = comms->slot_count ? slot_of(comms, pid) : NULL;

	return slot && *slot ? comms->list[*slot - 1].comm : NULL;
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
