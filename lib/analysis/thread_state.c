/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table thread_state: what each task did at each time. A task is running, runnable, in one
 * of the sleeping states, or unknown. Switches and wakeups end one row of a task and begin the
 * next one, so its rows do not overlap. After a loss the state is unknown until an event of the
 * task tells it. Stacks of sleeping tasks come from the kernel stack behind the switch, and
 * only if they are wanted: all tasks together keep 64 MiB of them.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "losses.h"
#include "map.h"
#include "task_state.h"
#include "wake_fields.h"

enum { TASKS_MAX = 1 << 20, STACK_MAX = 256, HELD_MAX = (64 << 20) / 8 };
enum { STACK_COLUMN = 6 };

enum kind { SWITCH, WAKE, WAKEUP, STACK };
/* Of both events: what the kernel writes alike into an event and its stack, beside the pid. */
enum { FLAGS, PREEMPT_COUNT };
#define CONTEXT_FIELDS "common_flags", "common_preempt_count"
enum { PREV_PID = PREEMPT_COUNT + 1, PREV_PRIO, PREV_STATE, NEXT_PID, NEXT_PRIO };
static const char *const switch_fields[] = {CONTEXT_FIELDS, "prev_pid",	 "prev_prio", "prev_state",
					    "next_pid",	    "next_prio", NULL};
static const char *const wake_fields[] = WAKE_FIELDS;
enum { SIZE = PREEMPT_COUNT + 1, CALLER };
static const char *const stack_fields[] = {CONTEXT_FIELDS, "size", "caller", NULL};

static const struct derived_event events[] = {
	{"sched/sched_switch", SWITCH, switch_fields},
	{"sched/sched_waking", WAKE, wake_fields},
	{"sched/sched_wakeup", WAKEUP, wake_fields},
	{"sched/sched_wakeup_new", WAKEUP, wake_fields},
	{"ftrace/kernel_stack", STACK, stack_fields},
};

static const struct meta_column columns[] = {
	{"state", TABLE_NAME, 0, false},      {"prev_state", TABLE_NAME, 0, false},
	{"prio", TABLE_INT, 4, true},	      {"waker_pid", TABLE_INT, 4, true},
	{"waker_comm", TABLE_NAME, 0, false}, {"wakeup_ts", TABLE_TIME, 0, false},
	{"stack", TABLE_LIST_NAME, 0, false}, {NULL, TABLE_INT, 0, false},
};

struct stack {
	const struct table_input *in;
	uint32_t count, cap;
	uint64_t addrs[];
};

struct task {
	struct map_key key; /* recording, pid */
	enum task_state state;
	bool has_waker, has_wakeup;
	uint32_t cpu;
	uint64_t since, wakeup;
	uint64_t known; /* losses_now, when the state was found out */
	int64_t prio, waker_pid;
	const char *text;
	struct stack *stack; /* where it was switched out; or NULL */
	bool has_stack;
};

/* The task that was last switched out of a CPU, by the last event there. */
struct cpu {
	struct map_key key;
	int64_t pid;
	uint64_t flags, preempt_count;
};

struct states {
	struct derived_out *out;
	struct map tasks, cpus;
	struct losses losses;
	struct task_states decoded;
	bool wants_stack;
	size_t held; /* addresses that the stacks of all tasks have room for */
};

static void put_stack(struct states *s, const struct task *t)
{
	if (t->has_stack)
		derived_put_stack(s->out, t->stack->in, t->stack->addrs, t->stack->count);
	else
		derived_put_null(s->out);
}

/* Puts the state that a task was in, until end, or with a reason why the end is not known. */
static void put(struct states *s, const struct task *t, uint64_t end, const char *open)
{
	const struct derived_row row = {.rec = (uint32_t)t->key.a,
					.cpu = t->cpu,
					.ts = t->since,
					.dur = open ? DERIVED_NO_DUR : end - t->since,
					.pid = (int32_t)t->key.b,
					.open = open};

	if (!derived_row_begin(s->out, &row))
		return;
	derived_put_name(s->out, task_state_name(t->state));
	derived_put_name(s->out, t->text);
	derived_put_int(s->out, t->prio);
	if (t->has_waker)
		derived_put_int(s->out, t->waker_pid);
	else
		derived_put_null(s->out);
	derived_put_task(s->out, row.rec, t->has_waker ? t->waker_pid : DERIVED_NO_PID);
	if (t->has_wakeup)
		derived_put_int(s->out, (int64_t)t->wakeup);
	else
		derived_put_null(s->out);
	put_stack(s, t);
	derived_row_end(s->out);
}

static bool is_known(const struct states *s, const struct task *t)
{
	const uint32_t rec = (uint32_t)t->key.a;

	return t->state == TASK_RUNNING ? losses_knows_running(&s->losses, rec, t->cpu, t->known)
					: losses_knows(&s->losses, rec, t->known);
}

/* The task of a pid; its state is TASK_UNKNOWN if events were lost. NULL: there are too many. */
static struct task *find_task(struct states *s, uint32_t rec, int64_t pid)
{
	struct task *t = map_get(&s->tasks, rec, (uint32_t)pid);

