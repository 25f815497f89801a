/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Exports one input of a data set. */
#ifndef CLI_EXPORT_LAKE_FILE_H
#define CLI_EXPORT_LAKE_FILE_H

#include <pthread.h>

#include "commands/export_lake_facts.h"
#include "commands/export_lake_folders.h"
#include "commands/export_lake_room.h"
#include "commands/export_parts.h"
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

struct lake_job {
	const struct export_lake *lake;
	const struct lake_input *input;
	struct cli_files *files;
	size_t index;		/* in files */
	bool alone;		/* no other file is exported at the same time */
	pthread_mutex_t *print; /* held while something is printed, and for the sums */
	struct lake_sums *sums;
	struct lake_room *room;
	struct lake_folders *folders;
	bool plan; /* lake_file_plan: nothing is printed */
};

/*
 * Plans the folders of an input that is to be exported. What fails, fails again in
 * lake_file_export(), which prints it.
 */
void lake_file_plan(const struct lake_job *job);
void lake_file_export(const struct lake_job *job);

#endif
