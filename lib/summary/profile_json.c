/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes a profile as JSON. Numbers are exact, and all come in the order of the getters. Details of
 * a task are arrays by kind, and a group of others says so. Members are rows of a table, which
 * names them after those of the structs.
 */
#include "profile.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* A member of the objects of a kind: a number, or a sum. */
struct field {
	const char *name;
	size_t off;
	enum tdat_profile_table table; /* the number is null if it was not recorded */
	bool is_sum;
};

/* A member with its name as JSON has it. */
#define NUMBER(type, member, table)                                                                \
	{                                                                                          \
#member, offsetof(struct tdat_profile_##type, member), TDAT_PROFILE_##table, false \
	}
#define SUM(type, member, table)                                                                   \
	{                                                                                          \
#member, offsetof(struct tdat_profile_##type, member), TDAT_PROFILE_##table, true  \
	}
#define END                                                                                        \
	{                                                                                          \
		NULL, 0, TDAT_PROFILE_SCHED, false                                                 \
	}

static const struct field cpu_fields[] = {
	NUMBER(cpu, busy, SCHED),     NUMBER(cpu, idle, SCHED),
	NUMBER(cpu, switches, SCHED), NUMBER(cpu, first_ts, SCHED),
	NUMBER(cpu, last_ts, SCHED),  SUM(cpu, irqs, IRQS),
	SUM(cpu, softirqs, SOFTIRQS), END};
static const struct field task_fields[] = {
	NUMBER(task, on_cpu, SCHED),	      NUMBER(task, waiting, STATES),
	NUMBER(task, blocked, STATES),	      NUMBER(task, sleeping, STATES),
	NUMBER(task, switches, SCHED),	      NUMBER(task, preemptions, STATES),
	NUMBER(task, migrations, MIGRATIONS), NUMBER(task, wakeups, WAKEUPS),
	NUMBER(task, page_faults, FAULTS),    SUM(task, irqs, IRQS),
	SUM(task, softirqs, SOFTIRQS),	      SUM(task, syscalls, CALLS),
	SUM(task, functions, FUNCTION),	      END};

static void json_sum(struct tdat_json *j, const struct tdat_profile_sum *s)
{
	tdat_json_u64(j, "count", s->count);
	tdat_json_u64(j, "dur", s->dur);
}

/* Writes the members in the order of their table. */
static void json_fields(struct tdat_json *j, const struct tdat_summary *s,
			const struct field *fields, const void *values)
{
	for (const struct field *f = fields; f->name; f++) {
		const void *at = (const char *)values + f->off;

		if (!tdat_profile_is_recorded(s, f->table) ||
		    (!strcmp(f->name, "idle") && !tdat_profile_knows_idle(s))) {
			tdat_json_null(j, f->name);
			continue;
		}
		if (!f->is_sum) {
			tdat_json_u64(j, f->name, *(const uint64_t *)at);
			continue;
		}
		tdat_json_object(j, f->name);
		json_sum(j, at);
		tdat_json_object_end(j);
	}
}

/* Which recording; and its pid or CPU, a number. */
static void json_key(struct tdat_json *j, const struct profile *p, enum tdat_profile_kind kind,
		     size_t group, const char *number)
{
	const struct summary_groups *g = &p->s.groups[kind];
	const struct tdat_span text = summary_groups_part(g, group, p->rec_parts, NULL);
	char digits[24] = "";

	if (p->rec_parts > 1)
		summary_json_key(j, "file", g, group, 0);
	summary_json_key(j, "buffer", g, group, p->rec_parts - 1);
	summary_json_others(j, g, group);
	if (!text.ptr || text.len >= sizeof(digits)) {
		tdat_json_null(j, number);
		return;
	}
	memcpy(digits, text.ptr, text.len);
	tdat_json_i64(j, number, strtoll(digits, NULL, 10));
}

/* An array of the details of a task. */
static void json_details(struct tdat_json *j, const struct profile *p, enum tdat_profile_kind kind,
			 size_t task)
{
	static const char *const names[TDAT_PROFILE_KINDS] = {
		[TDAT_PROFILE_WAKERS] = "wakers",
		[TDAT_PROFILE_SYSCALLS] = "syscalls_by_name",
		[TDAT_PROFILE_FUNCTIONS] = "functions_by_name"};
	const bool wakers = kind == TDAT_PROFILE_WAKERS;
	const struct summary_groups *g = &p->s.groups[kind];
	size_t first, n = tdat_profile_details(&p->s, kind, task, &first);

	tdat_json_array(j, names[kind]);
	for (size_t k = first; k < first + n; k++) {
		const size_t group = p->order[kind][k];

		tdat_json_object(j, NULL);
		summary_json_key(j, wakers ? "comm" : "name", g, group, p->rec_parts + 1);
		if (wakers)
			summary_json_key(j, "pid", g, group, p->rec_parts + 2);
		summary_json_others(j, g, group);
		json_sum(j, &p->details[kind].sums[group]);
		tdat_json_object_end(j);
	}
	tdat_json_array_end(j);
}

/* The whole document. Numbers of events that were not recorded are null. */
bool profile_json(const struct tdat_summary *s, struct tdat_json *j)
{
	const struct profile *p = profile_of(s);
	const struct tdat_profile_task *task;
	const struct tdat_profile_cpu *cpu;

	tdat_json_object(j, NULL);
	tdat_json_str(j, "unit", s->seconds ? "ns" : "ticks");
	tdat_json_array(j, "cpus");
	for (size_t i = 0; (cpu = tdat_profile_cpu(s, i)); i++) {
		tdat_json_object(j, NULL);
		json_key(j, p, TDAT_PROFILE_CPUS, p->order[TDAT_PROFILE_CPUS][i], "cpu");
		json_fields(j, s, cpu_fields, cpu);
		tdat_json_object_end(j);
	}
	tdat_json_array_end(j);
	tdat_json_array(j, "tasks");
	for (size_t i = 0; (task = tdat_profile_task(s, i)); i++) {
		tdat_json_object(j, NULL);
		json_key(j, p, TDAT_PROFILE_TASKS, p->order[TDAT_PROFILE_TASKS][i], "pid");
		tdat_json_str(j, "comm", task->comm);
		json_fields(j, s, task_fields, task);
		for (size_t k = TDAT_PROFILE_WAKERS; k < TDAT_PROFILE_KINDS; k++)
			json_details(j, p, (enum tdat_profile_kind)k, i);
		tdat_json_object_end(j);
	}
	tdat_json_array_end(j);
	summary_json_notes(j, s, true);
	tdat_json_object_end(j);
	return true;
}
