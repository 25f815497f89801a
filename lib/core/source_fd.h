/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What only sources that are files have: a descriptor, and holes. */
#ifndef TDAT_CORE_SOURCE_FD_H
#define TDAT_CORE_SOURCE_FD_H

#include <tdat/source.h>

/* Borrowed; -1 when the bytes are in memory only. Offsets are those of the source. */
int tdat_source_fd(const struct tdat_source *src);

/* Whether it is a regular file opened with TDAT_ACCESS_MAP: tdat_window_map() may map it. */
bool tdat_source_maps(const struct tdat_source *src);

/*
 * The first offset from off to end whose byte may be other than zero, end when
 * there is none: holes of sparse files need not be read.
 */
uint64_t tdat_source_skip_hole(const struct tdat_source *src, uint64_t off, uint64_t end);

#endif
