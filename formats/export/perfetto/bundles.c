/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Gathers the events of each CPU in bundles, and writes these as packets. A bundle holds events
 * of one CPU in order, up to BUNDLE_LEN bytes; what must come before its events (descriptors,
 * names of symbols) is written before it. This is the pack step: it runs in order on one
 * thread, while worker.c made the messages on all.
 */
#include <stdlib.h>

#include "event_write.h"
#include "numbers.h"
#include "proto.h"
#include "state.h"

/*
 * A CPU's bundle is written at BUNDLE_LEN bytes, and all bundles once they hold HELD_LEN together.
 * Both depend on the events only, so output does not vary with threads.
 */
enum { BUNDLE_LEN = 32 * 1024, HELD_LEN = 8 * 1024 * 1024 };

/* Writes the bundle of a CPU as a packet (FtraceEventBundle) and empties it. */
static void write_bundle(struct pf_state *s, struct pf_cpu *c, struct tdat_build *out)
{
	const struct pf_input *in = &s->inputs[c->input];
	const struct pf_buffer_clock *clock = &in->clocks[c->buffer];
	size_t packet, at;

	if (!c->events.len)
		return;
	packet = pf_packet_begin(out);
	at = proto_open(out, PF_PACKET_FTRACE_EVENTS);
	proto_u64(out, PF_BUNDLE_CPU, c->cpu);
	tdat_build_bytes(out, c->events.ptr, c->events.len);
	if (c->lost_here)
		proto_u64(out, PF_BUNDLE_LOST_EVENTS, 1);
	if (clock->ftrace_clock != PF_FTRACE_CLOCK_NONE)
		proto_u64(out, PF_BUNDLE_FTRACE_CLOCK, clock->ftrace_clock);
	proto_close(out, at);
	proto_u64(out, PF_PACKET_SEQUENCE_ID, pf_sequence(c->input, c->buffer));
	pf_packet_end(out, packet, c->input);
	out->failed |= c->events.failed;
	s->held_len -= c->events.len;
	c->events.len = 0;
	c->lost_here = false;
}

/* Writes all bundles, in the order in which their first events came. */
void pf_bundles_flush(struct pf_state *s, struct tdat_build *out)
{
	struct pf_cpu *c, *next;

	for (c = s->first; c; c = next) {
		next = c->next;
		write_bundle(s, c, out);
		c->begun = false;
	}
	s->first = NULL;
	s->last = &s->first;
}

/* State of the CPU of an event, made at its first use. NULL: no memory. */
static struct pf_cpu *cpu_of(struct pf_state *s, const struct pf_piece *piece)
{
	struct pf_input *in = &s->inputs[piece->input];
	struct pf_cpu ***cpus = &in->cpus[piece->buffer], *c;

	if (!*cpus)
		*cpus = calloc(PF_MOST_CPUS, sizeof(**cpus));
	if (!*cpus)
		return NULL;
	c = (*cpus)[piece->cpu];
	if (c)
		return c;
	c = calloc(1, sizeof(*c));
	if (!c)
		return NULL;
	c->input = piece->input;
	c->buffer = piece->buffer;
	c->cpu = piece->cpu;
	tdat_build_init(&c->events, false);
	(*cpus)[piece->cpu] = c;
	return c;
}

/*
 * Writes the descriptor of an event id before its first event, in a bundle of its own: bundles of
 * other CPUs with such events may be written before this CPU's.
 */
static enum tdat_status describe(struct pf_state *s, const struct pf_piece *piece,
				 struct tdat_build *out, struct tdat_error *err)
{
	uint8_t *bits = &s->inputs[piece->input].described[piece->id / 8];
	const uint8_t bit = (uint8_t)(1u << piece->id % 8);
	const uint32_t number = pf_described_number(piece->input, piece->id);
	struct pf_plan *plan;
	enum tdat_status st;
	size_t packet, at;

