/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads tracks from derived tables, and tracks of fields from events. One pass over derived tables
 * makes the marks of several tracks; the array sources says which table and columns each kind
 * needs. Names become numbers. A pass can be cancelled.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tdat/rows.h>

#include "core/grow.h"
#include "core/search.h"
#include "track_merge.h"

/* Wakeups of all tasks, whose distribution needs each of them. */
enum { WAKEUPS_MOST = 600000, PIDS_MOST = 65536, BATCH_ROWS = 4096, DEATHS_MOST = 16 };

/* Places of the columns that all tables have; those of a table itself follow from FIRST_OWN. */
enum { TS, DUR, CPU, BUFFER, OPEN, PID, FIRST_OWN };
#define COMMON "ts", "dur", "cpu", "buffer", "open", "pid"

/* One track of a pass. full: it has more marks than can be kept. */
struct reading {
	const struct view_index *ix;
	const struct view_trace *t;
	const struct view_track_key *key; /* of the track */
	struct view_track *track;
	const char *buffer;
	size_t cap;
	bool failed, full;
	const bool *stop;
	/* When the tasks of a pid died, one after the other: it may be used again. */
	uint64_t deaths[DEATHS_MOST];
	size_t death_count;
};

/* The tables from which the tracks of each kind are read. */
static const struct source {
	const char *table;
	const char *columns[TDAT_ROWS_COLUMNS + 1];
	size_t name_columns;		    /* the first of its own that names of keys need */
	enum { BY_ANY, BY_PID, BY_CPU } id; /* what the id of the key chooses */
	/*
	 * The beginnings of the names of events that the table is made from (docs/analysis.md);
	 * none: of many, so that it is always read.
	 */
	const char *events[3];
} sources[VIEW_TRACK_KINDS] = {
	[VIEW_TRACK_TASK] = {"thread_state", {COMMON, "state"}, 0, BY_PID, {"sched/sched_"}},
	[VIEW_TRACK_PROCESS] = {"thread_state", {COMMON, "state"}, 0, BY_PID, {"sched/sched_"}},
	[VIEW_TRACK_WAKEUP] = {"wakeup",
			       {COMMON, "waker_pid", "waker_cpu", "wakeup_ts"},
			       0,
			       BY_PID,
			       {"sched/sched_"}},
	[VIEW_TRACK_WAKEUP_TIMES] = {"wakeup", {COMMON, "comm"}, 0, BY_ANY, {"sched/sched_"}},
	[VIEW_TRACK_IRQ] = {"irq", {COMMON, "name"}, 0, BY_CPU, {"irq/irq_handler_"}},
	[VIEW_TRACK_SOFTIRQ] = {"softirq", {COMMON, "name"}, 0, BY_CPU, {"irq/softirq_"}},
	[VIEW_TRACK_SLICE] =
		{"slice", {COMMON, "kind", "name", "depth"}, 1, BY_PID, {"ftrace/print"}},
	[VIEW_TRACK_SYSCALL] =
		{"syscall", {COMMON, "name", "nr"}, 0, BY_PID, {"syscalls/", "raw_syscalls/"}},
	[VIEW_TRACK_FUNCTION] = {"function",
				 {COMMON, "func", "depth", "func_addr"},
				 0,
				 BY_PID,
				 {"ftrace/funcgraph_"}},
	[VIEW_TRACK_KVM] = {"kvm", {COMMON, "reason", "exit_reason"}, 0, BY_PID, {"kvm/kvm_"}},
	[VIEW_TRACK_BLOCK] = {"block_io", {COMMON, "dev", "rwbs"}, 1, BY_ANY, {"block/"}},
	[VIEW_TRACK_COUNTER] = {"counter", {COMMON, "name", "value"}, 1, BY_CPU, {NULL}},
	[VIEW_TRACK_LATENCY] = {"latency_sample",
				{COMMON, "source", "metric", "value"},
				2,
				BY_ANY,
				{"ftrace/", "synthetic/"}},
};

/* Keys of one kind: rows that a user can choose from. */
enum { NAMES_MOST = 100000 };

