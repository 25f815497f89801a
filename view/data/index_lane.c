/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the index of one lane in one pass over its events. A bin has counts, losses, the longest
 * tasks with their times, and the task that ran when it began. Bins are published as they are made,
 * so that pictures show them early. Only this thread writes to the lane's index.
 */
#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "index.h"

/* The bin that is being made: its parts by task, and a list of the tasks that have one. */
struct builder {
	struct view_index *ix;
	struct view_lane_index *l;
	struct view_sched sched;
	uint32_t bin;	  /* the one that parts are collected for */
	uint32_t run_bin; /* the last one of which run is set */
	struct view_part *parts;
	size_t part_count, part_cap;
	uint64_t busy[VIEW_SUBS], known[VIEW_SUBS]; /* times of the sixteenths of the bin */
	uint64_t added;	  /* the end of what was added: time that goes back adds nothing */
	uint32_t *places; /* by task: its place in parts, and one; 0: none */
	size_t place_count;
	uint64_t events;
	uint32_t all_bin, all_count; /* events of one bin of `all` that are not added yet */
	size_t input;
	bool failed;
};

/* ---- parts of a bin ---- */

/*
 * Returns the part of a task in the current bin, made if it is new; NULL: no memory. The pointer is
 * valid until the next call, since the array may move.
 */
static struct view_part *part_of(struct builder *b, uint32_t task)
{
	const size_t key = (size_t)(uint32_t)(task + 1); /* VIEW_NO_TASK has 0 */

	if (key >= b->place_count && !TDAT_GROW_ZERO(b->places, &b->place_count, key + 1))
		return NULL;
	if (b->places[key])
		return &b->parts[b->places[key] - 1];
	if (!TDAT_GROW(b->parts, &b->part_cap, b->part_count + 1))
		return NULL;
	b->parts[b->part_count++] = (struct view_part){task, 0, 0};
	b->places[key] = (uint32_t)b->part_count;
	return &b->parts[b->part_count - 1];
}

/*
 * Orders parts by their times, the longest first; equal ones in an order that does not depend on
 * threads.
 */
static int by_time(const void *a, const void *b, void *ctx)
{
	const struct view_tasks *tasks = ctx;
	const struct view_part *x = a, *y = b;
	const struct view_task *t, *u;

	if (x->time != y->time)
		return x->time < y->time ? 1 : -1;
	if (x->task == VIEW_NO_TASK || y->task == VIEW_NO_TASK)
		return (x->task == VIEW_NO_TASK) - (y->task == VIEW_NO_TASK);
	t = view_task(tasks, x->task);
	u = view_task(tasks, y->task);
	return t->pid != u->pid ? (t->pid > u->pid ? 1 : -1) : strcmp(t->comm, u->comm);
}

/*
 * Keeps the VIEW_PARTS longest parts and joins the rest to one. The idle task is never joined.
 * Returns the number of parts.
 */
static size_t keep_longest(struct builder *b)
{
	struct view_part *other;

	if (b->part_count <= VIEW_PARTS)
		return b->part_count;
	other = &b->parts[VIEW_PARTS];
	/* The idle task keeps a part of its own, because busy times are sums without it. */
	for (size_t i = VIEW_PARTS; i < b->part_count; i++)
		if (b->parts[i].task != VIEW_NO_TASK &&
		    !view_task(&b->ix->tasks, b->parts[i].task)->pid) {
			const struct view_part idle = b->parts[i];

			b->parts[i] = b->parts[VIEW_PARTS - 1];
			b->parts[VIEW_PARTS - 1] = idle;
		}
	for (size_t i = VIEW_PARTS + 1; i < b->part_count; i++) {
		other->time += b->parts[i].time;
		other->count += b->parts[i].count;
	}
	other->task = VIEW_OTHER_TASKS;
	return VIEW_PARTS + 1;
}

