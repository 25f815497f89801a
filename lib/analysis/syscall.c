/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The tables syscall and futex: system calls of tasks, their arguments and what they returned;
 * futex has those of futexes only, with the address and the operation. Events are
 * raw_syscalls (sys_enter, sys_exit), or one type for each call (sys_enter_read ...), or both,
 * which then count once. Each task has at most one open call. A name comes from the event, or
 * from the number by lib/core/syscall_table.c for the recorded machine. Arguments are the
 * event's own text. A call that a loss made uncertain is put as lost.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "core/errno_name.h"
#include "core/syscalls.h"
#include "core/text.h"
#include "file/file.h"
#include "prints.h"

/* TASKS_MAX: tasks followed at once; ARGS_LEN: bytes of the text of arguments that are kept. */
enum { TASKS_MAX = 1 << 17, ARGS_LEN = 512 };

enum kind { RAW_ENTER, RAW_EXIT, NAMED_ENTER, NAMED_EXIT };
/* Places in fields. Kernels name the number "__syscall_nr" or "nr". */
enum { NR, OLD_NR, RET, UADDR, OP, VAL, ARGS = UADDR };
static const char *const raw_fields[] = {"id", "", "ret", "args", NULL};
static const char *const named_fields[] = {"__syscall_nr", "nr", "ret", "uaddr", "op", "val", NULL};

static const struct derived_event events[] = {
	{"raw_syscalls/sys_enter", RAW_ENTER, raw_fields},
	{"raw_syscalls/sys_exit", RAW_EXIT, raw_fields},
	{"syscalls/sys_enter_*", NAMED_ENTER, named_fields},
	{"syscalls/sys_exit_*", NAMED_EXIT, named_fields},
};

static const struct meta_column columns[] = {
	{"nr", TABLE_INT, 8, true},	{"name", TABLE_NAME, 0, false},
	{"ret", TABLE_INT, 8, true},	{"error", TABLE_NAME, 0, false},
	{"args", TABLE_TEXT, 0, false}, {NULL, TABLE_INT, 0, false},
};
enum { ARGS_COLUMN = 4 };

static const struct meta_column futex_columns[] = {
	{"nr", TABLE_INT, 8, true},	{"name", TABLE_NAME, 0, false},
	{"ret", TABLE_INT, 8, true},	{"error", TABLE_NAME, 0, false},
	{"args", TABLE_TEXT, 0, false}, {"uaddr", TABLE_INT, 8, false},
	{"op", TABLE_NAME, 0, false},	{"val", TABLE_INT, 4, false},
	{NULL, TABLE_INT, 0, false},
};

/* include/uapi/linux/futex.h: FUTEX_CMD_MASK and its numbers; the bits above are flags. */
enum { FUTEX_OPS = 14, FUTEX_CMD_MASK = 0x7f };
static const char *const futex_ops[FUTEX_OPS] = {
	"wait",		  "wake",	 "fd",		"requeue",
	"cmp_requeue",	  "wake_op",	 "lock_pi",	"unlock_pi",
	"trylock_pi",	  "wait_bitset", "wake_bitset", "wait_requeue_pi",
	"cmp_requeue_pi", "lock_pi2",
};

/* The kinds of events that reported a call: both may be recorded. */
enum { BY_RAW = 1, BY_NAME = 2 };

/* A task, whose interval is its call. */
struct task {
	struct derived_entry entry; /* recording, pid */
	uint8_t entered_by, left_by;
	int64_t nr;
	const char *name;
	const struct tdat_syscalls *calls; /* names of the machine; NULL: not known */
	char *args;			   /* ARGS_LEN bytes, or NULL: not wanted */
	uint32_t args_len;
	uint32_t has_futex; /* which of the three, as bits */
	uint64_t futex[3];  /* uaddr, op, val */
};

struct syscalls {
	struct derived_state state;
	struct prints prints;
	struct call_type {
		bool known;			   /* the others are */
		const char *name;		   /* of the call; NULL: of raw events */
		const struct tdat_syscalls *calls; /* of the recorded machine */
	} * types;
	bool wants_args;
	bool futexes; /* calls of futexes only */
};

