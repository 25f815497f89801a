/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes answers in the background: explanations, flame graphs, comparisons, latencies of pairs and
 * sums. An entry of the cache has the members of one answer as JSON, and is found by its query.
 * api.c asks for it, and answers "pending" until it is done. An answer that nobody asks for any
 * more is given up, and so are all when the program ends.
 */
#include "made.h"

#include <stdlib.h>
#include <string.h>

/* What is kept: so many answers, and so many bytes of them. */
enum { KEPT = 32, LEN_KEPT = 16 << 20, PENDING_MOST = 8 };

/*
 * An answer that nobody has asked for in this time is given up. The page asks each second, or each
 * minute in a tab that was hidden for minutes: then it gets the answer when it is seen again.
 */
enum { PATIENCE_MS = 5000 };

/* One answer; key.text belongs to it. */
struct entry {
	struct view_cached head; /* the first member */
	struct view_made_key key;
	char *text;
	struct tdat_build json;
	const bool *stop;
};

/* Whether nobody wants the answer any more: the program ends, or the client has gone. */
static bool is_given_up(void *ctx)
{
	struct entry *e = ctx;

	return __atomic_load_n(e->stop, __ATOMIC_RELAXED) ||
	       (!e->key.waits && view_cache_is_forsaken(&e->head, PATIENCE_MS));
}

/* The query was checked when the answer was asked for. */
static void make(void *ctx, const bool *stop)
{
	struct entry *e = ctx;
	struct view_cached *own = &e->head;
	const size_t count = view_cache_begin(own, NULL, &own, 1);
	struct view_query query;
	struct view_question q = {e->key.api, &query, {.out = &e->json}, &e->head.err,
				  0,	      NULL,   is_given_up,	 e};
	enum tdat_status st = view_query_init(&query, e->text, e->key.names, q.err);

	e->stop = stop;
	if (st == TDAT_OK && is_given_up(e))
		st = tdat_error_set(q.err, TDAT_E_CANCELLED, TDAT_NO_OFFSET,
				    "the client no longer waits for the answer");
	if (st == TDAT_OK)
		st = e->key.answer(&q);
	if (st == TDAT_OK)
		view_answer_fits(&q, e->key.shorter);
	view_query_fini(&query);
	e->head.weight = e->json.len;
	view_cache_done(&e->head, &own, count);
}

static bool same(const void *entry, const void *key)
{
	const struct entry *e = entry;
	const struct view_made_key *k = key;

	return e->key.answer == k->answer && !strcmp(e->text, k->text);
}

static bool init(void *entry, const void *key)
{
	struct entry *e = entry;

	e->key = *(const struct view_made_key *)key;
	e->text = strdup(e->key.text);
	tdat_build_init(&e->json, false);
	return e->text;
}

static void free_entry(void *entry)
{
	struct entry *e = entry;

	free(e->text);
	tdat_build_fini(&e->json);
}

const struct view_cache_ops view_made_ops = {
	.entry_len = sizeof(struct entry),
	.kept = KEPT,
	.weight_kept = LEN_KEPT,
	.pending_most = PENDING_MOST,
	.too_many = "too many answers are being prepared",
	.same = same,
	.init = init,
	.make = make,
	.free = free_entry,
};

enum tdat_status view_answer_made(struct view_question *q, const struct view_made_key *key)
{
	const void *got;
	const enum tdat_status st = view_cache_get(q->api->made, key, &got, q->err);
	const struct entry *e = got;

	if (st == TDAT_OK && e)
		tdat_build_bytes(q->json.out, e->json.ptr, e->json.len);
	else if (st == TDAT_OK)
		tdat_json_bool(&q->json, "pending", true);
	view_cache_put(e);
	return st;
}
