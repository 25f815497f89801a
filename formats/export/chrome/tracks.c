/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps which slices are open, and writes the trace events that begin and end them.
 *
 * A track of Chrome is a thread of a process, and slices on it must nest. So what need not nest has
 * tracks of its own: running tasks, interrupts and softirqs of each CPU; atrace slices, system
 * calls and functions of each task. Numbers of processes and threads are only told apart by
 * number: tracks of tasks have that of the task, others a number beyond all tasks'.
 */
#include <stdlib.h>
#include <string.h>

#include "chrome.h"
#include "core/entries.h"
#include "core/grow.h"
#include "core/json_text.h"
#include "core/number.h"
#include "core/task_groups.h"

/* Open slices that a track keeps. A slice that begins beyond it is an instant. */
enum { NESTED_MOST = 1024 };

/*
 * Numbers of processes and threads: each buffer of an input has UNIT of them. In it, tasks have
 * their own numbers; CPUS, CALLS and FUNCTIONS are added to the number of others.
 */
enum { UNIT = 100000000, CPUS = 99000000, CALLS = 10000000, FUNCTIONS = 20000000 };

/* Tracks of a CPU, then tracks of a task. */
enum { RUNNING, INTERRUPTS, SOFTIRQS, IDLE, PER_CPU };
enum { TASK, TASK_CALLS, TASK_FUNCTIONS };

/*
 * Open slices of a track, the last one innermost; each has a key: an interrupt's number, a depth.
 */
struct nest {
	int32_t *keys;
	size_t count, room;
};

/* A CPU or a task, and its tracks. */
struct owner {
	struct tdat_entry head;
	uint64_t key[2]; /* unit, and CPU or task */
	bool is_cpu;
	int32_t group;	/* of a task: the process */
	unsigned named; /* tracks that have their name, bits */
	struct nest open[PER_CPU];
};

/* A buffer of an input. */
struct unit {
	struct tdat_entry head;
	uint64_t key[2]; /* input, buffer */
	uint32_t number;
};

struct chrome_tracks {
	const struct chrome_state *state;
	struct tdat_entries units, cpus, tasks;
	struct tdat_task_groups *groups; /* of each input */
	bool any;			 /* some trace event was written */
	bool nomem;			 /* the output is incomplete */
};

/* State for writing one piece. */
struct step {
	struct chrome_tracks *t;
	const struct chrome_piece *piece;
	struct tdat_span slice, name, category, args;
	struct tdat_build *out;
	uint32_t unit;
	struct owner *cpu;
	struct owner *task; /* NULL: the CPU was idle */
};

#define PUT(out, literal) tdat_build_bytes(out, literal, sizeof(literal) - 1)

/* ---- trace events ---- */

/* Appends a text as it is; pieces hold valid JSON. */
static void put_span(struct tdat_build *out, struct tdat_span s)
{
	tdat_build_bytes(out, s.ptr, s.len);
}

/* Writes a time: microseconds with three digits behind the point, so that no ns is lost. */
static void put_time(struct tdat_build *out, uint64_t ts)
{
	const uint64_t rest = ts % 1000;
	const char digits[4] = {'.', (char)('0' + rest / 100), (char)('0' + rest / 10 % 10),
				(char)('0' + rest % 10)};

	tdat_number_u64(out, ts / 1000);
	tdat_build_bytes(out, digits, sizeof(digits));
}

/* First number of the buffer's processes and threads. */
static uint64_t base_of(const struct step *s)
{
	return (uint64_t)s->unit * UNIT;
}

