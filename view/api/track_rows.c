/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes rows of a picture that are made from tracks: states, slices and plots. The key of a row
 * says which track it needs. All tracks of a picture are begun before the first one is written, so
 * that one pass over the events makes several.
 */
#include <stdlib.h>
#include <string.h>

#include "picture.h"
#include "track_keys.h"

/* The columns of each kind's cells, which the page reads by name. */
static const char *const state_columns[] = {"t0",   "t1",    "state", "cpu", "n",
					    "time", "worst", "open",  NULL};
/* Of cells that are shares of a pixel; the rest of its time is unknown. */
static const char *const share_columns[] = {"t0",	"t1",	 "state",   "cpu",	"n",
					    "time",	"worst", "running", "runnable", "blocked",
					    "sleeping", "open",	 NULL};
static const char *const process_columns[] = {"t0", "t1", "n", "time", "cpu", "open", NULL};
static const char *const slice_columns[] = {"t0",   "t1",    "depth", "name", "n",
					    "time", "worst", "open",  NULL};
static const char *const plot_columns[] = {"t0", "t1", "min", "max", "last", "n", NULL};

/* ---- cells ---- */

/* Writes the columns of a cell as listed above for its kind. */
static void put_cell(struct view_picture *p, enum view_track_kind kind, const struct view_cell *c,
		     int32_t depth, int64_t name)
{
	struct tdat_json *j = &p->q->json;

	view_picture_cell(p, c->from, c->to);
	if (kind == VIEW_TRACK_PROCESS) {
		tdat_json_u64(j, NULL, c->count);
		tdat_json_u64(j, NULL, c->known);
		if (c->cpu < 0)
			tdat_json_null(j, NULL);
		else
			tdat_json_i64(j, NULL, c->cpu);
	} else {
		tdat_json_i64(j, NULL, depth);
		tdat_json_i64(j, NULL, name);
		tdat_json_u64(j, NULL, c->count);
		tdat_json_u64(j, NULL, c->time);
		tdat_json_u64(j, NULL, c->worst);
	}
	view_picture_cell_end(p, c);
}

/*
 * Numbers the names of the picture: tracks have numbers of their own, and several tracks share a
 * list. -1: without a name.
 */
static int64_t name_of(struct view_picture *p, enum view_track_kind kind,
		       const struct view_track *t, uint32_t name)
{
	struct view_names *names = kind == VIEW_TRACK_TASK ? &p->states : &p->names;
	const char *text;
	uint32_t number;

	if (name >= view_names_count(&t->names))
		return -1;
	text = view_names_text(&t->names, name);
	if (!view_names_number(names, text, strlen(text), &number)) {
		p->failed = true;
		return -1;
	}
	return number;
}

/*
 * Writes the cells of a task's states: intervals, or the shares of pixels. Names are numbers of the
 * track, or of the picture where it is NULL. True if each cell is one interval.
 */
static bool put_states(struct view_picture *p, const struct view_track *t,
		       const struct view_shares *s)
{
	struct tdat_json *j = &p->q->json;

	p->failed = p->failed || s->failed;
	view_json_columns(&p->q->json, s->exact ? state_columns : share_columns);
	for (size_t i = 0; i < s->count && !p->failed; i++) {
		const struct view_cell *c = &s->v[i];

		view_picture_cell(p, c->from, c->to);
		tdat_json_i64(j, NULL, t ? name_of(p, VIEW_TRACK_TASK, t, c->key) : c->key);
		if (c->cpu < 0)
			tdat_json_null(j, NULL);
		else
			tdat_json_i64(j, NULL, c->cpu);
		tdat_json_u64(j, NULL, c->count);
		tdat_json_u64(j, NULL, c->time);
		tdat_json_u64(j, NULL, c->worst);
		for (size_t k = 0; !s->exact && k < VIEW_STATES; k++)
			tdat_json_u64(j, NULL, c->share[k]);
		view_picture_cell_end(p, c);
	}
	tdat_json_array_end(j);
	return s->exact;
}

/*
 * Writes the cells of the marks [first, end) of one depth that are in the window. True if each cell
 * is one interval.
 */
static bool put_depth(struct view_picture *p, enum view_track_kind kind, const struct view_track *t,
		      size_t first, size_t end)
{
	struct view_cells cells;
	bool exact;

	view_track_depth(t, first, end, &p->span, p->width, &cells);
	exact = cells.exact;
	p->failed = p->failed || cells.failed;
	for (size_t i = 0; i < cells.count && !p->failed; i++)
		put_cell(p, kind, &cells.v[i], t->v[first].depth,
			 name_of(p, kind, t, cells.v[i].key));
	view_cells_fini(&cells);
	return exact;
}

/* Cells are merged within a depth only: nested slices must stay visible. */
static void put_intervals(struct view_picture *p, enum view_track_kind kind,
			  const struct view_track *t)
{
	struct tdat_json *j = &p->q->json;
	bool exact = true;

	view_json_columns(&p->q->json,
			  kind == VIEW_TRACK_PROCESS ? process_columns : slice_columns);
	for (size_t i = 0, end; i < t->count; i = end) {
		for (end = i + 1; end < t->count && t->v[end].depth == t->v[i].depth;)
			end++;
		exact = put_depth(p, kind, t, i, end) && exact;
	}
	tdat_json_array_end(j);
	tdat_json_bool(j, "exact", exact);
}

