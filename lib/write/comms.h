/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Collects names of tasks by pid: the last name of a pid counts; pids stay in the order they came
 * in.
 */
#ifndef TDAT_WRITE_COMMS_H
#define TDAT_WRITE_COMMS_H

#include "core/arena.h"
#include "core/build.h"
#include "core/map.h"

struct write_comm {
	int32_t pid;
	const char *comm; /* in the arena of the caller */
};

struct write_comms {
	struct write_comm *list;
	size_t count, cap;
	struct tdat_map map; /* of list, by pid */
};

void write_comms_fini(struct write_comms *comms);

/* Sets the name of a pid; false when there is no memory. */
bool write_comms_set(struct write_comms *comms, struct tdat_arena *arena, int32_t pid,
		     const char *comm);

/* The name of pid, or NULL. */
const char *write_comms_find(const struct write_comms *comms, int32_t pid);

/* The text of saved_cmdlines. */
void write_comms_text(const struct write_comms *comms, struct tdat_build *out);

#endif
