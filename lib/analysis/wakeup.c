/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table wakeup: how long a task that was woken waited for a CPU. sched_waking or
 * sched_wakeup begins a wait, the sched_switch to that task ends it. Of several wakeups the
 * first counts; one of a task that runs, and one that did not succeed, gives no row. If events
 * are lost in between, the row is put without an end.
 */
#include <stdlib.h>

#include "analysis.h"
#include "losses.h"
#include "map.h"
#include "wake_fields.h"

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

struct task {
	struct map_key key; /* recording, pid */
	bool runs, woken;
	bool has_waking, has_wakeup;
	uint32_t cpu;		 /* while it runs */
	uint64_t waking, wakeup; /* times */
	uint64_t known;		 /* losses_now, when this was found out */
	uint32_t target_cpu, waker_cpu;
	int64_t prio, waker_pid;
};

struct wakeups {
	struct losses losses; /* first: losses_take gets it */
	struct derived_out *out;
	struct map tasks;
};

static uint64_t first_ts(const struct task *t)
{
	return t->has_waking ? t->waking : t->wakeup;
}

static void put_ts(struct derived_out *o, bool has, uint64_t ts)
{
	if (has)
		derived_put_int(o, (int64_t)ts);
	else
		derived_put_null(o);
}

static void put_cpu(struct derived_out *o, uint32_t cpu)
{
	if (cpu == DERIVED_NO_CPU)
		derived_put_null(o);
	else
		derived_put_int(o, cpu);
}

/* end: when it got a CPU; unless open says why that is not known. */
static void put(struct wakeups *w, const struct task *t, uint32_t cpu, uint64_t end,
		const char *open)
{
	const uint64_t ts = first_ts(t);
	const struct derived_row row = {.rec = (uint32_t)t->key.a,
					.cpu = cpu,
					.ts = ts,
					.dur = open ? DERIVED_NO_DUR : end - ts,
					.pid = (int32_t)t->key.b,
					.open = open};

	if (!derived_row_begin(w->out, &row))
		return;
	derived_put_int(w->out, t->prio);
	put_cpu(w->out, t->target_cpu);
	derived_put_int(w->out, t->waker_pid);
	derived_put_task(w->out, row.rec, t->waker_pid);
	derived_put_int(w->out, t->waker_cpu);
	put_ts(w->out, t->has_waking, t->waking);
	put_ts(w->out, t->has_wakeup, t->wakeup);
	put_ts(w->out, t->has_wakeup && !open, end - t->wakeup);
	derived_row_end(w->out);
}

/* The task of a pid, with what is still known of it; NULL: there are too many. */
static struct task *find_task(struct wakeups *w, uint32_t rec, int64_t pid)
{
	struct task *t = map_get(&w->tasks, rec, (uint32_t)pid);

	if (!t) {
		derived_note(w->out, ANALYSIS_FULL);
		return NULL;
	}
	if (t->woken && !losses_knows(&w->losses, rec, t->known)) {
		put(w, t, DERIVED_NO_CPU, 0, ANALYSIS_OPEN_LOST);
		t->woken = false;
	}
	if (t->runs && !losses_knows_running(&w->losses, rec, t->cpu, t->known))
		t->runs = false;
	t->known = losses_now(&w->losses, rec);
	return t;
}

static void switch_in(struct wakeups *w, const struct derived_field *f, const struct tdat_event *ev,
		      uint32_t rec)
{
	const int64_t pid = derived_int(&f[NEXT_PID], ev->record);
	struct task *t = pid ? find_task(w, rec, pid) : NULL;

	if (!t)
		return;
	if (t->woken && derived_goes_back(first_ts(t), ev->ts))
		derived_note(w->out, ANALYSIS_BACKWARDS);
	else if (t->woken)
		put(w, t, ev->cpu, ev->ts, NULL);
	t->woken = false;
	t->runs = true;
	t->cpu = ev->cpu;
}

static void switch_out(struct wakeups *w, const struct derived_field *f,
		       const struct tdat_event *ev, uint32_t rec)
{
	const int64_t pid = derived_int(&f[PREV_PID], ev->record);
	struct task *t = pid ? find_task(w, rec, pid) : NULL;

	if (!t)
		return;
	/* It ran although it was waiting for a CPU: it was woken before it had gone to sleep. */
	if (t->woken)
		derived_note(w->out, ANALYSIS_CONTRADICTION);
	t->woken = t->runs = false;
}

static void wake(struct wakeups *w, const struct derived_type *type, const struct tdat_event *ev,
		 uint32_t rec)
{
	const struct derived_field *f = type->fields;
	const int64_t pid = derived_int(&f[WAKE_PID], ev->record);
	struct task *t;

	if (!pid || wake_failed(f, ev->record))
		return;
	t = find_task(w, rec, pid);
	if (!t || t->runs)
		return;
	if (!t->woken) {
		t->woken = true;
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

static bool awaits(void *state)
{
	const struct wakeups *w = state;

	for (size_t i = 0; i < w->tasks.end; i++) {
		const struct task *t = map_at(&w->tasks, i);

		if (t && t->woken &&
		    derived_awaits(w->out, first_ts(t), (int32_t)t->key.b, DERIVED_NO_CPU))
			return true;
	}
	return false;
}

static void end(void *state)
{
	struct wakeups *w = state;

	for (size_t i = 0; i < w->tasks.end; i++) {
		const struct task *t = map_at(&w->tasks, i);

		if (t && t->woken)
			put(w, t, DERIVED_NO_CPU, 0,
			    losses_knows(&w->losses, (uint32_t)t->key.a, t->known)
				    ? ANALYSIS_OPEN_END
				    : ANALYSIS_OPEN_LOST);
	}
	if (w->tasks.failed || w->losses.cpus.failed)
		derived_fail(w->out);
}

static void free_state(void *state)
{
	struct wakeups *w = state;

	map_fini(&w->tasks);
	losses_fini(&w->losses);
	free(w);
}

static enum tdat_status begin(void **state, const struct table_derived *def,
			      struct derived_out *out, struct tdat_error *err)
{
	struct wakeups *w = calloc(1, sizeof(*w));

	*state = w;
	if (!w)
		return tdat_error_no_memory(err, def->name);
	w->out = out;
	map_init(&w->tasks, sizeof(struct task), TASKS_MAX);
	if (!losses_init(&w->losses, out))
		return tdat_error_no_memory(err, def->name);
	return TDAT_OK;
}

const struct table_derived analysis_wakeup = {
	.name = "wakeup",
	.columns = columns,
	.events = events,
	.event_count = sizeof(events) / sizeof(events[0]),
	.begin = begin,
	.event = take_event,
	.lost = losses_take,
	.end = end,
	.free = free_state,
	.awaits = awaits,
};
