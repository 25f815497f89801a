/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Encloses messages in packets, and names the machine they are of. The first input is the host,
 * which has no number; packets of further inputs name their machine. All other files write
 * packets through these functions.
 */
#include "numbers.h"
#include "proto.h"
#include "state.h"

size_t pf_packet_begin(struct tdat_build *out)
{
	return proto_open(out, PF_TRACE_PACKET);
}

/* Ends a packet that pf_packet_begin() began; start is its result. */
void pf_packet_end(struct tdat_build *out, size_t start, size_t input)
{
	if (input)
		proto_u64(out, PF_PACKET_MACHINE_ID, input);
	proto_close(out, start);
}

void pf_interned(struct tdat_build *out, uint32_t field, uint64_t iid, struct tdat_span text)
{
	const size_t at = proto_open(out, field);

	proto_u64(out, PF_INTERNED_IID, iid);
	proto_string(out, PF_INTERNED_STR, text.ptr, text.len);
	proto_close(out, at);
}

void pf_intern(struct tdat_build *out, size_t input, uint32_t sequence, uint32_t field,
	       uint64_t iid, struct tdat_span text, bool first)
{
	const size_t packet = pf_packet_begin(out);
	size_t at;

	proto_u64(out, PF_PACKET_SEQUENCE_ID, pf_sequence(input, sequence));
	at = proto_open(out, PF_PACKET_INTERNED_DATA);
	if (text.ptr)
		pf_interned(out, field, iid, text);
	proto_close(out, at);
	if (first)
		proto_u64(out, PF_PACKET_SEQUENCE_FLAGS, PF_SEQ_CLEARED);
	pf_packet_end(out, packet, input);
}
