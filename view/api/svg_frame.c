/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Draws what surrounds the rows of a still picture: title, legend, time axis, and the markers and
 * notes of a view. The tasks that ran longest get their colors here, and stand in the legend with
 * their share of the time: at the scale of a whole trace few of them have a block with a name.
 * Called by svg.c.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "core/search.h"
#include "core/text.h"
#include "data/task_sums.h"
#include "svg_rows.h"

/* ---- colors ---- */

/*
 * Colors of names: --names of web/style.css, on which white text has a contrast of 4.5:1.
 */
static const char *const colours[] = {
	"#b94d60", "#b7542a", "#7e7208", "#4e7e14", "#078158", "#077e7c", "#097b98",
	"#2673c0", "#6966c3", "#ac518d", "#8f263d", "#893103", "#574e01", "#335704",
	"#06593c", "#035755", "#0a5569", "#014e90", "#47419a", "#832b68",
};
enum { COLOURS = sizeof(colours) / sizeof(colours[0]), SVG_LINE = 16 };

/* FNV-1a. */
static uint32_t hash_of(const char *name)
{
	uint32_t sum = 2166136261u;

	for (; *name; name++)
		sum = (sum ^ (uint8_t)*name) * 16777619u;
	return sum;
}

const char *svg_colour_of(const char *name)
{
	return colours[hash_of(name) % COLOURS];
}

/* ---- tasks ---- */

static int by_comm(const void *a, const void *b)
{
	const struct view_task_sum *x = a, *y = b;

	return strcmp(x->comm, y->comm);
}

static int by_time(const void *a, const void *b)
{
	const struct svg_task *x = a, *y = b;

	return TDAT_ORDER(y->time, x->time, strcmp(x->comm, y->comm));
}

/* Keeps a name among those with the most time. */
static void keep(struct svg *s, const struct svg_task *task)
{
	if (!task->time)
		return;
	if (s->task_count == SVG_TASKS && by_time(task, &s->tasks[SVG_TASKS - 1]) > 0)
		return;
	if (s->task_count < SVG_TASKS)
		s->task_count++;
	s->tasks[s->task_count - 1] = *task;
	qsort(s->tasks, s->task_count, sizeof(*task), by_time);
}

/*
 * Tasks of one name share a color, that of the name's hash, or the next one if a task that ran
 * longer has it already.
 */
enum tdat_status svg_find_tasks(struct svg *s)
{
	struct view_task_sums sums = {.v = NULL};
	bool used[COLOURS] = {false};
	enum tdat_status st = view_task_sums_make(&sums, s->api->index, &s->span, s->err);

	for (size_t i = 0; st == TDAT_OK && i < s->api->trace->lane_count; i++)
		s->known += sums.lanes[i].known;
	if (st == TDAT_OK && sums.count)
		qsort(sums.v, sums.count, sizeof(*sums.v), by_comm);
	for (size_t i = 0, end; st == TDAT_OK && i < sums.count; i = end) {
		struct svg_task task = {.comm = sums.v[i].comm};

		for (end = i; end < sums.count && !strcmp(sums.v[end].comm, task.comm); end++)
			task.time += sums.v[end].pid ? sums.v[end].time : 0;
		keep(s, &task);
	}
	/* Less than 0.05 % would be told as 0.0 %. */
	while (s->task_count && s->tasks[s->task_count - 1].time < s->known / 2000)
		s->task_count--;
	for (size_t i = 0; i < s->task_count; i++) {
		size_t k = hash_of(s->tasks[i].comm) % COLOURS;

		while (used[k])
			k = (k + 1) % COLOURS;
		used[k] = true;
		s->tasks[i].fill = colours[k];
	}
	view_task_sums_fini(&sums);
	return st;
}

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
				  "<path class=\"grid\" d=\"M%.2f %" PRIu32 " V%" PRIu32 "\"/>\n",
				  x, s->top - 6, height);
		/* A time that would be cut at the edge is left out; its line stays. */
		if (x + SVG_LETTER * (digits + 4) / 2 < SVG_GUTTER + (double)s->width + 10) {
			tdat_build_printf(s->out,
					  "<text class=\"axis\" x=\"%.2f\" y=\"%" PRIu32 "\">", x,
					  s->top - 10);
			svg_put_time(s, ts, digits);
			tdat_build_str(s->out, "</text>\n");
		}
		/* The end of the clock's range: adding a step would start again at 0. */
		if (ts > UINT64_MAX - step)
			break;
	}
}

static bool has_damage(const struct svg *s)
{
	char damage[400];

	for (size_t i = 0; i < s->api->trace->lane_count; i++)
		if (view_lane_damage(s->api, i, damage, sizeof(damage)))
			return true;
	return false;
}

/* What colors and marks mean, above the axis. The mark of damage is last. */
static void put_legend(struct svg *s)
{
	static const struct {
		const char *fill, *word;
		uint32_t width;
	} marks[] = {{SVG_RUNNING, "task running", 96}, {SVG_RUNNABLE, "runnable", 74},
		     {SVG_BLOCKED, "blocked", 66},	{SVG_SLEEPING, "sleeping", 72},
		     {SVG_UNKNOWN, "unknown", 72},	{SVG_LOST, "events lost", 80},
		     {SVG_DAMAGED, "damaged", 66}};
	const size_t count = sizeof(marks) / sizeof(marks[0]) - !has_damage(s);
	uint32_t x = SVG_GUTTER;

	for (size_t i = 0; i < count; i++) {
		tdat_build_printf(s->out,
				  "<rect class=\"key\" x=\"%" PRIu32
				  "\" y=\"5\" width=\"10\" height=\"10\" fill=\"%s\"/><text "
				  "class=\"name\" x=\"%" PRIu32 "\" y=\"14\">%s</text>\n",
				  x, marks[i].fill, x + 14, marks[i].word);
		x += marks[i].width + 10;
	}
}

