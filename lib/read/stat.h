/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares the parts of tdat_stat: pieces of streams, the counts of one thread, and their sums. */
#ifndef TDAT_READ_STAT_H
#define TDAT_READ_STAT_H

#include <stdatomic.h>

#include <tdat/stat.h>

#include "cpu_list.h"
#include "select.h"
#include "core/map.h"
#include "stream.h"

/*
 * The most bins of a stream; at least half of them cover time between first and last event. Where
 * there are many streams, fewer: those of all together are about STAT_BINS_ALL.
 */
enum { STAT_BINS = 1024, STAT_BINS_LEAST = 64, STAT_BINS_ALL = 1 << 20 };

struct stat_gap {
	uint64_t from, to;
	bool lost;
};

/* The largest gaps so far, not sorted. When v is full, least is the shortest of them. */
struct stat_gaps {
	struct stat_gap v[TDAT_STAT_GAPS];
	uint32_t count;
	uint64_t least;
};

/* A part of one stream, counted by one thread. */
struct stat_piece {
	size_t stream;
	struct tdat_cpu part;
	bool last; /* of its stream */
	uint64_t count, first_ts, last_ts;
	bool lost_first; /* events were lost before the first event */
	uint64_t lost_count, lost_marks, losses, bad_pages;
	struct stat_gaps gaps;
	struct tdat_error err;
	enum tdat_status status;
};

/* Counts by pid. */
struct stat_tasks {
	struct stat_task {
		int32_t pid;
		uint64_t count;
	} * v;
	size_t cap;
	struct tdat_map map;
};

struct stat_thread {
	struct tdat_stat *st;
	uint64_t **ids; /* by input: counts of 65536 ids */
	struct stat_tasks *tasks;
	uint64_t **bins; /* by stream */
	struct read_select *select;
	enum tdat_status status;
	struct tdat_error err;
};

struct tdat_stat {
	struct tdat_iter_opts iter;
	uint32_t threads;
	struct read_cpus cpus; /* that are asked for */
	const struct tdat_iter_input *inputs;
	size_t input_count;
	struct read_clock *clocks;   /* by stream */
	struct file_common *commons; /* by input */
	struct tdat_stat_stream *streams;
	size_t stream_count;
	struct stat_piece *pieces;
	size_t piece_count;
	uint64_t piece_len; /* bytes of a piece of plain data, about */
	atomic_size_t next; /* index of the first piece that no thread has taken */
	uint64_t start;	    /* of the first bin */
	uint32_t shift;	    /* a bin is 1 << shift wide */
	size_t bin_count;   /* of a stream */
	uint64_t **bins;    /* by stream; NULL: nothing was counted */
	struct tdat_stat_event *events;
	struct tdat_stat_task *tasks;
	struct tdat_stat_gap *gaps;
	size_t event_count, task_count, gap_count;
};

/* stat_count.c */
enum tdat_status stat_count_piece(struct stat_thread *t, struct stat_piece *p,
				  struct tdat_error *err);
void stat_gap_add(struct stat_gaps *g, struct stat_gap gap);
bool stat_task_add(struct stat_tasks *t, int32_t pid, uint64_t count);

/* stat_result.c: takes what the threads counted. */
enum tdat_status stat_result(struct tdat_stat *st, struct stat_thread *threads, size_t count,
			     struct tdat_error *err);

#endif
