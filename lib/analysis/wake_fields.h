/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The fields of sched_waking, sched_wakeup and sched_wakeup_new. Kernels up to 2.6.32 call
 * target_cpu cpu; up to 4.2, and in name only up to 5.13, success says whether the task was woken.
 */
#ifndef TDAT_ANALYSIS_WAKE_FIELDS_H
#define TDAT_ANALYSIS_WAKE_FIELDS_H

#include "table/derived.h"

enum { WAKE_PID, WAKE_PRIO, WAKE_TARGET_CPU, WAKE_OLD_CPU, WAKE_SUCCESS };
#define WAKE_FIELDS                                                                                \
	{                                                                                          \
		"pid", "prio", "target_cpu", "cpu", "success", NULL                                \
	}

static inline bool wake_failed(const struct derived_field *f, struct tdat_span rec)
{
	return derived_has(&f[WAKE_SUCCESS], rec) && !derived_u64(&f[WAKE_SUCCESS], rec);
}

/* The CPU that the task is to run on; DERIVED_NO_CPU: the event does not tell. */
static inline uint32_t wake_target(const struct derived_field *f, struct tdat_span rec)
{
	if (derived_has(&f[WAKE_TARGET_CPU], rec))
		return (uint32_t)derived_u64(&f[WAKE_TARGET_CPU], rec);
	return derived_has(&f[WAKE_OLD_CPU], rec) ? (uint32_t)derived_u64(&f[WAKE_OLD_CPU], rec)
						  : DERIVED_NO_CPU;
}

#endif
