/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table function: calls of kernel functions that function_graph recorded. Each task has a
 * stack of open calls. An entry pushes a call, an exit pops the one of its depth; calls that
 * are still open at this depth or deeper have no exit and end as unended. The time of a call is
 * added to its parent, so that a row has its own time as well. The column stack lists the
 * callers, 128 at most (all calls x 128), and is made only if it is wanted.
 */
#include "analysis.h"

/*
 * The kernel follows calls 50 deep; since 6.10 a page bounds them, at four words or more for each:
 * kernel/trace/fgraph.c, FTRACE_RETFUNC_DEPTH and SHADOW_STACK_SIZE.
 */
enum { TASKS_MAX = 1 << 20, STACK_MAX = 128 };
/* Places of columns that cost time to make: they are made only if they are wanted. */
enum { KERNEL_COLUMN = 6, RETVAL_COLUMN = 7, STACK_COLUMN = 9 };

enum kind { ENTRY, EXIT };
enum { FUNC, DEPTH, CALLTIME, RETTIME, RETVAL };
static const char *const fields[] = {"func", "depth", "calltime", "rettime", "retval", NULL};

static const struct derived_event events[] = {
	{"ftrace/funcgraph_entry", ENTRY, fields},
	{"ftrace/funcgraph_exit", EXIT, fields},
};

static const struct meta_column columns[] = {
	{"func", TABLE_NAME, 0, false},	    {"func_addr", TABLE_INT, 8, false},
	{"depth", TABLE_INT, 4, true},	    {"self_dur", TABLE_INT, 8, true},
	{"parent", TABLE_NAME, 0, false},   {"parent_addr", TABLE_INT, 8, false},
	{"kernel_dur", TABLE_INT, 8, true}, {"retval", TABLE_INT, 8, false},
	{"source", TABLE_NAME, 0, false},   {"stack", TABLE_LIST_NAME, 0, false},
	{NULL, TABLE_INT, 0, false},
};

/* A call that has not returned. */
struct frame {
	struct derived_open open;
	int32_t depth;
	uint64_t func, children; /* how long those that it called took */
	const struct table_input *in;
};

struct task {
	struct derived_entry entry; /* recording, pid, and of idle tasks CPU + 1 */
	uint32_t cpu;		    /* of its last event */
	uint64_t known;
};

/* The state; intervals of the frame are the open calls. */
struct functions {
	struct derived_state state;
	uint32_t cpu;			/* of the event; DERIVED_NO_CPU at the end */
	bool wants_stack, wants_kernel; /* stack; kernel_dur, retval */
};

/* The call and those that it was made by, the innermost first. */
static void put_stack(struct functions *s, const struct frame *f)
{
	uint64_t addrs[STACK_MAX];
	size_t n = 0;

	for (const struct frame *at = f; n < STACK_MAX;
	     at = derived_interval(&s->state, at->open.below)) {
		addrs[n++] = at->func;
		if (!at->open.below)
			break;
		if (n == STACK_MAX)
			derived_note(s->state.out, "outer functions of a stack deeper than 128");
	}
	derived_put_stack(s->state.out, f->in, addrs, n);
}

/* The part of a row that only an ended call has. */
struct ending {
	bool only_exit, has_kernel, has_retval, has_self;
	uint64_t kernel_dur, retval;
};

