/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Events of an iterator into bytes of some output format, on
 * several threads, in order. The output does not depend on the threads.
 */
#ifndef TDAT_SINK_H
#define TDAT_SINK_H

#include <tdat/iter.h>
#include <tdat/print.h>

TDAT_BEGIN_DECLS

/* Where a sink puts its bytes; opaque. */
struct tdat_build;

/* tdat_text_append adds len bytes. Failure (no memory) is noticed by tdat_pump. */
TDAT_API void tdat_text_append(struct tdat_build *out, const void *ptr, size_t len);

/* tdat_text_len counts the bytes put so far. */
TDAT_API size_t tdat_text_len(const struct tdat_build *out);

/* Events that follow each other in merged order. */
struct tdat_batch {
	const struct tdat_event *events;
	size_t count;                    /* at least 1 */
	const struct tdat_event *before; /* the event before the first (its record is no
					  * longer there), or NULL at the start */
	size_t text_most;                /* of the sink's output: see batch below */
};

/* A sink: makes bytes of batches of events. */
struct tdat_sink_ops {
	/* open makes *worker, what one thread needs; close frees it. */
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
	 * Whether one thread must see all events, in order: what prints them keeps state
	 * from event to event. Asked once, before open. NULL: any thread may see any event.
	 */
	bool (*in_order)(void *ctx);
};

/*
 * Receives the output in order, one call at a time, from any thread. A failure
 * ends tdat_pump with its status; TDAT_E_CANCELLED is the polite one.
 */
typedef enum tdat_status (*tdat_write_fn)(void *ctx, const void *data, size_t len,
					  struct tdat_error *err);

struct tdat_pump_opts {
	size_t size;          /* sizeof(struct tdat_pump_opts) */
	uint32_t threads;     /* 0: one per online CPU */
	uint64_t limit;       /* events at most; 0: all */
};

#define TDAT_PUMP_OPTS_INIT { sizeof(struct tdat_pump_opts), 0, 0 }

/*
 * tdat_pump reads iter to its end through the sink. opts may be NULL. A sink whose in_order
 * says so gets one thread, whatever opts ask for. A sink that leaves events without a reason
 * is TDAT_E_USAGE.
 */
TDAT_API enum tdat_status tdat_pump(struct tdat_iter *iter, const struct tdat_sink_ops *sink,
				    void *ctx, const struct tdat_pump_opts *opts,
				    tdat_write_fn write, void *write_ctx, struct tdat_error *err);

TDAT_END_DECLS
#endif
