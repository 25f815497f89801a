/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Explanations of times of tasks: intervals, their segments, and causes. */
#ifndef SUMMARY_WHY_H
#define SUMMARY_WHY_H

#include "core/byte_set.h"
#include "summary.h"

/* An interval with the places of what it has. */
struct why_interval {
	struct tdat_why_interval facts;
	int64_t covered; /* up to here */
	int32_t of_pid;
	uint32_t task[3]; /* of_pid, buffer and file */
	uint32_t open;	  /* why nothing is known from covered on; 0: it is not said */
	uint32_t comm;
	int64_t of_ts;
	bool many_names, ended;
};

/* A segment, whose texts are numbers of a set: 0: null. */
struct why_segment {
	int64_t ts, dur;
	uint32_t depth, interval;
	int32_t pid, by_pid;
	int64_t cpu;
	bool has_by;
	uint32_t comm, kind, by_comm, what, state, buffer, file;
};

struct why_link {
	uint32_t kind, by_comm, what;
	int32_t by_pid;
};

/* A cause: the sum of ends that have the same interval, kind, task, and links. */
struct why_cause {
	struct why_link end;
	uint32_t interval;
	bool has_by, many;
	int64_t dur, longest;  /* longest: of one end, which gives what */
	uint64_t count, state; /* state: the last one that was counted */
	size_t order;
	size_t via, via_count; /* among all links */
};

struct why {
	struct tdat_summary s;
	struct tdat_why_opts opts;
	struct tdat_explain explain;
	struct tdat_byte_set texts, keys, tasks;
	struct tdat_build scratch;
	/* Numbers of kinds, and of a state. */
	uint32_t running, runnable, migration, unknown, dead;

	struct why_interval *intervals;
	size_t interval_count, interval_cap;
	struct why_segment *segments; /* of all intervals, in the order in which they came */
	size_t segment_count, segment_cap;
	size_t state; /* where the state of depth 0 that comes begins */
	uint64_t state_count;
	uint32_t last_task[3]; /* of the state before */
	int64_t last_ts;
	struct why_cause *causes;
	size_t cause_count, cause_cap;
	struct why_link *links;
	size_t link_count, link_cap;
	bool skips;			   /* the state that comes has no interval */
	uint64_t segments_out, causes_out; /* for which there was no room */

	/* With texts, by interval. */
	struct tdat_why_segment *out_segments;
	struct tdat_why_cause *out_causes;
	struct tdat_why_link *out_links;
};

bool why_json(const struct tdat_summary *s, struct tdat_json *j);

#endif