/*
 * Merges marks before there are more than twice the bound; false if that is not enough, or without
 * memory. Wakeup times are never merged: quantiles need each.
 */
static bool make_room(struct reading *r)
{
	if (r->key->kind == VIEW_TRACK_WAKEUP_TIMES) {
		r->full = r->track->count >= WAKEUPS_MOST;
		return !r->full;
	}
	if (r->track->count < 2 * VIEW_MARKS_MOST)
		return true;
	r->failed =
		!view_track_merge(r->track, r->key->kind, r->t->from, r->t->to, VIEW_MARKS_MOST);
	/* Nested more deeply than is put together. */
	r->full = r->track->count >= 2 * VIEW_MARKS_MOST;
	return !r->failed && !r->full;
}

static struct view_mark *add_mark(struct reading *r)
{
	struct view_track *t = r->track;

	if (!make_room(r))
		return NULL;
	if (!TDAT_GROW(t->v, &r->cap, t->count + 1)) {
		r->failed = true;
		return NULL;
	}
	t->v[t->count] = (struct view_mark){.cpu = -1, .count = 1};
	return &t->v[t->count++];
}

static bool text_is(const struct tdat_value *v, const char *text)
{
	const size_t len = strlen(text);

	return !v->is_null && v->text.len == len && !memcmp(v->text.ptr, text, len);
}

/* The texts of the column open (docs/analysis.md). */
static enum view_open open_of(const struct tdat_value *v)
{
	if (v->is_null)
		return VIEW_CLOSED;
	return text_is(v, "end")    ? VIEW_OPEN_END
	       : text_is(v, "lost") ? VIEW_OPEN_LOST
				    : VIEW_OPEN_UNENDED;
}

static void name_mark(struct reading *r, struct view_mark *m, const struct tdat_value *name)
{
	if (!view_names_number(&r->track->names, (const char *)name->text.ptr, name->text.len,
			       &m->name))
		r->failed = true;
}

/* A function or system call without a name is shown by its address or number. */
static void name_number(struct reading *r, struct view_mark *m, const char *fmt, int64_t number)
{
	char text[64];

	snprintf(text, sizeof(text), fmt, number);
	if (!view_names_number(&r->track->names, text, strlen(text), &m->name))
		r->failed = true;
}

/* Whether a row is of the track. Rows of other tasks and CPUs were left out by the reader. */
static bool is_wanted(const struct reading *r, const struct tdat_value *own)
{
	switch (r->key->kind) {
	case VIEW_TRACK_PROCESS:
		return text_is(&own[0], "running");
	case VIEW_TRACK_SLICE:
		return text_is(&own[0], "sync");
	case VIEW_TRACK_BLOCK:
	case VIEW_TRACK_COUNTER:
		return text_is(&own[0], r->key->text);
	case VIEW_TRACK_LATENCY:
		return text_is(&own[0], r->key->text) && text_is(&own[1], r->key->more);
	default:
		return true;
	}
}

static void set_value(struct view_mark *m, double v)
{
	m->value.last = m->value.least = m->value.most = v;
}

/*
 * Takes the columns of the row's own table. Marks of wakeups use name and depth for the waker's pid
 * and CPU.
 */
static void take_own(struct reading *r, struct view_mark *m, const struct tdat_value *own)
{
	switch (r->key->kind) {
	case VIEW_TRACK_WAKEUP:
		m->name = own[0].is_null ? UINT32_MAX : (uint32_t)own[0].number;
		m->depth = own[1].is_null ? -1 : (int32_t)own[1].number;
		m->wakeup = own[2].is_null ? UINT64_MAX : (uint64_t)own[2].number;
		break;
	case VIEW_TRACK_WAKEUP_TIMES:
		name_mark(r, m, &own[0]);
		break;
	case VIEW_TRACK_SLICE:
		m->depth = (int32_t)own[2].number;
		name_mark(r, m, &own[1]);
		break;
	case VIEW_TRACK_FUNCTION:
		m->depth = (int32_t)own[1].number;
		if (own[0].is_null)
			name_number(r, m, "0x%" PRIx64, own[2].number);
		else
			name_mark(r, m, &own[0]);
		break;
	case VIEW_TRACK_KVM:
	case VIEW_TRACK_SYSCALL:
		if (own[0].is_null)
			name_number(r, m, "%" PRId64, own[1].number);
		else
			name_mark(r, m, &own[0]);
		break;
	case VIEW_TRACK_BLOCK:
		name_mark(r, m, &own[1]);
		break;
	case VIEW_TRACK_COUNTER:
		set_value(m, (double)own[1].number);
		break;
	case VIEW_TRACK_LATENCY:
		set_value(m, (double)own[2].number);
		break;
	default:
		name_mark(r, m, &own[0]);
	}
}

