/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Gives threads pids: a thread number is the pid, and a pointer gets one that no task of Linux
 * has (docs/formats/ktr.md §7).
 */
#include "thread_pids.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"

enum { CAP_FIRST = 256, COMM_CAP = 64 };

void ktr_tasks_init(struct ktr_tasks *t)
{
	memset(t, 0, sizeof(*t));
}

void ktr_tasks_fini(struct ktr_tasks *t)
{
	free(t->threads.slots);
	free(t->named.slots);
	memset(t, 0, sizeof(*t));
}

static uint64_t mix(uint64_t key)
{
	key ^= key >> 32;
	key *= 0x9e3779b97f4a7c15ull;
	return key ^ key >> 29;
}

/* The slot of key, or the free one where it belongs. */
static struct ktr_task_slot *slot_of(const struct ktr_task_table *t, uint64_t key)
{
	size_t i = (size_t)tdat_hash_u64(t->seed, key) & (t->cap - 1);

	while (t->slots[i].key && t->slots[i].key != key)
		i = (i + 1) & (t->cap - 1);
	return &t->slots[i];
}

static bool table_grow(struct ktr_task_table *t)
{
	struct ktr_task_table bigger = {.cap = t->cap ? t->cap * 2 : CAP_FIRST,
					.count = t->count,
					.seed = tdat_hash_seed()};

	bigger.slots = calloc(bigger.cap, sizeof(*bigger.slots));
	if (!bigger.slots)
		return false;
	for (size_t i = 0; i < t->cap; i++)
		if (t->slots[i].key)
			*slot_of(&bigger, t->slots[i].key) = t->slots[i];
	free(t->slots);
	*t = bigger;
	return true;
}

/* *slot is NULL when the table is full; *made is set for a new one, still without key. */
static enum tdat_status find_or_make(struct ktr_task_table *t, uint64_t key,
				     struct ktr_task_slot **slot, bool *made,
				     struct tdat_error *err)
{
	struct ktr_task_slot **recent =
		&t->recent[(key * 0x9e3779b97f4a7c15ull >> 32) % KTR_RECENT];

	*made = false;
	*slot = *recent;
	if (*slot && (*slot)->key == key)
		return TDAT_OK;
	*slot = NULL;
	if (t->count * 2 >= t->cap && t->count < KTR_TASKS_MAX && !table_grow(t))
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
				      "no memory for %zu threads", t->count + 1);
	*slot = slot_of(t, key);
	if ((*slot)->key) {
		*recent = *slot;
		return TDAT_OK;
	}
	if (t->count == KTR_TASKS_MAX) {
		*slot = NULL;
		return TDAT_OK;
	}
	**slot = (struct ktr_task_slot){.key = key, .tid = -1};
	t->count++;
	*made = true;
	return TDAT_OK;
}

enum tdat_status ktr_tasks_thread(struct ktr_tasks *t, const struct tdat_emit *emit,
				  uint64_t thread, int32_t *pid, struct tdat_error *err)
{
	struct ktr_task_slot *slot;
	enum tdat_status st;
	char comm[32];
	bool made;

	*pid = 0;
	if (!thread)
		return TDAT_OK;
	st = find_or_make(&t->threads, thread, &slot, &made, err);
	if (st != TDAT_OK)
		return st;
	if (!slot) {
		/* More threads than are followed: still a pid of its own, most likely. */
		*pid = (int32_t)(1u << 30 | (mix(thread) & ((1u << 30) - 1)));
		return TDAT_OK;
	}
	if (made) {
		slot->pid = KTR_PID_FIRST + (int32_t)(t->threads.count - 1);
		snprintf(comm, sizeof(comm), "td_%" PRIx64, (uint64_t)(thread & 0xffffffffffffull));
		st = emit->ops->comm(emit->ctx, slot->pid, comm, err);
	}
	*pid = slot->tid >= 0 ? slot->tid : slot->pid;
	return st;
}

enum tdat_status ktr_tasks_learn(struct ktr_tasks *t, uint64_t thread, int32_t tid,
				 struct tdat_error *err)
{
	struct ktr_task_slot *slot;
	enum tdat_status st;
	bool made;

	if (!thread)
		return TDAT_OK;
	st = find_or_make(&t->threads, thread, &slot, &made, err);
	if (st != TDAT_OK || !slot)
		return st;
	if (made)
		slot->pid = KTR_PID_FIRST + (int32_t)(t->threads.count - 1);
	slot->tid = tid;
	return TDAT_OK;
}

enum tdat_status ktr_tasks_named(struct ktr_tasks *t, const struct tdat_emit *emit, int32_t tid,
				 struct tdat_span name, struct tdat_error *err)
{
	struct ktr_task_slot *slot;
	enum tdat_status st;
	char comm[COMM_CAP];
	size_t len = name.len < sizeof(comm) - 1 ? name.len : sizeof(comm) - 1;
	bool made;

	if (tid <= 0 || !len)
		return TDAT_OK;
	st = find_or_make(&t->named, (uint64_t)tid + 1, &slot, &made, err);
	if (st != TDAT_OK || !made)
		return st;
	memcpy(comm, name.ptr, len);
	comm[len] = '\0';
	return emit->ops->comm(emit->ctx, tid, comm, err);
}
