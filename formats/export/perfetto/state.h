/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares the state of an export to Perfetto, and what goes from the threads that make events to
 * the one that puts them into packets.
 *
 * Threads of tdat_pump make the message of each event, a piece (struct pf_piece and its bytes).
 * pack, which sees all of them in order, gathers the messages of each CPU in bundles, and does
 * what needs to know the events before.
 */
#ifndef TDAT_PERFETTO_STATE_H
#define TDAT_PERFETTO_STATE_H

#include <tdat/export.h>

#include "core/build.h"
#include "core/task_groups.h"
#include "event_plan.h"
#include "core/byte_set.h"

/* Perfetto's trace processor ends the whole import at a CPU with a larger number. */
enum { PF_MOST_CPUS = 1024 };

enum { PF_IDS = 65536 };

enum pf_compression { PF_PLAIN, PF_ZLIB, PF_ZSTD };

enum pf_piece_kind {
	PF_PIECE_EVENT, /* the inside of a FtraceEvent */
	PF_PIECE_STACK, /* addresses of 64 bits, innermost first */
	PF_PIECE_CALL	/* the function's name, or nothing: a start or an end of function_graph */
};

/* What stands before the bytes of each piece. It never leaves the process. */
struct pf_piece {
	uint32_t len; /* of the bytes behind it */
	uint32_t input, buffer, cpu, id;
	int32_t pid;
	uint64_t ts;
	int64_t lost;	 /* EVENT: lost_before */
	uint64_t number; /* EVENT: address of the function in it, or 0; CALL: address of the
			  * function; STACK: of a user's stack the thread group */
	uint8_t kind;	 /* enum pf_piece_kind */
	bool described;	 /* EVENT: the message needs a descriptor */
	bool left_out;	 /* EVENT: there are fields without a place in the message */
	bool user;	 /* STACK: it is the user's */
	bool exit;	 /* CALL: its end */
};

/* The clock of a buffer: what its bundles say, and how the clock is tied to trace time. */
struct pf_buffer_clock {
	uint32_t ftrace_clock; /* enum pf_ftrace_clock */
	uint32_t builtin;      /* enum pf_builtin_clock that it is; 0: none */
	bool own;	       /* it is clock 64 of the buffer's sequence */
};

/*
 * Ids of packet sequences: one of each buffer, and of each input one for stacks and one for tracks.
 * A file has at most 4096 buffers.
 */
enum { PF_SEQUENCES = 8192, PF_SEQUENCE_STACKS = 8190, PF_SEQUENCE_TRACKS = 8189 };

static inline uint32_t pf_sequence(size_t input, uint32_t number)
{
	return (uint32_t)input * PF_SEQUENCES + number + 1;
}

/* One CPU of a buffer: the bundle that is being filled, and what was lost. */
struct pf_cpu {
	struct pf_cpu *next; /* of the list of those that have a bundle begun */
	bool begun;
	bool lost_here; /* events were lost before the bundle's first one */
	uint32_t input, buffer, cpu;
	struct tdat_build events; /* as fields of the bundle */
};

struct pf_cpu_sums {
	uint64_t events, lost, stacks;
};

struct pf_input {
	struct tdat_file *file;
	bool big;
	size_t text_max, per_byte; /* tdat_file_text_max */
	const struct tdat_buffer *buffers;
	size_t buffer_count;
	struct pf_buffer_clock *clocks; /* of each buffer */
	struct pf_cpu ***cpus;		/* by buffer and CPU; NULL: none was met */
	uint8_t *described;		/* a bit for each id whose descriptor was written */
	struct pf_cpu_sums *sums;	/* by CPU */
	struct tdat_task_groups groups;
	struct tdat_byte_set *symbols; /* by buffer: addresses whose names were written */
	struct tdat_byte_set frames, stacks;
	struct tdat_byte_set names,
		tracks;	  /* of function_graph: addresses; threads and idle CPUs */
	uint32_t *depths; /* of each track: calls that have not ended */
	size_t depth_cap;
	bool *has_cpu; /* the file has data of the CPU, or room for it */
};

