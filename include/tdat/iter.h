/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The events of one or several files in order of time.
 *
 * Order: time stamp, then buffer (top buffers of all inputs first, then
 * instances, in input order), then CPU; backwards the reverse of that. The events of one CPU in one
 * buffer keep the order of the file, also where their times do not grow.
 *
 * Threads: an iterator belongs to one thread at a time. Several iterators may read the same
 * tdat_file on several threads at once.
 *
 * Owners: an iterator is the caller's to free, before its files are closed and its filter is
 * freed. Events belong to the iterator and are valid until its next call.
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
	uint64_t ts;	 /* ns, where it is known what the clock counts, else its
			  * ticks; offsets applied */
	uint32_t input;	 /* index of the file among the iterator's inputs */
	uint32_t buffer; /* index into tdat_file_buffers() of that file */
	uint32_t cpu;
	uint32_t id;		      /* common_type */
	int32_t pid;		      /* common_pid */
	int64_t lost_before;	      /* events lost on this CPU just before: count, or
				       * TDAT_LOST_UNKNOWN, or 0 */
	struct tdat_span record;      /* the payload, common fields included */
	struct tdat_span comm;	      /* name of pid, as tdat_file_comm() has it:
				       * "<idle>" of 0, "<...>" when unknown */
	struct tdat_span leaf;	      /* plugin_state: payload of the folded funcgraph_exit */
	uint64_t off;		      /* file offset of the record; in compressed data
				       * that of its chunk */
	const struct tdat_file *file; /* that the event is from */
	uint32_t flags;		      /* enum tdat_event_flags */
	uint32_t depth;		      /* plugin_state: call depth of a function event */
};

/* tdat_event_format_of is the format of an event; NULL without one that can be understood. */
TDAT_API const struct tdat_event_format *tdat_event_format_of(const struct tdat_event *event);

/*
 * tdat_event_i64 reads an integer field of an event by its name, as tdat_field_i64. An event
 * without such a field is TDAT_E_NOT_FOUND. To read a field of many events find it once
 * (tdat_event_format_field).
 */
TDAT_API enum tdat_status tdat_event_i64(const struct tdat_event *event, const char *name,
					 int64_t *out, struct tdat_error *err);

struct tdat_iter_input {
	struct tdat_file *file; /* borrowed; must outlive the iterator */
	int64_t ts_offset;	/* added to every time stamp */
	uint64_t ts2secs;	/* != 0: clock ticks per second, scales to ns */
};

struct tdat_iter_opts {
	size_t size;	      /* sizeof(struct tdat_iter_opts) */
	const uint32_t *cpus; /* NULL: all CPUs; else cpu_count numbers */
	size_t cpu_count;
	bool raw_ts;  /* ring-buffer stamps as they are (--raw-ts) */
	bool no_date; /* ignore the DATE option (--nodate) */
	/*
	 * Keep the state that report's event plugins keep from line to line: a leaf
	 * funcgraph_exit is folded into its entry, function events have a depth.
	 */
	bool plugin_state;
	bool top_only;			  /* leave out buffer instances, as report --cpu does */
	const struct tdat_filter *filter; /* NULL: all events; must outlive the iterator */
	/*
	 * As report, where it differs from the kernel: a task that has no saved name has the one
	 * that the sched events given out before teach, and without plugin_state none, instead of
	 * that of tdat_file_comm(); stamps of clock uptime are taken for ns, not for 1/100 s.
	 */
	bool trace_cmd;
	/*
	 * The times of the first and the last event wanted, both included, as events have them.
	 * to 0: no last one; from behind to is TDAT_E_USAGE. Pages outside are not read, so that
	 * events may be missed where the time of a CPU goes back.
	 */
	uint64_t from, to;
	/* NULL: all buffers; else only those of this name, "" the top one. It must outlive the
	 * iterator. */
	const char *buffer;
	/*
	 * The last event comes first. Pages, or compressed chunks, are read from the end of each
	 * CPU, one at a time, so that the last events of a large file are there at once. What
	 * depends on all events before is TDAT_E_UNSUPPORTED backwards: trace_cmd, plugin_state of
	 * files with function events, a filter that lets stacks pass with their events; so are
	 * compressed pages that lie in two chunks.
	 */
	bool reverse;
	/* 0: events of all inputs; else only those of this input, counted from 1. */
	size_t only_input;
};

#define TDAT_ITER_OPTS_INIT TDAT_SIZED(struct tdat_iter_opts)

/*
 * tdat_iter_new makes an iterator over input_count inputs. opts may be NULL; the arrays of
 * inputs and CPUs are needed only during the call. A name in the filter that no input knows is
 * TDAT_E_NOT_FOUND.
 */
TDAT_API enum tdat_status tdat_iter_new(struct tdat_iter **out,
					const struct tdat_iter_input *inputs, size_t input_count,
					const struct tdat_iter_opts *opts, struct tdat_error *err);

/*
 * tdat_iter_open makes an iterator over the file at path ("-": standard input), which it opens as
 * tdat_file_open does without options, and closes in tdat_iter_free. opts may be NULL.
 */
TDAT_API enum tdat_status tdat_iter_open(struct tdat_iter **out, const char *path,
					 const struct tdat_iter_opts *opts, struct tdat_error *err);

/*
 * tdat_iter_seek continues at a time, which may lie before or behind the present one: the next
 * event is the first one at ts or later (backwards: the last one at ts or earlier) that opts want.
 * An iterator over one CPU of one buffer is thus a cursor. It costs a search in each CPU's pages
 * or chunks. Damage is counted anew. After a failure the iterator can only be freed.
 */
TDAT_API enum tdat_status tdat_iter_seek(struct tdat_iter *iter, uint64_t ts,
					 struct tdat_error *err);

/* tdat_iter_free frees an iterator and the events that it gave. NULL is allowed. */
TDAT_API void tdat_iter_free(struct tdat_iter *iter);

/*
 * tdat_iter_next sets *event to the next event, valid until the next call, or
 * to NULL at the end. Damaged pages are skipped and counted (tdat_iter_damage). It fails
 * only for want of memory, or when reading or a decompression library fails.
 */
TDAT_API enum tdat_status tdat_iter_next(struct tdat_iter *iter, const struct tdat_event **event,
					 struct tdat_error *err);

/* What was damaged so far in the data of one CPU in one buffer. */
struct tdat_stream_damage {
	uint32_t input, buffer, cpu;
	uint64_t bad_pages; /* pages of which not all could be read, or not by what they say */
	uint64_t off;	    /* file offset of the first */
	char message[256];  /* what was wrong there */
};
/* tdat_iter_damage lists damaged streams; borrowed until the next call. */
TDAT_API const struct tdat_stream_damage *tdat_iter_damage(struct tdat_iter *iter, size_t *count);

TDAT_END_DECLS
#endif
