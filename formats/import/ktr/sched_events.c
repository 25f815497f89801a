/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes scheduler events of Linux of the states of threads: "running" on a CPU ends what ran
 * there. They are made up from what KTRGRAPH says, and VERSION says so. State is kept by thread
 * and by CPU, with keyed look-ups of thread_pids.c. Only with the option that asks for them are
 * such events made.
 */
#include "ktr.h"

#include <stdlib.h>
#include <string.h>

#include "core/build.h"
#include "import/record.h"
#include "entry_layout.h"
#include "ktrgraph.h"

/* TASK_COMM_LEN of Linux. */
enum { COMM_LEN = 16 };

/* Thread that runs on a CPU, as far as events have shown. */
struct running {
	bool known;
	bool sleeps; /* the thread said so before it left */
	int32_t pid;
	int32_t prio;
	uint8_t comm[COMM_LEN];
};

struct ktr_sched {
	uint16_t switch_id, wakeup_id;
	/* Indexed by CPU. */
	struct running cpus[KTR_CPU_MAX];
};

/* Makes the state of a session with --sched, to be freed also on failure; emits both formats. */
enum tdat_status ktr_sched_new(struct ktr_output *o, struct tdat_error *err)
{
	struct ktr_sched *s = o->sched = calloc(1, sizeof(*s));
	enum tdat_status st;

	if (!s)
		return tdat_error_no_memory(err, "the tasks of CPUs");
	st = ktr_output_format(o, "sched", "sched_switch", &s->switch_id, err);
	return st == TDAT_OK ? ktr_output_format(o, "sched", "sched_wakeup", &s->wakeup_id, err)
			     : st;
}

/* Cuts a name to a comm: 15 characters, filled with NUL. */
static void set_comm(uint8_t *comm, struct tdat_span name)
{
	size_t len = name.len < COMM_LEN - 1 ? name.len : COMM_LEN - 1;

	memset(comm, 0, COMM_LEN);
	if (len)
		memcpy(comm, name.ptr, len);
}

/*
 * Priority of the attributes; 0: none. FreeBSD's scale is kept, since it does not map to that of
 * Linux.
 */
static int32_t prio_of(const struct ktr_graph *g)
{
	int64_t prio;

	return ktr_graph_number(g, "prio", &prio) && prio >= INT32_MIN && prio <= INT32_MAX
		       ? (int32_t)prio
		       : 0;
}

/*
 * Makes a sched_switch. prev_state is 1 (TASK_INTERRUPTIBLE) if the thread sleeps, else 0 (still
 * runnable).
 */
static enum tdat_status send_switch(const struct ktr_sched *s, struct ktr_output *o,
				    const struct running *prev, const struct running *next,
				    uint32_t cpu, uint64_t ts, struct tdat_error *err)
{
	struct tdat_build *b = &o->payload;

	import_record_begin(b, s->switch_id, prev->pid);
	tdat_build_bytes(b, prev->comm, COMM_LEN);
	tdat_build_u32(b, (uint32_t)prev->pid);
	tdat_build_u32(b, (uint32_t)prev->prio);
	tdat_build_u64(b, prev->sleeps ? 1 : 0);
	tdat_build_bytes(b, next->comm, COMM_LEN);
	tdat_build_u32(b, (uint32_t)next->pid);
	tdat_build_u32(b, (uint32_t)next->prio);
	return ktr_output_send(o, cpu, ts, err);
}

/* Makes a sched_wakeup; the task of the event is the one that runs on the CPU. */
static enum tdat_status send_wakeup(const struct ktr_sched *s, struct ktr_output *o,
				    const struct running *waker, const struct running *woken,
				    uint32_t cpu, uint64_t ts, struct tdat_error *err)
{
	struct tdat_build *b = &o->payload;

	import_record_begin(b, s->wakeup_id, waker->known ? waker->pid : 0);
	tdat_build_bytes(b, woken->comm, COMM_LEN);
	tdat_build_u32(b, (uint32_t)woken->pid);
	tdat_build_u32(b, (uint32_t)woken->prio);
	tdat_build_u32(b, cpu);
	return ktr_output_send(o, cpu, ts, err);
}

/*
 * True for states in which a thread still wants to run, by the names that FreeBSD's schedulers
 * record.
 */
static bool is_runnable(struct tdat_span state)
{
	static const char *const names[] = {"runq",    "runq add", "runq rem", "preempted",
					    "running", "idle",	   "yielding"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (tdat_span_is(state, names[i]))
			return true;
	return false;
}

/*
 * Takes the state of a thread that was recorded on a CPU, and emits the switch or wakeup that
 * follows from it.
 */
enum tdat_status ktr_sched_state(struct ktr_output *o, const struct ktr_graph *g, int32_t pid,
				 uint32_t cpu, uint64_t ts, struct tdat_error *err)
{
	struct ktr_sched *s = o->sched;
	struct running next = {.known = true, .pid = pid, .prio = prio_of(g)}, *now;
	enum tdat_status st;

	if (cpu >= KTR_CPU_MAX)
		return TDAT_OK;
	now = &s->cpus[cpu];
	set_comm(next.comm, g->name);
	if (tdat_span_is(g->data, "running")) {
		/* It runs already: it said that it would leave and did not. */
		if (now->known && now->pid == pid) {
			now->sleeps = false;
			return TDAT_OK;
		}
		st = send_switch(s, o, now, &next, cpu, ts, err);
		*now = next;
		return st;
	}
	/*
	 * The running thread says how it leaves; the switch itself comes with the next "running".
	 */
	if (now->known && now->pid == pid) {
		now->sleeps = !is_runnable(g->data);
		return TDAT_OK;
	}
	if (tdat_span_is(g->data, "runq add"))
		return send_wakeup(s, o, now, &next, cpu, ts, err);
	/* This is the first event of the CPU: the thread that leaves it must have run there. */
	if (!now->known) {
		*now = next;
		now->sleeps = !is_runnable(g->data);
	}
	return TDAT_OK;
}
