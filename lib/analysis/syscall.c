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
#include "losses.h"
#include "map.h"
#include "model/print.h"
#include "core/syscalls.h"

enum { TASKS_MAX = 1 << 17, ARGS_LEN = 512 };

enum kind { RAW_ENTER, RAW_EXIT, NAMED_ENTER, NAMED_EXIT };
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

struct task {
	struct map_key key; /* recording, pid */
	bool open;
	uint8_t entered_by, left_by;
	uint32_t cpu;
	uint64_t ts, known;
	int64_t nr;
	const char *name;
	const struct tdat_syscalls *calls; /* names of the machine; NULL: not known */
	char *args;			   /* ARGS_LEN bytes, or NULL: not wanted */
	uint32_t args_len;
};

struct syscalls {
	struct losses losses; /* first: losses_take gets it */
	struct derived_out *out;
	struct map tasks;
	struct model_print **prints;	    /* by type */
	const char **names;		    /* by type */
	const struct tdat_syscalls **calls; /* by type; meaningful where has_calls is */
	bool *has_calls;
	struct model_scratch *scratch;
	struct tdat_build text;
	bool wants_args;
};

/* The name of a call: its event's, or its number's if only raw events were recorded. */
static const char *known_name(const struct task *t)
{
	const char *name;

	if (t->name || t->nr < 0 || t->nr > UINT32_MAX)
		return t->name;
	name = tdat_syscall_function(t->calls, (uint32_t)t->nr);
	return name ? name + sizeof("sys_") - 1 : NULL;
}

static void put(struct syscalls *s, const struct task *t, uint64_t end, int64_t ret, bool has_ret,
		const char *open)
{
	const struct derived_row row = {.rec = (uint32_t)t->key.a,
					.cpu = t->cpu,
					.ts = t->ts,
					.dur = open ? DERIVED_NO_DUR : end - t->ts,
					.pid = (int32_t)t->key.b,
					.open = open};

	if (!derived_row_begin(s->out, &row))
		return;
	derived_put_int(s->out, t->nr);
	derived_put_name(s->out, known_name(t));
	if (has_ret)
		derived_put_int(s->out, ret);
	else
		derived_put_null(s->out);
	derived_put_name(s->out, has_ret ? tdat_errno_name(ret) : NULL);
	derived_put_text(s->out, (struct tdat_span){(const uint8_t *)t->args, t->args_len});
	derived_row_end(s->out);
}

/* The task of an event; a call that losses made unknown is put as lost. */
static struct task *find_task(struct syscalls *s, uint32_t rec, int32_t pid)
{
	struct task *t = map_get(&s->tasks, rec, (uint32_t)pid);

	if (!t) {
		derived_note(s->out, ANALYSIS_FULL);
		return NULL;
	}
	if (!losses_knows(&s->losses, rec, t->known)) {
		if (t->open)
			put(s, t, 0, 0, false, ANALYSIS_OPEN_LOST);
		t->open = false;
		t->left_by = 0;
	}
	t->known = losses_now(&s->losses, rec);
	return t;
}

static int64_t number_of(const struct derived_type *type, const struct tdat_event *ev)
{
	const struct derived_field *f = type->fields;

	return derived_int(derived_has(&f[NR], ev->record) ? &f[NR] : &f[OLD_NR], ev->record);
}

/* "openat" of sys_enter_openat and sys_exit_openat. */
static const char *name_of(struct syscalls *s, const struct derived_type *type)
{
	const char *name = tdat_format_name(type->format);

	if (type->kind != NAMED_ENTER && type->kind != NAMED_EXIT)
		return NULL;
	if (!s->names[type->index]) {
		name += type->kind == NAMED_ENTER ? sizeof("sys_enter_") - 1
						  : sizeof("sys_exit_") - 1;
		s->names[type->index] = derived_intern(
			s->out, (struct tdat_span){(const uint8_t *)name, strlen(name)});
	}
	return s->names[type->index];
}

static const struct tdat_syscalls *calls_of(struct syscalls *s, const struct derived_type *type)
{
	if (!s->has_calls[type->index]) {
		s->has_calls[type->index] = true;
		s->calls[type->index] = tdat_syscalls_of(file_uname(type->in->file, UNAME_MACHINE));
	}
	return s->calls[type->index];
}

/* The event's text by its print fmt; of raw events what stands in brackets. */
static void keep_args(struct syscalls *s, struct task *t, const struct derived_type *type,
		      const struct tdat_event *ev)
{
	struct model_event e = {.record = ev->record, .cpu = ev->cpu, .ts = ev->ts};
	struct model_print **print = &s->prints[type->index];
	const uint8_t *open;

	if (!t->args)
		t->args = malloc(ARGS_LEN);
	if (!t->args || (!*print && model_print_new(print, type->format, type->env,
						    MODEL_PRINT_NO_PLUGINS, NULL) != TDAT_OK)) {
		derived_fail(s->out);
		return;
	}
	s->text.len = 0;
	model_print_run(*print, &e, s->scratch, &s->text);
	if (s->text.failed) {
		derived_fail(s->out);
		return;
	}
	if (s->text.len > ARGS_LEN)
		derived_note(s->out, "arguments cut at 512 bytes");
	open = type->kind == RAW_ENTER && s->text.len ? memchr(s->text.ptr, '(', s->text.len)
						      : NULL;
	if (open && s->text.ptr[s->text.len - 1] == ')') {
		s->text.len--;
		t->args_len = (uint32_t)(s->text.len - (size_t)(open + 1 - s->text.ptr));
		t->args_len = t->args_len < ARGS_LEN ? t->args_len : ARGS_LEN;
		memcpy(t->args, open + 1, t->args_len);
		return;
	}
	t->args_len = (uint32_t)(s->text.len < ARGS_LEN ? s->text.len : ARGS_LEN);
	if (t->args_len)
		memcpy(t->args, s->text.ptr, t->args_len);
}

