/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints sched_switch and sched_wakeup as the plugin sched_switch of libtraceevent does. The
 * plugin takes the names of states from the event's print fmt if they are there, and it
 * remembers names of tasks, which later lines show (learned_tasks.c).
 */
#include "native_tables.h"

#include <stdlib.h>
#include <string.h>

#include "native_util.h"
#include "core/put.h"

#define STATE_BITS 32

/* A handler of sched_wakeup or sched_wakeup_new. */
struct sched_wakeup {
	struct model_native base;
	struct native_field comm, pid, prio, success, target_cpu;
};

/* A handler of sched_switch. */
struct sched_switch {
	struct model_native base;
	struct native_field prev_comm, prev_pid, prev_prio, prev_state;
	struct native_field next_comm, next_pid, next_prio;
	bool tep17;
	char states[STATE_BITS]; /* letter of each bit of prev_state; 0: no more */
};

/* Room for all of a line but its two names. */
#define FIXED_MAX 320

/* Writes "comm:" if the format has the name. */
static uint8_t *put_comm(uint8_t *p, const struct native_field *f, struct tdat_span record)
{
	if (!f->found)
		return p;
	p = tdat_put_span(p, native_str(record, f->off, f->len));
	*p++ = ':';
	return p;
}

/* Like native_no_val(), into room that was made. */
static uint8_t *put_no_val(uint8_t *p, const struct native_field *f)
{
	p = f->found ? tdat_put_lit(p, " ") : tdat_put_lit(p, "<CANT FIND FIELD ");
	p = (uint8_t *)memcpy(p, f->name, strlen(f->name)) + strlen(f->name);
	return f->found ? tdat_put_lit(p, "=INVALID") : tdat_put_lit(p, ">");
}

/* Ends writing by pointer at p. */
static void set_end(struct tdat_build *out, const uint8_t *p)
{
	out->len = (size_t)(p - out->ptr);
}

/* Prints "comm:pid [prio] success=1 CPU:003". */
static bool wakeup_run(const struct model_native *self, const struct model_event *event,
		       struct tdat_build *out)
{
	const struct sched_wakeup *w = (const struct sched_wakeup *)self;
	/* A name is no longer than the record, whatever its format says. */
	uint8_t *p = tdat_build_room(out, FIXED_MAX + event->record.len);
	uint64_t v;

	if (!p)
		return true;
	if (!native_get(&w->pid, event->record, &v, out))
		return native_give_up(out);
	p = put_comm(p, &w->comm, event->record);
	p = tdat_put_i64(p, native_signed(&w->pid, v));
	if (native_num(&w->prio, event->record, &v)) {
		p = tdat_put_i64(tdat_put_lit(p, " ["), native_signed(&w->prio, v));
		*p++ = ']';
	} else {
		p = put_no_val(p, &w->prio);
	}
	if (native_num(&w->success, event->record, &v))
		p = tdat_put_i64(tdat_put_lit(p, " success="), native_signed(&w->success, v));
	if (native_num(&w->target_cpu, event->record, &v)) {
		p = tdat_put_lit(p, " CPU:");
		/* Three digits, as the plugin prints CPUs. */
		p = tdat_put_fill(p, '0', v < 10 ? 2 : v < 100);
		p = tdat_put_u64(p, v);
	}
	set_end(out, p);
	return true;
}

static enum tdat_status wakeup_init(struct model_native **out,
				    const struct tdat_event_format *format,
				    const struct model_env *env, struct tdat_error *err)
{
	struct sched_wakeup *w = native_alloc(sizeof(*w), format, err);

	if (!w)
		return TDAT_E_NOMEM;
	w->base.run = wakeup_run;
	w->comm = native_field_any(format, "comm");
	w->pid = native_field_find(format, "pid");
	w->prio = native_field_find(format, "prio");
	w->success = native_field_find(format, "success");
	w->target_cpu = native_field_find(format, "target_cpu");
	native_field_sign(&w->pid, format, env);
	native_field_sign(&w->prio, format, env);
	native_field_sign(&w->success, format, env);
	*out = &w->base;
	return TDAT_OK;
}

/* Writes the letters of all bits of prev_state that are set, "R" (running) without one. */
static uint8_t *put_state(uint8_t *p, const struct sched_switch *s, uint64_t v)
{
	const uint8_t *start = p;
	size_t i;

	for (i = 0; i < STATE_BITS && s->states[i]; i++) {
		/* The plugin shifts an int: bit 31 tests all higher bits, too. */
		if (!(v & (uint64_t)(int64_t)(int32_t)(1u << i)))
			continue;
		if (p > start)
			*p++ = '|';
		*p++ = (uint8_t)s->states[i];
	}
	if (p == start)
		*p++ = 'R';
	return p;
}

/* Writes "[prio]". */
static uint8_t *put_prio(uint8_t *p, uint64_t v)
{
	*p++ = '[';
	p = tdat_put_i64(p, (int32_t)v);
	*p++ = ']';
	return p;
}

