/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The index of a trace: its time is cut into bins of equal length, and each lane has for each of
 * them how many events it recorded, which tasks ran how long, and what ran when it began. Its size
 * is bounded, whatever the size of the file.
 *
 * Threads: one thread makes the index of a lane; others read of it what is done meanwhile.
 */
#ifndef VIEW_DATA_INDEX_H
#define VIEW_DATA_INDEX_H

#include "read.h"
#include "sched.h"

/* The time that a task ran in a bin, and how many of its intervals on the CPU have a part in it. */
struct view_part {
	uint32_t task, count;
	uint64_t time;
};

enum { VIEW_SUB_SHIFT = 4, VIEW_SUBS = 1 << VIEW_SUB_SHIFT };

struct view_bin {
	uint32_t events;
	uint32_t part;	    /* its first one */
	uint32_t starts;    /* times on the CPU that began in it, and have an end */
	uint8_t part_count; /* the tasks that ran longest; one more part for all others together */
	bool continues;	    /* an interval that began earlier has a part in it */
	bool lost;	    /* the lane lost events in this bin */
	struct view_running run; /* what was known when it began */
	uint64_t before;	 /* the time of the last event before it */
	uint64_t worst; /* the longest interval of a task other than idle with a part in it */
	/* Of each sixteenth of its time: for how much, of 255, a task ran, and what ran is known.
	 */
	uint8_t busy[VIEW_SUBS], known[VIEW_SUBS];
};

enum { VIEW_ALL_BINS = 1 << 16 };
enum { VIEW_EARLY = 1 << 16 };
enum { VIEW_PARTS = 8, VIEW_PART_CHUNK = 1 << 15, VIEW_IDS = 1 << 16 };

/* The losses of one bin, which are kept together. */
struct view_loss {
	uint64_t from, to;
	uint32_t bin, marks;
	int64_t count; /* of lost events; -1: a loss had no count */
};

struct view_lane_index {
	struct view_bin *bins;
	struct view_part **parts; /* in chunks, so that none moves */
	size_t part_count, chunk_count;
	struct view_loss *losses;
	size_t loss_count, loss_cap;
	/* The numbers of bins that do not change any more; other threads read them. */
	uint32_t done, counted;
	bool complete;
	bool cut;      /* events behind the last one may be missing; read when it is complete */
	bool switched; /* it has an event sched_switch; read when it is complete */
	/* The times of tasks but idle, and of all that ran; they are read when it is complete. */
	uint64_t busy, known;
	/* Runs that common_pid tells, before the first switch and behind losses: at most
	 * VIEW_EARLY. */
	struct view_run *early;
	size_t early_count, early_cap;
};

struct view_index {
	const struct view_trace *trace;
	struct view_switches *switches; /* one for each input */
	struct view_tasks tasks;
	/* By input and id of an event type: whether there is an event of it; ids from VIEW_IDS on
	 * are not noted. */
	uint8_t *seen;
	struct view_lane_index *lanes;
	uint32_t bin_count;
	unsigned shift; /* a bin is 1 << shift long */
	/* Of all lanes, by shorter bins than those of many lanes: how many events there are. */
	uint32_t *all;
	unsigned all_shift;
	uint64_t events;
	uint32_t read_always; /* windows with no more events are read, and not taken from the index
			       */
	bool stop;	      /* give up */
};

enum tdat_status view_index_new(struct view_index **out, const struct view_trace *t,
				struct tdat_error *err);
void view_index_free(struct view_index *ix);

/* Whether an event that the index has come to tells what a CPU ran (sched_switch). */
bool view_index_tells_tasks(const struct view_index *ix);

/* Makes the index of a lane, once; damage as in view_read_lane. */
enum tdat_status view_index_lane(struct view_index *ix, size_t lane,
				 struct tdat_stream_damage *damage, struct tdat_error *err);

/* These return the bin of a time, and when a bin begins. */
static inline uint32_t view_index_bin(const struct view_index *ix, uint64_t ts)
{
	const uint64_t bin = ts > ix->trace->from ? (ts - ix->trace->from) >> ix->shift : 0;

	return bin < ix->bin_count ? (uint32_t)bin : ix->bin_count - 1;
}

static inline uint64_t view_index_start(const struct view_index *ix, uint32_t bin)
{
	uint64_t start;

	if (__builtin_add_overflow(ix->trace->from, (uint64_t)bin << ix->shift, &start))
		return UINT64_MAX;
	return start;
}

static inline struct view_part *view_index_part(const struct view_lane_index *l, size_t part)
{
	return &l->parts[part / VIEW_PART_CHUNK][part % VIEW_PART_CHUNK];
}

/* These return how many bins of a lane are done, and how many have counted events. */
static inline uint32_t view_index_done(const struct view_lane_index *l)
{
	return __atomic_load_n(&l->done, __ATOMIC_ACQUIRE);
}
static inline uint32_t view_index_counted(const struct view_lane_index *l)
{
	return __atomic_load_n(&l->counted, __ATOMIC_ACQUIRE);
}

/*
 * These note and tell that an input has events of a type; all are known in a complete index. The
 * file is asked for the format, so that tdat_file_undescribed knows of types that have none.
 */
static inline void view_index_see(struct view_index *ix, size_t input, uint32_t id)
{
	uint8_t *seen = &ix->seen[input * VIEW_IDS + id % VIEW_IDS];

	if (id >= VIEW_IDS || __atomic_load_n(seen, __ATOMIC_RELAXED))
		return;
	__atomic_store_n(seen, 1, __ATOMIC_RELAXED);
	tdat_file_format_by_id(ix->trace->inputs[input].file, id);
}
static inline bool view_index_has(const struct view_index *ix, size_t input, uint32_t id)
{
	return id >= VIEW_IDS ||
	       __atomic_load_n(&ix->seen[input * VIEW_IDS + id], __ATOMIC_RELAXED);
}

/* The number of events in the bins of a span, of one lane or of all; some number above most. */
#define VIEW_ALL_LANES SIZE_MAX
uint64_t view_index_events(const struct view_index *ix, size_t lane, const struct view_span *span,
			   uint64_t most);

/* The number of events of all lanes in a bin of `all`, as far as lanes are read. */
static inline uint32_t view_index_all(const struct view_index *ix, uint64_t bin)
{
	return __atomic_load_n(&ix->all[bin], __ATOMIC_RELAXED);
}

/* How much of the index is done, from 0 to 1. */
double view_index_progress(const struct view_index *ix);
bool view_index_complete(const struct view_index *ix);

#endif
