/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the waits of tasks are for, as far as events prove it: the interrupts that a CPU is in,
 * what was done there right before a wakeup (a request completed, a timer expired, a packet came),
 * and what the task did before it went to sleep (a system call, a lock, a page fault, its stack).
 * critical_path.c sends events here, and asks for the kind of a wakeup. What no event proves stays
 * CRITICAL_BLOCKED or CRITICAL_UNKNOWN, with the events that would tell.
 */
#include <stdlib.h>
#include <string.h>

#include "core/number.h"
#include "core/syscalls.h"
#include "core/text.h"
#include "critical.h"
#include "file/file.h"
#include "model/symbol_cache.h"

/* enum trace_flag_type of include/linux/trace_events.h; an NMI is an interrupt here. */
enum { FLAG_HARDIRQ = 0x08, FLAG_SOFTIRQ = 0x10, FLAG_NMI = 0x40 };

/* Fields, by kind. FLAGS is the first of all that may prove a wait. */
enum { FLAGS };
enum { DEV = 1, RWBS, IRQ = 1, IRQ_NAME, VEC = 1, FUNCTION = 1, STATE = 0, CPU_ID };
enum { DEVICE = 1, SIGNAL = 0, SIGNALED, RESULT, NR = 0, OLD_NR, UADDR, OP, ARGS = UADDR };
enum { LOCK = 0, LOCK_FLAGS, LOCK_NAME, SIZE = 0, CALLER };
static const char *const io_fields[] = {"common_flags", "dev", "rwbs", NULL};
static const char *const irq_fields[] = {"common_flags", "irq", "name", NULL};
static const char *const softirq_fields[] = {"common_flags", "vec", NULL};
static const char *const timer_fields[] = {"common_flags", "function", NULL};
static const char *const receive_fields[] = {"common_flags", "name", NULL};
static const char *const idle_fields[] = {"state", "cpu_id", NULL};
static const char *const signal_fields[] = {"sig", "pid", "result", NULL};
static const char *const call_fields[] = {"__syscall_nr", "nr", "uaddr", "op", NULL};
static const char *const raw_fields[] = {"id", "", "args", NULL};
static const char *const contention_fields[] = {"lock_addr", "flags", "", NULL};
static const char *const lockdep_fields[] = {"lockdep_addr", "", "name", NULL};
static const char *const contended_fields[] = {"lock_addr", NULL};
static const char *const acquired_fields[] = {"lockdep_addr", NULL};
static const char *const stack_fields[] = {"size", "caller", NULL};
static const char *const switch_fields[] = {"prev_pid", "prev_prio", "prev_state",
					    "next_pid", "next_prio", NULL};
static const char *const wake_fields[] = {"pid",     "prio",	     "target_cpu", "cpu",
					  "success", "common_flags", NULL};
static const char *const migrate_fields[] = {"pid", "dest_cpu", NULL};

const struct derived_event critical_events[CRITICAL_EVENTS] = {
	{"sched/sched_switch", CRITICAL_SWITCH, switch_fields},
	{"sched/sched_waking", CRITICAL_WAKING, wake_fields},
	{"sched/sched_wakeup", CRITICAL_WAKEUP, wake_fields},
	{"sched/sched_wakeup_new", CRITICAL_CREATED, wake_fields},
	{"sched/sched_migrate_task", CRITICAL_MIGRATES, migrate_fields},
	{"ftrace/kernel_stack", CRITICAL_STACK, stack_fields},
	{"irq/irq_handler_entry", CRITICAL_IRQ_IN, irq_fields},
	{"irq/irq_handler_exit", CRITICAL_IRQ_OUT, NULL},
	{"irq/softirq_entry", CRITICAL_SOFTIRQ_IN, softirq_fields},
	{"irq/softirq_exit", CRITICAL_SOFTIRQ_OUT, NULL},
	{"irq_vectors/*", CRITICAL_VECTOR, NULL},
	{"power/cpu_idle", CRITICAL_IDLE, idle_fields},
	{"timer/hrtimer_expire_entry", CRITICAL_TIMER_IN, timer_fields},
	{"timer/hrtimer_expire_exit", CRITICAL_TIMER_OUT, NULL},
	{"timer/timer_expire_entry", CRITICAL_TIMER_IN, timer_fields},
	{"timer/timer_expire_exit", CRITICAL_TIMER_OUT, NULL},
	{"block/block_rq_complete", CRITICAL_IO_DONE, io_fields},
	{"block/block_bio_complete", CRITICAL_IO_DONE, io_fields},
	{"net/netif_receive_skb", CRITICAL_RECEIVE, receive_fields},
	{"signal/signal_generate", CRITICAL_SIGNALS, signal_fields},
	{"raw_syscalls/sys_enter", CRITICAL_RAW_IN, raw_fields},
	{"raw_syscalls/sys_exit", CRITICAL_CALL_OUT, NULL},
	{"syscalls/sys_enter_*", CRITICAL_CALL_IN, call_fields},
	{"syscalls/sys_exit_*", CRITICAL_CALL_OUT, NULL},
	{"lock/contention_begin", CRITICAL_LOCK_IN, contention_fields},
	{"lock/contention_end", CRITICAL_LOCK_OUT, contended_fields},
	{"lock/lock_contended", CRITICAL_LOCK_IN, lockdep_fields},
	{"lock/lock_release", CRITICAL_LOCK_OUT, lockdep_fields},
	{"lock/lock_acquired", CRITICAL_LOCK_OUT, acquired_fields},
	{"exceptions/page_fault_user", CRITICAL_FAULT, NULL},
	{"exceptions/page_fault_kernel", CRITICAL_FAULT, NULL},
};

