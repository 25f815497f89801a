/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command tdat profile: where the time of each task and CPU went. One pass over derived
 * tables, such as sched, thread_state, wakeup and syscall, adds up times of each task and CPU.
 * Details, such as wakers and system calls, are groups of their own. profile_text.c and
 * profile_json.c print them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/commands.h"
#include "commands/profile_facts.h"
#include "core/checked.h"
#include "core/grow.h"
#include "output/selection.h"
#include "tables/group_text.h"

static const struct cli_opt profile_opts[] = {
	CLI_U64(0, "top", "N", 0, 0, struct profile_args, top,
		"tasks that are printed: 20 by default, 0 for all"),
	CLI_FLAG(0, "json", struct profile_args, json, "print the same facts, all tasks, as JSON"),
	CLI_FLAG(0, "csv", struct profile_args, csv, "print a line for each task as CSV"),
	CLI_TABLE_OPTS(struct profile_args, table),
	CLI_FILTER_TO(struct profile_args, table.filter),
	CLI_OPT_END,
};

/* The columns that are looked at, of the tables that have them. */
enum column {
	FILE_NAME,
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
	COLUMNS
};
static const char *const column_names[COLUMNS] = {
	"file",	 "buffer",    "pid",	    "cpu",  "ts",   "dur",     "comm",
	"state", "waker_pid", "waker_comm", "name", "func", "self_dur"};

enum table {
	SCHED,
	STATES,
	WAKEUPS,
	MIGRATIONS,
	IRQS,
	SOFTIRQS,
	SYSCALLS,
	FUNCTIONS,
	FAULTS,
	TABLES
};
static const char *const table_names[TABLES] = {"sched",     "thread_state", "wakeup",
						"migration", "irq",	     "softirq",
						"syscall",   "function",     "page_fault"};

struct collector {
	struct profile *p;
	const struct tdat_table *tables[TABLES];
	struct cli_column columns[TABLES][COLUMNS];
	struct cli_column *c; /* of the batch */
	int64_t row;
};

/* ---- groups ---- */

static bool grow(void **list, size_t *cap, size_t index, size_t len)
{
	const size_t had = *cap;
	void *grown = tdat_grown(*list, cap, index + 1, len);

	if (!grown)
		return false;
	*list = grown;
	if (*cap > had)
		memset((char *)grown + had * len, 0, (*cap - had) * len);
	return true;
}

static size_t group_of(struct collector *t, struct cli_groups *g, const enum column *keys, size_t n)
{
	struct cli_column columns[6];
	size_t count = 0;

	if (t->p->rec_parts > 1)
		columns[count++] = t->c[FILE_NAME];
	columns[count++] = t->c[BUFFER];
	for (size_t i = 0; i < n; i++)
		columns[count++] = t->c[keys[i]];
	return cli_groups_find(g, columns, t->row);
}

static bool is_null(const struct collector *t, enum column c)
{
	return !t->c[c].kind || cli_column_is_null(&t->c[c], t->row);
}

static uint64_t number(const struct collector *t, enum column c)
{
	return is_null(t, c) ? 0 : (uint64_t)cli_column_int(&t->c[c], t->row);
}

/* The task of a row; NULL: no memory. */
static struct profile_task *task_of(struct collector *t)
{
	const size_t i = group_of(t, &t->p->task_groups, (const enum column[]){PID}, 1);
	struct profile_task *task;
	struct tdat_span comm;

	if (i == CLI_NO_GROUP ||
	    !grow((void **)&t->p->tasks, &t->p->task_cap, i, sizeof(*t->p->tasks)))
		return NULL;
	task = &t->p->tasks[i];
	if (is_null(t, COMM) || task->comm)
		return task;
	comm = cli_column_text(&t->c[COMM], t->row);
	task->comm = strndup((const char *)comm.ptr, comm.len);
	return task->comm ? task : NULL;
}

static struct profile_cpu *cpu_of(struct collector *t)
{
	const size_t i = group_of(t, &t->p->cpu_groups, (const enum column[]){CPU}, 1);

	if (i == CLI_NO_GROUP ||
	    !grow((void **)&t->p->cpus, &t->p->cpu_cap, i, sizeof(*t->p->cpus)))
		return NULL;
	return &t->p->cpus[i];
}

