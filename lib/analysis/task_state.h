/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The state of a task that is switched out. Kernels have numbered the bits of prev_state in
 * several ways, so the print fmt of the file's own sched_switch is asked what a number means.
 */
#ifndef TDAT_ANALYSIS_TASK_STATE_H
#define TDAT_ANALYSIS_TASK_STATE_H

#include "prints.h"

enum task_state {
	TASK_UNKNOWN,
	TASK_RUNNING,
	TASK_RUNNABLE,
	TASK_PREEMPTED, /* runnable, and it did not give up the CPU by itself */
	TASK_SLEEPING,
	TASK_UNINTERRUPTIBLE,
	TASK_STOPPED,
	TASK_TRACED,
	TASK_DEAD,
	TASK_PARKED,
	TASK_IDLE, /* a kernel thread that waits and is no load */
	TASK_OTHER
};

/* The word of the column state. */
const char *task_state_name(enum task_state s);

struct task_state_known {
	uint64_t raw;
	const char *text; /* as the kernel prints it, "S", "R+", "D|K"; NULL: the slot is empty */
	enum task_state state;
};

enum { TASK_STATE_SLOTS = 64 };

/* What was found out so far; it belongs to one thread. */
struct task_states {
	struct prints prints;
	struct task_state_known *known; /* TASK_STATE_SLOTS of each type */
	uint8_t *record;
};

enum tdat_status task_states_init(struct task_states *s, struct derived_out *out,
				  struct tdat_error *err);
void task_states_fini(struct task_states *s);

const struct task_state_known *task_state_find(struct task_states *s,
					       const struct derived_type *type,
					       const struct derived_field *prev_state,
					       uint64_t raw);

/* The state of a prev_state; field is where the type has it. */
static inline const struct task_state_known *task_state(struct task_states *s,
							const struct derived_type *type,
							const struct derived_field *field,
							struct tdat_span rec)
{
	const uint64_t raw = derived_u64(field, rec);
	const struct task_state_known *k = &s->known[type->index * TASK_STATE_SLOTS +
						     ((raw ^ raw >> 6) & (TASK_STATE_SLOTS - 1))];

	return k->text && k->raw == raw ? k : task_state_find(s, type, field, raw);
}

#endif
