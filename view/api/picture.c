/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers with a picture: rows of cells for a window and a number of pixels. For each row it asks
 * view/data for cells of the window and writes them as columns of numbers. Rows that are still
 * being made are marked as pending. The numbers of rows and pixels are bounded. Columns keep the
 * answer short: a cell is an array, not an object.
 */
#include "picture.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"

/* More rows than a screen shows, and more pixels than it is wide. */
enum { ROWS_MOST = 256, WIDTH_MOST = 16384 };

/* Returns the place of a task in the answer's list, or -1. */
static int64_t place_of_task(struct view_picture *p, uint32_t task)
{
	if (task >= VIEW_OTHER_TASKS)
		return -1;
	/*
	 * places maps a task's number in the index to its place in the answer, plus one; 0: not
	 * yet.
	 */
	if (task >= p->place_count && !TDAT_GROW_ZERO(p->places, &p->place_count, (size_t)task + 1))
		return -1;
	if (!p->places[task]) {
		if (!TDAT_GROW(p->tasks, &p->task_cap, p->task_count + 1))
			return -1;
		p->tasks[p->task_count++] = task;
		p->places[task] = (uint32_t)p->task_count;
	}
	return (int64_t)p->places[task] - 1;
}

/* ---- rows and cells ---- */

/* Every row is an object that begins with its key and kind; the caller ends it. */
void view_picture_row(struct view_picture *p, const char *key, const char *kind)
{
	struct tdat_json *j = &p->q->json;

	tdat_json_object(j, NULL);
	tdat_json_str(j, "key", key);
	tdat_json_str(j, "kind", kind);
}

/* An empty row is exact and complete: it will not change. */
void view_picture_empty(struct view_picture *p, const char *key, const char *kind)
{
	struct tdat_json *j = &p->q->json;

	view_picture_row(p, key, kind);
	tdat_json_bool(j, "exact", true);
	tdat_json_bool(j, "partial", false);
	view_json_columns(&p->q->json, (const char *const[]){NULL});
	tdat_json_array_end(j);
	tdat_json_object_end(j);
}

/* Parses "R:N", which is behind the kind in a key. */
bool view_parse_pair(const char *text, uint64_t *a, uint64_t *b)
{
	const char *colon = strchr(text, ':');

	return colon && view_parse_u64(text, colon, a) &&
	       view_parse_u64(colon + 1, colon + strlen(colon), b);
}

void view_picture_cell(struct view_picture *p, uint64_t from, uint64_t to)
{
	struct tdat_json *j = &p->q->json;

	tdat_json_array(j, NULL);
	view_json_offset(j, NULL, from, p->span.from);
	view_json_offset(j, NULL, to, p->span.from);
}

void view_picture_cell_end(struct view_picture *p, const struct view_cell *c)
{
	/* The order of enum view_open. */
	static const char *const names[] = {NULL, "end", "lost", "unended"};

	if (c->open != VIEW_CLOSED && c->count == 1)
		tdat_json_str(&p->q->json, NULL, names[c->open]);
	tdat_json_array_end(&p->q->json);
}

/*
 * The columns of put_cpu: times relative to the window, the task with the most time, sums in units
 * of the clock, and how a single interval ended.
 */
static void put_cpu_cell(struct view_picture *p, const struct view_cell *c)
{
	struct tdat_json *j = &p->q->json;

	view_picture_cell(p, c->from, c->to);
	tdat_json_i64(j, NULL, place_of_task(p, c->key));
	tdat_json_u64(j, NULL, c->count);
	tdat_json_u64(j, NULL, c->time);
	tdat_json_u64(j, NULL, c->share[VIEW_RUNNING]);
	tdat_json_u64(j, NULL, c->worst);
	tdat_json_u64(j, NULL, c->known);
	view_picture_cell_end(p, c);
}

/* The row of the tasks that ran on a CPU, by sched_switch. */
static enum tdat_status put_cpu(struct view_picture *p, const char *key, size_t lane)
{
	static const char *const columns[] = {"t0",   "t1",    "task",	"n",	"time",
					      "busy", "worst", "known", "open", NULL};
	struct view_question *q = p->q;
	struct view_lane_state state;
	struct view_shares cells;
	enum tdat_status st;

	view_shares_init(&cells, &p->span, p->width, false);
	st = view_lane_cells(q->api->index, lane, &cells, &state, q->err);
	if (st == TDAT_OK) {
		view_picture_row(p, key, "cpu");
		tdat_json_bool(&q->json, "exact", cells.exact);
		tdat_json_bool(&q->json, "partial", state.partial);
		if (state.coarse)
			tdat_json_bool(&q->json, "coarse", true);
		view_json_columns(&p->q->json, columns);
		for (size_t i = 0; i < cells.count; i++)
			put_cpu_cell(p, &cells.v[i]);
		tdat_json_array_end(&q->json);
		tdat_json_object_end(&q->json);
	}
	view_shares_fini(&cells);
	return st;
}

/* The row of dropped events. A count of -1: the kernel reported a loss without a number. */
static enum tdat_status put_lost(struct view_picture *p, const char *key, size_t lane)
{
	static const char *const columns[] = {"t0", "t1", "n", "count", NULL};
	const struct view_index *ix = p->q->api->index;
	/* The list may be moved by the thread that makes it until it is complete. */
	const bool complete = __atomic_load_n(&ix->lanes[lane].complete, __ATOMIC_ACQUIRE);
	struct tdat_json *j = &p->q->json;
	struct view_loss loss;
	char damage[400];

