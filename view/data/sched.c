/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes times on a CPU of the events sched_switch and of losses. It follows the rules of the
 * table sched (lib/analysis/sched.c), event by event, for the index and for windows;
 * tests/view/answers.py compares them.
 */
#include "sched.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"

/* Finds the formats of sched_switch in a file: a merged file may have several. */
enum tdat_status view_switches_init(struct view_switches *s, struct tdat_file *file,
				    struct tdat_error *err)
{
	const size_t count = tdat_file_format_count(file);
	size_t cap = 0;

	*s = (struct view_switches){.file = file};
	for (size_t i = 0; i < count; i++) {
		const struct tdat_event_format *f;
		const char *system = "";

		tdat_file_format_text(file, i, &system);
		if (!system || strcmp(system, "sched") ||
		    tdat_file_format(file, i, &f, NULL) != TDAT_OK ||
		    strcmp(tdat_event_format_name(f), "sched_switch"))
			continue;
		if (!TDAT_GROW(s->v, &cap, s->count + 1))
			return tdat_error_no_memory(err, "formats");
		s->v[s->count++] = (struct view_switch){tdat_event_format_id(f),
							tdat_event_format_field(f, "prev_pid"),
							tdat_event_format_field(f, "next_pid")};
	}
	return TDAT_OK;
}

void view_switches_fini(struct view_switches *s)
{
	free(s->v);
}

/* False and 0: the record has no such number. */
static bool number(const struct tdat_field *field, struct tdat_span record, int64_t *v)
{
	*v = 0;
	return field && tdat_field_i64(field, record, v, NULL) == TDAT_OK;
}

static const struct view_switch *find_switch(const struct view_switches *s, uint32_t id)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->v[i].id == id)
			return &s->v[i];
	return NULL;
}

/*
 * The name of a task is the one that the file has for its pid; pid 0 is the idle task of each CPU.
 */
static uint32_t task_number(struct view_sched *s, int32_t pid)
{
	static const struct tdat_span idle = {(const uint8_t *)"<idle>", 6};
	static const struct tdat_span unknown = {(const uint8_t *)"<...>", 5};
	struct tdat_span comm = pid ? tdat_file_comm(s->switches->file, pid) : idle;

	return view_tasks_number(s->tasks, s->rec, pid, comm.ptr ? comm : unknown);
}

void view_sched_name(struct view_sched *s, struct view_run *run)
{
	run->task = task_number(s, run->pid);
}

/*
 * Ends the interval of the task that ran and begins the next. False if the switch does not fit:
 * another task than prev_pid was running, or time went back. Where it was not known what ran, it is
 * prev_pid, if the events before the switch say so, too.
 */
static bool take_switch(struct view_sched *s, const struct view_switch *type,
			const struct tdat_event *event, struct view_run *run)
{
	const struct view_running was = s->now;
	int64_t prev, pid;
	const bool has_prev = number(type->prev_pid, event->record, &prev);

	s->now.runs = number(type->next_pid, event->record, &pid);
	*run = (struct view_run){was.since, event->ts, was.task, was.pid, VIEW_CLOSED, false};
	s->now.since = event->ts;
	s->now.seen = s->now.mixed = false;
	s->now.pid = (int32_t)pid;
	s->now.task = task_number(s, (int32_t)pid);
	if (was.seen && has_prev && was.pid == prev && event->ts > was.since) {
		run->early = true;
		run->task = task_number(s, was.pid);
		return true;
	}
	return was.runs && event->ts >= was.since && was.pid == prev;
}

/* Notes whose events come while it is not known what runs. */
static void see(struct view_sched *s, const struct tdat_event *event)
{
	if (!s->now.seen || s->now.pid != event->pid)
		s->now = (struct view_running){.since = event->ts,
					       .task = VIEW_NO_TASK,
					       .pid = event->pid,
					       .seen = true,
					       .mixed = s->now.seen};
}

/* Ends the events of one task, which ran from the first to the last of them. */
static bool end_seen(struct view_sched *s, enum view_open open, struct view_run *run)
{
	const struct view_running was = s->now;

	s->now.seen = s->now.mixed = false;
	if (!was.seen || was.mixed || was.pid <= 0 || s->last_ts <= was.since)
		return false;
	*run = (struct view_run){was.since, s->last_ts, VIEW_NO_TASK, was.pid, open, true};
	if (s->switched)
		view_sched_name(s, run);
	return true;
}

bool view_sched_lose(struct view_sched *s, struct view_run *run)
{
	const uint64_t to = s->last_ts > s->now.since ? s->last_ts : s->now.since;

	if (!s->now.runs)
		return end_seen(s, VIEW_OPEN_LOST, run);
	*run = (struct view_run){s->now.since, to, s->now.task, s->now.pid, VIEW_OPEN_LOST, false};
	s->now.runs = false;
	return true;
}

/*
 * A loss ends the running interval at the last event before it. Damage before the loss may have put
 * that event behind the next one.
 */
bool view_sched_event(struct view_sched *s, const struct tdat_event *event, struct view_run *run)
{
	const struct view_switch *type = find_switch(s->switches, event->id);
	bool ended = false;

	s->switched |= type != NULL;
	if (event->lost_before) {
		s->last_ts = event->ts < s->last_ts ? event->ts : s->last_ts;
		ended = view_sched_lose(s, run);
	}
	s->last_ts = event->ts;
	/* Behind a loss nothing is known, so that a switch there ends nothing. */
	if (type && take_switch(s, type, event, ended ? &(struct view_run){0} : run))
		ended = true;
	else if (!type && !s->now.runs && s->switches->count)
		see(s, event);
	return ended;
}

/* At the end of the file the task still runs: the interval is open. */
bool view_sched_end(struct view_sched *s, uint64_t to, struct view_run *run)
{
	if (!s->now.runs)
		return end_seen(s, VIEW_CLOSED, run);
	*run = (struct view_run){s->now.since,	to > s->now.since ? to : s->now.since,
				 s->now.task,	s->now.pid,
				 VIEW_OPEN_END, false};
	s->now.runs = false;
	return true;
}
