/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declares what prints the events of a foreign capture while they are imported, for tdat dump. */
#ifndef DUMP_STREAM_H
#define DUMP_STREAM_H

#include <tdat/export.h>

#include "core/build.h"
#include "input/import_feed.h"

struct dump_stream {
	/* Set by the caller. */
	const char *exporter;
	const struct tdat_keyed_option *options;
	size_t option_count;
	uint64_t limit;	     /* events; 0: all */
	tdat_write_fn write; /* gets the text */
	void *write_ctx;
	const char *path; /* for complaints */

	/* The exporter of the file that was opened last. */
	struct tdat_export *export;
	void *worker;
	struct tdat_file *file;
	struct tdat_build text;
	bool headed;
	uint64_t given;
	bool has_before;
	struct tdat_event before;
	int status; /* CLI_FAILED: events were met that no format describes */
};

/* The functions for cli_feed_to, with a struct dump_stream as ctx. */
extern const struct cli_feed_ops dump_stream_ops;

/* Frees what is left after a feed, also after none. */
void dump_stream_fini(struct dump_stream *s);

#endif
