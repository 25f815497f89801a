/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The tables thread_state and off_cpu: what each task did at each time. A task is running,
 * runnable, in one of the sleeping states, or unknown. In thread_state switches and wakeups end
 * one row of a task and begin the next one, so its rows do not overlap. In off_cpu a row lasts
 * from the switch out of a CPU to the switch in, with the wakeup between them. After a loss the
 * state is unknown until an event of the task tells it. Stacks of sleeping tasks come from the
 * kernel stack behind the switch, and only if they are wanted: all tasks together keep 64 MiB of
 * them.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "task_state.h"
#include "wake_fields.h"

enum { TASKS_MAX = 1 << 20, STACK_MAX = 256, HELD_MAX = (64 << 20) / 8 };

enum kind { SWITCH, WAKE, WAKEUP, STACK };
/* Fields that the kernel writes alike into an event and its stack, beside the pid. */
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
enum { STACK_COLUMN = 6 };

/* end_cpu is where the task was switched in; block_dur and wait_dur are before and after waking. */
static const struct meta_column off_columns[] = {
	{"state", TABLE_NAME, 0, false},      {"prev_state", TABLE_NAME, 0, false},
	{"prio", TABLE_INT, 4, true},	      {"waker_pid", TABLE_INT, 4, true},
	{"waker_comm", TABLE_NAME, 0, false}, {"wakeup_ts", TABLE_TIME, 0, false},
	{"stack", TABLE_LIST_NAME, 0, false}, {"waking_ts", TABLE_TIME, 0, false},
	{"block_dur", TABLE_INT, 8, true},    {"wait_dur", TABLE_INT, 8, true},
	{"end_cpu", TABLE_INT, 4, false},     {"next_pid", TABLE_INT, 4, true},
	{"next_comm", TABLE_NAME, 0, false},  {NULL, TABLE_INT, 0, false},
};

/* Addresses of a kernel stack, innermost first. */
struct stack {
	const struct table_input *in;
	uint32_t count, cap;
	uint64_t addrs[];
};

/* A task, whose interval is the state that it is in; where that is unknown none is open. */
struct task {
	struct derived_entry entry; /* recording, pid */
	enum task_state state;
	bool has_waker, has_wakeup;
	uint64_t waking, wakeup;
	int64_t prio, waker_pid;
	int64_t next_pid; /* the task that got the CPU when this one left it */
	const char *text;
	struct stack *stack; /* where it was switched out; or NULL */
	bool has_stack;
};

/* The task that was last switched out of a CPU, by the last event there. */
struct cpu {
	struct tdat_entry head;
	uint64_t key[2]; /* recording, CPU */
	int64_t pid;
	uint64_t flags, preempt_count;
};

/* The state: tasks are the frame's entries. */
struct states {
	struct derived_state state;
	struct tdat_entries cpus;
	struct task_states decoded;
	bool wants_stack;
	bool whole;  /* a row for each time off the CPU, not for each state */
	size_t held; /* addresses that the stacks of all tasks have room for */
};

/* Whether a task in this state is made runnable by a wakeup. */
static bool waits(enum task_state state)
{
	return state != TASK_RUNNING && state != TASK_RUNNABLE && state != TASK_PREEMPTED;
}

/* The further columns of off_cpu. end->how is the switch to the task; NULL: there was none. */
static void put_whole(struct derived_out *o, const struct task *t, const struct derived_end *end)
{
	const struct tdat_event *in = end->how;
	const uint64_t runnable = waits(t->state) ? t->waking : t->entry.open.ts;

	derived_put_known(o, t->has_waker, t->waking);
	derived_put_known(o, t->has_waker, t->waking - t->entry.open.ts);
	derived_put_known(o,
			  in && (t->has_waker || !waits(t->state)) &&
				  !derived_goes_back(runnable, end->ts),
			  end->ts - runnable);
	derived_put_known(o, in, in ? in->cpu : 0);
	derived_put_int(o, t->next_pid);
	derived_put_task(o, (uint32_t)t->entry.key[0], t->next_pid);
}

static void put(void *state, const void *entry, const void *interval, const struct derived_end *end)
{
	struct derived_out *o = ((struct derived_state *)state)->out;
	const struct task *t = entry;

	(void)interval;
	derived_put_name(o, task_state_name(t->state));
	derived_put_name(o, t->text);
	derived_put_int(o, t->prio);
	derived_put_known(o, t->has_waker, (uint64_t)t->waker_pid);
	derived_put_task(o, (uint32_t)t->entry.key[0],
			 t->has_waker ? t->waker_pid : DERIVED_NO_PID);
	derived_put_known(o, t->has_wakeup, t->wakeup);
	if (t->has_stack)
		derived_put_stack(o, t->stack->in, t->stack->addrs, t->stack->count);
	else
		derived_put_null(o);
	if (((struct states *)state)->whole)
		put_whole(o, t, end);
}

