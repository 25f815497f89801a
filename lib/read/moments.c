/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads option TASK_NAMES: rows of a time, a pid and the name that it has from then on. They are
 * sorted once, when an iterator is made, and sought by halves. Names stay where they are, in the
 * bytes of the file.
 */
#include "moments.h"

#include <stdlib.h>

#include "core/cursor.h"
#include "core/grow.h"
#include "core/search.h"

static int by_pid_and_time(const void *a, const void *b)
{
	const struct read_moment *x = a, *y = b;

	return TDAT_ORDER(x->pid, y->pid,
			  TDAT_ORDER(x->ts, y->ts, TDAT_ORDER(x->comm.ptr, y->comm.ptr, 0)));
}

enum tdat_status read_moments_init(struct read_moments *m, const struct tdat_file *file,
				   struct tdat_error *err)
{
	const struct tdat_file_option *o = tdat_file_option_by_id(file, TDAT_OPTION_TASK_NAMES);
	struct tdat_cursor c;
	uint32_t rows;
	size_t cap = 0;

	*m = (struct read_moments){NULL, 0};
	if (!o)
		return TDAT_OK;
	c = tdat_cursor_init(o->data.ptr, o->data.len, 0, file->info.big_endian);
	for (rows = tdat_cursor_u32(&c); rows; rows--) {
		struct read_moment row, *list;

		row.ts = tdat_cursor_u64(&c);
		row.pid = (int32_t)tdat_cursor_u32(&c);
		row.comm = tdat_cursor_cstr(&c);
		if (!tdat_cursor_ok(&c))
			break;
		if (file_name_long(file, row.comm.len))
			row.comm.len = file_name_max(file);
		list = tdat_grown(m->list, &cap, m->count + 1, sizeof(*list));
		if (!list)
			return tdat_error_no_memory(err, "names of tasks");
		m->list = list;
		list[m->count++] = row;
	}
	if (m->count)
		qsort(m->list, m->count, sizeof(*m->list), by_pid_and_time);
	return TDAT_OK;
}

void read_moments_fini(struct read_moments *m)
{
	free(m->list);
}

struct tdat_span read_moments_find(const struct read_moments *m, int32_t pid, uint64_t ts)
{
	size_t i;

	TDAT_SEARCH(i, m->count,
		    m->list[i].pid < pid || (m->list[i].pid == pid && m->list[i].ts <= ts));
	if (!i || m->list[i - 1].pid != pid)
		return (struct tdat_span){NULL, 0};
	return m->list[i - 1].comm;
}
