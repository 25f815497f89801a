/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes the stacks of kernel_stack and user_stack as samples, which Perfetto shows at their time
 * beside the thread. ftrace's stacks have no message of their own. Function names, frames and
 * stacks are interned: written once, with a number, in a packet of the same sequence before the
 * first sample that needs them. When there are many, the sequence starts anew, so that memory is
 * bounded here and in readers.
 */
#include <string.h>

#include "core/number.h"
#include "numbers.h"
#include "proto.h"
#include "state.h"

/*
 * MOST_FRAMES: functions that are interned; MOST_STACKS_LEN: bytes of stacks that are remembered.
 * Beyond either, numbering starts anew.
 */
enum { MOST_FRAMES = 1 << 16, MOST_STACKS_LEN = 4 * 1024 * 1024 };

/* Numbers of the mappings and of their names. */
enum { MAPPING_KERNEL = 1, MAPPING_USER = 2 };

/*
 * Writes a mapping, which frames must have. Trace processor takes one named /kernel without ranges
 * for the kernel. Mappings of programs are not in a trace, so they share one.
 */
static void put_mapping(struct tdat_build *out, uint64_t iid)
{
	const size_t at = proto_open(out, PF_INTERNED_MAPPINGS);

	proto_u64(out, PF_MAPPING_IID, iid);
	proto_u64(out, PF_MAPPING_PATHS, iid);
	proto_close(out, at);
}

/* Function of a frame; equal addresses of kernel and user are different ones. */
struct function {
	uint64_t addr;
	bool user;
};

struct tdat_span pf_function_name(const struct pf_input *in, uint64_t addr, bool user,
				  char text[32])
{
	struct tdat_span name = {NULL, 0};
	char *start;

	if (!user)
		name = tdat_file_symbol(in->file, addr, NULL);
	if (name.ptr)
		return name;
	start = tdat_number_hex(text + 32, addr, false);
	*--start = 'x';
	*--start = '0';
	return (struct tdat_span){(const uint8_t *)start, (size_t)(text + 32 - start)};
}

/* New parts of a sample, gathered apart because InternedData has all names before all frames. */
struct interned {
	struct tdat_build names, frames;
};

/* Number of a frame; writes it and its function's name if it is new. 0: no memory. */
static uint32_t add_frame(struct pf_input *in, struct function f, struct interned *new)
{
	uint8_t key[9];
	char text[32];
	uint32_t iid;
	bool fresh;
	size_t at;

	memcpy(key, &f.addr, 8);
	key[8] = f.user;
	iid = tdat_byte_set_add(&in->frames, key, sizeof(key), &fresh);
	if (!fresh)
		return iid;
	pf_interned(&new->names, PF_INTERNED_FUNCTION_NAMES, iid,
		    pf_function_name(in, f.addr, f.user, text));
	at = proto_open(&new->frames, PF_INTERNED_FRAMES);
	proto_u64(&new->frames, PF_FRAME_IID, iid);
	/* One number serves the frame and its name. */
	proto_u64(&new->frames, PF_FRAME_FUNCTION, iid);
	proto_u64(&new->frames, PF_FRAME_MAPPING, f.user ? MAPPING_USER : MAPPING_KERNEL);
	proto_u64(&new->frames, PF_FRAME_REL_PC, f.addr);
	proto_close(&new->frames, at);
	return iid;
}

/* Addresses of a piece are not aligned. */
static uint64_t address_at(const uint8_t *bytes, size_t i)
{
	uint64_t addr;

	memcpy(&addr, bytes + 8 * i, 8);
	return addr;
}

/*
 * Writes the defaults of samples. Trace processor makes a counter per CPU of the timebase; without
 * a name it gets that of a clock.
 */
static void put_defaults(struct tdat_build *out)
{
	const size_t at = proto_open(out, PF_PACKET_DEFAULTS);
	const size_t sample = proto_open(out, PF_DEFAULTS_SAMPLE);
	const size_t timebase = proto_open(out, PF_SAMPLE_DEFAULTS_TIMEBASE);
	const size_t tracepoint = proto_open(out, PF_TIMEBASE_TRACEPOINT);

	proto_cstr(out, PF_TRACEPOINT_NAME, "ftrace:kernel_stack");
	proto_close(out, tracepoint);
	proto_cstr(out, PF_TIMEBASE_NAME, "stacks");
	proto_close(out, timebase);
	proto_close(out, sample);
	proto_close(out, at);
}

/*
 * Writes the packet with everything new about a stack. Addresses come innermost first and are
 * written outermost first. False: no memory.
 */
