/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the profile of "tdat profile" as text and CSV. Tasks are sorted by time on a CPU. A task
 * has a line with its times, then the first of its wakers, system calls and functions; all tasks
 * together come first. "-" is a number whose events were not recorded.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "commands/summary_text.h"
#include "output/csv_text.h"
#include "tables/group_text.h"
#include "terminal/safe_text.h"
#include "terminal/units.h"

/* Wakers, system calls or functions that are shown of a task. */
enum { DETAILS = 3 };

/* What all tables of one profile have in common. */
struct view {
	const struct tdat_summary *s;
	struct cli_numbers numbers;
	size_t most; /* tasks that are shown */
	bool failed; /* no memory */
};

/* ---- cells: "-" for numbers of events that were not recorded ---- */

static void cell_time(struct cli_columns *t, bool is_known, uint64_t time)
{
	if (is_known)
		cli_cell_time(t, time);
	else
		cli_cell_none(t);
}

static void cell_count(struct cli_columns *t, bool is_known, uint64_t count)
{
	if (is_known)
		cli_cell_count(t, count);
	else
		cli_cell_none(t);
}

static void cell_sum(struct cli_columns *t, bool is_known, const struct tdat_profile_sum *sum)
{
	cell_count(t, is_known, sum->count);
	cell_time(t, is_known, sum->dur);
}

/* Ends a cell with the recording, if there are several: the file, and the buffer instance. */
static void end_of_recording(struct cli_columns *t, const struct view *v,
			     enum tdat_profile_kind kind, size_t index)
{
	for (int part = TDAT_PROFILE_FILE; part <= TDAT_PROFILE_BUFFER; part++) {
		const struct tdat_summary_key key =
			tdat_profile_key(v->s, kind, index, (enum tdat_profile_part)part);

		if (key.text.len) {
			tdat_build_str(&t->cells, "  ");
			cli_key_build(&t->cells, key);
		}
	}
	cli_cell_end(t);
}

/* "comm-12" and the recording. The row of all other tasks has no name. */
static void cell_task(struct cli_columns *t, const struct view *v, size_t index)
{
	const struct tdat_summary_key pid =
		tdat_profile_key(v->s, TDAT_PROFILE_TASKS, index, TDAT_PROFILE_NUMBER);
	const char *comm = tdat_profile_task(v->s, index)->comm;

	if (!pid.is_others) {
		cli_build_text(&t->cells, comm, comm ? strlen(comm) : 0, "");
		tdat_build_u8(&t->cells, '-');
	}
	cli_key_build(&t->cells, pid);
	end_of_recording(t, v, TDAT_PROFILE_TASKS, index);
}

static bool is_recorded(const struct view *v, enum tdat_profile_table table)
{
	return tdat_profile_is_recorded(v->s, table);
}

static void begin(struct cli_columns *t, const struct view *v, const struct cli_column *columns,
		  size_t count)
{
	putchar('\n');
	cli_columns_init(t, columns, count, v->numbers);
}

#define BEGIN(t, v, columns) begin(t, v, columns, sizeof(columns) / sizeof(*(columns)))

/* ---- CPUs ---- */

static void add_sum(struct tdat_profile_sum *to, const struct tdat_profile_sum *sum)
{
	to->count += sum->count;
	to->dur += sum->dur;
}

/*
 * unknown is the time that neither a task nor idle covers: before the first sched_switch, and
 * behind lost events. The cells after the name of the CPU.
 */
static void cell_cpu(struct cli_columns *t, const struct view *v, const struct tdat_profile_cpu *c,
		     uint64_t unknown)
{
	const bool sched = is_recorded(v, TDAT_PROFILE_SCHED);
	const bool idle = tdat_profile_knows_idle(v->s);

	cell_time(t, sched, c->busy);
	cli_cell_share(t, c->busy, idle ? c->busy + c->idle + unknown : 0);
	cell_time(t, idle, c->idle);
	cell_time(t, idle, unknown);
	cell_count(t, sched, c->switches);
	cell_sum(t, is_recorded(v, TDAT_PROFILE_IRQS), &c->irqs);
	cell_sum(t, is_recorded(v, TDAT_PROFILE_SOFTIRQS), &c->softirqs);
}