/* Writes pid and tid of a track, by which viewers tell tracks apart. */
static void put_ids(const struct step *s, const struct owner *o, int track)
{
	const uint64_t base = base_of(s);
	uint64_t process = base + CPUS, thread = base + CPUS;

	if (o->is_cpu) {
		thread += (uint64_t)s->piece->cpu * PER_CPU + (unsigned)track;
	} else {
		process = base + (uint32_t)o->group;
		thread = base + (uint32_t)s->piece->pid + (track == TASK_CALLS ? CALLS : 0) +
			 (track == TASK_FUNCTIONS ? FUNCTIONS : 0);
	}
	PUT(s->out, "\"pid\":");
	tdat_number_u64(s->out, process);
	PUT(s->out, ",\"tid\":");
	tdat_number_u64(s->out, thread);
}

/* Begins a trace event; all but the first one need a comma. */
static void put_start(const struct step *s, const char *phase)
{
	if (s->t->any)
		PUT(s->out, ",");
	s->t->any = true;
	PUT(s->out, "\n{\"ph\":\"");
	tdat_build_str(s->out, phase);
	PUT(s->out, "\",");
}

/* Names a process or a thread, by a metadata event of the track. */
static void put_track_name(const struct step *s, const struct owner *o, int track, const char *what,
			   const struct tdat_build *text)
{
	put_start(s, "M");
	PUT(s->out, "\"name\":\"");
	tdat_build_str(s->out, what);
	PUT(s->out, "\",");
	put_ids(s, o, track);
	PUT(s->out, ",\"args\":{\"name\":");
	tdat_json_quoted(s->out, text->ptr, text->len);
	PUT(s->out, "}}");
	s->t->nomem |= text->failed;
}

/* Appends " [foo]" for a buffer instance, and " of b.dat" with several inputs. */
static void put_unit(const struct step *s, struct tdat_build *text)
{
	const struct tdat_file *file = s->t->state->inputs[s->piece->input].file;
	size_t count;
	const struct tdat_buffer *buffers = tdat_file_buffers(file, &count);

	if (s->piece->buffer < count && *buffers[s->piece->buffer].name)
		tdat_build_printf(text, " [%s]", buffers[s->piece->buffer].name);
	if (s->t->state->input_count > 1)
		tdat_build_printf(text, " of %s", tdat_file_info(file)->name);
}

/* Appends the name of a task, "<...>" if it is unknown, as ftrace prints it. */
static void put_comm(const struct step *s, int32_t pid, struct tdat_build *text)
{
	const struct tdat_file *file = s->t->state->inputs[s->piece->input].file;
	const struct tdat_span comm = tdat_file_comm(file, pid);

	if (comm.ptr)
		tdat_build_bytes(text, comm.ptr, comm.len);
	else
		tdat_build_str(text, "<...>");
}

/* Names a track, and the process if this is its first track. */
static void name_track(const struct step *s, struct owner *o, int track)
{
	static const char *const of_cpu[] = {"", " interrupts", " softirqs", " idle functions"};
	static const char *const of_task[] = {"", " system calls", " functions"};
	struct tdat_build text;

	tdat_build_init(&text, false);
	if (!o->named) {
		if (o->is_cpu)
			tdat_build_str(&text, "CPUs");
		else
			put_comm(s, o->group, &text);
		put_unit(s, &text);
		put_track_name(s, o, track, "process_name", &text);
		text.len = 0;
	}
	if (o->is_cpu)
		tdat_build_printf(&text, "CPU %u", s->piece->cpu);
	else
		put_comm(s, s->piece->pid, &text);
	tdat_build_str(&text, o->is_cpu ? of_cpu[track] : of_task[track]);
	put_track_name(s, o, track, "thread_name", &text);
	o->named |= 1u << track;
	tdat_build_fini(&text);
}

/* Begins a trace event on a track, which is named before its first one. */
static void begin_event(const struct step *s, const char *phase, struct owner *o, int track)
{
	if (!(o->named >> track & 1))
		name_track(s, o, track);
	put_start(s, phase);
	PUT(s->out, "\"ts\":");
	put_time(s->out, s->piece->ts);
	PUT(s->out, ",");
	put_ids(s, o, track);
}