	/* One bit per event id: described already. */
	if (*bits & bit)
		return TDAT_OK;
	st = pf_plan_of(s, piece->input, piece->id, &plan, err);
	if (st != TDAT_OK)
		return st;
	packet = pf_packet_begin(out);
	at = proto_open(out, PF_PACKET_FTRACE_EVENTS);
	proto_u64(out, PF_BUNDLE_CPU, piece->cpu);
	if (plan)
		pf_plan_describe(plan, out);
	else
		pf_unknown_describe(piece->id, number, out);
	proto_close(out, at);
	pf_packet_end(out, packet, piece->input);
	pf_plan_free(plan);
	*bits |= bit;
	return TDAT_OK;
}

/* Notes once per event type which of its fields Perfetto's message cannot hold. */
static enum tdat_status tell_left_out(struct pf_state *s, const struct pf_piece *piece,
				      struct tdat_error *err)
{
	uint8_t *bits = &s->inputs[piece->input].described[piece->id / 8];
	const uint8_t bit = (uint8_t)(1u << piece->id % 8);
	struct pf_plan *plan;
	enum tdat_status st;

	if (*bits & bit || !s->note)
		return TDAT_OK;
	st = pf_plan_of(s, piece->input, piece->id, &plan, err);
	if (st != TDAT_OK)
		return st;
	*bits |= bit;
	s->scratch.len = 0;
	pf_plan_left_out(plan, &s->scratch);
	tdat_build_u8(&s->scratch, '\0');
	if (!s->scratch.failed)
		s->note(s->note_ctx, (const char *)s->scratch.ptr);
	pf_plan_free(plan);
	return TDAT_OK;
}

/*
 * Notes once that some times exceed int64_t: trace processor reads them as negative and drops the
 * events.
 */
static void tell_late(struct pf_state *s, uint64_t ts)
{
	if (ts <= INT64_MAX || s->told_late || !s->note)
		return;
	s->told_late = true;
	s->note(s->note_ctx, "some events have times of 2^63 ns or more, which Perfetto drops");
}

/* Queues a CPU for pf_bundles_flush() when its bundle gets its first event. */
static void begin(struct pf_state *s, struct pf_cpu *c)
{
	if (c->begun)
		return;
	c->begun = true;
	c->next = NULL;
	*s->last = c;
	s->last = &c->next;
}

/*
 * Adds an event to the bundle of its CPU. bytes: the FtraceEvent message. out: where packets are
 * written.
 */
enum tdat_status pf_bundles_add(struct pf_state *s, const struct pf_piece *piece,
				const uint8_t *bytes, struct tdat_build *out,
				struct tdat_error *err)
{
	struct pf_cpu *c = cpu_of(s, piece);
	struct pf_cpu_sums *sums = &s->inputs[piece->input].sums[piece->cpu];
	enum tdat_status st = TDAT_OK;
	size_t before;

	if (!c)
		return tdat_error_no_memory(err, "an export");
	/* lost_events concerns a whole bundle, so events before the loss go out first. */
	if (piece->lost) {
		write_bundle(s, c, out);
		c->lost_here = true;
		sums->lost += piece->lost > 0 ? (uint64_t)piece->lost : 0;
	}
	sums->events++;
	if (piece->described)
		st = describe(s, piece, out, err);
	if (st == TDAT_OK && piece->number)
		st = pf_symbols_add(s, piece, out, err);
	if (st == TDAT_OK && piece->left_out)
		st = tell_left_out(s, piece, err);
	tell_late(s, piece->ts);
	begin(s, c);
	before = c->events.len;
	proto_bytes(&c->events, PF_BUNDLE_EVENT, bytes, piece->len);
	s->held_len += c->events.len - before;
	if (c->events.len >= BUNDLE_LEN)
		write_bundle(s, c, out);
	if (s->held_len >= HELD_LEN)
		pf_bundles_flush(s, out);
	return st;
}

static void cpu_free(struct pf_cpu *c)
{
	if (!c)
		return;
	tdat_build_fini(&c->events);
	free(c);
}

void pf_bundles_fini(struct pf_state *s)
{
	for (size_t i = 0; s->inputs && i < s->input_count; i++) {
		struct pf_input *in = &s->inputs[i];

		for (size_t b = 0; in->cpus && b < in->buffer_count; b++) {
			for (size_t cpu = 0; in->cpus[b] && cpu < PF_MOST_CPUS; cpu++)
				cpu_free(in->cpus[b][cpu]);
			free(in->cpus[b]);
		}
		free(in->cpus);
	}
}