/* Chunks never move, because other threads read the parts of bins that are done. */
static void put_part(struct builder *b, struct view_bin *bin, const struct view_part *part)
{
	struct view_lane_index *l = b->l;
	struct view_part **chunk = &l->parts[l->part_count / VIEW_PART_CHUNK];

	if (!*chunk)
		*chunk = malloc(VIEW_PART_CHUNK * sizeof(**chunk));
	if (!*chunk) {
		b->failed = true;
		return;
	}
	*view_index_part(l, l->part_count++) = *part;
	bin->part_count++;
}

/* How long a sixteenth of a bin is; bins that are shorter than 16 have fewer of them. */
static uint64_t sub_len(const struct builder *b)
{
	return b->ix->shift > VIEW_SUB_SHIFT ? UINT64_C(1) << (b->ix->shift - VIEW_SUB_SHIFT) : 1;
}

/* Writes the times of the sixteenths into the bin, rounded, and clears them. */
static void end_subs(struct builder *b, struct view_bin *bin)
{
	const double len = (double)sub_len(b);

	for (size_t i = 0; i < VIEW_SUBS; i++) {
		bin->busy[i] = (uint8_t)((double)b->busy[i] / len * 255 + 0.5);
		bin->known[i] = (uint8_t)((double)b->known[i] / len * 255 + 0.5);
	}
	memset(b->busy, 0, sizeof(b->busy));
	memset(b->known, 0, sizeof(b->known));
}

/* Adds the part [from, to) of an interval, which lies in the current bin, to its sixteenths. */
static void add_subs(struct builder *b, const struct view_run *run, uint64_t from, uint64_t to)
{
	const uint64_t start = view_index_start(b->ix, b->bin), len = sub_len(b);

	for (uint64_t i = (from - start) / len; i < VIEW_SUBS && from < to; i++) {
		const uint64_t next = start + (i + 1) * len, end = next < to ? next : to;

		b->known[i] += end - from;
		b->busy[i] += run->pid ? end - from : 0;
		from = end;
	}
}

/*
 * Writes the collected parts into the bin and begins the next one. Other threads may read the bin
 * once `done` is beyond it.
 */
static void end_bin(struct builder *b)
{
	struct view_bin *bin = &b->l->bins[b->bin];
	size_t count;

	/* Clears only the places that were used: the array is as long as the table of tasks. */
	for (size_t i = 0; i < b->part_count; i++)
		b->places[(uint32_t)(b->parts[i].task + 1)] = 0;
	if (b->part_count > 1)
		qsort_r(b->parts, b->part_count, sizeof(*b->parts), by_time, &b->ix->tasks);
	end_subs(b, bin);
	bin->part = (uint32_t)b->l->part_count;
	count = keep_longest(b);
	for (size_t i = 0; i < count; i++)
		put_part(b, bin, &b->parts[i]);
	b->part_count = 0;
	b->bin++;
}

/*
 * Adds the part [from, to) of an interval to the current bin. worst is the length of the whole
 * interval, not of the part.
 */
static void add_part(struct builder *b, const struct view_run *run, uint64_t from, uint64_t to)
{
	struct view_part *part = part_of(b, run->task);
	struct view_bin *bin = &b->l->bins[b->bin];

	if (!part) {
		b->failed = true;
		return;
	}
	part->time += to - from;
	part->count++;
	add_subs(b, run, from, to);
	if (run->pid && run->to - run->from > bin->worst)
		bin->worst = run->to - run->from;
}

/* Keeps a run that no table of intervals has. */
static void add_early(struct builder *b, const struct view_run *run)
{
	struct view_lane_index *l = b->l;

	if (l->early_count == VIEW_EARLY)
		return;
	if (TDAT_GROW(l->early, &l->early_cap, l->early_count + 1))
		l->early[l->early_count++] = *run;
	else
		b->failed = true;
}

/*
 * Adds the times of an interval that has ended to each bin that it overlaps. If time goes back,
 * what lies before the end of an earlier interval is not counted a second time.
 */