/* The values of a row. The parent is the next call on the stack, if it is one level up. */
static void put(void *state, const void *entry, const void *interval, const struct derived_end *end)
{
	static const struct ending none;
	struct functions *s = state;
	struct derived_out *o = s->state.out;
	const struct frame *f = interval, *below = derived_interval(&s->state, f->open.below);
	const struct ending *e = end->how ? end->how : &none;
	const uint64_t dur = end->ts - f->open.ts;
	/* A gap in depth: the caller's entry was not recorded. */
	const bool parent = below && below->depth == f->depth - 1;

	(void)entry;
	derived_put_symbol(o, f->in, f->func);
	derived_put_int(o, (int64_t)f->func);
	derived_put_int(o, f->depth);
	derived_put_known(o, e->has_self && dur >= f->children, dur - f->children);
	if (parent)
		derived_put_symbol(o, f->in, below->func);
	else
		derived_put_null(o);
	derived_put_known(o, parent, parent ? below->func : 0);
	derived_put_known(o, e->has_kernel, e->kernel_dur);
	derived_put_known(o, e->has_retval, e->retval);
	derived_put_name(o, e->only_exit ? "exit" : "entry");
	if (s->wants_stack)
		put_stack(s, f);
	else
		derived_put_null(o);
}

/*
 * Whether the calls of a task are known still: it was not on a CPU whose events were lost, and
 * cannot have been on one meanwhile.
 */
static bool knows(void *state, const void *entry, const void *interval)
{
	const struct functions *s = state;
	const struct task *t = entry;
	const uint32_t rec = (uint32_t)t->entry.key[0];

	(void)interval;
	if (derived_knows(&s->state, rec, t->known))
		return true;
	/* Only while the task itself runs can losses of other CPUs be ruled out. */
	return (t->cpu == s->cpu || s->cpu == DERIVED_NO_CPU) &&
	       derived_knows_running(&s->state, rec, t->cpu, t->known);
}

/*
 * The task of an event; NULL: there are too many. s->cpu tells knows() on which CPU the task runs
 * now.
 */
static struct task *find_task(struct functions *s, uint32_t rec, const struct tdat_event *ev)
{
	const uint64_t key[4] = {rec, (uint32_t)ev->pid, ev->pid ? 0 : (uint64_t)ev->cpu + 1, 0};
	struct task *t;

	s->cpu = ev->cpu;
	t = derived_get(s, key);
	s->cpu = DERIVED_NO_CPU;
	if (!t)
		return NULL;
	t->known = derived_now(&s->state, rec);
	t->cpu = ev->cpu;
	return t;
}

/* The innermost open call; NULL: none is open. */
static struct frame *top_of(const struct functions *s, const struct task *t)
{
	return derived_interval(&s->state, t->entry.top);
}

/* Ends the calls at this depth or deeper: their exits are missing. */
static void leave_deeper(struct functions *s, struct task *t, int64_t depth)
{
	while (t->entry.top && top_of(s, t)->depth >= depth)
		derived_leave_open(s, t, DERIVED_OPEN_UNENDED);
}

/* Pushes a call. Calls at its depth or deeper cannot be open any more. */
static void take_entry(struct functions *s, struct task *t, const struct derived_type *type,
		       const struct tdat_event *ev)
{
	const struct derived_field *f = type->fields;
	const struct frame frame = {.open = {.cpu = ev->cpu, .ts = ev->ts, .pid = ev->pid},
				    .depth = (int32_t)derived_int(&f[DEPTH], ev->record),
				    .func = derived_u64(&f[FUNC], ev->record),
				    .in = type->in};

	leave_deeper(s, t, derived_int(&f[DEPTH], ev->record));
	derived_push(s, t, &frame);
}

/* Adds the time of a call to its caller, whose own time is the rest. */
static void add_to_parent(struct functions *s, const struct task *t, int64_t depth, uint64_t dur)
{
	struct frame *top = top_of(s, t);

	if (top && top->depth == depth - 1)
		top->children += dur;
}

/* A call whose exit alone was recorded: the kernel says in it how long it took. */
static void take_only_exit(struct functions *s, struct task *t, const struct derived_type *type,
			   const struct tdat_event *ev, struct ending *e)
{
	const struct derived_field *f = type->fields;
	const struct frame frame = {.open = {.below = t->entry.top,
					     .cpu = ev->cpu,
					     .ts = ev->ts - e->kernel_dur,
					     .pid = ev->pid},
				    .depth = (int32_t)derived_int(&f[DEPTH], ev->record),
				    .func = derived_u64(&f[FUNC], ev->record),
				    .in = type->in};

	if (!e->has_kernel || e->kernel_dur > ev->ts ||
	    !derived_counts_ns(s->state.out, type->in)) {
		derived_note(s->state.out, DERIVED_NO_START);
		return;
	}
	e->only_exit = true;
	derived_put(s, t, &frame, &(struct derived_end){.ts = ev->ts, .how = e});
	add_to_parent(s, t, frame.depth, e->kernel_dur);
}