/* Functions that a task waits in, by what for; the innermost one of a stack counts. */
static const struct {
	const char *name;
	enum critical_kind kind;
} waiting[] = {
	{"pipe_read", CRITICAL_PIPE},
	{"pipe_write", CRITICAL_PIPE},
	{"pipe_wait", CRITICAL_PIPE},
	{"anon_pipe_read", CRITICAL_PIPE},
	{"anon_pipe_write", CRITICAL_PIPE},
	{"pipe_wait_readable", CRITICAL_PIPE},
	{"pipe_wait_writable", CRITICAL_PIPE},
	{"futex_wait", CRITICAL_FUTEX},
	{"__futex_wait", CRITICAL_FUTEX},
	{"futex_wait_queue", CRITICAL_FUTEX},
	{"futex_wait_queue_me", CRITICAL_FUTEX},
	{"futex_lock_pi", CRITICAL_FUTEX},
	{"__mutex_lock", CRITICAL_LOCK},
	{"__mutex_lock_slowpath", CRITICAL_LOCK},
	{"mutex_lock", CRITICAL_LOCK},
	{"mutex_lock_interruptible", CRITICAL_LOCK},
	{"mutex_lock_killable", CRITICAL_LOCK},
	{"rt_mutex_slowlock", CRITICAL_LOCK},
	{"rwsem_down_read_slowpath", CRITICAL_LOCK},
	{"rwsem_down_write_slowpath", CRITICAL_LOCK},
	{"rwsem_down_read_failed", CRITICAL_LOCK},
	{"rwsem_down_write_failed", CRITICAL_LOCK},
	{"down_read", CRITICAL_LOCK},
	{"down_write", CRITICAL_LOCK},
	{"percpu_rwsem_wait", CRITICAL_LOCK},
	{"do_nanosleep", CRITICAL_TIMER},
	{"hrtimer_nanosleep", CRITICAL_TIMER},
	{"blk_mq_get_tag", CRITICAL_BLOCK_IO},
	{"submit_bio_wait", CRITICAL_BLOCK_IO},
	{"blk_wait_io", CRITICAL_BLOCK_IO},
	{"sk_wait_data", CRITICAL_NETWORK},
	{"inet_csk_accept", CRITICAL_NETWORK},
	{"tcp_recvmsg_locked", CRITICAL_NETWORK},
	{"handle_mm_fault", CRITICAL_PAGE_FAULT},
	{"do_page_fault", CRITICAL_PAGE_FAULT},
	{"do_user_addr_fault", CRITICAL_PAGE_FAULT},
	{"exc_page_fault", CRITICAL_PAGE_FAULT},
};
enum { STACK_MOST = 32 };

/* What is known of an event type. */
struct critical_types {
	struct model_symbol_cache symbols;
	struct critical_type {
		bool known;
		const char *name; /* of the system call; of a vector, without _entry or _exit */
		const struct tdat_syscalls *calls;
		bool begins, ends; /* a vector */
	} v[];
};

enum tdat_status critical_proof_init(struct critical *c, struct tdat_error *err)
{
	const size_t count = derived_type_count(c->state.out);

