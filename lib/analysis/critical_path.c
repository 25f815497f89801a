/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table critical_path: why each task was where it was at each time. States of tasks are those
 * of thread_state; the end of each one is explained at once (critical_walk.c) by the moments of
 * tasks and CPUs before it, of which the last 2^20 are kept in a ring, linked by task and by CPU.
 * With tdat_explain only chosen times are explained: those of some tasks, or the longest waits,
 * whose rows are kept until the end.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "critical.h"

enum { PREV_PID, PREV_PRIO, PREV_STATE, NEXT_PID, NEXT_PRIO };
enum { WAKE_PID, WAKE_PRIO, WAKE_TARGET_CPU, WAKE_OLD_CPU, WAKE_SUCCESS, WAKE_FLAGS };
enum { MIGRATED_PID, DEST_CPU };
/* Segments that the longest waits may have together. */
enum { KEPT_ROWS = 1 << 19 };

static const char *const kinds[CRITICAL_KINDS] = {
	[CRITICAL_UNKNOWN] = "unknown",	    [CRITICAL_RUNNING] = "running",
	[CRITICAL_RUNNABLE] = "runnable",   [CRITICAL_IRQ] = "irq",
	[CRITICAL_SOFTIRQ] = "softirq",	    [CRITICAL_IDLE_EXIT] = "idle_exit",
	[CRITICAL_MIGRATION] = "migration", [CRITICAL_BLOCKED] = "blocked",
	[CRITICAL_LOCK] = "lock",	    [CRITICAL_SIGNAL] = "signal",
	[CRITICAL_BLOCK_IO] = "block_io",   [CRITICAL_TIMER] = "timer",
	[CRITICAL_NETWORK] = "network",	    [CRITICAL_FUTEX] = "futex",
	[CRITICAL_PIPE] = "pipe",	    [CRITICAL_PAGE_FAULT] = "page_fault",
};

static const struct meta_column columns[] = {
	{"depth", TABLE_INT, 4, true},	 {"kind", TABLE_NAME, 0, false},
	{"by_pid", TABLE_INT, 4, true},	 {"by_comm", TABLE_NAME, 0, false},
	{"what", TABLE_NAME, 0, false},	 {"state", TABLE_NAME, 0, false},
	{"of_pid", TABLE_INT, 4, true},	 {"of_comm", TABLE_NAME, 0, false},
	{"of_ts", TABLE_TIME, 0, false}, {NULL, TABLE_INT, 0, false},
};

/* ---- rows ---- */

static const char *state_text(enum task_state state)
{
	switch (state) {
	case TASK_RUNNING:
		return "running";
	case TASK_RUNNABLE:
		return "runnable";
	case TASK_SLEEPING:
		return "blocked";
	case TASK_DEAD:
		return "dead";
	default:
		return NULL;
	}
}

static enum task_state folded(enum task_state state)
{
	switch (state) {
	case TASK_UNKNOWN:
	case TASK_RUNNING:
	case TASK_DEAD:
		return state;
	case TASK_RUNNABLE:
	case TASK_PREEMPTED:
		return TASK_RUNNABLE;
	default:
		return TASK_SLEEPING;
	}
}

static void put_values(struct derived_out *o, uint32_t rec, const struct critical_row *row,
		       int64_t of_pid, uint64_t of_ts)
{
	derived_put_int(o, row->depth);
	derived_put_name(o, kinds[row->kind]);
	derived_put_known(o, row->has_by, (uint64_t)(int64_t)row->by);
	derived_put_task(o, row->by_rec, row->has_by ? row->by : DERIVED_NO_PID);
	derived_put_name(o, row->what && *row->what ? row->what : NULL);
	derived_put_name(o, state_text(row->state));
	derived_put_int(o, of_pid);
	derived_put_task(o, rec, of_pid);
	derived_put_int(o, (int64_t)of_ts);
}

/* The row of a state that stays open: there is nothing that would explain it. */
static void put(void *state, const void *entry, const void *interval, const struct derived_end *end)
{
	struct derived_out *o = ((struct derived_state *)state)->out;
	const struct critical_task *t = entry;
	const struct critical_row row = {
		.kind = t->state == TASK_RUNNING ? CRITICAL_RUNNING : CRITICAL_UNKNOWN,
		.what = t->state == TASK_RUNNING		? NULL
			: !strcmp(end->open, DERIVED_OPEN_LOST) ? "events were lost"
			: t->state == TASK_DEAD			? CRITICAL_ENDED
								: "its end is not in the trace",
		.state = folded(t->state)};

	(void)interval;
	put_values(o, (uint32_t)t->entry.key[0], &row, t->entry.open.pid, t->entry.open.ts);
}

