/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs an importer into a writer. A tdat_emit between the two passes everything on,
 * and on the way counts events and CPUs, collects facts for the summary, reports
 * warnings and shows progress.
 */
#ifndef CLI_IMPORT_RUN_H
#define CLI_IMPORT_RUN_H

#include <pthread.h>

#include <tdat/emit.h>
#include <tdat/writer.h>

#include "input/input_list.h"
#include "terminal/progress.h"

/* What passes through an emit of a CPU of the writer, on another thread. */
struct cli_import_cpu_emit;

struct cli_import {
	struct tdat_emit emit;	  /* what the importer is given */
	struct tdat_emit_ops ops; /* optional ones are there only where next has them */
	const struct tdat_emit *next;
	const struct cli_inputs *inputs;
	bool strict; /* a warning stops the import */
	uint64_t events;
	uint64_t warnings;
	uint8_t *cpu_seen; /* one byte for each CPU */
	size_t cpu_room;
	uint32_t cpu_count;
	struct cli_import_cpu_emit **cpu_emits;
	size_t cpu_emit_count, cpu_emit_cap;
	_Atomic uint64_t cpu_emit_events; /* for the progress, in steps of CPU_STEP */
	pthread_mutex_t progress_lock;
	char facts[512]; /* "key value, key value" */
	struct cli_progress progress;
};

/*
 * cli_import_run sets up im, runs the importer into the writer and finishes the file;
 * it complains of a failure. Returns an exit status, which is CLI_FAILED also after
 * warnings; *done says whether there is a file. The caller calls cli_import_fini.
 */
int cli_import_run(struct cli_import *im, const struct tdat_importer *importer,
		   const struct tdat_import_request *request, const struct cli_inputs *in,
		   struct tdat_writer *writer, bool *done);

void cli_import_fini(struct cli_import *im);

#endif
