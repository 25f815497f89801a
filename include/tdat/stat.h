/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counts the events of whole files by event type, task and CPU, and finds dropped events and gaps
 * without events.
 *
 * Each CPU of each buffer is read by itself, without sorting events of different CPUs. Several
 * threads read several CPUs at the same time.
 *
 * Threads: tdat_stat_new uses the calling thread and up to threads - 1 others, which end before it
 * returns; other threads may use the files meanwhile. Afterwards a tdat_stat never changes, and
 * several threads may read it at the same time.
 *
 * Owners: the caller frees a tdat_stat. Getters return borrowed pointers, valid until then.
 */
#ifndef TDAT_STAT_H
#define TDAT_STAT_H

#include <tdat/iter.h>

TDAT_BEGIN_DECLS

struct tdat_stat;

struct tdat_stat_opts {
	size_t size;			   /* sizeof(struct tdat_stat_opts) */
	const struct tdat_iter_opts *iter; /* CPUs, filter, unit of times; NULL: defaults */
	uint32_t threads;		   /* 0: one per online CPU */
};

#define TDAT_STAT_OPTS_INIT TDAT_SIZED(struct tdat_stat_opts)

/* The data of one CPU in a buffer. */
struct tdat_stat_stream {
	uint32_t input, buffer, cpu;
	uint64_t len; /* bytes in the file */
	uint64_t event_count;
	uint64_t first_ts, last_ts; /* if event_count is not 0 */
	uint64_t lost_count;	    /* events known to be lost */
	uint64_t lost_marks;	    /* losses of unknown size */
	uint64_t bad_pages;
	uint64_t losses;      /* events directly after a loss: rows of the table lost */
	const uint64_t *bins; /* events over time, see tdat_stat_bins() */
};

struct tdat_stat_event {
	uint32_t input;
	uint32_t id;
	uint64_t count;
};

struct tdat_stat_task {
	uint32_t input;
	int32_t pid;
	uint64_t count;
};

/* A period without events on one CPU of a buffer, between two of its events. */
struct tdat_stat_gap {
	uint32_t input, buffer, cpu;
	uint64_t from, to;
	bool lost; /* events were lost during the gap */
};

enum { TDAT_STAT_GAPS = 10 }; /* maximum number of gaps */

/*
 * tdat_stat_new counts the events of input_count inputs. opts may be NULL; inputs and opts are
 * needed only during the call. It fails for the same reasons as tdat_iter_new and tdat_iter_next.
 */
TDAT_API enum tdat_status tdat_stat_new(struct tdat_stat **out,
					const struct tdat_iter_input *inputs, size_t input_count,
					const struct tdat_stat_opts *opts, struct tdat_error *err);

/* tdat_stat_free frees the counts and everything that their getters returned. NULL is allowed. */
TDAT_API void tdat_stat_free(struct tdat_stat *st);

/* tdat_stat_streams returns the counts of each CPU in each buffer, by input, buffer and CPU. */
TDAT_API const struct tdat_stat_stream *tdat_stat_streams(const struct tdat_stat *st,
							  size_t *count);
/*
 * tdat_stat_events returns the event types that have events, and tdat_stat_tasks the tasks that
 * have events, those with the most events first.
 */
TDAT_API const struct tdat_stat_event *tdat_stat_events(const struct tdat_stat *st, size_t *count);
TDAT_API const struct tdat_stat_task *tdat_stat_tasks(const struct tdat_stat *st, size_t *count);
/* tdat_stat_gaps returns the longest gaps, at most TDAT_STAT_GAPS, the longest first. */
TDAT_API const struct tdat_stat_gap *tdat_stat_gaps(const struct tdat_stat *st, size_t *count);

/*
 * tdat_stat_bins returns the number of bins of each stream. *start is the start of the first bin
 * and *width the length of a bin, both in the unit of the timestamps.
 */
TDAT_API size_t tdat_stat_bins(const struct tdat_stat *st, uint64_t *start, uint64_t *width);

TDAT_END_DECLS
#endif
