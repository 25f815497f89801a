/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Works out ahead of printing which task names the plugin sched_switch would remember. Names
 * depend on the order in which events are printed, so they are worked out by serial number
 * before threads print. Only text of trace-cmd needs them. State belongs to one iterator.
 */
#include "learned_tasks.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "native_util.h"

/* The name of one pid, from the event on at which it was learned. */
struct learn_slot {
	int32_t pid;
	uint32_t len;
	const uint8_t *comm;
	uint64_t serial;
	/*
	 * Of a pid that was named before the first look-up, perhaps several times or beside a
	 * stored name:
	 */
	size_t equal;  /* entries of this pid; 0: not early */
	size_t before; /* entries of smaller pids */
};

/*
 * The most names that are kept before the first look-up: a trace of nothing but idle tasks, which
 * are never looked up, must not take memory without end.
 */
enum { EARLY_MOST = 4096 };

/* A name from before the first look-up, when libtraceevent appends without searching. */
struct learn_early {
	int32_t pid;
	bool first; /* of its pid */
	uint32_t len;
	const uint8_t *comm;
};

void learned_tasks_init(struct learned_tasks *l, const struct model_tasks *tasks)
{
	memset(l, 0, sizeof(*l));
	l->tasks = tasks;
}

void learned_tasks_fini(struct learned_tasks *l)
{
	free(l->slots);
	tdat_map_fini(&l->map);
	free(l->early);
	tdat_arena_fini(&l->arena);
	memset(l, 0, sizeof(*l));
}

/* Returns the slot of pid, or NULL. */
static struct learn_slot *find_slot(const struct learned_tasks *l, int32_t pid)
{
	uint32_t i;

	TDAT_MAP_FIND(i, &l->map, tdat_hash_u64(l->map.seed, (uint32_t)pid),
		      l->slots[i].pid == pid);
	return i == TDAT_MAP_NONE ? NULL : &l->slots[i];
}

/*
 * Copies comm with a NUL to the arena: the record is gone when the name is printed. NULL: no
 * memory.
 */
static const uint8_t *keep(struct learned_tasks *l, struct tdat_span comm)
{
	const char *copy =
		tdat_arena_strndup(&l->arena, comm.len ? (const char *)comm.ptr : "", comm.len);

	if (!copy)
		l->failed = true;
	return (const uint8_t *)copy;
}

/* Makes the slot of pid; NULL: it has one, or there is no memory. */
static struct learn_slot *new_slot(struct learned_tasks *l, int32_t pid)
{
	struct learn_slot *slot;

	if (find_slot(l, pid))
		return NULL;
	if (!TDAT_MAP_GROW(&l->map, l->slots, &l->cap)) {
		l->failed = true;
		return NULL;
	}
	slot = &l->slots[tdat_map_add(&l->map, tdat_hash_u64(l->map.seed, (uint32_t)pid))];
	*slot = (struct learn_slot){.pid = pid};
	return slot;
}

/* ---- before the first look-up ---- */

/* Appends a name, also a further one of the same pid. */
static void learn_early(struct learned_tasks *l, int32_t pid, struct tdat_span comm)
{
	struct learn_early *p;

	if (l->early_count == EARLY_MOST)
		return;
	if (!TDAT_GROW(l->early, &l->early_cap, l->early_count + 1)) {
		l->failed = true;
		return;
	}
	p = &l->early[l->early_count];
	p->pid = pid;
	p->first = false;
	p->len = (uint32_t)comm.len;
	p->comm = keep(l, comm);
	if (p->comm)
		l->early_count++;
}

/*
 * Makes the slot of an early pid. It counts where its entries will lie in libtraceevent's sorted
 * list: early_name() replays the binary search on that. False: it has a slot already.
 */
static bool start_pid(struct learned_tasks *l, int32_t pid)
{
	struct learn_slot *s = new_slot(l, pid);
	size_t i;

	if (!s)
		return false;
	s->before = model_tasks_before(l->tasks, pid);
	s->equal = model_tasks_known(l->tasks, pid).ptr ? 1 : 0;
	for (i = 0; i < l->early_count; i++) {
		s->before += l->early[i].pid < pid;
		s->equal += l->early[i].pid == pid;
	}
	return true;
}

/* Ends the early time: from now on a known pid keeps its name. */
void learned_tasks_start(struct learned_tasks *l)
{
	size_t i;

	if (l->started)
		return;
	l->started = true;
	for (i = 0; i < l->early_count; i++)
		if (l->early[i].pid)
			l->early[i].first = start_pid(l, l->early[i].pid);
}

/*
 * Returns which of the equal entries bsearch() comes upon in a list of size entries: number 0 is
 * the newest early one, a stored one is the last.
 */