	c->types = calloc(1, sizeof(*c->types) + count * sizeof(c->types->v[0]));
	return c->types ? names_init(&c->names, c->state.out, err)
			: tdat_error_no_memory(err, "critical_path");
}

void critical_proof_fini(struct critical *c)
{
	names_fini(&c->names);
	free(c->types);
}

/* ---- texts ---- */

/* A text of at most three parts, which stays. */
static const char *text_of(struct critical *c, const char *before, struct tdat_span text,
			   const char *behind)
{
	struct tdat_build *b = &c->names.prints.text;

	b->len = 0;
	tdat_build_str(b, before);
	if (text.len)
		tdat_build_bytes(b, text.ptr, text.len);
	tdat_build_str(b, behind);
	if (!b->failed)
		return derived_intern(c->state.out, (struct tdat_span){b->ptr, b->len});
	derived_fail(c->state.out);
	return "";
}

/* "0x..." behind a word. */
static const char *address_of(struct critical *c, const char *word, uint64_t addr)
{
	char digits[TDAT_NUMBER_MAX], *const end = digits + sizeof(digits);
	const char *start = tdat_number_hex(end, addr, false);

	return text_of(c, word, (struct tdat_span){(const uint8_t *)start, (size_t)(end - start)},
		       "");
}

static const char *number_of(struct critical *c, const char *before, uint64_t v, const char *behind)
{
	char digits[TDAT_NUMBER_MAX], *const end = digits + sizeof(digits);
	const char *start = tdat_number_dec(end, v);

	return text_of(c, before, (struct tdat_span){(const uint8_t *)start, (size_t)(end - start)},
		       behind);
}

/* The function at an address; ptr is NULL where no symbol covers it. */
static struct tdat_span function_at(struct critical *c, const struct derived_type *type,
				    uint64_t addr)
{
	const struct model_symbols *symbols = type->in->symbols;

	return symbols ? model_symbol_cache_get(&c->types->symbols, symbols, addr)->name
		       : (struct tdat_span){NULL, 0};
}

/* ---- contexts of a CPU ---- */

/* The innermost interrupt that the CPU is in; NULL: none is known. */
static const struct critical_context *context_of(const struct critical_cpu *cpu)
{
	return cpu->context_count ? &cpu->contexts[cpu->context_count - 1] : NULL;
}

/* Where an event came from, by its common_flags; where they say nothing, by the CPU's interrupts.
 */
static uint8_t level_of(const struct critical_cpu *cpu, uint64_t flags)
{
	const struct critical_context *in = context_of(cpu);

	if (flags & (FLAG_HARDIRQ | FLAG_NMI))
		return FLAG_HARDIRQ;
	return flags & FLAG_SOFTIRQ ? FLAG_SOFTIRQ : in ? in->level : 0;
}

static void enter_context(struct critical *c, struct critical_cpu *cpu, enum occupant occupant,
			  const char *what, uint64_t ts)
{
	if (cpu->context_count == CRITICAL_CONTEXTS) {
		cpu->contexts_beyond++;
		return;
	}
	cpu->contexts[cpu->context_count++] = (struct critical_context){
		(uint8_t)occupant, occupant == OCCUPANT_IRQ ? FLAG_HARDIRQ : FLAG_SOFTIRQ, what};
	critical_occupy(c, cpu, ts);
}

/* Leaves the innermost interrupt of that kind, and those within it, whose ends were not recorded.
 */
static void leave_context(struct critical *c, struct critical_cpu *cpu, enum occupant occupant,
			  uint64_t ts)
{
	uint32_t n = cpu->context_count;

	if (cpu->contexts_beyond) {
		cpu->contexts_beyond--;
		return;
	}
	while (n && cpu->contexts[n - 1].occupant != occupant)
		n--;
	if (!n)
		return;
	cpu->context_count = n - 1;
	if (cpu->proof.context > cpu->context_count)
		cpu->proof.kind = CRITICAL_UNKNOWN;
	critical_occupy(c, cpu, ts);
}

static void prove(struct critical_cpu *cpu, const struct derived_type *type,
		  const struct tdat_event *ev, enum critical_kind kind, const char *what)
{
	cpu->proof.kind = (uint8_t)kind;
	cpu->proof.level = level_of(cpu, derived_u64(&type->fields[FLAGS], ev->record));
	cpu->proof.context = cpu->context_count;
	cpu->proof.what = what;
	cpu->proof.ts = ev->ts;
}

