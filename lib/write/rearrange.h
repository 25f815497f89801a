/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Moves parts of a file to other places of it, piece by piece, with no more memory than a piece and
 * a bit for each unit, and some room in another file. The places that they go to are one run of the
 * file without a gap, in which others may lie that have not been moved yet.
 */
#ifndef TDAT_WRITE_REARRANGE_H
#define TDAT_WRITE_REARRANGE_H

#include <stdbool.h>
#include <stddef.h>

#include <tdat/error.h>

struct rearrange_move {
	uint64_t src, dest, len;
};

struct rearrange_range {
	uint64_t from, to;
};

/* Zeroed, but for what stands before moves. */
struct rearrange {
	uint32_t unit; /* all offsets and lengths are multiples of it */
	int aside_fd;  /* a file with room for parts that make place for others */
	uint64_t aside_off, aside_len;
	void (*on_moved)(void *ctx, uint64_t len);
	void *ctx;
	struct rearrange_move *moves; /* by dest, without gaps */
	size_t move_count, move_cap;
	uint8_t *done; /* a bit for each unit from the first dest on: it has its bytes */
	struct rearrange_range *free; /* by from: pieces go there, and nothing is there now */
	size_t free_count, free_cap;
	uint8_t *piece;		      /* under way */
	struct rearrange_range aside; /* where the part lay that is in the other file */
	int fd;
	const char *name;
};

/* Adds a move. They are added by rising dest, each right behind the one before. */
enum tdat_status rearrange_add(struct rearrange *r, uint64_t src, uint64_t dest, uint64_t len,
			       struct tdat_error *err);

/* Makes all moves in the file fd, which name names in sentences. */
enum tdat_status rearrange_run(struct rearrange *r, int fd, const char *name,
			       struct tdat_error *err);
void rearrange_fini(struct rearrange *r);

#endif
