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
#include "core/grow.h"
#include "core/json_text.h"
#include "core/number.h"
#include "core/task_groups.h"
#include "export/number_map.h"

/* Open slices that a track keeps; what begins beyond is an instant. */
enum { NESTED_MOST = 512 };

/* Numbers of processes and threads: those of an input's buffer follow from a multiple of UNIT. */
enum { UNIT = 100000000, CPUS = 99000000, CALLS = 10000000, FUNCTIONS = 20000000 };

/* Tracks of a CPU, and of a task. */
enum { RUNNING, INTERRUPTS, SOFTIRQS, IDLE, PER_CPU };
enum { TASK, TASK_CALLS, TASK_FUNCTIONS };

/* Open slices by a number of each: an interrupt, a depth. */
struct nest {
	int32_t *keys;
	size_t count, room;
};

struct cpu {
	bool running; /* a slice of a task is open */
	struct nest irqs, softirqs, functions;
	unsigned named; /* tracks that have their name, bits */
};

struct task {
	int32_t group;
	int call;     /* 0: none is open; 1: begun by raw_syscalls, 2: by syscalls */
	size_t marks; /* open slices of atrace */
	struct nest functions;
	unsigned named;
};

struct chrome_tracks {
	const struct chrome_state *state;
	struct export_map units, cpus_by_key, tasks_by_key;
	struct cpu *cpus;
	struct task *tasks;
	size_t cpu_count, cpu_room, task_count, task_room;
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
	struct cpu *cpu;
	struct task *task; /* NULL: the CPU was idle */
};

#define PUT(out, literal) tdat_build_bytes(out, literal, sizeof(literal) - 1)

/* ---- trace events ---- */

static void put_span(struct tdat_build *out, struct tdat_span s)
{
	tdat_build_bytes(out, s.ptr, s.len);
}

/* Microseconds with three digits behind the point. */
static void put_time(struct tdat_build *out, uint64_t ts)
{
	const uint64_t rest = ts % 1000;
	const char digits[4] = {'.', (char)('0' + rest / 100), (char)('0' + rest / 10 % 10),
				(char)('0' + rest % 10)};

	tdat_number_u64(out, ts / 1000);
	tdat_build_bytes(out, digits, sizeof(digits));
}

static uint64_t base_of(const struct step *s)
{
	return (uint64_t)s->unit * UNIT;
}

static void put_ids(const struct step *s, bool of_cpu, int track)
{
	const uint64_t base = base_of(s);
	uint64_t process = base + CPUS, thread = base + CPUS;

	if (of_cpu) {
		thread += (uint64_t)s->piece->cpu * PER_CPU + (unsigned)track;
	} else {
		process = base + (uint32_t)s->task->group;
		thread = base + (uint32_t)s->piece->pid + (track == TASK_CALLS ? CALLS : 0) +
			 (track == TASK_FUNCTIONS ? FUNCTIONS : 0);
	}
	PUT(s->out, "\"pid\":");
	tdat_number_u64(s->out, process);
	PUT(s->out, ",\"tid\":");
	tdat_number_u64(s->out, thread);
}

static void put_start(const struct step *s, const char *phase)
{
	if (s->t->any)
		PUT(s->out, ",");
	s->t->any = true;
	PUT(s->out, "\n{\"ph\":\"");
	tdat_build_str(s->out, phase);
	PUT(s->out, "\",");
}

/* The name of a process or a thread: metadata of the track. */
static void put_track_name(const struct step *s, bool of_cpu, int track, const char *what,
			   const struct tdat_build *text)
{
	put_start(s, "M");
	PUT(s->out, "\"name\":\"");
	tdat_build_str(s->out, what);
	PUT(s->out, "\",");
	put_ids(s, of_cpu, track);
	PUT(s->out, ",\"args\":{\"name\":");
	tdat_json_str(s->out, text->ptr, text->len);
	PUT(s->out, "}}");
	s->t->nomem |= text->failed;
}

/* " [foo]" of a buffer instance, " of b.dat" of several inputs. */
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

static void put_comm(const struct step *s, int32_t pid, struct tdat_build *text)
{
	const struct tdat_file *file = s->t->state->inputs[s->piece->input].file;
	const struct tdat_span comm = tdat_file_comm(file, pid);

	if (comm.ptr)
		tdat_build_bytes(text, comm.ptr, comm.len);
	else
		tdat_build_str(text, "<...>");
}

