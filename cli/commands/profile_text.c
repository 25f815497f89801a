/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the profile of "tdat profile" as text and CSV. Tasks are sorted by time on a CPU. A task
 * has a line with its times, then the first of its wakers, system calls and functions. Tables for
 * which the trace has no events are left out.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "commands/summary_text.h"
#include "output/csv_text.h"
#include "tables/group_text.h"
#include "terminal/safe_text.h"

/* Wakers, system calls or functions that are shown of a task. */
enum { DETAILS = 3 };

/* Prints a time in microseconds if the clock counts nanoseconds, else in ticks. */
static void put_time(const struct tdat_summary *s, uint64_t v)
{
	char text[40];

	if (tdat_summary_seconds(s))
		snprintf(text, sizeof(text), "%" PRIu64 ".%03" PRIu64, v / 1000, v % 1000);
	else
		snprintf(text, sizeof(text), "%" PRIu64, v);
	printf("%15s", text);
}

/* Ends a line with the recording, if there are several: the file, and the buffer instance. */
static void put_recording(const struct tdat_summary *s, enum tdat_profile_kind kind, size_t index)
{
	for (int part = TDAT_PROFILE_FILE; part <= TDAT_PROFILE_BUFFER; part++) {
		const struct tdat_summary_key key =
			tdat_profile_key(s, kind, index, (enum tdat_profile_part)part);

		if (key.text.len) {
			fputs("  ", stdout);
			cli_key_text(key);
		}
	}
	putchar('\n');
}

/* Prints "comm-12" and the recording. The row of all other tasks has no name. */
static void put_task(const struct tdat_summary *s, size_t index)
{
	const struct tdat_summary_key pid =
		tdat_profile_key(s, TDAT_PROFILE_TASKS, index, TDAT_PROFILE_NUMBER);
	const char *comm = tdat_profile_task(s, index)->comm;

	fputs("  ", stdout);
	if (!pid.is_others) {
		if (comm)
			cli_put_str(stdout, comm);
		putchar('-');
	}
	cli_key_text(pid);
	put_recording(s, TDAT_PROFILE_TASKS, index);
}

static void put_sum(const struct tdat_summary *s, const struct tdat_profile_sum *sum)
{
	printf("%10" PRIu64, sum->count);
	put_time(s, sum->dur);
}

/*
 * unknown is the time that neither a task nor idle covers: before the first sched_switch, and
 * behind lost events.
 */
static void text_cpus(const struct tdat_summary *s)
{
	const struct tdat_profile_cpu *c;

	printf("\n%6s%15s%15s%15s%10s%10s%15s%10s%15s\n", "CPU", "busy", "idle", "unknown",
	       "switches", "irqs", "time", "softirqs", "time");
	for (size_t i = 0; (c = tdat_profile_cpu(s, i)); i++) {
		const uint64_t span = c->last_ts - c->first_ts;
		/* c->busy may exceed the span of events if an interval was open at its end. */
		const uint64_t idle = span > c->busy ? span - c->busy : 0; /* or unknown */
		const struct tdat_summary_key cpu =
			tdat_profile_key(s, TDAT_PROFILE_CPUS, i, TDAT_PROFILE_NUMBER);

		printf("%*s", (int)(cpu.text.len < 6 ? 6 - cpu.text.len : 0), "");
		cli_key_text(cpu);
		put_time(s, c->busy);
		put_time(s, c->idle);
		put_time(s, idle > c->idle ? idle - c->idle : 0);
		printf("%10" PRIu64, c->switches);
		put_sum(s, &c->irqs);
		put_sum(s, &c->softirqs);
		put_recording(s, TDAT_PROFILE_CPUS, i);
	}
}

/* Times and numbers of the scheduler, a task a line. */
static void text_times(const struct tdat_summary *s, size_t most)
{
	printf("\n%15s%15s%15s%15s%10s%10s%10s%10s  %s\n", "on CPU", "waiting", "blocked",
	       "sleeping", "switches", "preempted", "moved", "woken", "task");
	for (size_t i = 0; i < most; i++) {
		const struct tdat_profile_task *t = tdat_profile_task(s, i);

		put_time(s, t->on_cpu);
		put_time(s, t->waiting);
		put_time(s, t->blocked);
		put_time(s, t->sleeping);
		printf("%10" PRIu64 "%10" PRIu64 "%10" PRIu64 "%10" PRIu64, t->switches,
		       t->preemptions, t->migrations, t->wakeups);
		put_task(s, i);
	}
}

/* Tasks without any of these have no line in the second table. */
static bool has_calls(const struct tdat_profile_task *t)
{
	return t->irqs.count || t->softirqs.count || t->syscalls.count || t->functions.count ||
	       t->page_faults;
}