/* An interrupt, by the name of its handler. */
static const char *irq_text(struct critical *c, const struct derived_type *type,
			    const struct tdat_event *ev)
{
	const struct derived_field *f = type->fields;
	const char *name = derived_intern(c->state.out, derived_text(&f[IRQ_NAME], ev->record));

	return text_of(c, number_of(c, "irq ", derived_u64(&f[IRQ], ev->record), *name ? " " : ""),
		       tdat_span_of(name), "");
}

/* irq_vectors: local_timer_entry begins "local_timer". */
static void take_vector(struct critical *c, struct critical_cpu *cpu,
			const struct derived_type *type, uint64_t ts)
{
	struct critical_type *t = &c->types->v[type->index];
	struct tdat_span name = tdat_span_of(tdat_event_format_name(type->format));

	if (!t->known) {
		t->known = true;
		t->begins = name.len > 6 && !memcmp(name.ptr + name.len - 6, "_entry", 6);
		t->ends = name.len > 5 && !memcmp(name.ptr + name.len - 5, "_exit", 5);
		name.len -= t->begins ? 6 : t->ends ? 5 : 0;
		t->name = text_of(c, "irq ", name, "");
	}
	if (t->begins)
		enter_context(c, cpu, OCCUPANT_IRQ, t->name, ts);
	else if (t->ends)
		leave_context(c, cpu, OCCUPANT_IRQ, ts);
}

/* What softirqs deliver is known by their vector, where nothing says more. */
static void take_softirq(struct critical *c, struct critical_cpu *cpu,
			 const struct derived_type *type, const struct tdat_event *ev)
{
	const char *vec = names_of(&c->names, type, VEC, NULL, ev);

	enter_context(c, cpu, OCCUPANT_SOFTIRQ, vec, ev->ts);
	cpu->proof.kind = CRITICAL_UNKNOWN;
	if (vec && (!strcmp(vec, "NET_RX") || !strcmp(vec, "NET_TX")))
		prove(cpu, type, ev, CRITICAL_NETWORK, vec);
	cpu->proof.level = FLAG_SOFTIRQ;
}

/* An idle state of a CPU, which another one may record. */
static void take_idle(struct critical *c, const struct derived_type *type,
		      const struct tdat_event *ev, uint32_t rec)
{
	const struct derived_field *f = type->fields;
	struct critical_cpu *cpu =
		critical_cpu_of(c, rec, (uint32_t)derived_u64(&f[CPU_ID], ev->record));
	const uint32_t state = (uint32_t)derived_u64(&f[STATE], ev->record);

	if (!cpu)
		return;
	cpu->idle = state == UINT32_MAX ? OCCUPANT_IDLE_LEFT : OCCUPANT_IDLE_STATE;
	if (state != UINT32_MAX)
		cpu->idle_what = number_of(c, "idle state ", state, "");
	critical_occupy(c, cpu, ev->ts);
}

static const char *io_text(struct critical *c, const struct derived_type *type,
			   const struct tdat_event *ev)
{
	const struct derived_field *f = type->fields;
	const uint32_t dev = (uint32_t)derived_u64(&f[DEV], ev->record);
	const char *minor = number_of(c, ",", dev & 0xfffff, " ");
	const char *text = number_of(c, "device ", dev >> 20, minor);

	return text_of(c, text, derived_text(&f[RWBS], ev->record), "");
}

static const char *timer_text(struct critical *c, const struct derived_type *type,
			      const struct tdat_event *ev)
{
	const struct derived_field *f = &type->fields[FUNCTION];
	const uint64_t addr = derived_u64(f, ev->record);
	const struct model_symbols *symbols = type->in->symbols;
	const struct model_symbol *s =
		symbols ? model_symbol_cache_get(&c->types->symbols, symbols, addr) : NULL;

	if (!derived_has(f, ev->record))
		return NULL;
	if (!s || !s->name.ptr)
		return address_of(c, "function 0x", addr);
	if (s->start == addr)
		return text_of(c, "", s->name, "");
	return address_of(c, text_of(c, "", s->name, "+0x"), addr - s->start);
}

/* ---- what tasks do ---- */

