/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Where the time of each task and CPU went. One pass over derived tables, such as sched,
 * thread_state, wakeup and syscall, adds up times of each task and CPU. Details, such as wakers and
 * system calls, are groups of their own, sorted by task, so that those of a task follow each other.
 * profile_json.c writes the result.
 */
#include "profile.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/search.h"
#include "core/text.h"
#include "table/derived_pass.h"
#include "table/trace.h"

/* The columns that are read, of the tables that have them. */
enum column {
	BUFFER,
	PID,
	CPU,
	TS,
	DUR,
	COMM,
	STATE,
	WAKER_PID,
	WAKER_COMM,
	NAME,
	FUNC,
	SELF_DUR,
	FILE_NAME, /* of several files only */
	COLUMNS
};
static const char *const column_names[COLUMNS] = {
	"buffer",    "pid",	   "cpu",  "ts",   "dur",      "comm", "state",
	"waker_pid", "waker_comm", "name", "func", "self_dur", "file"};

/*
 * A table, and how its rows count. number, sum and cpu_sum are offsets in struct tdat_profile_task
 * and struct tdat_profile_cpu (0: none). keys are the columns behind the recording that are the
 * key of a detail; dur is the column of its time.
 */
struct source {
	const char *table;
	size_t number, sum, cpu_sum;
	enum tdat_profile_kind kind;
	enum column keys[3], dur;
	size_t key_count;
};

#define TASK(member) offsetof(struct tdat_profile_task, member)
#define CPU_SUM(member) offsetof(struct tdat_profile_cpu, member)

/* In the order of enum tdat_profile_table. */
static const struct source sources[TDAT_PROFILE_TABLES] = {
	{.table = "sched"},
	{.table = "thread_state"},
	{"wakeup", TASK(wakeups), 0, 0, TDAT_PROFILE_WAKERS, {PID, WAKER_COMM, WAKER_PID}, DUR, 3},
	{.table = "migration", .number = TASK(migrations)},
	{.table = "irq", .sum = TASK(irqs), .cpu_sum = CPU_SUM(irqs), .dur = DUR},
	{.table = "softirq", .sum = TASK(softirqs), .cpu_sum = CPU_SUM(softirqs), .dur = DUR},
	{"syscall", 0, TASK(syscalls), 0, TDAT_PROFILE_SYSCALLS, {PID, NAME}, DUR, 2},
	{"function", 0, TASK(functions), 0, TDAT_PROFILE_FUNCTIONS, {PID, FUNC}, SELF_DUR, 2},
	{.table = "page_fault", .number = TASK(page_faults)},
};

/* ---- groups ---- */

/* Finds the group of the row: recording, then n key columns. */
static size_t group_of(struct profile *p, enum tdat_profile_kind kind, const enum column *keys,
		       size_t n)
{
	struct summary_column columns[6];
	size_t count = 0;

	if (p->rec_parts > 1)
		columns[count++] = p->s.c[FILE_NAME];
	columns[count++] = p->s.c[BUFFER];
	for (size_t i = 0; i < n; i++)
		columns[count++] = p->s.c[keys[i]];
	return summary_groups_find(&p->s.groups[kind], columns, p->row);
}

/* A number of the row; 0 if it is null or the table lacks the column. */
static uint64_t number(const struct profile *p, enum column c)
{
	return summary_is_null(&p->s, c, p->row) ? 0
						 : (uint64_t)summary_column_int(&p->s.c[c], p->row);
}

/* The task of a row; NULL: no memory. */
static struct tdat_profile_task *task_of(struct profile *p)
{
	const size_t i = group_of(p, TDAT_PROFILE_TASKS, (const enum column[]){PID}, 1);
	struct tdat_profile_task *task;
	struct tdat_span comm;