static void add_times(struct builder *b, const struct view_run *run)
{
	const uint32_t first = view_index_bin(b->ix, run->from),
		       last = view_index_bin(b->ix, run->to);
	const uint64_t known = run->from > b->added ? run->from : b->added;
	const uint64_t time = run->to > known ? run->to - known : 0;

	while (b->bin < first)
		end_bin(b);
	b->l->bins[b->bin].starts += first == b->bin;
	for (;;) {
		const uint64_t start = view_index_start(b->ix, b->bin);
		const uint64_t from = known > start ? known : start;
		const uint64_t to = last > b->bin ? view_index_start(b->ix, b->bin + 1) : run->to;

		if (first < b->bin && from < run->to)
			b->l->bins[b->bin].continues = true;
		if (from < to || first == b->bin)
			add_part(b, run, from < to ? from : to, to);
		if (b->bin >= last)
			break;
		end_bin(b);
	}
	b->l->known += time;
	b->l->busy += run->pid ? time : 0;
	b->added = run->to > b->added ? run->to : b->added;
	if (run->task != VIEW_NO_TASK)
		view_task_ran(view_task(&b->ix->tasks, run->task), run->to - time, run->to);
}

/* Adds an interval. The times of early ones wait for the first switch of the CPU. */
static void add_run(struct builder *b, const struct view_run *run)
{
	if (run->early)
		add_early(b, run);
	if (b->sched.switched)
		add_times(b, run);
}

/* Adds the times of the intervals that waited, in order. */
static void add_waiting(struct builder *b)
{
	for (size_t i = 0; i < b->l->early_count; i++) {
		view_sched_name(&b->sched, &b->l->early[i]);
		add_times(b, &b->l->early[i]);
	}
}

/* ---- events ---- */

/*
 * Adds a loss of events, which the kernel notes at the event behind it. Losses within a bin become
 * one; a count of -1 means that a loss had no count.
 */
static void add_loss(struct builder *b, uint32_t bin, uint64_t from, uint64_t to, int64_t count)
{
	struct view_lane_index *l = b->l;
	struct view_loss *last = l->loss_count ? &l->losses[l->loss_count - 1] : NULL;

	if (!last || last->bin != bin) {
		if (!TDAT_GROW(l->losses, &l->loss_cap, l->loss_count + 1)) {
			b->failed = true;
			return;
		}
		last = &l->losses[l->loss_count++];
		*last = (struct view_loss){from, to, bin, 0, 0};
	}
	last->marks++;
	last->to = to;
	if (count < 0 || last->count < 0)
		last->count = -1;
	else if (__builtin_add_overflow(last->count, count, &last->count))
		last->count = INT64_MAX;
	l->bins[bin].lost = true;
}

/* Sets what runs at the beginning of each bin up to that of the event. */
static void set_running(struct builder *b, uint32_t bin)
{
	while (b->run_bin < bin) {
		b->l->bins[++b->run_bin].run = b->sched.now;
		b->l->bins[b->run_bin].before = b->sched.last_ts;
	}
}

/*
 * Publishes bins after each batch, `done` before `counted`. A bin is done when no interval that
 * runs into it is still open.
 */
static void publish(struct builder *b, uint32_t counted)
{
	const bool waits = !b->sched.switched && b->l->early_count;

	/* Where it is not known what runs, bins are done up to this event. */
	while (!b->sched.now.runs && !b->sched.now.seen && !waits && b->bin < counted)
		end_bin(b);
	__atomic_store_n(&b->l->done, b->bin < counted ? b->bin : counted, __ATOMIC_RELEASE);
	__atomic_store_n(&b->l->counted, counted, __ATOMIC_RELEASE);
	__atomic_fetch_add(&b->ix->events, b->events, __ATOMIC_RELAXED);
	b->events = 0;
}

