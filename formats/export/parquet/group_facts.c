/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps the facts of row groups until the footer, most of them in the file itself. Facts of all
 * but the last row groups go into the file between row groups, where readers do not look, and
 * are read again for the footer. So memory does not grow with the number of rows.
 */
#include "group_facts.h"

#include <stdlib.h>

#include "column.h"

enum {
	KEPT_LEN = 1024, /* bytes that are kept between two row groups */
	HEAD_LEN = 16,	 /* of a block: off and len of the one before */
};

/*
 * Writes the kept facts into the file as one block, if they are long enough and the file can be
 * read again. Each block points to the one before.
 */
enum tdat_status group_facts_spill(struct group_facts *f, tdat_write_fn write, void *write_ctx,
				   uint64_t *off, struct tdat_error *err)
{
	const struct facts_block block = {*off, HEAD_LEN + f->kept.len};
	uint8_t head[HEAD_LEN];
	enum tdat_status st;

	if (!f->read || f->kept.len < KEPT_LEN)
		return TDAT_OK;
	tdat_store64(head, f->last.off, false);
	tdat_store64(head + 8, f->last.len, false);
	*off += block.len;
	st = write(write_ctx, head, HEAD_LEN, err);
	if (st == TDAT_OK)
		st = write(write_ctx, f->kept.ptr, f->kept.len, err);
	f->last = block;
	f->block_count++;
	f->kept.len = 0;
	return st;
}

/* Finds all blocks, from the last one back along their heads. */
static enum tdat_status find_blocks(struct group_facts_reader *r, struct tdat_error *err)
{
	const struct group_facts *f = r->facts;
	struct facts_block block = f->last;
	enum tdat_status st = TDAT_OK;

	r->blocks = calloc(f->block_count + 1, sizeof(*r->blocks));
	if (!r->blocks)
		return column_no_memory(err);
	for (size_t i = f->block_count; i-- > 0 && st == TDAT_OK;) {
		uint8_t head[HEAD_LEN];

		r->blocks[i] = block;
		st = f->read(f->read_ctx, block.off, head, HEAD_LEN, err);
		block = (struct facts_block){tdat_load64(head, false),
					     tdat_load64(head + 8, false)};
	}
	return st;
}

/* Starts to read the facts of all row groups, in order. On failure nothing need be closed. */
enum tdat_status group_facts_open(struct group_facts_reader *r, const struct group_facts *facts,
				  struct tdat_error *err)
{
	enum tdat_status st;

	*r = (struct group_facts_reader){.facts = facts};
	tdat_build_init(&r->bytes, false);
	st = find_blocks(r, err);
	if (st != TDAT_OK)
		group_facts_close(r);
	return st;
}

/* Reads one block; r->at is its first group. */
static enum tdat_status read_block(struct group_facts_reader *r, struct tdat_error *err)
{
	const struct facts_block *b = &r->blocks[r->next_block];
	const size_t len = (size_t)b->len - HEAD_LEN;
	uint8_t *p;

	r->bytes.len = 0;
	p = tdat_build_room(&r->bytes, len);
	if (!p)
		return column_no_memory(err);
	r->at = p;
	r->end = p + len;
	return r->facts->read(r->facts->read_ctx, b->off + HEAD_LEN, p, len, err);
}

/*
 * True if another group's facts are at r->at. *off: where the group starts, corrected at each
 * block, since blocks are in the file, too.
 */
bool group_facts_next(struct group_facts_reader *r, uint64_t *off, enum tdat_status *st,
		      struct tdat_error *err)
{
	const struct group_facts *f = r->facts;

	if (r->at != r->end)
		return true;
	/* The next row group starts behind the block that ends here. */
	if (r->next_block && r->next_block <= f->block_count)
		*off = r->blocks[r->next_block - 1].off + r->blocks[r->next_block - 1].len;
	if (r->next_block < f->block_count) {
		*st = read_block(r, err);
	} else if (r->next_block == f->block_count && f->kept.len) {
		r->at = f->kept.ptr;
		r->end = r->at + f->kept.len;
	}
	r->next_block++;
	return *st == TDAT_OK && r->at != r->end;
}

void group_facts_close(struct group_facts_reader *r)
{
	free(r->blocks);
	r->blocks = NULL;
	tdat_build_fini(&r->bytes);
}
