/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tdat_emit in front of another: passes everything on, and on the way counts
 * CPUs, collects facts and warnings for the user, and shows progress.
 */
#ifndef CLI_WATCH_H
#define CLI_WATCH_H

#include <tdat/emit.h>
#include <tdat/writer.h>

#include "input/inputs.h"
#include "terminal/progress.h"

struct cli_watch {
	struct tdat_emit emit;       /* to be given to the importer */
	struct tdat_emit_ops ops;    /* optional ones only where next has them */
	const struct tdat_emit *next;
	const struct cli_inputs *inputs;
	bool strict;                 /* a warning stops the import */
	uint64_t events;
	uint64_t warnings;
	uint8_t *cpu_seen;           /* one byte a CPU */
	size_t cpu_room;
	uint32_t cpu_count;
	char facts[512];             /* "key value, key value" */
	struct cli_progress progress;
};

/*
 * Runs an importer into a writer behind a watch that it inits, and finishes the file;
 * a failure is told. Returns an exit status, CLI_FAILED also after doubts; *done:
 * there is a file. The caller ends the watch.
 */
int cli_watch_import(struct cli_watch *w, const struct tdat_importer *importer,
		     const struct tdat_import_request *request, const struct cli_inputs *in,
		     struct tdat_writer *writer, bool *done);

void cli_watch_fini(struct cli_watch *w);

#endif
