/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Gives the records of a stream from the last one to the first. Parts of the stream (pages, or a
 * compressed chunk) are read from the end, each forward since time stamps are deltas, and their
 * records handed out backwards. Memory is bounded by a part.
 */
#ifndef TDAT_READ_BACK_H
#define TDAT_READ_BACK_H

#include "parts.h"

struct back_record {
	uint64_t ts;
	const uint8_t *data;
	int64_t lost; /* before it */
	uint32_t len, pos;
};

struct read_back {
	struct read_parts parts;
	uint64_t off, end;	  /* of plain data */
	uint64_t pages;		  /* of a part that is not compressed, at most */
	uint64_t left;		  /* parts that were not read yet, all before the others */
	struct back_record *list; /* of the last part read, in the order of the file */
	size_t count, cap;	  /* those that were not at the head yet */
	struct read_block *block; /* that list points into, while the head is in another one */
};

/*
 * Makes a stream, of which nothing was read, ready to be read backwards; read_back_advance then
 * sets its head. TDAT_E_UNSUPPORTED if its pages and chunks cannot be told apart. In any case the
 * caller calls read_back_fini, before read_stream_fini.
 */
enum tdat_status read_back_init(struct read_back *b, struct read_stream *s, struct tdat_error *err);
void read_back_fini(struct read_back *b);

/*
 * Puts the record before the head at the head, as read_stream_advance does for the one behind; at
 * first the last one. Blocks that the stream leaves go to *held with its reference.
 */
enum tdat_status read_back_advance(struct read_back *b, struct read_stream *s,
				   struct read_block **held, struct tdat_error *err);

#endif