/* Sums of a hostile file end at the largest number. */
static void add_time(uint64_t *sum, uint64_t ns)
{
	if (!tdat_add_u64(*sum, ns, sum))
		*sum = UINT64_MAX;
}

static void add(struct profile_sum *sum, uint64_t dur)
{
	sum->count++;
	add_time(&sum->dur, dur);
}

static bool add_detail(struct collector *t, enum profile_kind kind, const enum column *keys,
		       size_t n, uint64_t dur)
{
	struct profile_detail *d = &t->p->details[kind];
	const size_t i = group_of(t, &d->groups, keys, n);

	if (i == CLI_NO_GROUP || !grow((void **)&d->sums, &d->cap, i, sizeof(*d->sums)))
		return false;
	add(&d->sums[i], dur);
	return true;
}

/* ---- rows ---- */

static bool take_sched(struct collector *t)
{
	const uint64_t ts = number(t, TS), dur = number(t, DUR), end = ts + dur;
	struct profile_cpu *cpu = cpu_of(t);
	struct profile_task *task;

	if (!cpu)
		return false;
	/* Times are of 64 bits: of two, the earlier is that which less of these lie behind. */
	if (!cpu->switches || ts - cpu->first > INT64_MAX)
		cpu->first = ts;
	if (!cpu->switches++ || end - cpu->last <= INT64_MAX)
		cpu->last = end;
	if (!number(t, PID)) {
		add_time(&cpu->idle, dur);
		return true;
	}
	add_time(&cpu->busy, dur);
	task = task_of(t);
	if (!task)
		return false;
	task->switches++;
	add_time(&task->on_cpu, dur);
	return true;
}

