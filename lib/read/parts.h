/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The parts of a stream that it can be read from: its pages or, of compressed data, its chunks,
 * each of which holds whole pages.
 */
#ifndef TDAT_READ_PARTS_H
#define TDAT_READ_PARTS_H

#include "stream.h"

struct read_parts {
	struct read_stream *s;
	uint64_t count;
	struct dat_chunks *chunks; /* compressed: the state before each chunk */
	bool failed;		   /* a time could not be read */
	bool nomem;
};

/*
 * Lists the parts of a stream of which nothing was read. False: its pages and chunks cannot be
 * told apart, or p->nomem. Either way the caller calls read_parts_fini.
 */
bool read_parts_init(struct read_parts *p, struct read_stream *s);
void read_parts_fini(struct read_parts *p);

/* When part i starts, as it is shown; sets p->failed where it cannot be read. */
uint64_t read_parts_ts(struct read_parts *p, uint64_t i);

/* Lets the stream read the parts from first to before end only. */
void read_parts_apply(struct read_parts *p, uint64_t first, uint64_t end);

#endif
