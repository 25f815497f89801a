/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table sched: when which task ran on which CPU. Each sched_switch ends the row of the task
 * that ran on its CPU and begins the next one. At a loss the open row is put without an end, as
 * which task ran then is not known; the first switch of a CPU has no begin and gives no row.
 * Losses and the end of the trace put rows in the order of CPUs, so that nothing depends on
 * where reading began.
 */
#include "analysis.h"
#include "task_state.h"

/* Bounds the memory that a crafted trace can take. */
enum { CPUS_MAX = 1 << 20 };

enum { PREV_PID, PREV_STATE, NEXT_PID, NEXT_PRIO };
static const char *const switch_fields[] = {"prev_pid", "prev_state", "next_pid", "next_prio",
					    NULL};

static const struct derived_event events[] = {{"sched/sched_switch", 0, switch_fields}};

static const struct meta_column columns[] = {
	{"prio", TABLE_INT, 4, true},
	{"end_state", TABLE_NAME, 0, false},
	{NULL, TABLE_INT, 0, false},
};

/* A CPU, whose interval is what runs on it. */
struct cpu {
	struct derived_entry entry; /* recording, CPU */
	int64_t prio;
};

struct sched {
	struct derived_state state;
	struct task_states states;
};

static void put(void *state, const void *entry, const void *interval, const struct derived_end *end)
{
	struct sched *s = state;
	const struct cpu *c = entry;

	(void)interval;
	derived_put_int(s->state.out, c->prio);
	derived_put_name(s->state.out, end->how);
}

/* Ends the run of the task that leaves the CPU, and begins the next one. */
static void take_switch(void *state, const struct derived_type *type, const struct tdat_event *ev,
			uint32_t rec)
{
	struct sched *s = state;
	struct cpu *c = derived_get(s, (const uint64_t[TDAT_KEY_MOST]){rec, ev->cpu});
	const struct derived_field *f = type->fields;
	struct derived_open *run;

	if (!c)
		return;
	run = &c->entry.open;
	/* Contradiction: another task was on the CPU, so a switch is missing without a loss. */
	if (!run->is)
		derived_note(s->state.out, DERIVED_NO_START);
	else if (run->pid != derived_int(&f[PREV_PID], ev->record) &&
		 !derived_goes_back(run->ts, ev->ts))
		derived_note(s->state.out, DERIVED_CONTRADICTION);
	else
		derived_close(s, c, ev->ts,
			      task_state(&s->states, type, &f[PREV_STATE], ev->record)->text);
	run->is = derived_has(&f[NEXT_PID], ev->record);
	run->ts = ev->ts;
	run->cpu = ev->cpu;
	run->pid = derived_int(&f[NEXT_PID], ev->record);
	c->prio = derived_int(&f[NEXT_PRIO], ev->record);
}

static enum tdat_status begin(void *state, struct tdat_error *err)
{
	struct sched *s = state;

	return task_states_init(&s->states, s->state.out, err);
}

static void free_state(void *state)
{
	task_states_fini(&((struct sched *)state)->states);
}

const struct table_derived analysis_sched = {
	ANALYSIS_TABLE(sched),
	.about = {"intervals in which tasks ran", "sched/sched_switch", "-e sched_switch"},

	.state_len = sizeof(struct sched),
	.entry_len = sizeof(struct cpu),
	.most = CPUS_MAX,
	.begin = begin,
	.event = take_switch,
	.put = put,
	.free = free_state,
	.fresh = true,
	.per_cpu = true,
	.by_cpu = true,
};
