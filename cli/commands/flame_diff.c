/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes two trees of stacks as one. Recordings differ in length, so nodes weigh their share of
 * their own tree; in the picture a node is as wide as the mean of both shares, red where the second
 * one is greater and blue where the first is. Children are in order of names in both trees, so both
 * are walked at once, and no third tree is made. A node that a tree lacks is 0, which no child is.
 * flame.c calls one function for each form.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/flame_out.h"
#include "core/grow.h"
#include "terminal/columns.h"

enum { SIDES = 2, INDENT_MOST = 40, TEXT_LEAST = 50 };
/* Nodes of the text have this share in one of the trees at least. */
#define SHARE_LEAST 0.01

struct pair {
	uint32_t node[SIDES];
};

struct both {
	const struct tdat_summary *s[SIDES];
	const struct tdat_flame_node *nodes[SIDES];
	uint32_t height;
	struct tdat_build path;
	struct cli_columns t;
	size_t hidden;
	bool failed;
};

static struct both both_of(const struct tdat_summary *a, const struct tdat_summary *b)
{
	return (struct both){.s = {a, b}, .nodes = {tdat_flame(a)->nodes, tdat_flame(b)->nodes}};
}

static double share(const struct both *d, struct pair p, int side, bool own)
{
	const struct tdat_flame_node *nodes = d->nodes[side];
	const uint32_t i = p.node[side];

	/* The root is no node of the walk but at its start, where both sides have it. */
	if ((!i && (p.node[0] || p.node[1])) || !nodes[0].total)
		return 0;
	return (double)(own ? nodes[i].self : nodes[i].total) / (double)nodes[0].total;
}

static const char *name_of(const struct both *d, struct pair p)
{
	return p.node[0] ? tdat_flame_name(d->s[0], p.node[0])
			 : tdat_flame_name(d->s[1], p.node[1]);
}

/* The first children of a pair. */
static struct pair children(const struct both *d, struct pair p)
{
	struct pair first = {{0, 0}};

	for (int side = 0; side < SIDES; side++)
		if (p.node[side] || (!p.node[0] && !p.node[1]))
			first.node[side] = d->nodes[side][p.node[side]].child;
	return first;
}

/* Takes the next child of two lists: of one name from both, or the one that comes first. */
static bool next_child(const struct both *d, struct pair *rest, struct pair *child)
{
	int order = 0;

	*child = (struct pair){{0, 0}};
	if (!rest->node[0] && !rest->node[1])
		return false;
	if (!rest->node[0] || !rest->node[1])
		order = rest->node[0] ? -1 : 1;
	else
		order = strcmp(tdat_flame_name(d->s[0], rest->node[0]),
			       tdat_flame_name(d->s[1], rest->node[1]));
	if (order <= 0) {
		child->node[0] = rest->node[0];
		rest->node[0] = d->nodes[0][rest->node[0]].next;
	}
	if (order >= 0) {
		child->node[1] = rest->node[1];
		rest->node[1] = d->nodes[1][rest->node[1]].next;
	}
	return true;
}

/* ---- the picture ---- */

/* Red or blue, full where a node is twice as heavy as in the other tree, or alone. */
static void put_color(char out[FLAME_COLOR], double a, double b)
{
	const double by = 3 * (b - a) / (a + b);
	const int pale = 235 - (int)(175 * fmin(fabs(by), 1));

	snprintf(out, FLAME_COLOR, "#%02x%02x%02x", by > 0 ? 245 : pale, pale, by < 0 ? 245 : pale);
}

/* Recurses once for each callee; stacks are bounded. */
static double put_frames(struct both *d, struct pair p, double x, uint32_t depth)
{
	const double a = share(d, p, 0, false), b = share(d, p, 1, false);
	struct pair rest = children(d, p), child;

	if (!(a + b > 0))
		return x;
	if (depth) {
		struct flame_frame f = {.name = name_of(d, p),
					.x = x,
					.width = (a + b) / 2,
					.depth = depth,
					.height = d->height};

		snprintf(f.title, sizeof(f.title), "%.2f %% before, %.2f %% after, %+.2f", 100 * a,
			 100 * b, 100 * (b - a));
		put_color(f.color, a, b);
		flame_svg_frame(&f);
	}
	for (double at = x; next_child(d, &rest, &child);)
		at = put_frames(d, child, at, depth + 1);
	return x + (a + b) / 2;
}

