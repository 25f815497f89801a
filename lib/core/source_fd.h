/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The descriptor behind a source, for copies inside the kernel. */
#ifndef TDAT_CORE_SOURCE_FD_H
#define TDAT_CORE_SOURCE_FD_H

#include <tdat/source.h>

/* Borrowed; -1 when the bytes are in memory only. Offsets are those of the source. */
int tdat_source_fd(const struct tdat_source *src);

#endif
