/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Ties the clocks of buffers to trace time. Times are written as tdat shows them, so all clocks of
 * a snapshot show the same number; what differs is which clocks these are.
 *
 * A bundle without a clock has boot time. GLOBAL and LOCAL are clock 64 of the bundle's packet
 * sequence, which a snapshot of the same sequence has to tie to a known one before the first
 * event. Clocks without a name of their own in Perfetto (uptime, perf, x86-tsc, counter, tai) are
 * GLOBAL, too. Snapshots of another machine would move the clocks of the first: events of further
 * inputs, whose times tdat has made those of the first, have boot time.
 */
#include <string.h>

#include "numbers.h"
#include "proto.h"
#include "state.h"

/* True if times of an input are wall-clock times, by the DATE option and as tdat shows them. */
static bool is_wall(const struct pf_state *s, size_t input)
{
	return tdat_file_option_by_id(s->inputs[input].file, TDAT_OPTION_DATE) && !s->raw_ts &&
	       !s->no_date && tdat_file_shows_seconds(s->inputs[input].file);
}

/*
 * Clock of a buffer by its trace_clock name: what a bundle says, the built-in clock, and if it
 * needs a clock of its own.
 */
static struct pf_buffer_clock clock_of(const char *name)
{
	if (!strcmp(name, "boot"))
		return (struct pf_buffer_clock){PF_FTRACE_CLOCK_NONE, PF_CLOCK_BOOTTIME, false};
	if (!strcmp(name, "mono"))
		return (struct pf_buffer_clock){PF_FTRACE_CLOCK_GLOBAL, PF_CLOCK_MONOTONIC, true};
	if (!strcmp(name, "mono_raw"))
		return (struct pf_buffer_clock){PF_FTRACE_CLOCK_MONO_RAW, PF_CLOCK_MONOTONIC_RAW,
						false};
	if (!strcmp(name, "local") || !*name)
		return (struct pf_buffer_clock){PF_FTRACE_CLOCK_LOCAL, 0, true};
	return (struct pf_buffer_clock){PF_FTRACE_CLOCK_GLOBAL, 0, true};
}

/* Only the first input has clocks (see above). */
void pf_clocks_init(struct pf_state *s)
{
	const struct pf_input *host = &s->inputs[0];

	for (size_t i = 0; s->input_count && i < host->buffer_count; i++)
		host->clocks[i] = clock_of(host->buffers[i].clock);
}

static void put_clock(struct tdat_build *out, uint32_t id, uint64_t ts)
{
	const size_t at = proto_open(out, PF_SNAPSHOT_CLOCK);

	proto_u64(out, PF_CLOCK_ID, id);
	proto_u64(out, PF_CLOCK_TIMESTAMP, ts);
	proto_close(out, at);
}

/* Writes a ClockSnapshot: all clocks of one buffer at the same time. */
static void put_snapshot(const struct pf_state *s, size_t buffer, uint64_t ts,
			 struct tdat_build *out)
{
	const struct pf_buffer_clock *c = &s->inputs[0].clocks[buffer];
	const size_t packet = pf_packet_begin(out);
	const size_t at = proto_open(out, PF_PACKET_CLOCK_SNAPSHOT);

	if (c->own)
		put_clock(out, PF_CLOCK_FTRACE, ts);
	if (c->builtin && c->builtin != PF_CLOCK_BOOTTIME)
		put_clock(out, c->builtin, ts);
	put_clock(out, PF_CLOCK_BOOTTIME, ts);
	if (is_wall(s, 0))
		put_clock(out, PF_CLOCK_REALTIME, ts);
	/* Trace time is the monotonic clock if the top buffer has it. */
	if (!buffer && c->builtin == PF_CLOCK_MONOTONIC)
		proto_u64(out, PF_SNAPSHOT_PRIMARY, PF_CLOCK_MONOTONIC);
	proto_close(out, at);
	proto_u64(out, PF_PACKET_SEQUENCE_ID, pf_sequence(0, (uint32_t)buffer));
	pf_packet_end(out, packet, 0);
}

/* Writes the snapshots, at the time of the first event. */
void pf_clocks_write(const struct pf_state *s, uint64_t ts, struct tdat_build *out)
{
	for (size_t i = 0; s->input_count && i < s->inputs[0].buffer_count; i++)
		if (s->inputs[0].clocks[i].ftrace_clock != PF_FTRACE_CLOCK_NONE ||
		    (!i && is_wall(s, 0)))
			put_snapshot(s, i, ts, out);
}
