/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table migration: tasks that went to another CPU. A row comes from sched_migrate_task, or
 * from a sched_switch to a task that ran on another CPU before; the column seen_by says which.
 * The last CPU of each task is kept in a map. A CPU that losses made unknown is not used.
 */
#include "analysis.h"

/* Tasks that are followed at once. */
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

/* The last CPU of a task. */
struct task {
	struct derived_entry entry; /* recording, pid */
	bool known;
	int64_t cpu; /* the one that it ran on, or was sent to */
	uint64_t losses;
};

/* The task, with known cleared if a loss may have hidden a migration. */
static struct task *find_task(struct derived_state *s, uint32_t rec, int64_t pid)
{
	struct task *t = derived_get(s, (const uint64_t[TDAT_KEY_MOST]){rec, (uint32_t)pid});

	if (!t)
		return NULL;
	t->known = t->known && derived_knows(s, rec, t->losses);
	t->losses = derived_now(s, rec);
	return t;
}

static void put(struct derived_state *s, const struct derived_row *row, int64_t prio, int64_t from,
		int64_t to, const char *seen_by)
{
	if (!derived_row_begin(s->out, row))
		return;
	derived_put_int(s->out, prio);
	derived_put_int(s->out, from);
	derived_put_int(s->out, to);
	derived_put_name(s->out, seen_by);
	derived_row_end(s->out);
}

/* A row of the moment, of the task that moved. */
static struct derived_row row_of(const struct tdat_event *ev, uint32_t rec, int64_t pid)
{
	struct derived_row row = derived_moment(ev, rec);

	row.pid = pid;
	return row;
}

/* sched_migrate_task says both CPUs; the row needs nothing before it. */
static void take_migrate(struct derived_state *s, const struct derived_field *f,
			 const struct tdat_event *ev, uint32_t rec)
{
	const int64_t pid = derived_int(&f[PID], ev->record);
	const struct derived_row row = row_of(ev, rec, pid);
	struct task *t = find_task(s, rec, pid);

	put(s, &row, derived_int(&f[PRIO], ev->record), derived_int(&f[ORIG_CPU], ev->record),
	    derived_int(&f[DEST_CPU], ev->record), "sched_migrate_task");
	if (!t)
		return;
	t->known = true;
	t->cpu = derived_int(&f[DEST_CPU], ev->record);
}

/* A task that runs on another CPU than before has migrated, although no event said so. */
static void take_switch(struct derived_state *s, const struct derived_field *f,
			const struct tdat_event *ev, uint32_t rec)
{
	const int64_t prev = derived_int(&f[PREV_PID], ev->record);
	const int64_t pid = derived_int(&f[NEXT_PID], ev->record);
	struct task *t = prev ? find_task(s, rec, prev) : NULL;

	/* It may have been sent on between, which only the event tells. */
	if (t) {
		t->known = true;
		t->cpu = ev->cpu;
	}
	t = pid ? find_task(s, rec, pid) : NULL;
	if (!t)
		return;
	if (t->known && t->cpu != ev->cpu) {
		const struct derived_row row = row_of(ev, rec, pid);

		put(s, &row, derived_int(&f[NEXT_PRIO], ev->record), t->cpu, ev->cpu,
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

const struct table_derived analysis_migration = {
	ANALYSIS_TABLE(migration),
	.about = {"moves of tasks to other CPUs", "sched/sched_switch|sched/sched_migrate_task",
		  "-e sched_switch -e sched_migrate_task"},

	.entry_len = sizeof(struct task),
	.most = TASKS_MAX,
	.event = take_event,
};