/* The CPU, if a task was switched out of it; NULL: none was seen. */
static struct cpu *find_cpu(struct states *s, uint32_t rec, uint32_t cpu)
{
	return tdat_entry_find(&s->cpus, (const uint64_t[]){rec, cpu});
}

/* The task of a pid; NULL: there are too many. */
static struct task *find_task(struct states *s, uint32_t rec, int64_t pid)
{
	struct task *t = derived_get(s, (const uint64_t[TDAT_KEY_MOST]){rec, (uint32_t)pid});

	if (!t)
		return NULL;
	if (!t->entry.open.is)
		t->state = TASK_UNKNOWN;
	t->entry.open.known = derived_now(&s->state, rec);
	return t;
}

/* Ends the state that a task is in, unless the event cannot follow it. */
static void leave(struct states *s, struct task *t, const struct tdat_event *ev, bool follows)
{
	if (!t->entry.open.is)
		derived_note(s->state.out, DERIVED_NO_START);
	else if (!follows)
		derived_note(s->state.out, DERIVED_CONTRADICTION);
	else
		derived_close(s, t, ev->ts, ev);
}

static void enter(struct task *t, enum task_state state, const struct tdat_event *ev, uint32_t cpu)
{
	t->state = state;
	/* A wakeup may still say that a task is put on another CPU. */
	t->entry.open = (struct derived_open){.is = true,
					      .stays = state == TASK_RUNNING,
					      .moves = state == TASK_RUNNABLE,
					      .cpu = cpu,
					      .ts = ev->ts,
					      .known = t->entry.open.known,
					      .pid = (int32_t)t->entry.key[1]};
	t->text = NULL;
	t->has_waker = t->has_wakeup = t->has_stack = false;
}

/* The task that leaves the CPU goes into the state that prev_state says. */
static void switch_out(struct states *s, const struct derived_type *type,
		       const struct tdat_event *ev, uint32_t rec)
{
	const struct derived_field *f = type->fields;
	const int64_t pid = derived_int(&f[PREV_PID], ev->record);
	struct cpu *c = derived_entry_get(&s->state, &s->cpus, (const uint64_t[]){rec, ev->cpu});
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
	/* Of whole times off the CPU, none is open while the task runs. */
	if (!s->whole)
		leave(s, t, ev, t->state == TASK_RUNNING && t->entry.open.cpu == ev->cpu);
	else if (t->entry.open.is)
		derived_note(s->state.out, DERIVED_CONTRADICTION);
	enter(t, known->state, ev, ev->cpu);
	t->next_pid = derived_int(&f[NEXT_PID], ev->record);
	t->text = known->text;
	t->prio = derived_int(&f[PREV_PRIO], ev->record);
}

/* The task that comes to the CPU runs from now on. */
static void switch_in(struct states *s, const struct derived_field *f, const struct tdat_event *ev,
		      uint32_t rec)
{
	const int64_t pid = derived_int(&f[NEXT_PID], ev->record);
	struct task *t = pid ? find_task(s, rec, pid) : NULL;

	if (!t)
		return;
	leave(s, t, ev, t->state != TASK_RUNNING);
	enter(t, TASK_RUNNING, ev, ev->cpu);
	t->entry.open.is = !s->whole;
	t->prio = derived_int(&f[NEXT_PRIO], ev->record);
}

/*
 * Ends the wait of a task. The waker belongs to both rows: that of the wait, and the runnable one.
 * A whole time off the CPU goes on.
 */
static void make_runnable(struct states *s, struct task *t, const struct derived_field *f,
			  const struct tdat_event *ev)
{
	t->has_waker = true;
	t->waker_pid = ev->pid;
	t->waking = ev->ts;
	if (s->whole)
		return;
	leave(s, t, ev, true);
	enter(t, TASK_RUNNABLE, ev, wake_target(f, ev->record));
	t->has_waker = true;
	t->waker_pid = ev->pid;
	t->prio = derived_int(&f[WAKE_PRIO], ev->record);
}

/* A wakeup may be reported twice (waking, wakeup): the second adds its time and CPU. */
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
	if (waits(t->state) && (!s->whole || (t->entry.open.is && !t->has_waker)))
		make_runnable(s, t, f, ev);
	if (type->kind != WAKEUP || (!s->whole && t->state != TASK_RUNNABLE) || !t->has_waker ||
	    t->has_wakeup)
		return;
	t->has_wakeup = true;
	t->wakeup = ev->ts;
	if (!s->whole)
		t->entry.open.cpu = wake_target(f, ev->record);
}

/* ---- stacks ---- */