/* Writes name and category of an event. */
static void put_name(const struct step *s, struct tdat_span name)
{
	PUT(s->out, ",\"name\":");
	put_span(s->out, name);
	PUT(s->out, ",\"cat\":");
	put_span(s->out, s->category);
}

static void put_args(const struct step *s)
{
	PUT(s->out, ",\"args\":");
	put_span(s->out, s->args);
	PUT(s->out, "}");
}

/* Writes an event without a duration, on the track of the task, or of the CPU while it is idle. */
static void put_instant(const struct step *s)
{
	begin_event(s, "i", s->task ? s->task : s->cpu, RUNNING);
	PUT(s->out, ",\"s\":\"t\"");
	put_name(s, s->name);
	put_args(s);
}

/* ---- slices ---- */

/* Key of the slice that began last; NO_SLICE: none is open. */
#define NO_SLICE INT64_MIN
static int64_t last_key(const struct owner *o, int track)
{
	const struct nest *n = &o->open[track];

	return n->count ? n->keys[n->count - 1] : NO_SLICE;
}

/* Begins a slice, or writes an instant if too many are open. */
static void begin_slice(const struct step *s, struct owner *o, int track, int32_t key)
{
	struct nest *n = &o->open[track];
	const bool room = n->count < NESTED_MOST;

	if (!room || !TDAT_GROW(n->keys, &n->room, n->count + 1)) {
		s->t->nomem |= room;
		put_instant(s);
		return;
	}
	n->keys[n->count++] = key;
	begin_event(s, "B", o, track);
	put_name(s, s->slice);
	put_args(s);
}

/* Ends the slice that began last. with_args: the event that ends it has arguments. */
static void end_slice(const struct step *s, struct owner *o, int track, bool with_args)
{
	begin_event(s, "E", o, track);
	if (with_args)
		put_args(s);
	else
		PUT(s->out, "}");
	o->open[track].count--;
}

/* Ends all slices of a track. */
static void end_all(const struct step *s, struct owner *o, int track)
{
	while (o->open[track].count)
		end_slice(s, o, track, false);
}

/* Ends the slice of a key. Slices inside it end, too: their own ends were not recorded. */
static void end_key(const struct step *s, struct owner *o, int track, int32_t key)
{
	const struct nest *n = &o->open[track];
	size_t at = n->count;

	while (at && n->keys[at - 1] != key)
		at--;
	/* The slice began before the trace, or was lost. */
	if (!at) {
		put_instant(s);
		return;
	}
	while (n->count > at)
		end_slice(s, o, track, false);
	end_slice(s, o, track, true);
}

/*
 * A task stops running on the CPU, and the next one starts; pid 0 is the idle task, which has no
 * slice.
 */
static void on_switch(const struct step *s)
{
	const bool idle = s->piece->next == 0;

	if (s->cpu->open[RUNNING].count)
		end_slice(s, s->cpu, RUNNING, idle);
	else if (idle)
		put_instant(s);
	if (!idle)
		begin_slice(s, s->cpu, RUNNING, 0);
}

/*
 * A system call that both raw_syscalls and syscalls recorded is one slice, by the first of the two:
 * the key says which one began it.
 */
static void on_call(const struct step *s, bool enter)
{
	const int64_t open = s->task ? last_key(s->task, TASK_CALLS) : NO_SLICE;

	if (!s->task || (open != NO_SLICE && open != s->piece->key) ||
	    (!enter && open == NO_SLICE)) {
		put_instant(s);
		return;
	}
	/* The exit's call ends; at an entry, a call whose exit was not recorded. */
	if (open != NO_SLICE)
		end_slice(s, s->task, TASK_CALLS, !enter);
	if (enter)
		begin_slice(s, s->task, TASK_CALLS, s->piece->key);
}

