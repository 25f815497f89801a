/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds what a path asks for, takes the query apart, and makes failures answers, too. A
 * question is a path and a query; both are checked before anything is read. Answers are JSON in
 * a buffer, failures too. It knows nothing of HTTP, so fuzzers and tests ask it directly.
 */
#include "api.h"

#include <stdlib.h>
#include <string.h>

#include "made.h"

/*
 * The parameters that each question may have. "SELECTION" adds those of a selection of events
 * (query.c); any other name is refused.
 */
static const char *const no_names[] = {NULL};
static const char *const task_names[] = {"match", "limit", "rec", "pids", NULL};
static const char *const picture_names[] = {"from", "to", "width", "rows", "SELECTION", NULL};
static const char *const event_list_names[] = {"from", "to",	    "at", "count",
					       "text", "SELECTION", NULL};
static const char *const event_names[] = {"key", NULL};
static const char *const search_names[] = {"from", "dir", "after", "SELECTION", NULL};
static const char *const filter_names[] = {"text", "pos", NULL};
static const char *const row_names[] = {"kind", "limit", NULL};
static const char *const text_names[] = {"file", "at", NULL};
static const char *const stats_names[] = {"from", "to", "latency", NULL};
static const char *const sums_names[] = {"from", "to", NULL};
static const char *const why_names[] = {"rec", "pid", "at", "from", "to", NULL};
static const char *const flame_names[] = {"from", "to", "rec", "SELECTION", NULL};
static const char *const diff_names[] = {"a_from", "a_to",   "a_file", "b_from",
					 "b_to",   "b_file", NULL};
static const char *const pair_names[] = {"pair", "from", "to", "width", NULL};

static const char *const sql_names[] = {"query", "limit", NULL};

/*
 * The program passes the function that runs SQL, as view/ does not link the SQL layer itself. The
 * limit counts rows.
 */
static enum tdat_status answer_sql(struct view_question *q)
{
	const char *query = view_query_get(q->query, "query");
	uint64_t limit = 1000;
	enum tdat_status st;

	if (!q->api->sql)
		return tdat_error_set(q->err, TDAT_E_NOT_FOUND, TDAT_NO_OFFSET,
				      "this tdat was built without SQL");
	st = view_query_u64(q->query, "limit", 1, 10000, &limit, q->err);
	if (st == TDAT_OK)
		st = q->api->sql(q->api->sql_ctx, query ? query : "", limit, q->asker, &q->json,
				 q->err);
	return st;
}

/*
 * All questions by the part of the path that follows "api/". The page polls those that read
 * nothing, hence they must not wait behind readers.
 */
static const struct question {
	const char *path;
	const char *const *names;
	view_answer_fn answer;
	bool reads;	     /* the file, so that it has to take its turn */
	const char *shorter; /* what makes the answer shorter, or why it is too long */
	bool is_made;	     /* in the background (made.h) */
} questions[] = {
	{"trace", no_names, view_answer_trace, false, "the files have too many formats", false},
	{"progress", no_names, view_answer_progress, false, "too many CPUs are damaged", false},
	{"tasks", task_names, view_answer_tasks, false, "ask for fewer tasks by limit", false},
	{"picture", picture_names, view_answer_picture, true, "ask for fewer rows or pixels",
	 false},
	{"events", event_list_names, view_answer_events, true, "ask for fewer rows", false},
	{"event", event_names, view_answer_event, true, "the event is too long", false},
	{"search", search_names, view_answer_search, true, "the event is too long", false},
	{"filter", filter_names, view_answer_filter, true, "the names are too long", false},
	{"rows", row_names, view_answer_rows, false, "ask for fewer rows by limit", false},
	{"stats", stats_names, view_answer_stats, true, "the trace has too many CPUs", false},
	{"text", text_names, view_answer_text, true, "ask for a later part", false},
	/* Only one runs at a time, and it may take long: it takes no turn of the others. */
	{"sql", sql_names, answer_sql, false, "ask for fewer columns", false},
	{"why", why_names, view_answer_why, false, "ask for a shorter span", true},
	{"flame", flame_names, view_answer_flame, false, "ask for a shorter span", true},
	{"diff", diff_names, view_answer_diff, false, "ask for shorter spans", true},
	{"pair", pair_names, view_answer_pair, false, "ask for fewer pixels", true},
	{"sums", sums_names, view_answer_sums, false, "ask for a shorter span", true},
};

static const struct question *find_question(const char *path)
{
	for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]); i++)
		if (!strcmp(path, questions[i].path))
			return &questions[i];
	return NULL;
}

/*
 * The api borrows the engine, whose threads may still work for its caches: stop the engine's
 * threads before view_api_free.
 */
enum tdat_status view_api_new(struct view_api **out, struct view_engine *engine,
			      struct tdat_error *err)
{
	struct view_api *api = calloc(1, sizeof(*api));
	enum tdat_status st;

	*out = api;
	if (!api)
		return tdat_error_no_memory(err, "answers");
	pthread_mutex_init(&api->lock, NULL);
	for (int i = 0; i < 2; i++)
		tdat_build_init(&api->whole[i].json, false);
	api->engine = engine;
	api->index = view_engine_index(engine);
	api->trace = api->index->trace;
	st = view_cache_new(&api->tracks, &view_tracks_ops, engine, err);
	if (st == TDAT_OK)
		st = view_cache_new(&api->counts, &view_counts_ops, engine, err);
	if (st == TDAT_OK)
		st = view_cache_new(&api->made, &view_made_ops, engine, err);
	if (st != TDAT_OK) {
		view_api_free(api);
		*out = NULL;
	}
	return st;
}

