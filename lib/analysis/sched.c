/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table sched: when which task ran on which CPU. Each sched_switch ends the row of the task
 * that ran on its CPU and begins the next one. At a loss the open row is put without an end, as
 * which task ran then is not known; the first switch of a CPU has no begin and gives no row.
 * Losses and the end of the trace put rows in the order of CPUs, so that nothing depends on
 * where reading began.
 */
#include <stdlib.h>

#include "analysis.h"
#include "map.h"
#include "task_state.h"

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

/* The task that runs on a CPU. */
struct cpu {
	struct map_key key; /* recording, CPU */
	bool runs;
	uint64_t since;
	int64_t pid, prio;
};

struct sched {
	struct derived_out *out;
	struct map cpus;
	struct task_states states;
};

static void put(struct sched *s, const struct cpu *c, uint64_t dur, const char *open,
		const char *end_state)
{
	const struct derived_row row = {.rec = (uint32_t)c->key.a,
					.cpu = (uint32_t)c->key.b,
					.ts = c->since,
					.dur = dur,
					.pid = c->pid,
					.open = open};

	if (!derived_row_begin(s->out, &row))
		return;
	derived_put_int(s->out, c->prio);
	derived_put_name(s->out, end_state);
	derived_row_end(s->out);
}

static void take_switch(void *state, const struct derived_type *type, const struct tdat_event *ev,
			uint32_t rec)
{
	struct sched *s = state;
	struct cpu *c = map_get(&s->cpus, rec, ev->cpu);
	const struct derived_field *f = type->fields;

	if (!c) {
		derived_note(s->out, ANALYSIS_FULL);
		return;
	}
	if (!c->runs)
		derived_note(s->out, ANALYSIS_NO_START);
	else if (derived_goes_back(c->since, ev->ts))
		derived_note(s->out, ANALYSIS_BACKWARDS);
	else if (c->pid != derived_int(&f[PREV_PID], ev->record))
		derived_note(s->out, ANALYSIS_CONTRADICTION);
	else
		put(s, c, ev->ts - c->since, NULL,
		    task_state(&s->states, type, &f[PREV_STATE], ev->record)->text);
	c->runs = derived_has(&f[NEXT_PID], ev->record);
	c->since = ev->ts;
	c->pid = derived_int(&f[NEXT_PID], ev->record);
	c->prio = derived_int(&f[NEXT_PRIO], ev->record);
}

static void take_loss(void *state, uint32_t rec, uint32_t cpu, uint64_t ts)
{
	struct sched *s = state;
	struct cpu *c = map_find(&s->cpus, rec, cpu);

	(void)ts;
	if (!c || !c->runs)
		return;
	put(s, c, DERIVED_NO_DUR, ANALYSIS_OPEN_LOST, NULL);
	c->runs = false;
}

static bool awaits(void *state)
{
	const struct sched *s = state;

	for (size_t i = 0; i < s->cpus.end; i++) {
		const struct cpu *c = map_at(&s->cpus, i);

		if (c && c->runs && derived_awaits(s->out, c->since, c->pid, (uint32_t)c->key.b))
			return true;
	}
	return false;
}

static int by_number(const void *a, const void *b)
{
	const struct cpu *x = *(const struct cpu *const *)a, *y = *(const struct cpu *const *)b;

	if (x->key.a != y->key.a)
		return x->key.a < y->key.a ? -1 : 1;
	return (x->key.b > y->key.b) - (x->key.b < y->key.b);
}

/* In the order of CPUs, so that it does not depend on where reading began. */
static void end(void *state)
{
	struct sched *s = state;
	const struct cpu **list = calloc(s->cpus.end + 1, sizeof(const struct cpu *));
	size_t n = 0;

	for (size_t i = 0; list && i < s->cpus.end; i++) {
		const struct cpu *c = map_at(&s->cpus, i);

		if (c && c->runs)
			list[n++] = c;
	}
	if (n)
		qsort(list, n, sizeof(const struct cpu *), by_number);
	for (size_t i = 0; i < n; i++)
		put(s, list[i], DERIVED_NO_DUR, ANALYSIS_OPEN_END, NULL);
	if (s->cpus.failed || !list)
		derived_fail(s->out);
	free(list);
}

static void free_state(void *state)
{
	struct sched *s = state;

	map_fini(&s->cpus);
	task_states_fini(&s->states);
	free(s);
}

static enum tdat_status begin(void **state, const struct table_derived *def,
			      struct derived_out *out, struct tdat_error *err)
{
	struct sched *s = calloc(1, sizeof(*s));

	*state = s;
	if (!s)
		return tdat_error_no_memory(err, def->name);
	s->out = out;
	map_init(&s->cpus, sizeof(struct cpu), CPUS_MAX);
	return task_states_init(&s->states, out, err);
}

const struct table_derived analysis_sched = {
	.name = "sched",
	.columns = columns,
	.events = events,
	.event_count = sizeof(events) / sizeof(events[0]),
	.begin = begin,
	.event = take_switch,
	.lost = take_loss,
	.end = end,
	.free = free_state,
	.fresh = true,
	.per_cpu = true,
	.awaits = awaits,
};