/* Reads times and return value that the kernel puts into an exit, if it does. */
static struct ending read_ending(const struct derived_type *type, struct tdat_span rec)
{
	const struct derived_field *f = type->fields;
	const uint64_t calltime = derived_u64(&f[CALLTIME], rec);
	const uint64_t rettime = derived_u64(&f[RETTIME], rec);

	return (struct ending){.has_kernel = derived_has(&f[CALLTIME], rec) &&
					     derived_has(&f[RETTIME], rec) && calltime &&
					     !derived_goes_back(calltime, rettime),
			       .kernel_dur = rettime - calltime,
			       .has_retval = derived_has(&f[RETVAL], rec),
			       .retval = derived_u64(&f[RETVAL], rec)};
}

/* Ends the call of an exit; one that does not match the open call was recorded alone. */
static void take_exit(struct functions *s, struct task *t, const struct derived_type *type,
		      const struct tdat_event *ev)
{
	const struct derived_field *f = type->fields;
	const int64_t depth = derived_int(&f[DEPTH], ev->record);
	struct ending e = {.has_self = false};
	const struct frame *top;
	uint64_t from;

	leave_deeper(s, t, depth + 1);
	top = top_of(s, t);
	if (!top || top->depth != depth || top->func != derived_u64(&f[FUNC], ev->record)) {
		leave_deeper(s, t, depth);
		e = read_ending(type, ev->record);
		take_only_exit(s, t, type, ev, &e);
		return;
	}
	/* Times by the kernel's clock are read only if a column needs them. */
	if (s->wants_kernel)
		e = read_ending(type, ev->record);
	e.has_self = true;
	from = top->open.ts;
	derived_close(s, t, ev->ts, &e);
	if (!derived_goes_back(from, ev->ts))
		add_to_parent(s, t, depth, ev->ts - from);
}

/* Only tasks are looked up here; entry and exit do the rest. */
static void take_event(void *state, const struct derived_type *type, const struct tdat_event *ev,
		       uint32_t rec)
{
	struct functions *s = state;
	struct task *t = find_task(s, rec, ev);

	if (t && type->kind == ENTRY)
		take_entry(s, t, type, ev);
	else if (t)
		take_exit(s, t, type, ev);
}

static enum tdat_status begin(void *state, struct tdat_error *err)
{
	struct functions *s = state;
	const struct derived_out *o = s->state.out;

	(void)err;
	s->cpu = DERIVED_NO_CPU;
	s->wants_stack = derived_wants(o, STACK_COLUMN);
	s->wants_kernel = derived_wants(o, KERNEL_COLUMN) || derived_wants(o, RETVAL_COLUMN);
	return TDAT_OK;
}

/*
 * A call whose exit alone was recorded is put when it ends, with the time at which it began: one
 * that began in the wanted time may end at any later one.
 */
const struct table_derived analysis_function = {
	ANALYSIS_TABLE(function),
	.about = {"calls of kernel functions", "ftrace/funcgraph_entry ftrace/funcgraph_exit",
		  "-p function_graph"},

	.state_len = sizeof(struct functions),
	.entry_len = sizeof(struct task),
	.interval_len = sizeof(struct frame),
	.most = TASKS_MAX,
	.depth_most = UINT32_MAX,
	.begin = begin,
	.event = take_event,
	.put = put,
	.knows = knows,
	.per_task = true,
	.late = true,
	.on_demand = "stack",
};
