/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The derived tables of every trace; docs/analysis.md defines their columns. */
#ifndef TDAT_ANALYSIS_ANALYSIS_H
#define TDAT_ANALYSIS_ANALYSIS_H

#include "table/derived.h"

extern const struct table_derived analysis_block_io;
extern const struct table_derived analysis_counter;
extern const struct table_derived analysis_function;
extern const struct table_derived analysis_irq;
extern const struct table_derived analysis_kvm;
extern const struct table_derived analysis_latency_sample;
extern const struct table_derived analysis_migration;
extern const struct table_derived analysis_page_fault;
extern const struct table_derived analysis_sched;
extern const struct table_derived analysis_slice;
extern const struct table_derived analysis_softirq;
extern const struct table_derived analysis_syscall;
extern const struct table_derived analysis_thread_state;
extern const struct table_derived analysis_timer;
extern const struct table_derived analysis_wakeup;
extern const struct table_derived analysis_workqueue;

/* The words of the column open. */
#define ANALYSIS_OPEN_END "end"		/* the trace ended before the interval */
#define ANALYSIS_OPEN_LOST "lost"	/* events were lost before its end */
#define ANALYSIS_OPEN_UNENDED "unended" /* another one of its kind began, or an outer one ended */

/* What is left out is counted under these words. */
#define ANALYSIS_NO_START "interval whose beginning is not in the trace"
#define ANALYSIS_BACKWARDS "interval that would end before it begins"
#define ANALYSIS_CONTRADICTION "interval that events contradict"
#define ANALYSIS_FULL "event not looked at: too many tasks, CPUs or open intervals"

#endif