/* Counts a row under the key that its track would have. False: too many keys, or no memory. */
static bool count_key(struct reading *r, const struct tdat_value *v)
{
	const struct tdat_value *own = v + FIRST_OWN;
	char text[700];
	uint32_t number;

	switch (r->key->kind) {
	case VIEW_TRACK_IRQ:
	case VIEW_TRACK_SOFTIRQ:
		snprintf(text, sizeof(text), "%" PRId64, v[CPU].number);
		break;
	case VIEW_TRACK_BLOCK:
	case VIEW_TRACK_COUNTER:
		snprintf(text, sizeof(text), "%.*s", (int)own[0].text.len,
			 (const char *)own[0].text.ptr);
		break;
	case VIEW_TRACK_LATENCY:
		snprintf(text, sizeof(text), "%.*s:%.*s", (int)own[0].text.len,
			 (const char *)own[0].text.ptr, (int)own[1].text.len,
			 (const char *)own[1].text.ptr);
		break;
	default:
		if (r->key->kind == VIEW_TRACK_SLICE && !text_is(&own[0], "sync"))
			return true;
		snprintf(text, sizeof(text), "%" PRId64, v[PID].number);
	}
	if (view_names_count(&r->track->names) >= NAMES_MOST)
		r->full = true;
	else if (!view_names_number(&r->track->names, text, strlen(text), &number))
		r->failed = true;
	return !r->full && !r->failed;
}

/* All tracks of one pass, and the kinds of the tables that are read for them. */
struct pass {
	struct reading *v;
	size_t count;
	enum view_track_kind kinds[TDAT_ROWS_TABLES];
	size_t kind_count;
};

/* When the file of a reading's recording ends. */
static uint64_t end_of(const struct reading *r)
{
	return r->t->recs[r->key->rec].to;
}

/*
 * Returns when the first loss of a CPU began that ends later than a time, but not before that;
 * UINT64_MAX: there is none.
 */
static uint64_t loss_after(const struct view_lane_index *l, uint64_t ts)
{
	size_t i;

	if (!__atomic_load_n(&l->complete, __ATOMIC_ACQUIRE))
		return UINT64_MAX;
	TDAT_SEARCH(i, l->loss_count, l->losses[i].to <= ts);
	if (i == l->loss_count)
		return UINT64_MAX;
	return l->losses[i].from > ts ? l->losses[i].from : ts;
}

/*
 * Returns when it became unknown whether an interval went on: at the next loss of its CPU, if it
 * stays there, else at that of any CPU of the recording. UINT64_MAX: it is known.
 */
static uint64_t lost_at(const struct reading *r, const struct view_mark *m)
{
	const struct view_rec *rec = &r->t->recs[r->key->rec];
	const enum view_track_kind kind = r->key->kind;
	const struct view_lane *own =
		m->cpu >= 0 ? view_trace_lane(r->t, r->key->rec, (uint64_t)m->cpu) : NULL;
	const bool stays =
		kind == VIEW_TRACK_IRQ || kind == VIEW_TRACK_SOFTIRQ ||
		kind == VIEW_TRACK_FUNCTION || kind == VIEW_TRACK_PROCESS ||
		(kind == VIEW_TRACK_TASK && view_state_of(r->track, m->name) == VIEW_RUNNING);
	uint64_t at = UINT64_MAX;

	if (stays && own)
		at = loss_after(&r->ix->lanes[own - r->t->lanes], m->from);
	if (at != UINT64_MAX)
		return at;
	for (size_t i = 0; i < rec->lane_count; i++) {
		const uint64_t one = loss_after(&r->ix->lanes[rec->first_lane + i], m->from);

		at = one < at ? one : at;
	}
	return at;
}