void flame_diff_svg(const struct tdat_summary *a, const struct tdat_summary *b)
{
	struct both d = both_of(a, b);
	const uint32_t x = flame_svg_height(tdat_flame(a)), y = flame_svg_height(tdat_flame(b));

	d.height = x > y ? x : y;
	flame_svg_begin(d.height, tdat_flame(a)->title,
			"share before and after; red: more after, blue: less");
	put_frames(&d, (struct pair){{0, 0}}, 0, 0);
	flame_svg_end();
}

/* ---- folded ---- */

static void put_lines(struct both *d, struct pair p, bool is_root)
{
	const size_t len = d->path.len;
	struct pair rest = children(d, p), child;

	if (!is_root) {
		uint64_t self[SIDES];

		tdat_build_str(&d->path, len ? ";" : "");
		tdat_build_str(&d->path, name_of(d, p));
		for (int side = 0; side < SIDES; side++)
			self[side] = p.node[side] ? d->nodes[side][p.node[side]].self : 0;
		if ((self[0] || self[1]) && !d->path.failed)
			printf("%.*s %" PRIu64 " %" PRIu64 "\n", (int)d->path.len,
			       (const char *)d->path.ptr, self[0], self[1]);
	}
	while (next_child(d, &rest, &child))
		put_lines(d, child, false);
	d->path.len = len;
}

bool flame_diff_folded(const struct tdat_summary *a, const struct tdat_summary *b)
{
	struct both d = both_of(a, b);
	bool good;

	tdat_build_init(&d.path, false);
	put_lines(&d, (struct pair){{0, 0}}, true);
	good = !d.path.failed;
	tdat_build_fini(&d.path);
	return good;
}

/* ---- for people ---- */

/* A child while its siblings are sorted. */
struct sibling {
	struct pair pair;
	double weight;
	size_t number;
};

static int by_weight(const void *a, const void *b)
{
	const struct sibling *x = a, *y = b;

	return x->weight != y->weight ? (x->weight < y->weight ? 1 : -1)
				      : (x->number > y->number) - (x->number < y->number);
}

static void put_percent(struct cli_columns *t, const char *format, double part)
{
	tdat_build_printf(&t->cells, format, 100 * part);
	cli_cell_end(t);
}

static void put_tree(struct both *d, struct pair p, size_t depth)
{
	const double a = share(d, p, 0, false), b = share(d, p, 1, false);
	struct pair rest = children(d, p), child;
	struct sibling *list = NULL;
	size_t count = 0, cap = 0;

	put_percent(&d->t, "%.1f %%", a);
	put_percent(&d->t, "%.1f %%", b);
	put_percent(&d->t, "%+.1f", b - a);
	put_percent(&d->t, "%+.1f", share(d, p, 1, true) - share(d, p, 0, true));
	tdat_build_fill(&d->t.cells, ' ', depth < INDENT_MOST ? depth : INDENT_MOST);
	cli_cell_str(&d->t, depth ? name_of(d, p) : "all");
	while (next_child(d, &rest, &child) && !d->failed) {
		const double x = share(d, child, 0, false), y = share(d, child, 1, false);

		if (x < SHARE_LEAST && y < SHARE_LEAST) {
			d->hidden++;
			continue;
		}
		d->failed = !TDAT_GROW(list, &cap, count + 1);
		if (!d->failed)
			list[count] = (struct sibling){child, x + y, count};
		count += !d->failed;
	}
	if (count)
		qsort(list, count, sizeof(*list), by_weight);
	for (size_t i = 0; i < count && !d->failed; i++)
		put_tree(d, list[i].pair, depth + 1);
	free(list);
}

bool flame_diff_text(const struct tdat_summary *a, const struct tdat_summary *b)
{
	static const struct cli_column columns[] = {{"before", 0, false},
						    {"after", 0, false},
						    {"change", 0, false},
						    {"own", 1, false},
						    {"function", 0, true}};
	struct both d = both_of(a, b);

	printf("\n%s, shares of all\n", tdat_flame(a)->title);
	cli_columns_init(&d.t, columns, sizeof(columns) / sizeof(columns[0]),
			 (struct cli_numbers){false, true});
	d.t.text_least = TEXT_LEAST;
	put_tree(&d, (struct pair){{0, 0}}, 0);
	if (!cli_columns_end(&d.t) || d.failed)
		return false;
	if (d.hidden)
		printf("  (%zu more callees, each less than 1 %%: --to folded prints all)\n",
		       d.hidden);
	return true;
}