	if (i == SUMMARY_NO_GROUP || !TDAT_GROW_ZERO(p->tasks, &p->task_cap, i + 1))
		return NULL;
	task = &p->tasks[i];
	if (task->comm || summary_is_null(&p->s, COMM, p->row))
		return task;
	comm = summary_column_text(&p->s.c[COMM], p->row);
	task->comm = strndup((const char *)comm.ptr, comm.len);
	return task->comm ? task : NULL;
}

/* The CPU of a row; NULL: no memory. */
static struct tdat_profile_cpu *cpu_of(struct profile *p)
{
	const size_t i = group_of(p, TDAT_PROFILE_CPUS, (const enum column[]){CPU}, 1);

	return i == SUMMARY_NO_GROUP || !TDAT_GROW_ZERO(p->cpus, &p->cpu_cap, i + 1) ? NULL
										     : &p->cpus[i];
}

/* Sums of a hostile file end at the largest number. */
static void add_time(uint64_t *sum, uint64_t ns)
{
	if (!tdat_add_u64(*sum, ns, sum))
		*sum = UINT64_MAX;
}

static void add(struct tdat_profile_sum *sum, uint64_t dur)
{
	sum->count++;
	add_time(&sum->dur, dur);
}

/* Adds a row to the detail of its task, such as a waker. False: no memory. */
static bool add_detail(struct profile *p, enum tdat_profile_kind kind, const enum column *keys,
		       size_t n, uint64_t dur)
{
	struct profile_detail *d = &p->details[kind];
	const size_t i = group_of(p, kind, keys, n);

	if (i == SUMMARY_NO_GROUP || !TDAT_GROW_ZERO(d->sums, &d->cap, i + 1))
		return false;
	add(&d->sums[i], dur);
	return true;
}

/* ---- rows ---- */

/*
 * A row of sched: a task ran on a CPU. Pid 0 is the idle task: its time is the CPU's, not a
 * task's.
 */
static bool take_sched(struct profile *p)
{
	const uint64_t ts = number(p, TS), dur = number(p, DUR), end = ts + dur;
	struct tdat_profile_cpu *cpu = cpu_of(p);
	struct tdat_profile_task *task;

	if (!cpu)
		return false;
	/* Times are of 64 bits: of two, the earlier is that which less of these lie behind. */
	if (!cpu->switches || ts - cpu->first_ts > INT64_MAX)
		cpu->first_ts = ts;
	if (!cpu->switches++ || end - cpu->last_ts <= INT64_MAX)
		cpu->last_ts = end;
	if (!number(p, PID)) {
		add_time(&cpu->idle, dur);
		return true;
	}
	add_time(&cpu->busy, dur);
	task = task_of(p);
	if (!task)
		return false;
	task->switches++;
	add_time(&task->on_cpu, dur);
	return true;
}

/* A row of thread_state adds its time to the class of its state. */
static bool take_state(struct profile *p)
{
	const struct tdat_span state = summary_column_text(&p->s.c[STATE], p->row);
	struct tdat_profile_task *task = task_of(p);
	const uint64_t dur = number(p, DUR);
	char name[24] = "";

	if (!task)
		return false;
	memcpy(name, state.ptr, state.len < sizeof(name) ? state.len : sizeof(name) - 1);
	if (!strcmp(name, "preempted"))
		task->preemptions++;
	if (!strcmp(name, "preempted") || !strcmp(name, "runnable"))
		add_time(&task->waiting, dur);
	else if (!strcmp(name, "uninterruptible"))
		add_time(&task->blocked, dur);
	else if (strcmp(name, "running") != 0 && strcmp(name, "dead") != 0)
		add_time(&task->sleeping, dur);
	return true;
}

/* A row of the other tables: sources says where it counts. */
static bool take_other(struct profile *p, const struct source *from)
{
	struct tdat_profile_task *task = task_of(p);
	struct tdat_profile_cpu *cpu = task && from->cpu_sum ? cpu_of(p) : NULL;
	const uint64_t dur = number(p, from->dur);

	if (!task || (from->cpu_sum && !cpu))
		return false;
	if (from->number)
		++*(uint64_t *)(void *)((char *)task + from->number);
	if (from->sum)
		add((struct tdat_profile_sum *)(void *)((char *)task + from->sum), dur);
	if (from->cpu_sum)
		add((struct tdat_profile_sum *)(void *)((char *)cpu + from->cpu_sum), dur);
	return !from->key_count || add_detail(p, from->kind, from->keys, from->key_count, dur);
}

