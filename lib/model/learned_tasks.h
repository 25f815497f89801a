/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names of tasks that printing teaches: the plugin sched_switch of
 * libtraceevent remembers the names in the events it prints, for pids that have
 * none, and later lines show them. To print in another order than the
 * events', each name knows the place in it from which on it is known. Adding is
 * for one thread; finding is for many once nothing is added any more.
 */
#ifndef TDAT_MODEL_LEARN_H
#define TDAT_MODEL_LEARN_H

#include "core/arena.h"
#include "core/hash.h"
#include "print.h"

struct learned_tasks {
	const struct model_tasks *tasks; /* borrowed: what is known from the start */
	struct learn_slot *slots;
	size_t count;
	size_t cap; /* 0 or a power of two */
	struct learn_early *early; /* told before the table was used; newest last */
	size_t early_count, early_cap;
	size_t later; /* slots that are not of early pids */
	bool started; /* a name was looked up: what is known is not told again */
	struct tdat_hash_seed seed;
	struct tdat_arena arena;
	bool failed; /* memory could not be had; names are missing since */
};

/* What records of a format teach; pair_count 0: nothing. */
struct learned_tasks_format {
	uint32_t pair_count;
	struct {
		uint32_t pid_off, pid_len;
		uint32_t comm_off, comm_len;
	} pairs[2];
	bool big;
};

/* style: the one events are printed in; only MODEL_PRINT_FMT teaches. */
void learned_tasks_format_init(struct learned_tasks_format *lf, const struct tdat_format *format,
			     enum model_print_style style);

void learned_tasks_init(struct learned_tasks *l, const struct model_tasks *tasks);
void learned_tasks_fini(struct learned_tasks *l);

/*
 * To be called before the first look-up of a pid that is not 0. Up to then
 * libtraceevent takes every name it is told beside those it has, sorts them
 * once, and finds one of equal pids by where its binary search comes down.
 */
void learned_tasks_start(struct learned_tasks *l);

/* Takes the names of a record that is printed as number place (rising). */
void learned_tasks_record(struct learned_tasks *l, const struct learned_tasks_format *lf,
			struct tdat_span record, uint64_t place);

/* model_tasks_find() for the line at place. */
struct tdat_span learned_tasks_find(const struct learned_tasks *l, int32_t pid, uint64_t place);

#endif
