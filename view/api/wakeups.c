/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers with the wakeups of the tasks of a picture. */
#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "picture.h"

struct wakeup {
	const struct view_mark *mark;
	uint32_t rec;
	int32_t pid;
	uint64_t count;
};

void view_picture_want_wakeups(struct view_picture *p, const struct view_track_key *key)
{
	struct view_woken *grown =
		tdat_grown(p->woken, &p->woken_cap, p->woken_count + 1, sizeof(*grown));

	if (!grown) {
		p->failed = true;
		return;
	}
	p->woken = grown;
	grown[p->woken_count++] = (struct view_woken){key->rec, (int32_t)key->id, NULL};
}

static int by_time(const void *a, const void *b)
{
	const struct wakeup *x = a, *y = b;

	if (x->mark->from != y->mark->from)
		return x->mark->from < y->mark->from ? -1 : 1;
	if (x->rec != y->rec)
		return x->rec < y->rec ? -1 : 1;
	return (x->pid > y->pid) - (x->pid < y->pid);
}

static void put_one(struct view_picture *p, const struct wakeup *w)
{
	const struct view_mark *m = w->mark;
	struct view_json *j = &p->q->json;
	const bool waking = m->wakeup != m->from;

	view_json_array(j, NULL);
	view_json_u64(j, NULL, w->rec);
	if (waking)
		view_json_offset(j, NULL, m->from, p->span.from);
	else
		view_json_null(j, NULL);
	if (m->wakeup == UINT64_MAX)
		view_json_null(j, NULL);
	else
		view_json_offset(j, NULL, m->wakeup, p->span.from);
	if (m->open == VIEW_CLOSED)
		view_json_offset(j, NULL, m->to, p->span.from);
	else
		view_json_null(j, NULL);
	view_json_i64(j, NULL, w->pid);
	view_json_i64(j, NULL, m->cpu);
	view_json_i64(j, NULL, (int32_t)m->name);
	view_json_i64(j, NULL, m->depth);
	if (m->open == VIEW_CLOSED)
		view_json_u64(j, NULL, m->to - m->from);
	else
		view_json_null(j, NULL);
	view_json_u64(j, NULL, w->count);
	view_json_array_end(j);
}

static size_t list_all(struct view_picture *p, struct wakeup **out)
{
	size_t count = 0, cap = 0;

	for (size_t i = 0; i < p->woken_count; i++) {
		const struct view_track *t = p->woken[i].track;

		for (size_t k = 0; t && k < t->count; k++) {
			struct wakeup *grown;

			if (t->v[k].from > p->span.to || t->v[k].to < p->span.from)
				continue;
			grown = tdat_grown(*out, &cap, count + 1, sizeof(*grown));
			if (!grown) {
				p->failed = true;
				return count;
			}
			*out = grown;
			grown[count++] = (struct wakeup){&t->v[k], p->woken[i].rec, p->woken[i].pid,
							 t->v[k].count};
		}
	}
	if (count)
		qsort(*out, count, sizeof(**out), by_time);
	return count;
}

/* Keeps one wakeup for each pixel and task: the longest. */
static size_t thin(const struct view_picture *p, struct wakeup *v, size_t count)
{
	const uint64_t pixel = (p->span.to - p->span.from) / p->width + 1;
	size_t kept = 0, first = 0;

	for (size_t i = 0; i < count; i++) {
		size_t k = first;

		if (kept && (v[i].mark->from - p->span.from) / pixel !=
				    (v[kept - 1].mark->from - p->span.from) / pixel)
			k = first = kept;
		while (k < kept && (v[k].pid != v[i].pid || v[k].rec != v[i].rec))
			k++;
		if (k == kept) {
			v[kept++] = v[i];
			continue;
		}
		v[i].count += v[k].count;
		if (v[i].mark->to - v[i].mark->from > v[k].mark->to - v[k].mark->from)
			v[k] = v[i];
		else
			v[k].count = v[i].count;
	}
	return kept;
}

void view_picture_put_wakeups(struct view_picture *p)
{
	static const char *const columns[] = {"rec", "waking", "wakeup",    "t1",
					      "pid", "cpu",    "waker_pid", "waker_cpu",
					      "dur", "n",      NULL};
	struct view_json *j = &p->q->json;
	struct wakeup *v = NULL;
	bool pending = false;
	size_t count;

	if (!p->woken_count)
		return;
	for (size_t i = 0; i < p->woken_count; i++) {
		const struct view_track_key key = {VIEW_TRACK_WAKEUP, p->woken[i].rec,
						   p->woken[i].pid, "", ""};
		struct tdat_error err = TDAT_ERROR_INIT;

		view_track_get(p->q->api->tracks, &key, &p->woken[i].track, &err);
		pending = pending || (!p->woken[i].track && err.status == TDAT_OK);
	}
	count = list_all(p, &v);
	view_json_object(j, "wakeups");
	view_json_u64(j, "total", count);
	if (pending)
		view_json_bool(j, "pending", true);
	if (count > 2 * (size_t)p->width)
		count = thin(p, v, count);
	view_picture_columns(p, columns);
	view_json_array(j, "cells");
	for (size_t i = 0; i < count; i++)
		put_one(p, &v[i]);
	view_json_array_end(j);
	view_json_object_end(j);
	free(v);
	for (size_t i = 0; i < p->woken_count; i++)
		view_track_put(p->q->api->tracks, p->woken[i].track);
}
