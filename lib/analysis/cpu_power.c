/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The tables cpu_idle and cpu_frequency: intervals in which a CPU was in one idle state, or had
 * one frequency. Their cpu is the one that the event names, not the one that recorded it. An
 * idle interval also knows the first event that asked its CPU for work, and how long the CPU
 * took from then to leave the state. Entries are keyed by recording and CPU.
 */
#include "analysis.h"
#include "wake_fields.h"

/* Bounds the memory that a crafted trace can take. */
enum { CPUS_MAX = 1 << 20 };

/* PWR_EVENT_EXIT of include/trace/events/power.h: the CPU leaves its idle state. */
#define IDLE_EXIT UINT32_MAX

enum kind { STATE, WAKING, IPI };
enum { VALUE, CPU_ID };
static const char *const state_fields[] = {"state", "cpu_id", NULL};
static const char *const waking_fields[] = WAKE_FIELDS;
static const char *const ipi_fields[] = {"cpu", NULL};

static const struct derived_event idle_events[] = {
	{"power/cpu_idle", STATE, state_fields},
	{"sched/sched_waking", WAKING, waking_fields},
	{"ipi/ipi_send_cpu", IPI, ipi_fields},
};
static const struct derived_event frequency_events[] = {
	{"power/cpu_frequency", STATE, state_fields},
};

static const struct meta_column idle_columns[] = {
	{"state", TABLE_INT, 4, false},	   {"wake_ts", TABLE_TIME, 0, false},
	{"wake_by", TABLE_NAME, 0, false}, {"exit_dur", TABLE_INT, 8, true},
	{NULL, TABLE_INT, 0, false},
};
static const struct meta_column frequency_columns[] = {
	{"khz", TABLE_INT, 4, false},
	{NULL, TABLE_INT, 0, false},
};

/* A CPU, whose interval is the state that it is in. */
struct cpu {
	struct derived_entry entry; /* recording, CPU */
	uint32_t value;
	const char *wake_by; /* NULL: nothing asked for the CPU */
	uint64_t wake;
	uint64_t losses; /* before the interval */
};

static void put_frequency(void *state, const void *entry, const void *interval,
			  const struct derived_end *end)
{
	(void)interval;
	(void)end;
	derived_put_int(((struct derived_state *)state)->out, ((const struct cpu *)entry)->value);
}

static void put_idle(void *state, const void *entry, const void *interval,
		     const struct derived_end *end)
{
	struct derived_out *o = ((struct derived_state *)state)->out;
	const struct cpu *c = entry;
	/* Where events of any CPU were lost, an earlier one may have asked. */
	const char *wake_by =
		derived_knows(state, (uint32_t)c->entry.key[0], c->losses) ? c->wake_by : NULL;

	(void)interval;
	derived_put_int(o, c->value);
	derived_put_known(o, wake_by, c->wake);
	derived_put_name(o, wake_by);
	derived_put_known(o, wake_by && !end->open, end->ts - c->wake);
}

/* Ends the state that the CPU is in; begin: the event begins one with its value. */
static void turn(struct derived_state *s, const struct derived_field *f,
		 const struct tdat_event *ev, uint32_t rec, bool begin)
{
	const uint32_t cpu = (uint32_t)derived_u64(&f[CPU_ID], ev->record);
	struct cpu *c = derived_get(s, (const uint64_t[TDAT_KEY_MOST]){rec, cpu});

	if (!c)
		return;
	if (c->entry.open.is)
		derived_close(s, c, ev->ts, NULL);
	else if (!begin)
		derived_note(s->out, DERIVED_NO_START);
	/* A CPU records its own idle states: losses of others do not matter. */
	c->entry.open = (struct derived_open){.is = begin,
					      .stays = cpu == ev->cpu,
					      .cpu = cpu,
					      .ts = ev->ts,
					      .known = derived_now(s, rec),
					      .pid = DERIVED_NO_PID};
	c->value = (uint32_t)derived_u64(&f[VALUE], ev->record);
	c->wake_by = NULL;
	c->losses = derived_now(s, rec);
}

static void take_frequency(void *state, const struct derived_type *type,
			   const struct tdat_event *ev, uint32_t rec)
{
	turn(state, type->fields, ev, rec, true);
}

/* An event asks a CPU for work: the first one of an idle interval counts. */
static void take_wake(struct derived_state *s, uint32_t cpu, const char *by,
		      const struct tdat_event *ev, uint32_t rec)
{
	struct cpu *c = derived_find(s, (const uint64_t[TDAT_KEY_MOST]){rec, cpu});

	if (!c || !c->entry.open.is || c->wake_by || derived_goes_back(c->entry.open.ts, ev->ts))
		return;
	c->wake_by = by;
	c->wake = ev->ts;
}

/* A second state without an exit between them ends the first: the kernel chose another one. */
static void take_idle(void *state, const struct derived_type *type, const struct tdat_event *ev,
		      uint32_t rec)
{
	const struct derived_field *f = type->fields;

	if (type->kind == WAKING)
		take_wake(state, wake_target(f, ev->record), "sched_waking", ev, rec);
	else if (type->kind == IPI)
		take_wake(state, (uint32_t)derived_u64(&f[0], ev->record), "ipi_send_cpu", ev, rec);
	else
		turn(state, f, ev, rec, (uint32_t)derived_u64(&f[VALUE], ev->record) != IDLE_EXIT);
}

#define POWER_TABLE(id, what)                                                                      \
	.name = "cpu_" #id, .columns = id##_columns, .events = id##_events,                        \
	.event_count = sizeof(id##_events) / sizeof(id##_events[0]),                               \
	.about = {what, "power/cpu_" #id, "-e cpu_" #id},                                          \
	.state_len = sizeof(struct derived_state), .entry_len = sizeof(struct cpu),                \
	.most = CPUS_MAX, .event = take_##id, .put = put_##id

const struct table_derived analysis_cpu_idle = {
	POWER_TABLE(idle, "idle states of CPUs, and how long it took to leave them"),
};

const struct table_derived analysis_cpu_frequency = {
	POWER_TABLE(frequency, "frequencies of CPUs"),
};
