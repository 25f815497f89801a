/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Parses saved_cmdlines, lines of "PID COMM", into a table of task names. A name goes to the
 * end of its line. The first line of another shape ends the table, as in libtraceevent. The
 * table is a list by pid, with a map by pid.
 */
#include "core/search.h"
#include "symbols.h"

#include <limits.h>
#include <stdlib.h>

#include "core/arena.h"
#include "core/map.h"
#include "addr_table.h"
#include "core/text.h"

/* The name of one pid. comm points into the stored text unless it was set later. */
struct task {
	int32_t pid; /* first, for the order */
	uint32_t len;
	const uint8_t *comm;
	uint8_t *own; /* comm, where it was set: OWN_ROOM bytes or its length and a NUL */
};

/* TASK_COMM_LEN of the kernel: its names fit, so a name that changes often takes no more room. */
enum { OWN_ROOM = 16 };

/* Names of tasks, by pid. */
struct model_tasks {
	size_t total;	   /* lines, of which several may name one pid */
	struct task *list; /* by pid, each once */
	size_t count, room;
	struct tdat_arena arena; /* names that were added */
	struct tdat_map map;	 /* of the list, by pid */
};

/* Reads a pid as sscanf("%d") does. False: there is no number, or it does not fit a long. */
static bool parse_pid(struct tdat_span line, size_t *pos, int32_t *pid)
{
	size_t i = tdat_skip_space(line, 0);
	bool negative = false;
	size_t start;
	uint64_t v;

	if (i < line.len && (line.ptr[i] == '-' || line.ptr[i] == '+'))
		negative = line.ptr[i++] == '-';
	start = i;
	i += tdat_take_digits(&(struct tdat_span){line.ptr + i, line.len - i}, 10, &v);
	if (i == start || v > (uint64_t)INT64_MAX + negative)
		return false;
	*pos = i;
	/* glibc converts to a long first and stores its low half. */
	*pid = (int32_t)(uint32_t)(negative ? 0 - v : v);
	return true;
}

/*
 * Reads one line. False: it ends the table. A name may have blanks, so it goes to the end of the
 * line.
 */
bool model_tasks_line(struct tdat_span line, int32_t *pid, struct tdat_span *comm)
{
	size_t pos;

	if (!parse_pid(line, &pos, pid))
		return false;
	pos = tdat_skip_space(line, pos);
	comm->ptr = line.ptr + pos;
	comm->len = line.len - pos;
	return comm->len > 0;
}

/*
 * Adds the lines to a list whose addresses are pids. Only the order of equal pids matters: the
 * table finds the one that libtraceevent finds.
 */
static bool read_lines(struct model_addr_list *list, struct tdat_span text)
{
	struct tdat_lines lines = tdat_lines_init(text);
	struct tdat_span line, comm;
	int32_t pid;

	while (tdat_lines_next(&lines, &line) && model_tasks_line(line, &pid, &comm)) {
		uint64_t key = (uint64_t)((int64_t)pid - INT32_MIN);

		if (!model_addr_list_add(list, key, (size_t)(comm.ptr - text.ptr), comm.len))
			return false;
	}
	return true;
}

/* The seed is chance, so a hostile file cannot choose pids that collide. */
static uint64_t hash_of(const struct model_tasks *t, int32_t pid)
{
	return tdat_hash_u64(t->map.seed, (uint32_t)pid);
}

/* Returns the place of a pid in the list, or TDAT_MAP_NONE. */
static uint32_t find(const struct model_tasks *t, int32_t pid)
{
	uint32_t i;

	TDAT_MAP_FIND(i, &t->map, hash_of(t, pid), t->list[i].pid == pid);
	return i;
}

/* Sorts the list by pid, and makes the map anew. False: no memory. */
static bool enter(struct model_tasks *t)
{
	qsort(t->list, t->count, sizeof(*t->list), tdat_by_s32);
	tdat_map_clear(&t->map);
	if (!tdat_map_grow(&t->map, t->count))
		return false;
	for (size_t k = 0; k < t->count; k++)
		tdat_map_put(&t->map, hash_of(t, t->list[k].pid), k);
	return true;
}

/* Makes an empty table with a list for room tasks. */
static struct model_tasks *make(size_t room)
{
	struct model_tasks *t = (struct model_tasks *)calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->room = room + 1;
	t->list = (struct task *)calloc(t->room, sizeof(*t->list));
	if (t->list)
		return t;
	free(t);
	return NULL;
}

/* Takes the pids from the table of addresses, each once. */
static bool fill(struct model_tasks *t, struct tdat_span text, const struct model_addr_table *from)
{
	t->total = from->total;
	for (size_t k = 1; k <= from->count; k++) {
		struct task *task = &t->list[t->count++];

		task->pid = (int32_t)((int64_t)from->keys[k] + INT32_MIN);
		task->comm = text.ptr + from->exact[k].off;
		task->len = from->exact[k].len;
	}
	return enter(t);
}

/* Parses the text, which is borrowed until the table is freed. */
enum tdat_status model_tasks_new(struct model_tasks **out, struct tdat_span text,
				 struct tdat_error *err)
{
	struct model_addr_list list = {NULL, 0, 0};
	struct model_addr_table table;
	struct model_tasks *t = NULL;
	bool ok;

