/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Follows the names of tasks through the events that tell them. A trigger by comm needs the
 * name that the task had at that time. Events that hold a pid and a name (sched_switch,
 * task_rename and others) tell it; the names that the file saved are used where none did, with
 * a note. Names are kept by pid with a keyed hash, and all names that a task had stay valid for
 * entries that refer to them.
 */
#include "tasks.h"

#include "core/grow.h"
#include "core/map.h"
#include "event.h"
#include "read.h"

/* Fields of events that hold names, at most: those of hist_tasks_init(). */
enum { TELLERS = 10 };

/* Fields of an event that hold a pid and its name. */
struct teller {
	uint32_t id;
	const struct hist_efield *pid, *comm;
	bool after;   /* the name holds from this event on, and may be a new one */
	bool current; /* the name is that of the running task, which has no field of its own */
};

/* One name that a task had. Entries refer to it by its index + 1, so names are never removed. */
struct name {
	int32_t pid;
	bool known;
	uint8_t len;
	char text[HIST_COMM];
};

struct hist_tasks {
	struct teller tellers[TELLERS];
	size_t teller_count;
	bool tells[256]; /* by id & 255: one of the tellers may have it */
	struct name *names;
	size_t name_count, name_room;
	struct tdat_map map; /* of the last names of tasks, by pid */
};

/* Adds a pair of fields, if the file has the event. A name without a field cannot be read. */
static void add_teller(struct tdat_hist *h, const char *system, const char *event, const char *pid,
		       const char *comm, bool after)
{
	struct hist_tasks *t = h->tasks;
	struct hist_event *e = hist_event_find(h, system, event);
	struct teller *out = &t->tellers[t->teller_count];

	if (!e || t->teller_count == TELLERS)
		return;
	out->id = e->id;
	out->pid = hist_event_field(e, pid);
	out->comm = hist_event_field(e, comm);
	out->after = after;
	if (!out->pid || !out->pid->len || !out->comm || out->comm->kind == HIST_TYPE_COMM)
		return;
	t->tells[e->id & 255] = true;
	t->teller_count++;
}

bool hist_tasks_init(struct tdat_hist *h)
{
	struct hist_tasks *t = calloc(1, sizeof(*t));

	h->tasks = t;
	if (!t || !tdat_map_reserve(&t->map))
		return false;
	t->map.seed = h->seed;
	/* An event tells the name before it, or (true) the new name from it on. */
	add_teller(h, "sched", "sched_switch", "prev_pid", "prev_comm", false);
	add_teller(h, "sched", "sched_switch", "next_pid", "next_comm", false);
	add_teller(h, "sched", "sched_waking", "pid", "comm", false);
	add_teller(h, "sched", "sched_wakeup", "pid", "comm", false);
	add_teller(h, "sched", "sched_process_exit", "pid", "comm", false);
	add_teller(h, "sched", "sched_process_fork", "parent_pid", "parent_comm", false);
	add_teller(h, "sched", "sched_process_fork", "child_pid", "child_comm", true);
	add_teller(h, "task", "task_newtask", "pid", "comm", true);
	add_teller(h, "task", "task_rename", "pid", "oldcomm", false);
	add_teller(h, "task", "task_rename", "pid", "newcomm", true);
	return !h->nomem;
}

void hist_tasks_fini(struct tdat_hist *h)
{
	if (!h->tasks)
		return;
	free(h->tasks->names);
	tdat_map_fini(&h->tasks->map);
	free(h->tasks);
	h->tasks = NULL;
}

static uint64_t hash_of(const struct hist_tasks *t, int32_t pid)
{
	return tdat_hash_u64(t->map.seed, (uint32_t)pid);
}

/* The last name of a task, or TDAT_MAP_NONE. */
static uint32_t find(const struct hist_tasks *t, int32_t pid)
{
	uint32_t i;

	TDAT_MAP_FIND(i, &t->map, hash_of(t, pid), t->names[i].pid == pid);
	return i;
}

/* A new name of a task, not known yet, in the place of number last if it has one. */
static struct name *add_name(struct tdat_hist *h, int32_t pid, uint32_t last)
{
	struct hist_tasks *t = h->tasks;

