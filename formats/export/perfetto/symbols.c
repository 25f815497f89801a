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

/*
 * True if the buffer has no room for another name; bundles must be flushed before
 * pf_symbols_forget().
 */
bool pf_symbols_full(const struct pf_state *s, const struct pf_piece *piece)
{
	return s->inputs[piece->input].symbols[piece->buffer].map.count >= MOST_SYMBOLS;
}

void pf_symbols_forget(struct pf_state *s, const struct pf_piece *piece)
{
	tdat_byte_set_clear(&s->inputs[piece->input].symbols[piece->buffer]);
}

/* Writes the name of the function in a piece, before its first event in the buffer. */
enum tdat_status pf_symbols_add(struct pf_state *s, const struct pf_piece *piece,
				struct tdat_build *out, struct tdat_error *err)
{
	struct pf_input *in = &s->inputs[piece->input];
	struct tdat_byte_set *set = &in->symbols[piece->buffer];
	struct tdat_span name;
	size_t packet, at, entry;
	bool fresh, first;

	first = !set->map.count;
	if (!tdat_byte_set_add(set, &piece->number, sizeof(piece->number), &fresh))
		return tdat_error_no_memory(err, "an export");
	if (!fresh)
		return TDAT_OK;
	name = tdat_file_symbol(in->file, piece->number, NULL);
	/* The first packet of a sequence must say that it starts, even without a name. */
	if (!name.ptr && !first)
		return TDAT_OK;
	packet = pf_packet_begin(out);
	proto_u64(out, PF_PACKET_SEQUENCE_ID, pf_sequence(piece->input, piece->buffer));
	at = proto_open(out, PF_PACKET_INTERNED_DATA);
	if (name.ptr) {
		entry = proto_open(out, PF_INTERNED_KERNEL_SYMBOLS);
		proto_u64(out, PF_INTERNED_IID, piece->number);
		proto_string(out, PF_INTERNED_STR, name.ptr, name.len);
		proto_close(out, entry);
	}
	proto_close(out, at);
	if (first)
		proto_u64(out, PF_PACKET_SEQUENCE_FLAGS, PF_SEQ_CLEARED);
	pf_packet_end(out, packet, piece->input);
	return TDAT_OK;
}