static void name_cpu(const struct step *s, int track)
{
	static const char *const what[] = {"", " interrupts", " softirqs", " idle functions"};
	struct tdat_build text;

	tdat_build_init(&text, false);
	if (!s->cpu->named) {
		tdat_build_str(&text, "CPUs");
		put_unit(s, &text);
		put_track_name(s, true, track, "process_name", &text);
		text.len = 0;
	}
	tdat_build_printf(&text, "CPU %u%s", s->piece->cpu, what[track]);
	put_track_name(s, true, track, "thread_name", &text);
	s->cpu->named |= 1u << track;
	tdat_build_fini(&text);
}

static void name_task(const struct step *s, int track)
{
	static const char *const what[] = {"", " system calls", " functions"};
	struct tdat_build text;

	tdat_build_init(&text, false);
	if (!s->task->named) {
		put_comm(s, s->task->group, &text);
		put_unit(s, &text);
		put_track_name(s, false, track, "process_name", &text);
		text.len = 0;
	}
	put_comm(s, s->piece->pid, &text);
	tdat_build_str(&text, what[track]);
	put_track_name(s, false, track, "thread_name", &text);
	s->task->named |= 1u << track;
	tdat_build_fini(&text);
}

static void begin_event(const struct step *s, const char *phase, bool of_cpu, int track)
{
	if (of_cpu && !(s->cpu->named >> track & 1))
		name_cpu(s, track);
	if (!of_cpu && !(s->task->named >> track & 1))
		name_task(s, track);
	put_start(s, phase);
	PUT(s->out, "\"ts\":");
	put_time(s->out, s->piece->ts);
	PUT(s->out, ",");
	put_ids(s, of_cpu, track);
}

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

static void begin_slice(const struct step *s, bool of_cpu, int track)
{
	begin_event(s, "B", of_cpu, track);
	put_name(s, s->slice);
	put_args(s);
}

static void end_slice(const struct step *s, bool of_cpu, int track, bool with_args)
{
	begin_event(s, "E", of_cpu, track);
	if (with_args)
		put_args(s);
	else
		PUT(s->out, "}");
}

/* On the track of the task, or of the CPU where that is idle. */
static void put_instant(const struct step *s)
{
	begin_event(s, "i", !s->task, RUNNING);
	PUT(s->out, ",\"s\":\"t\"");
	put_name(s, s->name);
	put_args(s);
}

/* ---- slices ---- */

static bool push(const struct step *s, struct nest *n, int32_t key)
{
	if (n->count == NESTED_MOST)
		return false;
	if (!TDAT_GROW(n->keys, &n->room, n->count + 1)) {
		s->t->nomem = true;
		return false;
	}
	n->keys[n->count++] = key;
	return true;
}

static void close_all(const struct step *s, struct nest *n, int track)
{
	for (; n->count; n->count--)
		end_slice(s, true, track, false);
}

static void on_switch(const struct step *s)
{
	const bool idle = s->piece->next == 0;

	if (s->cpu->running)
		end_slice(s, true, RUNNING, idle);
	else if (idle)
		put_instant(s);
	s->cpu->running = !idle;
	if (!idle)
		begin_slice(s, true, RUNNING);
}

static void on_enter(const struct step *s, struct nest *n, int track)
{
	if (push(s, n, s->piece->key))
		begin_slice(s, true, track);
	else
		put_instant(s);
}

/* Ends the slice of that number; those in it have ended, too, and their ends were not recorded. */
static void on_leave(const struct step *s, struct nest *n, int track)
{
	size_t at = n->count;

	while (at && n->keys[at - 1] != s->piece->key)
		at--;
	if (!at) {
		put_instant(s);
		return;
	}
	for (; n->count > at; n->count--)
		end_slice(s, true, track, false);
	end_slice(s, true, track, true);
	n->count--;
}

/* A call that both raw_syscalls and syscalls record is a slice by the first of the two. */
static void on_call(const struct step *s, bool enter)
{
	const int origin = s->piece->key + 1;

	if (!s->task || (s->task->call && s->task->call != origin) || (!enter && !s->task->call)) {
		put_instant(s);
		return;
	}
	if (s->task->call)
		end_slice(s, false, TASK_CALLS, !enter);
	s->task->call = enter ? origin : 0;
	if (enter)
		begin_slice(s, false, TASK_CALLS);
}

/* Functions at the same depth and below have ended when one begins. */
static void on_function(const struct step *s, bool enter)
{
	struct nest *n = s->task ? &s->task->functions : &s->cpu->functions;
	const int track = s->task ? TASK_FUNCTIONS : IDLE;
	const int32_t depth = s->piece->key;

	while (n->count && n->keys[n->count - 1] > depth - enter) {
		end_slice(s, !s->task, track, false);
		n->count--;
	}
	if (enter && push(s, n, depth)) {
		begin_slice(s, !s->task, track);
	} else if (!enter && n->count && n->keys[n->count - 1] == depth) {
		end_slice(s, !s->task, track, true);
		n->count--;
	} else {
		put_instant(s);
	}
}

