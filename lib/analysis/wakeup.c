/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table wakeup: how long a task that was woken waited for a CPU. sched_waking or
 * sched_wakeup begins a wait, the sched_switch to that task ends it. The first of several wakeups
 * counts; one of a task that runs, and one that did not succeed, gives no row. If events
 * are lost in between, the row is put without an end.
 */
#include "analysis.h"
#include "wake_fields.h"

/* Tasks that are followed at once. */
enum { TASKS_MAX = 1 << 20 };

enum kind { SWITCH, WAKING, WAKEUP };
enum { PREV_PID, NEXT_PID };
static const char *const switch_fields[] = {"prev_pid", "next_pid", NULL};
static const char *const wake_fields[] = WAKE_FIELDS;

static const struct derived_event events[] = {
	{"sched/sched_switch", SWITCH, switch_fields},
	{"sched/sched_waking", WAKING, wake_fields},
	{"sched/sched_wakeup", WAKEUP, wake_fields},
	{"sched/sched_wakeup_new", WAKEUP, wake_fields},
};

static const struct meta_column columns[] = {
	{"prio", TABLE_INT, 4, true},	     {"target_cpu", TABLE_INT, 4, false},
	{"waker_pid", TABLE_INT, 4, true},   {"waker_comm", TABLE_NAME, 0, false},
	{"waker_cpu", TABLE_INT, 4, false},  {"waking_ts", TABLE_TIME, 0, false},
	{"wakeup_ts", TABLE_TIME, 0, false}, {"wakeup_dur", TABLE_INT, 8, true},
	{NULL, TABLE_INT, 0, false},
};

/* A task, whose interval is how long it has been waiting for a CPU. */
struct task {
	struct derived_entry entry; /* recording, pid */
	bool runs, has_waking, has_wakeup;
	uint32_t cpu;		 /* while it runs */
	uint64_t waking, wakeup; /* times */
	uint32_t target_cpu, waker_cpu;
	int64_t prio, waker_pid;
};

/* The values of a row; wakeup_dur counts from sched_wakeup, dur from the first event. */
static void put(void *state, const void *entry, const void *interval, const struct derived_end *end)
{
	struct derived_out *o = ((struct derived_state *)state)->out;
	const struct task *t = entry;

	(void)interval;
	derived_put_int(o, t->prio);
	derived_put_known(o, t->target_cpu != DERIVED_NO_CPU, t->target_cpu);
	derived_put_int(o, t->waker_pid);
	derived_put_task(o, (uint32_t)t->entry.key[0], t->waker_pid);
	derived_put_int(o, t->waker_cpu);
	derived_put_known(o, t->has_waking, t->waking);
	derived_put_known(o, t->has_wakeup, t->wakeup);
	derived_put_known(o, t->has_wakeup && !end->open, end->ts - t->wakeup);
}

/* The task of a pid, with what is still known of it; NULL: there are too many. */
static struct task *find_task(struct derived_state *s, uint32_t rec, int64_t pid)
{
	struct task *t = derived_get(s, (const uint64_t[TDAT_KEY_MOST]){rec, (uint32_t)pid});

	if (!t)
		return NULL;
	t->runs = t->runs && derived_knows_running(s, rec, t->cpu, t->entry.open.known);
	t->entry.open.known = derived_now(s, rec);
	return t;
}

/* The task runs: its wait ends. */
static void switch_in(struct derived_state *s, const struct derived_field *f,
		      const struct tdat_event *ev, uint32_t rec)
{
	const int64_t pid = derived_int(&f[NEXT_PID], ev->record);
	struct task *t = pid ? find_task(s, rec, pid) : NULL;

	if (!t)
		return;
	if (t->entry.open.is) {
		t->entry.open.cpu = ev->cpu;
		derived_close(s, t, ev->ts, NULL);
	}
	t->runs = true;
	t->cpu = ev->cpu;
}

/* The task leaves the CPU: from now on a wakeup counts. */
static void switch_out(struct derived_state *s, const struct derived_field *f,
		       const struct tdat_event *ev, uint32_t rec)
{
	const int64_t pid = derived_int(&f[PREV_PID], ev->record);
	struct task *t = pid ? find_task(s, rec, pid) : NULL;

	if (!t)
		return;
	/* It ran although it was waiting for a CPU: it was woken before it had gone to sleep. */
	if (t->entry.open.is)
		derived_note(s->out, DERIVED_CONTRADICTION);
	t->entry.open.is = t->runs = false;
}

/* Begins a wait, or adds sched_wakeup to one that sched_waking began. */
static void wake(struct derived_state *s, const struct derived_type *type,
		 const struct tdat_event *ev, uint32_t rec)
{
	const struct derived_field *f = type->fields;
	const int64_t pid = derived_int(&f[WAKE_PID], ev->record);
	struct task *t;

	if (!pid || wake_failed(f, ev->record))
		return;
	t = find_task(s, rec, pid);
	if (!t || t->runs)
		return;
	/* cpu is unknown: which CPU the task will run on shows only at the switch. */
	if (!t->entry.open.is) {
		t->entry.open = (struct derived_open){.is = true,
						      .cpu = DERIVED_NO_CPU,
						      .ts = ev->ts,
						      .known = derived_now(s, rec),
						      .pid = (int32_t)pid};
		t->has_waking = t->has_wakeup = false;
		t->waker_pid = ev->pid;
		t->waker_cpu = ev->cpu;
	} else if (type->kind == WAKING || t->has_wakeup) {
		return; /* it waits already */
	}
	if (type->kind == WAKING) {
		t->has_waking = true;
		t->waking = ev->ts;
	} else {
		t->has_wakeup = true;
		t->wakeup = ev->ts;
	}
	t->prio = derived_int(&f[WAKE_PRIO], ev->record);
	t->target_cpu = wake_target(f, ev->record);
}

/* A switch first ends the run of one task, then begins that of the other. */
static void take_event(void *state, const struct derived_type *type, const struct tdat_event *ev,
		       uint32_t rec)
{
	if (type->kind == SWITCH) {
		switch_out(state, type->fields, ev, rec);
		switch_in(state, type->fields, ev, rec);
	} else {
		wake(state, type, ev, rec);
	}
}

const struct table_derived analysis_wakeup = {
	ANALYSIS_TABLE(wakeup),
	.about = {"time from wakeup to running",
		  "sched/sched_switch sched/sched_wakeup|sched/sched_wakeup_new|sched/sched_waking",
		  "-e sched_switch -e sched_wakeup"},

	.entry_len = sizeof(struct task),
	.most = TASKS_MAX,
	.event = take_event,
	.put = put,
};