/* Puts an explanation. any: whatever rows were chosen, as the time was. */
static void put_rows(struct critical *c, uint32_t rec, const struct critical_rows *rows,
		     int64_t of_pid, uint64_t of_ts, bool any)
{
	for (size_t i = 0; i < rows->count; i++) {
		const struct critical_row *r = &rows->v[i];
		const struct derived_row row = {
			.rec = r->rec, .cpu = r->cpu, .ts = r->ts, .dur = r->dur, .pid = r->pid};

		if (any ? derived_row_begin_any(c->state.out, &row)
			: derived_row_begin(c->state.out, &row)) {
			put_values(c->state.out, rec, r, of_pid, of_ts);
			derived_row_end(c->state.out);
		}
	}
}

/* ---- the longest waits ---- */

/* Whether a wait is longer than another one; of equal ones the first counts. */
static bool is_worse(const struct critical_wait *a, uint64_t dur)
{
	return dur > a->dur;
}

static void forget_least(struct critical *c)
{
	struct critical_wait *w = &c->worst[--c->worst_count];

	c->kept -= w->rows.count;
	free(w->rows.v);
}

/* Keeps the explanation of a wait, if it is one of the longest; the list is sorted. */
static void keep_worst(struct critical *c, uint32_t rec, uint32_t cpu, int32_t pid, uint64_t from,
		       uint64_t to)
{
	const size_t most = c->explain->worst;
	struct critical_wait *w = c->worst, own;
	size_t at = c->worst_count;

	if ((at == most && !is_worse(&w[at - 1], to - from)) || to - from <= c->refused)
		return;
	if (!derived_wants_row(
		    c->state.out,
		    &(struct derived_row){
			    .rec = rec, .cpu = cpu, .ts = from, .dur = to - from, .pid = pid}))
		return;
	critical_explain(c, rec, pid, from, to);
	own = (struct critical_wait){.rec = rec, .pid = pid, .ts = from, .dur = to - from};
	if (!TDAT_GROW(own.rows.v, &own.rows.cap, c->rows.count + 1)) {
		derived_fail(c->state.out);
		return;
	}
	memcpy(own.rows.v, c->rows.v, c->rows.count * sizeof(*c->rows.v));
	own.rows.count = c->rows.count;
	if (at == most)
		forget_least(c);
	at = c->worst_count++;
	while (at && is_worse(&w[at - 1], own.dur)) {
		w[at] = w[at - 1];
		at--;
	}
	w[at] = own;
	c->kept += own.rows.count;
	/* The longest ones stay, and none that is shorter than one that had no room. */
	while (c->kept > KEPT_ROWS) {
		c->refused = w[c->worst_count - 1].dur;
		derived_note(c->state.out,
			     "explanation, because longer waits have 524288 segments");
		forget_least(c);
	}
}

static void put_worst(void *state)
{
	struct critical *c = state;

	for (size_t i = 0; i < c->worst_count; i++)
		put_rows(c, c->worst[i].rec, &c->worst[i].rows, c->worst[i].pid, c->worst[i].ts,
			 true);
}

/* ---- the history ---- */

struct critical_cpu *critical_cpu_of(struct critical *c, uint32_t rec, uint32_t cpu)
{
	return derived_entry_get(&c->state, &c->cpus, (const uint64_t[]){rec, cpu});
}

static void explain_held(struct critical *c, struct critical_task *t);

struct critical_task *critical_task_of(struct critical *c, uint32_t rec, int64_t pid)
{
	const uint64_t key[TDAT_KEY_MOST] = {rec, (uint32_t)pid};
	struct critical_task *t = pid ? tdat_entry_find(&c->state.entries, key) : NULL;

