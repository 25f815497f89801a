/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Encloses messages in packets, and names the machine they are of. The first input is the host,
 * which has no number; packets of further inputs name their machine. All other files write
 * packets through these two functions.
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
