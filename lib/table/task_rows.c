/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table tasks: all names that a file says of its tasks. Those of saved_cmdlines have no time;
 * of those that events say, one row is from the first event to the last one of its pid that says so
 * without another name in between. The name that the task has in all other tables is marked.
 */
#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "meta.h"
#include "read/names.h"
#include "core/search.h"
#include "core/task_groups.h"

const struct meta_column meta_tasks_columns[] = {INT("pid", 4),	  TEXT("comm"),	 INT("tgid", 4),
						 TIME("from_ts"), TIME("to_ts"), TEXT("source"),
						 BOOL("used"),	  {.name = NULL}};

/*
 * A name of a pid, from one event on to another. span.order keeps equal pids in order of time when
 * spans are sorted.
 */
struct span {
	int32_t pid;
	size_t order;
	uint64_t from, to;
	const char *comm;
	const struct tdat_event_format *source;
};

/* The span that a pid had last, in the place of its lower bits. */
enum { RECENT = 1 << 12 };

/* All spans of one file while its events are read. */
struct spans {
	struct span *list;
	size_t count, cap;
	size_t recent[RECENT]; /* index + 1 */
	struct tdat_arena arena;
};

static bool same_text(const char *text, struct tdat_span s)
{
	return !strncmp(text, (const char *)s.ptr, s.len) && !text[s.len];
}

/*
 * Takes a name that an event says. Most events repeat the name that the pid had last, which only
 * moves the span's end. False: no memory.
 */
static bool note(void *ctx, const struct read_told *told)
{
	struct spans *s = ctx;
	size_t *recent = &s->recent[(uint32_t)told->pid % RECENT];
	struct span *at = *recent ? &s->list[*recent - 1] : NULL;
	char *comm;

	if (at && at->pid == told->pid && same_text(at->comm, told->comm)) {
		at->to = told->ts;
		return true;
	}
	comm = tdat_arena_strndup(&s->arena, told->comm.ptr, told->comm.len);
	if (!comm || !TDAT_GROW(s->list, &s->cap, s->count + 1))
		return false;
	s->list[s->count] =
		(struct span){told->pid, s->count, told->ts, told->ts, comm, told->format};
	*recent = ++s->count;
	return true;
}

/* Order of pid, then of time. */
static int by_pid(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	return TDAT_ORDER(x->pid, y->pid, TDAT_ORDER(x->order, y->order, 0));
}

/* Joins what a pid of the same lower bits has parted. */
static void join(struct spans *s)
{
	size_t out = 0;

	if (s->count)
		qsort(s->list, s->count, sizeof(*s->list), by_pid);
	for (size_t i = 0; i < s->count; i++) {
		struct span *last = out ? &s->list[out - 1] : NULL;

		if (last && last->pid == s->list[i].pid && !strcmp(last->comm, s->list[i].comm))
			last->to = s->list[i].to;
		else
			s->list[out++] = s->list[i];
	}
	s->count = out;
}

/*
 * Puts one row. span is NULL for a name of saved_cmdlines, which has no time; comm is null for a
 * task of which only the thread group is known.
 */
static bool put_row(struct meta_rows *r, const struct table_input *in, int32_t pid,
		    struct tdat_span comm, const struct span *span, bool used)
{
	const struct tdat_task_group *group = tdat_task_groups_find(in->groups, pid);

	meta_begin(r, in);
	row_put_int(&r->row, pid);
	row_put_text(&r->row, comm);
	row_put_known(&r->row, group, group ? (uint64_t)group->tgid : 0);
	row_put_known(&r->row, span, span ? span->from : 0);
	row_put_known(&r->row, span, span ? span->to : 0);
	if (span)
		row_put_str(&r->row, tdat_event_format_name(span->source));
	else
		row_put_str(&r->row, comm.ptr ? "saved_cmdlines" : NULL);
	row_put_bool(&r->row, used);
	return meta_row(r);
}

/*
 * Puts the rows of one pid, whose spans run from first to before end. A saved name is the one that
 * all tables use; without it the last one that an event said.
 */
static bool put_pid(struct meta_rows *r, const struct table_input *in, int32_t pid,
		    struct tdat_span saved, const struct span *first, const struct span *end)
{
	bool ok = true;

	if (saved.ptr || first == end)
		ok = put_row(r, in, pid, saved, NULL, true);
	for (; ok && first < end; first++) {
		const struct tdat_span comm = {(const uint8_t *)first->comm, strlen(first->comm)};

		ok = put_row(r, in, pid, comm, first, !saved.ptr && first + 1 == end);
	}
	return ok;
}

/* Merges three lists that are sorted by pid: saved names, spans and thread groups. */
static bool put_rows(struct meta_rows *r, const struct table_input *in, const struct spans *s)
{
	const struct model_tasks *saved = file_tasks(in->file);
	const size_t saved_count = model_tasks_count(saved);
	const struct span *span = s->list, *end = span + s->count;
	size_t i = 0, k = 0;
	bool ok = true;

	while (ok) {
		const struct span *first = span;
		struct tdat_span comm = {NULL, 0};
		int64_t pid = span < end ? span->pid : INT64_MAX;

		if (k < in->groups->count && in->groups->list[k].pid < pid)
			pid = in->groups->list[k].pid;
		if (i < saved_count && model_tasks_at(saved, i, &comm) <= pid)
			pid = model_tasks_at(saved, i++, &comm);
		else
			comm.ptr = NULL;
		if (pid == INT64_MAX)
			break;
		while (span < end && span->pid == pid)
			span++;
		while (k < in->groups->count && in->groups->list[k].pid == pid)
			k++;
		ok = put_pid(r, in, (int32_t)pid, comm, first, span);
	}
	return ok;
}

/*
 * Reads all events of the input once for their names, then puts the rows. False: no memory, or
 * r->error has a failure.
 */
bool meta_tasks_rows(struct meta_rows *r, const struct table_input *in)
{
	const struct tdat_iter_input *input = &r->trace->iter_inputs[in - r->trace->inputs];
	struct spans *s = calloc(1, sizeof(*s));
	const struct tdat_iter_opts opts = trace_iter_opts(r->trace);
	bool ok = s;

	if (ok)
		ok = read_names_told(input, &opts, note, s, &r->error) == TDAT_OK;
	if (ok) {
		join(s);
		ok = put_rows(r, in, s);
	}
	if (s) {
		tdat_arena_fini(&s->arena);
		free(s->list);
	}
	free(s);
	return ok;
}