	view_picture_row(p, key, "lost");
	tdat_json_bool(j, "exact", true);
	tdat_json_bool(j, "partial", !complete);
	if (view_lane_damage(p->q->api, lane, damage, sizeof(damage)))
		tdat_json_str(j, "damage", damage);
	view_json_columns(&p->q->json, columns);
	for (size_t i = 0; complete && view_lane_loss(ix, lane, i, &loss); i++) {
		if (loss.to < p->span.from || loss.from > p->span.to)
			continue;
		view_picture_cell(p, loss.from, loss.to);
		tdat_json_u64(j, NULL, loss.marks);
		tdat_json_i64(j, NULL, loss.count);
		tdat_json_array_end(j);
	}
	tdat_json_array_end(j);
	tdat_json_object_end(j);
	return TDAT_OK;
}

/* Rows of one CPU by the beginning of their key, "cpu:REC:CPU". */
static const struct lane_row {
	const char *kind, *shown;
	enum tdat_status (*put)(struct view_picture *p, const char *key, size_t lane);
} lane_rows[] = {
	{"cpu:", "cpu", put_cpu},
	{"events:", "ticks", view_picture_lane_ticks},
	{"lost:", "lost", put_lost},
};

/*
 * Writes a row by its key: counts of events, then tracks, then rows of CPUs. TDAT_E_USAGE if the
 * key is of an unknown kind.
 */
static enum tdat_status put_row(struct view_picture *p, const char *key)
{
	const struct view_trace *t = p->q->api->trace;
	uint64_t rec, cpu;
	bool mine = false;
	enum tdat_status st = view_picture_hits(p, key, &mine);

	if (st == TDAT_OK && !mine)
		st = view_picture_track(p, key, &mine);
	if (st == TDAT_OK && !mine)
		st = view_picture_group(p, key, &mine);
	if (st != TDAT_OK || mine)
		return st;
	for (size_t i = 0; i < sizeof(lane_rows) / sizeof(lane_rows[0]); i++) {
		const size_t len = strlen(lane_rows[i].kind);
		const struct view_lane *lane;

		if (strncmp(key, lane_rows[i].kind, len))
			continue;
		if (!view_parse_pair(key + len, &rec, &cpu))
			break;
		lane = view_trace_lane(t, rec, cpu);
		if (lane)
			return lane_rows[i].put(p, key, (size_t)(lane - t->lanes));
		view_picture_empty(p, key, lane_rows[i].shown);
		return TDAT_OK;
	}
	return tdat_error_set(p->q->err, TDAT_E_USAGE, TDAT_NO_OFFSET,
			      "the row '%.80s' has an unknown kind", key);
}

/* Cells name tasks by place in this list, in the order of their first cell. */
static void put_tasks(struct view_picture *p)
{
	struct tdat_json *j = &p->q->json;

	tdat_json_array(j, "tasks");
	for (size_t i = 0; i < p->task_count; i++) {
		const struct view_task *task = view_task(&p->q->api->index->tasks, p->tasks[i]);

		tdat_json_object(j, NULL);
		tdat_json_u64(j, "rec", task->rec);
		tdat_json_i64(j, "pid", task->pid);
		tdat_json_str(j, "comm", task->comm);
		tdat_json_object_end(j);
	}
	tdat_json_array_end(j);
}

static void put_names(struct tdat_json *j, const char *key, const struct view_names *names)
{
	tdat_json_array(j, key);
	for (size_t i = 0; i < view_names_count(names); i++)
		tdat_json_str(j, NULL, view_names_text(names, i));
	tdat_json_array_end(j);
}

/*
 * Rows come in the order of the query; the size is checked after each, since one row may be long.
 */
static enum tdat_status put_rows(struct view_picture *p)
{
	const struct view_query *query = p->q->query;
	enum tdat_status st = TDAT_OK;
	size_t rows = 0;

	tdat_json_array(&p->q->json, "rows");
	for (size_t i = 0; st == TDAT_OK && i < query->count; i++) {
		if (strcmp(query->v[i].name, "rows"))
			continue;
		if (++rows > ROWS_MOST)
			return tdat_error_set(p->q->err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
					      "a picture has at most %d rows", ROWS_MOST);
		st = put_row(p, query->v[i].value);
		if (st == TDAT_OK)
			st = view_answer_fits(p->q, "ask for fewer rows or pixels");
	}
	tdat_json_array_end(&p->q->json);
	return st;
}

/*
 * Tracks are begun for all rows before the first is written: one pass over the events makes
 * several.
 */
enum tdat_status view_answer_picture(struct view_question *q)
{
	struct view_picture p = {.q = q};
	struct tdat_json *j = &q->json;
	uint64_t width = 1000;
	enum tdat_status st = view_query_span(q->query, q->api->trace, &p.span, q->err);

	if (st == TDAT_OK)
		st = view_query_u64(q->query, "width", 1, WIDTH_MOST, &width, q->err);
	if (st != TDAT_OK)
		return st;
	p.width = (uint32_t)width;
	view_json_time(j, "from", p.span.from);
	view_json_time(j, "to", p.span.to);
	tdat_json_u64(j, "width", width);
	view_picture_begin_tracks(&p);
	st = put_rows(&p);
	if (st == TDAT_OK) {
		put_tasks(&p);
		put_names(j, "names", &p.names);
		put_names(j, "states", &p.states);
		view_picture_put_wakeups(&p);
	}
	free(p.tasks);
	free(p.places);
	free(p.woken);
	view_names_fini(&p.names);
	view_names_fini(&p.states);
	return st == TDAT_OK && p.failed ? tdat_error_no_memory(q->err, "a picture") : st;
}