/* Makes room for the stack of a task. False: memory ran out, or all tasks hold too much. */
static bool start_stack(struct states *s, struct task *t, const struct table_input *in,
			size_t count)
{
	const size_t had = t->stack ? t->stack->cap : 0;
	struct stack *stack = t->stack;

	if (!stack || had < count) {
		if (s->held + (count - had) > HELD_MAX) {
			derived_note(s->state.out,
				     "stack, because stacks of other tasks take 64 MiB");
			return false;
		}
		stack = realloc(t->stack, sizeof(*stack) + count * sizeof(*stack->addrs));
		if (!stack) {
			derived_fail(s->state.out);
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
	struct cpu *c = find_cpu(s, rec, ev->cpu);
	struct task *t =
		c && c->pid > 0 && c->pid == ev->pid
			? tdat_entry_find(&s->state.entries,
					  (const uint64_t[TDAT_KEY_MOST]){rec, (uint32_t)c->pid})
			: NULL;
	const size_t long_size = type->format->long_size;
	size_t n;

	if (!t || c->flags != derived_u64(&f[FLAGS], ev->record) ||
	    c->preempt_count != derived_u64(&f[PREEMPT_COUNT], ev->record) || !f[CALLER].field ||
	    ev->record.len < f[CALLER].off ||
	    (t->state == TASK_RUNNING || t->state == TASK_UNKNOWN))
		return;
	n = (ev->record.len - f[CALLER].off) / long_size;
	/* Since Linux 5.9 the size says how many entries the stack has. */
	if (derived_has(&f[SIZE], ev->record) && derived_u64(&f[SIZE], ev->record) < n)
		n = (size_t)derived_u64(&f[SIZE], ev->record);
	t->has_stack = false;
	if (!start_stack(s, t, type->in, n < STACK_MAX ? n : STACK_MAX))
		return;
	for (size_t i = 0; i < n; i++) {
		const uint64_t addr = tdat_load_uint(ev->record.ptr + f[CALLER].off + i * long_size,
						     long_size, type->format->big);

		/* ULONG_MAX ends a stack in old kernels. */
		if (addr == UINT64_MAX >> (64 - 8 * long_size))
			break;
		if (i == STACK_MAX) {
			derived_note(s->state.out, "outer functions of a stack deeper than 256");
			break;
		}
		t->stack->addrs[t->stack->count++] = addr;
	}
	t->has_stack = true;
}

/* Any event of a CPU ends the time in which a stack may belong to its switch. */
static void take_event(void *state, const struct derived_type *type, const struct tdat_event *ev,
		       uint32_t rec)
{
	struct states *s = state;
	struct cpu *c;

	if (type->kind == STACK && s->wants_stack)
		take_stack(s, type, ev, rec);
	c = find_cpu(s, rec, ev->cpu);
	if (c)
		c->pid = -1;
	if (type->kind == SWITCH) {
		switch_out(s, type, ev, rec);
		switch_in(s, type->fields, ev, rec);
	} else if (type->kind != STACK) {
		wake(s, type, ev, rec);
	}
}

/* After a loss a stack may belong to another switch. */
static void take_loss(void *state, uint32_t rec, uint32_t cpu)
{
	struct cpu *c = find_cpu(state, rec, cpu);

	if (c)
		c->pid = -1;
}

static void free_task(void *entry)
{
	free(((struct task *)entry)->stack);
}

static void free_state(void *state)
{
	struct states *s = state;

	tdat_entries_fini(&s->cpus);
	task_states_fini(&s->decoded);
}

static enum tdat_status begin(void *state, struct tdat_error *err)
{
	struct states *s = state;

	s->whole = s->state.def == &analysis_off_cpu;
	s->wants_stack = derived_wants(s->state.out, STACK_COLUMN);
	tdat_entries_init(&s->cpus, sizeof(struct cpu), 2, TASKS_MAX);
	return task_states_init(&s->decoded, s->state.out, err);
}

#define STATES_MACHINE                                                                             \
	.events = events, .event_count = sizeof(events) / sizeof(events[0]),                       \
	.state_len = sizeof(struct states), .entry_len = sizeof(struct task), .most = TASKS_MAX,   \
	.begin = begin, .event = take_event, .lost = take_loss, .put = put,                        \
	.free_entry = free_task, .free = free_state

const struct table_derived analysis_thread_state = {
	STATES_MACHINE,
	.name = "thread_state",
	.columns = columns,
	.about = {"states of tasks: running, runnable, asleep", "sched/sched_switch",
		  "-e sched_switch -e sched_waking"},
};

const struct table_derived analysis_off_cpu = {
	STATES_MACHINE,
	.name = "off_cpu",
	.columns = off_columns,
	.about = {"times of tasks off the CPU, and who woke them", "sched/sched_switch",
		  "-e sched_switch -e sched_waking"},
};
