/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes chosen events of a trace.dat to one file, or to several.
 *
 * Each call of tdat_split_next fills one fresh writer with the next piece: all
 * that tdat_writer_copy copies, but of the events only those that are wanted and
 * belong to the piece. Events keep their time stamps as the file has them, and
 * their payload byte for byte. Events lost before one that is left out count as
 * lost before the next one of its CPU that is kept. Pages of which all events are
 * kept are copied as they are.
 *
 * Threads: a tdat_split belongs to one thread at a time. Other threads may read the file, or
 * split it by another tdat_split, at the same time. The progress function is called on the
 * thread that called tdat_split_next; it must not call functions of the split or the writer.
 *
 * Owners: a tdat_split is the caller's to free. The file and the filter must outlive it, and
 * the file must stay open until each writer that was filled is finished. Names and arrays of
 * the options are needed only during tdat_split_new.
 */
#ifndef TDAT_SPLIT_H
#define TDAT_SPLIT_H

#include <tdat/iter.h>
#include <tdat/writer.h>

TDAT_BEGIN_DECLS

struct tdat_split;

/* What the member count of tdat_split_opts counts. */
enum tdat_split_unit {
	TDAT_SPLIT_ALL = 0, /* nothing: all events are one piece */
	TDAT_SPLIT_NS = 1,  /* nanoseconds from the first event of a piece, the last included */
	TDAT_SPLIT_EVENTS = 2,
	TDAT_SPLIT_PAGES = 3 /* pages of each CPU that hold wanted events */
};

/* A buffer to keep, and what it is called in the pieces; "": the top buffer. */
struct tdat_split_buffer {
	const char *name;
	const char *as;
};

struct tdat_split_opts {
	size_t size;			  /* sizeof(struct tdat_split_opts) */
	const struct tdat_filter *filter; /* NULL: all events; must outlive the tdat_split */
	const uint32_t *cpus;		  /* NULL: all CPUs; else cpu_count numbers */
	size_t cpu_count;
	/* NULL: all buffers as they are. The filter's buffers choose among them. */
	const struct tdat_split_buffer *buffers;
	size_t buffer_count;
	enum tdat_split_unit unit;
	uint64_t count; /* of units in a piece, at least 1 */
	bool per_cpu;	/* counted for each CPU, not for each buffer */
	/*
	 * Formats, symbols, printk formats and names of tasks that no event of the piece
	 * refers to are left out. A reference is any address in the bytes of an event,
	 * and any that its text needs. The piece prints as it would with all of them.
	 */
	bool shrink;
};

#define TDAT_SPLIT_OPTS_INIT TDAT_SIZED(struct tdat_split_opts)

/*
 * tdat_split_new prepares splitting file, which must outlive it. Times of the
 * filter are as tdat dump shows them. Text of a latency tracer, which has no events,
 * and pages of kernels up to 2.6.30 are TDAT_E_UNSUPPORTED.
 */
TDAT_API enum tdat_status tdat_split_new(struct tdat_split **out, struct tdat_file *file,
					 const struct tdat_split_opts *opts,
					 struct tdat_error *err);

/* tdat_split_free frees a tdat_split; writers that it filled stay the caller's. NULL is allowed. */
TDAT_API void tdat_split_free(struct tdat_split *split);

/*
 * tdat_split_next fills a fresh writer with the next piece; call tdat_writer_finish next.
 * *more tells whether events are left for a further piece. If no event is wanted at all,
 * there is one piece, without events. After a failure the writer can only be freed.
 */
TDAT_API enum tdat_status tdat_split_next(struct tdat_split *split, struct tdat_writer *writer,
					  bool *more, struct tdat_error *err);

/* tdat_split_on_progress sets a function that is called now and then with how much was read. */
TDAT_API void tdat_split_on_progress(struct tdat_split *split, tdat_progress_fn fn, void *ctx);

/* tdat_split_damage lists the CPUs whose data was damaged so far; borrowed until its next call. */
TDAT_API const struct tdat_stream_damage *tdat_split_damage(struct tdat_split *split,
							    size_t *count);

TDAT_END_DECLS
#endif
