/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Follows what a CPU runs from event to event, by the same rules as the table sched
 * (docs/analysis.md), and gives out an interval when it ends. Rules are added for the events before
 * the first switch of a CPU, and between a loss and the next switch: prev_pid ran since the first
 * of the events that have it as common_pid up to the switch. If a loss or the end of the file comes
 * before a switch, and all these events have the same common_pid, this task ran from the first to
 * the last of them.
 *
 * Threads: a struct view_sched belongs to one thread; the types are shared.
 */
#ifndef VIEW_DATA_SCHED_H
#define VIEW_DATA_SCHED_H

#include "tasks.h"
#include "trace.h"

/* One format of sched/sched_switch in a file. */
struct view_switch {
	uint32_t id;
	const struct tdat_field *prev_pid, *next_pid; /* NULL: it has none */
};

/* The formats of one file. */
struct view_switches {
	const struct tdat_file *file;
	struct view_switch *v;
	size_t count;
};

enum tdat_status view_switches_init(struct view_switches *s, struct tdat_file *file,
				    struct tdat_error *err);
void view_switches_fini(struct view_switches *s);

/* How an interval ended. */
enum view_open { VIEW_CLOSED, VIEW_OPEN_END, VIEW_OPEN_LOST, VIEW_OPEN_UNENDED };

/* A time on a CPU. */
struct view_run {
	uint64_t from, to;
	uint32_t task; /* VIEW_NO_TASK: more tasks than are kept */
	int32_t pid;
	enum view_open open;
	bool early; /* common_pid says that it ran, and no switch to it was recorded */
};

/*
 * What is known at a moment. seen: all events since then are of pid, which no switch has confirmed
 * yet. mixed: events before them, without a switch or a loss between, are of another task.
 */
struct view_running {
	uint64_t since;
	uint32_t task;
	int32_t pid;
	bool runs, seen, mixed;
};

struct view_sched {
	const struct view_switches *switches;
	struct view_tasks *tasks;
	uint32_t rec;
	struct view_running now;
	uint64_t last_ts; /* of the last event */
	bool switched;	  /* the CPU has a switch: common_pid alone proves nothing without it */
};

/* Gives the interval the number of its task. */
void view_sched_name(struct view_sched *s, struct view_run *run);

/*
 * Takes an event. True: an interval has ended, which *run is. What runs from then on is in now.
 */
bool view_sched_event(struct view_sched *s, const struct tdat_event *event, struct view_run *run);

/*
 * Makes unknown what runs from the last event on, and ends the interval there. True as above. An
 * early interval has no task while the CPU has no switch.
 */
bool view_sched_lose(struct view_sched *s, struct view_run *run);

/* Ends the interval of what runs at the end of the trace, if something does. True as above. */
bool view_sched_end(struct view_sched *s, uint64_t to, struct view_run *run);

#endif
