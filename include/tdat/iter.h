/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The events of one or several files in order of time.
 *
 * Events are sorted by timestamp. Events with the same timestamp are sorted by buffer: first the
 * top-level buffers of all inputs, then the buffer instances, each in the order of the inputs.
 * Events with the same timestamp and buffer are sorted by CPU. With reverse, the whole order is
 * reversed. Events of one CPU in one buffer keep their order in the file, even if their timestamps
 * decrease.
 *
 * Threads: an iterator belongs to one thread at a time. Several iterators on several threads may
 * read the same tdat_file at the same time.
 *
 * Owners: the caller frees an iterator before it closes the files and frees the filter. Events
 * belong to the iterator and are valid until its next call.
 */
#ifndef TDAT_ITER_H
#define TDAT_ITER_H

#include <tdat/file.h>
#include <tdat/filter.h>

TDAT_BEGIN_DECLS

struct tdat_iter;

#define TDAT_LOST_UNKNOWN (-1)

enum tdat_event_flags {
	TDAT_EVENT_PAGE_START = 1u << 0 /* the first record of its sub-buffer */
};

struct tdat_event {
	uint64_t ts;	 /* ns if the clock's unit is known, else clock ticks; includes offsets */
	uint32_t input;	 /* index of the file among the iterator's inputs */
	uint32_t buffer; /* index into tdat_file_buffers() of that file */
	uint32_t cpu;
	uint32_t id;		      /* common_type */
	int32_t pid;		      /* common_pid */
	int64_t lost_before;	      /* number of events lost on this CPU directly before this
				       * event; TDAT_LOST_UNKNOWN; or 0 */
	struct tdat_span record;      /* the payload, including common fields */
	struct tdat_span comm;	      /* name of pid, as returned by tdat_file_comm(); "<idle>" for
				       * pid 0, "<...>" if unknown */
	struct tdat_span leaf;	      /* plugin_state: payload of the folded funcgraph_exit */
	uint64_t off;		      /* file offset of the record, or of its compressed chunk */
	const struct tdat_file *file; /* the file of the event */
	uint32_t flags;		      /* enum tdat_event_flags */
	uint32_t depth;		      /* plugin_state: call depth of a function event */
};

/* tdat_event_format_of returns the format of an event, or NULL if no valid format exists. */
TDAT_API const struct tdat_event_format *tdat_event_format_of(const struct tdat_event *event);

/*
 * tdat_event_i64 reads an integer field of an event by name, like tdat_field_i64. TDAT_E_NOT_FOUND:
 * the event lacks the field. It is faster to find the field once with tdat_event_format_field, if
 * it is read from many events.
 */
TDAT_API enum tdat_status tdat_event_i64(const struct tdat_event *event, const char *name,
					 int64_t *out, struct tdat_error *err);

struct tdat_iter_input {
	struct tdat_file *file; /* borrowed; must outlive the iterator */
	int64_t ts_offset;	/* added to every timestamp */
	uint64_t ts2secs;	/* nonzero: clock ticks per second, to convert to ns */
};

struct tdat_iter_opts {
	size_t size;	      /* sizeof(struct tdat_iter_opts) */
	const uint32_t *cpus; /* NULL: all CPUs; else cpu_count numbers */
	size_t cpu_count;
	bool raw_ts;  /* timestamps as stored in the ring buffer (--raw-ts) */
	bool no_date; /* ignore the DATE option (--nodate) */
	/*
	 * Keep state between events, like the event plugins of trace-cmd report: return a
	 * funcgraph_exit of a leaf function as part of its entry event (leaf), and compute the
	 * depth of function events.
	 */
	bool plugin_state;
	bool top_only;			  /* omit buffer instances, as report --cpu does */
	const struct tdat_filter *filter; /* NULL: all events; must outlive the iterator */
	/*
	 * Behave like trace-cmd report where trace-cmd differs from the kernel. A task without a
	 * saved name gets the name in earlier sched events (none without plugin_state), instead of
	 * the name that tdat_file_comm() returns. Timestamps of clock uptime count as ns, not as
	 * 1/100 s.
	 */
	bool trace_cmd;
	/*
	 * Return only events from time from to time to, both included, in the unit of ts. If to is
	 * 0, there is no end. from > to is TDAT_E_USAGE. Pages outside this time are not read, so
	 * events may be missed if the timestamps of a CPU decrease.
	 */
	uint64_t from, to;
	/*
	 * NULL: all buffers; else only buffers with this name ("": the top-level buffer). The
	 * string must outlive the iterator.
	 */
	const char *buffer;
	/*
	 * Return the last event first. The iterator reads pages or compressed chunks from the end
	 * of each CPU, one at a time, so the last events of a large file are available immediately.
	 * TDAT_E_UNSUPPORTED: options that depend on earlier events (trace_cmd, plugin_state if the
	 * file has function events, a filter whose stacks are not TDAT_STACKS_EVENT), and a file
	 * with a compressed page that lies in two chunks.
	 */
	bool reverse;
	/* 0: events of all inputs; else only events of this input, counted from 1. */
	size_t only_input;
};

#define TDAT_ITER_OPTS_INIT TDAT_SIZED(struct tdat_iter_opts)

/*
 * tdat_iter_new creates an iterator over input_count inputs. opts may be NULL; the arrays of inputs
 * and CPUs are needed only during the call. TDAT_E_NOT_FOUND: no input has a name in the filter.
 */
TDAT_API enum tdat_status tdat_iter_new(struct tdat_iter **out,
					const struct tdat_iter_input *inputs, size_t input_count,
					const struct tdat_iter_opts *opts, struct tdat_error *err);

/*
 * tdat_iter_open creates an iterator over the file at path ("-": standard input). It opens the file
 * like tdat_file_open with opts NULL; tdat_iter_free closes the file. opts may be NULL.
 */
TDAT_API enum tdat_status tdat_iter_open(struct tdat_iter **out, const char *path,
					 const struct tdat_iter_opts *opts, struct tdat_error *err);

/*
 * tdat_iter_seek continues at time ts, in either direction: the next event is the first one at ts
 * or later that opts select (with reverse, the last one at ts or earlier). Each call searches the
 * pages or chunks of each CPU for the time, and resets the damage counts. After a failure, only
 * free the iterator.
 */
TDAT_API enum tdat_status tdat_iter_seek(struct tdat_iter *iter, uint64_t ts,
					 struct tdat_error *err);

/* tdat_iter_free frees an iterator and its events. NULL is allowed. */
TDAT_API void tdat_iter_free(struct tdat_iter *iter);

/*
 * tdat_iter_next sets *event to the next event, valid until the next call, or to NULL at the end.
 * It skips and counts damaged pages (tdat_iter_damage). The function fails only if memory runs out,
 * if reading the file fails, or if a decompression library fails.
 */
TDAT_API enum tdat_status tdat_iter_next(struct tdat_iter *iter, const struct tdat_event **event,
					 struct tdat_error *err);

/* The damage found so far in the data of one CPU in one buffer. */
struct tdat_stream_damage {
	uint32_t input, buffer, cpu;
	uint64_t bad_pages; /* pages with unread records or a wrong length */
	uint64_t off;	    /* file offset of the first bad page */
	char message[256];  /* the damage of that page */
};
/* tdat_iter_damage lists damaged streams; borrowed until the next call. */
TDAT_API const struct tdat_stream_damage *tdat_iter_damage(struct tdat_iter *iter, size_t *count);

TDAT_END_DECLS
#endif