static void put_plot(void *ctx, const struct view_plot *c)
{
	struct view_picture *p = ctx;
	struct tdat_json *j = &p->q->json;

	view_picture_cell(p, c->from, c->to);
	view_json_real(j, NULL, c->least);
	view_json_real(j, NULL, c->most);
	view_json_real(j, NULL, c->last);
	tdat_json_u64(j, NULL, c->count);
	tdat_json_array_end(j);
}

/* The states of a task in the window. */
static void put_task(struct view_picture *p, const struct view_track *t)
{
	struct view_shares cells;
	bool exact;

	view_shares_init(&cells, &p->span, p->width, false);
	view_track_states(t, &cells);
	exact = put_states(p, t, &cells);
	tdat_json_bool(&p->q->json, "exact", exact);
	view_shares_fini(&cells);
}

/* Writes, while a task's track is being made, when the index saw the task on a CPU. */
static void put_running(struct view_picture *p, const struct view_track_key *key,
			struct tdat_error *err)
{
	static const char running[] = "running";
	struct view_shares cells;
	uint32_t state = 0;

	view_shares_init(&cells, &p->span, p->width, true);
	if (view_running_cells(p->q->api->index, key->rec, key->id, &cells, err) != TDAT_OK)
		cells.count = 0;
	if (!view_names_number(&p->states, running, strlen(running), &state))
		p->failed = true;
	for (size_t i = 0; i < cells.count; i++)
		cells.v[i].key = state;
	put_states(p, NULL, &cells);
	tdat_json_bool(&p->q->json, "exact", false);
	view_shares_fini(&cells);
}

static void put_values(struct view_picture *p, const struct view_track *t)
{
	struct tdat_json *j = &p->q->json;
	bool exact;

	view_json_columns(&p->q->json, plot_columns);
	exact = view_track_values(t, &p->span, p->width, put_plot, p);
	tdat_json_array_end(j);
	tdat_json_bool(j, "exact", exact);
}

/* ---- rows ---- */

/*
 * Writes a row. A row that cannot be made holds the error, and the rest of the picture is still
 * written.
 */
static void put_row(struct view_picture *p, const char *name, const struct view_track_row *row,
		    const struct view_track_key *key, const struct view_track *t,
		    struct tdat_error *err)
{
	struct tdat_json *j = &p->q->json;

	view_picture_row(p, name, row->shown);
	if (row->kind == VIEW_TRACK_TASK || view_track_is_call(row->kind))
		view_put_comm(j, p->q->api->trace, key->rec, key->id);
	if (t && !strcmp(row->shown, "plot")) {
		put_values(p, t);
	} else if (t && row->kind == VIEW_TRACK_TASK) {
		put_task(p, t);
	} else if (t) {
		put_intervals(p, row->kind, t);
		/* A task's row is shown from the index until its track is made. */
	} else if (row->kind == VIEW_TRACK_TASK && err->status == TDAT_OK) {
		put_running(p, key, err);
	} else {
		view_json_columns(&p->q->json, (const char *const[]){NULL});
		tdat_json_array_end(j);
		tdat_json_bool(j, "exact", false);
	}
	tdat_json_bool(j, "partial", !t && err->status == TDAT_OK);
	if (t && t->granule > (p->span.to - p->span.from) / p->width)
		tdat_json_bool(j, "coarse", true);
	if (err->status != TDAT_OK)
		tdat_json_str(j, "error", err->message);
	else if (!t)
		tdat_json_bool(j, "pending", true);
	tdat_json_object_end(j);
}

/*
 * Holds the engine's work until all tracks are asked for: a thread that takes the first one then
 * makes all that share its pass.
 */
void view_picture_begin_tracks(struct view_picture *p)
{
	const struct view_query *query = p->q->query;
	struct view_cache *tracks = p->q->api->tracks;

	view_engine_hold(p->q->api->engine);
	for (size_t i = 0; i < query->count; i++) {
		const char *name = query->v[i].value;
		const struct view_track_row *row =
			strcmp(query->v[i].name, "rows") ? NULL : view_track_row(name);
		char *text = row ? strdup(name + strlen(row->prefix)) : NULL;
		struct view_track_key key;

		if (text && view_track_row_key(text, row, &key)) {
			view_track_begin(tracks, &key);
			/* A task's wakeups come from the same pass as its states. */
			key.kind = VIEW_TRACK_WAKEUP;
			if (row->kind == VIEW_TRACK_TASK)
				view_track_begin(tracks, &key);
		}
		free(text);
	}
	view_engine_unhold(p->q->api->engine);
}

/* *is_track stays false for a key that is not of a track, or not of its form. */
enum tdat_status view_picture_track(struct view_picture *p, const char *name, bool *is_track)
{
	const struct view_track_row *row = view_track_row(name);
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct view_track *track = NULL;
	struct view_track_key key;
	char *text;

	if (!row)
		return TDAT_OK;
	text = strdup(name + strlen(row->prefix));
	if (!text)
		return tdat_error_no_memory(p->q->err, "a picture");
	*is_track = view_track_row_key(text, row, &key);
	if (*is_track) {
		view_track_get(p->q->api->tracks, &key, &track, &err);
		put_row(p, name, row, &key, track, &err);
		if (row->kind == VIEW_TRACK_TASK)
			view_picture_want_wakeups(p, &key);
		view_cache_put(track);
	}
	free(text);
	return p->failed ? tdat_error_no_memory(p->q->err, "a picture") : TDAT_OK;
}