/* The name of a call: its event's, or its number's if only raw events were recorded. */
static const char *known_name(const struct task *t)
{
	const char *name;

	/* The event's own name wins; a number outside of the table has none. */
	if (t->name || t->nr < 0 || t->nr > UINT32_MAX)
		return t->name;
	name = tdat_syscall_function(t->calls, (uint32_t)t->nr);
	return name ? name + sizeof("sys_") - 1 : NULL;
}

/* The field ret of the end of a call, and the event. */
struct leaving {
	const struct derived_field *ret;
	struct tdat_span record;
};

/* The further columns of futex. The call futex has an operation, the later ones are one. */
static void put_futex(struct derived_out *o, const struct task *t)
{
	const uint64_t op = t->futex[1] & FUTEX_CMD_MASK;

	derived_put_known(o, t->has_futex & 1, t->futex[0]);
	derived_put_name(o, t->has_futex & 2 && op < FUTEX_OPS ? futex_ops[op] : NULL);
	derived_put_known(o, t->has_futex & 4, t->futex[2]);
}

/* The values of a row; end->how is the end of the call, NULL: it was left open. */
static void put(void *state, const void *entry, const void *interval, const struct derived_end *end)
{
	struct derived_out *o = ((struct derived_state *)state)->out;
	const struct leaving *l = end->how;
	const struct task *t = entry;
	const bool has_ret = l && derived_has(l->ret, l->record);
	const int64_t ret = has_ret ? derived_int(l->ret, l->record) : 0;

	(void)interval;
	/* Events of one call that are made of a text have no number. */
	derived_put_known(o, t->entered_by & BY_RAW || (int32_t)t->nr != -1, (uint64_t)t->nr);
	if (!known_name(t) && !t->calls)
		derived_note(o, "name of a system call, because the file names no machine with "
				"known calls");
	derived_put_name(o, known_name(t));
	derived_put_known(o, has_ret, (uint64_t)ret);
	derived_put_name(o, has_ret ? tdat_errno_name(ret) : NULL);
	derived_put_text(o, (struct tdat_span){(const uint8_t *)t->args, t->args_len});
	if (((struct syscalls *)state)->futexes)
		put_futex(o, t);
}

/* The task of a pid; left_by is cleared if a loss may have hidden a call. */
static struct task *find_task(struct syscalls *s, uint32_t rec, int32_t pid)
{
	struct task *t = derived_get(s, (const uint64_t[TDAT_KEY_MOST]){rec, (uint32_t)pid});

	if (!t)
		return NULL;
	if (!derived_knows(&s->state, rec, t->entry.open.known))
		t->left_by = 0;
	t->entry.open.known = derived_now(&s->state, rec);
	return t;
}

/* The number of a call, in the field that the format has. */
static int64_t number_of(const struct derived_type *type, const struct tdat_event *ev)
{
	const struct derived_field *f = type->fields;

	return derived_int(derived_has(&f[NR], ev->record) ? &f[NR] : &f[OLD_NR], ev->record);
}

/* What events of a type say of their call: "openat" is that of sys_enter_openat. */
static const struct call_type *call_type_of(struct syscalls *s, const struct derived_type *type)
{
	struct call_type *t = &s->types[type->index];
	const char *name = tdat_event_format_name(type->format);

	if (t->known)
		return t;
	t->known = true;
	t->calls = tdat_syscalls_of(file_uname(type->in->file, UNAME_MACHINE));
	if (type->kind == NAMED_ENTER || type->kind == NAMED_EXIT) {
		name += type->kind == NAMED_ENTER ? sizeof("sys_enter_") - 1
						  : sizeof("sys_exit_") - 1;
		t->name = derived_intern(s->state.out, tdat_span_of(name));
	}
	return t;
}

