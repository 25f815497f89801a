/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The key-value pairs of a footer that is joined from several: those that all of them have. */
#ifndef PARQUET_JOIN_PAIRS_H
#define PARQUET_JOIN_PAIRS_H

#include "core/build.h"
#include "thrift.h"

/* All zero: of no footer yet. */
struct join_pairs {
	struct tdat_build first; /* the list of the first footer, as it is there */
	uint64_t kept;		 /* a bit for each of its pairs that all footers have */
	bool any;		 /* there was a footer */
};

/* Takes the list of a footer, whose bytes are list, at off in the file. */
enum tdat_status join_pairs_take(struct join_pairs *p, struct tdat_span list, uint64_t off,
				 struct tdat_error *err);
/* Writes the list as field 5 of the new footer. */
enum tdat_status join_pairs_put(const struct join_pairs *p, struct thrift *t,
				struct tdat_error *err);

#endif
