/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table timer: how long the functions of timers ran, and when they were started. Pairs
 * (pair.c) of expire_entry and expire_exit of timers and hrtimers, keyed by the timer's
 * address; the start event before them is remembered. This file has only their definitions.
 */
#include "analysis.h"
#include "pair.h"

enum { TIMER, HRTIMER };
static const char *const timer_groups[] = {"timer", "hrtimer"};

static const struct derived_event timer_events[] = {
	{"timer/timer_start", PAIR_OF(TIMER, PAIR_BEFORE), (const char *const[]){"timer", NULL}},
	{"timer/hrtimer_start", PAIR_OF(HRTIMER, PAIR_BEFORE),
	 (const char *const[]){"hrtimer", NULL}},
	{"timer/timer_expire_entry", PAIR_OF(TIMER, PAIR_BEGIN),
	 (const char *const[]){"timer", "function", NULL}},
	{"timer/hrtimer_expire_entry", PAIR_OF(HRTIMER, PAIR_BEGIN),
	 (const char *const[]){"hrtimer", "function", NULL}},
	{"timer/timer_expire_exit", PAIR_OF(TIMER, PAIR_END), (const char *const[]){"timer", NULL}},
	{"timer/hrtimer_expire_exit", PAIR_OF(HRTIMER, PAIR_END),
	 (const char *const[]){"hrtimer", NULL}},
};
static const struct meta_column timer_columns[] = {
	{"kind", TABLE_NAME, 0, false},	    {"timer", TABLE_INT, 8, false},
	{"function", TABLE_NAME, 0, false}, {"start_ts", TABLE_TIME, 0, false},
	{"wait_dur", TABLE_INT, 8, true},   {NULL, TABLE_INT, 0, false},
};
static const struct pair_out timer_outs[] = {
	{PAIR_OUT_GROUP, 0, PAIR_INT},	  {PAIR_OUT_BEGIN, 0, PAIR_INT},
	{PAIR_OUT_BEGIN, 1, PAIR_SYMBOL}, {PAIR_OUT_BEFORE, 0, PAIR_INT},
	{PAIR_OUT_WAIT, 0, PAIR_INT},
};
/*
 * The kernel records timer_cancel and hrtimer_cancel also right before a timer expires, so that
 * they do not tell that it will not.
 */
static const struct pair_def timer_def = {
	.by = PAIR_BY_KEY,
	.key_slots = 1,
	.stays = true,
	.last_before = true,
	.groups = timer_groups,
	.outs = timer_outs,
	.out_count = sizeof(timer_outs) / sizeof(timer_outs[0]),
};

PAIR_TABLE(timer,
	   .about = {"timers that expired, and how long they took",
		     "timer/timer_expire_entry|timer/hrtimer_expire_entry "
		     "timer/timer_expire_exit|timer/hrtimer_expire_exit",
		     "-e timer"},
	   .per_cpu = false);
