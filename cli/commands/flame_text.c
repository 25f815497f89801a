/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes stacks as folded text: a line is a path and its weight, in the order of names. Programs
 * that draw flame graphs read this form.
 */
#include <inttypes.h>
#include <stdio.h>

#include "commands/summary_text.h"

/* Recurses once for each caller: the path begins with the outermost one. */
static void put_path(const struct tdat_summary *s, uint32_t node)
{
	const uint32_t parent = tdat_flame(s)->nodes[node].parent;

	if (parent) {
		put_path(s, parent);
		putchar(';');
	}
	fputs(tdat_flame_name(s, node), stdout);
}

/*
 * Only nodes with a weight of their own have a line; the weight of callers is the sum below them.
 */
void flame_folded(const struct tdat_summary *s)
{
	const struct tdat_flame_node *nodes = tdat_flame(s)->nodes;

	for (uint32_t i = tdat_flame_next(s, 0); i; i = tdat_flame_next(s, i)) {
		if (!nodes[i].self)
			continue;
		put_path(s, i);
		printf(" %" PRIu64 "\n", nodes[i].self);
	}
}
