/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sums of tasks and CPUs, and of what tasks did in detail. */
#ifndef SUMMARY_PROFILE_H
#define SUMMARY_PROFILE_H

#include "summary.h"

/* Wakers, system calls or functions: keys are the recording, the pid, and then names. */
struct profile_detail {
	struct tdat_profile_sum *sums; /* by group */
	size_t cap;
};

struct profile {
	struct tdat_summary s;		 /* groups by kind */
	size_t rec_parts;		 /* parts of keys that name a recording: buffer, and file */
	struct tdat_profile_task *tasks; /* by group */
	struct tdat_profile_cpu *cpus;
	size_t task_cap, cpu_cap;
	struct profile_detail details[TDAT_PROFILE_KINDS]; /* of kinds that are no details: empty */
	size_t *order[TDAT_PROFILE_KINDS];
	int64_t row;			    /* which is taken */
	bool has_rows[TDAT_PROFILE_TABLES]; /* by table: a row came */
};

static inline const struct profile *profile_of(const struct tdat_summary *s)
{
	return (const struct profile *)s;
}

bool profile_json(const struct tdat_summary *s, struct tdat_json *j);

#endif
