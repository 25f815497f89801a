/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Imports a foreign capture and hands its events on as they come, without a file of them: for
 * commands that print. What events refer to (formats, names of tasks) is a trace.dat in memory that
 * has no events. Events are collected first, so that most of what they refer to is known by then;
 * where more comes later the file is made anew.
 */
#ifndef CLI_IMPORT_FEED_H
#define CLI_IMPORT_FEED_H

#include <tdat/iter.h>

#include "args/import_opts.h"
#include "input/input_list.h"

/* Who gets the events. */
struct cli_feed_ops {
	/*
	 * Called before the first event, and again before further ones when formats or names were
	 * added: file lasts until the next call, or until close.
	 */
	enum tdat_status (*open)(void *ctx, struct tdat_file *file, struct tdat_error *err);
	/* Further events of the file that was opened last. TDAT_E_CANCELLED: enough of them. */
	enum tdat_status (*events)(void *ctx, const struct tdat_event *events, size_t count,
				   struct tdat_error *err);
	/* After an open, at the end; ok: no event is missing. */
	enum tdat_status (*close)(void *ctx, bool ok, struct tdat_error *err);
};

struct cli_feed_to {
	const struct cli_feed_ops *ops;
	void *ctx;
	int64_t ts_offset; /* added to all times */
};

struct cli_feed_request {
	const struct tdat_importer *importer;
	const struct cli_import_opts *given;
	const struct cli_inputs *inputs;
	const struct tdat_limits *limits;
	const struct cli_feed_to *to;
};

/*
 * cli_import_feed runs the import. *fed is false, and nothing was handed over or reported, if the
 * capture cannot be shown this way: if it fails before its first events were handed over, has
 * pages, several buffers or text instead of events, or if what is printed of an event depends on
 * those around it. Else it returns an exit status, CLI_FAILED also after warnings, which are
 * printed.
 */
int cli_import_feed(const struct cli_feed_request *request, bool *fed);

#endif
