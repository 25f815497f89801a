/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs an importer into a writer: collects facts for the summary, reports warnings and shows
 * progress, as the writer calls back.
 */
#ifndef CLI_IMPORT_RUN_H
#define CLI_IMPORT_RUN_H

#include <pthread.h>

#include <tdat/emit.h>
#include <tdat/writer.h>

#include "input/input_list.h"
#include "terminal/progress.h"

struct cli_import {
	const struct cli_inputs *inputs;
	bool strict; /* a warning stops the import */
	uint64_t warnings;
	pthread_mutex_t progress_lock;
	char facts[512]; /* "key value, key value" */
	struct cli_progress progress;
};

/*
 * cli_import_run sets up im, runs the importer into the writer and finishes the file. It prints
 * and counts warnings; the caller calls cli_import_fini either way.
 */
enum tdat_status cli_import_run(struct cli_import *im, const struct tdat_importer *importer,
				const struct tdat_import_request *request,
				const struct cli_inputs *in, struct tdat_writer *writer,
				struct tdat_error *err);

void cli_import_fini(struct cli_import *im);

#endif
