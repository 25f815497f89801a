/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The merge of all buffers of all inputs, as report merges: each buffer has a queue, whose
 * head is the event it would give next. The earliest head goes first, and of equal ones
 * that of the first queue.
 */
#ifndef TDAT_READ_ITER_H
#define TDAT_READ_ITER_H

#include <tdat/iter.h>

#include "model/func_stack.h"
#include "model/learned_tasks.h"
#include "core/heap.h"
#include "select.h"
#include "stream.h"

/* A type of function_graph event: merged files may have several. */
struct graph_type {
	uint32_t id;
	const struct tdat_field *func;
};

/* Those that the iterator itself understands; no entries: nothing is folded. */
struct graph_facts {
	struct graph_type *entries, *exits;
	size_t entry_count, exit_count;
};

/* What plugins learn from the events of one file, over all its buffers. */
enum { CACHED_NAMES = 64 };

struct input_state {
	const struct tdat_file *file;
	uint64_t memory_failures; /* of the file, when the iterator was made */
	struct learned_tasks learn;
	const struct model_symbols *symbols; /* NULL until a function event needs them */
	bool maybe[256];                     /* by id & 255: one of events may have it */
	struct plugin_event {
		uint32_t id;
		struct learned_tasks_format learn;
		struct func_stack_format func;
	} *events;
	size_t event_count;

	struct cached_name {
		struct tdat_span comm; /* ptr NULL: nothing is here */
		int32_t pid;
		size_t learned;        /* learn.count at the time */
	} known[CACHED_NAMES];
};

struct iter_queue {
	uint32_t input, buffer;
	const struct tdat_file *file;
	struct read_clock clock;
	struct file_common common;
	bool usual_common;         /* it is FILE_COMMON_USUAL */
	struct graph_facts graph;

	struct read_stream *streams;
	struct read_ahead *ahead;  /* for each stream, or NULL: nothing is inflated ahead */
	size_t stream_count;
	struct tdat_heap heap;    /* heads of the streams that are given out */
	struct input_state *state;
	bool *unwanted;            /* streams outside the CPU list, read but not given; NULL: none */

	struct select_input *select; /* NULL: all events are wanted */
	bool early;                /* records that are not wanted do not even reach the heap */

	bool full;                 /* ev holds the queue's next event */
	bool done;
	struct tdat_event ev;
	struct read_block *held;   /* blocks that ev's bytes may lie in */
};

struct tdat_iter {
	struct iter_queue *queues;
	size_t queue_count;
	struct tdat_iter_opts opts;
	uint32_t *cpus;
	size_t given;              /* queue whose event was given last; queue_count: none */
	struct tdat_event out;
	struct input_state *inputs;
	size_t input_count;
	struct read_select *select; /* NULL: no filter */
	struct read_block *held;   /* blocks of the leaf given out */
	struct tdat_stream_damage *damage;
	struct dat_inflater inflater; /* of all streams */

	/* Blocks that the last event needed go here instead of being put; NULL: put. */
	void (*release)(void *ctx, struct read_block *b);
	void *release_ctx;

	/* The naming thread's: not in a cache line of the taking one's. */
	_Alignas(64) struct func_stack stack;
	uint64_t place;            /* events named so far */
};

/* Blocks of a list that nobody needs any more. */
static inline void read_iter_release(struct tdat_iter *it, struct read_block **list)
{
	struct read_block *b;

	while ((b = *list)) {
		*list = b->next;
		if (it->release)
			it->release(it->release_ctx, b);
		else
			read_block_put(b);
	}
}

/* Puts the first record of each stream at its head, and those into the heap. */
enum tdat_status iter_queue_start(const struct tdat_iter *it, struct iter_queue *l,
				 struct tdat_error *err);

/*
 * tdat_iter_next in two steps. Take puts the next event, its names left out, into
 * the caller's; *more is false at the end. Name adds the task's name and what
 * plugins remember, and wants the events in the order they were taken in. Another
 * thread may name while one takes, unless a filter asks for names.
 */
enum tdat_status read_iter_take(struct tdat_iter *it, struct tdat_event *out, bool *more,
				struct tdat_error *err);
void read_iter_name(struct tdat_iter *it, struct tdat_event *ev);
void read_iter_name_some(struct tdat_iter *it, struct tdat_event *events, size_t count);

/*
 * Up to most times read_iter_take, with release set, which gets the blocks that these
 * events lie in; *count events, 0 at the end.
 */
enum tdat_status read_iter_take_some(struct tdat_iter *it, struct tdat_event *out, size_t most,
				     size_t *count, struct tdat_error *err);
bool read_iter_can_name_later(const struct tdat_iter *it);

/*
 * Any thread, while another one takes: inflates one chunk that will be needed soon.
 * False: there is nothing to do.
 */
bool read_iter_ahead(struct tdat_iter *it, struct dat_inflater *inflater);

/* TDAT_E_NOMEM when formats or names of an input could not be made since it was made. */
enum tdat_status read_iter_memory(const struct tdat_iter *it, struct tdat_error *err);

#endif