/* c->busy may exceed the span of events if an interval was open at its end. */
static uint64_t unknown_of(const struct tdat_profile_cpu *c)
{
	const uint64_t span = c->last_ts - c->first_ts;
	const uint64_t rest = span > c->busy ? span - c->busy : 0;

	return rest > c->idle ? rest - c->idle : 0;
}

static void text_cpus(struct view *v)
{
	static const struct cli_column columns[] = {
		{"CPU", 0, true},	   {"busy", 0, false},	   {"share", 2, false},
		{"idle", 1, false},	   {"unknown", 3, false},  {"switches", 4, false},
		{"irqs", 7, false},	   {"irq time", 5, false}, {"softirqs", 8, false},
		{"softirq time", 6, false}};
	struct tdat_profile_cpu all = {0};
	const struct tdat_profile_cpu *c;
	struct cli_columns t;
	uint64_t unknown = 0;
	size_t count = 0;

	for (; (c = tdat_profile_cpu(v->s, count)); count++) {
		all.busy += c->busy;
		all.idle += c->idle;
		all.switches += c->switches;
		add_sum(&all.irqs, &c->irqs);
		add_sum(&all.softirqs, &c->softirqs);
		unknown += unknown_of(c);
	}
	if (!count)
		return;
	BEGIN(&t, v, columns);
	cli_cell_str(&t, "all");
	cell_cpu(&t, v, &all, unknown);
	for (size_t i = 0; i < count; i++) {
		c = tdat_profile_cpu(v->s, i);
		cli_key_build(&t.cells,
			      tdat_profile_key(v->s, TDAT_PROFILE_CPUS, i, TDAT_PROFILE_NUMBER));
		end_of_recording(&t, v, TDAT_PROFILE_CPUS, i);
		cell_cpu(&t, v, c, unknown_of(c));
	}
	v->failed |= !cli_columns_end(&t);
}

/* ---- tasks ---- */

/* All tasks together, also those that --top leaves out. */
static struct tdat_profile_task all_tasks(const struct view *v)
{
	struct tdat_profile_task all = {.comm = NULL};
	const struct tdat_profile_task *one;

	for (size_t i = 0; (one = tdat_profile_task(v->s, i)); i++) {
		all.on_cpu += one->on_cpu;
		all.waiting += one->waiting;
		all.blocked += one->blocked;
		all.sleeping += one->sleeping;
		all.switches += one->switches;
		all.preemptions += one->preemptions;
		all.migrations += one->migrations;
		all.wakeups += one->wakeups;
		all.page_faults += one->page_faults;
		add_sum(&all.irqs, &one->irqs);
		add_sum(&all.softirqs, &one->softirqs);
		add_sum(&all.syscalls, &one->syscalls);
		add_sum(&all.functions, &one->functions);
	}
	return all;
}

static void cell_times(struct cli_columns *t, const struct view *v,
		       const struct tdat_profile_task *one, uint64_t whole)
{
	const bool sched = is_recorded(v, TDAT_PROFILE_SCHED);
	const bool states = is_recorded(v, TDAT_PROFILE_STATES);

	cell_time(t, sched, one->on_cpu);
	cli_cell_share(t, one->on_cpu, whole);
	cell_time(t, states, one->waiting);
	cell_time(t, states, one->blocked);
	cell_time(t, states, one->sleeping);
	cell_count(t, sched, one->switches);
	cell_count(t, states, one->preemptions);
	cell_count(t, is_recorded(v, TDAT_PROFILE_MIGRATIONS), one->migrations);
	cell_count(t, is_recorded(v, TDAT_PROFILE_WAKEUPS), one->wakeups);
}

/* Times and numbers of the scheduler, a task a line. False: none of them was recorded. */
static bool text_times(struct view *v, const struct tdat_profile_task *all)
{
	static const struct cli_column columns[] = {{"on CPU", 0, false},    {"share", 3, false},
						    {"waiting", 1, false},   {"blocked", 2, false},
						    {"sleeping", 4, false},  {"switches", 5, false},
						    {"preempted", 8, false}, {"moved", 7, false},
						    {"woken", 6, false},     {"task", 0, true}};
	struct cli_columns t;
	bool any = false;

	for (int table = TDAT_PROFILE_SCHED; table <= TDAT_PROFILE_MIGRATIONS; table++)
		any |= is_recorded(v, (enum tdat_profile_table)table);
	if (!any)
		return false;
	BEGIN(&t, v, columns);
	cell_times(&t, v, all, all->on_cpu);
	cli_cell_str(&t, "all");
	for (size_t i = 0; i < v->most; i++) {
		cell_times(&t, v, tdat_profile_task(v->s, i), all->on_cpu);
		cell_task(&t, v, i);
	}
	v->failed |= !cli_columns_end(&t);
	return true;
}

