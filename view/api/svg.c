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
#include "core/utf8.h"
#include "picture.h"

/*
 * All lengths are pixels: the room for labels at the left, for the axis at the top, the distance of
 * rows, the height of a bar, and the widths of a letter, usual and narrowest.
 */
enum { GUTTER = 150, TOP = 46, ROW = 26, BAR = 20, LETTER = 7, LETTER_LEAST = 5, ASKS_MOST = 100 };

/* The picture that is being drawn. */
struct svg {
	struct view_api *api;
	const struct view_svg_def *def;
	struct tdat_build *out;
	struct tdat_error *err;
	uint32_t y; /* where the next row begins */
};

/*
 * Writes a text of the trace as XML. Markup is escaped; bytes that are not UTF-8, invisible
 * characters and those that XML forbids become U+FFFD.
 */
static void put_text(struct tdat_build *out, const char *text)
{
	size_t left = strlen(text);

	while (left) {
		uint32_t code = 0;
		const size_t n = tdat_utf8_len(text, left, &code);

		if (!n || tdat_utf8_is_hidden(code) || code == 0xfffe || code == 0xffff)
			tdat_build_str(out, "\xef\xbf\xbd");
		else if (strchr("&<>\"'", (int)code) && code < 0x80)
			tdat_build_printf(out, "&#%" PRIu32 ";", code);
		else
			tdat_build_bytes(out, text, n);
		text += n ? n : 1;
		left -= n ? n : 1;
	}
}

/* Seconds with `digits` decimals, or ticks if the clock does not count nanoseconds. */
static void put_time(const struct svg *s, uint64_t ts, int digits)
{
	const uint64_t second = 1000000000;
	char part[16];

	if (!s->api->trace->ns) {
		tdat_build_printf(s->out, "%" PRIu64, ts);
		return;
	}
	snprintf(part, sizeof(part), "%09" PRIu64, ts % second);
	tdat_build_printf(s->out, "%" PRIu64 "%s%.*s", ts / second, digits ? "." : "", digits,
			  part);
}

/* Returns the x of a time in pixels; a time outside of the span is at its edge. */
static double x_of(const struct svg *s, uint64_t ts)
{
	const struct view_span *span = &s->def->span;
	const double len = span->to > span->from ? (double)(span->to - span->from) : 1;

	if (ts <= span->from)
		return GUTTER;
	if (ts >= span->to)
		return GUTTER + (double)s->def->width;
	return GUTTER + (double)(ts - span->from) / len * s->def->width;
}

/* ---- frame ---- */

/*
 * Draws lines and times at round numbers, about 110 pixels apart or more, which leaves room for
 * nine decimals.
 */
static void put_axis(struct svg *s, uint32_t height)
{
	const struct view_span *span = &s->def->span;
	const uint64_t least = (span->to - span->from) / (s->def->width / 110 + 1) + 1;
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
		const double x = x_of(s, ts);

		tdat_build_printf(s->out,
				  "<path class=\"grid\" d=\"M%.2f %d V%" PRIu32 "\"/>"
				  "<text class=\"axis\" x=\"%.2f\" y=\"%d\">",
				  x, TOP - 6, height, x, TOP - 10);
		put_time(s, ts, digits);
		tdat_build_str(s->out, "</text>\n");
		/* The end of the clock's range: adding a step would start again at 0. */
		if (ts > UINT64_MAX - step)
			break;
	}
}

/* The title names files without folders: pictures are passed on. */
static void put_head(struct svg *s, uint32_t height, size_t left_out)
{
	const struct view_trace *t = s->api->trace;
	const uint32_t width = GUTTER + s->def->width + 10;

	tdat_build_printf(s->out,
			  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%" PRIu32
			  "\" height=\"%" PRIu32 "\" viewBox=\"0 0 %" PRIu32 " %" PRIu32
			  "\" font-family=\"sans-serif\" font-size=\"12\">\n<title>",
			  width, height, width, height);
	for (size_t i = 0; i < t->input_count; i++) {
		tdat_build_str(s->out, i ? ", " : "");
		put_text(s->out, tdat_base_name(tdat_file_info(t->inputs[i].file)->name));
	}
	tdat_build_str(s->out, ": ");
	put_time(s, s->def->span.from, 9);
	tdat_build_str(s->out, " to ");
	put_time(s, s->def->span.to, 9);
	tdat_build_printf(
		s->out,
		"%s</title>\n<style>.grid{stroke:#ddd}.axis{text-anchor:middle;fill:#444;"
		"font-size:11px}.name{font-size:11px}.many{fill:#222}.lost{fill:none;stroke:#c00}"
		"rect{stroke:#555;stroke-width:.3}</style>\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
		t->ns ? " s" : " ticks");
	put_axis(s, height - 4);
	if (left_out)
		tdat_build_printf(s->out,
				  "<text x=\"4\" y=\"14\">%zu rows more are not drawn</text>\n",
				  left_out);
}

