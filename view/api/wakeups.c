/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers with the wakeups of the tasks of a picture, behind its rows. Only tasks with a row in the
 * picture count. If the window has more than the pixels can show, the longest wakeup of a pixel
 * represents all that begin in it.
 */
#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "picture.h"

/* A wakeup, or the longest of `count` in a pixel. The mark is the track's. */
struct wakeup {
	const struct view_mark *mark;
	uint32_t rec;
	int32_t pid;
	uint64_t count;
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

	if (x->mark->from != y->mark->from)
		return x->mark->from < y->mark->from ? -1 : 1;
	if (x->rec != y->rec)
		return x->rec < y->rec ? -1 : 1;
	return (x->pid > y->pid) - (x->pid < y->pid);
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

/* True if a part of the latency lies in the window. */
static bool in_window(const struct view_picture *p, const struct view_mark *m)
{
	return m->from <= p->span.to && m->to >= p->span.from;
}

/* The number decides whether wakeups are thinned, for all tasks alike. */
static size_t count_all(const struct view_picture *p)
{
	size_t count = 0;

	for (size_t i = 0; i < p->woken_count; i++) {
		const struct view_track *t = p->woken[i].track;

		for (size_t k = 0; t && k < t->count; k++)
			count += in_window(p, &t->v[k]);
	}
	return count;
}

/*
 * Lists the wakeups of a task. With thin, those that begin in one pixel become one: the longest,
 * with the sum of their counts.
 */
static size_t list_one(const struct view_picture *p, const struct view_woken *woken, bool thin,
		       struct wakeup *v)
{
	const uint64_t pixel = thin ? (p->span.to - p->span.from) / p->width + 1 : 0;
	const struct view_track *t = woken->track;
	uint64_t last = 0;
	size_t n = 0;

	for (size_t k = 0; t && k < t->count; k++) {
		const struct view_mark *m = &t->v[k];
		uint64_t at;

		if (!in_window(p, m))
			continue;
		/* Wakeups that began before the window have no pixel, and are kept. */
		at = pixel && m->from >= p->span.from ? (m->from - p->span.from) / pixel
						      : UINT64_MAX;
		if (!pixel || !n || at != last) {
			v[n++] = (struct wakeup){m, woken->rec, woken->pid, m->count};
		} else {
			v[n - 1].count += m->count;
			if (m->to - m->from > v[n - 1].mark->to - v[n - 1].mark->from)
				v[n - 1].mark = m;
		}
		last = at;
	}
	return n;
}

/* More than two a pixel cannot be told apart. *out belongs to the caller, also after a failure. */
static size_t list_all(struct view_picture *p, size_t total, struct wakeup **out)
{
	const bool thin = total > 2 * (size_t)p->width;
	size_t count = 0;

	*out = calloc(total + 1, sizeof(**out));
	if (!*out) {
		p->failed = true;
		return 0;
	}
	for (size_t i = 0; i < p->woken_count; i++)
		count += list_one(p, &p->woken[i], thin, *out + count);
	if (count)
		qsort(*out, count, sizeof(**out), by_time);
	return count;
}

/* A task whose track failed is left out: its row has the error. */
void view_picture_put_wakeups(struct view_picture *p)
{
	static const char *const columns[] = {"rec", "waking", "wakeup",    "t1",
					      "pid", "cpu",    "waker_pid", "waker_cpu",
					      "dur", "n",      NULL};
	struct tdat_json *j = &p->q->json;
	struct wakeup *v = NULL;
	bool pending = false;
	size_t count, total;

	if (!p->woken_count)
		return;
	for (size_t i = 0; i < p->woken_count; i++) {
		const struct view_track_key key = {
			VIEW_TRACK_WAKEUP, p->woken[i].rec, p->woken[i].pid, "", "", false};
		struct tdat_error err = TDAT_ERROR_INIT;

		view_track_get(p->q->api->tracks, &key, &p->woken[i].track, &err);
		pending = pending || (!p->woken[i].track && err.status == TDAT_OK);
	}
	total = count_all(p);
	count = list_all(p, total, &v);
	tdat_json_object(j, "wakeups");
	tdat_json_u64(j, "total", total);
	if (pending)
		tdat_json_bool(j, "pending", true);
	view_picture_columns(p, columns);
	tdat_json_array(j, "cells");
	for (size_t i = 0; i < count; i++)
		put_one(p, &v[i]);
	tdat_json_array_end(j);
	tdat_json_object_end(j);
	free(v);
	for (size_t i = 0; i < p->woken_count; i++)
		view_cache_put(p->woken[i].track);
}