	if (!t) {
		derived_note(s->out, ANALYSIS_FULL);
		return NULL;
	}
	if (t->state != TASK_UNKNOWN && !is_known(s, t)) {
		put(s, t, 0, ANALYSIS_OPEN_LOST);
		t->state = TASK_UNKNOWN;
	}
	t->known = losses_now(&s->losses, rec);
	return t;
}

/* Ends the state that a task is in, unless the event cannot follow it. */
static void leave(struct states *s, struct task *t, uint64_t ts, bool follows)
{
	if (t->state == TASK_UNKNOWN)
		derived_note(s->out, ANALYSIS_NO_START);
	else if (!follows)
		derived_note(s->out, ANALYSIS_CONTRADICTION);
	else if (derived_goes_back(t->since, ts))
		derived_note(s->out, ANALYSIS_BACKWARDS);
	else
		put(s, t, ts, NULL);
}

static void enter(struct task *t, enum task_state state, const struct tdat_event *ev, uint32_t cpu)
{
	t->state = state;
	t->since = ev->ts;
	t->cpu = cpu;
	t->text = NULL;
	t->has_waker = t->has_wakeup = t->has_stack = false;
}

static void switch_out(struct states *s, const struct derived_type *type,
		       const struct tdat_event *ev, uint32_t rec)
{
	const struct derived_field *f = type->fields;
	const int64_t pid = derived_int(&f[PREV_PID], ev->record);
	struct cpu *c = map_get(&s->cpus, rec, ev->cpu);
	struct task *t = pid ? find_task(s, rec, pid) : NULL;
	const struct task_state_known *known;

	if (c) {
		c->pid = pid;
		c->flags = derived_u64(&f[FLAGS], ev->record);
		c->preempt_count = derived_u64(&f[PREEMPT_COUNT], ev->record);
	}
	if (!t)
		return;
	known = task_state(&s->decoded, type, &f[PREV_STATE], ev->record);
	leave(s, t, ev->ts, t->state == TASK_RUNNING && t->cpu == ev->cpu);
	enter(t, known->state, ev, ev->cpu);
	t->text = known->text;
	t->prio = derived_int(&f[PREV_PRIO], ev->record);
}

static void switch_in(struct states *s, const struct derived_field *f, const struct tdat_event *ev,
		      uint32_t rec)
{
	const int64_t pid = derived_int(&f[NEXT_PID], ev->record);
	struct task *t = pid ? find_task(s, rec, pid) : NULL;

	if (!t)
		return;
	leave(s, t, ev->ts, t->state != TASK_RUNNING);
	enter(t, TASK_RUNNING, ev, ev->cpu);
	t->prio = derived_int(&f[NEXT_PRIO], ev->record);
}

/* Whether a task in this state is made runnable by a wakeup. */
static bool waits(enum task_state state)
{
	return state != TASK_RUNNING && state != TASK_RUNNABLE && state != TASK_PREEMPTED;
}

static void make_runnable(struct states *s, struct task *t, const struct derived_field *f,
			  const struct tdat_event *ev)
{
	t->has_waker = true;
	t->waker_pid = ev->pid;
	leave(s, t, ev->ts, true);
	enter(t, TASK_RUNNABLE, ev, wake_target(f, ev->record));
	t->has_waker = true;
	t->waker_pid = ev->pid;
	t->prio = derived_int(&f[WAKE_PRIO], ev->record);
}

static void wake(struct states *s, const struct derived_type *type, const struct tdat_event *ev,
		 uint32_t rec)
{
	const struct derived_field *f = type->fields;
	const int64_t pid = derived_int(&f[WAKE_PID], ev->record);
	struct task *t;

	if (!pid || wake_failed(f, ev->record))
		return;
	t = find_task(s, rec, pid);
	if (!t)
		return;
	if (waits(t->state))
		make_runnable(s, t, f, ev);
	if (type->kind != WAKEUP || t->state != TASK_RUNNABLE || !t->has_waker || t->has_wakeup)
		return;
	t->has_wakeup = true;
	t->wakeup = ev->ts;
	t->cpu = wake_target(f, ev->record);
}

/* ---- stacks ---- */

/* Makes room for the stack of a task. False: there is no memory, or all tasks hold too much. */
static bool start_stack(struct states *s, struct task *t, const struct table_input *in,
			size_t count)
{
	const size_t had = t->stack ? t->stack->cap : 0;
	struct stack *stack = t->stack;

	if (!stack || had < count) {
		if (s->held + (count - had) > HELD_MAX) {
			derived_note(s->out, "stack left out: stacks of other tasks take 64 MiB");
			return false;
		}
		stack = realloc(t->stack, sizeof(*stack) + count * sizeof(*stack->addrs));
		if (!stack) {
			derived_fail(s->out);
			return false;
		}
		s->held += count - had;
		t->stack = stack;
		stack->cap = (uint32_t)count;
	}
	stack->in = in;
	stack->count = 0;
	return true;
}

