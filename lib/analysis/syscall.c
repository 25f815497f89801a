/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table syscall: system calls of tasks, their arguments and what they returned. Events are
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
enum { NR, OLD_NR, RET };
static const char *const raw_fields[] = {"id", "", "ret", NULL};
static const char *const named_fields[] = {"__syscall_nr", "nr", "ret", NULL};

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

/* The values of a row; end->how is the end of the call, NULL: it was left open. */
static void put(void *state, const void *entry, const void *interval, const struct derived_end *end)
{
	struct derived_out *o = ((struct derived_state *)state)->out;
	const struct leaving *l = end->how;
	const struct task *t = entry;
	const bool has_ret = l && derived_has(l->ret, l->record);
	const int64_t ret = has_ret ? derived_int(l->ret, l->record) : 0;

	(void)interval;
	derived_put_int(o, t->nr);
	derived_put_name(o, known_name(t));
	derived_put_known(o, has_ret, (uint64_t)ret);
	derived_put_name(o, has_ret ? tdat_errno_name(ret) : NULL);
	derived_put_text(o, (struct tdat_span){(const uint8_t *)t->args, t->args_len});
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
		derived_note(s->state.out, "arguments cut at 512 bytes");
	open = type->kind == RAW_ENTER && text.len ? memchr(text.ptr, '(', text.len) : NULL;
	if (open && text.ptr[text.len - 1] == ')')
		text = (struct tdat_span){open + 1, text.len - 1 - (size_t)(open + 1 - text.ptr)};
	t->args_len = (uint32_t)(text.len < ARGS_LEN ? text.len : ARGS_LEN);
	if (t->args_len)
		memcpy(t->args, text.ptr, t->args_len);
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
	if (t->entry.open.is && t->nr == nr && !(t->entered_by & by)) {
		t->entered_by |= by;
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
		if (t->left_by && !(t->left_by & by) && t->nr == nr)
			t->left_by |= by;
		else
			derived_note(s->state.out, DERIVED_NO_START);
		return;
	}
	/* The registers are those of the signal's frame when sigreturn ends: its number is -1. */
	if (t->nr != nr && (int32_t)nr != -1) {
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
	s->wants_args = derived_wants(s->state.out, ARGS_COLUMN);
	if (!s->types)
		return tdat_error_no_memory(err, "names of system calls");
	return prints_init(&s->prints, s->state.out, err);
}

const struct table_derived analysis_syscall = {
	ANALYSIS_TABLE(syscall),
	.about = {"system calls",
		  "raw_syscalls/sys_enter|syscalls/sys_enter_* "
		  "raw_syscalls/sys_exit|syscalls/sys_exit_*",
		  "-e raw_syscalls"},

	.state_len = sizeof(struct syscalls),
	.entry_len = sizeof(struct task),
	.most = TASKS_MAX,
	.begin = begin,
	.event = take_event,
	.put = put,
	.free_entry = free_task,
	.free = free_state,
	.per_task = true,
};