static bool is_state(enum view_track_kind kind)
{
	return kind == VIEW_TRACK_TASK || kind == VIEW_TRACK_PROCESS;
}

/* Also a state that is open at the end of the file is unknown once the data of a CPU is cut. */
static void end_at_loss(const struct reading *r, struct view_mark *m)
{
	const uint64_t at = lost_at(r, m);

	if (at < UINT64_MAX && (m->open == VIEW_OPEN_LOST || at < m->to)) {
		m->to = at;
		m->open = VIEW_OPEN_LOST;
	}
}

/*
 * An interval that is still open at the end of the file lasts until that end, one whose end was
 * lost until the loss.
 */
static bool take_one(struct reading *r, const struct tdat_value *v)
{
	struct view_mark *m;

	/* An instance may be called "top", which is also the pattern of the top buffer. */
	if (!text_is(&v[BUFFER], r->buffer))
		return true;
	if (r->key->names_only)
		return count_key(r, v);
	if (!is_wanted(r, v + FIRST_OWN))
		return true;
	if (r->key->kind == VIEW_TRACK_WAKEUP_TIMES && v[DUR].is_null)
		return true;
	m = add_mark(r);
	if (!m)
		return false;
	m->from = (uint64_t)v[TS].number;
	m->open = (unsigned)open_of(&v[OPEN]) & 3;
	m->to = !v[DUR].is_null ? m->from + (uint64_t)v[DUR].number
		: m->open == VIEW_OPEN_END && m->from < end_of(r) ? end_of(r)
								  : m->from;
	m->cpu = v[CPU].is_null ? -1 : (int32_t)v[CPU].number;
	if (r->key->kind == VIEW_TRACK_WAKEUP_TIMES)
		m->depth = (int32_t)v[PID].number;
	take_own(r, m, v + FIRST_OWN);
	if (m->open == VIEW_OPEN_LOST || (m->open == VIEW_OPEN_END && is_state(r->key->kind)))
		end_at_loss(r, m);
	return !r->failed;
}

/* A row of thread_state that is read for system calls, which end when their task dies. */
static void take_death(struct reading *r, const struct tdat_value *v)
{
	if (text_is(&v[BUFFER], r->buffer) && text_is(&v[FIRST_OWN], "dead") &&
	    r->death_count < DEATHS_MOST)
		r->deaths[r->death_count++] = (uint64_t)v[TS].number;
}

/* With several tracks a row belongs to at most one of them, found by the pid or CPU of the row. */
static bool take_row(void *ctx, size_t table, const struct tdat_value *v)
{
	struct pass *p = ctx;
	const enum view_track_kind kind = p->kinds[table];
	const bool by_cpu = sources[kind].id == BY_CPU;

	if (p->count == 1 && kind == p->v->key->kind)
		return take_one(p->v, v);
	for (size_t i = 0; i < p->count; i++)
		if (p->v[i].key->id != v[by_cpu ? CPU : PID].number) {
			continue;
		} else if (p->v[i].key->kind == VIEW_TRACK_SYSCALL && kind == VIEW_TRACK_TASK) {
			take_death(&p->v[i], v);
		} else if (p->v[i].key->kind == kind) {
			if (!p->v[i].full && !p->v[i].failed)
				take_one(&p->v[i], v);
			break;
		}
	return true;
}

/* ---- order, depth and ends ---- */

/* Orders by depth, then by time; of equal beginnings the longer first, as it contains the other. */
static int by_time(const void *a, const void *b)
{
	const struct view_mark *x = a, *y = b;

	return TDAT_ORDER(x->depth, y->depth,
			  TDAT_ORDER(x->from, y->from,
				     TDAT_ORDER(y->to, x->to, TDAT_ORDER(x->name, y->name, 0))));
}

