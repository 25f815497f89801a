/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Imports names of tasks: saved_cmdlines of tracefs or a user's list, "PID NAME" a line. The first
 * name of a task is emitted and stays; another one costs a warning. Pids are kept in a keyed hash.
 * Called by the importers of tracefs and user_events.
 */
#include "task_names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/map.h"
#include "core/text.h"
#include "text_lines.h"

/* Bytes of a name, with the NUL; longer names are refused. */
enum { NAME_CAP = 256 };

struct task {
	uint64_t line; /* that named the task */
	uint64_t name; /* hash of its name */
	int32_t pid;
};

/* State of one list. */
struct task_list {
	const char *file;
	const struct tdat_emit *emit;
	struct task *v;
	size_t cap;
	struct tdat_map map;
	/*
	 * Seed of the names' hashes: names are compared by hash only, so it must not be guessable.
	 */
	struct tdat_hash_seed names;
};

/* Finds the task of a pid, or adds the given one. NULL: no memory. Valid until the next call. */
static struct task *take_task(struct task_list *t, const struct task *task)
{
	uint64_t hash;
	uint32_t i;

	if (!TDAT_MAP_GROW(&t->map, t->v, &t->cap))
		return NULL;
	hash = tdat_hash_u64(t->map.seed, (uint32_t)task->pid);
	TDAT_MAP_FIND(i, &t->map, hash, t->v[i].pid == task->pid);
	if (i == TDAT_MAP_NONE) {
		i = tdat_map_add(&t->map, hash);
		t->v[i] = *task;
	}
	return &t->v[i];
}

/*
 * Takes the pid from a line; *comm is the rest behind the blank. False: the line is not "PID NAME",
 * or the name is unusable.
 */
static bool split(struct tdat_span line, int32_t *pid, struct tdat_span *comm)
{
	uint64_t v;

	if (!tdat_take_digits(&line, 10, &v) || !line.len || *line.ptr != ' ' || v > INT32_MAX)
		return false;
	*pid = (int32_t)v;
	*comm = (struct tdat_span){line.ptr + 1, line.len - 1};
	return comm->len < NAME_CAP && (!comm->len || !memchr(comm->ptr, 0, comm->len));
}

/* Emits the name of one line, unless the pid has one already. */
static enum tdat_status take_line(struct task_list *t, const struct import_line *line,
				  struct tdat_error *err)
{
	struct tdat_span comm;
	struct task *task;
	char name[NAME_CAP];
	uint64_t hash;
	int32_t pid;

	if (!line->text.len && !line->cut)
		return TDAT_OK;
	if (line->cut || !split(line->text, &pid, &comm))
		return tdat_emit_warnf(t->emit, t->file, line->off, err,
				       "line %" PRIu64 " is not a process id and a name",
				       line->number);
	hash = tdat_hash_bytes(t->names, comm.ptr, comm.len);
	task = take_task(t, &(struct task){line->number, hash, pid});
	if (!task)
		return tdat_error_no_memory(err, "names of tasks");
	/* The pid was named before: the same name again is harmless, another one is reported. */
	if (task->line != line->number)
		return task->name == hash ? TDAT_OK
					  : tdat_emit_warnf(t->emit, t->file, line->off, err,
							    "line %" PRIu64 " gives task %" PRId32
							    " another name than line %" PRIu64
							    " and is ignored",
							    line->number, pid, task->line);
	if (comm.len)
		memcpy(name, comm.ptr, comm.len);
	name[comm.len] = '\0';
	return tdat_emit_comm(t->emit, pid, name, err);
}

/* Emits the names of a whole list. */
enum tdat_status import_task_names(const char *name, const struct tdat_source *source,
				   const struct tdat_emit *emit, struct tdat_error *err)
{
	struct task_list t = {.file = name, .emit = emit, .names = tdat_hash_seed()};
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
	free(t.v);
	tdat_map_fini(&t.map);
	/* All lines were read; the file may still have been cut within its last one. */
	return st == TDAT_E_NOT_FOUND ? import_warn_unended(name, source, emit, err) : st;
}
