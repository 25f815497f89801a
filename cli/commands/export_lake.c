/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a data set of many files. A run that was killed is continued by the next one. Inputs are
 * worked on by threads, each with one file at a time; the folder is locked against a second export.
 * A file whose record matches is not exported again. Two inputs of one name are refused, as they
 * would write the same parts.
 */
#include "commands/export_lake.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands/export_lake_file.h"
#include "commands/export_lake_swap.h"
#include "core/text.h"
#include "core/utf8.h"
#include "core/thread.h"
#include "input/trace_files.h"
#include "safety/descriptors.h"
#include "safety/own_input.h"
#include "safety/sandbox_output.h"
#include "terminal/message.h"

/* Threads that work on files at once. */
enum { WORKERS_MOST = 64 };

/* State that all workers share; lock protects next, sums and what is printed. */
struct lake_run {
	const struct export_lake *lake;
	struct cli_files files;
	struct lake_input *inputs;
	size_t count, next; /* next: of the inputs that nobody works on yet */
	int lock_fd;
	pthread_mutex_t lock; /* of next, sums and of what is printed */
	struct lake_sums sums;
	struct lake_room room;
	struct lake_folders folders;
};

/* ---- inputs ---- */

static bool is_utf8(const char *text)
{
	size_t left = strlen(text), n = 1;
	uint32_t code;

	for (; left && n; text += n, left -= n)
		n = tdat_utf8_len(text, left, &code);
	return n != 0;
}

/* True if names have one value as partitions. Those that are not UTF-8 may, though they differ. */
static bool same_name(const char *a, const char *b)
{
	struct tdat_build x, y;
	bool same;

	if (is_utf8(a) && is_utf8(b))
		return !strcmp(a, b);
	tdat_build_init(&x, false);
	tdat_build_init(&y, false);
	cli_partition_value(&x, a);
	cli_partition_value(&y, b);
	same = x.len == y.len && !memcmp(x.ptr, y.ptr, x.len);
	tdat_build_fini(&x);
	tdat_build_fini(&y);
	return same;
}

/* Refuses standard input, which has no name, and two inputs of the same name. */
static int check_names(char *const *paths, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!strcmp(paths[i], "-")) {
			cli_error(NULL, "a data set needs files with names, not standard input");
			return CLI_USAGE;
		}
		for (size_t k = 0; k < i; k++)
			if (same_name(tdat_base_name(paths[i]), tdat_base_name(paths[k]))) {
				cli_error(paths[i],
					  "%s has the same name; files of a data set need "
					  "different names",
					  paths[k]);
				return CLI_USAGE;
			}
	}
	return CLI_OK;
}

/*
 * Length and time of change identify an input in its record. A file that cannot be opened fails
 * when its turn comes.
 */
static int open_inputs(struct lake_run *r, char *const *paths)
{
	r->inputs = calloc(r->count + 1, sizeof(*r->inputs));
	if (!r->inputs)
		return cli_nomem();
	for (size_t i = 0; i < r->count; i++) {
		struct lake_input *in = &r->inputs[i];
		struct stat sb;

		in->path = paths[i];
		in->name = tdat_base_name(paths[i]);
		if (!stat(paths[i], &sb)) {
			in->len = (uint64_t)sb.st_size;
			in->mtime_ns = (int64_t)sb.st_mtim.tv_sec * 1000000000 + sb.st_mtim.tv_nsec;
		}
		if (cli_files_add(&r->files, paths[i], false) != CLI_OK)
			return CLI_FAILED;
	}
	return CLI_OK;
}

/* ---- the folder ---- */

/* An existing folder is welcome: data sets grow. */
static int make_folder(const char *path)
{
	if (!mkdir(path, 0777) || errno == EEXIST)
		return CLI_OK;
	cli_error(path, "cannot create: %s", strerror(errno));
	return CLI_FAILED;
}

/*
 * Locks the data set for this process by flock(2), which ends with the process, also if it is
 * killed.
 */
static int lock_folder(const char *output, const char *records, int *lock_fd)
{
	char *path;
	int rc = CLI_OK;

	if (asprintf(&path, "%s/lock", records) < 0)
		return cli_nomem();
	/* The lock file stays: removing it would let two processes lock two files. */
	*lock_fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
	if (*lock_fd < 0) {
		cli_error(path, "cannot write: %s", strerror(errno));
		rc = CLI_FAILED;
	} else if (flock(*lock_fd, LOCK_EX | LOCK_NB)) {
		cli_error(output, errno == EWOULDBLOCK
					  ? "another tdat process is writing this data set"
					  : "cannot lock");
		rc = CLI_FAILED;
	}
	free(path);
	return rc;
}

