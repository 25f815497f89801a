/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Parses saved_cmdlines, lines of "PID COMM", into a table of task names. A name goes to the
 * end of its line. The first line of another shape ends the table, as in libtraceevent. The
 * table is a hash with open addressing that is at most half full.
 */
#include "symbols.h"

#include <limits.h>
#include <stdlib.h>

#include "addr_table.h"
#include "lines.h"

struct slot {
	int32_t pid;
	uint32_t len;
	const uint8_t *comm; /* NULL: free */
};

struct model_tasks {
	size_t total;
	uint32_t mask;
	struct slot *slots;
};

/* sscanf("%d"): false when there is no number or it does not fit a long. */
static bool parse_pid(struct tdat_span line, size_t *pos, int32_t *pid)
{
	size_t i = model_skip_space(line, 0);
	bool negative = false;
	uint64_t v = 0;
	size_t start;

	if (i < line.len && (line.ptr[i] == '-' || line.ptr[i] == '+'))
		negative = line.ptr[i++] == '-';
	start = i;
	for (; i < line.len && line.ptr[i] >= '0' && line.ptr[i] <= '9'; i++) {
		if (__builtin_mul_overflow(v, 10u, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(line.ptr[i] - '0'), &v))
			return false;
	}
	if (i == start || v > (uint64_t)INT64_MAX + negative)
		return false;
	*pos = i;
	*pid = (int32_t)(uint32_t)(negative ? 0 - v : v);
	return true;
}

static bool parse_line(struct tdat_span line, int32_t *pid, struct tdat_span *comm)
{
	size_t pos;

	if (!parse_pid(line, &pos, pid))
		return false;
	pos = model_skip_space(line, pos);
	comm->ptr = line.ptr + pos;
	comm->len = line.len - pos;
	return comm->len > 0;
}

/* The pid as the address of the list: order only matters between equal ones. */
static bool read_lines(struct model_addr_list *list, struct tdat_span text)
{
	struct model_lines lines = model_lines_init(text);
	struct tdat_span line, comm;
	int32_t pid;

	while (model_lines_next(&lines, &line) && parse_line(line, &pid, &comm)) {
		uint64_t key = (uint64_t)((int64_t)pid - INT32_MIN);

		if (!model_addr_list_add(list, key, (size_t)(comm.ptr - text.ptr), comm.len))
			return false;
	}
	return true;
}

static uint32_t hash_pid(int32_t pid)
{
	return (uint32_t)(((uint64_t)(uint32_t)pid * 0x9e3779b97f4a7c15u) >> 32);
}

static const struct slot *find_slot(const struct model_tasks *t, int32_t pid)
{
	uint32_t i = hash_pid(pid) & t->mask;

	while (t->slots[i].comm && t->slots[i].pid != pid)
		i = (i + 1) & t->mask;
	return &t->slots[i];
}

static bool fill(struct model_tasks *t, struct tdat_span text, const struct model_addr_table *from)
{
	size_t cap = 2;
	size_t k;

	while (cap / 2 < from->count)
		cap *= 2;
	if (cap > UINT32_MAX)
		return false;
	t->total = from->total;
	t->mask = (uint32_t)(cap - 1);
	t->slots = (struct slot *)calloc(cap, sizeof(*t->slots));
	if (!t->slots)
		return false;
	for (k = 1; k <= from->count; k++) {
		int32_t pid = (int32_t)((int64_t)from->keys[k] + INT32_MIN);
		struct slot *s = &t->slots[find_slot(t, pid) - t->slots];

		s->pid = pid;
		s->comm = text.ptr + from->exact[k].off;
		s->len = from->exact[k].len;
	}
	return true;
}

enum tdat_status model_tasks_new(struct model_tasks **out, struct tdat_span text,
				 struct tdat_error *err)
{
	struct model_addr_list list = {NULL, 0, 0};
	struct model_addr_table table;
	struct model_tasks *t;
	bool ok;

	if (text.len > UINT32_MAX)
		return tdat_error_set(err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
				      "saved command lines have %zu bytes, more than %u", text.len,
				      UINT32_MAX);
	memset(&table, 0, sizeof(table));
	t = (struct model_tasks *)calloc(1, sizeof(*t));
	ok = t && read_lines(&list, text) && model_addr_table_init(&table, &list) &&
	     fill(t, text, &table);
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

uint32_t model_tasks_longest(const struct model_tasks *t)
{
	uint32_t i, len = 0;

	for (i = 0; i <= t->mask; i++)
		if (t->slots[i].len > len)
			len = t->slots[i].len;
	return len;
}

void model_tasks_cut(struct model_tasks *t, uint32_t most)
{
	uint32_t i;

	for (i = 0; i <= t->mask; i++)
		if (t->slots[i].len > most)
			t->slots[i].len = most;
}

void model_tasks_free(struct model_tasks *t)
{
	if (!t)
		return;
	free(t->slots);
	free(t);
}

size_t model_tasks_count(const struct model_tasks *t)
{
	return t ? t->total : 0;
}

size_t model_tasks_slots(const struct model_tasks *t)
{
	return (size_t)t->mask + 1;
}

bool model_tasks_slot(const struct model_tasks *t, size_t slot, int32_t *pid,
		      struct tdat_span *comm)
{
	const struct slot *s = &t->slots[slot];

	if (!s->comm)
		return false;
	*pid = s->pid;
	*comm = (struct tdat_span){s->comm, s->len};
	return true;
}

struct tdat_span model_tasks_known(const struct model_tasks *t, int32_t pid)
{
	struct tdat_span comm = {NULL, 0};
	const struct slot *s;

	if (!t)
		return comm;
	s = find_slot(t, pid);
	comm.ptr = s->comm;
	comm.len = s->comm ? s->len : 0;
	return comm;
}

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
