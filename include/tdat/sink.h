/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes bytes of some output format of the events of an iterator, in order and on several
 * threads. The output does not depend on the number of threads.
 *
 * Threads: tdat_pump uses the calling thread and up to threads - 1 further ones, which have
 * ended when it returns. The iterator must not be used otherwise meanwhile. open, close and
 * in_order are called on the calling thread. batch is called on several threads at once, but
 * never twice at once for the same worker. write is called on any of the threads, one call at
 * a time. None of these functions may use the iterator.
 *
 * Owners: all arguments stay the caller's. Events of a batch are valid while batch runs.
 */
#ifndef TDAT_SINK_H
#define TDAT_SINK_H

#include <tdat/iter.h>
#include <tdat/print.h>

TDAT_BEGIN_DECLS

/* The buffer that a sink appends its bytes to; it belongs to tdat_pump. */
struct tdat_build;

/* tdat_text_append appends len bytes. If there is no memory for them, tdat_pump fails. */
TDAT_API void tdat_text_append(struct tdat_build *out, const void *ptr, size_t len);

/* tdat_text_len is the number of bytes in the buffer. */
TDAT_API size_t tdat_text_len(const struct tdat_build *out);

/* Events that follow each other in merged order. */
struct tdat_batch {
	const struct tdat_event *events;
	size_t count;			 /* at least 1 */
	const struct tdat_event *before; /* the event before the first (its record is no
					  * longer there), or NULL at the start */
	size_t text_most;		 /* bytes of output at which batch stops: see below */
};

/* The functions of a sink, which makes bytes of batches of events. */
struct tdat_sink_ops {
	size_t size; /* sizeof(struct tdat_sink_ops) */
	/* open makes *worker, the state that one thread needs; close frees it. */
	enum tdat_status (*open)(void *ctx, void **worker, struct tdat_error *err);
	void (*close)(void *worker);
	/*
	 * batch appends the bytes of the batch's events, which must depend on nothing but
	 * these events and the one before them. *done, 0 at first, counts the events whose
	 * bytes are in out. It stops early only with a failure, or behind an event with
	 * which out is text_most bytes long or longer: then the rest is given again.
	 */
	enum tdat_status (*batch)(void *worker, const struct tdat_batch *batch, size_t *done,
				  struct tdat_build *out, struct tdat_error *err);
	/*
	 * Optional: in_order tells whether one thread must see all events, in order, since the
	 * sink keeps state from event to event. It is called once, before open. Where it is
	 * missing or NULL, any thread may get any batch.
	 */
	bool (*in_order)(void *ctx);
};

/*
 * Gets the output in order. When it returns a failure, tdat_pump ends with that status and
 * *err; TDAT_E_CANCELLED is meant for callers that have had enough.
 */
typedef enum tdat_status (*tdat_write_fn)(void *ctx, const void *data, size_t len,
					  struct tdat_error *err);

struct tdat_pump_opts {
	size_t size;	  /* sizeof(struct tdat_pump_opts) */
	uint32_t threads; /* 0: one per online CPU */
	uint64_t limit;	  /* events at most; 0: all */
	uint64_t *events; /* becomes how many the sink took, also after a failure; may be NULL */
};

#define TDAT_PUMP_OPTS_INIT TDAT_SIZED(struct tdat_pump_opts)

/*
 * tdat_pump hands all events of iter to the sink, and the sink's bytes to write. opts may be
 * NULL. A sink whose in_order returns true gets one thread, whatever opts ask for. A sink that
 * stops before the end of a batch without a reason is TDAT_E_USAGE, as is one whose size is too
 * small for its required members.
 */
TDAT_API enum tdat_status tdat_pump(struct tdat_iter *iter, const struct tdat_sink_ops *sink,
				    void *ctx, const struct tdat_pump_opts *opts,
				    tdat_write_fn write, void *write_ctx, struct tdat_error *err);

TDAT_END_DECLS
#endif