static bool put_new(struct pf_state *s, const struct pf_piece *piece, const uint8_t *bytes,
		    uint32_t stack, bool first, struct tdat_build *out)
{
	const struct tdat_span kernel = {(const uint8_t *)"kernel", 6};
	const struct tdat_span user = {(const uint8_t *)"user", 4};
	struct pf_input *in = &s->inputs[piece->input];
	struct interned new;
	struct tdat_build ids;
	size_t packet, at, list;
	bool ok = true;

	tdat_build_init(&new.names, false);
	tdat_build_init(&new.frames, false);
	tdat_build_init(&ids, false);
	for (size_t i = piece->len / 8; i-- > 0;) {
		const struct function f = {address_at(bytes, i), piece->user};
		const uint32_t iid = add_frame(in, f, &new);

		ok &= iid != 0;
		proto_u64(&ids, PF_CALLSTACK_FRAMES, iid);
	}
	packet = pf_packet_begin(out);
	proto_u64(out, PF_PACKET_SEQUENCE_ID, pf_sequence(piece->input, PF_SEQUENCE_STACKS));
	at = proto_open(out, PF_PACKET_INTERNED_DATA);
	tdat_build_bytes(out, new.names.ptr, new.names.len);
	tdat_build_bytes(out, new.frames.ptr, new.frames.len);
	list = proto_open(out, PF_INTERNED_CALLSTACKS);
	proto_u64(out, PF_CALLSTACK_IID, stack);
	tdat_build_bytes(out, ids.ptr, ids.len);
	proto_close(out, list);
	/* The sequence starts, or starts anew: readers forget what it had interned. */
	if (first) {
		pf_interned(out, PF_INTERNED_MAPPING_PATHS, MAPPING_KERNEL, kernel);
		pf_interned(out, PF_INTERNED_MAPPING_PATHS, MAPPING_USER, user);
		put_mapping(out, MAPPING_KERNEL);
		put_mapping(out, MAPPING_USER);
	}
	proto_close(out, at);
	if (first) {
		proto_u64(out, PF_PACKET_SEQUENCE_FLAGS, PF_SEQ_CLEARED);
		put_defaults(out);
	}
	pf_packet_end(out, packet, piece->input);
	ok &= !new.names.failed && !new.frames.failed && !ids.failed;
	tdat_build_fini(&new.names);
	tdat_build_fini(&new.frames);
	tdat_build_fini(&ids);
	return ok;
}

/*
 * Writes the sample: time, thread and number of the stack. A user's stack names its own thread
 * group.
 */
static void put_sample(const struct pf_state *s, const struct pf_piece *piece, uint32_t stack,
		       struct tdat_build *out)
{
	const uint32_t tid = (uint32_t)piece->pid;
	const uint32_t tgid = piece->user && piece->number
				      ? (uint32_t)piece->number
				      : (uint32_t)tdat_task_groups_of(
						&s->inputs[piece->input].groups, piece->pid);
	const size_t packet = pf_packet_begin(out);
	size_t at;

	proto_u64(out, PF_PACKET_TIMESTAMP, piece->ts);
	proto_u64(out, PF_PACKET_SEQUENCE_ID, pf_sequence(piece->input, PF_SEQUENCE_STACKS));
	proto_u64(out, PF_PACKET_SEQUENCE_FLAGS, PF_SEQ_NEEDS);
	at = proto_open(out, PF_PACKET_PERF_SAMPLE);
	proto_u64(out, PF_SAMPLE_CPU, piece->cpu);
	proto_u64(out, PF_SAMPLE_PID, tgid);
	proto_u64(out, PF_SAMPLE_TID, tid);
	proto_u64(out, PF_SAMPLE_CALLSTACK, stack);
	proto_u64(out, PF_SAMPLE_MODE, piece->user ? PF_MODE_USER : PF_MODE_KERNEL);
	proto_u64(out, PF_SAMPLE_COUNT, ++s->inputs[piece->input].sums[piece->cpu].stacks);
	proto_close(out, at);
	pf_packet_end(out, packet, piece->input);
}

/* Adds a stack of the kernel or a user; bytes are its addresses, 64 bits each. */
enum tdat_status pf_stacks_add(struct pf_state *s, const struct pf_piece *piece,
			       const uint8_t *bytes, struct tdat_build *out, struct tdat_error *err)
{
	struct pf_input *in = &s->inputs[piece->input];
	uint32_t stack;
	bool first, fresh;

	/* Bounded memory: forget everything. put_new() tells readers by a flag. */
	if (in->frames.map.count > MOST_FRAMES || in->stacks.bytes.len > MOST_STACKS_LEN) {
		tdat_byte_set_clear(&in->frames);
		tdat_byte_set_clear(&in->stacks);
	}
	first = !in->stacks.map.count;
	/* A byte behind the addresses keeps user stacks apart from the kernel's. */
	s->scratch.len = 0;
	tdat_build_bytes(&s->scratch, bytes, piece->len);
	tdat_build_u8(&s->scratch, piece->user);
	if (s->scratch.failed)
		return tdat_error_no_memory(err, "an export");
	stack = tdat_byte_set_add(&in->stacks, s->scratch.ptr, s->scratch.len, &fresh);
	if (!stack || (fresh && !put_new(s, piece, bytes, stack, first, out)))
		return tdat_error_no_memory(err, "an export");
	put_sample(s, piece, stack, out);
	return TDAT_OK;
}