static bool take_state(struct collector *t)
{
	const struct tdat_span state = cli_column_text(&t->c[STATE], t->row);
	struct profile_task *task = task_of(t);
	const uint64_t dur = number(t, DUR);
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

static bool take_wakeup(struct collector *t)
{
	struct profile_task *task = task_of(t);

	if (!task)
		return false;
	task->wakeups++;
	return add_detail(t, PROFILE_WAKERS, (const enum column[]){PID, WAKER_COMM, WAKER_PID}, 3,
			  number(t, DUR));
}

static bool take_irq(struct collector *t, enum table table)
{
	struct profile_task *task = task_of(t);
	struct profile_cpu *cpu = cpu_of(t);
	const uint64_t dur = number(t, DUR);

	if (!task || !cpu)
		return false;
	add(table == IRQS ? &task->irqs : &task->softirqs, dur);
	add(table == IRQS ? &cpu->irqs : &cpu->softirqs, dur);
	return true;
}

static bool take_call(struct collector *t, enum table table)
{
	struct profile_task *task = task_of(t);
	const uint64_t dur = number(t, table == SYSCALLS ? DUR : SELF_DUR);

	if (!task)
		return false;
	if (table == SYSCALLS) {
		add(&task->syscalls, dur);
		return add_detail(t, PROFILE_SYSCALLS, (const enum column[]){PID, NAME}, 2, dur);
	}
	add(&task->functions, dur);
	return add_detail(t, PROFILE_FUNCTIONS, (const enum column[]){PID, FUNC}, 2, dur);
}

static bool take_row(struct collector *t, enum table table)
{
	struct profile_task *task;

	switch (table) {
	case SCHED:
		return take_sched(t);
	case STATES:
		return take_state(t);
	case WAKEUPS:
		return take_wakeup(t);
	case IRQS:
	case SOFTIRQS:
		return take_irq(t, table);
	case SYSCALLS:
	case FUNCTIONS:
		return take_call(t, table);
	default:
		task = task_of(t);
		if (!task)
			return false;
		task->migrations += table == MIGRATIONS;
		task->faults += table == FAULTS;
		return true;
	}
}

static enum tdat_status take_rows(void *ctx, const struct tdat_table *table,
				  const struct ArrowArray *rows, struct tdat_error *err)
{
	struct collector *t = ctx;
	size_t i = 0;

	while (t->tables[i] != table)
		i++;
	t->c = t->columns[i];
	cli_trace_batch(t->c, COLUMNS, rows);
	for (t->row = 0; t->row < rows->length; t->row++)
		if (!take_row(t, (enum table)i))
			return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory");
	return TDAT_OK;
}

/* ---- order ---- */

/* An entry of the list that qsort puts in order. */
struct order_entry {
	size_t index;
	uint64_t weight;
	const struct cli_groups *groups;
	size_t same; /* parts of the key that are compared before the weight */
};

static int by_place(const void *a, const void *b)
{
	const struct order_entry *x = a, *y = b;

	for (size_t i = 0; i < x->same; i++) {
		const struct tdat_span p = cli_groups_part(x->groups, x->index, i);
		const struct tdat_span q = cli_groups_part(y->groups, y->index, i);
		const size_t n = p.len < q.len ? p.len : q.len;
		int order = n ? memcmp(p.ptr, q.ptr, n) : 0;

		order = order ? order : (p.len > q.len) - (p.len < q.len);
		if (order)
			return order;
	}
	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return cli_groups_compare(x->groups, x->index, y->index);
}

/* Returns the groups in order. weights is by group; NULL: only the keys count. */
static size_t *put_in_order(const struct cli_groups *g, const uint64_t *weights, size_t stride,
			    size_t same)
{
	struct order_entry *list = calloc(g->count + 1, sizeof(*list));
	size_t *order = calloc(g->count + 1, sizeof(*order));

	for (size_t i = 0; list && order && i < g->count; i++)
		list[i] = (struct order_entry){
			i,
			weights ? *(const uint64_t *)(const void *)((const char *)weights +
								    i * stride)
				: 0,
			g, same};
	if (list && order) {
		qsort(list, g->count, sizeof(*list), by_place);
		for (size_t i = 0; i < g->count; i++)
			order[i] = list[i].index;
	}
	free(list);
	return order;
}

static int sort_all(struct profile *p)
{
	p->order = put_in_order(&p->task_groups, &p->tasks->on_cpu, sizeof(*p->tasks), 0);
	p->cpu_order = put_in_order(&p->cpu_groups, NULL, 0, 0);
	if (!p->order || !p->cpu_order)
		return cli_nomem();
	for (size_t k = 0; k < PROFILE_KINDS; k++) {
		struct profile_detail *d = &p->details[k];

		d->order = put_in_order(&d->groups,
					k == PROFILE_WAKERS ? &d->sums->count : &d->sums->dur,
					sizeof(*d->sums), p->rec_parts + 1);
		if (!d->order)
			return cli_nomem();
	}
	return CLI_OK;
}

/* ---- the whole ---- */

static int read_tables(struct profile *p)
{
	struct collector t = {.p = p};
	const bool several = p->trace->input_count > 1;
	int rc = CLI_OK;

	p->rec_parts = several ? 2 : 1;
	cli_groups_init(&p->task_groups, p->rec_parts + 1);
	cli_groups_init(&p->cpu_groups, p->rec_parts + 1);
	cli_groups_init(&p->details[PROFILE_WAKERS].groups, p->rec_parts + 3);
	cli_groups_init(&p->details[PROFILE_SYSCALLS].groups, p->rec_parts + 2);
	cli_groups_init(&p->details[PROFILE_FUNCTIONS].groups, p->rec_parts + 2);
	for (size_t i = 0; i < TABLES && rc == CLI_OK; i++) {
		t.tables[i] = cli_trace_table(p->trace, table_names[i]);
		rc = t.tables[i] ? cli_trace_columns(p->trace, t.tables[i], column_names, COLUMNS,
						     t.columns[i])
				 : CLI_FAILED;
	}
	if (rc == CLI_OK)
		rc = cli_trace_read(p->trace, t.tables, TABLES, column_names + !several,
				    COLUMNS - !several, take_rows, &t);
	if (rc == CLI_OK && !grow((void **)&p->tasks, &p->task_cap, 0, sizeof(*p->tasks)))
		rc = cli_nomem();
	for (size_t k = 0; k < PROFILE_KINDS && rc == CLI_OK; k++)
		if (!grow((void **)&p->details[k].sums, &p->details[k].cap, 0,
			  sizeof(*p->details[k].sums)))
			rc = cli_nomem();
	return rc == CLI_OK ? sort_all(p) : rc;
}

static void profile_fini(struct profile *p)
{
	for (size_t i = 0; i < p->task_cap; i++)
		free(p->tasks[i].comm);
	for (size_t k = 0; k < PROFILE_KINDS; k++) {
		cli_groups_fini(&p->details[k].groups);
		free(p->details[k].sums);
		free(p->details[k].order);
	}
	cli_groups_fini(&p->task_groups);
	cli_groups_fini(&p->cpu_groups);
	free(p->tasks);
	free(p->cpus);
	free(p->order);
	free(p->cpu_order);
}

/*
 * Whether there is nothing to tell of. Tasks may be there all the same: those that ran, or waited,
 * when the trace ended.
 */
static bool is_empty(const struct profile *p)
{
	for (size_t i = 0; i < p->task_groups.count; i++) {
		const struct profile_task *t = &p->tasks[i];

		if (t->on_cpu || t->waiting || t->blocked || t->sleeping || t->wakeups ||
		    t->migrations || t->faults || t->irqs.count || t->softirqs.count ||
		    t->syscalls.count || t->functions.count)
			return false;
	}
	for (size_t i = 0; i < p->cpu_groups.count; i++) {
		const struct profile_cpu *c = &p->cpus[i];

		if (c->busy || c->idle || c->irqs.count || c->softirqs.count)
			return false;
	}
	return true;
}

/* Returns CLI_OK, or reports rows that were counted as others. */
static int complete(const struct profile *p)
{
	static const char *const names[] = {"wakers", "system calls", "functions"};
	int rc = cli_groups_complete(&p->task_groups, "tasks");

	if (cli_groups_complete(&p->cpu_groups, "CPUs") != CLI_OK)
		rc = CLI_FAILED;
	for (size_t k = 0; k < PROFILE_KINDS; k++)
		if (cli_groups_complete(&p->details[k].groups, names[k]) != CLI_OK)
			rc = CLI_FAILED;
	return rc;
}

static void put_csv(const struct profile *p)
{
	profile_csv(p);
	cli_trace_tell_notes(p->trace);
}

static int profile_files(const struct profile_args *a, int argc, char **argv)
{
	struct cli_trace t;
	struct profile p = {.trace = &t, .args = a};
	int rc = cli_trace_open(&t, "profile", &a->table, argv + 1, argc - 1);

	if (rc == CLI_OK)
		rc = read_tables(&p);
	if (rc == CLI_OK && a->json)
		profile_json(&p);
	else if (rc == CLI_OK && a->csv)
		put_csv(&p);
	else if (rc == CLI_OK)
		profile_text(&p);
	if (rc == CLI_OK && is_empty(&p))
		cli_selection_warn(NULL, &a->table.filter, &a->table.cpus, t.inputs, t.input_count);
	if (rc == CLI_OK)
		rc = complete(&p);
	rc = rc == CLI_OK ? t.status : rc;
	profile_fini(&p);
	cli_trace_close(&t);
	return rc;
}

static int profile_run(const struct cli_cmd *cmd, int argc, char **argv)
{
	struct profile_args a = {.table = CLI_TABLE_ARGS_INIT, .top = 20};
	int status;

	if (cli_opt_parse(cmd, profile_opts, &argc, argv, &a, &status)) {
		if (a.json && a.csv) {
			cli_error(NULL, "--json and --csv cannot be combined");
			status = CLI_USAGE;
		} else {
			status = profile_files(&a, argc, argv);
		}
	}
	cli_table_args_fini(&a.table);
	return status;
}

static const char *const profile_synopsis[] = {"[OPTION]... [FILE]...", NULL};
static const char *const profile_notes[] = {
	"FILE is trace.dat when none is named; - is standard input. Several are one trace.",
	"docs/analysis.md defines the tables that the numbers are sums of.", NULL};

const struct cli_cmd cli_cmd_profile = {
	"profile",	  "Tell where the time of each task and CPU went.",
	profile_synopsis, profile_opts,
	profile_notes,	  profile_run,
};
