/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The tables irq and softirq: how long handlers of interrupts ran. Both are pairs (pair.c): an
 * entry and an exit on one CPU, keyed by CPU and number of the handler. This file has only
 * their definitions.
 */
#include "analysis.h"
#include "pair.h"

static const struct pair_event irq_events[] = {
	{"irq/irq_handler_entry", PAIR_BEGIN, NULL, {"irq", "name", NULL}},
	{"irq/irq_handler_exit", PAIR_END, NULL, {"irq", "ret", NULL}},
};
static const struct derived_event irq_derived[] = {
	PAIR_EVENT(irq_events, 0, "irq/irq_handler_entry"),
	PAIR_EVENT(irq_events, 1, "irq/irq_handler_exit"),
};
static const struct meta_column irq_columns[] = {
	{"irq", TABLE_INT, 4, true}, {"name", TABLE_NAME, 0, false},
	{"ret", TABLE_INT, 4, true}, {"ret_name", TABLE_NAME, 0, false},
	{NULL, TABLE_INT, 0, false},
};
static const struct pair_out irq_outs[] = {
	{PAIR_OUT_BEGIN, 0, PAIR_INT},
	{PAIR_OUT_BEGIN, 1, PAIR_TEXT},
	{PAIR_OUT_END, 1, PAIR_INT},
	{PAIR_OUT_END, 1, PAIR_NAME},
};
static const struct pair_def irq_def = {
	.events = irq_events,
	.event_count = 2,
	.by = PAIR_BY_CPU,
	.matches = true,
	.nests = true,
	.outs = irq_outs,
	.out_count = 4,
};

static const struct pair_event softirq_events[] = {
	{"irq/softirq_raise", PAIR_BEFORE, NULL, {"vec", NULL}},
	{"irq/softirq_entry", PAIR_BEGIN, NULL, {"vec", NULL}},
	{"irq/softirq_exit", PAIR_END, NULL, {"vec", NULL}},
};
static const struct derived_event softirq_derived[] = {
	PAIR_EVENT(softirq_events, 0, "irq/softirq_raise"),
	PAIR_EVENT(softirq_events, 1, "irq/softirq_entry"),
	PAIR_EVENT(softirq_events, 2, "irq/softirq_exit"),
};
static const struct meta_column softirq_columns[] = {
	{"vec", TABLE_INT, 4, false},	    {"name", TABLE_NAME, 0, false},
	{"raise_ts", TABLE_TIME, 0, false}, {"wait_dur", TABLE_INT, 8, true},
	{NULL, TABLE_INT, 0, false},
};
static const struct pair_out softirq_outs[] = {
	{PAIR_OUT_BEGIN, 0, PAIR_INT},
	{PAIR_OUT_BEGIN, 0, PAIR_NAME},
	{PAIR_OUT_BEFORE, 0, PAIR_INT},
	{PAIR_OUT_WAIT, 0, PAIR_INT},
};
static const struct pair_def softirq_def = {
	.events = softirq_events,
	.event_count = 3,
	.by = PAIR_BY_CPU,
	.matches = true,
	.nests = true,
	.outs = softirq_outs,
	.out_count = 4,
};

PAIR_TABLE(irq, .per_cpu = true);
PAIR_TABLE(softirq, .per_cpu = true);
