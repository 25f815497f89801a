/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table function: calls of kernel functions that function_graph recorded. Each task has a
 * stack of open calls. An entry pushes a call, an exit pops the one of its depth; calls that
 * are still open at this depth or deeper have no exit and end as unended. The time of a call is
 * added to its parent, so that a row has its own time as well. The column stack lists the
 * callers, 128 at most (all calls x 128), and is made only if it is wanted.
 */
#include <stdlib.h>

#include "analysis.h"
#include "core/grow.h"
#include "losses.h"
#include "map.h"

/*
 * The kernel follows calls 50 deep, and since 6.10 as many as fit on a page with four words or more
 * for each: kernel/trace/fgraph.c, FTRACE_RETFUNC_DEPTH and SHADOW_STACK_SIZE.
 */
enum { TASKS_MAX = 1 << 20, FRAMES_MAX = 1 << 20, STACK_MAX = 128 };
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
	uint32_t below; /* index + 1; or of the next free one */
	uint32_t cpu;
	int32_t depth;
	uint64_t ts, func, children; /* how long those that it called took */
	const struct table_input *in;
};

struct task {
	struct map_key key; /* recording, pid, and of idle tasks CPU + 1 */
	uint32_t top;	    /* index + 1 of frames */
	uint32_t cpu;	    /* of its last event */
	uint64_t known;
};

struct functions {
	struct losses losses; /* first: losses_take gets it */
	struct derived_out *out;
	struct map tasks;
	struct frame *frames;
	size_t frame_count, frame_cap;
	uint32_t free_frame;
	bool wants_stack, wants_kernel; /* stack; kernel_dur, retval */
};

/* The call and those that it was made by, the innermost first. */
static void put_stack(struct functions *s, const struct frame *f)
{
	uint64_t addrs[STACK_MAX];
	size_t n = 0;

	for (const struct frame *at = f; n < STACK_MAX; at = &s->frames[at->below - 1]) {
		addrs[n++] = at->func;
		if (!at->below)
			break;
		if (n == STACK_MAX)
			derived_note(s->out, "stack cut at its 128 innermost functions");
	}
	derived_put_stack(s->out, f->in, addrs, n);
}

/* The part of a row that only an ended call has. */
struct ending {
	bool has_kernel, has_retval, has_self;
	uint64_t kernel_dur, retval;
};

static void put_number(struct derived_out *o, bool has, uint64_t v)
{
	if (has)
		derived_put_int(o, (int64_t)v);
	else
		derived_put_null(o);
}

static void put(struct functions *s, const struct task *t, const struct frame *f, uint64_t dur,
		const char *open, const struct ending *e, const char *source)
{
	const struct frame *below = f->below ? &s->frames[f->below - 1] : NULL;
	const bool parent = below && below->depth == f->depth - 1;
	const struct derived_row row = {.rec = (uint32_t)t->key.a,
					.cpu = f->cpu,
					.ts = f->ts,
					.dur = dur,
					.pid = (int32_t)t->key.b,
					.open = open};

	if (!derived_row_begin(s->out, &row))
		return;
	derived_put_symbol(s->out, f->in, f->func);
	derived_put_int(s->out, (int64_t)f->func);
	derived_put_int(s->out, f->depth);
	put_number(s->out, e->has_self && dur >= f->children, dur - f->children);
	if (parent)
		derived_put_symbol(s->out, f->in, below->func);
	else
		derived_put_null(s->out);
	put_number(s->out, parent, parent ? below->func : 0);
	put_number(s->out, e->has_kernel, e->kernel_dur);
	put_number(s->out, e->has_retval, e->retval);
	derived_put_name(s->out, source);
	if (s->wants_stack)
		put_stack(s, f);
	else
		derived_put_null(s->out);
	derived_row_end(s->out);
}

static void drop_top(struct functions *s, struct task *t)
{
	const uint32_t at = t->top;

	t->top = s->frames[at - 1].below;
	s->frames[at - 1].below = s->free_frame;
	s->free_frame = at;
}

static void put_open(struct functions *s, struct task *t, const char *open)
{
	const struct ending none = {.has_self = false};

	put(s, t, &s->frames[t->top - 1], DERIVED_NO_DUR, open, &none, "entry");
	drop_top(s, t);
}

/* The task of an event; NULL: there are too many. */
static struct task *find_task(struct functions *s, uint32_t rec, const struct tdat_event *ev)
{
	const uint64_t key[4] = {rec, (uint32_t)ev->pid, ev->pid ? 0 : (uint64_t)ev->cpu + 1, 0};
	struct task *t = map_get4(&s->tasks, key);

	if (!t) {
		derived_note(s->out, ANALYSIS_FULL);
		return NULL;
	}
	/* It was on a CPU whose events were lost, or may have been on one meanwhile. */
	if (t->top && !losses_knows(&s->losses, rec, t->known) &&
	    (t->cpu != ev->cpu || !losses_knows_running(&s->losses, rec, t->cpu, t->known)))
		while (t->top)
			put_open(s, t, ANALYSIS_OPEN_LOST);
	t->known = losses_now(&s->losses, rec);
	t->cpu = ev->cpu;
	return t;
}

static struct frame *new_frame(struct functions *s, uint32_t *at)
{
	struct frame *grown;

