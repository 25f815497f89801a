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

/* Fields of sched_wakeup and sched_switch. */
enum { COMM, PID, PRIO, SUCCESS, TARGET_CPU };
enum { PREV_COMM, PREV_PID, PREV_PRIO, PREV_STATE, NEXT_COMM, NEXT_PID, NEXT_PRIO };

/* A handler of sched_switch. */
struct sched_switch {
	struct model_native base;
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
static bool wakeup_run(const struct model_native *n, const struct model_event *event,
		       struct tdat_build *out)
{
	/* A name is no longer than the record, whatever its format says. */
	uint8_t *p = tdat_build_room(out, FIXED_MAX + event->record.len);
	uint64_t v;

	if (!p)
		return true;
	if (!native_get(&n->f[PID], event->record, &v, out))
		return native_give_up(out);
	p = put_comm(p, &n->f[COMM], event->record);
	p = tdat_put_i64(p, native_signed(&n->f[PID], v));
	if (native_num(&n->f[PRIO], event->record, &v)) {
		p = tdat_put_i64(tdat_put_lit(p, " ["), native_signed(&n->f[PRIO], v));
		*p++ = ']';
	} else {
		p = put_no_val(p, &n->f[PRIO]);
	}
	if (native_num(&n->f[SUCCESS], event->record, &v))
		p = tdat_put_i64(tdat_put_lit(p, " success="), native_signed(&n->f[SUCCESS], v));
	if (native_num(&n->f[TARGET_CPU], event->record, &v)) {
		p = tdat_put_lit(p, " CPU:");
		/* Three digits, as the plugin prints CPUs. */
		p = tdat_put_fill(p, '0', v < 10 ? 2 : v < 100);
		p = tdat_put_u64(p, v);
	}
	set_end(out, p);
	return true;
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
static uint8_t *put_prev(uint8_t *p, const struct model_native *n, struct tdat_span record,
			 uint64_t pid)
{
	uint64_t v;

	p = put_comm(p, &n->f[PREV_COMM], record);
	p = tdat_put_i64(p, native_signed(&n->f[PREV_PID], pid));
	*p++ = ' ';
	if (native_num(&n->f[PREV_PRIO], record, &v)) {
		p = put_prio(p, v);
		*p++ = ' ';
	} else {
		p = put_no_val(p, &n->f[PREV_PRIO]);
	}
	if (native_num(&n->f[PREV_STATE], record, &v))
		p = put_state(p, (const struct sched_switch *)n, v);
	else if (n->env->tep17)
		p = put_no_val(p, &n->f[PREV_STATE]);
	return tdat_put_lit(p, " ==> ");
}

/* Prints "prev:pid [prio] S ==> next:pid [prio]". */
static bool switch_run(const struct model_native *n, const struct model_event *event,
		       struct tdat_build *out)
{
	struct tdat_span record = event->record;
	uint8_t *p = tdat_build_room(out, FIXED_MAX + 2 * record.len);
	uint64_t v;

	if (!p)
		return true;
	/* A missing pid ends the plugin's text; other fields are left out. */
	if (!native_get(&n->f[PREV_PID], record, &v, out))
		return native_give_up(out);
	p = put_prev(p, n, record, v);
	if (!native_num(&n->f[NEXT_PID], record, &v)) {
		set_end(out, put_no_val(p, &n->f[NEXT_PID]));
		return native_give_up(out);
	}
	p = put_comm(p, &n->f[NEXT_COMM], record);
	p = tdat_put_i64(p, native_signed(&n->f[NEXT_PID], v));
	if (native_num(&n->f[NEXT_PRIO], record, &v)) {
		*p++ = ' ';
		p = put_prio(p, v);
	} else {
		p = put_no_val(p, &n->f[NEXT_PRIO]);
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

static bool switch_init(struct model_native *n)
{
	struct sched_switch *s = (struct sched_switch *)n;

	/*
	 * libtraceevent 1.7 has a table of its own; the other one is for formats without
	 * __print_flags().
	 */
	if (n->env->tep17)
		memcpy(s->states, "SDTtZXxW", 8);
	else if (!read_states(n->format->print_fmt, s->states))
		memcpy(s->states, "SDTtXZPI", 8);
	return true;
}

#define WAKEUP .fields = {"@comm", "-pid", "-prio", "-success", "target_cpu"}

const struct model_native_entry native_sched[] = {
	{"sched", "sched_switch", switch_run,
	 .fields = {"@prev_comm", "-prev_pid", "prev_prio", "prev_state", "@next_comm", "-next_pid",
		    "next_prio"},
	 .size = sizeof(struct sched_switch), .init = switch_init},
	{"sched", "sched_wakeup", wakeup_run, WAKEUP},
	{"sched", "sched_wakeup_new", wakeup_run, WAKEUP},
	{.name = NULL},
};
