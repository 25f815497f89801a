/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Keeps by pid what was emitted, so that the first name of a task stays and another one is told. */
#include "task_names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "text_lines.h"

enum { NAME_CAP = 256, SLOTS_FIRST = 256 };

struct task_slot {
	uint64_t line; /* that named the task, from 1; 0: the slot is free */
	uint64_t name; /* hash of its name */
	int32_t pid;
};

struct task_list {
	const char *file;
	const struct tdat_emit *emit;
	struct task_slot *slots; /* by hash of the pid; a power of two */
	size_t cap, count;
	struct tdat_hash_seed seed;
};

/* Returns the slot of a pid, or the free one for it; the table is never full. */
static struct task_slot *slot_of(struct tdat_hash_seed seed, struct task_slot *slots, size_t cap,
				 int32_t pid)
{
	size_t i = (size_t)tdat_hash_u64(seed, (uint32_t)pid) & (cap - 1);

	while (slots[i].line && slots[i].pid != pid)
		i = (i + 1) & (cap - 1);
	return &slots[i];
}

static bool grow(struct task_list *t)
{
	const size_t cap = t->cap ? t->cap * 2 : SLOTS_FIRST;
	struct task_slot *slots;

	if (t->count < t->cap / 2)
		return true;
	slots = calloc(cap, sizeof(*slots));
	if (!slots)
		return false;
	for (size_t i = 0; i < t->cap; i++)
		if (t->slots[i].line)
			*slot_of(t->seed, slots, cap, t->slots[i].pid) = t->slots[i];
	free(t->slots);
	t->slots = slots;
	t->cap = cap;
	return true;
}

/* Takes the pid from a line; *comm is what stands behind the blank. */
static bool split(struct tdat_span line, int32_t *pid, struct tdat_span *comm)
{
	int64_t v = 0;
	size_t i = 0;

	for (; i < line.len && line.ptr[i] >= '0' && line.ptr[i] <= '9' && v <= INT32_MAX; i++)
		v = v * 10 + (line.ptr[i] - '0');
	if (!i || i >= line.len || line.ptr[i] != ' ' || v > INT32_MAX)
		return false;
	*pid = (int32_t)v;
	*comm = (struct tdat_span){line.ptr + i + 1, line.len - i - 1};
	return comm->len < NAME_CAP && (!comm->len || !memchr(comm->ptr, 0, comm->len));
}

static enum tdat_status take_line(struct task_list *t, const struct import_line *line,
				  struct tdat_error *err)
{
	struct tdat_span comm;
	struct task_slot *slot;
	char name[NAME_CAP];
	uint64_t hash;
	int32_t pid;

	if (!line->text.len && !line->cut)
		return TDAT_OK;
	if (line->cut || !split(line->text, &pid, &comm))
		return tdat_emit_warnf(t->emit, t->file, line->off, err,
				       "line %" PRIu64 " is no process id and name", line->number);
	if (!grow(t))
		return tdat_error_no_memory(err, "names of tasks");
	hash = tdat_hash_bytes(t->seed, comm.ptr, comm.len);
	slot = slot_of(t->seed, t->slots, t->cap, pid);
	if (slot->line)
		return slot->name == hash ? TDAT_OK
					  : tdat_emit_warnf(t->emit, t->file, line->off, err,
							    "line %" PRIu64 " gives task %" PRId32
							    " another name than line %" PRIu64
							    ": it is left out",
							    line->number, pid, slot->line);
	*slot = (struct task_slot){line->number, hash, pid};
	t->count++;
	if (comm.len)
		memcpy(name, comm.ptr, comm.len);
	name[comm.len] = '\0';
	return t->emit->ops->comm(t->emit->ctx, pid, name, err);
}

enum tdat_status import_task_names(const char *name, const struct tdat_source *source,
				   const struct tdat_emit *emit, struct tdat_error *err)
{
	struct task_list t = {.file = name, .emit = emit, .seed = tdat_hash_seed()};
	struct import_lines lines;
	struct import_line line;
	enum tdat_status st;

	import_lines_init(&lines, source, 0);
	while ((st = import_lines_next(&lines, &line, err)) == TDAT_OK) {
		st = take_line(&t, &line, err);
		if (st != TDAT_OK)
			break;
	}
	import_lines_fini(&lines);
	free(t.slots);
	return st == TDAT_E_NOT_FOUND ? import_warn_unended(name, source, emit, err) : st;
}
