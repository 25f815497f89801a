/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table lock: who waited for a lock, and who held it. Pairs (pair.c), keyed by lock and task:
 * contention_begin and contention_end (since Linux 5.19), and of kernels with lockdep and
 * CONFIG_LOCK_STAT lock_contended to lock_acquired, the wait, and lock_acquired to lock_release.
 * Locks are released in any order, hence the lock in the key. This file has only the definition.
 */
#include "analysis.h"
#include "pair.h"

/* HOLD follows WAIT: lock_acquired is a turn. */
enum { CONTENTION, WAIT, HOLD };
static const char *const groups[] = {"contention", "wait", "hold"};

/* lockdep calls a lock by the address of its struct lockdep_map, contention events by its own. */
static const struct derived_event lock_events[] = {
	{"lock/contention_begin", PAIR_OF(CONTENTION, PAIR_BEGIN),
	 (const char *const[]){"lock_addr", "TASK", "flags", NULL}},
	{"lock/contention_end", PAIR_OF(CONTENTION, PAIR_END),
	 (const char *const[]){"lock_addr", "TASK", "ret", NULL}},
	{"lock/lock_contended", PAIR_OF(WAIT, PAIR_BEGIN),
	 (const char *const[]){"lockdep_addr", "TASK", "", "name", NULL}},
	{"lock/lock_acquired", PAIR_OF(WAIT, PAIR_TURN),
	 (const char *const[]){"lockdep_addr", "TASK", "", "name", NULL}},
	{"lock/lock_release", PAIR_OF(HOLD, PAIR_END),
	 (const char *const[]){"lockdep_addr", "TASK", "", NULL}},
};
static const struct meta_column lock_columns[] = {
	{"kind", TABLE_NAME, 0, false}, {"lock", TABLE_INT, 8, false},
	{"name", TABLE_NAME, 0, false}, {"flags", TABLE_NAME, 0, false},
	{"ret", TABLE_INT, 4, true},	{NULL, TABLE_INT, 0, false},
};
static const struct pair_out lock_outs[] = {
	{PAIR_OUT_GROUP, 0, PAIR_INT},	{PAIR_OUT_BEGIN, 0, PAIR_INT},
	{PAIR_OUT_BEGIN, 3, PAIR_TEXT}, {PAIR_OUT_BEGIN, 2, PAIR_NAME},
	{PAIR_OUT_END, 2, PAIR_INT},
};
/* A lock may be read-locked again by the task that has it: they nest. */
static const struct pair_def lock_def = {
	.by = PAIR_BY_KEY,
	.key_slots = 2,
	.nests = true,
	.groups = groups,
	.outs = lock_outs,
	.out_count = sizeof(lock_outs) / sizeof(lock_outs[0]),
};

PAIR_TABLE(lock,
	   .about = {"locks: who waited for them, who held them",
		     "lock/contention_begin|lock/lock_acquired "
		     "lock/contention_end|lock/lock_release",
		     "-e lock"},
	   .per_task = true);
