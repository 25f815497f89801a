/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What "tdat profile" found out of tasks and CPUs. */
#ifndef CLI_PROFILE_FACTS_H
#define CLI_PROFILE_FACTS_H

#include "output/json_out.h"
#include "tables/groups.h"
#include "tables/trace_tables.h"

struct profile_args {
	struct cli_table_args table; /* must be the first */
	uint64_t top;
	bool json, csv;
};

/* How often and how long. */
struct profile_sum {
	uint64_t count, dur;
};

struct profile_task {
	char *comm; /* as it was last called; NULL: not known */
	uint64_t on_cpu, waiting, blocked, sleeping;
	uint64_t switches, preemptions, migrations, wakeups, faults;
	struct profile_sum irqs, softirqs, syscalls, functions;
};

struct profile_cpu {
	uint64_t busy, idle, switches;
	uint64_t first, last; /* switches */
	struct profile_sum irqs, softirqs;
};

/* What a task did in detail: wakers, system calls, functions. */
struct profile_detail {
	struct cli_groups groups; /* recording, pid, and then names */
	struct profile_sum *sums; /* by group */
	size_t cap;
	size_t *order; /* by task, then the greatest first */
};

enum profile_kind { PROFILE_WAKERS, PROFILE_SYSCALLS, PROFILE_FUNCTIONS, PROFILE_KINDS };

struct profile {
	struct cli_trace *trace;
	const struct profile_args *args;
	size_t rec_parts; /* parts of keys that name a recording: buffer, and file */
	struct cli_groups task_groups, cpu_groups;
	struct profile_task *tasks; /* by group */
	struct profile_cpu *cpus;
	size_t task_cap, cpu_cap;
	size_t *order, *cpu_order;
	struct profile_detail details[PROFILE_KINDS];
};

/* The pid of a task, the number of a CPU. */
struct tdat_span profile_number(const struct profile *p, const struct cli_groups *g, size_t group);
/*
 * The details of a kind of a task: their places in order, from the first on; count of them.
 * name gets what is behind the pid of a group: "waker", "openat".
 */
size_t profile_details(const struct profile *p, enum profile_kind kind, size_t task, size_t *first);

void profile_text(const struct profile *p);
void profile_json(const struct profile *p);
void profile_csv(const struct profile *p);

#endif
