/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the footer will say of the row groups that are written: for each its rows, and the facts of
 * its column chunks (chunk_facts.h).
 *
 * Where the file can be read again, only those of the last few row groups are kept. The others are
 * written to the file itself as blocks between row groups, where nothing of Parquet points to, so
 * that a table takes no more memory the more rows it has. Each block begins with the place of the
 * one before it.
 */
#ifndef PARQUET_GROUP_FACTS_H
#define PARQUET_GROUP_FACTS_H

#include <tdat/export.h>

#include "core/build.h"

struct facts_block {
	uint64_t off; /* in the file */
	uint64_t len;
};

struct group_facts {
	struct tdat_build kept;	 /* of row groups behind the last block */
	size_t group_count;	 /* of all row groups */
	struct facts_block last; /* the last block */
	size_t block_count;
	tdat_read_back_fn read; /* NULL: all are kept */
	void *read_ctx;
};

/*
 * Behind a row group, which ended at *off: writes what is kept to the file if it is much, and adds
 * its bytes to *off.
 */
enum tdat_status group_facts_spill(struct group_facts *f, tdat_write_fn write, void *write_ctx,
				   uint64_t *off, struct tdat_error *err);

/* Gives out the facts of all row groups, in order. */
struct group_facts_reader {
	const struct group_facts *facts;
	struct facts_block *blocks; /* in order */
	size_t next_block;
	struct tdat_build bytes; /* of a block */
	const uint8_t *at, *end;
};

/* A failure leaves nothing to free, either. */
enum tdat_status group_facts_open(struct group_facts_reader *r, const struct group_facts *facts,
				  struct tdat_error *err);
/*
 * Whether there is a row group whose facts begin at r->at, which the caller moves behind them. *off
 * is where the last row group ended, and becomes where the next one starts.
 */
bool group_facts_next(struct group_facts_reader *r, uint64_t *off, enum tdat_status *st,
		      struct tdat_error *err);
void group_facts_close(struct group_facts_reader *r);

#endif
