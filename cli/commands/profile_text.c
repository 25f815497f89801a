/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints what "tdat profile" found as text. Tasks are sorted by time on a CPU. Shares are of
 * the recording's time. A task gets a line with its times, then the first of its wakers, system
 * calls and functions. What a trace has no events for has no column.
 */
#include <inttypes.h>

#include "commands/profile_facts.h"
#include "tables/group_text.h"
#include "terminal/safe_text.h"

enum { DETAILS = 3 };

/* Microseconds where the clock counts nanoseconds, else its ticks. */
static void put_time(const struct profile *p, uint64_t v)
{
	char text[40];

	if (p->trace->seconds)
		snprintf(text, sizeof(text), "%" PRIu64 ".%03" PRIu64, v / 1000, v % 1000);
	else
		snprintf(text, sizeof(text), "%" PRIu64, v);
	printf("%15s", text);
}

/* The recording that a group is of: a buffer instance, or one of several files. */
static void put_recording(const struct profile *p, const struct cli_groups *g, size_t group)
{
	for (size_t i = 0; i < p->rec_parts; i++) {
		if (cli_groups_part(g, group, i).len) {
			fputs("  ", stdout);
			cli_group_text(g, group, i);
		}
	}
	putchar('\n');
}

/* "comm-12", and its recording. */
static void put_task(const struct profile *p, size_t group)
{
	const struct profile_task *t = &p->tasks[group];

	fputs("  ", stdout);
	if (!cli_groups_are_others(&p->task_groups, group)) {
		if (t->comm)
			cli_put_text(stdout, t->comm, strlen(t->comm));
		putchar('-');
	}
	cli_group_text(&p->task_groups, group, p->rec_parts);
	put_recording(p, &p->task_groups, group);
}

static void put_sum(const struct profile *p, const struct profile_sum *s)
{
	printf("%10" PRIu64, s->count);
	put_time(p, s->dur);
}

static void text_cpus(const struct profile *p)
{
	printf("\n%6s%15s%15s%15s%10s%10s%15s%10s%15s\n", "CPU", "busy", "idle", "unknown",
	       "switches", "irqs", "time", "softirqs", "time");
	for (size_t i = 0; i < p->cpu_groups.count; i++) {
		const size_t group = p->cpu_order[i];
		const struct profile_cpu *c = &p->cpus[group];
		const uint64_t span = c->last - c->first;
		const uint64_t idle = span > c->busy ? span - c->busy : 0; /* or unknown */
		const struct tdat_span cpu = profile_number(p, &p->cpu_groups, group);

		printf("%*s", (int)(cpu.len < 6 ? 6 - cpu.len : 0), "");
		cli_group_text(&p->cpu_groups, group, p->rec_parts);
		put_time(p, c->busy);
		put_time(p, c->idle);
		put_time(p, idle > c->idle ? idle - c->idle : 0);
		printf("%10" PRIu64, c->switches);
		put_sum(p, &c->irqs);
		put_sum(p, &c->softirqs);
		put_recording(p, &p->cpu_groups, group);
	}
}

static void text_times(const struct profile *p, size_t most)
{
	printf("\n%15s%15s%15s%15s%10s%10s%10s%10s  %s\n", "on CPU", "waiting", "blocked",
	       "sleeping", "switches", "preempted", "moved", "woken", "task");
	for (size_t i = 0; i < most; i++) {
		const struct profile_task *t = &p->tasks[p->order[i]];

		put_time(p, t->on_cpu);
		put_time(p, t->waiting);
		put_time(p, t->blocked);
		put_time(p, t->sleeping);
		printf("%10" PRIu64 "%10" PRIu64 "%10" PRIu64 "%10" PRIu64, t->switches,
		       t->preemptions, t->migrations, t->wakeups);
		put_task(p, p->order[i]);
	}
}

static bool has_calls(const struct profile_task *t)
{
	return t->irqs.count || t->softirqs.count || t->syscalls.count || t->functions.count ||
	       t->faults;
}

static void text_calls(const struct profile *p, size_t most)
{
	bool any = false;

	for (size_t i = 0; i < most; i++) {
		const struct profile_task *t = &p->tasks[p->order[i]];

		if (!has_calls(t))
			continue;
		if (!any)
			printf("\n%10s%15s%10s%15s%10s%15s%10s%15s%10s  %s\n", "irqs", "time",
			       "softirqs", "time", "syscalls", "time", "calls", "own time",
			       "faults", "task");
		any = true;
		put_sum(p, &t->irqs);
		put_sum(p, &t->softirqs);
		put_sum(p, &t->syscalls);
		put_sum(p, &t->functions);
		printf("%10" PRIu64, t->faults);
		put_task(p, p->order[i]);
	}
}

/* The first of a task's wakers, system calls or functions. */
static void text_details(const struct profile *p, enum profile_kind kind, size_t most)
{
	static const char *const titles[] = {"Woken by", "System calls", "Functions, own time"};
	const struct profile_detail *d = &p->details[kind];

	if (d->groups.count)
		printf("\n%s:\n", titles[kind]);
	for (size_t i = 0; i < most && d->groups.count; i++) {
		size_t first, n = profile_details(p, kind, p->order[i], &first);

		if (!n)
			continue;
		put_task(p, p->order[i]);
		for (size_t k = first; k < first + n && k < first + DETAILS; k++) {
			const size_t group = d->order[k];

			put_sum(p, &d->sums[group]);
			fputs("  ", stdout);
			cli_group_text(&d->groups, group, p->rec_parts + 1);
			if (kind == PROFILE_WAKERS) {
				putchar('-');
				cli_group_text(&d->groups, group, p->rec_parts + 2);
			}
			putchar('\n');
		}
		if (n > DETAILS)
			printf("%10s%15s  (%zu more)\n", "", "", n - DETAILS);
	}
}

void profile_text(const struct profile *p)
{
	const size_t count = p->task_groups.count;
	const size_t most = p->args->top && p->args->top < count ? (size_t)p->args->top : count;

	printf("\nTimes are in %s.\n", p->trace->seconds ? "microseconds" : "ticks of the clock");
	if (!p->cpu_groups.count && !count)
		puts("\nNothing: the trace has no events that a profile is made of, or none is "
		     "chosen.");
	if (p->cpu_groups.count)
		text_cpus(p);
	if (count)
		text_times(p, most);
	if (most < count)
		printf("  (%zu more tasks: --top 0 shows all)\n", count - most);
	text_calls(p, most);
	for (size_t k = 0; k < PROFILE_KINDS; k++)
		text_details(p, (enum profile_kind)k, most);
	for (size_t i = 0; i < p->trace->note_count; i++)
		printf("%sLeft out of %s: %" PRIu64 " of: %s\n", i ? "" : "\n",
		       p->trace->notes[i].table, p->trace->notes[i].count, p->trace->notes[i].what);
}
