/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists the tasks that ran, with the time of each. Tasks and times come from the index, names and
 * thread groups from the file. A pid with several names is one task with the name that it had
 * longest.
 */
#include <stdlib.h>
#include <string.h>

#include "core/task_groups.h"
#include "answer.h"

/*
 * A task: a pid with the names that it had. time is in units of the clock, count the number of
 * intervals, first and last are times on a CPU.
 */
struct task_sum {
	uint32_t rec;
	int32_t pid;
	const char *comm; /* the one it had longest */
	uint64_t longest, time, count, first, last;
};

/* Brings the names of a pid together, the one with the most time first: join() keeps that name. */
static int by_pid(const void *a, const void *b)
{
	const struct task_sum *x = a, *y = b;

	if (x->rec != y->rec)
		return x->rec < y->rec ? -1 : 1;
	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	return strcmp(x->comm, y->comm);
}

static int by_time(const void *a, const void *b)
{
	const struct task_sum *x = a, *y = b;

	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	if (x->rec != y->rec)
		return x->rec < y->rec ? -1 : 1;
	return (x->pid > y->pid) - (x->pid < y->pid);
}

/* Joins the names of each pid in place. Returns the number of pids. */
static size_t join(struct task_sum *v, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		struct task_sum *last = kept ? &v[kept - 1] : NULL;

		if (!last || last->rec != v[i].rec || last->pid != v[i].pid) {
			v[kept++] = v[i];
			continue;
		}
		last->time += v[i].time;
		last->count += v[i].count;
		if (v[i].first < last->first)
			last->first = v[i].first;
		if (v[i].last > last->last)
			last->last = v[i].last;
	}
	return kept;
}

/* A number matches a pid, any text a part of a name, in either case. */
static bool matches(const struct task_sum *o, const char *match)
{
	char *end;
	long pid;

	if (!match || !*match)
		return true;
	pid = strtol(match, &end, 10);
	return (!*end && pid == o->pid) || strcasestr(o->comm, match);
}

/*
 * Fills v with the matching tasks, the longest first. Other threads may be adding to the sums; each
 * is read once.
 */
static size_t list_tasks(const struct view_index *ix, const char *match, struct task_sum *v,
			 uint32_t count, uint64_t rec)
{
	size_t n = 0, kept = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct view_task *t = view_task(&ix->tasks, i);
		const uint64_t runs = __atomic_load_n(&t->count, __ATOMIC_RELAXED);

		if (!runs || (rec != UINT64_MAX && t->rec != rec))
			continue;
		v[n++] = (struct task_sum){t->rec,
					   t->pid,
					   t->comm,
					   0,
					   __atomic_load_n(&t->time, __ATOMIC_RELAXED),
					   runs,
					   __atomic_load_n(&t->first, __ATOMIC_RELAXED),
					   __atomic_load_n(&t->last, __ATOMIC_RELAXED)};
	}
	qsort(v, n, sizeof(*v), by_pid);
	n = join(v, n);
	for (size_t i = 0; i < n; i++)
		if (matches(&v[i], match))
			v[kept++] = v[i];
	qsort(v, kept, sizeof(*v), by_time);
	return kept;
}

/* tgid is null if the file has no saved_tgids or no entry of the pid. */
static void put_task(struct tdat_json *j, const struct view_trace *t, const struct task_sum *o)
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

/* Returns the tasks whose rows the page shows first; without memory there is none. */
size_t view_longest_tasks(const struct view_index *ix, struct view_longest *out, size_t most)
{
	const uint32_t count = __atomic_load_n(&ix->tasks.count, __ATOMIC_ACQUIRE);
	struct task_sum *v = calloc((size_t)count + 1, sizeof(*v));
	const size_t n = v ? list_tasks(ix, NULL, v, count, UINT64_MAX) : 0;
	size_t kept = 0;

	for (size_t i = 0; i < n && kept < most; i++)
		if (v[i].pid)
			out[kept++] = (struct view_longest){v[i].rec, v[i].pid};
	free(v);
	return kept;
}

/*
 * Answers also while the index is made: "partial" says so. "full": the table of tasks had no more
 * room.
 */
enum tdat_status view_answer_tasks(struct view_question *q)
{
	const struct view_index *ix = q->api->index;
	const uint32_t count = __atomic_load_n(&ix->tasks.count, __ATOMIC_ACQUIRE);
	const bool partial = !view_index_complete(ix);
	uint64_t limit = 100, rec = UINT64_MAX;
	struct tdat_json *j = &q->json;
	struct task_sum *v;
	size_t n;

	if (view_query_u64(q->query, "limit", 0, 10000, &limit, q->err) ||
	    view_query_u64(q->query, "rec", 0, UINT32_MAX, &rec, q->err))
		return q->err->status;
	v = calloc((size_t)count + 1, sizeof(*v));
	if (!v)
		return tdat_error_no_memory(q->err, "tasks");
	n = list_tasks(ix, view_query_get(q->query, "match"), v, count, rec);
	tdat_json_object(j, NULL);
	tdat_json_u64(j, "total", n);
	tdat_json_bool(j, "partial", partial);
	tdat_json_bool(j, "full", ix->tasks.full);
	tdat_json_array(j, "tasks");
	for (size_t i = 0; i < n && i < limit; i++)
		put_task(j, ix->trace, &v[i]);
	tdat_json_array_end(j);
	tdat_json_object_end(j);
	free(v);
	return view_answer_fits(q, "ask for fewer tasks by limit");
}
