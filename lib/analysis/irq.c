/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The tables irq and softirq: how long handlers of interrupts ran. Both are pairs (pair.c): an
 * entry and an exit on one CPU, keyed by CPU and number of the handler. This file has only
 * their definitions.
 */
#include "analysis.h"
#include "pair.h"

/* Fields of irq_handler_entry and irq_handler_exit; the first is the number that both share. */
static const struct derived_event irq_events[] = {
	{"irq/irq_handler_entry", PAIR_BEGIN, (const char *const[]){"irq", "name", NULL}},
	{"irq/irq_handler_exit", PAIR_END, (const char *const[]){"irq", "ret", NULL}},
};
/* ret is irqreturn_t; ret_name is its word in the print fmt. */
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
/* Interrupts nest on a CPU, so its intervals are a stack (pair.c). */
static const struct pair_def irq_def = {
	.by = PAIR_BY_CPU,
	.matches = true,
	.nests = true,
	.outs = irq_outs,
	.out_count = 4,
};

/* raise comes before; its time gives the wait. */
static const struct derived_event softirq_events[] = {
	{"irq/softirq_raise", PAIR_BEFORE, (const char *const[]){"vec", NULL}},
	{"irq/softirq_entry", PAIR_BEGIN, (const char *const[]){"vec", NULL}},
	{"irq/softirq_exit", PAIR_END, (const char *const[]){"vec", NULL}},
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
	.by = PAIR_BY_CPU,
	.matches = true,
	.nests = true,
	.outs = softirq_outs,
	.out_count = 4,
};

PAIR_TABLE(irq,
	   .about = {"interrupts and their handlers", "irq/irq_handler_entry irq/irq_handler_exit",
		     "-e irq"},
	   .per_cpu = true, .by_cpu = true);
PAIR_TABLE(softirq,
	   .about = {"softirqs, and how long they waited", "irq/softirq_entry irq/softirq_exit",
		     "-e irq"},
	   .per_cpu = true, .by_cpu = true);
