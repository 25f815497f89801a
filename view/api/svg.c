/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes a still picture of a span as SVG, for `tdat view -o FILE --svg`. Rows are those of a view,
 * or the CPUs and the rows of --row. Each is drawn from the same cells as those of api/picture, so
 * that a still picture shows the same as the page. Text is escaped for XML.
 */
#include "svg.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "picture.h"
#include "svg_rows.h"
#include "track_keys.h"

enum { ASKS_MOST = 100, WIDTH_LEAST = 64 };

/* Keys of rows, each with a NUL. */
struct rows {
	struct tdat_build keys;
	size_t count;
};

static void add_row(struct rows *r, const char *key)
{
	tdat_build_bytes(&r->keys, key, strlen(key) + 1);
	r->count += !r->keys.failed;
}

static bool has_row(const struct rows *r, const char *key)
{
	const char *name = (const char *)r->keys.ptr;

	for (size_t i = 0; i < r->count; i++, name += strlen(name) + 1)
		if (!strcmp(name, key))
			return true;
	return false;
}

static void add_cpus(void *ctx, const char *key, size_t first, size_t end)
{
	(void)first;
	(void)end;
	add_row(ctx, key);
}

/* The rows of CPUs come before the others: where nothing tells what ran, they are of events. */
static void find_rows(struct rows *r, struct view_api *api, const struct view_svg_def *def)
{
	const struct view_trace *t = api->trace;
	char key[64];

	for (uint32_t i = 0; !def->view->has_rows && i < t->rec_count; i++) {
		if (view_index_tells_tasks(api->index)) {
			view_cpu_rows(t, i, add_cpus, r);
			continue;
		}
		for (size_t k = 0; k < t->recs[i].lane_count; k++) {
			snprintf(key, sizeof(key), "events:%" PRIu32 ":%" PRIu32, i,
				 t->lanes[t->recs[i].first_lane + k].cpu);
			add_row(r, key);
		}
	}
	for (size_t i = 0; i < def->row_count; i++)
		if (!has_row(r, def->rows[i]))
			add_row(r, def->rows[i]);
}

/* ---- labels ---- */

/* Returns the last name that a task ran with, else the one that the file has; ptr NULL: none. */
static struct tdat_span comm_of(const struct svg *s, uint32_t rec, int64_t pid)
{
	const struct view_tasks *tasks = &s->api->index->tasks;
	const uint32_t count = __atomic_load_n(&tasks->count, __ATOMIC_ACQUIRE);
	const struct view_task *last = NULL;

	for (uint32_t i = 0; i < count; i++) {
		const struct view_task *task = view_task(tasks, i);

		if (task->rec == rec && task->pid == pid && (!last || task->last > last->last))
			last = task;
	}
	if (last)
		return (struct tdat_span){(const uint8_t *)last->comm, strlen(last->comm)};
	if (rec >= s->api->trace->rec_count || pid > INT32_MAX)
		return (struct tdat_span){NULL, 0};
	return tdat_file_comm(s->api->trace->inputs[s->api->trace->recs[rec].input].file,
			      (int32_t)pid);
}

/* "CPU 3", "sh-17", "sh-17 syscalls". The recording (rec) is named only if there are several. */
static void put_label(struct svg *s, const char *key)
{
	static const char *const of_tasks[] = {"task",	    "slices", "syscalls",
					       "functions", "kvm",    NULL};
	const char *rest = strchr(key, ':'), *id = rest ? strchr(rest + 1, ':') : NULL;
	const int kind = rest ? (int)(rest - key) : (int)strlen(key);
	const bool is_event = !strncmp(key, "event:", 6) || !strncmp(key, "field:", 6);
	struct tdat_span comm = {NULL, 0};
	struct tdat_build label;
	uint64_t rec = 0, pid;

	tdat_build_init(&label, false);
	for (size_t i = 0; id && of_tasks[i]; i++)
		if ((int)strlen(of_tasks[i]) == kind && !strncmp(key, of_tasks[i], (size_t)kind) &&
		    view_parse_pair(rest + 1, &rec, &pid))
			comm = comm_of(s, (uint32_t)rec, (int64_t)pid);
	if (comm.ptr)
		tdat_build_printf(&label, "%.*s-%s%s%.*s", (int)comm.len, (const char *)comm.ptr,
				  id + 1, kind == 4 ? "" : " ", kind == 4 ? 0 : kind, key);
	else if (is_event || !id)
		tdat_build_str(&label, rest ? rest + 1 : key);
	else if (!strncmp(key, "events", 6))
		tdat_build_printf(&label, "events of CPU %s", id + 1);
	else if (!strncmp(key, "cpu", 3))
		tdat_build_printf(&label, "%s %s", key[3] == 's' ? "CPUs" : "CPU", id + 1);
	else
		tdat_build_printf(&label, "%.*s %s", kind, key, id + 1);
	if (s->api->trace->rec_count > 1 && id && !is_event)
		tdat_build_printf(&label, ", rec %.*s", (int)(id - rest - 1), rest + 1);
	tdat_build_u8(&label, 0);
	if (!label.failed)
		svg_put_label(s, (const char *)label.ptr);
	s->out->failed = s->out->failed || label.failed;
	tdat_build_fini(&label);
}