/* The event's text by its print fmt; of raw events what stands in brackets. */
static void keep_args(struct syscalls *s, struct task *t, const struct derived_type *type,
		      const struct tdat_event *ev)
{
	const struct model_event e = {.record = ev->record, .cpu = ev->cpu, .ts = ev->ts};
	struct tdat_span text = prints_run(&s->prints, type, &e);
	const uint8_t *open;

	if (!t->args)
		t->args = malloc(ARGS_LEN);
	if (!t->args) {
		derived_fail(s->state.out);
		return;
	}
	if (text.len > ARGS_LEN)
		derived_note(s->state.out, "arguments after 512 bytes");
	open = type->kind == RAW_ENTER && text.len ? memchr(text.ptr, '(', text.len) : NULL;
	if (open && text.ptr[text.len - 1] == ')')
		text = (struct tdat_span){open + 1, text.len - 1 - (size_t)(open + 1 - text.ptr)};
	t->args_len = (uint32_t)(text.len < ARGS_LEN ? text.len : ARGS_LEN);
	if (t->args_len)
		memcpy(t->args, text.ptr, t->args_len);
}

/* The name of the call that an event begins or ends; NULL: it is not known. */
static const char *event_name(struct syscalls *s, const struct derived_type *type,
			      const struct tdat_event *ev)
{
	const struct call_type *c = call_type_of(s, type);
	const struct task t = {.name = c->name, .calls = c->calls, .nr = number_of(type, ev)};

	return known_name(&t);
}

/* Where calls have address, operation and value among their arguments; -1: they have none. */
static const struct {
	const char *name;
	int8_t at[3];
} futex_calls[] = {{"futex", {0, 1, 2}}, {"futex_wait", {0, -1, 1}}, {"futex_wake", {0, -1, -1}}};

/* Takes them from fields of a named event, or from the arguments of a raw one. */
static void keep_futex(struct task *t, const struct derived_type *type, const struct tdat_event *ev)
{
	const size_t size = type->format->long_size;
	size_t call = 0;

	t->has_futex = 0;
	while (call < 3 && strcmp(known_name(t), futex_calls[call].name) != 0)
		call++;
	for (size_t i = 0; call < 3 && i < 3; i++) {
		const struct derived_field *f =
			&type->fields[type->kind == RAW_ENTER ? ARGS : UADDR + i];
		const int8_t at = futex_calls[call].at[i];
		const size_t off = f->off + (size_t)at * size;

		if (at < 0)
			continue;
		if (type->kind == NAMED_ENTER && derived_has(f, ev->record)) {
			t->has_futex |= 1u << i;
			t->futex[i] = derived_u64(f, ev->record);
		} else if (type->kind == RAW_ENTER && f->field && ev->record.len >= off + size) {
			t->has_futex |= 1u << i;
			t->futex[i] = tdat_load_uint(ev->record.ptr + off, (uint32_t)size,
						     type->format->big);
		}
	}
}

/* Both kinds of events may be of one call. Named ones made of a text have no number, which is -1.
 */
static bool may_join(const struct task *t, int64_t nr)
{
	return t->nr == nr || (int32_t)t->nr == -1 || (int32_t)nr == -1;
}

/* Begins a call, or joins the other kind of event of the same call. */
static void enter(struct syscalls *s, const struct derived_type *type, const struct tdat_event *ev,
		  uint32_t rec)
{
	const uint8_t by = type->kind == RAW_ENTER ? BY_RAW : BY_NAME;
	const int64_t nr = number_of(type, ev);
	struct task *t = find_task(s, rec, ev->pid);

	if (!t)
		return;
	/* Both kinds of events of one call follow each other. */
	if (t->entry.open.is && may_join(t, nr) && !(t->entered_by & by)) {
		t->entered_by |= by;
		if ((int32_t)t->nr == -1)
			t->nr = nr;
		if (by == BY_NAME) {
			t->name = call_type_of(s, type)->name;
			if (s->wants_args)
				keep_args(s, t, type, ev);
		}
		return;
	}
	if (t->entry.open.is)
		derived_leave_open(s, t, DERIVED_OPEN_UNENDED);
	t->entered_by = by;
	t->left_by = 0;
	t->entry.open = (struct derived_open){.is = true,
					      .cpu = ev->cpu,
					      .ts = ev->ts,
					      .known = t->entry.open.known,
					      .pid = ev->pid};
	t->nr = nr;
	t->name = call_type_of(s, type)->name;
	t->calls = call_type_of(s, type)->calls;
	if (s->wants_args)
		keep_args(s, t, type, ev);
	if (s->futexes)
		keep_futex(t, type, ev);
}

