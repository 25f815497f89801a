/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A Parquet file that is joined from parts, and the part that is added to it. */
#ifndef PARQUET_JOIN_STATE_H
#define PARQUET_JOIN_STATE_H

#include <tdat/export.h>

#include "join_pairs.h"
#include "thrift_read.h"

enum { JOIN_PIECE_LEN = 1 << 18 }; /* bytes that are written at a time */

/* A place in a part, and where its bytes go. */
struct range {
	uint64_t off, len, to;
};

/* One column chunk of the row group that is copied. */
struct chunk {
	struct range data, column_index, offset_index; /* column_index.len 0: there is none */
	uint64_t data_page;			       /* where its data pages start, in the part */
};

struct joined {
	tdat_write_fn write;
	void *write_ctx;
	uint64_t off;		  /* bytes of the new file */
	struct tdat_build piece;  /* the last of them, which are not written yet */
	struct tdat_build groups; /* its row groups for the footer */
	size_t group_count;
	int64_t rows;
	struct tdat_build schema, orders; /* of the first footer; all have the same */
	struct join_pairs pairs;
	struct chunk *chunks; /* one for each column */
	size_t columns, chunk_cap;
	struct tdat_build footer, index; /* scratch */
};

/* The part that is added. */
struct part {
	const struct tdat_join_part *in;
	uint64_t left;	   /* bytes that its footer may still name, so that none is copied twice */
	uint64_t data_len; /* bytes in front of its footer */
	uint64_t footer_len;
	struct tdat_span schema, groups, pairs, creator, orders;
	uint64_t groups_off, pairs_off;
	int64_t rows;
};

/* Writes the last bytes of the new file. */
enum tdat_status join_flush(struct joined *j, struct tdat_error *err);

/* The sentence for a cursor that failed. */
enum tdat_status join_damaged(const struct tdat_cursor *c, const char *what,
			      struct tdat_error *err);

/* Copies the row group at the cursor, which goes behind it. */
enum tdat_status join_group_add(struct joined *j, struct part *p, struct tdat_cursor *c,
				struct tdat_error *err);

#endif
