/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Merges the events of all buffers of all inputs as trace-cmd report does: each buffer has a
 * queue, whose head is the event it would give next. The earliest head goes first, and of
 * equal ones that of the first queue.
 */
#ifndef TDAT_READ_ITER_H
#define TDAT_READ_ITER_H

#include <tdat/iter.h>

#include "model/func_stack.h"
#include "model/learned_tasks.h"
#include "core/heap.h"
#include "back.h"
#include "cpu_list.h"
#include "select.h"
#include "moments.h"
#include "stream.h"
#include "take.h"

/* A type of function_graph event: merged files may have several. */
struct graph_type {
	uint32_t id;
	uint32_t order; /* place among the formats of the file */
	const struct tdat_field *func;
};

/* Types by id; of equal ids the first format comes first. */
struct graph_types {
	struct graph_type *list;
	size_t count;
};

/* The function_graph types of a file; without any entry type no events are folded. */
struct graph_facts {
	struct graph_types entries, exits;
};

/* What plugins learn from the events of one file, over all its buffers. */
enum { CACHED_NAMES = 64 };

struct input_state {
	const struct tdat_file *file;
	uint64_t memory_failures; /* of the file, when the iterator was made */
	struct learned_tasks learn;
	const struct model_symbols *symbols; /* NULL until a function event needs them */
	bool maybe[256];		     /* by id & 255: one of events may have it */
	/* By id; of equal ids the first format comes first. */
	struct plugin_event {
		uint32_t id, order;
		struct learned_tasks_format learn;
		struct func_stack_format func;
	} * events;
	size_t event_count, event_cap;
	struct read_moments moments;
	uint64_t shift;		  /* what the clock adds to stamps of the ring buffer */
	struct graph_facts graph; /* it owns the lists, its queues borrow them */
	struct file_common common;

	struct cached_name {
		struct tdat_span comm; /* ptr NULL: nothing is here */
		int32_t pid;
		size_t learned; /* learn.count at the time */
	} known[CACHED_NAMES];
};

struct iter_queue {
	uint32_t input, buffer;
	const struct tdat_file *file;
	struct read_clock clock;
	struct file_common common;
	bool usual_common; /* it is FILE_COMMON_USUAL */
	struct graph_facts graph;

	struct read_stream *streams;
	struct read_back *backs;  /* for each stream, or NULL: they are read forward */
	struct read_ahead *ahead; /* for each stream, or NULL: nothing is inflated ahead */
	size_t stream_count;
	struct tdat_heap heap; /* heads of the streams that are given out */
	struct input_state *state;
	bool *unwanted; /* by stream: its events are read, not given out; NULL: none */

	struct select_input *select; /* NULL: all events are wanted */
	bool early;		     /* unwanted records are dropped before they reach the heap */

	bool full; /* ev holds the queue's next event */
	bool done;
	struct tdat_event ev;
	struct read_block *held; /* blocks that ev's bytes may lie in */
};

struct tdat_iter {
	struct iter_queue *queues;
	size_t queue_count;
	struct tdat_iter_opts opts;
	struct read_cpus cpus;
	struct read_iter_extra extra;
	struct tdat_filter *own_filter; /* made for extra.ids; or NULL */
	size_t given;			/* queue whose event was given last; queue_count: none */
	struct tdat_event out;
	struct input_state *inputs;
	struct tdat_iter_input *in; /* the same ones as the caller gave them */
	size_t input_count;
	struct tdat_file *own_file; /* of tdat_iter_open; NULL: all files are the caller's */
	struct read_select *select; /* NULL: no filter */
	struct read_block *held;    /* blocks of the leaf given out */
	struct tdat_stream_damage *damage;
	struct dat_inflater inflater; /* of all streams */

	/* Gets the blocks that the last event needed; NULL: their references are put. */
	void (*release)(void *ctx, struct read_block *b);
	void *release_ctx;

	/* The members below are for the thread that names, in a cache line of their own. */
	_Alignas(64) struct func_stack stack;
	uint64_t serial; /* events named so far */
};

/* Lets go of the blocks in a list, whose records are no longer needed. */
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
 * Inflates one chunk that will be needed soon; any thread may call it while another one takes
 * events. False: no chunk is wanted.
 */
bool read_iter_ahead(struct tdat_iter *it, struct dat_inflater *inflater);

/*
 * TDAT_E_NOMEM if, since the iterator was made, formats or names of an input could not be made
 * for want of memory.
 */
enum tdat_status read_iter_memory(const struct tdat_iter *it, struct tdat_error *err);

#endif
