/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Asks everything that the page of a report needs, and puts the answers together. It asks the same
 * questions as the page would, and stores the answers by question, so that the report cannot show
 * other numbers. Sizes are bounded.
 */
#include "report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "answer.h"
#include "data/task_sums.h"

enum {
	ROWS_MOST = 256,    /* of a picture, as picture.c has it */
	TASKS_OF_WHOLE = 8, /* rows of those that ran longest in the whole trace */
	ROOM = 32,	    /* rows of a kind, and of usual ones, that a page of 1440x900 may add */
	TASKS_LISTED = 1000, /* in the list of tasks */
	WIDTH_LEAST = 64,
	FOLD_DEPTH = 8, /* of rows of several CPUs: more than 2^32 CPUs need */
	ASKS_MOST = 100 /* so often the same is asked while it is still being made */
};

/*
 * One report that is being made. wanted counts rows that a larger picture would have; the report
 * shows the difference.
 */
struct report {
	struct view_api *api;
	const struct view_report_def *def;
	struct tdat_build *out;
	struct tdat_error *err;
	struct tdat_build first; /* keys of the rows that the page shows first, each with a NUL */
	struct tdat_build room;	 /* those of the usual rows that it may add below them, by kind */
	uint64_t wanted, shown;	 /* rows of the picture in detail */
};

static enum tdat_status no_memory(struct report *r)
{
	return tdat_error_no_memory(r->err, "a report");
}

/* Answers that wait for the engine say so by these members, at any depth. */
static bool is_waiting(const struct tdat_build *answer)
{
	static const char pending[] = "\"pending\":true", partial[] = "\"partial\":true";

	/*
	 * The bytes of pending are in no text, as quotes inside of a text have a backslash before
	 * them.
	 */
	return memmem(answer->ptr, answer->len, pending, sizeof(pending) - 1) ||
	       memmem(answer->ptr, answer->len, partial, sizeof(partial) - 1);
}

/*
 * Asks until the answer is complete. The first turn begins the making of what is missing; further
 * ones are needed if the cache forgot a track meanwhile.
 */
static enum tdat_status ask(struct report *r, const char *path, const char *query,
			    uint64_t event_count, struct tdat_build *answer)
{
	for (int i = 0; i < ASKS_MOST; i++) {
		enum tdat_status st;

		view_engine_wait(r->api->engine);
		answer->len = 0;
		st = view_api_ask(r->api, path, query, event_count, answer, r->err);
		if (st != TDAT_OK)
			return st;
		if (answer->failed)
			return no_memory(r);
		if (!is_waiting(answer))
			return TDAT_OK;
	}
	return tdat_error_set(r->err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
			      "the report has too many rows to prepare at once");
}

/* Members of the report are on lines of their own. */
static void put_key(struct report *r, const char *key)
{
	tdat_build_printf(r->out, "%s\"%s\":", r->out->len > 1 ? ",\n" : "", key);
}

/* The report is inside of a script element, whose end must not occur in it. */
static void put_answer(struct report *r, const char *key, const struct tdat_build *answer)
{
	put_key(r, key);
	view_json_in_document(r->out, answer);
}

static enum tdat_status put(struct report *r, const char *key, const char *path, const char *query,
			    uint64_t event_count)
{
	struct tdat_build answer;
	enum tdat_status st;

	tdat_build_init(&answer, false);
	st = ask(r, path, query, event_count, &answer);
	if (st == TDAT_OK)
		put_answer(r, key, &answer);
	tdat_build_fini(&answer);
	return st;
}

/* ---- pictures ---- */

/* Adds a row to a query, unless the query has it or is full. The key must be escaped already. */
static void want(struct report *r, struct tdat_build *query, const char *key)
{
	char row[VIEW_QUERY_LEN / ROWS_MOST * 8];
	const int n = snprintf(row, sizeof(row), "&rows=%s&", key);

	r->wanted++;
	if (query->len && memmem(query->ptr, query->len, row, (size_t)n)) {
		r->wanted--;
		return;
	}
	if (r->shown == ROWS_MOST || (size_t)n >= sizeof(row) ||
	    query->len + (size_t)n + 100 > VIEW_QUERY_LEN)
		return;
	r->shown++;
	/* The "&" at the end is also that at the beginning of the next row. */
	tdat_build_bytes(query, row + (query->len > 0), (size_t)n - (query->len > 0));
}

