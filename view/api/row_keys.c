/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists the keys of rows that a trace can show: counters, devices, tasks with calls and the like.
 * It reads key tracks, which hold each name with its number of intervals, and sorts by that number.
 * Rows that a trace begins with besides CPUs and tasks are found here as well, for page and report.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/search.h"

#include "answer.h"

/* The kinds that can be listed, and the track that counts their names. */
static const struct list {
	const char *kind;
	enum view_track_kind track;
} lists[] = {
	{"counter", VIEW_TRACK_COUNTER},  {"block", VIEW_TRACK_BLOCK},
	{"latency", VIEW_TRACK_LATENCY},  {"irq", VIEW_TRACK_IRQ},
	{"softirq", VIEW_TRACK_SOFTIRQ},  {"slices", VIEW_TRACK_SLICE},
	{"syscalls", VIEW_TRACK_SYSCALL}, {"functions", VIEW_TRACK_FUNCTION},
	{"kvm", VIEW_TRACK_KVM},
};

/*
 * The rows that page and report begin with besides CPUs and tasks: at most this number of each
 * kind, the most frequent first, and no more than BESIDE_TASKS if sched_switch tells what ran.
 */
enum { BESIDE_TASKS = 4 };
static const struct {
	const char *kind;
	uint64_t most;
} usual[] = {{"block", 8}, {"syscalls", 8}, {"slices", 8}, {"functions", 8},
	     {"kvm", 8},   {"counter", 8},  {"latency", 4}};

/*
 * Orders keys by their counts, the most frequent first. Equal counts are ordered by recording and
 * name: the answer is the same each time.
 */
static int by_count(const void *a, const void *b)
{
	const struct view_row_key *x = a, *y = b;

	return TDAT_ORDER(y->count, x->count, TDAT_ORDER(x->rec, y->rec, strcmp(x->name, y->name)));
}

static const struct list *find(const char *kind)
{
	for (size_t i = 0; kind && i < sizeof(lists) / sizeof(lists[0]); i++)
		if (!strcmp(kind, lists[i].kind))
			return &lists[i];
	return NULL;
}

/*
 * Calls fn with the keys of a list, the most frequent first, `most` at most, and adds to *f. Tracks
 * are held until the last call, as keys point into them.
 */
static enum tdat_status each_of(struct view_api *api, const struct list *list, uint64_t most,
				view_row_key_fn fn, void *ctx, struct view_row_list *f)
{
	const struct view_trace *t = api->trace;
	const struct view_track **tracks;
	enum tdat_status st =
		view_tracks_get_all(api->tracks, list->track, true, &tracks, &f->pending, f->err);
	size_t count = 0, n = 0;
	struct view_row_key *v;

	for (size_t i = 0; st == TDAT_OK && i < t->rec_count; i++)
		count += tracks[i] ? view_names_count(&tracks[i]->names) : 0;
	v = calloc(count + 1, sizeof(*v));
	if (st == TDAT_OK && !v)
		st = tdat_error_no_memory(f->err, "a list");
	for (size_t i = 0; st == TDAT_OK && i < t->rec_count; i++)
		for (size_t k = 0; tracks[i] && k < view_names_count(&tracks[i]->names); k++)
			v[n++] = (struct view_row_key){list->kind,
						       view_names_text(&tracks[i]->names, k),
						       (uint32_t)i, tracks[i]->names.counts[k]};
	if (n)
		qsort(v, n, sizeof(*v), by_count);
	for (size_t i = 0; i < n && i < most; i++)
		fn(ctx, &v[i]);
	f->total += n;
	view_tracks_put_all(api->tracks, tracks);
	free(v);
	return st;
}

/* Until the index is complete it is not known whether something tells what ran: pending. */
enum tdat_status view_usual_rows(struct view_api *api, uint64_t most, view_row_key_fn fn, void *ctx,
				 struct view_row_list *f)
{
	enum tdat_status st = TDAT_OK;

	f->pending = !view_index_complete(api->index);
	if (f->pending)
		return TDAT_OK;
	for (size_t i = 0; st == TDAT_OK && i < sizeof(usual) / sizeof(usual[0]); i++)
		st = each_of(api, find(usual[i].kind),
			     most != VIEW_ROWS_USUAL		  ? most
			     : view_index_tells_tasks(api->index) ? BESIDE_TASKS
								  : usual[i].most,
			     fn, ctx, f);
	return st;
}

/* A row's key is "kind:recording:name", as the question "picture" takes it. */
static void put_row_key(void *ctx, const struct view_row_key *o)
{
	struct view_question *q = ctx;
	struct tdat_json *j = &q->json;
	struct tdat_build key;
	uint64_t pid;

	tdat_build_init(&key, false);
	tdat_build_printf(&key, "%s:%u:", o->kind, o->rec);
	tdat_build_str(&key, o->name);
	tdat_json_object(j, NULL);
	tdat_json_strn(j, "key", key.ptr ? (const void *)key.ptr : "", key.len);
	tdat_json_u64(j, "rec", o->rec);
	tdat_json_str(j, "label", o->name);
	if (view_track_is_call(find(o->kind)->track) &&
	    view_parse_u64(o->name, o->name + strlen(o->name), &pid))
		view_put_comm(j, q->api->trace, o->rec, (int64_t)pid);
	tdat_json_u64(j, "n", o->count);
	tdat_json_object_end(j);
	tdat_build_fini(&key);
}

/* kind=usual asks for the rows that the page begins with, others for all rows of the kind. */
enum tdat_status view_answer_rows(struct view_question *q)
{
	const char *kind = view_query_get(q->query, "kind");
	const bool is_usual = kind && !strcmp(kind, "usual");
	const struct list *list = find(kind);
	struct view_row_list f = {.err = q->err};
	struct tdat_json *j = &q->json;
	uint64_t limit = is_usual ? VIEW_ROWS_USUAL : 1000;
	enum tdat_status st = view_query_u64(q->query, "limit", 0, 10000, &limit, q->err);

	if (st != TDAT_OK)
		return st;
	if (!list && !is_usual)
		return tdat_error_set(q->err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "the parameter kind is not the kind of a listed row");
	tdat_json_str(j, "kind", kind);
	tdat_json_array(j, "rows");
	st = is_usual ? view_usual_rows(q->api, limit, put_row_key, q, &f)
		      : each_of(q->api, list, limit, put_row_key, q, &f);
	tdat_json_array_end(j);
	tdat_json_bool(j, "pending", f.pending);
	tdat_json_u64(j, "total", f.total);
	return st;
}