/* Other lanes add to the same bins: events of one bin that follow each other are added at once. */
static void count_all(struct builder *b, uint64_t ts)
{
	const struct view_index *ix = b->ix;
	const uint64_t at = ts > ix->trace->from ? (ts - ix->trace->from) >> ix->all_shift : 0;
	const uint32_t bin = at < VIEW_ALL_BINS ? (uint32_t)at : VIEW_ALL_BINS - 1;

	if (bin != b->all_bin) {
		__atomic_fetch_add(&ix->all[b->all_bin], b->all_count, __ATOMIC_RELAXED);
		b->all_bin = bin;
		b->all_count = 0;
	}
	b->all_count++;
}

/* Returns 0 to stop: the engine stops, or memory is missing. */
static size_t take_events(void *ctx, const struct tdat_event *events, size_t count)
{
	struct builder *b = ctx;
	uint32_t bin = 0;

	for (size_t i = 0; i < count; i++) {
		const uint64_t before = b->sched.last_ts;
		const bool switched = b->sched.switched;
		struct view_run run;
		bool ended;

		bin = view_index_bin(b->ix, events[i].ts);
		b->l->bins[bin].events++;
		count_all(b, events[i].ts);
		view_index_see(b->ix, b->input, events[i].id);
		set_running(b, bin);
		ended = view_sched_event(&b->sched, &events[i], &run);
		if (!switched && b->sched.switched)
			add_waiting(b);
		if (ended)
			add_run(b, &run);
		if (events[i].lost_before)
			add_loss(b, bin, before < events[i].ts ? before : events[i].ts,
				 events[i].ts, events[i].lost_before);
	}
	b->events += count;
	publish(b, b->run_bin);
	if (__atomic_load_n(&b->ix->stop, __ATOMIC_RELAXED) || b->failed)
		return 0;
	return count;
}

/*
 * Ends what runs at the end of the recording's file. Behind it nothing is known of the CPU, even if
 * other files of the trace are longer. Of a lane that is cut, nothing is known behind its last
 * event.
 */
static void end_lane(struct builder *b, bool cut)
{
	const uint64_t end = b->ix->trace->recs[b->sched.rec].to, last = b->sched.last_ts;
	struct view_run run;

	b->l->cut = cut && last < end;
	if (b->l->cut) {
		if (view_sched_lose(&b->sched, &run))
			add_run(b, &run);
		add_loss(b, view_index_bin(b->ix, end), last, end, -1);
	}
	set_running(b, view_index_bin(b->ix, end));
	if (view_sched_end(&b->sched, end, &run))
		add_run(b, &run);
	__atomic_fetch_add(&b->ix->all[b->all_bin], b->all_count, __ATOMIC_RELAXED);
	set_running(b, b->ix->bin_count - 1);
	b->l->switched = b->sched.switched;
	if (!b->l->switched)
		b->l->early_count = 0;
	while (b->bin < b->ix->bin_count && !b->failed)
		end_bin(b);
	publish(b, b->ix->bin_count);
	__atomic_store_n(&b->l->done, b->ix->bin_count, __ATOMIC_RELEASE);
	__atomic_store_n(&b->l->complete, true, __ATOMIC_RELEASE);
}

enum tdat_status view_index_lane(struct view_index *ix, size_t lane,
				 struct tdat_stream_damage *damage, struct tdat_error *err)
{
	const struct view_lane *def = &ix->trace->lanes[lane];
	const size_t input = ix->trace->recs[def->rec].input;
	struct builder b = {.ix = ix,
			    .l = &ix->lanes[lane],
			    .input = input,
			    .sched = {.switches = &ix->switches[input],
				      .tasks = &ix->tasks,
				      .rec = def->rec,
				      .last_ts = ix->trace->from}};
	enum tdat_status st =
		view_read_lane(ix->trace, def, NULL, NULL, take_events, &b, damage, err);

	if (st == TDAT_OK && b.failed)
		st = tdat_error_no_memory(err, "the index");
	/* Bins that could be made stay, also after a failure. */
	if (!b.failed)
		end_lane(&b, def->lost_end || st != TDAT_OK);
	free(b.parts);
	free(b.places);
	return st;
}