/*
 * The tasks that ran longest, with their part of the time of all CPUs: as many lines as they need.
 * Returns their number; draws: else they are only counted.
 */
static uint32_t put_tasks(struct svg *s, bool draws)
{
	const uint32_t end = SVG_GUTTER + s->width;
	uint32_t x = SVG_GUTTER, lines = s->task_count ? 1 : 0;

	if (draws && lines)
		tdat_build_str(s->out,
			       "<text class=\"name\" x=\"6\" y=\"32\">CPU time of tasks</text>\n");
	for (size_t i = 0; i < s->task_count; i++) {
		const struct svg_task *t = &s->tasks[i];
		const uint32_t wide = 44 + (uint32_t)strlen(t->comm) * SVG_LETTER;

		if (x > SVG_GUTTER && x + wide > end) {
			x = SVG_GUTTER;
			lines++;
		}
		if (draws) {
			tdat_build_printf(s->out,
					  "<rect class=\"key\" x=\"%" PRIu32 "\" y=\"%" PRIu32
					  "\" width=\"10\" height=\"10\" fill=\"%s\"/><text "
					  "class=\"name\" x=\"%" PRIu32 "\" y=\"%" PRIu32 "\">",
					  x, 7 + SVG_LINE * lines, t->fill, x + 14,
					  16 + SVG_LINE * lines);
			svg_put_text(s->out, t->comm);
			tdat_build_printf(s->out, " %.1f%%</text>\n",
					  100 * (double)t->time / (double)s->known);
		}
		x += wide + 20;
	}
	return lines;
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
		"font-size:11px}.name{font-size:11px}.on{fill:#fff}.remark{font-size:9px;fill:#555}"
		".note{stroke:#b5006a;stroke-dasharray:4 "
		"2}.noted{font-size:11px;fill:#b5006a}.key{stroke:#999;stroke-width:.5}.share{"
		"shape-"
		"rendering:"
		"crispEdges}</style>\n<defs><pattern id=\"unknown\" width=\"6\" height=\"6\" "
		"patternUnits=\"userSpaceOnUse\"><path d=\"M-1 -1L7 7M-1 5L1 7M5 -1L7 1\" "
		"stroke=\"#777\"/></pattern></defs>\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
		t->ns ? " s" : " ticks");
	put_legend(s);
	put_tasks(s, true);
	put_axis(s, height - 4);
	if (left_out)
		tdat_build_printf(s->out,
				  "<text x=\"4\" y=\"%" PRIu32
				  "\">%zu more rows are not drawn</text>\n",
				  s->top - 14, left_out);
}

/* ---- markers and notes ---- */

struct notes {
	struct svg *s;
	uint32_t height, count;
	double end; /* of the last text that is written */
};

static void count_note(void *ctx, const struct view_note *note)
{
	(void)note;
	((struct notes *)ctx)->count++;
}

/* A line through all rows. A text that would cover the one before it is only the line's title. */
static void put_note(void *ctx, const struct view_note *note)
{
	struct notes *n = ctx;
	const struct svg *s = n->s;
	const double x = svg_x_of(s, note->ts);

	if (note->ts < s->span.from || note->ts > s->span.to)
		return;
	tdat_build_printf(s->out,
			  "<path class=\"note\" d=\"M%.2f %" PRIu32 " V%" PRIu32 "\"><title>", x,
			  s->top - 34, n->height - 4);
	svg_put_text(s->out, note->text);
	tdat_build_str(s->out, "</title></path>\n");
	if (x < n->end)
		return;
	tdat_build_printf(s->out, "<text class=\"noted\" x=\"%.2f\" y=\"%" PRIu32 "\">", x + 3,
			  s->top - 26);
	svg_put_text(s->out, note->text);
	tdat_build_str(s->out, "</text>\n");
	n->end = x + 6 + (double)(strlen(note->text) * SVG_LETTER);
}

/* The time between two moments that were selected. */
static void put_selection(struct svg *s, const struct view_query *view, uint32_t height)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	uint64_t from = UINT64_MAX, to = 0;

	if (view_query_u64(view, "select-from", 0, UINT64_MAX, &from, &err) ||
	    view_query_u64(view, "select-to", 0, UINT64_MAX, &to, &err) || from >= to ||
	    to <= s->span.from || from >= s->span.to)
		return;
	tdat_build_printf(s->out,
			  "<rect class=\"selected\" x=\"%.2f\" y=\"%" PRIu32
			  "\" width=\"%.2f\" height=\"%" PRIu32
			  "\" fill=\"#06c\" opacity=\".12\"><title>selected</title></rect>\n",
			  svg_x_of(s, from), s->top - 6, svg_x_of(s, to) - svg_x_of(s, from),
			  height - s->top);
}

/* ---- all ---- */

/* Decides where the rows begin: below the legend, the notes and the axis. */
void svg_begin(struct svg *s, const struct view_saved *view)
{
	struct notes n = {.count = 0};

	view_saved_notes(view, count_note, &n);
	s->top = SVG_TOP + SVG_LINE * put_tasks(s, false) + (n.count ? SVG_LINE : 0);
	s->y = s->top;
}

void svg_put_frame(struct svg *s, struct tdat_build *out, const struct tdat_build *rows,
		   const struct view_saved *view, size_t left_out)
{
	const uint32_t height = s->y + 8;
	struct notes n = {s, height, 0, 0};

	s->out = out;
	put_head(s, height, left_out);
	tdat_build_bytes(out, rows->ptr, rows->len);
	if (view->text)
		put_selection(s, &view->query, height);
	view_saved_notes(view, put_note, &n);
	tdat_build_str(out, "</svg>\n");
}