	/* What comes next is lost, and said at once. */
	if (t && t->held.is && !derived_knows(&c->state, rec, t->entry.open.known))
		explain_held(c, t);
	t = pid ? derived_get(c, key) : NULL;
	if (!t)
		return NULL;
	/* What is known of a task is known of its calls, locks and faults, too. */
	if (!t->entry.open.is) {
		t->state = TASK_UNKNOWN;
		if (!derived_knows(&c->state, rec, t->entry.open.known)) {
			t->in_call = t->fault = false;
			t->call = NULL;
			t->lock_count = 0;
		}
	}
	if (t->has_out && !derived_knows(&c->state, rec, t->out_known))
		t->has_out = false;
	t->entry.open.known = derived_now(&c->state, rec);
	return t;
}

static uint32_t distance(const struct critical *c, uint64_t last)
{
	const uint64_t d = c->moment_count + 1 - last;

	return last && d < CRITICAL_MOMENTS ? (uint32_t)d : 0;
}

/* Adds a moment to the chain of its task, of its CPU, or both. */
static void add_moment(struct critical *c, struct critical_task *t, struct critical_cpu *cpu,
		       struct moment m)
{
	m.task_before = t ? distance(c, t->last) : 0;
	m.cpu_before = cpu ? distance(c, cpu->last) : 0;
	c->moments[c->moment_count++ & (CRITICAL_MOMENTS - 1)] = m;
	if (t)
		t->last = c->moment_count;
	if (cpu)
		cpu->last = c->moment_count;
}

/* While the events of a CPU are missing, each moment counts as one behind a further loss. */
static struct moment moment_of(struct critical *c, const struct critical_cpu *on,
			       enum moment_type type, uint64_t ts, int64_t pid, uint32_t cpu)
{
	if (on && c->state.gaps[on->key[0]])
		c->losses[on->key[0]]++;
	return (struct moment){.ts = ts,
			       .type = (uint8_t)type,
			       .pid = (int32_t)pid,
			       .cpu = cpu,
			       .losses = on ? c->losses[on->key[0]] : 0,
			       .cpu_losses = on ? on->losses : 0};
}

/* What the CPU does: the innermost interrupt, else its task. */
static void occupant_of(const struct critical_cpu *cpu, struct moment *m)
{
	if (cpu->context_count) {
		m->occupant = cpu->contexts[cpu->context_count - 1].occupant;
		m->what = cpu->contexts[cpu->context_count - 1].what;
	} else if (!cpu->known) {
		m->occupant = OCCUPANT_LOST;
	} else if (cpu->pid) {
		m->occupant = OCCUPANT_TASK;
		m->since = cpu->since;
	} else {
		m->occupant = cpu->idle;
		m->what = cpu->idle_what;
	}
	m->pid = cpu->pid;
	m->prio = cpu->prio;
}

void critical_occupy(struct critical *c, struct critical_cpu *cpu, uint64_t ts)
{
	struct moment m = moment_of(c, cpu, MOMENT_CPU, ts, 0, (uint32_t)cpu->key[1]);

	occupant_of(cpu, &m);
	add_moment(c, NULL, cpu, m);
}

/* What the CPU did behind its last event is not known. */
static void take_loss(void *state, uint32_t rec, uint32_t cpu)
{
	struct critical *c = state;
	struct critical_cpu *on = critical_cpu_of(c, rec, cpu);

	c->losses[rec]++;
	if (!on)
		return;
	on->losses++;
	on->known = false;
	on->context_count = on->contexts_beyond = 0;
	on->proof.kind = CRITICAL_UNKNOWN;
	on->signaled = on->woken = on->stack_of = 0;
	on->idle = OCCUPANT_IDLE;
	critical_occupy(c, on, on->last_ts);
}

/* ---- states of tasks ---- */

static bool waits(enum task_state state)
{
	return state != TASK_RUNNING && state != TASK_RUNNABLE && state != TASK_PREEMPTED;
}

/* Whether the state that a task is in is one of those that are explained. */
static bool is_asked(const struct critical *c, const struct critical_task *t)
{
	if (c->explain->of == TDAT_EXPLAIN_WAKEUPS)
		return t->woken && t->state == TASK_RUNNABLE;
	return c->explain->of == TDAT_EXPLAIN_ALL || t->state != TASK_RUNNING;
}

