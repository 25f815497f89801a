/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Draws CPUs and tasks of a span as SVG, for `tdat view -o FILE --svg`. It uses the same cells as
 * picture.c, so a still picture shows the same as the page. Text is escaped for XML. Names are
 * drawn narrower if they nearly fit, and are shown by the pointer otherwise. Colors depend on names
 * alone.
 */
#include "svg.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "answer.h"
#include "core/text.h"
#include "picture.h"
#include "svg_rows.h"

enum { ASKS_MOST = 100 };

/* ---- frame ---- */

/*
 * Draws lines and times at round numbers, about 110 pixels apart or more, which leaves room for
 * nine decimals.
 */
static void put_axis(struct svg *s, uint32_t height)
{
	const struct view_span *span = &s->span;
	const uint64_t least = (span->to - span->from) / (s->width / 110 + 1) + 1;
	uint64_t step = 1, ts;
	unsigned turn = 0;
	int digits = 9;

	/* Steps are 1, 2, 5, 10, 20, ... */
	while (step < least && step < UINT64_MAX / 10)
		step = turn++ % 3 == 1 ? step / 2 * 5 : step * 2;
	/* As few decimals as the step needs. */
	for (uint64_t unit = step; digits && unit >= 10; unit /= 10)
		digits--;
	ts = span->from % step ? span->from + (step - span->from % step) : span->from;
	for (; ts <= span->to && ts >= span->from; ts += step) {
		const double x = svg_x_of(s, ts);

		tdat_build_printf(s->out,
				  "<path class=\"grid\" d=\"M%.2f %d V%" PRIu32 "\"/>"
				  "<text class=\"axis\" x=\"%.2f\" y=\"%d\">",
				  x, SVG_TOP - 6, height, x, SVG_TOP - 10);
		svg_put_time(s, ts, digits);
		tdat_build_str(s->out, "</text>\n");
		/* The end of the clock's range: adding a step would start again at 0. */
		if (ts > UINT64_MAX - step)
			break;
	}
}

/* What colors and marks mean, above the axis. */
static void put_legend(struct svg *s)
{
	static const struct {
		const char *fill, *word;
		uint32_t width;
	} marks[] = {{SVG_RUNNING, "task running", 96}, {SVG_RUNNABLE, "runnable", 74},
		     {SVG_BLOCKED, "blocked", 66},	{SVG_SLEEPING, "sleeping", 72},
		     {SVG_UNKNOWN, "unknown", 72},	{SVG_LOST, "events lost", 80}};
	uint32_t x = SVG_GUTTER;

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		tdat_build_printf(s->out,
				  "<rect class=\"key\" x=\"%" PRIu32
				  "\" y=\"5\" width=\"10\" height=\"10\" fill=\"%s\"/><text "
				  "class=\"name\" x=\"%" PRIu32 "\" y=\"14\">%s</text>\n",
				  x, marks[i].fill, x + 14, marks[i].word);
		x += marks[i].width + 10;
	}
}

/* The title names files without folders: pictures are passed on. */
static void put_head(struct svg *s, uint32_t height, size_t left_out)
{
	const struct view_trace *t = s->api->trace;
	const uint32_t width = SVG_GUTTER + s->width + 10;

	tdat_build_printf(s->out,
			  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%" PRIu32
			  "\" height=\"%" PRIu32 "\" viewBox=\"0 0 %" PRIu32 " %" PRIu32
			  "\" font-family=\"sans-serif\" font-size=\"12\">\n<title>",
			  width, height, width, height);
	for (size_t i = 0; i < t->input_count; i++) {
		tdat_build_str(s->out, i ? ", " : "");
		svg_put_text(s->out, tdat_base_name(tdat_file_info(t->inputs[i].file)->name));
	}
	tdat_build_str(s->out, ": ");
	svg_put_time(s, s->span.from, 9);
	tdat_build_str(s->out, " to ");
	svg_put_time(s, s->span.to, 9);
	tdat_build_printf(
		s->out,
		"%s</title>\n<style>.grid{stroke:#ddd}.axis{text-anchor:middle;fill:#444;"
		"font-size:11px}.name{font-size:11px}.on{fill:#fff}.key{stroke:#999;stroke-width:."
		"5}.share{shape-"
		"rendering:"
		"crispEdges}</style>\n<defs><pattern id=\"unknown\" width=\"6\" height=\"6\" "
		"patternUnits=\"userSpaceOnUse\"><path d=\"M-1 -1L7 7M-1 5L1 7M5 -1L7 1\" "
		"stroke=\"#777\"/></pattern></defs>\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
		t->ns ? " s" : " ticks");
	put_legend(s);
	put_axis(s, height - 4);
	if (left_out)
		tdat_build_printf(s->out,
				  "<text x=\"4\" y=\"32\">%zu rows more are not drawn</text>\n",
				  left_out);
}

