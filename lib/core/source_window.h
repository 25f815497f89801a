/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Maps short stretches of a source instead of reading them (TDAT_ACCESS_MAP). */
#ifndef TDAT_CORE_SOURCE_WINDOW_H
#define TDAT_CORE_SOURCE_WINDOW_H

#include <tdat/source.h>

struct tdat_window {
	void *base; /* NULL: nothing is mapped */
	size_t len; /* bytes mapped from base */
};

/*
 * tdat_window_map maps len bytes at off of src and returns them; they are valid until
 * tdat_window_unmap. It returns NULL, with nothing to unmap, when the bytes are to be read
 * instead: when the source does not map, when the file no longer has the length that it had
 * when it was opened, and when the system cannot map the bytes or load them now. To touch
 * bytes that were cut off the file while they were mapped raises SIGBUS.
 */
const uint8_t *tdat_window_map(struct tdat_window *w, const struct tdat_source *src, uint64_t off,
			       size_t len);

/*
 * Whether bytes of a window may have been cut off the file while it was mapped, as the file is
 * shorter now. Such bytes are zeros, without SIGBUS, in the page that the new end is in.
 */
bool tdat_window_lost(const struct tdat_window *w, const struct tdat_source *src);

/* Unmaps the window, if it is mapped. */
void tdat_window_unmap(struct tdat_window *w);

#endif