/*
 * Writes the label of a row: "CPU 3", "task 17", or with a name "sh-17". The recording is named
 * only if there are several.
 */
static void put_label(struct svg *s, const char *kind, const char *name, uint64_t rec, int64_t id)
{
	tdat_build_printf(s->out, "<text x=\"4\" y=\"%" PRIu32 "\">", s->y + 15);
	put_text(s->out, name ? name : kind);
	tdat_build_printf(s->out, "%s%" PRId64, name ? "-" : " ", id);
	if (s->api->trace->rec_count > 1)
		tdat_build_printf(s->out, " of recording %" PRIu64, rec);
	tdat_build_str(s->out, "</text>\n");
}

/* ---- cells ---- */

/* Returns a light color by the hash of a name (FNV-1a): the same in each picture. */
static const char *colour_of(const char *name)
{
	static const char *const colours[] = {
		"#9ecae1", "#fdd0a2", "#a1d99b", "#dadaeb", "#fcbba1", "#c7e9c0",
		"#fde0ef", "#d9d9d9", "#ffffb3", "#b3e2cd", "#cbd5e8", "#f4cae4",
	};
	uint32_t sum = 2166136261u;

	for (; *name; name++)
		sum = (sum ^ (uint8_t)*name) * 16777619u;
	return colours[sum % (sizeof(colours) / sizeof(colours[0]))];
}

/*
 * Writes the name of a cell into its room, drawn narrower if it nearly fits. A name that needs more
 * room is shown only when the pointer rests on the cell.
 */
static void put_name(struct svg *s, const char *name, double x, double room)
{
	const size_t len = strlen(name);

	if (!len || (double)(len * LETTER_LEAST) > room)
		return;
	tdat_build_printf(s->out, "<text class=\"name\" x=\"%.2f\" y=\"%" PRIu32 "\"", x,
			  s->y + 14);
	if ((double)(len * LETTER) > room)
		tdat_build_printf(s->out, " textLength=\"%.2f\" lengthAdjust=\"spacingAndGlyphs\"",
				  room);
	tdat_build_str(s->out, ">");
	put_text(s->out, name);
	tdat_build_str(s->out, "</text>\n");
}

/* Draws a cell of bar pixels at the foot of the row. The tooltip has name, number and time. */
static void put_cell(struct svg *s, const struct view_cell *c, const char *name, const char *number,
		     const char *fill, uint32_t bar)
{
	const double from = x_of(s, c->from), to = x_of(s, c->to);
	/* Cells shorter than a fifth of a pixel would not be seen. */
	const double width = to - from > 0.2 ? to - from : 0.2;

	tdat_build_printf(s->out,
			  "<rect x=\"%.2f\" y=\"%" PRIu32 "\" width=\"%.2f\" height=\"%" PRIu32
			  "\" fill=\"%s\"><title>",
			  from, s->y + BAR - bar, width, bar, fill);
	if (c->count > 1)
		tdat_build_printf(s->out, "%" PRIu64 " times, most: ", c->count);
	put_text(s->out, name);
	tdat_build_printf(s->out, "%s, ", number);
	put_time(s, c->from, 9);
	tdat_build_str(s->out, " to ");
	put_time(s, c->to, 9);
	tdat_build_str(s->out, "</title></rect>\n");
	/* A dark line marks a cell with several intervals. */
	if (c->count > 1)
		tdat_build_printf(s->out,
				  "<rect class=\"many\" x=\"%.2f\" y=\"%" PRIu32
				  "\" width=\"%.2f\" height=\"3\"/>\n",
				  from, s->y + BAR - 3, width);
	if (bar == BAR)
		put_name(s, name, from + 2, width - 4);
}

/*
 * Draws dropped events as a red frame over the CPU's row. Reads the list without a lock: the index
 * must be complete.
 */
