/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a trace that is looked at consists of: recordings, which are buffers of files, and lanes,
 * which are the CPUs of recordings.
 *
 * Threads: a view_trace does not change after it was made, and is shared by all threads.
 */
#ifndef VIEW_DATA_TRACE_H
#define VIEW_DATA_TRACE_H

#include <tdat/print.h>
#include <tdat/table.h>

#include "core/task_groups.h"

/* One CPU of a recording. */
struct view_lane {
	uint32_t rec, cpu;
	uint64_t len;	      /* stored bytes */
	uint64_t missing_len; /* as in struct tdat_cpu */
	bool has_events;
	bool lost_end; /* as in struct tdat_cpu_summary */
	uint64_t first_ts, last_ts;
};

/* One buffer of one file. */
struct view_rec {
	uint32_t input, buffer;
	const char *name, *clock;
	char *pattern; /* what chooses the buffer in a filter; NULL: the file has no other */
	size_t first_lane, lane_count;
	bool lost_cpus; /* a damaged file lost the data of further CPUs */
	uint64_t to;	/* the last event of its file: what is open then is not known to go on */
};

struct view_trace {
	const struct tdat_iter_input *inputs; /* borrowed */
	struct tdat_task_groups *groups;      /* by input */
	size_t input_count;
	struct tdat_printer *printer; /* others share it; it prints nothing itself */
	struct tdat_trace *tables;
	struct tdat_trace **by_input; /* of each file by itself, for derived tables */
	struct view_rec *recs;
	size_t rec_count, rec_cap;
	uint32_t *first_rec; /* by input: recordings are in the order of inputs, then of buffers */
	struct view_lane *lanes;
	const struct view_lane **by_cpu; /* those of each recording by number of the CPU */
	size_t lane_count, lane_cap;
	bool ns;    /* times are nanoseconds, else ticks */
	bool date;  /* since 1970 */
	bool empty; /* no event */
	uint64_t from, to;
};

/*
 * Takes events in order and returns how many of them it took: all, or fewer when it wants no more.
 */
typedef size_t (*view_take_fn)(void *ctx, const struct tdat_event *events, size_t count);

/* Makes a trace of files; the inputs must outlive it. It is freed with view_trace_free. */
enum tdat_status view_trace_new(struct view_trace **out, const struct tdat_iter_input *inputs,
				size_t input_count, struct tdat_error *err);
void view_trace_free(struct view_trace *t);

/* Returns the lane of a CPU, or NULL. */
const struct view_lane *view_trace_lane(const struct view_trace *t, uint64_t rec, uint64_t cpu);

/* Returns the recording of an event, which always has one. */
uint32_t view_trace_rec(const struct view_trace *t, uint32_t input, uint32_t buffer);

#endif
