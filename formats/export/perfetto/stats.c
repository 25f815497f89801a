/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes what each CPU lost. Perfetto takes the difference of two sums, one at the start of the
 * trace and one at its end.
 */
#include "numbers.h"
#include "proto.h"
#include "state.h"

/* Writes the sums of one CPU. */
static void put_cpu(uint32_t cpu, const struct pf_cpu_sums *sums, struct tdat_build *out)
{
	const size_t at = proto_open(out, PF_STATS_CPU);

	proto_u64(out, PF_CPU_STATS_CPU, cpu);
	proto_u64(out, PF_CPU_STATS_OVERRUN, sums->lost);
	proto_u64(out, PF_CPU_STATS_DROPPED, 0);
	proto_u64(out, PF_CPU_STATS_READ_EVENTS, sums->events);
	proto_close(out, at);
}

/* Writes FtraceStats of all inputs: zeros at the start, sums at the end. */
void pf_stats_write(const struct pf_state *s, bool end, struct tdat_build *out)
{
	static const struct pf_cpu_sums none;

	for (size_t i = 0; i < s->input_count; i++) {
		const struct pf_input *in = &s->inputs[i];
		const size_t packet = pf_packet_begin(out);
		const size_t at = proto_open(out, PF_PACKET_FTRACE_STATS);

		proto_u64(out, PF_STATS_PHASE, end ? PF_PHASE_END : PF_PHASE_START);
		for (uint32_t cpu = 0; cpu < PF_MOST_CPUS; cpu++)
			if (in->has_cpu[cpu])
				put_cpu(cpu, end ? &in->sums[cpu] : &none, out);
		proto_close(out, at);
		pf_packet_end(out, packet, i);
	}
}
