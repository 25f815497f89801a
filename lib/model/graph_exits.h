/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Holds the types of funcgraph_exit of a file, by id. A merged file may have several, and a file
 * made to hurt thousands: they are found by halves, and one table serves all handlers.
 */
#ifndef TDAT_MODEL_GRAPH_EXITS_H
#define TDAT_MODEL_GRAPH_EXITS_H

#include "native_util.h"

/* A type of funcgraph_exit. */
struct graph_exit {
	uint32_t id;
	uint32_t order; /* place among the formats of the file */
	struct native_field rettime, calltime, retval;
};

struct model_graph_exits {
	size_t count;		   /* may be 0 */
	struct graph_exit first;   /* of the first format, if there is one */
	struct graph_exit by_id[]; /* of equal ids the first format comes first */
};

void graph_exit_init(struct graph_exit *x, const struct tdat_event_format *format);

/* NULL without memory. The caller frees it by free(). */
struct model_graph_exits *model_graph_exits_new(const struct tdat_event_format *const *formats,
						size_t count);

/* model_graph_exits_find returns the type of that id, or the first type; count is not 0. */
const struct graph_exit *model_graph_exits_find(const struct model_graph_exits *exits, uint64_t id);

#endif
