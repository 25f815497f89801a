/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table timer: how long the functions of timers ran, and when they were started. Pairs
 * (pair.c) of expire_entry and expire_exit of timers and hrtimers, keyed by the timer's
 * address; the start event before them is remembered. This file has only their definitions.
 */
#include "analysis.h"
#include "pair.h"

static const struct pair_event timer_events[] = {
	{"timer/timer_start", PAIR_BEFORE, NULL, {"timer", NULL}},
	{"timer/hrtimer_start", PAIR_BEFORE, NULL, {"hrtimer", NULL}},
	{"timer/timer_expire_entry", PAIR_BEGIN, "timer", {"timer", "function", NULL}},
	{"timer/hrtimer_expire_entry", PAIR_BEGIN, "hrtimer", {"hrtimer", "function", NULL}},
	{"timer/timer_expire_exit", PAIR_END, NULL, {"timer", NULL}},
	{"timer/hrtimer_expire_exit", PAIR_END, NULL, {"hrtimer", NULL}},
};
static const struct derived_event timer_derived[] = {
	PAIR_EVENT(timer_events, 0, "timer/timer_start"),
	PAIR_EVENT(timer_events, 1, "timer/hrtimer_start"),
	PAIR_EVENT(timer_events, 2, "timer/timer_expire_entry"),
	PAIR_EVENT(timer_events, 3, "timer/hrtimer_expire_entry"),
	PAIR_EVENT(timer_events, 4, "timer/timer_expire_exit"),
	PAIR_EVENT(timer_events, 5, "timer/hrtimer_expire_exit"),
};
static const struct meta_column timer_columns[] = {
	{"kind", TABLE_NAME, 0, false},	    {"timer", TABLE_INT, 8, false},
	{"function", TABLE_NAME, 0, false}, {"start_ts", TABLE_TIME, 0, false},
	{"wait_dur", TABLE_INT, 8, true},   {NULL, TABLE_INT, 0, false},
};
static const struct pair_out timer_outs[] = {
	{PAIR_OUT_KIND, 0, PAIR_INT},	  {PAIR_OUT_BEGIN, 0, PAIR_INT},
	{PAIR_OUT_BEGIN, 1, PAIR_SYMBOL}, {PAIR_OUT_BEFORE, 0, PAIR_INT},
	{PAIR_OUT_WAIT, 0, PAIR_INT},
};
/*
 * The kernel records timer_cancel and hrtimer_cancel also right before a timer expires, so that
 * they do not tell that it will not.
 */
static const struct pair_def timer_def = {
	.events = timer_events,
	.event_count = sizeof(timer_events) / sizeof(timer_events[0]),
	.by = PAIR_BY_KEY,
	.key_slots = 1,
	.stays = true,
	.last_before = true,
	.outs = timer_outs,
	.out_count = sizeof(timer_outs) / sizeof(timer_outs[0]),
};

PAIR_TABLE(timer, .per_cpu = false);
