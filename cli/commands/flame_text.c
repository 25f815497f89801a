/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes stacks as text. Folded, a line is a path and its weight, in the order of names: programs
 * that draw flame graphs read this form. For people, the tree has a line for each function with at
 * least 1 % of the weight, the heaviest first, and a callee is indented behind its caller.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/summary_text.h"
#include "terminal/columns.h"

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

/* ---- for people ---- */

/* Nodes that are shown have one part of this many at least; deep ones are not indented further. */
enum { PARTS = 100, INDENT_MOST = 40, TEXT_LEAST = 50 };

struct tree {
	const struct tdat_summary *s;
	const struct tdat_flame_node *nodes;
	struct cli_columns t;
	bool is_time;
	size_t hidden; /* nodes that are not shown */
	bool failed;   /* no memory */
};

/* The heaviest first; children are in order of names, and stay so if they weigh the same. */
static int by_weight(const void *a, const void *b)
{
	const struct tdat_flame_node *const *x = a, *const *y = b;

	return (*y)->total != (*x)->total ? ((*y)->total > (*x)->total ? 1 : -1)
					  : (*x > *y) - (*x < *y);
}

static void cell_weight(struct tree *tree, uint64_t weight)
{
	if (tree->is_time)
		cli_cell_time(&tree->t, weight);
	else
		cli_cell_count(&tree->t, weight);
	cli_cell_share(&tree->t, weight, tree->nodes[0].total);
}

static void cell_node(struct tree *tree, uint32_t node, size_t indent)
{
	cell_weight(tree, tree->nodes[node].total);
	cell_weight(tree, tree->nodes[node].self);
	tdat_build_fill(&tree->t.cells, ' ', indent < INDENT_MOST ? indent : INDENT_MOST);
	cli_cell_str(&tree->t, node ? tdat_flame_name(tree->s, node) : "all");
}

/* Recurses once for each callee, as put_path() does for each caller. */
static void put_node(struct tree *tree, uint32_t node, size_t indent)
{
	const struct tdat_flame_node *nodes = tree->nodes, **list;
	size_t count = 0, shown = 0;

	cell_node(tree, node, indent);
	for (uint32_t i = nodes[node].child; i; i = nodes[i].next)
		count++;
	list = calloc(count + 1, sizeof(*list));
	if (!list) {
		tree->failed = true;
		return;
	}
	for (uint32_t i = nodes[node].child; i; i = nodes[i].next)
		if ((double)nodes[i].total * PARTS >= (double)nodes[0].total)
			list[shown++] = &nodes[i];
	tree->hidden += count - shown;
	qsort(list, shown, sizeof(*list), by_weight);
	for (size_t i = 0; i < shown; i++)
		put_node(tree, (uint32_t)(list[i] - nodes), indent + 1);
	free(list);
}

bool flame_tree(const struct tdat_summary *s, bool exact)
{
	static const struct cli_column columns[] = {{"total", 0, false},
						    {"share", 0, false},
						    {"own", 1, false},
						    {"share", 2, false},
						    {"function", 0, true}};
	const struct tdat_flame *f = tdat_flame(s);
	const bool ns = !strcmp(f->unit, "ns");
	struct tree tree = {.s = s, .nodes = f->nodes, .is_time = ns};

	printf("\n%s%s%s\n", f->title, ns ? "" : ", in ", ns ? "" : f->unit);
	cli_columns_init(&tree.t, columns, sizeof(columns) / sizeof(columns[0]),
			 (struct cli_numbers){exact, ns});
	tree.t.text_least = TEXT_LEAST;
	put_node(&tree, 0, 0);
	if (!cli_columns_end(&tree.t) || tree.failed)
		return false;
	if (tree.hidden)
		printf("  (%zu more callees, each less than 1 %%: --to folded prints all)\n",
		       tree.hidden);
	return true;
}