/*
 * Intervals of tables without nesting get the lowest depth that is free; beyond DEPTHS_MOST they
 * overlap.
 */
enum { DEPTHS_MOST = 64 };

static void set_depths(struct view_track *t)
{
	uint64_t ends[DEPTHS_MOST] = {0};
	size_t used = 0;

	for (size_t i = 0; i < t->count; i++) {
		size_t depth = 0;

		while (depth < used && ends[depth] > t->v[i].from)
			depth++;
		if (depth == used && used < DEPTHS_MOST)
			used++;
		if (depth == DEPTHS_MOST)
			depth--;
		ends[depth] = t->v[i].to;
		t->v[i].depth = (int32_t)depth;
	}
}

/* Shrinks the array to its marks: tracks stay in the cache for long. */
static void give_back(struct reading *r)
{
	struct view_track *t = r->track;
	struct view_mark *less = t->count ? realloc(t->v, t->count * sizeof(*t->v)) : NULL;

	if (less) {
		t->v = less;
		r->cap = t->count;
	}
}

/*
 * Adds the runs that the index knows besides those of the table: before the first switch of a CPU,
 * and behind losses.
 */
static void add_early(struct reading *r, const int32_t *pids, size_t pid_count)
{
	static const char running[] = "running";
	const struct view_rec *rec = &r->t->recs[r->key->rec];

	for (size_t i = rec->first_lane; i < rec->first_lane + rec->lane_count; i++) {
		const struct view_lane_index *l = &r->ix->lanes[i];
		const bool complete = __atomic_load_n(&l->complete, __ATOMIC_ACQUIRE);

		for (size_t k = 0; complete && k < l->early_count; k++) {
			const struct view_run *run = &l->early[k];
			struct view_mark *m = NULL;
			size_t p = 0;

			while (p < pid_count && pids[p] != run->pid)
				p++;
			if (p < pid_count)
				m = add_mark(r);
			if (!m)
				continue;
			m->from = run->from;
			m->to = run->to;
			m->cpu = (int32_t)r->t->lanes[i].cpu;
			if (!view_names_number(&r->track->names, running, sizeof(running) - 1,
					       &m->name))
				r->failed = true;
		}
	}
}

/* A call whose task died did not go on until the end of the file; exit_group never returns. */
static void end_at_death(const struct reading *r)
{
	for (size_t i = 0; i < r->track->count; i++) {
		struct view_mark *m = &r->track->v[i];

		size_t k = 0;

		while (k < r->death_count && r->deaths[k] < m->from)
			k++;
		if (m->count != 1 || k == r->death_count ||
		    (m->open != VIEW_OPEN_END && m->open != VIEW_OPEN_UNENDED))
			continue;
		m->to = r->deaths[k];
		m->open = VIEW_CLOSED;
	}
}

static bool finish(struct reading *r)
{
	const enum view_track_kind kind = r->key->kind;
	struct view_track *t = r->track;

	if (kind != VIEW_TRACK_WAKEUP_TIMES && t->count > VIEW_MARKS_MOST &&
	    !view_track_merge(t, kind, r->t->from, r->t->to, VIEW_MARKS_MOST))
		return false;
	give_back(r);
	if (kind == VIEW_TRACK_SYSCALL)
		end_at_death(r);
	/* In these tracks depth means something else, and they are in the order of the table. */
	if (kind == VIEW_TRACK_WAKEUP || kind == VIEW_TRACK_WAKEUP_TIMES)
		return true;
	if (t->count)
		qsort(t->v, t->count, sizeof(*t->v), by_time);
	if (kind == VIEW_TRACK_IRQ || kind == VIEW_TRACK_SOFTIRQ || kind == VIEW_TRACK_BLOCK ||
	    kind == VIEW_TRACK_SYSCALL) {
		set_depths(t);
		if (t->count)
			qsort(t->v, t->count, sizeof(*t->v), by_time);
	}
	/* A counter has its value until it gets the next one. */
	if (kind == VIEW_TRACK_COUNTER)
		for (size_t i = 0; i < t->count; i++)
			t->v[i].to = i + 1 < t->count ? t->v[i + 1].from : end_of(r);
	for (size_t i = 0; i < t->count; i++)
		if (t->v[i].depth > t->depth_most)
			t->depth_most = t->v[i].depth;
	return true;
}