/* Ends a call, or joins the other kind of event of the same end. */
static void leave(struct syscalls *s, const struct derived_type *type, const struct tdat_event *ev,
		  uint32_t rec)
{
	const uint8_t by = type->kind == RAW_EXIT ? BY_RAW : BY_NAME;
	const struct leaving leaving = {&type->fields[RET], ev->record};
	const int64_t nr = number_of(type, ev);
	struct task *t = find_task(s, rec, ev->pid);

	if (!t)
		return;
	if (!t->entry.open.is) {
		/* The other kind of event of the same end. */
		if (t->left_by && !(t->left_by & by) && may_join(t, nr))
			t->left_by |= by;
		else
			derived_note(s->state.out, DERIVED_NO_START);
		return;
	}
	/* The registers are those of the signal's frame when sigreturn ends: its number is -1. */
	if (!may_join(t, nr)) {
		derived_note(s->state.out, DERIVED_CONTRADICTION);
	} else {
		if (!t->name)
			t->name = call_type_of(s, type)->name;
		derived_close(s, t, ev->ts, &leaving);
	}
	t->entry.open.is = false;
	t->left_by = by;
	t->nr = nr;
}

static void take_event(void *state, const struct derived_type *type, const struct tdat_event *ev,
		       uint32_t rec)
{
	struct syscalls *s = state;
	const char *name = s->futexes ? event_name(s, type, ev) : NULL;

	if (s->futexes && (!name || strncmp(name, "futex", 5) != 0))
		return;
	if (type->kind == RAW_ENTER || type->kind == NAMED_ENTER)
		enter(state, type, ev, rec);
	else
		leave(state, type, ev, rec);
}

static void free_task(void *entry)
{
	free(((struct task *)entry)->args);
}

static void free_state(void *state)
{
	struct syscalls *s = state;

	prints_fini(&s->prints);
	free(s->types);
}

static enum tdat_status begin(void *state, struct tdat_error *err)
{
	struct syscalls *s = state;

	s->types = calloc((size_t)derived_type_count(s->state.out) + 1, sizeof(*s->types));
	s->futexes = s->state.def == &analysis_futex;
	s->wants_args = derived_wants(s->state.out, ARGS_COLUMN);
	if (!s->types)
		return tdat_error_no_memory(err, "names of system calls");
	return prints_init(&s->prints, s->state.out, err);
}

#define CALLS_MACHINE                                                                              \
	.events = events, .event_count = sizeof(events) / sizeof(events[0]),                       \
	.state_len = sizeof(struct syscalls), .entry_len = sizeof(struct task), .most = TASKS_MAX, \
	.begin = begin, .event = take_event, .put = put, .free_entry = free_task,                  \
	.free = free_state, .per_task = true

const struct table_derived analysis_syscall = {
	CALLS_MACHINE,
	.name = "syscall",
	.columns = columns,
	.about = {"system calls",
		  "raw_syscalls/sys_enter|syscalls/sys_enter_* "
		  "raw_syscalls/sys_exit|syscalls/sys_exit_*",
		  "-e raw_syscalls"},
};

const struct table_derived analysis_futex = {
	CALLS_MACHINE,
	.name = "futex",
	.columns = futex_columns,
	.about = {"system calls of futexes: who waited on which address",
		  "raw_syscalls/sys_enter|syscalls/sys_enter_futex* "
		  "raw_syscalls/sys_exit|syscalls/sys_exit_futex*",
		  "-e sys_enter_futex -e sys_exit_futex"},
};
