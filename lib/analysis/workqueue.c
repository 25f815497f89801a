/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table workqueue: how long work items waited and ran. A pair (pair.c) of execute_start and
 * execute_end, keyed by the work item's address; queue_work, which came before, gives the wait.
 * This file has only its definition.
 */
#include "analysis.h"
#include "pair.h"

static const struct derived_event workqueue_events[] = {
	{"workqueue/workqueue_queue_work", PAIR_BEFORE, (const char *const[]){"work", NULL}},
	{"workqueue/workqueue_execute_start", PAIR_BEGIN,
	 (const char *const[]){"work", "function", NULL}},
	{"workqueue/workqueue_execute_end", PAIR_END, (const char *const[]){"work", NULL}},
};
static const struct meta_column workqueue_columns[] = {
	{"work", TABLE_INT, 8, false},	    {"function", TABLE_NAME, 0, false},
	{"queue_ts", TABLE_TIME, 0, false}, {"wait_dur", TABLE_INT, 8, true},
	{NULL, TABLE_INT, 0, false},
};
static const struct pair_out workqueue_outs[] = {
	{PAIR_OUT_BEGIN, 0, PAIR_INT},
	{PAIR_OUT_BEGIN, 1, PAIR_SYMBOL},
	{PAIR_OUT_BEFORE, 0, PAIR_INT},
	{PAIR_OUT_WAIT, 0, PAIR_INT},
};
static const struct pair_def workqueue_def = {
	.by = PAIR_BY_KEY,
	.key_slots = 1,
	.outs = workqueue_outs,
	.out_count = sizeof(workqueue_outs) / sizeof(workqueue_outs[0]),
};

PAIR_TABLE(workqueue,
	   .about = {"work items, and how long they waited",
		     "workqueue/workqueue_execute_start workqueue/workqueue_execute_end",
		     "-e workqueue"},
	   .per_cpu = false);