/* ---- reading ---- */

/* Returns the tasks of a thread group in a recording, which free() frees. NULL without memory. */
static int32_t *group_pids(const struct view_trace *t, uint32_t rec, int64_t tgid, size_t *count)
{
	const struct tdat_task_groups *groups = &t->groups[t->recs[rec].input];
	int32_t *pids = calloc(PIDS_MOST, sizeof(*pids));

	*count = 0;
	if (!pids)
		return NULL;
	/* The task that leads a thread group has its number as pid. */
	pids[(*count)++] = (int32_t)tgid;
	for (size_t i = 0; i < groups->count && *count < PIDS_MOST; i++)
		if (groups->list[i].tgid == tgid && groups->list[i].pid != tgid)
			pids[(*count)++] = groups->list[i].pid;
	return pids;
}

/* Tracks of a pass share the recording, and the CPU or the choice by pid: one filter serves all. */
static enum tdat_status read_table(struct pass *p, struct tdat_error *err)
{
	const struct reading *r = p->v;
	const struct source *source = &sources[r->key->kind]; /* all choose alike */
	const struct view_rec *rec = &r->t->recs[r->key->rec];
	struct tdat_filter_opts opts = TDAT_FILTER_OPTS_INIT;
	const uint32_t cpu = (uint32_t)r->key->id;
	const char *buffer = rec->pattern;
	const struct tdat_trace *trace = r->t->by_input[rec->input];
	struct tdat_rows_table tables[TDAT_ROWS_TABLES];
	const char *few[TDAT_ROWS_COLUMNS + 1] = {NULL};
	struct tdat_table_opts read = TDAT_TABLE_OPTS_INIT;
	struct tdat_filter *filter = NULL;
	int32_t *pids = NULL;
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; i < p->kind_count; i++)
		tables[i] =
			(struct tdat_rows_table){tdat_trace_find(trace, sources[p->kinds[i]].table),
						 sources[p->kinds[i]].columns};
	memcpy(few, source->columns, (FIRST_OWN + source->name_columns) * sizeof(*few));
	if (r->key->names_only)
		tables[0].columns = few;
	if (source->id == BY_CPU && r->key->id >= 0) {
		read.cpus = &cpu;
		read.cpu_count = 1;
	}
	if (source->id == BY_PID && r->key->id >= 0) {
		pids = group_pids(r->t, r->key->rec, r->key->id, &opts.pid_count);
		if (!pids)
			return tdat_error_no_memory(err, "a list of tasks");
		opts.pids = pids;
		if (r->key->kind != VIEW_TRACK_PROCESS)
			opts.pid_count = 0;
		for (size_t i = 0; r->key->kind != VIEW_TRACK_PROCESS && i < p->count; i++)
			pids[opts.pid_count++] = (int32_t)p->v[i].key->id;
	}
	if (buffer) {
		opts.buffers = &buffer;
		opts.buffer_count = 1;
	}
	if (opts.pid_count || opts.buffer_count)
		st = tdat_filter_new(&filter, &opts, err);
	read.filter = filter;
	read.batch_rows = BATCH_ROWS;
	read.threads = 1;
	read.is_cancelled = view_is_stopped;
	read.cancel_ctx = (void *)(uintptr_t)r->stop;
	if (st == TDAT_OK)
		st = tdat_trace_rows(trace, tables, p->kind_count, &read, take_row, p, err);
	for (size_t i = 0; st == TDAT_OK && i < p->count && r->key->id >= 0; i++)
		if (p->v[i].key->kind == VIEW_TRACK_PROCESS)
			add_early(&p->v[i], pids, opts.pid_count);
		else if (p->v[i].key->kind == VIEW_TRACK_TASK)
			add_early(&p->v[i], (const int32_t[]){(int32_t)p->v[i].key->id}, 1);
	tdat_filter_free(filter);
	free(pids);
	return st;
}