	if (text.len > UINT32_MAX)
		return tdat_error_set(err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
				      "saved command lines have %zu bytes, more than %u", text.len,
				      UINT32_MAX);
	memset(&table, 0, sizeof(table));
	/* The table of addresses chooses between lines of one pid; afterwards it is dropped. */
	ok = read_lines(&list, text) && model_addr_table_init(&table, &list);
	t = ok ? make(table.count) : NULL;
	ok = t && fill(t, text, &table);
	model_addr_list_fini(&list);
	model_addr_table_fini(&table);
	if (!ok) {
		model_tasks_free(t);
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
				      "no memory for %zu bytes of saved command lines", text.len);
	}
	*out = t;
	return TDAT_OK;
}

/* Copies a table that then gets names of its own; those of from stay borrowed. */
struct model_tasks *model_tasks_copy(const struct model_tasks *from)
{
	struct model_tasks *t = make(from->count);

	if (!t)
		return NULL;
	memcpy(t->list, from->list, from->count * sizeof(*t->list));
	t->count = from->count;
	if (enter(t))
		return t;
	model_tasks_free(t);
	return NULL;
}

/* Returns the entry of a pid, added if need be. NULL: no memory. */
static struct task *entry_of(struct model_tasks *t, int32_t pid)
{
	const uint32_t place = find(t, pid);

	if (place != TDAT_MAP_NONE)
		return &t->list[place];
	if (!TDAT_MAP_GROW(&t->map, t->list, &t->room))
		return NULL;
	t->list[t->count] = (struct task){.pid = pid};
	tdat_map_put(&t->map, hash_of(t, pid), t->count);
	return &t->list[t->count++];
}

/*
 * Sets the name of a pid, which is copied. A name of its own is overwritten in place if the new one
 * fits.
 */
bool model_tasks_set(struct model_tasks *t, int32_t pid, struct tdat_span comm)
{
	struct task *task = entry_of(t, pid);

	if (!task)
		return false;
	if (!task->own || comm.len > OWN_ROOM)
		task->own =
			tdat_arena_alloc(&t->arena, comm.len < OWN_ROOM ? OWN_ROOM : comm.len + 1);
	if (!task->own)
		return false;
	memcpy(task->own, comm.ptr, comm.len);
	task->comm = task->own;
	task->len = (uint32_t)comm.len;
	return true;
}

/* To be called after model_tasks_set(): added pids are at the end of the list until then. */
bool model_tasks_sort(struct model_tasks *t)
{
	return enter(t);
}

uint32_t model_tasks_longest(const struct model_tasks *t)
{
	uint32_t len = 0;
	size_t i;

	for (i = 0; i < t->count; i++)
		if (t->list[i].len > len)
			len = t->list[i].len;
	return len;
}

/* Cuts names to most bytes: the limit that lib/file/lazy.c sets for a file's names. */
void model_tasks_cut(struct model_tasks *t, uint32_t most)
{
	size_t i;

	for (i = 0; i < t->count; i++)
		if (t->list[i].len > most)
			t->list[i].len = most;
}

void model_tasks_free(struct model_tasks *t)
{
	if (!t)
		return;
	tdat_map_fini(&t->map);
	free(t->list);
	tdat_arena_fini(&t->arena);
	free(t);
}

/* Counts all lines, which learned_tasks.c needs to replay a search. */
size_t model_tasks_lines(const struct model_tasks *t)
{
	return t ? t->total : 0;
}

size_t model_tasks_count(const struct model_tasks *t)
{
	return t ? t->count : 0;
}

int32_t model_tasks_at(const struct model_tasks *t, size_t index, struct tdat_span *comm)
{
	const struct task *task = &t->list[index];

	*comm = (struct tdat_span){task->comm, task->len};
	return task->pid;
}

/* Returns how many pids are lower; the list must be sorted. */
size_t model_tasks_before(const struct model_tasks *t, int32_t pid)
{
	size_t i;

	TDAT_SEARCH(i, model_tasks_count(t), t->list[i].pid < pid);
	return i;
}

/* Returns the name of a pid; ptr NULL: there is none. */
struct tdat_span model_tasks_known(const struct model_tasks *t, int32_t pid)
{
	struct tdat_span comm = {NULL, 0};
	uint32_t i;

	if (!t)
		return comm;
	i = find(t, pid);
	if (i != TDAT_MAP_NONE) {
		comm.ptr = t->list[i].comm;
		comm.len = t->list[i].len;
	}
	return comm;
}

/* Returns a name to print: trace-cmd's "<idle>" for pid 0, "<...>" for unknown pids. */
struct tdat_span model_tasks_find(const struct model_tasks *t, int32_t pid)
{
	static const struct tdat_span idle = {(const uint8_t *)"<idle>", 6};
	static const struct tdat_span unknown = {(const uint8_t *)"<...>", 5};
	struct tdat_span comm;

	if (!pid)
		return idle;
	comm = model_tasks_known(t, pid);
	return comm.ptr ? comm : unknown;
}