/* Takes the stack that the event before it on its CPU asked for: that of the task switched out. */
static void take_stack(struct states *s, const struct derived_type *type,
		       const struct tdat_event *ev, uint32_t rec)
{
	const struct derived_field *f = type->fields;
	struct cpu *c = map_find(&s->cpus, rec, ev->cpu);
	struct task *t = c && c->pid > 0 && c->pid == ev->pid
				 ? map_find(&s->tasks, rec, (uint32_t)c->pid)
				 : NULL;
	const size_t long_size = type->format->long_size;
	size_t n;

	if (!t || c->flags != derived_u64(&f[FLAGS], ev->record) ||
	    c->preempt_count != derived_u64(&f[PREEMPT_COUNT], ev->record) || !f[CALLER].field ||
	    ev->record.len < f[CALLER].off ||
	    (t->state == TASK_RUNNING || t->state == TASK_UNKNOWN))
		return;
	n = (ev->record.len - f[CALLER].off) / long_size;
	if (derived_has(&f[SIZE], ev->record) && derived_u64(&f[SIZE], ev->record) < n)
		n = (size_t)derived_u64(&f[SIZE], ev->record);
	t->has_stack = false;
	if (!start_stack(s, t, type->in, n < STACK_MAX ? n : STACK_MAX))
		return;
	for (size_t i = 0; i < n; i++) {
		const uint64_t addr = tdat_load_uint(ev->record.ptr + f[CALLER].off + i * long_size,
						     long_size, type->format->big);

		if (addr == UINT64_MAX >> (64 - 8 * long_size))
			break;
		if (i == STACK_MAX) {
			derived_note(s->out, "stack cut at its 256 innermost functions");
			break;
		}
		t->stack->addrs[t->stack->count++] = addr;
	}
	t->has_stack = true;
}

static void take_event(void *state, const struct derived_type *type, const struct tdat_event *ev,
		       uint32_t rec)
{
	struct states *s = state;
	struct cpu *c;

	if (type->kind == STACK && s->wants_stack)
		take_stack(s, type, ev, rec);
	c = map_find(&s->cpus, rec, ev->cpu);
	if (c)
		c->pid = -1;
	if (type->kind == SWITCH) {
		switch_out(s, type, ev, rec);
		switch_in(s, type->fields, ev, rec);
	} else if (type->kind != STACK) {
		wake(s, type, ev, rec);
	}
}

static void take_loss(void *state, uint32_t rec, uint32_t cpu, uint64_t ts)
{
	struct states *s = state;
	struct cpu *c = map_find(&s->cpus, rec, cpu);

	if (c)
		c->pid = -1;
	losses_take(&s->losses, rec, cpu, ts);
}

static bool awaits(void *state)
{
	const struct states *s = state;

	for (size_t i = 0; i < s->tasks.end; i++) {
		const struct task *t = map_at(&s->tasks, i);

		/* A wakeup may still say that a task is put on another CPU. */
		if (t && t->state != TASK_UNKNOWN &&
		    derived_awaits(s->out, t->since, (int32_t)t->key.b,
				   t->state == TASK_RUNNABLE ? DERIVED_NO_CPU : t->cpu))
			return true;
	}
	return false;
}

static void end(void *state)
{
	struct states *s = state;

	for (size_t i = 0; i < s->tasks.end; i++) {
		const struct task *t = map_at(&s->tasks, i);

		if (t && t->state != TASK_UNKNOWN)
			put(s, t, 0, is_known(s, t) ? ANALYSIS_OPEN_END : ANALYSIS_OPEN_LOST);
	}
	if (s->tasks.failed || s->cpus.failed || s->losses.cpus.failed)
		derived_fail(s->out);
}

static void free_state(void *state)
{
	struct states *s = state;

	for (size_t i = 0; i < s->tasks.end; i++) {
		struct task *t = map_at(&s->tasks, i);

		if (t)
			free(t->stack);
	}
	map_fini(&s->tasks);
	map_fini(&s->cpus);
	losses_fini(&s->losses);
	task_states_fini(&s->decoded);
	free(s);
}

static enum tdat_status begin(void **state, const struct table_derived *def,
			      struct derived_out *out, struct tdat_error *err)
{
	struct states *s = calloc(1, sizeof(*s));

	*state = s;
	if (!s)
		return tdat_error_no_memory(err, def->name);
	s->out = out;
	s->wants_stack = derived_wants(out, STACK_COLUMN);
	map_init(&s->tasks, sizeof(struct task), TASKS_MAX);
	map_init(&s->cpus, sizeof(struct cpu), TASKS_MAX);
	if (!losses_init(&s->losses, out))
		return tdat_error_no_memory(err, def->name);
	return task_states_init(&s->decoded, out, err);
}

const struct table_derived analysis_thread_state = {
	.name = "thread_state",
	.columns = columns,
	.events = events,
	.event_count = sizeof(events) / sizeof(events[0]),
	.begin = begin,
	.event = take_event,
	.lost = take_loss,
	.end = end,
	.free = free_state,
	.awaits = awaits,
};
