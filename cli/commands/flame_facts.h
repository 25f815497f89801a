/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What "tdat flame" draws, and its outputs. */
#ifndef CLI_FLAME_FACTS_H
#define CLI_FLAME_FACTS_H

#include "commands/flame_tree.h"

struct flame {
	struct flame_tree tree;
	const char *title;
	const char *unit; /* "samples", "ns" or "ticks" */
};

/* These write to stdout. */
void flame_folded(const struct flame *f);
void flame_speedscope(const struct flame *f);
void flame_svg(const struct flame *f);

#endif