/* Whether a futex call has an operation that does not wait (include/uapi/linux/futex.h). */
static bool has_wake_op(const struct derived_type *type, const struct tdat_event *ev)
{
	const struct derived_field *f = type->fields;
	const size_t size = type->format->long_size, off = f[ARGS].off + size;
	uint64_t op;

	if (type->kind == CRITICAL_RAW_IN && f[ARGS].field && ev->record.len >= off + size)
		op = tdat_load_uint(ev->record.ptr + off, (uint32_t)size, type->format->big);
	else if (type->kind == CRITICAL_CALL_IN && derived_has(&f[OP], ev->record))
		op = derived_u64(&f[OP], ev->record);
	else
		return false;
	op &= 0x7f;
	/* wait, lock_pi, wait_bitset, wait_requeue_pi, lock_pi2 */
	return op != 0 && op != 6 && op != 9 && op != 11 && op != 13;
}

static void enter_call(struct critical *c, struct critical_task *t, const struct derived_type *type,
		       const struct tdat_event *ev)
{
	struct critical_type *known = &c->types->v[type->index];
	const bool raw = type->kind == CRITICAL_RAW_IN;
	const struct derived_field *f = type->fields;
	const size_t size = type->format->long_size;
	const char *name = tdat_event_format_name(type->format);

	if (!known->known) {
		known->known = true;
		known->calls = tdat_syscalls_of(file_uname(type->in->file, UNAME_MACHINE));
		known->name = raw ? NULL
				  : derived_intern(c->state.out,
						   tdat_span_of(name + sizeof("sys_enter_") - 1));
	}
	name = known->name;
	if (raw) {
		name = tdat_syscall_function(known->calls,
					     (uint32_t)derived_u64(&f[NR], ev->record));
		name = name ? name + sizeof("sys_") - 1 : NULL;
	}
	/* Both kinds of events may tell of one call. */
	if (!t->in_call || name)
		t->call = name;
	t->in_call = true;
	t->fault = false;
	t->has_uaddr = false;
	if (!t->call || strncmp(t->call, "futex", 5) != 0)
		return;
	t->wakes = has_wake_op(type, ev);
	t->has_uaddr = raw ? f[ARGS].field && ev->record.len >= f[ARGS].off + size
			   : derived_has(&f[UADDR], ev->record);
	if (t->has_uaddr)
		t->uaddr = raw ? tdat_load_uint(ev->record.ptr + f[ARGS].off, (uint32_t)size,
						type->format->big)
			       : derived_u64(&f[UADDR], ev->record);
}

static void drop_lock(struct critical_task *t, uint64_t addr)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < t->lock_count; i++)
		if (t->locks[i].addr != addr)
			t->locks[n++] = t->locks[i];
	t->lock_count = n;
}

static void take_lock(struct critical *c, struct critical_task *t, const struct derived_type *type,
		      const struct tdat_event *ev)
{
	const struct derived_field *f = type->fields;
	const uint64_t addr = derived_u64(&f[LOCK], ev->record);
	const char *name = f[LOCK_NAME].field	 ? names_of(&c->names, type, LOCK_NAME, NULL, ev)
			   : f[LOCK_FLAGS].field ? names_of(&c->names, type, LOCK_FLAGS, NULL, ev)
						 : NULL;

	/* A mutex begins to wait anew after spinning, and ends once. */
	drop_lock(t, addr);
	if (t->lock_count == CRITICAL_LOCKS)
		drop_lock(t, t->locks[0].addr);
	t->locks[t->lock_count].addr = addr;
	t->locks[t->lock_count++].text = address_of(
		c, text_of(c, name ? name : "lock", (struct tdat_span){NULL, 0}, " 0x"), addr);
}

/* The stack of the task that the event before it on its CPU switched out. */
static void take_stack(struct critical *c, struct critical_task *t, const struct derived_type *type,
		       const struct tdat_event *ev)
{
	const struct derived_field *f = type->fields;
	const size_t size = type->format->long_size;
	size_t n;

	if (!f[CALLER].field || ev->record.len < f[CALLER].off)
		return;
	n = (ev->record.len - f[CALLER].off) / size;
	if (derived_has(&f[SIZE], ev->record) && derived_u64(&f[SIZE], ev->record) < n)
		n = (size_t)derived_u64(&f[SIZE], ev->record);
	for (size_t i = 0; i < n && i < STACK_MOST; i++) {
		struct tdat_span name =
			function_at(c, type,
				    tdat_load_uint(ev->record.ptr + f[CALLER].off + i * size,
						   (uint32_t)size, type->format->big));
		const uint8_t *dot = name.ptr ? memchr(name.ptr, '.', name.len) : NULL;

		/* A part or a copy that the compiler made: pipe_read.isra.0. */
		name.len = dot ? (size_t)(dot - name.ptr) : name.len;
		for (size_t k = 0; k < sizeof(waiting) / sizeof(waiting[0]) && name.ptr; k++)
			if (tdat_span_is(name, waiting[k].name)) {
				t->stack_kind = (uint8_t)waiting[k].kind;
				t->stack = waiting[k].name;
				return;
			}
	}
}

