/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Gives the descriptor behind a source, which only files have. */
#ifndef TDAT_CORE_SOURCE_FD_H
#define TDAT_CORE_SOURCE_FD_H

#include <tdat/source.h>

/* Borrowed; -1 when the bytes are in memory only, or a part of a file. Offsets are those of the
 * source. */
int tdat_source_fd(const struct tdat_source *src);

/* Whether it is a regular file opened with TDAT_ACCESS_MAP: tdat_window_map() may map it. */
bool tdat_source_maps(const struct tdat_source *src);

#endif
