/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The outputs of "tdat flame" that are not JSON. */
#ifndef CLI_FLAME_FACTS_H
#define CLI_FLAME_FACTS_H

#include <tdat/summary.h>

/* These write to stdout. */
void flame_folded(const struct tdat_summary *s);
void flame_svg(const struct tdat_summary *s);

#endif