static void explain_held(struct critical *c, struct critical_task *t)
{
	const uint32_t rec = (uint32_t)t->entry.key[0];
	const int32_t pid = (int32_t)t->entry.key[1];

	if (!t->held.is)
		return;
	t->held.is = false;
	critical_explain(c, rec, pid, t->held.from, t->held.to);
	put_rows(c, rec, &c->rows, pid, t->held.from, c->explain);
}

/*
 * Ends the state of a task, and explains it: at once, or with the one that a wakeup begins. The
 * moment that ends it is in its chain. Chosen by CPU, a state is that of the CPU on which it ends:
 * where the task gets or leaves a CPU; one that a wakeup ends, where the task waited.
 */
static void leave(struct critical *c, struct critical_task *t, const struct tdat_event *ev,
		  bool follows, bool woken)
{
	const struct derived_open open = t->entry.open;
	const struct derived_row row = {.rec = (uint32_t)t->entry.key[0],
					.cpu = woken ? open.cpu : ev->cpu,
					.ts = open.ts,
					.dur = ev->ts - open.ts,
					.pid = open.pid};

	explain_held(c, t);
	t->entry.open.is = false;
	/* Of times that are asked for it counts what is wrong with them. */
	if (c->explain && (!open.is || !is_asked(c, t) || !derived_wants_row(c->state.out, &row)))
		return;
	if (!open.is || !follows) {
		derived_note(c->state.out, open.is ? DERIVED_CONTRADICTION : DERIVED_NO_START);
		return;
	}
	if (derived_goes_back(open.ts, ev->ts)) {
		derived_note(c->state.out, DERIVED_BACKWARDS);
		return;
	}
	if (c->explain && c->explain->worst)
		return;
	t->held.is = true;
	t->held.from = open.ts;
	t->held.to = ev->ts;
	if (!woken)
		explain_held(c, t);
}

/* cpu: where it is, or waits. */
static void enter(struct critical_task *t, enum task_state state, const struct tdat_event *ev,
		  uint32_t cpu)
{
	t->state = state;
	t->entry.open = (struct derived_open){.is = true,
					      .stays = state == TASK_RUNNING,
					      .moves = true,
					      .cpu = cpu,
					      .ts = ev->ts,
					      .known = t->entry.open.known,
					      .pid = (int32_t)t->entry.key[1]};
}

static void switch_out(struct critical *c, const struct derived_type *type,
		       const struct tdat_event *ev, uint32_t rec, const struct critical_cpu *cpu)
{
	const struct derived_field *f = type->fields;
	struct critical_task *t = critical_task_of(c, rec, derived_int(&f[PREV_PID], ev->record));
	enum task_state to;
	struct moment m;
	bool ran;

	if (!t)
		return;
	ran = t->state == TASK_RUNNING && t->entry.open.cpu == ev->cpu;
	m = moment_of(c, cpu, MOMENT_OUT, ev->ts, (int32_t)t->entry.key[1], ev->cpu);
	m.by = (int32_t)derived_int(&f[NEXT_PID], ev->record);
	to = task_state(&c->decoded, type, &f[PREV_STATE], ev->record)->state;
	m.waits = waits(to);
	m.preempted = to == TASK_PREEMPTED;
	m.dead = to == TASK_DEAD;
	add_moment(c, t, NULL, m);
	leave(c, t, ev, ran, false);
	enter(t, to, ev, ev->cpu);
	t->woken = false;
	t->has_out = to != TASK_DEAD;
	t->out = ev->ts;
	t->out_known = t->entry.open.known;
	t->stack_kind = CRITICAL_UNKNOWN;
}

/* A task gets a CPU: its wait from the switch out, or from the wakeup, may be one of the longest.
 */
static void take_wait(struct critical *c, const struct critical_task *t,
		      const struct tdat_event *ev, uint32_t rec)
{
	const bool by_wakeup = c->explain->of == TDAT_EXPLAIN_WAKEUPS;
	const uint64_t from = by_wakeup ? t->entry.open.ts : t->out;

	if ((by_wakeup ? t->woken && t->entry.open.is : t->has_out) &&
	    !derived_goes_back(from, ev->ts))
		keep_worst(c, rec, ev->cpu, (int32_t)t->entry.key[1], from, ev->ts);
}