/* Writes "comm:pid [prio] S ==> ", or as much of it as the format has. */
static uint8_t *put_prev(uint8_t *p, const struct sched_switch *s, struct tdat_span record,
			 uint64_t pid)
{
	uint64_t v;

	p = put_comm(p, &s->prev_comm, record);
	p = tdat_put_i64(p, native_signed(&s->prev_pid, pid));
	*p++ = ' ';
	if (native_num(&s->prev_prio, record, &v)) {
		p = put_prio(p, v);
		*p++ = ' ';
	} else {
		p = put_no_val(p, &s->prev_prio);
	}
	if (native_num(&s->prev_state, record, &v))
		p = put_state(p, s, v);
	else if (s->tep17)
		p = put_no_val(p, &s->prev_state);
	return tdat_put_lit(p, " ==> ");
}

/* Prints "prev:pid [prio] S ==> next:pid [prio]". */
static bool switch_run(const struct model_native *self, const struct model_event *event,
		       struct tdat_build *out)
{
	const struct sched_switch *s = (const struct sched_switch *)self;
	struct tdat_span record = event->record;
	uint8_t *p = tdat_build_room(out, FIXED_MAX + 2 * record.len);
	uint64_t v;

	if (!p)
		return true;
	/* A missing pid ends the plugin's text; other fields are left out. */
	if (!native_get(&s->prev_pid, record, &v, out))
		return native_give_up(out);
	p = put_prev(p, s, record, v);
	if (!native_num(&s->next_pid, record, &v)) {
		set_end(out, put_no_val(p, &s->next_pid));
		return native_give_up(out);
	}
	p = put_comm(p, &s->next_comm, record);
	p = tdat_put_i64(p, native_signed(&s->next_pid, v));
	if (native_num(&s->next_prio, record, &v)) {
		*p++ = ' ';
		p = put_prio(p, v);
	} else {
		p = put_no_val(p, &s->next_prio);
	}
	set_end(out, p);
	return true;
}

/* Reads one { value, "S..." } at *p: the letter of the value's lowest bit. False: none follows. */
static bool read_state(const char **p, char *states)
{
	const char *s = *p + strspn(*p, " \t\n");
	unsigned long long bit;
	char *end;

	if (*s != '{')
		return false;
	bit = strtoull(s + 1 + strspn(s + 1, " \t\n"), &end, 0);
	end += strspn(end, " \t\nUuLl");
	if (*end != ',')
		return false;
	s = end + 1 + strspn(end + 1, " \t\n");
	if (*s != '"' || !s[1])
		return false;
	if (bit && (unsigned int)__builtin_ctzll(bit) < STATE_BITS)
		states[__builtin_ctzll(bit)] = s[1] == '"' ? 0 : s[1];
	s = strchr(s + 1, '"');
	if (!s)
		return false;
	s += 1 + strspn(s + 1, " \t\n");
	if (*s != '}')
		return false;
	s += 1 + strspn(s + 1, " \t\n");
	*p = *s == ',' ? s + 1 : s;
	return true;
}

/*
 * Returns the comma that ends the argument at p, outside of parentheses; NULL: it is the last one.
 */
static const char *arg_end(const char *p)
{
	int depth = 0;

	for (; *p; p++) {
		if (*p == '(')
			depth++;
		else if (*p == ')' && --depth < 0)
			return NULL;
		else if (*p == ',' && !depth)
			return p;
	}
	return NULL;
}

/*
 * Reads the letters from the __print_flags() of prev_state in print fmt, because kernels renumbered
 * the states more than once. False: there is none.
 */
static bool read_states(const char *fmt, char *states)
{
	static const char flags[] = "__print_flags(";
	const char *p = fmt;

	while ((p = strstr(p, flags))) {
		const char *arg = p + sizeof(flags) - 1;
		const char *field, *end = arg_end(arg);

		p = arg;
		field = strstr(arg, "REC->prev_state");
		if (!end || !field || field > end)
			continue;
		end = arg_end(end + 1); /* the delimiter */
		if (!end)
			return false;
		p = end + 1;
		while (read_state(&p, states))
			;
		return true;
	}
	return false;
}

static enum tdat_status switch_init(struct model_native **out,
				    const struct tdat_event_format *format,
				    const struct model_env *env, struct tdat_error *err)
{
	struct sched_switch *s = native_alloc(sizeof(*s), format, err);

	if (!s)
		return TDAT_E_NOMEM;
	s->base.run = switch_run;
	s->tep17 = env->tep17;
	s->prev_comm = native_field_any(format, "prev_comm");
	s->prev_pid = native_field_find(format, "prev_pid");
	s->prev_prio = native_field_find(format, "prev_prio");
	s->prev_state = native_field_find(format, "prev_state");
	s->next_comm = native_field_any(format, "next_comm");
	s->next_pid = native_field_find(format, "next_pid");
	s->next_prio = native_field_find(format, "next_prio");
	native_field_sign(&s->prev_pid, format, env);
	native_field_sign(&s->next_pid, format, env);
	/*
	 * libtraceevent 1.7 has a table of its own; the other one is for formats without
	 * __print_flags().
	 */
	if (env->tep17)
		memcpy(s->states, "SDTtZXxW", 8);
	else if (!read_states(format->print_fmt, s->states))
		memcpy(s->states, "SDTtXZPI", 8);
	*out = &s->base;
	return TDAT_OK;
}

const struct model_native_entry native_sched[] = {
	{"sched", "sched_switch", switch_init},
	{"sched", "sched_wakeup", wakeup_init},
	{"sched", "sched_wakeup_new", wakeup_init},
	{NULL, NULL, NULL},
};