/* Rows of the tasks with the most time, the longest first. */
static void want_tasks(struct report *r, struct tdat_build *query, const struct view_task_sums *s,
		       size_t most)
{
	char key[64];

	for (size_t i = 0; i < s->count && most; i++) {
		if (!s->v[i].pid || !s->v[i].time)
			continue;
		most--;
		snprintf(key, sizeof(key), "task:%" PRIu32 ":%" PRId32, s->v[i].rec, s->v[i].pid);
		want(r, query, key);
	}
}

/* The rows of CPUs that are behind `depth` openings of rows of several. */
struct level {
	struct report *r;
	struct tdat_build *query;
	uint32_t rec;
	unsigned depth;
};

static void want_level(void *ctx, const char *key, size_t first, size_t end)
{
	struct level l = *(const struct level *)ctx;

	if (!l.depth) {
		want(l.r, l.query, key);
	} else if (end - first > 1) {
		l.depth--;
		view_cpu_rows_of(l.r->api->trace, l.rec, first, end, want_level, &l);
	}
}

static void want_cpus(struct report *r, struct tdat_build *query, unsigned depth)
{
	for (uint32_t rec = 0; rec < r->api->trace->rec_count; rec++) {
		struct level l = {r, query, rec, depth};

		view_cpu_rows(r->api->trace, rec, want_level, &l);
	}
}

/* The rows that the page draws together with those of the CPUs of guests. */
static void want_vcpu(void *ctx, const struct view_vcpu *v)
{
	struct level *l = ctx;
	char key[64];

	snprintf(key, sizeof(key), "task:%" PRIu32 ":%" PRId32, v->host, v->pid);
	want(l->r, l->query, key);
	snprintf(key, sizeof(key), "kvm:%" PRIu32 ":%" PRId32, v->host, v->pid);
	want(l->r, l->query, key);
}

/* A row of each CPU: events or lost. */
static void want_lanes(struct report *r, struct tdat_build *query, const char *kind)
{
	const struct view_trace *t = r->api->trace;
	char key[64];

	for (size_t i = 0; i < t->lane_count; i++) {
		snprintf(key, sizeof(key), "%s:%" PRIu32 ":%" PRIu32, kind, t->lanes[i].rec,
			 t->lanes[i].cpu);
		want(r, query, key);
	}
}

/* Adds a row of any name: each byte that means something in a query is escaped. */
static void want_named(struct report *r, struct tdat_build *query, const char *name)
{
	struct tdat_build key;

	tdat_build_init(&key, false);
	for (const unsigned char *p = (const void *)name; *p; p++)
		tdat_build_printf(&key,
				  (*p >= '0' && *p <= ':') || (*p | 32) - 'a' + 0u < 26u ? "%c"
											 : "%%%02x",
				  *p);
	tdat_build_u8(&key, 0);
	if (!key.failed)
		want(r, query, (const char *)key.ptr);
	tdat_build_fini(&key);
}

static void want_first(struct report *r, struct tdat_build *query)
{
	for (size_t at = 0; at < r->first.len; at += strlen((const char *)r->first.ptr + at) + 1)
		want_named(r, query, (const char *)r->first.ptr + at);
}

/* Kinds in turn, as web/room.js adds rows: the first of each kind, then the second of each. */
static void want_room(struct report *r, struct tdat_build *query)
{
	int left = ROOM;

	for (int wanted = 0; wanted < ROOM; wanted++) {
		const char *key, *before = NULL;
		int rank = 0;

		for (size_t at = 0; at < r->room.len && left; at += strlen(key) + 1) {
			key = (const char *)r->room.ptr + at;
			rank = before && !strncmp(key, before, strcspn(key, ":") + 1) ? rank + 1
										      : 0;
			before = key;
			if (rank == wanted && left--)
				want_named(r, query, key);
		}
	}
}