static void switch_in(struct critical *c, const struct derived_field *f,
		      const struct tdat_event *ev, uint32_t rec, struct critical_cpu *cpu)
{
	const int64_t pid = derived_int(&f[NEXT_PID], ev->record);
	struct critical_task *t = critical_task_of(c, rec, pid);
	struct moment m = moment_of(c, cpu, MOMENT_IN, ev->ts, pid, ev->cpu);

	cpu->known = true;
	cpu->pid = (int32_t)pid;
	cpu->prio = (int32_t)derived_int(&f[NEXT_PRIO], ev->record);
	cpu->since = ev->ts;
	cpu->idle = OCCUPANT_IDLE;
	cpu->idle_what = NULL;
	/* Nothing but a task switches: ends of interrupts were not recorded. */
	cpu->context_count = cpu->contexts_beyond = 0;
	occupant_of(cpu, &m);
	add_moment(c, t, cpu, m);
	if (!t)
		return;
	if (c->explain && c->explain->worst)
		take_wait(c, t, ev, rec);
	leave(c, t, ev, t->state != TASK_RUNNING, false);
	enter(t, TASK_RUNNING, ev, ev->cpu);
	t->has_out = t->woken = t->fault = false;
}

static void take_switch(struct critical *c, const struct derived_type *type,
			const struct tdat_event *ev, uint32_t rec)
{
	const struct derived_field *f = type->fields;
	struct critical_cpu *cpu = critical_cpu_of(c, rec, ev->cpu);

	if (!cpu)
		return;
	cpu->last_ts = ev->ts;
	cpu->proof.kind = CRITICAL_UNKNOWN;
	cpu->signaled = cpu->woken = 0;
	switch_out(c, type, ev, rec, cpu);
	switch_in(c, f, ev, rec, cpu);
	cpu->stack_of = (int32_t)derived_int(&f[PREV_PID], ev->record);
}

static uint32_t target_of(const struct derived_field *f, struct tdat_span rec)
{
	const size_t at = derived_has(&f[WAKE_TARGET_CPU], rec) ? WAKE_TARGET_CPU : WAKE_OLD_CPU;

	return derived_has(&f[at], rec) ? (uint32_t)derived_u64(&f[at], rec) : DERIVED_NO_CPU;
}

/* It is in another run queue from now on. */
static void place(struct critical *c, struct critical_task *t, struct moment m)
{
	add_moment(c, t, NULL, m);
	if (t->entry.open.is && (t->state == TASK_RUNNABLE || t->state == TASK_PREEMPTED))
		t->entry.open.cpu = m.cpu;
}

/* sched_waking, or the first of sched_wakeup; or where the task was put. */
static void take_wake(struct critical *c, const struct derived_type *type,
		      const struct tdat_event *ev, uint32_t rec)
{
	const struct derived_field *f = type->fields;
	struct critical_cpu *cpu = critical_cpu_of(c, rec, ev->cpu);
	const int64_t pid = derived_int(&f[WAKE_PID], ev->record);
	struct critical_task *t;
	struct moment m;

	if (!cpu || !pid ||
	    (derived_has(&f[WAKE_SUCCESS], ev->record) &&
	     !derived_u64(&f[WAKE_SUCCESS], ev->record)))
		return;
	cpu->last_ts = ev->ts;
	cpu->stack_of = 0;
	if (cpu->woken != pid)
		cpu->woken = 0;
	t = critical_task_of(c, rec, pid);
	if (!t)
		return;
	m = moment_of(c, cpu, MOMENT_PLACE, ev->ts, pid, target_of(f, ev->record));
	if (waits(t->state)) {
		m.type = MOMENT_WAKE;
		m.placed = type->kind != CRITICAL_WAKING;
		critical_wake_kind(c, t, cpu, ev, derived_u64(&f[WAKE_FLAGS], ev->record), &m);
		m.created = type->kind == CRITICAL_CREATED;
		add_moment(c, t, NULL, m);
		cpu->woken = (int32_t)pid;
		cpu->wake = c->moment_count;
		leave(c, t, ev, true, true);
		enter(t, TASK_RUNNABLE, ev, m.cpu);
		t->woken = true;
		if (m.created) {
			/* A new task waits from then on. */
			t->has_out = true;
			t->out = ev->ts;
			t->out_known = t->entry.open.known;
		}
	} else if (type->kind != CRITICAL_WAKING) {
		place(c, t, m);
	}
	cpu->signaled = 0;
}