static void text_more(size_t tasks)
{
	if (tasks)
		printf("  (%zu more tasks: --top 0 prints all)\n", tasks);
}

/* Tasks without any of these have no line in the second table. */
static bool has_calls(const struct tdat_profile_task *t)
{
	return t->irqs.count || t->softirqs.count || t->syscalls.count || t->functions.count ||
	       t->page_faults;
}

static void cell_calls(struct cli_columns *t, const struct view *v,
		       const struct tdat_profile_task *one)
{
	cell_sum(t, is_recorded(v, TDAT_PROFILE_IRQS), &one->irqs);
	cell_sum(t, is_recorded(v, TDAT_PROFILE_SOFTIRQS), &one->softirqs);
	cell_sum(t, is_recorded(v, TDAT_PROFILE_CALLS), &one->syscalls);
	cell_sum(t, is_recorded(v, TDAT_PROFILE_FUNCTION), &one->functions);
	cell_count(t, is_recorded(v, TDAT_PROFILE_FAULTS), one->page_faults);
}

static void text_calls(struct view *v, const struct tdat_profile_task *all)
{
	static const struct cli_column columns[] = {
		{"irqs", 7, false},	    {"irq time", 3, false}, {"softirqs", 8, false},
		{"softirq time", 4, false}, {"syscalls", 5, false}, {"syscall time", 1, false},
		{"functions", 6, false},    {"own time", 2, false}, {"faults", 9, false},
		{"task", 0, true}};
	struct cli_columns t;

	if (!has_calls(all))
		return;
	BEGIN(&t, v, columns);
	cell_calls(&t, v, all);
	cli_cell_str(&t, "all");
	for (size_t i = 0; i < v->most; i++) {
		if (!has_calls(tdat_profile_task(v->s, i)))
			continue;
		cell_calls(&t, v, tdat_profile_task(v->s, i));
		cell_task(&t, v, i);
	}
	v->failed |= !cli_columns_end(&t);
}

/* The first details of one task; its name stands in the first line only. */
static void cell_details(struct cli_columns *t, const struct view *v, enum tdat_profile_kind kind,
			 size_t task)
{
	size_t first, n = tdat_profile_details(v->s, kind, task, &first);

	for (size_t k = first; k < first + n && k < first + DETAILS; k++) {
		if (k == first)
			cell_task(t, v, task);
		else
			cli_cell_str(t, "");
		cell_sum(t, true, tdat_profile_detail(v->s, kind, k));
		cli_key_build(&t->cells, tdat_profile_key(v->s, kind, k, TDAT_PROFILE_NAME));
		if (kind == TDAT_PROFILE_WAKERS) {
			tdat_build_u8(&t->cells, '-');
			cli_key_build(&t->cells,
				      tdat_profile_key(v->s, kind, k, TDAT_PROFILE_WAKER));
		}
		cli_cell_end(t);
	}
	if (n <= DETAILS)
		return;
	for (int i = 0; i < 3; i++)
		cli_cell_str(t, "");
	tdat_build_printf(&t->cells, "(%zu more)", n - DETAILS);
	cli_cell_end(t);
}

/* The first of each task's wakers, system calls or functions, the longest time first. */
static void text_details(struct view *v, enum tdat_profile_kind kind)
{
	static const char *const titles[TDAT_PROFILE_KINDS] = {
		[TDAT_PROFILE_WAKERS] = "woken by",
		[TDAT_PROFILE_SYSCALLS] = "system call",
		[TDAT_PROFILE_FUNCTIONS] = "function"};
	const bool functions = kind == TDAT_PROFILE_FUNCTIONS;
	const struct cli_column columns[] = {{"task", 0, true},
					     {"count", 0, false},
					     {functions ? "own time" : "time", 0, false},
					     {titles[kind], 0, true}};
	struct cli_columns t;

	if (!tdat_profile_count(v->s, kind))
		return;
	BEGIN(&t, v, columns);
	for (size_t i = 0; i < v->most; i++)
		cell_details(&t, v, kind, i);
	v->failed |= !cli_columns_end(&t);
}

