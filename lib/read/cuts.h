/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Cuts a trace into pieces by time, of about the same number of stored bytes, that can be read
 * independently of each other.
 *
 * At each cut a stream is divided at a place, not by time stamps alone, so that each record is
 * in exactly one piece, also where time goes back: the part (page or chunk) before the first one
 * that starts at the cut's time or later is shared by two pieces, and divided before the first
 * record in it that has this time or a later one.
 */
#ifndef TDAT_READ_CUTS_H
#define TDAT_READ_CUTS_H

#include <tdat/iter.h>

#include "parts.h"

struct read_cuts;

/*
 * Finds the cuts of pieces pieces (at least 1). opts are those of the iterators that will read
 * them. Where the order of a stream's parts cannot be found out, the first piece is the whole
 * trace and the others are empty, as are pieces behind the last one. The result never changes and
 * is shared by threads.
 */
enum tdat_status read_cuts_new(struct read_cuts **out, const struct tdat_iter_input *inputs,
			       size_t input_count, const struct tdat_iter_opts *opts,
			       uint32_t pieces, struct tdat_error *err);
void read_cuts_free(struct read_cuts *c);

/*
 * Lets a stream, of which nothing was read, read the pieces from first to before end: entry cpu
 * of a buffer of an input. The stream's owner calls read_stream_is_before for its first heads.
 * whole: all that comes before the pieces is read, too, for owners that must have seen it.
 */
void read_cuts_apply(const struct read_cuts *c, struct read_stream *s, uint32_t input,
		     uint32_t buffer, uint32_t cpu, uint32_t first, uint32_t end, bool whole);

/*
 * How many pieces a trace is cut into at most: smaller ones would have less than a page, and the
 * place of each cut in each stream takes memory.
 */
uint32_t read_cuts_most(const struct tdat_iter_input *inputs, size_t input_count);

/* The bytes of CPU data of inputs, as stored. */
uint64_t read_stored_len(const struct tdat_iter_input *inputs, size_t input_count);

#endif
