/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the report and the still picture of tdat view. It waits for the index, asks view/api for
 * the report or the picture, and writes a file that gets its name when it is whole. Damage that the
 * index met is reported afterwards, as by every command.
 */
#include "view/output.h"

#include <string.h>

#include "api/report.h"
#include "api/svg.h"
#include "http/page.h"
#include "input/damage.h"
#include "output/output_file.h"
#include "output/output_name.h"
#include "output/table_file.h"
#include "safety/own_input.h"
#include "view/span.h"

/* Options of serving and of writing exclude each other. Called before anything is opened. */
int cli_view_output_check(struct cli_view_args *args)
{
	int rc = CLI_OK;

	args->svg |= cli_name_ends(args->output, ".svg");
	if (!args->svg && cli_name_has_end(args->output) &&
	    !cli_name_ends(args->output, ".html .htm")) {
		cli_error(args->output, "the suffix does not select a format; use .html or .svg");
		return CLI_USAGE;
	}

	if (!args->output) {
		if (!args->force && !args->from && !args->until && !args->rows.count &&
		    !args->svg && !args->view)
			return CLI_OK;
		cli_error(NULL, "--force, --svg, --from, --until, --row and --view need --output");
		return CLI_USAGE;
	}
	if (args->port || args->host || args->no_browser || args->in_frame) {
		cli_error(NULL, "--output cannot be combined with --port, --host, --no-browser or "
				"--in-frame");
		return CLI_USAGE;
	}
	rc = cli_output_taken(args->output, args->force);
	for (size_t i = 0; rc == CLI_OK && i < args->input_count; i++)
		rc = cli_output_check("view", args->output, args->force, &args->inputs[i].path, 1);
	return rc;
}

/* Writes the whole file or none. */
static enum tdat_status write_file(const struct cli_view_args *args, const struct tdat_span *parts,
				   size_t count, struct tdat_error *err)
{
	struct cli_table_file file;
	enum tdat_status st = cli_table_file_open(&file, args->output, args->force, err);

	if (st != TDAT_OK)
		return st;
	for (size_t i = 0; st == TDAT_OK && i < count; i++)
		st = cli_table_file_write(&file, parts[i].ptr, parts[i].len, err);
	if (st != TDAT_OK) {
		cli_table_file_close(&file, true, NULL);
		return st;
	}
	return cli_table_file_close(&file, false, err);
}

/* The page's head, the data as a script, and the tail: one file that needs no server. */
static enum tdat_status write_report(const struct cli_view_args *args, struct view_api *api,
				     const struct view_saved *view, const struct view_span *span,
				     struct tdat_error *err)
{
	const struct view_page *page = &view_page;
	const struct view_report_def def = {.span = *span,
					    .width = args->width ? (uint32_t)args->width : 4096,
					    .event_count = args->events,
					    .rows = args->rows.v,
					    .row_count = args->rows.count,
					    .view = view};
	struct tdat_build data;
	enum tdat_status st;

	tdat_build_init(&data, false);
	st = view_report_make(api, &def, &data, err);
	if (st == TDAT_OK) {
		const struct tdat_span parts[] = {{page->report_head.data, page->report_head.len},
						  {data.ptr, data.len},
						  {page->tail.data, page->tail.len}};

		st = write_file(args, parts, sizeof(parts) / sizeof(parts[0]), err);
	}
	tdat_build_fini(&data);
	return st;
}

static enum tdat_status write_svg(const struct cli_view_args *args, struct view_api *api,
				  const struct view_saved *view, const struct view_span *span,
				  struct tdat_error *err)
{
	const struct view_svg_def def = {.span = *span,
					 .width = args->width ? (uint32_t)args->width : 1200,
					 .rows = args->rows.v,
					 .row_count = args->rows.count,
					 .view = view};
	struct tdat_build picture;
	enum tdat_status st;

	tdat_build_init(&picture, false);
	st = view_svg_make(api, &def, &picture, err);
	if (st == TDAT_OK)
		st = write_file(args, &(struct tdat_span){picture.ptr, picture.len}, 1, err);
	tdat_build_fini(&picture);
	return st;
}

/* Reports damage that the index met: it has read all events. */
int cli_view_tell_damage(struct view_engine *engine)
{
	const struct view_trace *t = view_engine_index(engine)->trace;
	int rc = cli_undescribed_all(t->inputs, t->input_count);

	for (size_t i = 0; i < t->lane_count; i++) {
		struct tdat_stream_damage damage;
		const struct tdat_file *file = t->inputs[t->recs[t->lanes[i].rec].input].file;

		if (!view_engine_damage(engine, i, &damage))
			continue;
		if (damage.bad_pages)
			cli_damage(tdat_file_info(file)->name, file, &damage);
		else
			cli_error(tdat_file_info(file)->name, "CPU %u was not read to its end: %s",
				  t->lanes[i].cpu, damage.message);
		rc = CLI_FAILED;
	}
	return rc;
}

/*
 * The rows of --view follow those of --row, and its window is the span, unless --from and --until
 * name another one. The list borrows the names of rows from *view.
 */
static enum tdat_status use_view(struct cli_view_args *args, const struct view_trace *t,
				 struct view_saved *view, struct view_span *span,
				 struct tdat_error *err)
{
	enum tdat_status st = cli_view_span(t, args->from, args->until, span, err);
	struct view_span window;

	if (!args->view || st != TDAT_OK)
		return st;
	st = view_saved_init(view, args->view, err);
	for (size_t i = 0; st == TDAT_OK && i < view->query.count; i++)
		/* A row without a name says that there are none. */
		if (!strcmp(view->query.v[i].name, "row") && *view->query.v[i].value &&
		    /* A report has no server, which the page asks for rows of queries. */
		    strncmp(view->query.v[i].value, "sql:", 4) != 0 &&
		    !cli_list_add(&args->rows, view->query.v[i].value))
			st = tdat_error_no_memory(err, "a list");
	if (st == TDAT_OK)
		st = view_query_span(&view->query, t, &window, err);
	if (st != TDAT_OK)
		return st;
	if (!args->from && window.from > span->from)
		span->from = window.from;
	if (!args->until && window.to < span->to)
		span->to = window.to;
	if (span->to < span->from)
		return tdat_error_set(
			err, TDAT_E_USAGE, TDAT_NO_OFFSET,
			"the window of --view is outside the trace, or outside --from and --until");
	return TDAT_OK;
}

int cli_view_output_write(struct cli_view_args *args, struct view_engine *engine,
			  struct view_api *api)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct view_saved view = {.text = NULL};
	struct view_span span;
	enum tdat_status st;

	view_engine_wait(engine);
	st = use_view(args, view_engine_index(engine)->trace, &view, &span, &err);
	if (st == TDAT_OK)
		st = (args->svg ? write_svg : write_report)(args, api, &view, &span, &err);
	view_saved_fini(&view);
	return st == TDAT_OK ? cli_view_tell_damage(engine) : cli_fail(NULL, &err);
}