/* Frees what view_api_new made, complete or not. The engine is the caller's. */
void view_api_free(struct view_api *api)
{
	if (!api)
		return;
	view_cache_free(api->made);
	view_cache_free(api->counts);
	view_cache_free(api->tracks);
	for (int i = 0; i < 2; i++)
		tdat_build_fini(&api->whole[i].json);
	pthread_mutex_destroy(&api->lock);
	free(api);
}

/* Replaces what was written of the answer: half an answer would not be JSON. */
void view_api_error(struct tdat_build *out, const char *message, bool has_at, uint64_t at)
{
	struct tdat_json j = {.out = out};

	out->len = 0;
	tdat_json_object(&j, NULL);
	tdat_json_str(&j, "error", message);
	if (has_at)
		tdat_json_u64(&j, "at", at);
	tdat_json_object_end(&j);
}

/* 413 asks the page to reduce its question, 503 to ask again. */
static unsigned http_status(enum tdat_status st)
{
	switch (st) {
	case TDAT_OK:
		return 200;
	case TDAT_E_USAGE:
		return 400;
	case TDAT_E_NOT_FOUND:
		return 404;
	case TDAT_E_LIMIT:
		return 413;
	case TDAT_E_CANCELLED:
		return 503;
	default:
		return 500;
	}
}

/*
 * Finds the filter of the query whose text the message quotes, and the byte in it that is wrong.
 * The page marks that byte.
 */
#define NO_PLACE UINT64_MAX
static uint64_t find_place(const struct view_query *query, const char *message)
{
	uint64_t at = NO_PLACE;

	for (size_t i = 0; i < query->count && at == NO_PLACE; i++)
		if (!strcmp(query->v[i].name, "filter") || !strcmp(query->v[i].name, "not"))
			view_filter_at(message, query->v[i].value, &at);
	return at;
}

/*
 * Answers one question with a JSON object, whose members the answer writes. The query is checked
 * before the question waits for its turn to read.
 */
static enum tdat_status ask(struct view_api *api, const struct question *question, const char *text,
			    const struct view_asker *asker, uint64_t event_count, uint64_t *place,
			    struct tdat_build *out, struct tdat_error *err)
{
	struct view_query query;
	struct view_question q = {api, &query, {.out = out}, err, event_count, asker, NULL, NULL};
	const struct view_made_key key = {
		api, question->answer, question->names, question->shorter, text, !asker};
	enum tdat_status st = view_query_init(&query, text, question->names, err);

	if (st == TDAT_OK) {
		if (question->reads)
			view_engine_enter(api->engine);
		st = view_read_check(api->trace, &query.selection, err);
		tdat_json_object(&q.json, NULL);
		if (st == TDAT_OK)
			st = question->is_made ? view_answer_made(&q, &key) : question->answer(&q);
		tdat_json_object_end(&q.json);
		if (question->reads)
			view_engine_leave(api->engine);
	}
	/* A report asks for its own number of events, which the usual bound does not limit. */
	if (st == TDAT_OK && !event_count)
		st = view_answer_fits(&q, question->shorter);
	if (st != TDAT_OK)
		*place = find_place(&query, err->message);
	view_query_fini(&query);
	return st;
}

/*
 * Answers with status 200 or a JSON object with the member "error". Called by the HTTP server on
 * the thread of a connection, and by fuzzers.
 */
unsigned view_api_answer(struct view_api *api, const char *path, const char *query,
			 const struct view_asker *asker, struct tdat_build *out)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct question *question = find_question(path);
	uint64_t place = NO_PLACE;
	enum tdat_status st;

	if (!question) {
		view_api_error(out, "there is no such request", false, 0);
		return 404;
	}
	st = ask(api, question, query, asker, 0, &place, out, &err);
	if (st != TDAT_OK)
		view_api_error(out, err.message, place != NO_PLACE, place);
	return http_status(st);
}

/*
 * The document holds the first answers, so the page draws without asking. Failures are left out:
 * the page asks again and shows them itself. "limit=20" is the question that the page would ask.
 */
void view_api_first(struct view_api *api, struct tdat_build *out)
{
	struct tdat_build trace, tasks;

	tdat_build_init(&trace, false);
	tdat_build_init(&tasks, false);
	if (view_api_answer(api, "trace", "", NULL, &trace) == 200 &&
	    view_api_answer(api, "tasks", "limit=20", NULL, &tasks) == 200 && !trace.failed &&
	    !tasks.failed) {
		tdat_build_str(out, "{\"live\":{\"trace\":");
		view_json_in_document(out, &trace);
		tdat_build_str(out, ",\"tasks\":");
		view_json_in_document(out, &tasks);
		tdat_build_str(out, "}}");
	}
	tdat_build_fini(&trace);
	tdat_build_fini(&tasks);
}

/* As view_api_answer for callers inside of the program, who want a status, of a known path. */
enum tdat_status view_api_ask(struct view_api *api, const char *path, const char *query,
			      uint64_t event_count, struct tdat_build *out, struct tdat_error *err)
{
	uint64_t place;

	return ask(api, find_question(path), query, NULL, event_count, &place, out, err);
}

void view_api_set_sql(struct view_api *api, view_sql_fn sql, void *ctx)
{
	api->sql = sql;
	api->sql_ctx = ctx;
}
