/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tells which options the merged file has already: each option of an input is looked up once,
 * by a keyed hash, so that work grows with the number of options and not with its square.
 */
#ifndef TDAT_MERGE_SEEN_H
#define TDAT_MERGE_SEEN_H

#include "core/cursor.h"
#include "core/map.h"
#include "write/meta.h"

/* Zeroed, it is empty. */
struct merge_seen {
	size_t looked_at;     /* options of the writer that were put into "same" */
	struct tdat_map same; /* options by id and bytes */
	struct tdat_map maps; /* maps of processes by id and pid */
	uint32_t *sections;   /* number of the copied section of each id, from 1; or NULL */
};

void merge_seen_fini(struct merge_seen *seen);

/*
 * merge_seen_option sets *found to whether meta has an option of that id and these bytes. It is
 * false, as the others are, when there is no memory.
 */
bool merge_seen_option(struct merge_seen *seen, const struct write_meta *meta, uint16_t id,
		       struct tdat_span data, bool *found);

/* merge_map_pid returns the digits of the pid with which the map of a process begins. */
struct tdat_span merge_map_pid(struct tdat_span map);

/*
 * merge_seen_map sets *first to the map that meta has of that process, or to NULL. Then the
 * caller must add this one: it is found from then on.
 */
bool merge_seen_map(struct merge_seen *seen, const struct write_meta *meta, uint16_t id,
		    struct tdat_span map, const struct write_option **first);

/*
 * merge_seen_section sets *first to the place among meta's copied sections of the first of that
 * id, which is the given place when there was none before.
 */
bool merge_seen_section(struct merge_seen *seen, uint16_t id, size_t place, size_t *first);

#endif
