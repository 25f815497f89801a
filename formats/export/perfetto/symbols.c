/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes names of kernel functions for the fields that trace processor shows as such, those of
 * funcgraph_entry for one: it looks the field's number up among the interned kernel symbols of the
 * bundle's sequence. That number is the address here.
 */
#include <string.h>

#include "numbers.h"
#include "proto.h"
#include "state.h"

/* Names per buffer; beyond it, they are forgotten. */
enum { MOST_SYMBOLS = 1 << 16 };

/* Writes the name of the function in a piece, before its first event in the buffer. */
enum tdat_status pf_symbols_add(struct pf_state *s, const struct pf_piece *piece,
				struct tdat_build *out, struct tdat_error *err)
{
	struct pf_input *in = &s->inputs[piece->input];
	struct tdat_byte_set *set = &in->symbols[piece->buffer];
	struct tdat_span name;
	bool fresh, first;

	if (set->map.count >= MOST_SYMBOLS) {
		/*
		 * Bundles that are not written yet rely on the names so far: write them before
		 * forgetting.
		 */
		pf_bundles_flush(s, out);
		tdat_byte_set_clear(set);
	}
	first = !set->map.count;
	if (!tdat_byte_set_add(set, &piece->number, sizeof(piece->number), &fresh))
		return tdat_error_no_memory(err, "an export");
	if (!fresh)
		return TDAT_OK;
	name = tdat_file_symbol(in->file, piece->number, NULL);
	/* The first packet of a sequence must say that it starts, even without a name. */
	if (name.ptr || first)
		pf_intern(out, piece->input, piece->buffer, PF_INTERNED_KERNEL_SYMBOLS,
			  piece->number, name, first);
	return TDAT_OK;
}