static void put_losses(struct svg *s, size_t lane)
{
	const struct view_lane_index *l = &s->api->index->lanes[lane];

	for (size_t i = 0; i < l->loss_count; i++) {
		const struct view_loss *loss = &l->losses[i];
		const double from = x_of(s, loss->from), to = x_of(s, loss->to);

		if (loss->to < s->def->span.from || loss->from > s->def->span.to)
			continue;
		tdat_build_printf(s->out,
				  "<path class=\"lost\" d=\"M%.2f %" PRIu32 " h%.2f v%d h-%.2f "
				  "z\"><title>events were lost</title></path>\n",
				  from, s->y, to - from, BAR, to - from);
	}
}

/*
 * The row of a CPU. Cells without a known task, and single intervals of the idle task, stay white.
 */
static enum tdat_status put_cpu(struct svg *s, size_t lane)
{
	const struct view_lane *l = &s->api->trace->lanes[lane];
	struct view_lane_state state;
	struct view_cells cells;
	enum tdat_status st;

	put_label(s, "CPU", NULL, l->rec, l->cpu);
	view_cells_init(&cells, &s->def->span, s->def->width);
	st = view_lane_cells(s->api->index, lane, &cells, &state, s->err);
	for (size_t i = 0; st == TDAT_OK && i < cells.count; i++) {
		const struct view_cell *c = &cells.v[i];
		const struct view_task *task;
		char number[24];

		if (c->key >= VIEW_OTHER_TASKS)
			continue;
		task = view_task(&s->api->index->tasks, c->key);
		if (!task->pid && c->count == 1)
			continue;
		snprintf(number, sizeof(number), "-%" PRId32, task->pid);
		put_cell(s, c, task->comm, number, task->pid ? colour_of(task->comm) : "#fff", BAR);
	}
	view_cells_fini(&cells);
	if (st == TDAT_OK)
		put_losses(s, lane);
	s->y += ROW;
	return st;
}

/* ---- tasks ---- */

/*
 * The row of a task: the state decides color and height. The last entry of the table is that of all
 * other states.
 */
static void put_states(struct svg *s, const struct view_track *t)
{
	static const struct {
		const char *name, *fill;
		uint32_t bar;
	} looks[] = {
		{"running", "#74c476", BAR},
		{"runnable", "#fdae6b", 12},
		{"preempted", "#fdae6b", 12},
		{"blocked", "#de2d26", 8},
		{"", "#ddd", 4},
	};
	struct view_cells cells;

	view_cells_init(&cells, &s->def->span, s->def->width);
	for (size_t i = 0; i < t->count && !cells.failed; i++) {
		const struct view_mark *m = &t->v[i];

		if (m->from <= s->def->span.to && m->to >= s->def->span.from)
			view_cells_add_mark(&cells, m);
	}
	view_cells_end(&cells);
	s->out->failed = s->out->failed || cells.failed;
	for (size_t i = 0; i < cells.count; i++) {
		const uint32_t key = cells.v[i].key;
		const char *name = key < view_names_count(&t->names)
					   ? view_names_text(&t->names, key)
					   : "unknown";
		size_t look = 0;

		while (*looks[look].name && strcmp(looks[look].name, name))
			look++;
		put_cell(s, &cells.v[i], name, "", looks[look].fill, looks[look].bar);
	}
	view_cells_fini(&cells);
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
	s->y += ROW;
	return TDAT_OK;
}

/*
 * Draws all tasks that were asked for; CPUs get the rows that remain. A line tells how many are
 * missing.
 */
enum tdat_status view_svg_make(struct view_api *api, const struct view_svg_def *def,
			       struct tdat_build *out, struct tdat_error *err)
{
	struct svg s = {api, def, out, err, TOP};
	const size_t all = api->trace->lane_count + def->row_count;
	const size_t tasks = def->row_count < VIEW_SVG_ROWS ? def->row_count : VIEW_SVG_ROWS;
	const size_t shown = all < VIEW_SVG_ROWS ? all : VIEW_SVG_ROWS;
	enum tdat_status st = TDAT_OK;

	put_head(&s, (uint32_t)(TOP + shown * ROW + 8), all - shown);
	for (size_t i = 0; st == TDAT_OK && i < shown - tasks; i++)
		st = put_cpu(&s, i);
	for (size_t i = 0; st == TDAT_OK && i < tasks; i++)
		st = put_task(&s, def->rows[i]);
	tdat_build_str(out, "</svg>\n");
	return st == TDAT_OK && out->failed ? tdat_error_no_memory(err, "a picture") : st;
}