/* Events of the task that runs. */
static void take_of_task(struct critical *c, struct critical_cpu *cpu,
			 const struct derived_type *type, const struct tdat_event *ev, uint32_t rec,
			 int32_t stack_of)
{
	struct critical_task *t = type->kind == CRITICAL_STACK && (!ev->pid || stack_of != ev->pid)
					  ? NULL
					  : critical_task_of(c, rec, ev->pid);

	(void)cpu;
	if (!t)
		return;
	switch (type->kind) {
	case CRITICAL_STACK:
		take_stack(c, t, type, ev);
		break;
	case CRITICAL_CALL_OUT:
		t->in_call = t->fault = false;
		t->call = NULL;
		t->lock_count = 0; /* programs have none of the kernel */
		break;
	case CRITICAL_LOCK_IN:
		take_lock(c, t, type, ev);
		break;
	case CRITICAL_LOCK_OUT:
		drop_lock(t, derived_u64(&type->fields[LOCK], ev->record));
		break;
	case CRITICAL_FAULT:
		t->fault = true;
		break;
	default:
		enter_call(c, t, type, ev);
	}
}

/*
 * A signal is generated right behind the wakeup that it is for since Linux 3.3, and right before it
 * in older ones.
 */
static void take_signal(struct critical *c, struct critical_cpu *cpu,
			const struct derived_type *type, const struct tdat_event *ev, int32_t woken)
{
	const char *text =
		number_of(c, "signal ", derived_u64(&type->fields[SIGNAL], ev->record), "");
	const int32_t pid = (int32_t)derived_int(&type->fields[SIGNALED], ev->record);
	const bool has_result = derived_has(&type->fields[RESULT], ev->record);
	const struct critical_task *t;
	struct moment *wake;

	/* TRACE_SIGNAL_DELIVERED is 0: others wake nobody. The field came when the order changed.
	 */
	if (!pid || (has_result && derived_u64(&type->fields[RESULT], ev->record)))
		return;
	if (!has_result) {
		cpu->signaled = pid;
		cpu->signal = text;
	}
	t = pid == woken
		    ? tdat_entry_find(&c->state.entries,
				      (const uint64_t[TDAT_KEY_MOST]){cpu->key[0], (uint32_t)pid})
		    : NULL;
	/* Behind the wakeup, and before the task runs. */
	if (!t || t->state != TASK_RUNNABLE)
		return;
	wake = critical_moment(c, cpu->wake) ? &c->moments[(cpu->wake - 1) & (CRITICAL_MOMENTS - 1)]
					     : NULL;
	if (wake) {
		wake->kind = CRITICAL_SIGNAL;
		wake->what = text;
	}
}

