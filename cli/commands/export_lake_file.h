/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Exports one input of a data set. */
#ifndef CLI_EXPORT_LAKE_FILE_H
#define CLI_EXPORT_LAKE_FILE_H

#include <pthread.h>

#include "commands/export_lake_facts.h"
#include "input/trace_files.h"

struct lake_input {
	const char *path, *name; /* borrowed */
	uint64_t len;
	int64_t mtime_ns;
};

/* What became of all inputs, under the lock. */
struct lake_sums {
	size_t exported, skipped, failed;
	uint64_t rows;
};

/*
 * Each file divides its memory among its own tables. Of the files with hundreds of them one at a
 * time goes on, so that several together take little more than one.
 */
struct lake_turn {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool taken;
};

struct lake_job {
	const struct export_lake *lake;
	const struct lake_input *input;
	struct cli_files *files;
	size_t index;		/* in files */
	pthread_mutex_t *print; /* held while something is printed, and for the sums */
	struct lake_sums *sums;
	struct lake_turn *turn;
};

void lake_file_export(const struct lake_job *job);

#endif