/* A function that begins ends those at its depth and deeper: their exits were not recorded. */
static void on_function(const struct step *s, bool enter)
{
	struct owner *o = s->task ? s->task : s->cpu;
	const int track = s->task ? TASK_FUNCTIONS : IDLE;
	const int32_t depth = s->piece->key;

	while (last_key(o, track) > depth - enter)
		end_slice(s, o, track, false);
	if (enter)
		begin_slice(s, o, track, depth);
	else if (last_key(o, track) == depth)
		end_slice(s, o, track, true);
	else
		put_instant(s);
}

/* Slices of atrace nest by task and have no keys. */
static void on_mark(const struct step *s, bool enter)
{
	if (!s->task)
		put_instant(s);
	else if (enter)
		begin_slice(s, s->task, TASK, 0);
	else
		end_key(s, s->task, TASK, 0);
}

/* Writes time, process and name of a mark. Marks name their process themselves. */
static void put_marked_process(const struct step *s)
{
	PUT(s->out, "\"ts\":");
	put_time(s->out, s->piece->ts);
	PUT(s->out, ",\"pid\":");
	tdat_number_u64(s->out, base_of(s) + (uint32_t)s->piece->key);
	PUT(s->out, ",\"tid\":");
	tdat_number_u64(s->out, base_of(s) + (uint32_t)s->piece->key);
	PUT(s->out, ",\"name\":");
	put_span(s->out, s->slice);
}

/* A counter of atrace. */
static void on_count(const struct step *s)
{
	put_start(s, "C");
	put_marked_process(s);
	PUT(s->out, ",\"args\":{\"value\":");
	tdat_number_i64(s->out, s->piece->next);
	PUT(s->out, "}}");
}

/* An asynchronous slice of atrace; its cookie is the id that joins begin and end. */
static void on_async(const struct step *s, bool enter)
{
	put_start(s, enter ? "b" : "e");
	put_marked_process(s);
	PUT(s->out, ",\"cat\":\"atrace\",\"id\":");
	tdat_number_i64(s->out, s->piece->next);
	PUT(s->out, "}");
}

/*
 * Writes a loss of events. It is unknown what the CPU did meanwhile, so nothing stays open on its
 * tracks.
 */
static void on_loss(const struct step *s)
{
	for (int track = RUNNING; track < PER_CPU; track++)
		end_all(s, s->cpu, track);
	begin_event(s, "i", s->cpu, RUNNING);
	PUT(s->out, ",\"s\":\"t\",\"name\":\"lost events\",\"args\":{\"lost\":");
	tdat_number_i64(s->out, s->piece->lost);
	PUT(s->out, "}}");
}

/* Writes what one event means. */
static void on_event(const struct step *s)
{
	switch ((enum chrome_kind)s->piece->kind) {
	case CHROME_SWITCH:
		on_switch(s);
		return;
	case CHROME_IRQ_IN:
		begin_slice(s, s->cpu, INTERRUPTS, s->piece->key);
		return;
	case CHROME_IRQ_OUT:
		end_key(s, s->cpu, INTERRUPTS, s->piece->key);
		return;
	case CHROME_SOFTIRQ_IN:
		begin_slice(s, s->cpu, SOFTIRQS, s->piece->key);
		return;
	case CHROME_SOFTIRQ_OUT:
		end_key(s, s->cpu, SOFTIRQS, s->piece->key);
		return;
	case CHROME_CALL_IN:
	case CHROME_CALL_OUT:
		on_call(s, s->piece->kind == CHROME_CALL_IN);
		return;
	case CHROME_FUNCTION_IN:
	case CHROME_FUNCTION_OUT:
		on_function(s, s->piece->kind == CHROME_FUNCTION_IN);
		return;
	case CHROME_MARK_IN:
	case CHROME_MARK_OUT:
		on_mark(s, s->piece->kind == CHROME_MARK_IN);
		return;
	case CHROME_MARK_COUNT:
		on_count(s);
		return;
	case CHROME_ASYNC_IN:
	case CHROME_ASYNC_OUT:
		on_async(s, s->piece->kind == CHROME_ASYNC_IN);
		return;
	case CHROME_INSTANT:
		put_instant(s);
		return;
	}
}

