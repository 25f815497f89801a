/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Leaves out the pages of a stream that lie before or behind a span of time. They are found by
 * binary search in the time stamps of the pages, which relies on time not going back within
 * the data of a CPU: if the stamps that the search reads are out of order, no page is left out.
 */
#ifndef TDAT_READ_SEEK_H
#define TDAT_READ_SEEK_H

#include "select_time.h"
#include "stream.h"

/* The stream must not have been read. from and to are times as shown, and belong to the span. */
enum tdat_status read_stream_clip(struct read_stream *s, uint64_t from, uint64_t to,
				  struct tdat_error *err);

/* The same for a span that may go on at 0. */
enum tdat_status read_stream_clip_span(struct read_stream *s, const struct read_span *span,
				       struct tdat_error *err);

#endif