static void take_migration(struct critical *c, const struct derived_type *type,
			   const struct tdat_event *ev, uint32_t rec)
{
	const struct derived_field *f = type->fields;
	struct critical_cpu *cpu = critical_cpu_of(c, rec, ev->cpu);
	struct critical_task *t =
		critical_task_of(c, rec, derived_int(&f[MIGRATED_PID], ev->record));
	struct moment m;

	if (!cpu || !t)
		return;
	cpu->last_ts = ev->ts;
	cpu->stack_of = cpu->signaled = 0;
	if (cpu->woken != (int32_t)t->entry.key[1])
		cpu->woken = 0;
	m = moment_of(c, cpu, MOMENT_MIGRATE, ev->ts, (int32_t)t->entry.key[1],
		      (uint32_t)derived_u64(&f[DEST_CPU], ev->record));
	m.by = ev->pid;
	place(c, t, m);
}

static void take_event(void *state, const struct derived_type *type, const struct tdat_event *ev,
		       uint32_t rec)
{
	struct critical *c = state;

	c->budget += c->budget < CRITICAL_BUDGET ? CRITICAL_STEPS : 0;
	switch (type->kind) {
	case CRITICAL_SWITCH:
		take_switch(state, type, ev, rec);
		break;
	case CRITICAL_WAKING:
	case CRITICAL_WAKEUP:
	case CRITICAL_CREATED:
		take_wake(state, type, ev, rec);
		break;
	case CRITICAL_MIGRATES:
		take_migration(state, type, ev, rec);
		break;
	default:
		critical_proof(state, type, ev, rec);
	}
}

/* ---- the pass ---- */

static void free_state(void *state)
{
	struct critical *c = state;

	for (size_t i = 0; i < c->worst_count; i++)
		free(c->worst[i].rows.v);
	free(c->worst);
	free(c->rows.v);
	free(c->picked);
	free(c->moments);
	free(c->losses);
	tdat_entries_fini(&c->cpus);
	tdat_entries_fini(&c->vcpus);
	task_states_fini(&c->decoded);
	critical_proof_fini(c);
}

static void explain_last(void *state)
{
	struct critical *c = state;

	for (size_t i = 0; i < c->state.entries.end; i++) {
		struct critical_task *t = tdat_entry_at(&c->state.entries, i);

		if (t)
			explain_held(c, t);
	}
}

static enum tdat_status begin(void *state, struct tdat_error *err)
{
	struct critical *c = state;
	enum tdat_status st = task_states_init(&c->decoded, c->state.out, err);

	tdat_entries_init(&c->cpus, sizeof(struct critical_cpu), 2, CRITICAL_TASKS);
	critical_find_vcpus(c);
	c->explain = derived_explain(c->state.out);
	c->budget = CRITICAL_BUDGET;
	c->counts_ns = true;
	for (uint32_t i = 0; i < derived_rec_count(c->state.out); i++)
		c->counts_ns &= derived_counts_ns(c->state.out, derived_rec_input(c->state.out, i));
	c->moments = calloc(CRITICAL_MOMENTS, sizeof(*c->moments));
	c->losses = calloc((size_t)derived_rec_count(c->state.out) + 1, sizeof(*c->losses));
	c->worst = c->explain ? calloc((size_t)c->explain->worst + 1, sizeof(*c->worst)) : NULL;
	if (st == TDAT_OK && (!c->moments || !c->losses || (c->explain && !c->worst)))
		st = tdat_error_no_memory(err, "critical_path");
	return st == TDAT_OK ? critical_proof_init(c, err) : st;
}

const struct table_derived analysis_critical_path = {
	.name = "critical_path",
	.columns = columns,
	.events = critical_events,
	.event_count = CRITICAL_EVENTS,
	.about = {"why tasks ran or waited, and what their wakers did meanwhile",
		  "sched/sched_switch",
		  "-e sched -e irq -e timer -e block -e power:cpu_idle -e raw_syscalls"},
	.is_dear = true,

	.state_len = sizeof(struct critical),
	.entry_len = sizeof(struct critical_task),
	.most = CRITICAL_TASKS,
	.begin = begin,
	.event = take_event,
	.lost = take_loss,
	.put = put,
	.last = explain_last,
	.end = put_worst,
	.free = free_state,
	.late = true, /* segments of a wait that began before the wanted time */
};