struct pf_state {
	/* Set by begin, then only read. */
	struct pf_input *inputs;
	struct tdat_iter_input *iter_inputs;
	size_t input_count;
	struct pf_choice choice;
	void (*note)(void *ctx, const char *sentence); /* may be NULL */
	void *note_ctx;
	bool raw_ts, no_date;

	/* For pack and end. */
	bool started; /* the head was written */
	struct pf_cpu *first,
		**last;	 /* CPUs with a bundle begun, in the order of their first event */
	size_t held_len; /* bytes in these bundles */
	bool told_late;	 /* that there are times which Perfetto does not take */
	struct tdat_build scratch;
	enum pf_compression compression;
	struct tdat_build plain; /* whole packets that are not compressed yet */
};

/* The number of FtraceEvent's field for the events of an id that need a descriptor. */
static inline uint32_t pf_described_number(size_t input, uint32_t id)
{
	return (uint32_t)(input + 1) * PF_FIRST_DESCRIBED + id;
}

/* More inputs than this would need field numbers beyond those that protocol buffers have. */
enum { PF_MOST_INPUTS = 4096 };

/* worker.c: the sink, which makes pieces. */
extern const struct tdat_sink_ops pf_events;

/* The plan of an id, made anew: by each thread, and by pack for descriptors. NULL: unknown id. */
enum tdat_status pf_plan_of(const struct pf_state *s, size_t input, uint32_t id,
			    struct pf_plan **plan, struct tdat_error *err);

/* packet.c: a packet around what is put between the two. */
size_t pf_packet_begin(struct tdat_build *out);
void pf_packet_end(struct tdat_build *out, size_t start, size_t input);

/* Writes an InternedString of a field of InternedData. */
void pf_interned(struct tdat_build *out, uint32_t field, uint64_t iid, struct tdat_span text);
/*
 * A packet of a sequence that interns one text. The first one of a sequence must say that it
 * starts, also without a text.
 */
void pf_intern(struct tdat_build *out, size_t input, uint32_t sequence, uint32_t field,
	       uint64_t iid, struct tdat_span text, bool first);
/*
 * The function's name; its address in hexadecimal, made in text, if it has none. Symbols are the
 * kernel's only.
 */
struct tdat_span pf_function_name(const struct pf_input *in, uint64_t addr, bool user,
				  char text[32]);

/* clocks.c */
void pf_clocks_init(struct pf_state *s);
void pf_clocks_write(const struct pf_state *s, uint64_t ts, struct tdat_build *out);

/* head.c: what comes before the first event, whose time is ts. */
enum tdat_status pf_head_write(struct pf_state *s, uint64_t ts, struct tdat_build *out,
			       struct tdat_error *err);

/* stats.c */
void pf_stats_write(const struct pf_state *s, bool end, struct tdat_build *out);

/* bundles.c */
enum tdat_status pf_bundles_add(struct pf_state *s, const struct pf_piece *piece,
				const uint8_t *bytes, struct tdat_build *out,
				struct tdat_error *err);
/* Writes all bundles that are begun. */
void pf_bundles_flush(struct pf_state *s, struct tdat_build *out);
void pf_bundles_fini(struct pf_state *s);

/*
 * symbols.c: the name of the function in an event that has one, before the first event with it.
 * When there is no room for more names, those of the event's buffer are forgotten, behind the
 * bundles that need them.
 */
enum tdat_status pf_symbols_add(struct pf_state *s, const struct pf_piece *piece,
				struct tdat_build *out, struct tdat_error *err);

/* stacks.c */
enum tdat_status pf_stacks_add(struct pf_state *s, const struct pf_piece *piece,
			       const uint8_t *bytes, struct tdat_build *out,
			       struct tdat_error *err);

/* tracks.c */
enum tdat_status pf_tracks_add(struct pf_state *s, const struct pf_piece *piece,
			       const uint8_t *bytes, struct tdat_build *out,
			       struct tdat_error *err);

/* compress.c: puts packets of plain into out; all: none is left. */
enum tdat_status pf_compress(struct pf_state *s, bool all, struct tdat_build *out,
			     struct tdat_error *err);

#endif
