/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes stacks as folded text, and as JSON that speedscope reads. A line of folded text is a
 * path and its weight. speedscope gets frames once and samples by index. Both walk the tree in
 * the order of names, so output is deterministic.
 */
#include <inttypes.h>
#include <stdio.h>

#include "commands/flame_facts.h"
#include "output/json_out.h"

/* The next node in depth-first order; 0 at the end. */
static uint32_t next_node(const struct flame_tree *t, uint32_t i)
{
	if (t->nodes[i].child)
		return t->nodes[i].child;
	while (i && !t->nodes[i].next)
		i = t->nodes[i].parent;
	return i ? t->nodes[i].next : 0;
}

static void put_path(const struct flame_tree *t, uint32_t node)
{
	if (t->nodes[node].parent) {
		put_path(t, t->nodes[node].parent);
		putchar(';');
	}
	fputs(flame_tree_name(t, node), stdout);
}

void flame_folded(const struct flame *f)
{
	const struct flame_tree *t = &f->tree;

	for (uint32_t i = next_node(t, 0); i; i = next_node(t, i)) {
		if (!t->nodes[i].self)
			continue;
		put_path(t, i);
		printf(" %" PRIu64 "\n", t->nodes[i].self);
	}
}

static void json_path(struct tdat_json *j, const struct flame_tree *t, uint32_t node)
{
	if (t->nodes[node].parent)
		json_path(j, t, t->nodes[node].parent);
	tdat_json_u64(j, NULL, node - 1);
}

/* https://www.speedscope.app/file-format-schema.json: a profile of kind "sampled". */
void flame_speedscope(const struct flame *f)
{
	const struct flame_tree *t = &f->tree;
	struct tdat_json j;

	cli_json_init(&j, stdout, false);
	tdat_json_object(&j, NULL);
	tdat_json_str(&j, "$schema", "https://www.speedscope.app/file-format-schema.json");
	tdat_json_str(&j, "exporter", "tdat");
	tdat_json_object(&j, "shared");
	tdat_json_array(&j, "frames");
	for (uint32_t i = 1; i < t->count; i++) {
		tdat_json_object(&j, NULL);
		tdat_json_str(&j, "name", flame_tree_name(t, i));
		tdat_json_object_end(&j);
	}
	tdat_json_array_end(&j);
	tdat_json_object_end(&j);
	tdat_json_array(&j, "profiles");
	tdat_json_object(&j, NULL);
	tdat_json_str(&j, "type", "sampled");
	tdat_json_str(&j, "name", f->title);
	tdat_json_str(&j, "unit", f->unit[0] == 'n' ? "nanoseconds" : "none");
	tdat_json_u64(&j, "startValue", 0);
	tdat_json_u64(&j, "endValue", t->nodes[0].total);
	tdat_json_array(&j, "samples");
	for (uint32_t i = next_node(t, 0); i; i = next_node(t, i)) {
		if (!t->nodes[i].self)
			continue;
		tdat_json_array(&j, NULL);
		json_path(&j, t, i);
		tdat_json_array_end(&j);
	}
	tdat_json_array_end(&j);
	tdat_json_array(&j, "weights");
	for (uint32_t i = next_node(t, 0); i; i = next_node(t, i))
		if (t->nodes[i].self)
			tdat_json_u64(&j, NULL, t->nodes[i].self);
	tdat_json_array_end(&j);
	tdat_json_object_end(&j);
	tdat_json_array_end(&j);
	tdat_json_object_end(&j);
	cli_json_end(&j);
}
