/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Short stretches of a source that are mapped instead of read (TDAT_ACCESS_MAP). */
#ifndef TDAT_CORE_SOURCE_WINDOW_H
#define TDAT_CORE_SOURCE_WINDOW_H

#include <tdat/source.h>

struct tdat_window {
	void *base; /* NULL: nothing is mapped */
	size_t len; /* bytes mapped from base */
};

/*
 * tdat_window_map maps len bytes at off of src and returns them, until
 * tdat_window_unmap. NULL, and *w has nothing to unmap: read them instead. That is
 * so for sources that do not map, when the file does not have the length any more
 * that it had when it was opened, and when the system cannot map or read it now.
 * Bytes that go while they are mapped raise SIGBUS.
 */
const uint8_t *tdat_window_map(struct tdat_window *w, const struct tdat_source *src, uint64_t off,
			       size_t len);

/*
 * Whether bytes of a window may have gone while it was mapped: the file is shorter now. Bytes that go without SIGBUS, in the page the end is in, become
 * zeros.
 */
bool tdat_window_lost(const struct tdat_window *w, const struct tdat_source *src);

/* Lets go what is mapped, if anything is. */
void tdat_window_unmap(struct tdat_window *w);

#endif