/* ---- rows ---- */

/* The row of a CPU. */
static enum tdat_status put_cpu(struct svg *s, size_t lane)
{
	struct view_lane_state state;
	struct view_shares cells;
	enum tdat_status st;

	view_shares_init(&cells, &s->span, s->width, false);
	st = view_lane_cells(s->api->index, lane, &cells, &state, s->err);
	if (st == TDAT_OK) {
		svg_put_states(s, &cells, NULL);
		svg_put_losses(s, lane);
	}
	view_shares_fini(&cells);
	s->y += SVG_ROW;
	return st;
}

static enum tdat_status put_group(struct svg *s, const char *key, bool *is_drawn)
{
	struct view_group g;
	const enum tdat_status st =
		view_group_make(&g, s->api->index, key, &s->span, s->width, s->err);

	*is_drawn = st == TDAT_OK && g.sums;
	if (*is_drawn) {
		svg_put_group(s, &g);
		s->y += SVG_ROW;
	}
	view_group_fini(&g);
	return st;
}

static void put_states(struct svg *s, const struct view_track *t)
{
	struct view_shares cells;

	view_shares_init(&cells, &s->span, s->width, false);
	view_track_states(t, &cells);
	s->out->failed = s->out->failed || cells.failed;
	svg_put_states(s, &cells, t);
	view_shares_fini(&cells);
	s->y += SVG_ROW;
}

/*
 * Waits until the engine has made the track. Several turns are needed only if the cache forgot the
 * track before it was used. *is_drawn stays false where the key names no track of the trace.
 */
static enum tdat_status put_track(struct svg *s, const char *name, bool *is_drawn)
{
	const struct view_track_row *row = view_track_row(name);
	const struct view_track *track = NULL;
	char *text = row ? strdup(name + strlen(row->prefix)) : NULL;
	struct view_track_key key;
	enum tdat_status st = TDAT_OK;

	if (row && !text)
		return tdat_error_no_memory(s->err, "a row of a picture");
	*is_drawn =
		row && view_track_row_key(text, row, &key) && key.rec < s->api->trace->rec_count;
	for (int i = 0; *is_drawn && st == TDAT_OK && !track && i < ASKS_MOST; i++) {
		st = view_track_get(s->api->tracks, &key, &track, s->err);
		view_engine_wait(s->api->engine);
	}
	if (*is_drawn && st == TDAT_OK && !track)
		st = tdat_error_no_memory(s->err, "a row of a picture");
	if (track && !track->count)
		svg_put_remark(s, "nothing recorded");
	if (track && row->kind == VIEW_TRACK_TASK)
		put_states(s, track);
	else if (track)
		s->y += view_track_is_plot(row->kind) ? svg_put_plot(s, track)
						      : svg_put_slices(s, track);
	view_cache_put(track);
	free(text);
	return st;
}

/* Counts of events that are not made yet come after the engine's work. */
struct ticks {
	struct svg *s;
	bool is_pending;
};

static void take_ticks(void *ctx, const struct view_cells *cells, bool is_pending)
{
	struct ticks *t = ctx;

	t->is_pending = is_pending;
	if (!is_pending)
		svg_put_ticks(t->s, cells);
}

static enum tdat_status put_ticks(struct svg *s, const char *key, const struct view_lane *lane,
				  bool *is_drawn)
{
	struct tdat_build answer; /* of a row that the trace does not have */
	struct view_question q = {.api = s->api, .json = {.out = &answer}, .err = s->err};
	struct ticks t = {s, true};
	struct view_picture p = {
		.q = &q, .span = s->span, .width = s->width, .take_ticks = take_ticks, .ctx = &t};
	enum tdat_status st = TDAT_OK;

	*is_drawn = lane || !strcmp(key, "events") || !strncmp(key, "event:", 6);
	tdat_build_init(&answer, false);
	for (int i = 0; *is_drawn && st == TDAT_OK && t.is_pending && i < ASKS_MOST; i++) {
		t.is_pending = false;
		st = lane ? view_picture_lane_ticks(&p, key, (size_t)(lane - s->api->trace->lanes))
			  : view_picture_hits(&p, key, is_drawn);
		view_engine_wait(s->api->engine);
	}
	if (lane && st == TDAT_OK)
		svg_put_losses(s, (size_t)(lane - s->api->trace->lanes));
	s->y += *is_drawn ? SVG_ROW : 0;
	tdat_build_fini(&answer);
	return st;
}

