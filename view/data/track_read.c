/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads tracks from derived tables, and tracks of fields from events. One pass over derived tables
 * reads several tracks; the array sources names the table and columns that each kind needs. Rows
 * become marks in track_take.c, and marks are put in order in track_finish.c. The work of tracks.c
 * calls view_track_read. A pass can be cancelled.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "track_reading.h"

enum { PIDS_MOST = 65536, BATCH_ROWS = 4096 };

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
	[VIEW_TRACK_TASK] = {"thread_state", {TRACK_COLUMNS, "state"}, 0, BY_PID, {"sched/sched_"}},
	[VIEW_TRACK_PROCESS] =
		{"thread_state", {TRACK_COLUMNS, "state"}, 0, BY_PID, {"sched/sched_"}},
	[VIEW_TRACK_WAKEUP] = {"wakeup",
			       {TRACK_COLUMNS, "waker_pid", "waker_cpu", "wakeup_ts"},
			       0,
			       BY_PID,
			       {"sched/sched_"}},
	[VIEW_TRACK_WAKEUP_TIMES] =
		{"wakeup", {TRACK_COLUMNS, "comm"}, 0, BY_ANY, {"sched/sched_"}},
	[VIEW_TRACK_IRQ] = {"irq", {TRACK_COLUMNS, "name"}, 0, BY_CPU, {"irq/irq_handler_"}},
	[VIEW_TRACK_SOFTIRQ] = {"softirq", {TRACK_COLUMNS, "name"}, 0, BY_CPU, {"irq/softirq_"}},
	[VIEW_TRACK_SLICE] =
		{"slice", {TRACK_COLUMNS, "kind", "name", "depth"}, 1, BY_PID, {"ftrace/print"}},
	[VIEW_TRACK_SYSCALL] = {"syscall",
				{TRACK_COLUMNS, "name", "nr"},
				0,
				BY_PID,
				{"syscalls/", "raw_syscalls/"}},
	[VIEW_TRACK_FUNCTION] = {"function",
				 {TRACK_COLUMNS, "func", "depth", "func_addr"},
				 0,
				 BY_PID,
				 {"ftrace/funcgraph_"}},
	[VIEW_TRACK_KVM] =
		{"kvm", {TRACK_COLUMNS, "reason", "exit_reason"}, 0, BY_PID, {"kvm/kvm_"}},
	[VIEW_TRACK_BLOCK] = {"block_io", {TRACK_COLUMNS, "dev", "rwbs"}, 1, BY_ANY, {"block/"}},
	[VIEW_TRACK_COUNTER] = {"counter", {TRACK_COLUMNS, "name", "value"}, 1, BY_CPU, {NULL}},
	[VIEW_TRACK_LATENCY] = {"latency_sample",
				{TRACK_COLUMNS, "source", "metric", "value"},
				2,
				BY_ANY,
				{"ftrace/", "synthetic/"}},
};

/* All tracks of one pass, and the kinds of the tables that are read for them. */
struct pass {
	struct view_reading *v;
	size_t count;
	enum view_track_kind kinds[TDAT_ROWS_TABLES];
	size_t kind_count;
};

/* With several tracks a row belongs to at most one of them, found by the pid or CPU of the row. */
static bool take_row(void *ctx, size_t table, const struct tdat_value *v)
{
	struct pass *p = ctx;
	const enum view_track_kind kind = p->kinds[table];
	const bool by_cpu = sources[kind].id == BY_CPU;

	if (p->count == 1 && kind == p->v->key->kind)
		return view_reading_take(p->v, v);
	for (size_t i = 0; i < p->count; i++)
		if (p->v[i].key->id != v[by_cpu ? TRACK_CPU : TRACK_PID].number) {
			continue;
		} else if (view_track_is_of_calls(p->v[i].key->kind) && kind == VIEW_TRACK_TASK) {
			view_reading_death(&p->v[i], v);
		} else if (p->v[i].key->kind == kind) {
			if (!p->v[i].full && !p->v[i].failed)
				view_reading_take(&p->v[i], v);
			break;
		}
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
	const struct view_reading *r = p->v;
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
	memcpy(few, source->columns, (TRACK_OWN + source->name_columns) * sizeof(*few));
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
			view_reading_early(&p->v[i], pids, opts.pid_count);
		else if (p->v[i].key->kind == VIEW_TRACK_TASK)
			view_reading_early(&p->v[i], (const int32_t[]){(int32_t)p->v[i].key->id},
					   1);
	tdat_filter_free(filter);
	free(pids);
	return st;
}

