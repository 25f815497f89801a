/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes calls of function_graph as slices of track events: a track of each thread, and one of
 * each CPU for the idle task. A call whose entry is not in the trace has no slice. A thread's
 * track is described before its first slice. Called by the pack step, in order.
 */
#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "core/number.h"
#include "numbers.h"
#include "proto.h"
#include "state.h"

/* Names per input; beyond it, numbering starts anew. */
enum { MOST_NAMES = 1 << 16 };

/*
 * Id of a track: input, kind and number in separate bits. parent: the thread's own track, whose
 * child has the calls.
 */
static uint64_t uuid_of(const struct pf_piece *piece, uint32_t track, bool parent)
{
	return (uint64_t)(piece->input + 1) << 40 | (uint64_t)parent << 39 | track;
}

/*
 * Describes the track of calls: a child of the thread's track, or one of an idle CPU, as pid 0 is
 * many threads.
 */
static void put_child(const struct pf_piece *piece, uint32_t track, struct tdat_build *out)
{
	const size_t packet = pf_packet_begin(out);
	size_t at;

	proto_u64(out, PF_PACKET_SEQUENCE_ID, pf_sequence(piece->input, PF_SEQUENCE_TRACKS));
	at = proto_open(out, PF_PACKET_TRACK_DESCRIPTOR);
	proto_u64(out, PF_TRACK_UUID, uuid_of(piece, track, false));
	if (piece->pid) {
		proto_cstr(out, PF_TRACK_NAME, "functions");
		proto_u64(out, PF_TRACK_PARENT, uuid_of(piece, track, true));
	} else {
		const size_t name = proto_open(out, PF_TRACK_NAME);

		tdat_build_str(out, "functions of idle CPU ");
		tdat_number_u64(out, piece->cpu);
		proto_close(out, name);
	}
	proto_close(out, at);
	pf_packet_end(out, packet, piece->input);
}

/* Describes the thread's track by pid and tid, so that its child is drawn beside its other data. */
static void put_thread(const struct pf_state *s, const struct pf_piece *piece, uint32_t track,
		       struct tdat_build *out)
{
	const size_t packet = pf_packet_begin(out);
	size_t at, thread;

	proto_u64(out, PF_PACKET_SEQUENCE_ID, pf_sequence(piece->input, PF_SEQUENCE_TRACKS));
	at = proto_open(out, PF_PACKET_TRACK_DESCRIPTOR);
	proto_u64(out, PF_TRACK_UUID, uuid_of(piece, track, true));
	thread = proto_open(out, PF_TRACK_THREAD);
	proto_i64(out, PF_TRACK_THREAD_PID,
		  tdat_task_groups_of(&s->inputs[piece->input].groups, piece->pid));
	proto_i64(out, PF_TRACK_THREAD_TID, piece->pid);
	proto_close(out, thread);
	proto_close(out, at);
	pf_packet_end(out, packet, piece->input);
}

/*
 * Returns the track of the piece's thread, or of its CPU while that is idle; describes it if it is
 * new. 0: no memory.
 */
static uint32_t track_of(struct pf_state *s, const struct pf_piece *piece, struct tdat_build *out)
{
	struct pf_input *in = &s->inputs[piece->input];
	const uint32_t key[2] = {(uint32_t)piece->pid, piece->pid ? 0 : piece->cpu};
	bool fresh;
	const uint32_t track = tdat_byte_set_add(&in->tracks, key, sizeof(key), &fresh);

	if (!fresh)
		return track;
	/* Tracks are numbered from 1 without gaps, so depths is an array. */
	if (!TDAT_GROW(in->depths, &in->depth_cap, track))
		return 0;
	in->depths[track - 1] = 0;
	if (piece->pid)
		put_thread(s, piece, track, out);
	put_child(piece, track, out);
	return track;
}

/* Returns the number of the function's name, and writes it if it is new. 0: no memory. */
static uint32_t name_of(struct pf_state *s, const struct pf_piece *piece, const uint8_t *bytes,
			struct tdat_build *out)
{
	struct pf_input *in = &s->inputs[piece->input];
	/* No name begins with a NUL byte. */
	const uint64_t address[2] = {0, piece->number};
	struct tdat_span name = {bytes, piece->len};
	bool first, fresh;
	char text[32];
	uint32_t iid;

	if (in->names.map.count >= MOST_NAMES)
		tdat_byte_set_clear(&in->names);
	first = !in->names.map.count;
	iid = piece->len ? tdat_byte_set_add(&in->names, bytes, piece->len, &fresh)
			 : tdat_byte_set_add(&in->names, address, sizeof(address), &fresh);
	if (!fresh)
		return iid;
	if (!name.len)
		name = pf_function_name(in, piece->number, false, text);
	pf_intern(out, piece->input, PF_SEQUENCE_TRACKS, PF_INTERNED_EVENT_NAMES, iid, name, first);
	return iid;
}

/* Writes the begin (with a name) or the end of a slice. */
static void put_slice(const struct pf_piece *piece, uint32_t track, uint32_t name,
		      struct tdat_build *out)
{
	const size_t packet = pf_packet_begin(out);
	size_t at;

	proto_u64(out, PF_PACKET_TIMESTAMP, piece->ts);
	proto_u64(out, PF_PACKET_SEQUENCE_ID, pf_sequence(piece->input, PF_SEQUENCE_TRACKS));
	at = proto_open(out, PF_PACKET_TRACK_EVENT);
	proto_u64(out, PF_TRACK_EVENT_TYPE, name ? PF_SLICE_BEGIN : PF_SLICE_END);
	if (name)
		proto_u64(out, PF_TRACK_EVENT_NAME, name);
	proto_u64(out, PF_TRACK_EVENT_TRACK, uuid_of(piece, track, false));
	proto_close(out, at);
	proto_u64(out, PF_PACKET_SEQUENCE_FLAGS, PF_SEQ_NEEDS);
	pf_packet_end(out, packet, piece->input);
}

/* Adds the begin or the end of a call to its thread's track. */
enum tdat_status pf_tracks_add(struct pf_state *s, const struct pf_piece *piece,
			       const uint8_t *bytes, struct tdat_build *out, struct tdat_error *err)
{
	struct pf_input *in = &s->inputs[piece->input];
	const uint32_t track = track_of(s, piece, out);
	uint32_t name = 0;

	if (!track)
		return tdat_error_no_memory(err, "an export");
	if (piece->exit) {
		/* The call began before the trace: an end alone has no slice. */
		if (!in->depths[track - 1])
			return TDAT_OK;
		in->depths[track - 1]--;
	} else {
		name = name_of(s, piece, bytes, out);
		if (!name)
			return tdat_error_no_memory(err, "an export");
		in->depths[track - 1]++;
	}
	put_slice(piece, track, name, out);
	return TDAT_OK;
}
