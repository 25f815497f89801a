/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the files of the table critical_path share: the history of tasks and CPUs, and the
 * segments that explain a time of a task. docs/analysis.md defines them.
 */
#ifndef TDAT_ANALYSIS_CRITICAL_H
#define TDAT_ANALYSIS_CRITICAL_H

#include "names.h"
#include "table/derived_state.h"
#include "task_state.h"

enum critical_kind {
	CRITICAL_UNKNOWN,
	CRITICAL_RUNNING,
	CRITICAL_RUNNABLE, /* another task had the CPU */
	CRITICAL_IRQ,
	CRITICAL_SOFTIRQ,
	CRITICAL_IDLE_EXIT,
	CRITICAL_MIGRATION,
	CRITICAL_BLOCKED, /* until a wakeup; by what is not known more closely */
	CRITICAL_LOCK,
	CRITICAL_SIGNAL,
	CRITICAL_BLOCK_IO,
	CRITICAL_TIMER,
	CRITICAL_NETWORK,
	CRITICAL_FUTEX,
	CRITICAL_PIPE,
	CRITICAL_PAGE_FAULT,
	CRITICAL_KINDS
};

enum {
	CRITICAL_TASKS = 1 << 20,
	CRITICAL_MOMENTS = 1 << 20, /* kept of all tasks and CPUs, a power of two */
	CRITICAL_DEPTH = 16,	    /* wakers behind one another */
	CRITICAL_ROWS = 1 << 16,    /* segments of one explanation */
	CRITICAL_CONTEXTS = 8,	    /* interrupts within each other */
	CRITICAL_LOCKS = 4,	    /* that a task waits for at a time */
	/* Moments that explanations may look at: so many more with each event, up to a bound. */
	CRITICAL_STEPS = 32,
	CRITICAL_BUDGET = 1 << 22,
	CRITICAL_EVENTS = 31,
	/* Nanoseconds in which an interrupt ends whose end was not recorded. */
	CRITICAL_NEAR = 1000000
};

#define CRITICAL_ENDED "the task has ended"

/* What changes for a task or a CPU at some time. Each is in the chain of its task, of its CPU, or
 * both. */
enum moment_type {
	MOMENT_OUT,	/* the task leaves the CPU; by is who gets it */
	MOMENT_WAKE,	/* it is woken; kind and what say by what */
	MOMENT_PLACE,	/* it is put into the run queue of cpu, by sched_wakeup */
	MOMENT_MIGRATE, /* the same, by sched_migrate_task, in the task by */
	MOMENT_IN,	/* the task gets the CPU: of both chains */
	MOMENT_CPU	/* the CPU does something else: of its chain only */
};

/* What a CPU does from a moment on. */
enum occupant {
	OCCUPANT_TASK,
	OCCUPANT_IDLE,	     /* no task, and no idle state is known */
	OCCUPANT_IDLE_STATE, /* what says which */
	OCCUPANT_IDLE_LEFT,  /* an idle state ended; no task yet */
	OCCUPANT_IRQ,
	OCCUPANT_SOFTIRQ,
	OCCUPANT_LOST /* events were lost */
};

struct moment {
	uint64_t ts;
	union {
		const char *what;
		uint64_t since; /* of MOMENT_IN, and OCCUPANT_TASK of MOMENT_CPU: when it got the
				   CPU */
	};
	uint32_t task_before, cpu_before; /* in its chain, so many moments back; 0: there is none */
	uint32_t losses, cpu_losses;	  /* of the recording and of cpu before it */
	uint32_t cpu;
	int32_t pid, by, prio;
	uint8_t type, kind; /* kind: of MOMENT_WAKE */
	uint8_t occupant;   /* of the chain of a CPU */
	bool waits : 1;	    /* of MOMENT_OUT: until a wakeup */
	bool preempted : 1; /* of MOMENT_OUT: it would have gone on */
	bool dead : 1;	    /* of MOMENT_OUT: it has ended */
	bool by_task : 1;   /* of MOMENT_WAKE: not from an interrupt */
	bool created : 1;   /* of MOMENT_WAKE: the task is new */
	bool placed : 1;    /* of MOMENT_WAKE: cpu is where it was put, not where it was */
};

/* A context of a CPU: the task is none, interrupts lie on each other. */
struct critical_context {
	uint8_t occupant, level; /* level: TRACE_FLAG_HARDIRQ, TRACE_FLAG_SOFTIRQ */
	const char *what;
};

/* Who has a CPU, and what was seen there. Texts are of derived_intern or literals. */
struct critical_cpu {
	struct tdat_entry head;
	uint64_t key[2]; /* recording, CPU */
	uint64_t last;	 /* moment + 1 */
	uint64_t last_ts, since;
	uint32_t losses;
	bool known; /* which task runs */
	int32_t pid, prio;
	uint8_t idle; /* enum occupant of pid 0 */
	const char *idle_what;
	struct critical_context contexts[CRITICAL_CONTEXTS];
	uint32_t context_count, contexts_beyond;
	/* What a wakeup from here would be due to. */
	struct {
		uint8_t kind, level;
		uint32_t context; /* how many there were */
		uint64_t ts;
		const char *what;
	} proof;
	/* Of the event before this one: the pid that got a signal, that was woken; 0: none. */
	int32_t signaled, woken;
	uint64_t wake; /* the moment + 1 of that wakeup */
	const char *signal;
	int32_t stack_of; /* the pid whose switch was the event before this one; 0: none */
};