static size_t search_hit(const struct learn_slot *s, size_t size)
{
	size_t lo = 0, hi = size;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (mid < s->before)
			lo = mid + 1;
		else if (mid >= s->before + s->equal)
			hi = mid;
		else
			return mid - s->before;
	}
	return 0;
}

/*
 * Returns the name that libtraceevent finds for an early pid. The list grows with each later pid,
 * so the same pid may get another of its names.
 */
static struct tdat_span early_name(const struct learned_tasks *l, const struct learn_slot *s)
{
	size_t size = model_tasks_lines(l->tasks) + l->early_count + l->later;
	size_t hit = s->equal > 1 ? search_hit(s, size) : 0, i;

	for (i = l->early_count; i-- > 0;)
		if (l->early[i].pid == s->pid && !hit--)
			return (struct tdat_span){l->early[i].comm, l->early[i].len};
	return model_tasks_find(l->tasks, s->pid);
}

/* ---- from then on ---- */

/* Counts a new entry before all early pids that are larger. */
static void move_early(struct learned_tasks *l, int32_t pid)
{
	size_t i;

	for (i = 0; i < l->early_count; i++)
		if (l->early[i].first && l->early[i].pid > pid)
			find_slot(l, l->early[i].pid)->before++;
}

/* Learns one name. Once names were looked up only pids without a name get one. */
static void learn(struct learned_tasks *l, int32_t pid, struct tdat_span comm, uint64_t serial)
{
	const uint8_t *copy;
	struct learn_slot *s;

	if (!l->started) {
		learn_early(l, pid, comm);
		return;
	}
	if (!pid || model_tasks_known(l->tasks, pid).ptr || find_slot(l, pid))
		return;
	copy = keep(l, comm);
	s = copy ? new_slot(l, pid) : NULL;
	if (!s)
		return;
	s->comm = copy;
	s->len = (uint32_t)comm.len;
	s->serial = serial;
	l->later++;
	if (l->early_count)
		move_early(l, pid);
}

/* Notes where a pair of pid and comm lies, if the format has both. */
static void add_pair(struct learned_tasks_format *lf, const struct tdat_event_format *format,
		     const char *pid, const char *comm)
{
	struct native_field p = native_field_find(format, pid);
	struct native_field c = native_field_any(format, comm);

	if (!p.number || !c.found)
		return;
	lf->pairs[lf->pair_count].pid_off = p.off;
	lf->pairs[lf->pair_count].pid_len = p.len;
	lf->pairs[lf->pair_count].comm_off = c.off;
	lf->pairs[lf->pair_count].comm_len = c.len;
	lf->pair_count++;
}

void learned_tasks_format_init(struct learned_tasks_format *lf,
			       const struct tdat_event_format *format, bool wanted)
{
	memset(lf, 0, sizeof(*lf));
	lf->big = format->big;
	/* The plugin sched_switch remembers names of these three events only. */
	if (!wanted || strcmp(format->system, "sched"))
		return;
	if (!strcmp(format->name, "sched_switch")) {
		if (!native_field_find(format, "prev_pid").number)
			return; /* the plugin gives up before next_pid */
		add_pair(lf, format, "prev_pid", "prev_comm");
		add_pair(lf, format, "next_pid", "next_comm");
	} else if (!strcmp(format->name, "sched_wakeup") ||
		   !strcmp(format->name, "sched_wakeup_new")) {
		add_pair(lf, format, "pid", "comm");
	}
}

void learned_tasks_record(struct learned_tasks *l, const struct learned_tasks_format *lf,
			  struct tdat_span record, uint64_t serial)
{
	uint32_t i;

	for (i = 0; i < lf->pair_count; i++) {
		uint64_t pid =
			native_load(record, lf->pairs[i].pid_off, lf->pairs[i].pid_len, lf->big);

		learn(l, (int32_t)pid,
		      native_str(record, lf->pairs[i].comm_off, lf->pairs[i].comm_len), serial);
	}
}

struct tdat_span learned_tasks_find(const struct learned_tasks *l, int32_t pid, uint64_t serial)
{
	const struct learn_slot *s;
	struct tdat_span comm;

	if (!l->map.count || !pid || (!l->early_count && model_tasks_known(l->tasks, pid).ptr))
		return model_tasks_find(l->tasks, pid);
	s = find_slot(l, pid);
	if (s && s->equal)
		return early_name(l, s);
	if (!s || s->serial >= serial)
		/* A name of a later event is not known yet. */
		return model_tasks_find(l->tasks, pid);
	comm.ptr = s->comm;
	comm.len = s->len;
	return comm;
}