static enum tdat_status put_row(struct svg *s, const char *key)
{
	const struct view_trace *t = s->api->trace;
	const char *rest = strchr(key, ':');
	const bool is_cpu = !strncmp(key, "cpu:", 4), is_events = !strncmp(key, "events:", 7);
	const struct view_lane *lane = NULL;
	bool is_drawn = false;
	uint64_t rec, cpu;
	enum tdat_status st = TDAT_OK;

	if ((is_cpu || is_events) && view_parse_pair(rest + 1, &rec, &cpu))
		lane = view_trace_lane(t, rec, cpu);
	put_label(s, key);
	if (is_cpu && lane)
		return put_cpu(s, (size_t)(lane - t->lanes));
	st = put_ticks(s, key, lane, &is_drawn);
	if (st == TDAT_OK && !is_drawn)
		st = put_group(s, key, &is_drawn);
	if (st == TDAT_OK && !is_drawn)
		st = put_track(s, key, &is_drawn);
	if (st == TDAT_OK && !is_drawn)
		return tdat_error_set(s->err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "a picture of this trace cannot have the row '%.80s'", key);
	return st;
}

/* ---- all of it ---- */

/* Has all tracks made that rows need, so that those are made together which one pass can make. */
static void begin_tracks(struct view_api *api, const struct rows *rows)
{
	const char *name = (const char *)rows->keys.ptr;

	view_engine_hold(api->engine);
	for (size_t i = 0; i < rows->count && i < VIEW_SVG_ROWS; i++, name += strlen(name) + 1) {
		const struct view_track_row *row = view_track_row(name);
		char *text = row ? strdup(name + strlen(row->prefix)) : NULL;
		struct view_track_key key;

		if (text && view_track_row_key(text, row, &key) && key.rec < api->trace->rec_count)
			view_track_begin(api->tracks, &key);
		free(text);
	}
	view_engine_unhold(api->engine);
}

/* Draws all rows at a width. Rows of CPUs beyond the bound are left out first. */
static enum tdat_status put_rows(struct svg *s, const struct rows *rows, size_t left_out,
				 size_t kept)
{
	const char *key = (const char *)rows->keys.ptr;
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; st == TDAT_OK && i < rows->count; i++, key += strlen(key) + 1)
		if (i < kept || i >= kept + left_out)
			st = put_row(s, key);
	return st;
}

enum tdat_status view_svg_make(struct view_api *api, const struct view_svg_def *def,
			       struct tdat_build *out, struct tdat_error *err)
{
	struct rows rows = {.count = 0};
	enum tdat_status st = TDAT_E_LIMIT;
	size_t left_out, given;

	tdat_build_init(&rows.keys, false);
	find_rows(&rows, api, def);
	left_out = rows.count > VIEW_SVG_ROWS ? rows.count - VIEW_SVG_ROWS : 0;
	/* Rows that were asked for come last, and are kept. */
	given = def->row_count < VIEW_SVG_ROWS ? VIEW_SVG_ROWS - def->row_count : 0;
	begin_tracks(api, &rows);
	for (uint32_t width = def->width; st == TDAT_E_LIMIT; width /= 2) {
		struct tdat_build body;
		struct svg s = {
			.api = api, .span = def->span, .width = width, .out = &body, .err = err};

		tdat_build_init(&body, false);
		st = rows.keys.failed ? tdat_error_no_memory(err, "a picture") : svg_find_tasks(&s);
		if (st == TDAT_OK) {
			svg_begin(&s, def->view);
			st = put_rows(&s, &rows, left_out, left_out ? given : rows.count);
		}
		if (st == TDAT_OK && body.len > VIEW_SVG_LEN && width / 2 >= WIDTH_LEAST)
			st = TDAT_E_LIMIT;
		else if (st == TDAT_OK)
			svg_put_frame(&s, out, &body, def->view, left_out);
		if (st == TDAT_OK && (body.failed || out->failed))
			st = tdat_error_no_memory(err, "a picture");
		tdat_build_fini(&body);
	}
	tdat_build_fini(&rows.keys);
	return st;
}
