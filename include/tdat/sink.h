/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Converts the events of an iterator to bytes of an output format, in order and on several threads.
 * The output does not depend on the number of threads.
 *
 * Threads: tdat_pump uses the calling thread and up to threads - 1 others, which end before it
 * returns. Until tdat_pump returns, no other code may use the iterator; this includes the sink's
 * functions. open, close and in_order run on the calling thread. batch runs on several threads at
 * the same time, but never twice at the same time for one worker. write runs on any of the threads,
 * one call at a time.
 *
 * Owners: the caller keeps all arguments. Events of a batch are valid while batch runs.
 */
#ifndef TDAT_SINK_H
#define TDAT_SINK_H

#include <tdat/iter.h>
#include <tdat/print.h>

TDAT_BEGIN_DECLS

/* The buffer to which a sink appends its bytes; it belongs to tdat_pump. */
struct tdat_build;

/* tdat_text_append appends len bytes. If memory runs out, tdat_pump fails. */
TDAT_API void tdat_text_append(struct tdat_build *out, const void *ptr, size_t len);

/* tdat_text_len returns the number of bytes in the buffer. */
TDAT_API size_t tdat_text_len(const struct tdat_build *out);

/* Consecutive events in merged order. */
struct tdat_batch {
	const struct tdat_event *events;
	size_t count;			 /* at least 1 */
	const struct tdat_event *before; /* the event before the first one (without its record), or
					  * NULL at the start */
	size_t text_most;		 /* bytes of output at which batch stops: see below */
};

/* The functions of a sink, which converts batches of events to bytes. */
struct tdat_sink_ops {
	size_t size; /* sizeof(struct tdat_sink_ops) */
	/* open creates *worker, the state that one thread needs; close frees it. */
	enum tdat_status (*open)(void *ctx, void **worker, struct tdat_error *err);
	void (*close)(void *worker);
	/*
	 * batch appends the bytes of the batch's events. These bytes may depend only on the events
	 * of the batch and the event before them. batch sets *done, which is initially 0, to the
	 * number of events whose bytes are in out. batch must process all events of the batch, with
	 * two exceptions: after a failure, and after an event that makes out at least text_most
	 * bytes long. In the second case, a later call of batch gets the remaining events.
	 */
	enum tdat_status (*batch)(void *worker, const struct tdat_batch *batch, size_t *done,
				  struct tdat_build *out, struct tdat_error *err);
	/*
	 * Optional: in_order returns true if one thread must receive all events in order, because
	 * the sink keeps state between events. It is called once, before open. If the sink has no
	 * in_order, any thread may get any batch.
	 */
	bool (*in_order)(void *ctx);
};

/*
 * Receives the output in order. A failure ends tdat_pump with its status and *err; callers that
 * need no more output return TDAT_E_CANCELLED.
 */
typedef enum tdat_status (*tdat_write_fn)(void *ctx, const void *data, size_t len,
					  struct tdat_error *err);

struct tdat_pump_opts {
	size_t size;	  /* sizeof(struct tdat_pump_opts) */
	uint32_t threads; /* 0: one per online CPU */
	uint64_t limit;	  /* maximum number of events; 0: all */
	uint64_t *events; /* set to the number of events that the sink took, even after a failure;
			   * may be NULL */
};

#define TDAT_PUMP_OPTS_INIT TDAT_SIZED(struct tdat_pump_opts)

/*
 * tdat_pump passes all events of iter to the sink, and the sink's bytes to write. opts may be NULL.
 * If the sink's in_order returns true, only one thread is used. TDAT_E_USAGE: batch did not process
 * all events without one of the two exceptions above, or the sink's size does not include all
 * required members.
 */
TDAT_API enum tdat_status tdat_pump(struct tdat_iter *iter, const struct tdat_sink_ops *sink,
				    void *ctx, const struct tdat_pump_opts *opts,
				    tdat_write_fn write, void *write_ctx, struct tdat_error *err);

TDAT_END_DECLS
#endif