/* A task, whose interval is the state that it is in. */
struct critical_task {
	struct derived_entry entry; /* recording, pid */
	enum task_state state;
	uint64_t last; /* moment + 1 */
	uint64_t out;  /* when it left the CPU, if has_out */
	uint64_t out_known;
	/* A wait that a wakeup ended, and is not explained yet: its signal may come still. */
	struct {
		uint64_t from, to;
		bool is;
	} held;
	bool has_out, woken, in_call;
	bool fault; /* a page fault was the last that it did */
	uint8_t stack_kind;
	const char *call, *stack;
	/* What it waits for, the last one last. */
	struct {
		uint64_t addr;
		const char *text;
	} locks[CRITICAL_LOCKS];
	uint32_t lock_count;
	uint64_t uaddr;
	bool has_uaddr;
	bool wakes; /* its futex call does not wait */
};

/* A segment. */
struct critical_row {
	uint64_t ts, dur;
	const char *what;
	uint32_t rec, by_rec; /* of pid and by: a virtual CPU is a task of the host */
	int32_t pid, by;
	uint32_t cpu;
	uint8_t depth, kind;
	/* TASK_RUNNING, TASK_RUNNABLE, TASK_DEAD, TASK_SLEEPING for all others; or unknown */
	enum task_state state : 8;
	bool has_by;
};

struct critical_rows {
	struct critical_row *v;
	size_t count, cap;
};

/* One explained time of a task that is kept until the end. */
struct critical_wait {
	uint32_t rec;
	int32_t pid;
	uint64_t ts, dur;
	struct critical_rows rows;
};

/* A CPU of a guest, which is a task of its host. */
struct critical_vcpu {
	struct tdat_entry head;
	uint64_t key[2];	   /* recording, CPU */
	uint32_t host, host_count; /* recordings of the host */
	int32_t pid;
};

struct critical {
	struct derived_state state;
	struct tdat_entries cpus, vcpus;
	struct task_states decoded;
	struct names names;
	struct critical_types *types; /* critical_proof.c */
	struct moment *moments;	      /* a ring */
	uint64_t moment_count;
	uint32_t *losses; /* by recording */
	/* One explanation at a time. */
	struct critical_rows rows;
	uint64_t *picked; /* moments that are looked at, a stack */
	size_t picked_count, picked_cap;
	uint64_t budget;
	bool counts_ns; /* the clocks of all inputs */
	/* Of tdat_explain. */
	const struct tdat_explain *explain;
	struct critical_wait *worst;
	size_t worst_count, kept; /* kept: segments of all */
	uint64_t refused;	  /* waits that are not longer are not kept */
};

/* ---- critical_proof.c: what waits are for ---- */

enum tdat_status critical_proof_init(struct critical *c, struct tdat_error *err);
void critical_proof_fini(struct critical *c);

/* The kinds of events; those up to CRITICAL_STACK are critical_path.c's. */
enum {
	CRITICAL_SWITCH,
	CRITICAL_WAKING,
	CRITICAL_WAKEUP,
	CRITICAL_CREATED,
	CRITICAL_MIGRATES,
	CRITICAL_PROOFS, /* of critical_proof.c from here on */
	CRITICAL_STACK = CRITICAL_PROOFS,
	CRITICAL_IRQ_IN,
	CRITICAL_IRQ_OUT,
	CRITICAL_SOFTIRQ_IN,
	CRITICAL_SOFTIRQ_OUT,
	CRITICAL_VECTOR,
	CRITICAL_IDLE,
	CRITICAL_TIMER_IN,
	CRITICAL_TIMER_OUT,
	CRITICAL_IO_DONE,
	CRITICAL_RECEIVE,
	CRITICAL_SIGNALS,
	CRITICAL_CALL_IN,
	CRITICAL_CALL_OUT,
	CRITICAL_RAW_IN,
	CRITICAL_LOCK_IN,
	CRITICAL_LOCK_OUT,
	CRITICAL_FAULT
};
extern const struct derived_event critical_events[CRITICAL_EVENTS];

/* Takes an event that says what a CPU or a task does beside its switches. */
void critical_proof(struct critical *c, const struct derived_type *type,
		    const struct tdat_event *ev, uint32_t rec);
/* Sets kind, what, by and by_task of the wakeup of a task. */
void critical_wake_kind(struct critical *c, const struct critical_task *t,
			const struct critical_cpu *cpu, const struct tdat_event *ev,
			uint64_t common_flags, struct moment *wake);

/* ---- critical_path.c: the history ---- */

struct critical_cpu *critical_cpu_of(struct critical *c, uint32_t rec, uint32_t cpu);
struct critical_task *critical_task_of(struct critical *c, uint32_t rec, int64_t pid);
/* Adds what the CPU does from ts on to its chain. */
void critical_occupy(struct critical *c, struct critical_cpu *cpu, uint64_t ts);
/* A moment by its number + 1; NULL: it is none, or no longer kept. */
static inline const struct moment *critical_moment(const struct critical *c, uint64_t at)
{
	return at && c->moment_count - at < CRITICAL_MOMENTS
		       ? &c->moments[(at - 1) & (CRITICAL_MOMENTS - 1)]
		       : NULL;
}

/* ---- critical_guest.c: hosts of guests ---- */

/* Finds the virtual CPUs of guests whose hosts are inputs, too. */
void critical_find_vcpus(struct critical *c);

/* ---- critical_walk.c: the explanation ---- */

/* Explains a time of a task: fills c->rows, of which those of depth 0 cover it. */
void critical_explain(struct critical *c, uint32_t rec, int32_t pid, uint64_t from, uint64_t to);

#endif
