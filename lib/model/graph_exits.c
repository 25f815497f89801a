/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes the table of the types of funcgraph_exit of a file and finds one by its id. A merged
 * file may have several formats of that name, and a leaf's line is printed with the exit's own
 * fields. The table is sorted by id and searched by halves. Made once for each file
 * (lib/file/lazy.c).
 */
#include "graph_exits.h"

#include <stdlib.h>

#include "core/checked.h"
#include "core/search.h"

void graph_exit_init(struct graph_exit *x, const struct tdat_event_format *format)
{
	x->id = format->id;
	x->order = 0;
	x->rettime = native_field_find(format, "rettime");
	x->calltime = native_field_find(format, "calltime");
	x->retval = native_field_find(format, "retval");
}

/* Orders by id; qsort() is not stable, so order keeps the file's first format first. */
static int compare(const void *a, const void *b)
{
	const struct graph_exit *x = a, *y = b;

	return TDAT_ORDER(x->id, y->id, TDAT_ORDER(x->order, y->order, 0));
}

struct model_graph_exits *model_graph_exits_new(const struct tdat_event_format *const *formats,
						size_t count)
{
	struct model_graph_exits *exits;
	size_t len;

	if (!tdat_mul_size(count, sizeof(exits->by_id[0]), &len) ||
	    !tdat_add_size(len, sizeof(*exits), &len))
		return NULL;
	exits = calloc(1, len);
	if (!exits)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		graph_exit_init(&exits->by_id[i], formats[i]);
		exits->by_id[i].order = (uint32_t)i;
	}
	exits->count = count;
	/* exits->first is for ids that no format has. */
	if (count)
		exits->first = exits->by_id[0];
	qsort(exits->by_id, count, sizeof(exits->by_id[0]), compare);
	return exits;
}

const struct graph_exit *model_graph_exits_find(const struct model_graph_exits *exits, uint64_t id)
{
	size_t i;

	TDAT_SEARCH(i, exits->count, exits->by_id[i].id < id);
	return i < exits->count && exits->by_id[i].id == id ? &exits->by_id[i] : &exits->first;
}