	if (s->free_frame) {
		*at = s->free_frame;
		s->free_frame = s->frames[*at - 1].below;
		return &s->frames[*at - 1];
	}
	if (s->frame_count >= FRAMES_MAX) {
		derived_note(s->out, ANALYSIS_FULL);
		return NULL;
	}
	grown = tdat_grown(s->frames, &s->frame_cap, s->frame_count + 1, sizeof(*grown));
	if (!grown) {
		derived_fail(s->out);
		return NULL;
	}
	s->frames = grown;
	*at = (uint32_t)++s->frame_count;
	return &s->frames[*at - 1];
}

/* Ends the calls at this depth or deeper: their exits are missing. */
static void leave_deeper(struct functions *s, struct task *t, int64_t depth)
{
	while (t->top && s->frames[t->top - 1].depth >= depth)
		put_open(s, t, ANALYSIS_OPEN_UNENDED);
}

static void take_entry(struct functions *s, struct task *t, const struct derived_type *type,
		       const struct tdat_event *ev)
{
	const struct derived_field *f = type->fields;
	struct frame *frame;
	uint32_t at;

	leave_deeper(s, t, derived_int(&f[DEPTH], ev->record));
	frame = new_frame(s, &at);
	if (!frame)
		return;
	*frame = (struct frame){.below = t->top,
				.cpu = ev->cpu,
				.depth = (int32_t)derived_int(&f[DEPTH], ev->record),
				.ts = ev->ts,
				.func = derived_u64(&f[FUNC], ev->record),
				.in = type->in};
	t->top = at;
}

static void add_to_parent(struct functions *s, const struct task *t, int64_t depth, uint64_t dur)
{
	if (t->top && s->frames[t->top - 1].depth == depth - 1)
		s->frames[t->top - 1].children += dur;
}

/* A call whose exit alone was recorded: the kernel says in it how long it took. */
static void take_only_exit(struct functions *s, struct task *t, const struct derived_type *type,
			   const struct tdat_event *ev, const struct ending *e)
{
	const struct derived_field *f = type->fields;
	struct frame frame = {.below = t->top,
			      .cpu = ev->cpu,
			      .depth = (int32_t)derived_int(&f[DEPTH], ev->record),
			      .func = derived_u64(&f[FUNC], ev->record),
			      .in = type->in};

	if (!e->has_kernel || e->kernel_dur > ev->ts || !derived_counts_ns(s->out, type->in)) {
		derived_note(s->out, ANALYSIS_NO_START);
		return;
	}
	frame.ts = ev->ts - e->kernel_dur;
	put(s, t, &frame, e->kernel_dur, NULL, e, "exit");
	add_to_parent(s, t, frame.depth, e->kernel_dur);
}

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

static void take_exit(struct functions *s, struct task *t, const struct derived_type *type,
		      const struct tdat_event *ev)
{
	const struct derived_field *f = type->fields;
	const int64_t depth = derived_int(&f[DEPTH], ev->record);
	struct ending e = {.has_self = false};
	struct frame *top;
	uint64_t dur;

	leave_deeper(s, t, depth + 1);
	top = t->top ? &s->frames[t->top - 1] : NULL;
	if (!top || top->depth != depth || top->func != derived_u64(&f[FUNC], ev->record)) {
		leave_deeper(s, t, depth);
		e = read_ending(type, ev->record);
		take_only_exit(s, t, type, ev, &e);
		return;
	}
	if (derived_goes_back(top->ts, ev->ts)) {
		derived_note(s->out, ANALYSIS_BACKWARDS);
		drop_top(s, t);
		return;
	}
	if (s->wants_kernel)
		e = read_ending(type, ev->record);
	e.has_self = true;
	dur = ev->ts - top->ts;
	put(s, t, top, dur, NULL, &e, "entry");
	drop_top(s, t);
	add_to_parent(s, t, depth, dur);
}

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

/*
 * A call whose exit alone was recorded is put when it ends, with the time at which it began: one
 * that began in the wanted time may end at any later one.
 */
static bool awaits(void *state)
{
	(void)state;
	return true;
}

static void end(void *state)
{
	struct functions *s = state;

	for (size_t i = 0; i < s->tasks.end; i++) {
		struct task *t = map_at(&s->tasks, i);

		while (t && t->top)
			put_open(s, t,
				 losses_knows_running(&s->losses, (uint32_t)t->key.a, t->cpu,
						      t->known)
					 ? ANALYSIS_OPEN_END
					 : ANALYSIS_OPEN_LOST);
	}
	if (s->tasks.failed || s->losses.cpus.failed)
		derived_fail(s->out);
}

static void free_state(void *state)
{
	struct functions *s = state;

	map_fini(&s->tasks);
	losses_fini(&s->losses);
	free(s->frames);
	free(s);
}

static enum tdat_status begin(void **state, const struct table_derived *def,
			      struct derived_out *out, struct tdat_error *err)
{
	struct functions *s = calloc(1, sizeof(*s));

	*state = s;
	if (!s)
		return tdat_error_no_memory(err, def->name);
	s->out = out;
	s->wants_stack = derived_wants(out, STACK_COLUMN);
	s->wants_kernel = derived_wants(out, KERNEL_COLUMN) || derived_wants(out, RETVAL_COLUMN);
	map_init(&s->tasks, sizeof(struct task), TASKS_MAX);
	if (!losses_init(&s->losses, out))
		return tdat_error_no_memory(err, def->name);
	return TDAT_OK;
}

const struct table_derived analysis_function = {
	.name = "function",
	.columns = columns,
	.events = events,
	.event_count = sizeof(events) / sizeof(events[0]),
	.begin = begin,
	.event = take_event,
	.lost = losses_take,
	.end = end,
	.free = free_state,
	.per_task = true,
	.awaits = awaits,
	.on_demand = "stack",
};
