/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The derived tables of every trace; docs/analysis.md defines their columns. */
#ifndef TDAT_ANALYSIS_ANALYSIS_H
#define TDAT_ANALYSIS_ANALYSIS_H

#include "table/derived_state.h"

/* A new table is one more line. */
#define ANALYSIS_TABLES(X)                                                                         \
	X(block_io)                                                                                \
	X(counter)                                                                                 \
	X(cpu_frequency)                                                                           \
	X(cpu_idle)                                                                                \
	X(critical_path)                                                                           \
	X(function)                                                                                \
	X(futex)                                                                                   \
	X(io)                                                                                      \
	X(irq)                                                                                     \
	X(kmem)                                                                                    \
	X(kvm)                                                                                     \
	X(latency_sample)                                                                          \
	X(lock)                                                                                    \
	X(migration)                                                                               \
	X(net)                                                                                     \
	X(off_cpu)                                                                                 \
	X(page_fault)                                                                              \
	X(reclaim)                                                                                 \
	X(sched)                                                                                   \
	X(slice)                                                                                   \
	X(softirq)                                                                                 \
	X(syscall)                                                                                 \
	X(thread_state)                                                                            \
	X(timer)                                                                                   \
	X(wakeup)                                                                                  \
	X(workqueue)

/* The members of a table whose columns and events are the arrays of these names. */
#define ANALYSIS_TABLE(id)                                                                         \
	.name = #id, .columns = columns, .events = events,                                         \
	.event_count = sizeof(events) / sizeof(events[0])

#define ANALYSIS_DECLARE(name) extern const struct table_derived analysis_##name;
ANALYSIS_TABLES(ANALYSIS_DECLARE)
#undef ANALYSIS_DECLARE

#endif
