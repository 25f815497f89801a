/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers with the distribution of the wakeup latencies in a span, and with the longest. Rows come
 * from the table wakeup through a track (view/data/tracks.c). Quantiles cover only the span of the
 * question, exactly: every latency is sorted.
 */
#include <stdlib.h>

#include "core/search.h"

#include "answer.h"

enum { WORST = 20 };

/* A wakeup. mark and comm belong to the track, which the caller holds. */
struct latency {
	uint64_t dur;
	uint32_t rec;
	const struct view_mark *mark;
	const char *comm;
};

/* The longest first; of equal ones the earlier in its track. */
static int by_dur(const void *a, const void *b)
{
	const struct latency *x = a, *y = b;

	return TDAT_ORDER(y->dur, x->dur,
			  TDAT_ORDER(x->rec, y->rec, TDAT_ORDER(x->mark, y->mark, 0)));
}

/* Returns a percentile by the nearest rank: always one of the values. */
static uint64_t percentile(const struct latency *v, size_t count, unsigned part)
{
	const size_t rank = (count * part + 99) / 100;

	return v[count - (rank ? rank : 1)].dur;
}

static void put_worst(struct tdat_json *j, const struct latency *worst, size_t count)
{
	tdat_json_array(j, "worst");
	for (size_t i = 0; i < count && i < WORST; i++) {
		const struct view_mark *m = worst[i].mark;

		tdat_json_object(j, NULL);
		tdat_json_u64(j, "rec", worst[i].rec);
		/* A wakeup's mark keeps the pid in depth (track_read.c), as it has no depth. */
		tdat_json_i64(j, "pid", m->depth);
		tdat_json_str(j, "comm", worst[i].comm);
		tdat_json_i64(j, "cpu", m->cpu);
		view_json_time(j, "waking", m->from);
		view_json_time(j, "end", m->to);
		tdat_json_u64(j, "dur", worst[i].dur);
		tdat_json_object_end(j);
	}
	tdat_json_array_end(j);
}

/* Puts the distribution of latencies; tracks holds the wakeups of each recording. */
static enum tdat_status put_wakeups(struct view_question *q, const struct view_span *span,
				    const struct view_track *const *tracks)
{
	const size_t recs = q->api->trace->rec_count;
	struct tdat_json *j = &q->json;
	size_t all = 0, n = 0;
	struct latency *v;
	uint64_t sum = 0;

	for (size_t r = 0; r < recs; r++)
		all += tracks[r]->count;
	v = calloc(all + 1, sizeof(*v));
	if (!v)
		return tdat_error_no_memory(q->err, "wakeups");
	for (size_t r = 0; r < recs; r++)
		for (size_t i = 0; i < tracks[r]->count; i++) {
			const struct view_mark *m = &tracks[r]->v[i];

			/* Wakeups that overlap the span count in full. */
			if (m->from > span->to || m->to < span->from)
				continue;
			v[n] = (struct latency){m->to - m->from, (uint32_t)r, m,
						view_names_text(&tracks[r]->names, m->name)};
			sum += v[n++].dur;
		}
	qsort(v, n, sizeof(*v), by_dur);
	tdat_json_object(j, "wakeups");
	tdat_json_u64(j, "n", n);
	if (n) {
		tdat_json_u64(j, "min", v[n - 1].dur);
		tdat_json_u64(j, "p50", percentile(v, n, 50));
		tdat_json_u64(j, "p90", percentile(v, n, 90));
		tdat_json_u64(j, "p99", percentile(v, n, 99));
		tdat_json_u64(j, "max", v[0].dur);
		tdat_json_u64(j, "sum", sum);
	}
	put_worst(j, v, n);
	tdat_json_object_end(j);
	free(v);
	return TDAT_OK;
}

/* More wakeups than are kept: the other sums are still reported. */
static void put_failed_wakeups(struct view_question *q)
{
	struct tdat_json *j = &q->json;

	tdat_json_object(j, "wakeups");
	tdat_json_str(j, "error", q->err->message);
	tdat_json_object_end(j);
}

/*
 * Gets the track of each recording. If one has more wakeups than the bound, the answer has an error
 * in place of the distribution.
 */
enum tdat_status view_put_latencies(struct view_question *q, const struct view_span *span,
				    bool *is_pending)
{
	const struct view_track **tracks;
	enum tdat_status st = view_tracks_get_all(q->api->tracks, VIEW_TRACK_WAKEUP_TIMES, false,
						  &tracks, is_pending, q->err);

	if (st == TDAT_E_LIMIT) {
		put_failed_wakeups(q);
		st = TDAT_OK;
	} else if (st == TDAT_OK && *is_pending)
		tdat_json_bool(&q->json, "pending", true);
	else if (st == TDAT_OK)
		st = put_wakeups(q, span, tracks);
	view_tracks_put_all(q->api->tracks, tracks);
	return st;
}
