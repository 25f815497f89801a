/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of the picture of tdat flame, and the outputs of its option --diff. */
#ifndef CLI_FLAME_OUT_H
#define CLI_FLAME_OUT_H

#include <tdat/summary.h>

enum { FLAME_COLOR = 16, FLAME_TITLE = 128 };

/* A frame: where it lies as parts of the whole width, and what is said of it. */
struct flame_frame {
	const char *name; /* text of a trace: it is escaped */
	double x, width;
	uint32_t depth, height; /* height: of the picture */
	char color[FLAME_COLOR];
	char title[FLAME_TITLE];
};

uint32_t flame_svg_height(const struct tdat_flame *f);
void flame_svg_begin(uint32_t height, const char *title, const char *what);
void flame_svg_frame(const struct flame_frame *f);
void flame_svg_end(void);

/*
 * Two trees as one, whose nodes weigh the mean of their shares of both: a picture, lines of a path
 * and both weights, and a tree for people. False: no memory.
 */
void flame_diff_svg(const struct tdat_summary *a, const struct tdat_summary *b);
bool flame_diff_folded(const struct tdat_summary *a, const struct tdat_summary *b);
bool flame_diff_text(const struct tdat_summary *a, const struct tdat_summary *b);

#endif