/* Counters, devices and the like. ctx: a struct tdat_build. */
static void add_key(void *ctx, const struct view_row_key *key)
{
	tdat_build_printf(ctx, "%s:%" PRIu32 ":%s%c", key->kind, key->rec, key->name, 0);
}

/*
 * Finds the rows that the page shows first: those that the user named, then the usual ones, unless
 * a view has rows of its own. The keys that were named stay if the usual ones have to be asked for
 * again.
 */
static enum tdat_status find_first(struct report *r)
{
	enum tdat_status st = TDAT_OK;
	size_t given;
	struct view_row_list list = {.err = r->err};

	for (size_t i = 0; i < r->def->row_count; i++)
		tdat_build_bytes(&r->first, r->def->rows[i], strlen(r->def->rows[i]) + 1);
	given = r->first.len;
	list.pending = !r->def->view->has_rows;
	for (int i = 0; st == TDAT_OK && list.pending && i < ASKS_MOST; i++) {
		view_engine_wait(r->api->engine);
		r->first.len = given;
		r->room.len = 0;
		st = view_usual_rows(r->api, VIEW_ROWS_USUAL, add_key, &r->first, &list);
		if (st == TDAT_OK && !list.pending)
			st = view_usual_rows(r->api, ROOM, add_key, &r->room, &list);
	}
	return st == TDAT_OK && (r->first.failed || r->room.failed) ? no_memory(r) : st;
}

/* The page begins with this view, as with one of its address. */
static void put_view(struct report *r)
{
	struct tdat_build answer;
	struct tdat_json j = {.out = &answer};

	tdat_build_init(&answer, false);
	tdat_json_str(&j, NULL, r->def->view->text);
	put_answer(r, "view", &answer);
	r->out->failed = r->out->failed || answer.failed;
	tdat_build_fini(&answer);
}

/* The page reads the keys of its first rows from the report. */
static void put_first(struct report *r)
{
	struct tdat_build answer;
	struct tdat_json j = {.out = &answer};

	tdat_build_init(&answer, false);
	tdat_json_array(&j, NULL);
	for (size_t at = 0; at < r->first.len; at += strlen((const char *)r->first.ptr + at) + 1)
		tdat_json_str(&j, NULL, (const char *)r->first.ptr + at);
	tdat_json_array_end(&j);
	put_answer(r, "first", &answer);
	r->out->failed = r->out->failed || answer.failed;
	tdat_build_fini(&answer);
}

/*
 * Writes a picture. If it has too many cells, it is made again with half the pixels, down to
 * WIDTH_LEAST.
 */
static enum tdat_status put_picture(struct report *r, const char *key, const struct view_span *span,
				    const struct tdat_build *rows)
{
	char query[VIEW_QUERY_LEN + 1];
	enum tdat_status st = TDAT_E_LIMIT;

	for (uint32_t width = r->def->width; st == TDAT_E_LIMIT && width >= WIDTH_LEAST;
	     width /= 2) {
		snprintf(query, sizeof(query),
			 "from=%" PRIu64 "&to=%" PRIu64 "&width=%" PRIu32 "%.*s", span->from,
			 span->to, width, (int)rows->len, (const char *)rows->ptr);
		st = put(r, key, "picture", query, 0);
	}
	return st;
}

/*
 * Two pictures of the same rows: of the whole trace, and of the span in detail. Rows come in the
 * order of importance, because the query may have no room for all. Without a view the page begins
 * with the tasks of the span.
 */
static enum tdat_status put_pictures(struct report *r)
{
	const struct view_trace *t = r->api->trace;
	const struct view_span all = {t->from, t->to};
	const bool tells = view_index_tells_tasks(r->api->index);
	struct view_task_sums whole = {.v = NULL}, span = {.v = NULL};
	struct tdat_build rows;
	enum tdat_status st = find_first(r);