static void enter(struct syscalls *s, const struct derived_type *type, const struct tdat_event *ev,
		  uint32_t rec)
{
	const uint8_t by = type->kind == RAW_ENTER ? BY_RAW : BY_NAME;
	const int64_t nr = number_of(type, ev);
	struct task *t = find_task(s, rec, ev->pid);

	if (!t)
		return;
	/* Both kinds of events of one call follow each other. */
	if (t->open && t->nr == nr && !(t->entered_by & by)) {
		t->entered_by |= by;
		if (by == BY_NAME) {
			t->name = name_of(s, type);
			if (s->wants_args)
				keep_args(s, t, type, ev);
		}
		return;
	}
	if (t->open)
		put(s, t, 0, 0, false, ANALYSIS_OPEN_UNENDED);
	t->open = true;
	t->entered_by = by;
	t->left_by = 0;
	t->cpu = ev->cpu;
	t->ts = ev->ts;
	t->nr = nr;
	t->name = name_of(s, type);
	t->calls = calls_of(s, type);
	if (s->wants_args)
		keep_args(s, t, type, ev);
}

static void leave(struct syscalls *s, const struct derived_type *type, const struct tdat_event *ev,
		  uint32_t rec)
{
	const uint8_t by = type->kind == RAW_EXIT ? BY_RAW : BY_NAME;
	const struct derived_field *ret = &type->fields[RET];
	const int64_t nr = number_of(type, ev);
	struct task *t = find_task(s, rec, ev->pid);

	if (!t)
		return;
	if (!t->open) {
		/* The other kind of event of the same end. */
		if (t->left_by && !(t->left_by & by) && t->nr == nr)
			t->left_by |= by;
		else
			derived_note(s->out, ANALYSIS_NO_START);
		return;
	}
	/* The registers are those of the signal's frame when sigreturn ends: its number is -1. */
	if (t->nr != nr && (int32_t)nr != -1) {
		derived_note(s->out, ANALYSIS_CONTRADICTION);
	} else if (derived_goes_back(t->ts, ev->ts)) {
		derived_note(s->out, ANALYSIS_BACKWARDS);
	} else {
		if (!t->name)
			t->name = name_of(s, type);
		put(s, t, ev->ts, derived_int(ret, ev->record), derived_has(ret, ev->record), NULL);
	}
	t->open = false;
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

static bool awaits(void *state)
{
	const struct syscalls *s = state;

	for (size_t i = 0; i < s->tasks.end; i++) {
		const struct task *t = map_at(&s->tasks, i);

		if (t && t->open && derived_awaits(s->out, t->ts, (int32_t)t->key.b, t->cpu))
			return true;
	}
	return false;
}

static void end(void *state)
{
	struct syscalls *s = state;

	for (size_t i = 0; i < s->tasks.end; i++) {
		const struct task *t = map_at(&s->tasks, i);

		if (t && t->open)
			put(s, t, 0, 0, false,
			    losses_knows(&s->losses, (uint32_t)t->key.a, t->known)
				    ? ANALYSIS_OPEN_END
				    : ANALYSIS_OPEN_LOST);
	}
	if (s->tasks.failed || s->losses.cpus.failed)
		derived_fail(s->out);
}

static void free_state(void *state)
{
	struct syscalls *s = state;

	for (size_t i = 0; i < s->tasks.end; i++) {
		struct task *t = map_at(&s->tasks, i);

		if (t)
			free(t->args);
	}
	for (uint32_t i = 0; s->prints && i < derived_type_count(s->out); i++)
		model_print_free(s->prints[i]);
	map_fini(&s->tasks);
	losses_fini(&s->losses);
	free(s->prints);
	free(s->names);
	free(s->calls);
	free(s->has_calls);
	model_scratch_free(s->scratch);
	tdat_build_fini(&s->text);
	free(s);
}

static enum tdat_status begin(void **state, const struct table_derived *def,
			      struct derived_out *out, struct tdat_error *err)
{
	const size_t types = (size_t)derived_type_count(out) + 1;
	struct syscalls *s = calloc(1, sizeof(*s));

	*state = s;
	if (!s)
		return tdat_error_no_memory(err, def->name);
	s->out = out;
	tdat_build_init(&s->text, false);
	map_init(&s->tasks, sizeof(struct task), TASKS_MAX);
	s->prints = calloc(types, sizeof(struct model_print *));
	s->names = calloc(types, sizeof(const char *));
	s->calls = calloc(types, sizeof(const struct tdat_syscalls *));
	s->has_calls = calloc(types, sizeof(bool));
	s->wants_args = derived_wants(out, ARGS_COLUMN);
	if (!s->prints || !s->names || !s->calls || !s->has_calls || !losses_init(&s->losses, out))
		return tdat_error_no_memory(err, def->name);
	return model_scratch_new(&s->scratch, err);
}

const struct table_derived analysis_syscall = {
	.name = "syscall",
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
};
