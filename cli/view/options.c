/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options and the help of tdat view. They are in this file because both tdat and tdat-view have
 * them.
 */
#include "view/options.h"

#include "args/ts_offset.h"
#include "core/grow.h"
#include "terminal/message.h"

int cli_view_input_add(struct cli_view_args *a, const char *path)
{
	if (!TDAT_GROW(a->inputs, &a->input_room, a->input_count + 1))
		return cli_nomem();
	a->inputs[a->input_count++] = (struct cli_view_input){path, 0};
	return CLI_OK;
}

static int add_input(void *values, const struct cli_opt *opt, const char *value)
{
	(void)opt;
	return cli_view_input_add(values, value);
}

static int set_ts_offset(void *values, const struct cli_opt *opt, const char *value)
{
	struct cli_view_args *a = values;

	(void)opt;
	if (!a->input_count) {
		cli_error(NULL, "--ts-offset must follow the file that it applies to");
		return CLI_USAGE;
	}
	return cli_ts_offset(value, &a->inputs[a->input_count - 1].ts_offset);
}

const struct cli_opt cli_view_opts[] = {
	CLI_STRING('o', "output", "FILE", struct cli_view_args, output,
		   "write a report, the page with its data, to this HTML file instead of serving "
		   "it; - is standard output"),
	CLI_FLAG('f', "force", struct cli_view_args, force, "replace an existing file"),
	CLI_FLAG(0, "svg", struct cli_view_args, svg,
		 "with --output: write a still picture, of the CPUs and the rows of --row"),
	CLI_STRING(0, "from", "TIME", struct cli_view_args, from,
		   "with --output: show detail from this time, written as for dump --from"),
	CLI_STRING(0, "until", "TIME", struct cli_view_args, until,
		   "with --output: show detail until this time"),
	CLI_STRING(0, "to", "TIME", struct cli_view_args, until, NULL),
	CLI_U64(0, "events", "N", 1, 1000000, struct cli_view_args, events,
		"with --output: write at most N events (default: 20000)"),
	CLI_U64(0, "width", "N", 64, 16384, struct cli_view_args, width,
		"with --output: make each picture N pixels wide (default: 4096, or 1200 with "
		"--svg)"),
	CLI_STRING(0, "view", "ADDRESS", struct cli_view_args, view,
		   "with --output: show the view of this page address"),
	CLI_LIST(0, "row", "KEY", struct cli_view_args, rows,
		 "with --output: add this row, such as task:0:PID"),
	CLI_U64(0, "port", "N", 0, 65535, struct cli_view_args, port,
		"listen on port N (default: 0, a free port)"),
	CLI_STRING(0, "host", "ADDRESS", struct cli_view_args, host,
		   "listen on this address; other machines can connect"),
	CLI_FLAG(0, "no-browser", struct cli_view_args, no_browser,
		 "print the address and open no browser"),
	CLI_FLAG(0, "in-frame", struct cli_view_args, in_frame,
		 "let other pages, such as notebooks, embed the page"),
	CLI_U64(0, "threads", "N", 0, 64, struct cli_view_args, threads,
		"build the index with N threads (default: 0, one per CPU, at most 4)"),
	/* This is for tests: small files are read, so that their index would never be used. */
	CLI_U64(0, "read-always", "N", 1, 1000000, struct cli_view_args, read_always, NULL),
	CLI_INPUT,
	CLI_CALL(0, "ts-offset", "NS", set_ts_offset,
		 "add NS nanoseconds to timestamps of the preceding FILE"),
	CLI_LIMITS(struct cli_view_args, limits),
	CLI_ARG(add_input),
	CLI_OPT_END,
};

const char cli_view_summary[] = "Show a trace as a timeline in the browser";
const char *const cli_view_synopsis[] = {"[OPTION]... [FILE]...", NULL};
const char *const cli_view_notes[] = {
	"The default FILE is trace.dat; several files are shown together. Anyone who has the "
	"printed address can read the trace until tdat view ends. Press Ctrl-C to end it.",
	NULL};