/*
 * Writes the label of a row: "CPU 3", "task 17", or with a name "sh-17". The recording is named
 * only if there are several.
 */
static void put_label(struct svg *s, const char *kind, const char *name, uint64_t rec, int64_t id)
{
	tdat_build_printf(s->out, "<text x=\"4\" y=\"%" PRIu32 "\">", s->y + 15);
	svg_put_text(s->out, name ? name : kind);
	tdat_build_printf(s->out, "%s%" PRId64, name ? "-" : " ", id);
	if (s->api->trace->rec_count > 1)
		tdat_build_printf(s->out, " of recording %" PRIu64, rec);
	tdat_build_str(s->out, "</text>\n");
}

/* ---- rows ---- */

/* The row of a CPU. */
static enum tdat_status put_cpu(struct svg *s, size_t lane)
{
	const struct view_lane *l = &s->api->trace->lanes[lane];
	struct view_lane_state state;
	struct view_shares cells;
	enum tdat_status st;

	put_label(s, "CPU", NULL, l->rec, l->cpu);
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

static void put_states(struct svg *s, const struct view_track *t)
{
	struct view_shares cells;

	view_shares_init(&cells, &s->span, s->width, false);
	view_track_states(t, &cells);
	s->out->failed = s->out->failed || cells.failed;
	svg_put_states(s, &cells, t);
	view_shares_fini(&cells);
}

/*
 * Returns the last name that a task ran with; NULL: it never ran. Names are borrowed from the
 * index.
 */
static const char *comm_of(const struct svg *s, uint32_t rec, uint64_t pid)
{
	const struct view_tasks *tasks = &s->api->index->tasks;
	const uint32_t count = __atomic_load_n(&tasks->count, __ATOMIC_ACQUIRE);
	const struct view_task *last = NULL;

	for (uint32_t i = 0; i < count; i++) {
		const struct view_task *task = view_task(tasks, i);

		if (task->rec == rec && (uint64_t)task->pid == pid &&
		    (!last || task->last > last->last))
			last = task;
	}
	return last ? last->comm : NULL;
}

/*
 * Waits until the engine has made the track. Several turns are needed only if the cache forgot the
 * track before it was used.
 */
static enum tdat_status put_task(struct svg *s, const char *row)
{
	struct view_track_key key = {VIEW_TRACK_TASK, 0, -1, "", "", false};
	const struct view_track *track = NULL;
	enum tdat_status st = TDAT_OK;
	uint64_t rec, pid;

	if (strncmp(row, "task:", 5) || !view_parse_pair(row + 5, &rec, &pid) ||
	    rec >= s->api->trace->rec_count || pid > INT32_MAX)
		return tdat_error_set(s->err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "the row '%.80s' is not task:RECORDING:PID of this trace",
				      row);
	key.rec = (uint32_t)rec;
	key.id = (int64_t)pid;
	for (int i = 0; st == TDAT_OK && !track && i < ASKS_MOST; i++) {
		st = view_track_get(s->api->tracks, &key, &track, s->err);
		view_engine_wait(s->api->engine);
	}
	if (st == TDAT_OK && !track)
		st = tdat_error_no_memory(s->err, "a row of a picture");
	if (st != TDAT_OK)
		return st;
	put_label(s, "task", comm_of(s, key.rec, pid), rec, key.id);
	put_states(s, track);
	view_cache_put(track);
	s->y += SVG_ROW;
	return TDAT_OK;
}

/*
 * Draws all tasks that were asked for; CPUs get the rows that remain. A line tells how many are
 * missing.
 */
enum tdat_status view_svg_make(struct view_api *api, const struct view_svg_def *def,
			       struct tdat_build *out, struct tdat_error *err)
{
	struct svg s = {api, def->span, def->width, out, err, SVG_TOP};
	const size_t all = api->trace->lane_count + def->row_count;
	const size_t tasks = def->row_count < VIEW_SVG_ROWS ? def->row_count : VIEW_SVG_ROWS;
	const size_t shown = all < VIEW_SVG_ROWS ? all : VIEW_SVG_ROWS;
	enum tdat_status st = TDAT_OK;

	put_head(&s, (uint32_t)(SVG_TOP + shown * SVG_ROW + 8), all - shown);
	for (size_t i = 0; st == TDAT_OK && i < shown - tasks; i++)
		st = put_cpu(&s, i);
	for (size_t i = 0; st == TDAT_OK && i < tasks; i++)
		st = put_task(&s, def->rows[i]);
	tdat_build_str(out, "</svg>\n");
	return st == TDAT_OK && out->failed ? tdat_error_no_memory(err, "a picture") : st;
}
