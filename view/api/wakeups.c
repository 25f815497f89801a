/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers with the wakeups of the tasks of a picture, behind its rows. Only tasks with a row in the
 * picture count. If the window has more than the pixels can show, the longest wakeup of a pixel
 * represents all that begin in it.
 */
#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "core/search.h"
#include "picture.h"

/* A wakeup, or the longest of `count` in a pixel. The mark is the track's. */
struct wakeup {
	const struct view_mark *mark;
	uint32_t rec;
	int32_t pid;
	uint64_t count;
};

struct wakeups {
	struct wakeup *v;
	size_t count, cap;
};

/* Called for each row of a task; the tracks are read when all rows are written. */
void view_picture_want_wakeups(struct view_picture *p, const struct view_track_key *key)
{
	if (!TDAT_GROW(p->woken, &p->woken_cap, p->woken_count + 1)) {
		p->failed = true;
		return;
	}
	p->woken[p->woken_count++] = (struct view_woken){key->rec, (int32_t)key->id, NULL};
}

/* By time, for all tasks together: the page draws arrows from left to right. */
static int by_time(const void *a, const void *b)
{
	const struct wakeup *x = a, *y = b;

	return TDAT_ORDER(x->mark->from, y->mark->from,
			  TDAT_ORDER(x->rec, y->rec, TDAT_ORDER(x->pid, y->pid, 0)));
}

/*
 * sched_waking comes before sched_wakeup and tells the waker (kernel/sched/core.c); "waking" is
 * null if only sched_wakeup was recorded.
 */
static void put_one(struct view_picture *p, const struct wakeup *w)
{
	const struct view_mark *m = w->mark;
	struct tdat_json *j = &p->q->json;
	const bool waking = m->wakeup != m->from;

	tdat_json_array(j, NULL);
	tdat_json_u64(j, NULL, w->rec);
	if (waking)
		view_json_offset(j, NULL, m->from, p->span.from);
	else
		tdat_json_null(j, NULL);
	if (m->wakeup == UINT64_MAX)
		tdat_json_null(j, NULL);
	else
		view_json_offset(j, NULL, m->wakeup, p->span.from);
	if (m->open == VIEW_CLOSED)
		view_json_offset(j, NULL, m->to, p->span.from);
	else
		tdat_json_null(j, NULL);
	tdat_json_i64(j, NULL, w->pid);
	tdat_json_i64(j, NULL, m->cpu);
	tdat_json_i64(j, NULL, (int32_t)m->name);
	tdat_json_i64(j, NULL, m->depth);
	if (m->open == VIEW_CLOSED)
		tdat_json_u64(j, NULL, m->to - m->from);
	else
		tdat_json_null(j, NULL);
	tdat_json_u64(j, NULL, w->count);
	tdat_json_array_end(j);
}

/* Lists the wakeups of a task of which a part of the latency lies in the window. */
static bool list_one(const struct view_picture *p, const struct view_woken *woken,
		     struct wakeups *list)
{
	const struct view_track *t = woken->track;

	for (size_t k = 0; t && k < t->count; k++) {
		const struct view_mark *m = &t->v[k];

		if (m->from > p->span.to || m->to < p->span.from)
			continue;
		if (!TDAT_GROW(list->v, &list->cap, list->count + 1))
			return false;
		list->v[list->count++] = (struct wakeup){m, woken->rec, woken->pid, m->count};
	}
	return true;
}

/*
 * Of the wakeups of a task that begin in one pixel the longest stays, with the sum of their counts.
 * Wakeups that began before the window have no pixel, and are kept. Wakeups of a task are together,
 * in the order of time.
 */
static void thin(const struct view_picture *p, struct wakeups *list)
{
	const uint64_t pixel = (p->span.to - p->span.from) / p->width + 1;
	uint64_t last = UINT64_MAX;
	size_t n = 0;

	for (size_t k = 0; k < list->count; k++) {
		const struct wakeup w = list->v[k];
		struct wakeup *before = n ? &list->v[n - 1] : NULL;
		const uint64_t at = w.mark->from >= p->span.from
					    ? (w.mark->from - p->span.from) / pixel
					    : UINT64_MAX;

		/* A task that is asked for twice begins again with an earlier mark. */
		if (!before || at != last || before->rec != w.rec || before->pid != w.pid ||
		    w.mark <= before->mark) {
			list->v[n++] = w;
		} else {
			before->count += w.count;
			if (w.mark->to - w.mark->from > before->mark->to - before->mark->from)
				before->mark = w.mark;
		}
		last = at;
	}
	list->count = n;
}

/* A task whose track failed is left out: its row has the error. */
void view_picture_put_wakeups(struct view_picture *p)
{
	static const char *const columns[] = {"rec", "waking", "wakeup",    "t1",
					      "pid", "cpu",    "waker_pid", "waker_cpu",
					      "dur", "n",      NULL};
	struct tdat_json *j = &p->q->json;
	struct wakeups list = {NULL, 0, 0};
	bool pending = false;
	size_t total;

	if (!p->woken_count)
		return;
	for (size_t i = 0; i < p->woken_count; i++) {
		const struct view_track_key key = {
			VIEW_TRACK_WAKEUP, p->woken[i].rec, p->woken[i].pid, "", "", false};
		struct tdat_error err = TDAT_ERROR_INIT;

		view_track_get(p->q->api->tracks, &key, &p->woken[i].track, &err);
		pending = pending || (!p->woken[i].track && err.status == TDAT_OK);
		p->failed = p->failed || !list_one(p, &p->woken[i], &list);
	}
	total = list.count;
	/* More than two a pixel cannot be told apart. */
	if (total > 2 * (size_t)p->width)
		thin(p, &list);
	if (list.count)
		qsort(list.v, list.count, sizeof(*list.v), by_time);
	tdat_json_object(j, "wakeups");
	tdat_json_u64(j, "total", total);
	if (pending)
		tdat_json_bool(j, "pending", true);
	view_json_columns(&p->q->json, columns);
	for (size_t i = 0; i < list.count; i++)
		put_one(p, &list.v[i]);
	tdat_json_array_end(j);
	tdat_json_object_end(j);
	free(list.v);
	for (size_t i = 0; i < p->woken_count; i++)
		view_cache_put(p->woken[i].track);
}
