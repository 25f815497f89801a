/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes selected events of a trace.dat to one or several files.
 *
 * Each call of tdat_split_next fills one unused writer with the next piece. A piece contains
 * everything that tdat_writer_copy copies, but only the selected events in its part of the trace.
 * These events keep their timestamps as stored in the file, and their payloads. If events were
 * dropped before an event that is not selected, the piece marks them as dropped before the next
 * selected event of the same CPU. Pages whose events are all selected are copied unchanged.
 *
 * Threads: a tdat_split belongs to one thread at a time. Other threads may read the file, or split
 * it with another tdat_split, at the same time. The progress function runs on the thread that
 * called tdat_split_next; it must not call functions of the split or the writer.
 *
 * Owners: the caller frees a tdat_split. The file and the filter must outlive it, and the file must
 * stay open until each filled writer is finished. Names and arrays in the options are needed only
 * during tdat_split_new.
 */
#ifndef TDAT_SPLIT_H
#define TDAT_SPLIT_H

#include <tdat/iter.h>
#include <tdat/writer.h>

TDAT_BEGIN_DECLS

struct tdat_split;

/* The unit of the member count of tdat_split_opts. */
enum tdat_split_unit {
	TDAT_SPLIT_ALL = 0, /* no unit: all events are one piece */
	TDAT_SPLIT_NS = 1,  /* nanoseconds since the first event of a piece, inclusive */
	TDAT_SPLIT_EVENTS = 2,
	TDAT_SPLIT_PAGES = 3 /* pages of each CPU that contain selected events */
};

/* A buffer to keep, and its name in the pieces; "": the top-level buffer. */
struct tdat_split_buffer {
	const char *name;
	const char *as;
};

struct tdat_split_opts {
	size_t size;			  /* sizeof(struct tdat_split_opts) */
	const struct tdat_filter *filter; /* NULL: all events; must outlive the tdat_split */
	const uint32_t *cpus;		  /* NULL: all CPUs; else cpu_count numbers */
	size_t cpu_count;
	/*
	 * NULL: all buffers, with their names. If the filter names buffers, only events of those of
	 * these buffers are written.
	 */
	const struct tdat_split_buffer *buffers;
	size_t buffer_count;
	enum tdat_split_unit unit;
	uint64_t count; /* units in a piece, at least 1 */
	bool per_cpu;	/* count applies to each CPU, not to each buffer */
	/*
	 * Omit formats, symbols, printk formats and names of tasks to which no event of the piece
	 * refers. Every address that an event contains, or that is needed to print it, is a
	 * reference. The events of the piece are printed in the same way as without shrink.
	 */
	bool shrink;
};

#define TDAT_SPLIT_OPTS_INIT TDAT_SIZED(struct tdat_split_opts)

/*
 * tdat_split_new prepares a split of file, which must outlive it. Times in the filter are the times
 * that tdat dump prints. A file with the lines of a latency tracer instead of events, and pages of
 * kernels up to 2.6.30, are TDAT_E_UNSUPPORTED.
 */
TDAT_API enum tdat_status tdat_split_new(struct tdat_split **out, struct tdat_file *file,
					 const struct tdat_split_opts *opts,
					 struct tdat_error *err);

/* tdat_split_free frees a tdat_split; the caller still owns filled writers. NULL is allowed. */
TDAT_API void tdat_split_free(struct tdat_split *split);

/*
 * tdat_split_next fills an unused writer with the next piece; call tdat_writer_finish next. *more
 * is true if events are left for another piece. If no event is selected, there is one piece,
 * without events. After a failure, only free the writer.
 */
TDAT_API enum tdat_status tdat_split_next(struct tdat_split *split, struct tdat_writer *writer,
					  bool *more, struct tdat_error *err);

/* tdat_split_on_progress sets a function that is called from time to time with the progress. */
TDAT_API void tdat_split_on_progress(struct tdat_split *split, tdat_progress_fn fn, void *ctx);

/* tdat_split_damage lists the CPUs with damaged data so far; borrowed until its next call. */
TDAT_API const struct tdat_stream_damage *tdat_split_damage(struct tdat_split *split,
							    size_t *count);

TDAT_END_DECLS
#endif