static void on_mark(const struct step *s, bool enter)
{
	if (!s->task || (!enter && !s->task->marks)) {
		put_instant(s);
	} else if (enter) {
		s->task->marks++;
		begin_slice(s, false, TASK);
	} else {
		s->task->marks--;
		end_slice(s, false, TASK, true);
	}
}

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

static void on_count(const struct step *s)
{
	put_start(s, "C");
	put_marked_process(s);
	PUT(s->out, ",\"args\":{\"value\":");
	tdat_number_i64(s->out, s->piece->next);
	PUT(s->out, "}}");
}

static void on_async(const struct step *s, bool enter)
{
	put_start(s, enter ? "b" : "e");
	put_marked_process(s);
	PUT(s->out, ",\"cat\":\"atrace\",\"id\":");
	tdat_number_i64(s->out, s->piece->next);
	PUT(s->out, "}");
}

/* After a loss it is unknown what the CPU did: nothing stays open. */
static void on_loss(const struct step *s)
{
	if (s->cpu->running)
		end_slice(s, true, RUNNING, false);
	s->cpu->running = false;
	close_all(s, &s->cpu->irqs, INTERRUPTS);
	close_all(s, &s->cpu->softirqs, SOFTIRQS);
	close_all(s, &s->cpu->functions, IDLE);
	begin_event(s, "i", true, RUNNING);
	PUT(s->out, ",\"s\":\"t\",\"name\":\"lost events\",\"args\":{\"lost\":");
	tdat_number_i64(s->out, s->piece->lost);
	PUT(s->out, "}}");
}

static void on_event(const struct step *s)
{
	switch ((enum chrome_kind)s->piece->kind) {
	case CHROME_SWITCH:
		on_switch(s);
		return;
	case CHROME_IRQ_IN:
		on_enter(s, &s->cpu->irqs, INTERRUPTS);
		return;
	case CHROME_IRQ_OUT:
		on_leave(s, &s->cpu->irqs, INTERRUPTS);
		return;
	case CHROME_SOFTIRQ_IN:
		on_enter(s, &s->cpu->softirqs, SOFTIRQS);
		return;
	case CHROME_SOFTIRQ_OUT:
		on_leave(s, &s->cpu->softirqs, SOFTIRQS);
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

static bool find_tracks(struct step *s)
{
	struct chrome_tracks *t = s->t;
	const struct chrome_piece *p = s->piece;
	uint32_t n;

	if (!export_map_number(&t->units, (uint64_t)p->input << 32 | p->buffer,
			       (uint32_t)t->units.map.count, &s->unit) ||
	    !export_map_number(&t->cpus_by_key, (uint64_t)s->unit << 32 | p->cpu,
			       (uint32_t)t->cpu_count, &n))
		return false;
	if (n == t->cpu_count) {
		if (!TDAT_GROW(t->cpus, &t->cpu_room, n + 1))
			return false;
		t->cpus[t->cpu_count++] = (struct cpu){.running = false};
	}
	s->cpu = &t->cpus[n];
	if (p->pid <= 0)
		return true;
	if (!export_map_number(&t->tasks_by_key, (uint64_t)s->unit << 32 | (uint32_t)p->pid,
			       (uint32_t)t->task_count, &n))
		return false;
	if (n == t->task_count) {
		if (!TDAT_GROW(t->tasks, &t->task_room, n + 1))
			return false;
		t->tasks[t->task_count++] =
			(struct task){.group = tdat_task_groups_of(&t->groups[p->input], p->pid)};
	}
	s->task = &t->tasks[n];
	return true;
}

struct chrome_tracks *chrome_tracks_new(const struct chrome_state *state)
{
	struct chrome_tracks *t = calloc(1, sizeof(*t));
	bool ok = t;

	if (t) {
		t->state = state;
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

void chrome_tracks_free(struct chrome_tracks *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->cpu_count; i++) {
		free(t->cpus[i].irqs.keys);
		free(t->cpus[i].softirqs.keys);
		free(t->cpus[i].functions.keys);
	}
	for (size_t i = 0; i < t->task_count; i++)
		free(t->tasks[i].functions.keys);
	for (size_t i = 0; t->groups && i < t->state->input_count; i++)
		tdat_task_groups_fini(&t->groups[i]);
	free(t->cpus);
	free(t->tasks);
	free(t->groups);
	export_map_fini(&t->units);
	export_map_fini(&t->cpus_by_key);
	export_map_fini(&t->tasks_by_key);
	free(t);
}

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