/* The heading is printed with the first task that has calls. */
static void text_calls(const struct tdat_summary *s, size_t most)
{
	bool any = false;

	for (size_t i = 0; i < most; i++) {
		const struct tdat_profile_task *t = tdat_profile_task(s, i);

		if (!has_calls(t))
			continue;
		if (!any)
			printf("\n%10s%15s%10s%15s%10s%15s%10s%15s%10s  %s\n", "irqs", "time",
			       "softirqs", "time", "syscalls", "time", "calls", "own time",
			       "faults", "task");
		any = true;
		put_sum(s, &t->irqs);
		put_sum(s, &t->softirqs);
		put_sum(s, &t->syscalls);
		put_sum(s, &t->functions);
		printf("%10" PRIu64, t->page_faults);
		put_task(s, i);
	}
}

/* Prints the first of each task's wakers, system calls or functions, the longest time first. */
static void text_details(const struct tdat_summary *s, enum tdat_profile_kind kind, size_t most)
{
	static const char *const titles[TDAT_PROFILE_KINDS] = {
		[TDAT_PROFILE_WAKERS] = "Woken by",
		[TDAT_PROFILE_SYSCALLS] = "System calls",
		[TDAT_PROFILE_FUNCTIONS] = "Functions, own time"};
	const bool any = tdat_profile_count(s, kind);

	if (any)
		printf("\n%s:\n", titles[kind]);
	for (size_t i = 0; i < most && any; i++) {
		size_t first, n = tdat_profile_details(s, kind, i, &first);

		if (!n)
			continue;
		put_task(s, i);
		for (size_t k = first; k < first + n && k < first + DETAILS; k++) {
			put_sum(s, tdat_profile_detail(s, kind, k));
			fputs("  ", stdout);
			cli_key_text(tdat_profile_key(s, kind, k, TDAT_PROFILE_NAME));
			if (kind == TDAT_PROFILE_WAKERS) {
				putchar('-');
				cli_key_text(tdat_profile_key(s, kind, k, TDAT_PROFILE_WAKER));
			}
			putchar('\n');
		}
		if (n > DETAILS)
			printf("%10s%15s  (%zu more)\n", "", "", n - DETAILS);
	}
}

/* top is the number of tasks, 0: all. CPUs are always printed. */
void profile_text(const struct tdat_summary *s, uint64_t top)
{
	const size_t count = tdat_profile_count(s, TDAT_PROFILE_TASKS);
	const size_t cpus = tdat_profile_count(s, TDAT_PROFILE_CPUS);
	const size_t most = top && top < count ? (size_t)top : count;
	size_t note_count;
	const struct tdat_summary_note *notes = tdat_summary_notes(s, &note_count);

	printf("\nTimes are in %s.\n",
	       tdat_summary_seconds(s) ? "microseconds" : "ticks of the clock");
	if (!cpus && !count)
		puts("\nNothing: the trace has no events that a profile is made of, or none is "
		     "chosen.");
	if (cpus)
		text_cpus(s);
	if (count)
		text_times(s, most);
	if (most < count)
		printf("  (%zu more tasks: --top 0 shows all)\n", count - most);
	text_calls(s, most);
	for (size_t k = TDAT_PROFILE_WAKERS; k < TDAT_PROFILE_KINDS; k++)
		text_details(s, (enum tdat_profile_kind)k, most);
	for (size_t i = 0; i < note_count; i++)
		printf("%sLeft out of %s: %" PRIu64 " of: %s\n", i ? "" : "\n", notes[i].table,
		       notes[i].count, notes[i].what);
}

/* One line for each task, with numbers unrounded. The column file exists only for several files. */
void profile_csv(const struct tdat_summary *s, bool several)
{
	const struct tdat_profile_task *t;

	printf("%sbuffer,pid,comm,on_cpu,waiting,blocked,sleeping,switches,preemptions,migrations,"
	       "wakeups,irqs,irq_dur,softirqs,softirq_dur,syscalls,syscall_dur,functions,"
	       "function_dur,page_faults\n",
	       several ? "file," : "");
	for (size_t i = 0; (t = tdat_profile_task(s, i)); i++) {
		const uint64_t numbers[] = {
			t->on_cpu,	   t->waiting,	    t->blocked,		t->sleeping,
			t->switches,	   t->preemptions,  t->migrations,	t->wakeups,
			t->irqs.count,	   t->irqs.dur,	    t->softirqs.count,	t->softirqs.dur,
			t->syscalls.count, t->syscalls.dur, t->functions.count, t->functions.dur,
			t->page_faults};

		for (int k = several ? TDAT_PROFILE_FILE : TDAT_PROFILE_BUFFER;
		     k <= TDAT_PROFILE_NUMBER; k++) {
			cli_key_csv(tdat_profile_key(s, TDAT_PROFILE_TASKS, i,
						     (enum tdat_profile_part)k));
			putchar(',');
		}
		cli_csv_text((struct tdat_span){(const uint8_t *)t->comm,
						t->comm ? strlen(t->comm) : 0});
		for (size_t k = 0; k < sizeof(numbers) / sizeof(numbers[0]); k++)
			printf(",%" PRIu64, numbers[k]);
		putchar('\n');
	}
}
