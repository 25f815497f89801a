/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table migration: tasks that went to another CPU. A row comes from sched_migrate_task, or
 * from a sched_switch to a task that ran on another CPU before; the column seen_by says which.
 * The last CPU of each task is kept in a map. What losses made unknown is not used.
 */
#include <stdlib.h>

#include "analysis.h"
#include "losses.h"
#include "map.h"

enum { TASKS_MAX = 1 << 20 };

enum kind { SWITCH, MIGRATE };
enum { NEXT_PID, NEXT_PRIO, PREV_PID };
static const char *const switch_fields[] = {"next_pid", "next_prio", "prev_pid", NULL};
enum { PID, PRIO, ORIG_CPU, DEST_CPU };
static const char *const migrate_fields[] = {"pid", "prio", "orig_cpu", "dest_cpu", NULL};

static const struct derived_event events[] = {
	{"sched/sched_switch", SWITCH, switch_fields},
	{"sched/sched_migrate_task", MIGRATE, migrate_fields},
};

static const struct meta_column columns[] = {
	{"prio", TABLE_INT, 4, true},	  {"orig_cpu", TABLE_INT, 4, true},
	{"dest_cpu", TABLE_INT, 4, true}, {"seen_by", TABLE_NAME, 0, false},
	{NULL, TABLE_INT, 0, false},
};

struct task {
	struct map_key key; /* recording, pid */
	bool known;
	int64_t cpu; /* the one that it ran on, or was sent to */
	uint64_t losses;
};

struct migrations {
	struct losses losses; /* first: losses_take gets it */
	struct derived_out *out;
	struct map tasks;
};

static struct task *find_task(struct migrations *m, uint32_t rec, int64_t pid)
{
	struct task *t = map_get(&m->tasks, rec, (uint32_t)pid);

	if (!t) {
		derived_note(m->out, ANALYSIS_FULL);
		return NULL;
	}
	t->known = t->known && losses_knows(&m->losses, rec, t->losses);
	t->losses = losses_now(&m->losses, rec);
	return t;
}

static void put(struct migrations *m, const struct derived_row *row, int64_t prio, int64_t from,
		int64_t to, const char *seen_by)
{
	if (!derived_row_begin(m->out, row))
		return;
	derived_put_int(m->out, prio);
	derived_put_int(m->out, from);
	derived_put_int(m->out, to);
	derived_put_name(m->out, seen_by);
	derived_row_end(m->out);
}

static struct derived_row row_of(const struct tdat_event *ev, uint32_t rec, int64_t pid)
{
	return (struct derived_row){
		.rec = rec, .cpu = ev->cpu, .ts = ev->ts, .dur = DERIVED_NO_DUR, .pid = pid};
}

static void take_migrate(struct migrations *m, const struct derived_field *f,
			 const struct tdat_event *ev, uint32_t rec)
{
	const int64_t pid = derived_int(&f[PID], ev->record);
	const struct derived_row row = row_of(ev, rec, pid);
	struct task *t = find_task(m, rec, pid);

	put(m, &row, derived_int(&f[PRIO], ev->record), derived_int(&f[ORIG_CPU], ev->record),
	    derived_int(&f[DEST_CPU], ev->record), "sched_migrate_task");
	if (!t)
		return;
	t->known = true;
	t->cpu = derived_int(&f[DEST_CPU], ev->record);
}

static void take_switch(struct migrations *m, const struct derived_field *f,
			const struct tdat_event *ev, uint32_t rec)
{
	const int64_t prev = derived_int(&f[PREV_PID], ev->record);
	const int64_t pid = derived_int(&f[NEXT_PID], ev->record);
	struct task *t = prev ? find_task(m, rec, prev) : NULL;

	/* It may have been sent on between, which only the event tells. */
	if (t) {
		t->known = true;
		t->cpu = ev->cpu;
	}
	t = pid ? find_task(m, rec, pid) : NULL;
	if (!t)
		return;
	if (t->known && t->cpu != ev->cpu) {
		const struct derived_row row = row_of(ev, rec, pid);

		put(m, &row, derived_int(&f[NEXT_PRIO], ev->record), t->cpu, ev->cpu,
		    "sched_switch");
	}
	t->known = true;
	t->cpu = ev->cpu;
}

static void take_event(void *state, const struct derived_type *type, const struct tdat_event *ev,
		       uint32_t rec)
{
	if (type->kind == SWITCH)
		take_switch(state, type->fields, ev, rec);
	else
		take_migrate(state, type->fields, ev, rec);
}

static void end(void *state)
{
	struct migrations *m = state;

	if (m->tasks.failed || m->losses.cpus.failed)
		derived_fail(m->out);
}

static void free_state(void *state)
{
	struct migrations *m = state;

	map_fini(&m->tasks);
	losses_fini(&m->losses);
	free(m);
}

static enum tdat_status begin(void **state, const struct table_derived *def,
			      struct derived_out *out, struct tdat_error *err)
{
	struct migrations *m = calloc(1, sizeof(*m));

	*state = m;
	if (!m)
		return tdat_error_no_memory(err, def->name);
	m->out = out;
	map_init(&m->tasks, sizeof(struct task), TASKS_MAX);
	if (!losses_init(&m->losses, out))
		return tdat_error_no_memory(err, def->name);
	return TDAT_OK;
}

const struct table_derived analysis_migration = {
	.name = "migration",
	.columns = columns,
	.events = events,
	.event_count = sizeof(events) / sizeof(events[0]),
	.begin = begin,
	.event = take_event,
	.lost = losses_take,
	.end = end,
	.free = free_state,
};