void critical_proof(struct critical *c, const struct derived_type *type,
		    const struct tdat_event *ev, uint32_t rec)
{
	struct critical_cpu *cpu = critical_cpu_of(c, rec, ev->cpu);
	const int32_t stack_of = cpu ? cpu->stack_of : 0, woken = cpu ? cpu->woken : 0;

	if (!cpu)
		return;
	cpu->stack_of = cpu->signaled = cpu->woken = 0;
	cpu->last_ts = ev->ts;
	switch (type->kind) {
	case CRITICAL_IRQ_IN:
		enter_context(c, cpu, OCCUPANT_IRQ, irq_text(c, type, ev), ev->ts);
		break;
	case CRITICAL_IRQ_OUT:
		leave_context(c, cpu, OCCUPANT_IRQ, ev->ts);
		break;
	case CRITICAL_SOFTIRQ_IN:
		take_softirq(c, cpu, type, ev);
		break;
	case CRITICAL_SOFTIRQ_OUT:
		leave_context(c, cpu, OCCUPANT_SOFTIRQ, ev->ts);
		break;
	case CRITICAL_VECTOR:
		take_vector(c, cpu, type, ev->ts);
		break;
	case CRITICAL_IDLE:
		take_idle(c, type, ev, rec);
		break;
	case CRITICAL_TIMER_IN:
		prove(cpu, type, ev, CRITICAL_TIMER, timer_text(c, type, ev));
		break;
	case CRITICAL_TIMER_OUT:
		cpu->proof.kind = CRITICAL_UNKNOWN;
		break;
	case CRITICAL_IO_DONE:
		prove(cpu, type, ev, CRITICAL_BLOCK_IO, io_text(c, type, ev));
		break;
	case CRITICAL_RECEIVE:
		prove(cpu, type, ev, CRITICAL_NETWORK,
		      text_of(c, "device ", derived_text(&type->fields[DEVICE], ev->record), ""));
		break;
	case CRITICAL_SIGNALS:
		take_signal(c, cpu, type, ev, woken);
		break;
	default:
		take_of_task(c, cpu, type, ev, rec, stack_of);
	}
}

/* ---- the kind of a wakeup ---- */

/* Whether what the CPU did last explains a wakeup at that level. */
static bool is_proven(const struct critical *c, const struct critical_cpu *cpu,
		      const struct critical_task *t, uint8_t level, uint64_t ts)
{
	if (cpu->proof.kind == CRITICAL_UNKNOWN || cpu->proof.level != level ||
	    cpu->proof.context != cpu->context_count)
		return false;
	/* Within an interrupt whose entry was recorded nothing else can have come between. */
	if (cpu->context_count)
		return true;
	return (!c->counts_ns || ts - cpu->proof.ts <= CRITICAL_NEAR) &&
	       (cpu->proof.kind != CRITICAL_BLOCK_IO || t->state == TASK_UNINTERRUPTIBLE);
}

/* A wakeup that no lock, signal or interrupt explains: by what the task did. */
static void kind_of_task(struct critical *c, const struct critical_task *t, struct moment *wake)
{
	if (t->in_call && t->call && !strncmp(t->call, "futex", 5) && !t->wakes) {
		wake->kind = CRITICAL_FUTEX;
		wake->what = t->has_uaddr ? address_of(c, "futex 0x", t->uaddr) : t->call;
	} else if (t->stack_kind) {
		wake->kind = t->stack_kind;
		wake->what = t->stack;
	} else if (t->fault && !t->in_call && t->state == TASK_UNINTERRUPTIBLE) {
		wake->kind = CRITICAL_PAGE_FAULT;
		wake->what = NULL;
	} else if (t->in_call && t->call && strstr(t->call, "nanosleep") && !wake->by_task) {
		wake->kind = CRITICAL_TIMER;
		wake->what = t->call;
	} else if (wake->by_task) {
		wake->kind = CRITICAL_BLOCKED;
		wake->what = t->in_call ? t->call : NULL;
	}
}

/* What is proven most directly counts first. */
void critical_wake_kind(struct critical *c, const struct critical_task *t,
			const struct critical_cpu *cpu, const struct tdat_event *ev,
			uint64_t common_flags, struct moment *wake)
{
	const struct critical_context *in = context_of(cpu);
	const uint8_t level = level_of(cpu, common_flags);

	wake->by = ev->pid;
	wake->by_task = !level && ev->pid;
	wake->kind = CRITICAL_UNKNOWN;
	wake->what = "woken from an interrupt; record irq, timer, block and sched_waking";
	if (cpu->signaled == wake->pid) {
		wake->kind = CRITICAL_SIGNAL;
		wake->what = cpu->signal;
	} else if (t->lock_count) {
		wake->kind = CRITICAL_LOCK;
		wake->what = t->locks[t->lock_count - 1].text;
	} else if (is_proven(c, cpu, t, level, ev->ts)) {
		wake->kind = cpu->proof.kind;
		wake->what = cpu->proof.what;
	} else {
		kind_of_task(c, t, wake);
		if (wake->kind == CRITICAL_UNKNOWN && in && in->level == level) {
			wake->kind = CRITICAL_BLOCKED;
			wake->what = in->what;
		} else if (wake->kind == CRITICAL_UNKNOWN && !level) {
			wake->what = "woken by an idle CPU; record sched_waking";
		}
	}
}