/* ---- fields ---- */

/* Values of a field of any event; text fields are skipped. */
static size_t take_events(void *ctx, const struct tdat_event *events, size_t count)
{
	struct reading *r = ctx;

	for (size_t i = 0; i < count; i++) {
		const struct tdat_event_format *f =
			tdat_file_format_by_id(r->t->inputs[events[i].input].file, events[i].id);
		const struct tdat_field *field =
			f ? tdat_event_format_field(f, r->key->more) : NULL;
		struct view_mark *m;
		uint64_t v;
		int64_t s;

		/* The value is read without a sign first, to skip fields that are not numbers. */
		if (!field || tdat_field_u64(field, events[i].record, &v, NULL) != TDAT_OK)
			continue;
		m = add_mark(r);
		if (!m)
			return i;
		m->from = m->to = events[i].ts;
		m->cpu = (int32_t)events[i].cpu;
		if (field->flags & TDAT_FIELD_SIGNED &&
		    tdat_field_i64(field, events[i].record, &s, NULL) == TDAT_OK)
			set_value(m, (double)s);
		else
			set_value(m, (double)v);
	}
	return __atomic_load_n(r->stop, __ATOMIC_RELAXED) ? 0 : count;
}

static enum tdat_status read_field(struct reading *r, struct tdat_error *err)
{
	struct view_selection s = {.filter = TDAT_FILTER_OPTS_INIT};

	s.filter.events = &r->key->text;
	s.filter.event_count = 1;
	return view_read_all(r->t, NULL, &s, take_events, r, err);
}

/* ---- deaths ---- */

static bool begins(const struct tdat_event_format *f, const char *const *list)
{
	char name[600];

	snprintf(name, sizeof(name), "%s/%s", tdat_event_format_system(f),
		 tdat_event_format_name(f));
	for (; *list; list++)
		if (!strncmp(name, *list, strlen(*list)))
			return true;
	return false;
}

/* Whether an event occurs in an input whose name begins so. Formats are found only for such ids. */
static bool occurs(const struct view_index *ix, size_t input, const char *const *list)
{
	for (uint32_t id = 0; id < VIEW_IDS; id++) {
		const struct tdat_event_format *f =
			view_index_has(ix, input, id)
				? tdat_file_format_by_id(ix->trace->inputs[input].file, id)
				: NULL;

		if (f && begins(f, list))
			return true;
	}
	return false;
}

/* The tracks of a pass, for which exits of tasks are read. */
struct exits {
	struct reading *v;
	size_t count;
};

/* sched_process_exit is recorded by the task that exits. */
static size_t take_exits(void *ctx, const struct tdat_event *events, size_t count)
{
	const struct exits *x = ctx;

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < x->count; k++) {
			struct reading *r = &x->v[k];

			if (r->key->id == events[i].pid && r->death_count < DEATHS_MOST &&
			    r->key->rec == view_trace_rec(r->t, events[i].input, events[i].buffer))
				r->deaths[r->death_count++] = events[i].ts;
		}
	return __atomic_load_n(x->v->stop, __ATOMIC_RELAXED) ? 0 : count;
}

/* Where no sched_switch tells when tasks died, their exits do. */
static enum tdat_status read_exits(struct reading *v, size_t count, struct tdat_error *err)
{
	static const char *const exits[] = {"sched/sched_process_exit", NULL};
	struct view_selection s = {.filter = TDAT_FILTER_OPTS_INIT};
	struct exits x = {v, count};

	for (size_t i = 0; i < count; i++)
		if (v[i].death_count)
			return TDAT_OK;
	if (!view_index_complete(v->ix) || !occurs(v->ix, v->t->recs[v->key->rec].input, exits))
		return TDAT_OK;
	s.filter.events = exits;
	s.filter.event_count = 1;
	return view_read_all(v->t, NULL, &s, take_exits, &x, err);
}

/* ---- passes ---- */