/* ---- fields ---- */

/* Values of a field of any event; text fields are skipped. */
static size_t take_events(void *ctx, const struct tdat_event *events, size_t count)
{
	struct view_reading *r = ctx;

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
		m = view_reading_mark(r);
		if (!m)
			return i;
		m->from = m->to = events[i].ts;
		m->cpu = (int32_t)events[i].cpu;
		if (field->flags & TDAT_FIELD_SIGNED &&
		    tdat_field_i64(field, events[i].record, &s, NULL) == TDAT_OK)
			view_mark_set(m, (double)s);
		else
			view_mark_set(m, (double)v);
	}
	return __atomic_load_n(r->stop, __ATOMIC_RELAXED) ? 0 : count;
}

static enum tdat_status read_field(struct view_reading *r, struct tdat_error *err)
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

/* The tracks of a pass for which exits of tasks are read. */
struct exits {
	struct view_reading *v[VIEW_TRACKS_AT_ONCE];
	size_t count;
};

/* sched_process_exit is recorded by the task that exits. */
static size_t take_exits(void *ctx, const struct tdat_event *events, size_t count)
{
	const struct exits *x = ctx;

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < x->count; k++) {
			struct view_reading *r = x->v[k];

			if (r->key->id == events[i].pid && r->death_count < TRACK_DEATHS_MOST &&
			    r->key->rec == view_trace_rec(r->t, events[i].input, events[i].buffer))
				r->deaths[r->death_count++] = events[i].ts;
		}
	return __atomic_load_n(x->v[0]->stop, __ATOMIC_RELAXED) ? 0 : count;
}

/* Where no sched_switch tells when a task died, its exit does. */
static enum tdat_status read_exits(struct view_reading *v, size_t count, struct tdat_error *err)
{
	static const char *const exits[] = {"sched/sched_process_exit", NULL};
	struct view_selection s = {.filter = TDAT_FILTER_OPTS_INIT};
	struct exits x = {.count = 0};

	for (size_t i = 0; i < count; i++)
		if (!v[i].death_count)
			x.v[x.count++] = &v[i];
	if (!x.count || !view_index_complete(v->ix) ||
	    !occurs(v->ix, v->t->recs[v->key->rec].input, exits))
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

/* Called on a thread of the engine. A failed pass is that of all tracks. */
void view_track_read(const struct view_index *ix, struct view_track *const *tracks, size_t count,
		     const bool *stop)
{
	const struct view_trace *t = ix->trace;
	const struct view_track_key *key = &tracks[0]->key;
	struct view_reading readings[VIEW_TRACKS_AT_ONCE];
	struct pass p = {.v = readings, .count = count};
	struct view_track_key task = {.kind = VIEW_TRACK_TASK, .id = -1, .text = "", .more = ""};
	struct tdat_error err = TDAT_ERROR_INIT;
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; i < count; i++) {
		struct view_reading *r = &readings[i];
		size_t at = 0;

		*r = (struct view_reading){
			.ix = ix, .t = t, .key = &tracks[i]->key, .track = tracks[i], .stop = stop};
		if (key->rec < t->rec_count)
			r->buffer = t->recs[key->rec].name;
		while (at < p.kind_count && p.kinds[at] != r->key->kind)
			at++;
		if (at == p.kind_count)
			p.kinds[p.kind_count++] = r->key->kind;
	}
	task.rec = key->rec;
	if (view_track_is_of_calls(key->kind) && !key->names_only &&
	    view_track_may_exist(ix, &task))
		p.kinds[p.kind_count++] = VIEW_TRACK_TASK;
	if (key->kind == VIEW_TRACK_FIELD)
		st = read_field(readings, &err);
	else if (key->rec < t->rec_count)
		st = read_table(&p, &err);
	if (st == TDAT_OK && view_track_is_of_calls(key->kind) && !key->names_only &&
	    key->rec < t->rec_count)
		st = read_exits(readings, count, &err);
	for (size_t i = 0; i < count; i++) {
		if (st != TDAT_OK)
			tracks[i]->head.err = err;
		else
			view_reading_finish(&readings[i]);
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