	if (!hist_grown(h, TDAT_GROW(t->names, &t->name_room, t->name_count + 1) &&
				   tdat_map_reserve(&t->map)))
		return NULL;
	if (last != TDAT_MAP_NONE)
		tdat_map_remove(&t->map, hash_of(t, pid), last);
	tdat_map_put(&t->map, hash_of(t, pid), t->name_count);
	t->names[t->name_count] = (struct name){.pid = pid};
	return &t->names[t->name_count++];
}

static void set_text(struct name *n, struct tdat_span text)
{
	n->known = true;
	n->len = (uint8_t)(text.len < HIST_COMM ? text.len : HIST_COMM - 1);
	memcpy(n->text, text.ptr, n->len);
}

static void learn(struct tdat_hist *h, int32_t pid, struct tdat_span text, bool after)
{
	/*
	 * The task's last name is refined or replaced; older ones stay for entries that refer to
	 * them.
	 */
	const uint32_t last = find(h->tasks, pid);
	struct name *n = last == TDAT_MAP_NONE ? NULL : &h->tasks->names[last];

	if (n && n->known && n->len == text.len && !memcmp(n->text, text.ptr, n->len))
		return;
	/* A name that is told later is the one it had, unless it is a new one. */
	if (!n || n->known || after)
		n = add_name(h, pid, last);
	if (n)
		set_text(n, text);
}

static void learn_all(struct tdat_hist *h, uint32_t id, const struct hist_hit *hit, bool after)
{
	const struct hist_tasks *t = h->tasks;

	/* Most events tell no name: one look at a byte decides. */
	if (!t->tells[id & 255])
		return;
	for (size_t i = 0; i < t->teller_count; i++) {
		const struct teller *w = &t->tellers[i];
		struct tdat_span text;
		uint64_t pid;

		if (w->id == id && w->after == after && hist_read_number(h, w->pid, hit, &pid) &&
		    hist_read_bytes(h, w->comm, hit, &text))
			learn(h, (int32_t)pid, hist_until_nul(text), after);
	}
}

void hist_tasks_before(struct tdat_hist *h, uint32_t id, const struct hist_hit *hit)
{
	learn_all(h, id, hit, false);
}

void hist_tasks_after(struct tdat_hist *h, uint32_t id, const struct hist_hit *hit)
{
	learn_all(h, id, hit, true);
}

uint32_t hist_tasks_number(struct tdat_hist *h, int32_t pid)
{
	const uint32_t last = find(h->tasks, pid);

	if (last == TDAT_MAP_NONE && !add_name(h, pid, last))
		return 0;
	return find(h->tasks, pid) + 1;
}

/* The name saved when the recording ended. "<...>" is what the kernel prints for unknown pids. */
static struct tdat_span saved_name(const struct tdat_hist *h, int32_t pid)
{
	struct tdat_span s = tdat_file_comm(h->file, pid);

	if (!s.ptr)
		s = (struct tdat_span){(const uint8_t *)"<...>", 5};
	if (s.len >= HIST_COMM)
		s.len = HIST_COMM - 1;
	return s;
}

struct tdat_span hist_tasks_name(const struct tdat_hist *h, uint32_t number)
{
	const struct name *n;

	if (!number || number > h->tasks->name_count)
		return (struct tdat_span){(const uint8_t *)"<...>", 5};
	n = &h->tasks->names[number - 1];
	/* Pid 0 is the idle task of each CPU. */
	if (!n->pid)
		return (struct tdat_span){(const uint8_t *)"<idle>", 6};
	if (!n->known)
		return saved_name(h, n->pid);
	return (struct tdat_span){(const uint8_t *)n->text, n->len};
}

struct tdat_span hist_tasks_shown(struct tdat_hist *h, uint32_t number)
{
	if (number && number <= h->tasks->name_count && !h->tasks->names[number - 1].known &&
	    h->tasks->names[number - 1].pid)
		hist_note(h, "no event names some of the tasks: .execname shows the names saved at "
			     "the end of the recording");
	return hist_tasks_name(h, number);
}

struct tdat_span hist_tasks_now(const struct tdat_hist *h, int32_t pid)
{
	const uint32_t last = find(h->tasks, pid);

	return last == TDAT_MAP_NONE && pid ? saved_name(h, pid) : hist_tasks_name(h, last + 1);
}
