/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "learn.h"

#include <stdlib.h>
#include <string.h>

#include "../core/checked.h"
#include "native_util.h"

struct learn_slot {
	int32_t pid; /* 0: free */
	uint32_t len;
	const uint8_t *comm;
	uint64_t place;
};

void model_learn_init(struct model_learn *l, const struct model_tasks *tasks)
{
	memset(l, 0, sizeof(*l));
	l->tasks = tasks;
}

void model_learn_fini(struct model_learn *l)
{
	free(l->slots);
	tdat_arena_fini(&l->arena);
	memset(l, 0, sizeof(*l));
}

static size_t hash_pid(int32_t pid)
{
	return (size_t)(((uint64_t)(uint32_t)pid * 0x9e3779b97f4a7c15u) >> 32);
}

/* The slot of pid, or the free one it would get; l->cap is not 0. */
static struct learn_slot *find_slot(struct learn_slot *slots, size_t cap, int32_t pid)
{
	size_t i = hash_pid(pid) & (cap - 1);

	while (slots[i].pid && slots[i].pid != pid)
		i = (i + 1) & (cap - 1);
	return &slots[i];
}

static bool grow(struct model_learn *l)
{
	size_t cap = l->cap ? l->cap * 2 : 64;
	struct learn_slot *slots;
	size_t i;

	if (cap < l->cap)
		return false;
	slots = (struct learn_slot *)calloc(cap, sizeof(*slots));
	if (!slots)
		return false;
	for (i = 0; i < l->cap; i++)
		if (l->slots[i].pid)
			*find_slot(slots, cap, l->slots[i].pid) = l->slots[i];
	free(l->slots);
	l->slots = slots;
	l->cap = cap;
	return true;
}

static void learn(struct model_learn *l, int32_t pid, struct tdat_span comm, uint64_t place)
{
	struct learn_slot *s;

	if (!pid || model_tasks_known(l->tasks, pid).ptr)
		return;
	if (2 * l->count >= l->cap && !grow(l)) {
		l->failed = true;
		return;
	}
	s = find_slot(l->slots, l->cap, pid);
	if (s->pid)
		return;
	s->comm = (const uint8_t *)tdat_arena_strndup(
		&l->arena, comm.len ? (const char *)comm.ptr : "", comm.len);
	if (!s->comm) {
		l->failed = true;
		return;
	}
	s->pid = pid;
	s->len = (uint32_t)comm.len;
	s->place = place;
	l->count++;
}

static void add_pair(struct model_learn_format *lf, const struct tdat_format *format,
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

void model_learn_format_init(struct model_learn_format *lf, const struct tdat_format *format,
			     enum model_print_style style)
{
	memset(lf, 0, sizeof(*lf));
	lf->big = format->big;
	if (style != MODEL_PRINT_FMT || strcmp(format->system, "sched"))
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

void model_learn_record(struct model_learn *l, const struct model_learn_format *lf,
			struct tdat_span record, uint64_t place)
{
	uint32_t i;

	for (i = 0; i < lf->pair_count; i++) {
		uint64_t pid =
			native_load(record, lf->pairs[i].pid_off, lf->pairs[i].pid_len, lf->big);

		if ((int32_t)pid)
			learn(l, (int32_t)pid,
			      native_str(record, lf->pairs[i].comm_off, lf->pairs[i].comm_len),
			      place);
	}
}

struct tdat_span model_learn_find(const struct model_learn *l, int32_t pid, uint64_t place)
{
	const struct learn_slot *s;
	struct tdat_span comm;

	if (!l->count || !pid || model_tasks_known(l->tasks, pid).ptr)
		return model_tasks_find(l->tasks, pid);
	s = find_slot(l->slots, l->cap, pid);
	if (!s->pid || s->place >= place)
		return model_tasks_find(l->tasks, pid);
	comm.ptr = s->comm;
	comm.len = s->len;
	return comm;
}
