/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers which keys of rows there are: counters, devices, tasks with calls and the like. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"

static const struct list {
	const char *kind;
	enum view_track_kind track;
} lists[] = {
	{"counter", VIEW_TRACK_COUNTER_KEYS},  {"block", VIEW_TRACK_BLOCK_KEYS},
	{"latency", VIEW_TRACK_LATENCY_KEYS},  {"irq", VIEW_TRACK_IRQ_KEYS},
	{"softirq", VIEW_TRACK_SOFTIRQ_KEYS},  {"slices", VIEW_TRACK_SLICE_KEYS},
	{"syscalls", VIEW_TRACK_SYSCALL_KEYS}, {"functions", VIEW_TRACK_FUNCTION_KEYS},
};

struct row_key {
	uint32_t rec;
	const char *name;
	uint64_t count;
};

/* Orders keys by their counts, the most frequent first. */
static int by_count(const void *a, const void *b)
{
	const struct row_key *x = a, *y = b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	if (x->rec != y->rec)
		return x->rec < y->rec ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void put_row_key(struct view_question *q, const char *kind, const struct row_key *o)
{
	struct view_json *j = &q->json;
	struct tdat_build key;

	tdat_build_init(&key, false);
	tdat_build_printf(&key, "%s:%u:", kind, o->rec);
	tdat_build_str(&key, o->name);
	view_json_object(j, NULL);
	view_json_bytes(j, "key", key.ptr ? (const void *)key.ptr : "", key.len);
	view_json_u64(j, "rec", o->rec);
	view_json_text(j, "label", o->name);
	view_json_u64(j, "n", o->count);
	view_json_object_end(j);
	tdat_build_fini(&key);
}

static enum tdat_status put_list(struct view_question *q, const struct list *list, uint64_t limit)
{
	const struct view_trace *t = q->api->trace;
	const struct view_track **tracks = calloc(t->rec_count + 1, sizeof(struct view_track *));
	struct view_json *j = &q->json;
	enum tdat_status st = tracks ? TDAT_OK : tdat_error_no_memory(q->err, "a list");
	bool pending = false;
	size_t count = 0, n = 0;
	struct row_key *v;

	for (size_t i = 0; st == TDAT_OK && i < t->rec_count; i++) {
		const struct view_track_key key = {list->track, (uint32_t)i, -1, "", ""};

		st = view_track_get(q->api->tracks, &key, &tracks[i], q->err);
		pending = pending || !tracks[i];
		count += tracks[i] ? tracks[i]->names.count : 0;
	}
	v = calloc(count + 1, sizeof(*v));
	if (st == TDAT_OK && !v)
		st = tdat_error_no_memory(q->err, "a list");
	for (size_t i = 0; st == TDAT_OK && i < t->rec_count; i++)
		for (size_t k = 0; tracks[i] && k < tracks[i]->names.count; k++)
			v[n++] = (struct row_key){(uint32_t)i, tracks[i]->names.v[k],
						  tracks[i]->names.counts[k]};
	if (n)
		qsort(v, n, sizeof(*v), by_count);
	view_json_object(j, NULL);
	view_json_text(j, "kind", list->kind);
	view_json_bool(j, "pending", pending);
	view_json_u64(j, "total", n);
	view_json_array(j, "rows");
	for (size_t i = 0; i < n && i < limit; i++)
		put_row_key(q, list->kind, &v[i]);
	view_json_array_end(j);
	view_json_object_end(j);
	for (size_t i = 0; tracks && i < t->rec_count; i++)
		view_track_put(q->api->tracks, tracks[i]);
	free(tracks);
	free(v);
	return st;
}

enum tdat_status view_answer_rows(struct view_question *q)
{
	const char *kind = view_query_get(q->query, "kind");
	uint64_t limit = 1000;
	enum tdat_status st = view_query_u64(q->query, "limit", 0, 10000, &limit, q->err);

	for (size_t i = 0; st == TDAT_OK && kind && i < sizeof(lists) / sizeof(lists[0]); i++)
		if (!strcmp(kind, lists[i].kind)) {
			st = put_list(q, &lists[i], limit);
			return st == TDAT_OK ? view_answer_fits(q, "ask for fewer rows by limit")
					     : st;
		}
	if (st != TDAT_OK)
		return st;
	return tdat_error_set(q->err, TDAT_E_USAGE, TDAT_NO_OFFSET,
			      "the parameter kind names no kind of row that is listed");
}