	tdat_build_init(&rows, false);
	if (st == TDAT_OK)
		st = view_task_sums_make(&whole, r->api->index, &all, r->err);
	if (st == TDAT_OK)
		st = view_task_sums_make(&span, r->api->index, &r->def->span, r->err);
	if (st == TDAT_OK) {
		put_first(r);
		view_task_sums_join(&whole);
		view_task_sums_join(&span);
		want_first(r, &rows);
		want(r, &rows, "events");
		if (tells)
			want_cpus(r, &rows, 0);
		else
			want_lanes(r, &rows, "events");
		view_vcpus(t, want_vcpu, &(struct level){r, &rows, 0, 0});
		want_tasks(r, &rows, &whole, r->def->view->text ? ROOM : TASKS_OF_WHOLE);
		want_tasks(r, &rows, &span, ROOM);
		want_room(r, &rows);
		if (t->lane_count <= ROOM)
			want_lanes(r, &rows, "events");
		/* As many of the rows that are folded at first as there is room for. */
		for (unsigned depth = 1; tells && depth < FOLD_DEPTH; depth++)
			want_cpus(r, &rows, depth);
		want_lanes(r, &rows, "lost");
		st = rows.failed ? no_memory(r) : put_picture(r, "picture", &all, &rows);
	}
	if (st == TDAT_OK)
		st = put_picture(r, "detail", &r->def->span, &rows);
	tdat_build_fini(&rows);
	view_task_sums_fini(&whole);
	view_task_sums_fini(&span);
	return st;
}

/* ---- all of it ---- */

/* The beginnings of the texts of latency tracers, by number of the file. */
static enum tdat_status put_texts(struct report *r)
{
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; st == TDAT_OK && i < r->api->trace->input_count; i++) {
		char key[32], query[32];

		if (!tdat_file_part(r->api->trace->inputs[i].file, TDAT_PART_LATENCY).len)
			continue;
		snprintf(key, sizeof(key), "text%zu", i);
		snprintf(query, sizeof(query), "file=%zu", i);
		st = put(r, key, "text", query, 0);
	}
	return st;
}

/*
 * Makes the report as one JSON object in *out. Called once by `tdat view -o FILE`, without a
 * server.
 */
enum tdat_status view_report_make(struct view_api *api, const struct view_report_def *def,
				  struct tdat_build *out, struct tdat_error *err)
{
	struct report r = {.api = api, .def = def, .out = out, .err = err};
	char tasks[64], usual[64], span[128], stats[160];
	enum tdat_status st;

	snprintf(tasks, sizeof(tasks), "limit=%d", TASKS_LISTED);
	snprintf(usual, sizeof(usual), "kind=usual&limit=%d", ROOM);
	snprintf(span, sizeof(span), "from=%" PRIu64 "&to=%" PRIu64, def->span.from, def->span.to);
	snprintf(stats, sizeof(stats), "%s&latency=1", span);
	tdat_build_init(&r.first, false);
	tdat_build_init(&r.room, false);
	tdat_build_u8(out, '{');
	put_key(&r, "tdat");
	tdat_build_printf(out, "\"%s\"", tdat_version());
	if (def->view->text)
		put_view(&r);
	put_key(&r, "span");
	tdat_build_printf(out, "{\"from\":\"%" PRIu64 "\",\"to\":\"%" PRIu64 "\"}", def->span.from,
			  def->span.to);
	st = put(&r, "trace", "trace", "", 0);
	if (st == TDAT_OK)
		st = put(&r, "progress", "progress", "", 0);
	if (st == TDAT_OK)
		st = put(&r, "tasks", "tasks", tasks, 0);
	if (st == TDAT_OK)
		st = put(&r, "usual", "rows", usual, 0);
	if (st == TDAT_OK)
		st = put_texts(&r);
	if (st == TDAT_OK)
		st = put_pictures(&r);
	if (st == TDAT_OK)
		st = put(&r, "events", "events", span, def->event_count);
	if (st == TDAT_OK)
		st = put(&r, "stats", "stats", stats, 0);
	if (st == TDAT_OK)
		st = put(&r, "sums", "sums", span, 0);
	put_key(&r, "limits");
	tdat_build_printf(out,
			  "{\"events\":%" PRIu64 ",\"width\":%" PRIu32 ",\"rows\":%" PRIu64
			  ",\"rows_wanted\":%" PRIu64 "}}\n",
			  def->event_count, def->width, r.shown, r.wanted);
	tdat_build_fini(&r.first);
	tdat_build_fini(&r.room);
	return st == TDAT_OK && out->failed ? no_memory(&r) : st;
}