/* ---- tasks and CPUs ---- */

/* Finds the CPU and the task of a piece, and makes them at their first event. False: no memory. */
static bool find_tracks(struct step *s)
{
	struct chrome_tracks *t = s->t;
	const struct chrome_piece *p = s->piece;
	struct unit *unit = tdat_entry_get(&t->units, (const uint64_t[]){p->input, p->buffer});

	if (!unit)
		return false;
	/* Numbered in the order in which buffers are met, from 1. */
	if (!unit->number)
		unit->number = (uint32_t)t->units.end;
	s->unit = unit->number - 1;
	s->cpu = tdat_entry_get(&t->cpus, (const uint64_t[]){s->unit, p->cpu});
	if (!s->cpu)
		return false;
	s->cpu->is_cpu = true;
	/* The idle task is not an owner: its events belong to the CPU. */
	if (p->pid <= 0)
		return true;
	s->task = tdat_entry_get(&t->tasks, (const uint64_t[]){s->unit, (uint32_t)p->pid});
	if (s->task && !s->task->group)
		s->task->group = tdat_task_groups_of(&t->groups[p->input], p->pid);
	return s->task;
}

/* Makes empty tracks, and the thread groups of each input. NULL: no memory. */
struct chrome_tracks *chrome_tracks_new(const struct chrome_state *state)
{
	struct chrome_tracks *t = calloc(1, sizeof(*t));
	bool ok = t;

	if (t) {
		t->state = state;
		tdat_entries_init(&t->units, sizeof(struct unit), 2, UINT32_MAX);
		tdat_entries_init(&t->cpus, sizeof(struct owner), 2, UINT32_MAX);
		tdat_entries_init(&t->tasks, sizeof(struct owner), 2, UINT32_MAX);
		t->groups = calloc(state->input_count + 1, sizeof(*t->groups));
		ok = t->groups;
	}
	for (size_t i = 0; ok && i < state->input_count; i++)
		ok = tdat_task_groups_init(&t->groups[i],
					   tdat_file_part(state->inputs[i].file, TDAT_PART_TGIDS));
	if (ok)
		return t;
	chrome_tracks_free(t);
	return NULL;
}

static void free_owners(struct tdat_entries *e)
{
	for (size_t i = 0; i < e->end; i++) {
		struct owner *o = tdat_entry_at(e, i);

		for (size_t k = 0; k < PER_CPU; k++)
			free(o->open[k].keys);
	}
	tdat_entries_fini(e);
}

void chrome_tracks_free(struct chrome_tracks *t)
{
	if (!t)
		return;
	free_owners(&t->cpus);
	free_owners(&t->tasks);
	for (size_t i = 0; t->groups && i < t->state->input_count; i++)
		tdat_task_groups_fini(&t->groups[i]);
	free(t->groups);
	tdat_entries_fini(&t->units);
	free(t);
}

/*
 * Adds one event; texts hold the slice's name, the event's name, its category and arguments, one
 * behind the other. Called in order.
 */
enum tdat_status chrome_tracks_add(struct chrome_tracks *t, const struct chrome_piece *p,
				   const uint8_t *texts, struct tdat_build *out,
				   struct tdat_error *err)
{
	struct step s = {.t = t, .piece = p, .out = out};

	s.slice = (struct tdat_span){texts, p->slice_len};
	texts += p->slice_len;
	s.name = (struct tdat_span){texts, p->name_len};
	texts += p->name_len;
	s.category = (struct tdat_span){texts, p->category_len};
	texts += p->category_len;
	s.args = (struct tdat_span){texts, p->args_len};
	if (!find_tracks(&s))
		return tdat_error_no_memory(err, "tracks");
	if (p->lost)
		on_loss(&s);
	on_event(&s);
	return t->nomem || out->failed ? tdat_error_no_memory(err, "tracks") : TDAT_OK;
}
