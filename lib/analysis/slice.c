/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table slice: sections of programs that they marked in trace_marker. Programs mark
 * sections by "B" and "E", or "S" and "F" with a cookie, in trace_marker (core/atrace.c).
 * Synchronous slices of a task nest: each task has a stack, whose depth is a column.
 * Asynchronous ones are found by name, cookie and thread group. A slice that a loss made
 * uncertain is put without an end.
 */
#include "analysis.h"
#include "core/atrace.h"

/* OPEN_MAX: slices open at once; DEPTH_MAX: nested slices of one task. */
enum { OPEN_MAX = 1 << 20, DEPTH_MAX = 1024 };

static const char *const fields[] = {"buf", NULL};
static const struct derived_event events[] = {{"ftrace/print", 0, fields}};

static const struct meta_column columns[] = {
	{"name", TABLE_NAME, 0, false},	  {"kind", TABLE_NAME, 0, false},
	{"tgid", TABLE_INT, 4, true},	  {"depth", TABLE_INT, 4, true},
	{"cookie", TABLE_NAME, 0, false}, {NULL, TABLE_INT, 0, false},
};

/* An open slice. */
struct frame {
	struct derived_open open;
	uint32_t depth;
	int64_t tgid;
	const char *name, *cookie;
};

static void put_values(struct derived_out *o, const struct frame *f, const char *kind)
{
	derived_put_name(o, f->name);
	derived_put_name(o, kind);
	derived_put_int(o, f->tgid);
	derived_put_known(o, *kind == 's', f->depth);
	derived_put_name(o, f->cookie);
}

/* Stacks are those of a task; or of a name and cookie of a program, whose key has four numbers. */
static void put(void *state, const void *entry, const void *interval, const struct derived_end *end)
{
	const struct derived_entry *stack = entry;

	(void)end;
	put_values(((struct derived_state *)state)->out, interval,
		   stack->key[3] ? "async" : "sync");
}

/* Opens a slice on its stack; depth counts the slices around it. */
static void open_slice(struct derived_state *s, const uint64_t key[4], struct frame *f)
{
	struct derived_entry *stack = derived_get(s, key);

	if (!stack)
		return;
	f->depth = stack->depth;
	f->open.known = derived_now(s, (uint32_t)key[0]);
	derived_push(s, stack, f);
}

/* Ends the innermost slice of the stack. Stacks without slices are removed. */
static void close_slice(struct derived_state *s, const uint64_t key[4], uint64_t ts)
{
	struct derived_entry *stack = derived_find(s, key);

	if (stack && stack->top)
		derived_close(s, stack, ts, NULL);
	else
		derived_note(s->out, DERIVED_NO_START);
	if (stack && !stack->top)
		derived_remove(s, stack);
}

/* An "I" mark is a row without a duration. */
static void put_instant(struct derived_out *o, const struct tdat_event *ev, uint32_t rec,
			const struct frame *f)
{
	const struct derived_row row = derived_moment(ev, rec);

	if (!derived_row_begin(o, &row))
		return;
	put_values(o, f, "instant");
	derived_row_end(o);
}

static void take_event(void *state, const struct derived_type *type, const struct tdat_event *ev,
		       uint32_t rec)
{
	struct derived_state *s = state;
	uint64_t key[TDAT_KEY_MOST] = {rec, (uint32_t)ev->pid, 0, 0};
	struct frame f = {.open = {.cpu = ev->cpu, .ts = ev->ts, .pid = ev->pid}};
	struct tdat_mark m;

	if (!tdat_mark_parse(&m, derived_text(&type->fields[0], ev->record)) || m.kind == 'C')
		return;
	if (m.kind != 'E') {
		f.tgid = m.tgid;
		f.name = derived_intern(s->out, m.name);
	}
	/* Interned texts have one address, so addresses serve as keys. */
	if (m.kind == 'S' || m.kind == 'F') {
		f.cookie = derived_intern(s->out, m.last);
		key[1] = (uintptr_t)f.name;
		key[2] = (uintptr_t)f.cookie;
		key[3] = (uint64_t)m.tgid + 1;
	}
	if (m.kind == 'B' || m.kind == 'S')
		open_slice(s, key, &f);
	else if (m.kind == 'E' || m.kind == 'F')
		close_slice(s, key, ev->ts);
	else
		put_instant(s->out, ev, rec, &f);
}

const struct table_derived analysis_slice = {
	ANALYSIS_TABLE(slice),
	.about = {"sections that programs marked", "ftrace/print", "-p nop"},

	.entry_len = sizeof(struct derived_entry),
	.interval_len = sizeof(struct frame),
	.most = OPEN_MAX,
	.depth_most = DEPTH_MAX,
	.event = take_event,
	.put = put,
};