/* The kind that represents all kinds that one pass makes. */
static enum view_track_kind group_of(enum view_track_kind kind)
{
	return kind == VIEW_TRACK_WAKEUP    ? VIEW_TRACK_TASK
	       : kind == VIEW_TRACK_SOFTIRQ ? VIEW_TRACK_IRQ
					    : kind;
}

bool view_track_go_together(const struct view_track_key *a, const struct view_track_key *b)
{
	const enum view_track_kind group = group_of(a->kind);

	if (a->rec != b->rec || group != group_of(b->kind) || a->names_only || b->names_only)
		return false;
	return group == VIEW_TRACK_IRQ ? a->id == b->id
				       : sources[group].id == BY_PID && group != VIEW_TRACK_PROCESS;
}

/* The index has noted the ids that occur, so that no pass is made in vain. */
bool view_track_may_exist(const struct view_index *ix, const struct view_track_key *key)
{
	const struct view_trace *t = ix->trace;
	const char *const *list = sources[key->kind].events;
	const size_t input = key->rec < t->rec_count ? t->recs[key->rec].input : SIZE_MAX;

	if (!*list || input == SIZE_MAX || !view_index_complete(ix))
		return true;
	return occurs(ix, input, list);
}

/* Sets the error of a track; other tracks of the pass are not affected. */
static enum tdat_status end_reading(struct reading *r)
{
	struct tdat_error *err = &r->track->head.err;

	if (r->failed)
		return tdat_error_no_memory(err, "a row");
	if (r->full)
		return tdat_error_set(
			err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
			r->key->kind == VIEW_TRACK_WAKEUP_TIMES
				? "there are more than %d wakeups, which are too many "
				  "to compare"
				: "the row has more than %d intervals that cannot be "
				  "put together",
			r->key->kind == VIEW_TRACK_WAKEUP_TIMES ? WAKEUPS_MOST : VIEW_MARKS_MOST);
	return finish(r) ? TDAT_OK : tdat_error_no_memory(err, "a row");
}

/* Called on a thread of the engine. A failed pass is that of all tracks. */
void view_track_read(const struct view_index *ix, struct view_track *const *tracks, size_t count,
		     const bool *stop)
{
	const struct view_trace *t = ix->trace;
	const struct view_track_key *key = &tracks[0]->key;
	struct reading readings[VIEW_TRACKS_AT_ONCE];
	struct pass p = {.v = readings, .count = count};
	struct view_track_key task = {.kind = VIEW_TRACK_TASK, .id = -1, .text = "", .more = ""};
	struct tdat_error err = TDAT_ERROR_INIT;
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; i < count; i++) {
		struct reading *r = &readings[i];
		size_t at = 0;

		*r = (struct reading){
			.ix = ix, .t = t, .key = &tracks[i]->key, .track = tracks[i], .stop = stop};
		if (key->rec < t->rec_count)
			r->buffer = t->recs[key->rec].name;
		while (at < p.kind_count && p.kinds[at] != r->key->kind)
			at++;
		if (at == p.kind_count)
			p.kinds[p.kind_count++] = r->key->kind;
	}
	task.rec = key->rec;
	if (key->kind == VIEW_TRACK_SYSCALL && !key->names_only && view_track_may_exist(ix, &task))
		p.kinds[p.kind_count++] = VIEW_TRACK_TASK;
	if (key->kind == VIEW_TRACK_FIELD)
		st = read_field(readings, &err);
	else if (key->rec < t->rec_count)
		st = read_table(&p, &err);
	if (st == TDAT_OK && key->kind == VIEW_TRACK_SYSCALL && !key->names_only &&
	    key->rec < t->rec_count)
		st = read_exits(readings, count, &err);
	for (size_t i = 0; i < count; i++) {
		if (st != TDAT_OK)
			tracks[i]->head.err = err;
		else
			end_reading(&readings[i]);
	}
}

/* The track can be read again, or freed once more. */
void view_track_fini(struct view_track *track)
{
	free(track->v);
	view_names_fini(&track->names);
	track->v = NULL;
	track->count = 0;
	track->names = (struct view_names){.cap = 0};
}