/* top is the number of tasks, 0: all. CPUs are always printed. False: no memory. */
bool profile_text(const struct tdat_summary *s, uint64_t top, bool exact)
{
	const size_t count = tdat_profile_count(s, TDAT_PROFILE_TASKS);
	struct view v = {.s = s,
			 .numbers = {exact, tdat_summary_seconds(s)},
			 .most = top && top < count ? (size_t)top : count};
	const struct tdat_profile_task all = all_tasks(&v);
	char buf[CLI_UNIT_ROOM];
	size_t note_count;
	bool times;
	const struct tdat_summary_note *notes = tdat_summary_notes(s, &note_count);

	if (!v.numbers.ns)
		puts("\nTimes are in ticks of the clock.");
	if (!count && !tdat_profile_count(s, TDAT_PROFILE_CPUS))
		puts("\n"
		     "Nothing to print: the trace contains no events for a profile, or none was "
		     "selected.");
	text_cpus(&v);
	times = count && text_times(&v, &all);
	text_more(times ? count - v.most : 0);
	text_calls(&v, &all);
	text_more(times ? 0 : count - v.most);
	for (size_t k = TDAT_PROFILE_WAKERS; k < TDAT_PROFILE_KINDS; k++)
		text_details(&v, (enum tdat_profile_kind)k);
	for (size_t i = 0; i < note_count; i++)
		printf("%sOmitted from %s %s times: %s\n", i ? "" : "\n", notes[i].table,
		       cli_unit_count(buf, notes[i].count, exact), notes[i].what);
	return !v.failed;
}

/*
 * One line for each task, with all digits; nothing where a thing was not recorded. The column file
 * exists only for several files.
 */
void profile_csv(const struct tdat_summary *s, bool several)
{
	const struct tdat_profile_task *t;

	printf("%sbuffer,pid,comm,on_cpu,waiting,blocked,sleeping,switches,preemptions,migrations,"
	       "wakeups,irqs,irq_dur,softirqs,softirq_dur,syscalls,syscall_dur,functions,"
	       "function_dur,page_faults\n",
	       several ? "file," : "");
	for (size_t i = 0; (t = tdat_profile_task(s, i)); i++) {
		const struct {
			enum tdat_profile_table table;
			uint64_t value;
		} numbers[] = {{TDAT_PROFILE_SCHED, t->on_cpu},
			       {TDAT_PROFILE_STATES, t->waiting},
			       {TDAT_PROFILE_STATES, t->blocked},
			       {TDAT_PROFILE_STATES, t->sleeping},
			       {TDAT_PROFILE_SCHED, t->switches},
			       {TDAT_PROFILE_STATES, t->preemptions},
			       {TDAT_PROFILE_MIGRATIONS, t->migrations},
			       {TDAT_PROFILE_WAKEUPS, t->wakeups},
			       {TDAT_PROFILE_IRQS, t->irqs.count},
			       {TDAT_PROFILE_IRQS, t->irqs.dur},
			       {TDAT_PROFILE_SOFTIRQS, t->softirqs.count},
			       {TDAT_PROFILE_SOFTIRQS, t->softirqs.dur},
			       {TDAT_PROFILE_CALLS, t->syscalls.count},
			       {TDAT_PROFILE_CALLS, t->syscalls.dur},
			       {TDAT_PROFILE_FUNCTION, t->functions.count},
			       {TDAT_PROFILE_FUNCTION, t->functions.dur},
			       {TDAT_PROFILE_FAULTS, t->page_faults}};

		for (int k = several ? TDAT_PROFILE_FILE : TDAT_PROFILE_BUFFER;
		     k <= TDAT_PROFILE_NUMBER; k++) {
			cli_key_csv(tdat_profile_key(s, TDAT_PROFILE_TASKS, i,
						     (enum tdat_profile_part)k));
			putchar(',');
		}
		cli_csv_text((struct tdat_span){(const uint8_t *)t->comm,
						t->comm ? strlen(t->comm) : 0});
		for (size_t k = 0; k < sizeof(numbers) / sizeof(numbers[0]); k++) {
			putchar(',');
			if (tdat_profile_is_recorded(s, numbers[k].table))
				printf("%" PRIu64, numbers[k].value);
		}
		putchar('\n');
	}
}
