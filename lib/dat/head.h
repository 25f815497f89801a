/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads the head of a trace.dat, which versions 6 and 7 have in common (§2). */
#ifndef TDAT_DAT_HEAD_H
#define TDAT_DAT_HEAD_H

#include "index.h"

/*
 * Reads the head from c, which begins at the file's first byte, and leaves c behind it. total is
 * the length of the file. A byte order, size of long or page size that makes no sense is a
 * finding of a tolerant read.
 */
enum tdat_status dat_read_head(struct dat_index *ix, struct tdat_cursor *c, uint64_t total,
			       struct tdat_error *err);

#endif