static bool take_rows(struct tdat_summary *s, size_t table, int64_t count)
{
	struct profile *p = (struct profile *)s;

	p->has_rows[table] |= count > 0;
	for (p->row = 0; p->row < count; p->row++)
		if (!(table == TDAT_PROFILE_SCHED    ? take_sched(p)
		      : table == TDAT_PROFILE_STATES ? take_state(p)
						     : take_other(p, &sources[table])))
			return false;
	return true;
}

/* ---- order ---- */

/* Orders of tasks and details. */
static uint64_t on_cpu(const void *tasks, size_t i)
{
	return ((const struct tdat_profile_task *)tasks)[i].on_cpu;
}

/* For tasks of a trace without sched_switch. */
static uint64_t in_calls(const void *tasks, size_t i)
{
	const struct tdat_profile_task *t = &((const struct tdat_profile_task *)tasks)[i];

	return t->syscalls.dur + t->functions.dur;
}

static uint64_t by_count(const void *sums, size_t i)
{
	return ((const struct tdat_profile_sum *)sums)[i].count;
}

static uint64_t by_dur(const void *sums, size_t i)
{
	return ((const struct tdat_profile_sum *)sums)[i].dur;
}

/*
 * Sorts all kinds. Details keep the recording and task of their keys together, so that those of a
 * task are a range.
 */
static bool end(struct tdat_summary *s)
{
	struct profile *p = (struct profile *)s;
	size_t **order = p->order;
	bool good = true;

	order[TDAT_PROFILE_CPUS] =
		summary_groups_order(&s->groups[TDAT_PROFILE_CPUS], 0, NULL, NULL);
	order[TDAT_PROFILE_TASKS] =
		summary_groups_order(&s->groups[TDAT_PROFILE_TASKS], 0,
				     p->has_rows[TDAT_PROFILE_SCHED] ? on_cpu : in_calls, p->tasks);
	for (size_t k = TDAT_PROFILE_WAKERS; k < TDAT_PROFILE_KINDS; k++)
		order[k] = summary_groups_order(&s->groups[k], p->rec_parts + 1,
						k == TDAT_PROFILE_WAKERS ? by_count : by_dur,
						p->details[k].sums);
	for (size_t k = 0; k < TDAT_PROFILE_KINDS; k++)
		good &= order[k] != NULL;
	return good;
}

/* ---- the whole ---- */

static void free_profile(struct tdat_summary *s)
{
	struct profile *p = (struct profile *)s;

	for (size_t i = 0; i < p->task_cap; i++)
		free((char *)(uintptr_t)p->tasks[i].comm);
	for (size_t k = 0; k < TDAT_PROFILE_KINDS; k++) {
		free(p->details[k].sums);
		free(p->order[k]);
	}
	free(p->tasks);
	free(p->cpus);
}

/*
 * Makes a profile over the tables of sources. The order of kinds is that of
 * enum tdat_profile_kind.
 */
enum tdat_status tdat_summary_profile(struct tdat_summary **out, const struct tdat_trace *trace,
				      struct tdat_error *err)
{
	static const struct summary_ops ops = {take_rows, end, profile_json, free_profile};
	static const struct {
		const char *what;
		size_t parts; /* of the key, behind the recording */
	} kinds[TDAT_PROFILE_KINDS] = {
		{"CPUs", 1}, {"tasks", 1}, {"wakers", 3}, {"system calls", 2}, {"functions", 2}};
	struct profile *p = summary_new(sizeof(*p), &ops, trace, err);
	enum tdat_status st = TDAT_OK;

