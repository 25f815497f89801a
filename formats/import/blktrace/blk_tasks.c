/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Keeps the names of tasks in a hash table. */
#include "blk_tasks.h"

#include <stdlib.h>
#include <string.h>

#include "core/hash.h"

enum { TASKS_MAX = 1 << 22 /* as many as Linux has pids */ };

void blk_tasks_fini(struct blk_tasks *t)
{
	free(t->slots);
}

/* Returns the slot of a pid, or the free one for it; the table is never full. */
static struct blk_task *slot_of(struct tdat_hash_seed seed, struct blk_task *table, size_t cap,
				uint32_t pid)
{
	size_t i = (size_t)tdat_hash_u64(seed, pid) & (cap - 1);

	while (table[i].used && table[i].pid != pid)
		i = (i + 1) & (cap - 1);
	return &table[i];
}

static bool grow(struct blk_tasks *t)
{
	size_t cap = t->cap ? t->cap * 2 : 256;
	struct blk_task *table = calloc(cap, sizeof(*table));

	if (!table)
		return false;
	if (!t->cap)
		t->seed = tdat_hash_seed();
	for (size_t i = 0; i < t->cap; i++)
		if (t->slots[i].used)
			*slot_of(t->seed, table, cap, t->slots[i].pid) = t->slots[i];
	free(t->slots);
	memset(t->recent, 0, sizeof(t->recent));
	t->slots = table;
	t->cap = cap;
	return true;
}

const char *blk_tasks_look(struct blk_tasks *t, uint32_t pid)
{
	static const char none[BLK_COMM_LEN] = "";
	const struct blk_task *slot = t->cap ? slot_of(t->seed, t->slots, t->cap, pid) : NULL;

	if (slot && slot->used)
		t->recent[pid % BLK_RECENT] = slot;
	return slot ? slot->comm : none;
}

bool blk_tasks_set(struct blk_tasks *t, uint32_t pid, struct tdat_span text, const char **comm)
{
	size_t max = text.len < BLK_COMM_LEN - 1 ? text.len : BLK_COMM_LEN - 1;
	size_t len = max ? strnlen((const char *)text.ptr, max) : 0;
	struct blk_task *slot;

	*comm = NULL;
	if (t->count == TASKS_MAX) {
		t->unnamed++;
		return true;
	}
	if (t->count >= t->cap / 2 && !grow(t))
		return false;
	slot = slot_of(t->seed, t->slots, t->cap, pid);
	t->count += !slot->used;
	slot->used = true;
	slot->pid = pid;
	memset(slot->comm, 0, BLK_COMM_LEN);
	if (len)
		memcpy(slot->comm, text.ptr, len);
	*comm = slot->comm;
	return true;
}
