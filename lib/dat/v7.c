/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads version 7: sections anywhere, found through a chain of options sections
 * (docs/file-format.md, "Version 7"). The walk over all section headers only lists them with
 * their descriptions. Sections that no option leads to any more are taken up by v7_salvage.c,
 * in tolerant opens only.
 */
#include "v7.h"

/* A section that cannot be read ends the chain, as the next offset lies in it. */
static enum tdat_status read_chain(struct dat_index *ix, uint64_t off, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	uint64_t next;

	while (off && st == TDAT_OK) {
		st = v7_read_options(ix, off, &next, err);
		off = next;
		st = dat_index_tolerate(ix, st, err);
	}
	return st;
}

/*
 * Options first, then what they lead to, then the walk over all sections, which shows what
 * nobody led to.
 */
enum tdat_status dat_read_v7(struct dat_index *ix, uint64_t off, struct tdat_error *err)
{
	struct tdat_span first;
	enum tdat_status st = dat_index_bytes(ix, off, 8, "the offset of the options", &first, err);
	size_t i;

	if (st == TDAT_OK)
		st = read_chain(ix, tdat_load64(first.ptr, ix->big), err);
	if (st == TDAT_OK && !ix->option_count && !ix->damage_count)
		st = dat_index_tolerate(ix,
					tdat_error_set(err, TDAT_E_DAMAGED, off,
						       "the options section is missing: the "
						       "recorder did not finish the file"),
					err);
	for (i = 0; st == TDAT_OK && i < ix->option_count; i++)
		st = dat_index_tolerate(ix, v7_follow_option(ix, i, err), err);
	if (st == TDAT_OK)
		st = v7_walk(ix, off + 8, err);
	if (st == TDAT_OK && ix->damage_count)
		st = v7_salvage(ix, err);
	if (st != TDAT_OK)
		return st;
	v7_order_buffers(ix);
	if (ix->damage_count && !ix->format_count && !ix->buffer_count) {
		/* There is nothing to read at all: the first finding says why. */
		if (err)
			*err = ix->damage[0];
		return ix->damage[0].status;
	}
	return TDAT_OK;
}
