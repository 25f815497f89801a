/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists the tasks that ran, with the time of each. Tasks and times come from the index, thread
 * groups from the file. A pid with several names is one task (view/data/task_sums.c).
 */
#include <stdlib.h>
#include <string.h>

#include "core/task_groups.h"
#include "answer.h"
#include "data/task_sums.h"

/* A number matches a pid, any text a part of a name, in either case. */
static bool matches(const struct view_task_sum *o, const char *match)
{
	char *end;
	long pid;

	if (!match || !*match)
		return true;
	pid = strtol(match, &end, 10);
	return (!*end && pid == o->pid) || strcasestr(o->comm, match);
}

/* Without a list all pids are wanted. */
static bool is_listed(const struct tdat_filter_opts *f, int32_t pid)
{
	for (size_t i = 0; i < f->pid_count; i++)
		if (f->pids[i] == pid)
			return true;
	return !f->pid_count;
}

/* tgid is null if the file has no saved_tgids or no entry of the pid. */
static void put_task(struct tdat_json *j, const struct view_trace *t, const struct view_task_sum *o)
{
	const struct tdat_task_group *group =
		tdat_task_groups_find(&t->groups[t->recs[o->rec].input], o->pid);

	tdat_json_object(j, NULL);
	tdat_json_u64(j, "rec", o->rec);
	tdat_json_i64(j, "pid", o->pid);
	if (group)
		tdat_json_i64(j, "tgid", group->tgid);
	else
		tdat_json_null(j, "tgid");
	tdat_json_str(j, "comm", o->comm);
	tdat_json_u64(j, "time", o->time);
	tdat_json_u64(j, "n", o->count);
	view_json_time(j, "first", o->first);
	view_json_time(j, "last", o->last);
	tdat_json_object_end(j);
}

/*
 * Answers also while the index is made: "partial" says so. "full": the table of tasks had no more
 * room.
 */
enum tdat_status view_answer_tasks(struct view_question *q)
{
	const struct view_index *ix = q->api->index;
	const bool partial = !view_index_complete(ix);
	const char *match = view_query_get(q->query, "match");
	uint64_t limit = 100, rec = UINT64_MAX;
	struct tdat_json *j = &q->json;
	struct view_task_sums sums;
	enum tdat_status st;
	size_t n = 0;

	if (view_query_u64(q->query, "limit", 0, 10000, &limit, q->err) ||
	    view_query_u64(q->query, "rec", 0, UINT32_MAX, &rec, q->err))
		return q->err->status;
	st = view_task_sums_make(&sums, ix, NULL, q->err);
	view_task_sums_join(&sums);
	for (size_t i = 0; i < sums.count; i++)
		if ((rec == UINT64_MAX || sums.v[i].rec == rec) &&
		    is_listed(&q->query->selection.filter, sums.v[i].pid) &&
		    matches(&sums.v[i], match))
			sums.v[n++] = sums.v[i];
	tdat_json_u64(j, "total", n);
	tdat_json_bool(j, "partial", partial);
	tdat_json_bool(j, "full", ix->tasks.full);
	tdat_json_array(j, "tasks");
	for (size_t i = 0; i < n && i < limit; i++)
		put_task(j, ix->trace, &sums.v[i]);
	tdat_json_array_end(j);
	view_task_sums_fini(&sums);
	return st;
}