	*out = NULL;
	if (!p)
		return TDAT_E_NOMEM;
	p->rec_parts = trace->input_count > 1 ? 2 : 1;
	for (size_t k = 0; k < TDAT_PROFILE_KINDS; k++)
		summary_groups_init(&p->s.groups[p->s.group_lists++], kinds[k].what,
				    p->rec_parts + kinds[k].parts);
	p->s.name_count = COLUMNS - (p->rec_parts == 1);
	memcpy(p->s.names, column_names, sizeof(column_names));
	for (size_t i = 0; i < TDAT_PROFILE_TABLES && st == TDAT_OK; i++) {
		const struct tdat_table *table = tdat_trace_find(trace, sources[i].table);
		struct summary_column *columns;

		st = summary_look(&p->s, table, &columns, err);
		summary_keep(&p->s, table);
	}
	if (st == TDAT_OK)
		*out = &p->s;
	else
		tdat_summary_free(&p->s);
	return st;
}

/* ---- what it says ---- */

bool tdat_profile_is_recorded(const struct tdat_summary *s, enum tdat_profile_table table)
{
	const struct profile *p = profile_of(s);

	return p->has_rows[table];
}

bool tdat_profile_knows_idle(const struct tdat_summary *s)
{
	return !s->is_of_tasks && tdat_profile_is_recorded(s, TDAT_PROFILE_SCHED);
}

const struct tdat_profile_cpu *tdat_profile_cpu(const struct tdat_summary *s, size_t index)
{
	return index < s->groups[TDAT_PROFILE_CPUS].count
		       ? &profile_of(s)->cpus[profile_of(s)->order[TDAT_PROFILE_CPUS][index]]
		       : NULL;
}

const struct tdat_profile_task *tdat_profile_task(const struct tdat_summary *s, size_t index)
{
	return index < s->groups[TDAT_PROFILE_TASKS].count
		       ? &profile_of(s)->tasks[profile_of(s)->order[TDAT_PROFILE_TASKS][index]]
		       : NULL;
}

size_t tdat_profile_count(const struct tdat_summary *s, enum tdat_profile_kind kind)
{
	return s->groups[kind].count;
}

struct tdat_summary_key tdat_profile_key(const struct tdat_summary *s, enum tdat_profile_kind kind,
					 size_t index, enum tdat_profile_part part)
{
	const struct profile *p = profile_of(s);
	const size_t place = (size_t)part + p->rec_parts;

	/* Without several files the part of the file name is not there. */
	if (place < TDAT_PROFILE_NUMBER)
		return (struct tdat_summary_key){{NULL, 0}, false};
	return summary_key(&s->groups[kind], p->order[kind][index], place - TDAT_PROFILE_NUMBER);
}

/* Compares the recording and pid of a group of details with those of a task. */
static int compare(const struct profile *p, enum tdat_profile_kind kind, size_t detail, size_t task)
{
	int order = 0;

	for (size_t i = 0; i <= p->rec_parts && !order; i++)
		order = tdat_span_order(
			summary_groups_part(&p->s.groups[kind], p->order[kind][detail], i, NULL),
			summary_groups_part(&p->s.groups[TDAT_PROFILE_TASKS],
					    p->order[TDAT_PROFILE_TASKS][task], i, NULL));
	return order;
}

/* Details of a task are found by halves; *first is the place of the first one. */
size_t tdat_profile_details(const struct tdat_summary *s, enum tdat_profile_kind kind, size_t task,
			    size_t *first)
{
	const struct profile *p = profile_of(s);
	const size_t count = s->groups[kind].count;
	size_t end;

	TDAT_SEARCH(*first, count, compare(p, kind, *first, task) < 0);
	TDAT_SEARCH(end, count, compare(p, kind, end, task) <= 0);
	return end - *first;
}

const struct tdat_profile_sum *tdat_profile_detail(const struct tdat_summary *s,
						   enum tdat_profile_kind kind, size_t index)
{
	return &profile_of(s)->details[kind].sums[profile_of(s)->order[kind][index]];
}
