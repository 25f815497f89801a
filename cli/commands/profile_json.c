/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints what "tdat profile" found as JSON and CSV. Times are nanoseconds, exact, and groups
 * come in the order of the text. Details of a task are arrays by kind, and a group of others
 * says so. Called by profile.c after its sums are complete.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "commands/profile_facts.h"
#include "output/csv_text.h"
#include "tables/group_text.h"

static void json_sum(struct tdat_json *j, const char *key, const struct profile_sum *s)
{
	tdat_json_object(j, key);
	tdat_json_u64(j, "count", s->count);
	tdat_json_u64(j, "dur", s->dur);
	tdat_json_object_end(j);
}

/* Which recording; and its pid or CPU, a number. */
static void json_key(struct tdat_json *j, const struct profile *p, const struct cli_groups *g,
		     size_t group, const char *number)
{
	const struct tdat_span text = profile_number(p, g, group);
	char digits[24] = "";

	if (p->rec_parts > 1)
		cli_group_json(j, g, group, 0, "file");
	cli_group_json(j, g, group, p->rec_parts - 1, "buffer");
	cli_group_json_others(j, g, group);
	if (!text.ptr || text.len >= sizeof(digits)) {
		tdat_json_null(j, number);
		return;
	}
	memcpy(digits, text.ptr, text.len);
	tdat_json_i64(j, number, strtoll(digits, NULL, 10));
}

static void json_details(struct tdat_json *j, const struct profile *p, enum profile_kind kind,
			 size_t task)
{
	static const char *const names[] = {"wakers", "syscalls_by_name", "functions_by_name"};
	const struct profile_detail *d = &p->details[kind];
	size_t first, n = profile_details(p, kind, task, &first);

	tdat_json_array(j, names[kind]);
	for (size_t k = first; k < first + n; k++) {
		const size_t group = d->order[k];

		tdat_json_object(j, NULL);
		cli_group_json(j, &d->groups, group, p->rec_parts + 1,
			       kind == PROFILE_WAKERS ? "comm" : "name");
		if (kind == PROFILE_WAKERS)
			cli_group_json(j, &d->groups, group, p->rec_parts + 2, "pid");
		cli_group_json_others(j, &d->groups, group);
		tdat_json_u64(j, "count", d->sums[group].count);
		tdat_json_u64(j, "dur", d->sums[group].dur);
		tdat_json_object_end(j);
	}
	tdat_json_array_end(j);
}

static void json_task(struct tdat_json *j, const struct profile *p, size_t group)
{
	const struct profile_task *t = &p->tasks[group];

	tdat_json_object(j, NULL);
	json_key(j, p, &p->task_groups, group, "pid");
	tdat_json_str(j, "comm", t->comm);
	tdat_json_u64(j, "on_cpu", t->on_cpu);
	tdat_json_u64(j, "waiting", t->waiting);
	tdat_json_u64(j, "blocked", t->blocked);
	tdat_json_u64(j, "sleeping", t->sleeping);
	tdat_json_u64(j, "switches", t->switches);
	tdat_json_u64(j, "preemptions", t->preemptions);
	tdat_json_u64(j, "migrations", t->migrations);
	tdat_json_u64(j, "wakeups", t->wakeups);
	tdat_json_u64(j, "page_faults", t->faults);
	json_sum(j, "irqs", &t->irqs);
	json_sum(j, "softirqs", &t->softirqs);
	json_sum(j, "syscalls", &t->syscalls);
	json_sum(j, "functions", &t->functions);
	for (size_t k = 0; k < PROFILE_KINDS; k++)
		json_details(j, p, (enum profile_kind)k, group);
	tdat_json_object_end(j);
}

static void json_cpu(struct tdat_json *j, const struct profile *p, size_t group)
{
	const struct profile_cpu *c = &p->cpus[group];

	tdat_json_object(j, NULL);
	json_key(j, p, &p->cpu_groups, group, "cpu");
	tdat_json_u64(j, "busy", c->busy);
	tdat_json_u64(j, "idle", c->idle);
	tdat_json_u64(j, "switches", c->switches);
	tdat_json_u64(j, "first_ts", c->first);
	tdat_json_u64(j, "last_ts", c->last);
	json_sum(j, "irqs", &c->irqs);
	json_sum(j, "softirqs", &c->softirqs);
	tdat_json_object_end(j);
}

void profile_json(const struct profile *p)
{
	struct tdat_json j;

	cli_json_init(&j, stdout, true);
	tdat_json_object(&j, NULL);
	tdat_json_str(&j, "unit", p->trace->seconds ? "ns" : "ticks");
	tdat_json_array(&j, "cpus");
	for (size_t i = 0; i < p->cpu_groups.count; i++)
		json_cpu(&j, p, p->cpu_order[i]);
	tdat_json_array_end(&j);
	tdat_json_array(&j, "tasks");
	for (size_t i = 0; i < p->task_groups.count; i++)
		json_task(&j, p, p->order[i]);
	tdat_json_array_end(&j);
	tdat_json_array(&j, "left_out");
	for (size_t i = 0; i < p->trace->note_count; i++) {
		tdat_json_object(&j, NULL);
		tdat_json_str(&j, "table", p->trace->notes[i].table);
		tdat_json_str(&j, "what", p->trace->notes[i].what);
		tdat_json_u64(&j, "count", p->trace->notes[i].count);
		tdat_json_object_end(&j);
	}
	tdat_json_array_end(&j);
	tdat_json_object_end(&j);
	cli_json_end(&j);
}

void profile_csv(const struct profile *p)
{
	printf("%sbuffer,pid,comm,on_cpu,waiting,blocked,sleeping,switches,preemptions,migrations,"
	       "wakeups,irqs,irq_dur,softirqs,softirq_dur,syscalls,syscall_dur,functions,"
	       "function_dur,page_faults\n",
	       p->rec_parts > 1 ? "file," : "");
	for (size_t i = 0; i < p->task_groups.count; i++) {
		const struct profile_task *t = &p->tasks[p->order[i]];
		const uint64_t numbers[] = {
			t->on_cpu,	   t->waiting,	    t->blocked,		t->sleeping,
			t->switches,	   t->preemptions,  t->migrations,	t->wakeups,
			t->irqs.count,	   t->irqs.dur,	    t->softirqs.count,	t->softirqs.dur,
			t->syscalls.count, t->syscalls.dur, t->functions.count, t->functions.dur,
			t->faults};

		for (size_t k = 0; k <= p->rec_parts; k++) {
			cli_group_csv(&p->task_groups, p->order[i], k);
			putchar(',');
		}
		cli_csv_text((struct tdat_span){(const uint8_t *)t->comm,
						t->comm ? strlen(t->comm) : 0});
		for (size_t k = 0; k < sizeof(numbers) / sizeof(numbers[0]); k++)
			printf(",%" PRIu64, numbers[k]);
		putchar('\n');
	}
}
