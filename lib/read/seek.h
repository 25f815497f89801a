/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Leaves out the pages of a stream that lie before or behind a span of time. The
 * time stamps of pages are searched by halves, so it rests on time not going
 * backwards within a CPU's data; where the stamps met on the way are out of
 * order nothing is left out.
 */
#ifndef TDAT_READ_SEEK_H
#define TDAT_READ_SEEK_H

#include "stream.h"

/* For a stream of which nothing was read yet. from and to: as shown, included. */
enum tdat_status read_stream_clip(struct read_stream *s, uint64_t from, uint64_t to,
				  struct tdat_error *err);

#endif