/* Makes the folder and its "_tdat" for records, locks it, and enters the sandbox. */
int export_lake_open(const char *output, enum cli_sandbox_use use, int *lock_fd)
{
	int rc = make_folder(output);
	char *records;

	if (asprintf(&records, "%s/_tdat", output) < 0)
		return cli_nomem();
	if (rc == CLI_OK)
		rc = make_folder(records);
	if (rc == CLI_OK)
		rc = lock_folder(output, records, lock_fd);
	if (rc == CLI_OK)
		rc = lake_swap_restore(output);
	/*
	 * The sandbox allows writing in the folder that holds records, which is that of the data
	 * set, and in all below.
	 */
	if (rc == CLI_OK)
		cli_sandbox_for_folder(records, use);
	free(records);
	return rc;
}

/* Plans the folders of all inputs, in their order, before the first part is written. */
static int plan_folders(struct lake_run *r)
{
	struct tdat_error err = TDAT_ERROR_INIT;

	for (size_t i = 0; i < r->count; i++) {
		const struct lake_job job = {.lake = r->lake,
					     .input = &r->inputs[i],
					     .files = &r->files,
					     .index = i,
					     .folders = &r->folders,
					     .plan = true};

		lake_file_plan(&job);
	}
	return lake_schema_write(&r->folders.schema, r->folders.plan_path, false, NULL, &err)
		       ? cli_fail(NULL, &err)
		       : CLI_OK;
}

/* ---- the work ---- */

/* Workers take inputs in order. False: none is left. */
static bool take_input(struct lake_run *r, size_t *i)
{
	pthread_mutex_lock(&r->lock);
	*i = r->next;
	r->next += r->next < r->count;
	pthread_mutex_unlock(&r->lock);
	return *i < r->count;
}

/* A worker: exports inputs until none is left. Failures are counted in sums. */
static void *work(void *ctx)
{
	struct lake_run *r = ctx;
	size_t i;

	while (take_input(r, &i)) {
		struct lake_job job = {.lake = r->lake,
				       .input = &r->inputs[i],
				       .files = &r->files,
				       .index = i,
				       .alone = r->count < 2 || r->lake->table.threads < 2,
				       .print = &r->lock,
				       .sums = &r->sums,
				       .room = &r->room,
				       .folders = &r->folders};

		lake_file_export(&job);
	}
	return NULL;
}

/* The summary goes to stderr. */
static void tell(const struct lake_run *r)
{
	const struct lake_sums *s = &r->sums;

	if (!r->lake->quiet)
		cli_error(r->lake->output,
			  "%zu file%s exported, %" PRIu64 " row%s; %zu skipped, already exported",
			  s->exported, s->exported == 1 ? "" : "s", s->rows,
			  s->rows == 1 ? "" : "s", s->skipped);
}

static uint32_t workers(const struct lake_run *r)
{
	const uint32_t threads = r->lake->table.threads;
	const uint32_t most = threads < WORKERS_MOST ? threads : WORKERS_MOST;

	return r->count < most ? (uint32_t)r->count : most;
}

/* Returns CLI_FAILED if one input failed; the others are exported anyway. */
int export_lake_run(const struct export_lake *given, char *const *paths, size_t count)
{
	struct export_lake lake = *given;
	struct lake_run r = {.lake = &lake,
			     .files = {.spool_len = given->limits.spool_len},
			     .count = count,
			     .lock_fd = -1,
			     .lock = PTHREAD_MUTEX_INITIALIZER,
			     .room = LAKE_ROOM_INIT,
			     .folders = {.lock = PTHREAD_MUTEX_INITIALIZER}};
	struct tdat_error err = TDAT_ERROR_INIT;
	int rc = check_names(paths, count);

	if (!lake.table.threads)
		lake.table.threads = tdat_thread_count(0, WORKERS_MOST);
	cli_raise_file_limit();
	if (rc == CLI_OK && lake.command &&
	    cli_part_pipe_start(&lake.pipe, lake.command, workers(&r), &err))
		rc = cli_fail(NULL, &err);
	if (rc == CLI_OK)
		rc = cli_output_check_tree("export", lake.output, lake.exporter->columns->suffix,
					   (const char *const *)paths, count);
	if (rc == CLI_OK)
		rc = open_inputs(&r, paths);
	if (rc == CLI_OK)
		rc = export_lake_open(lake.output, CLI_SANDBOX_READING, &r.lock_fd);
	if (rc == CLI_OK)
		rc = lake_folders_read(&r.folders, &lake);
	if (rc == CLI_OK)
		rc = plan_folders(&r);
	if (rc == CLI_OK) {
		tdat_thread_team(workers(&r), work, &r, 0);
		unlink(r.folders.plan_path);
		lake_folders_tell(&r.folders, lake.output);
		tell(&r);
		rc = r.sums.failed ? CLI_FAILED : CLI_OK;
	}
	cli_part_pipe_stop(lake.pipe);
	cli_files_close(&r.files);
	if (r.lock_fd >= 0)
		close(r.lock_fd);
	free(r.inputs);
	lake_folders_fini(&r.folders);
	return rc;
}
