/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the file of an exported table, which gets its name when it is whole. The temporary file
 * lies in the folder of its name and is removed if the export fails or is interrupted
 * (cli/safety/unfinished.c). Streams are written directly.
 */
#include "core/build.h"
#include "output/table_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/output_name.h"
#include "core/temp_file.h"

static enum tdat_status no_memory(const struct cli_table_file *f, struct tdat_error *err)
{
	return tdat_error_no_memory(err, f->path);
}

/* A pipe, a device or standard output: it cannot be replaced or read back. */
bool cli_table_file_is_stream(const char *path)
{
	struct tdat_output_name name;

	if (tdat_output_name_find(&name, path, NULL) != TDAT_OK)
		return false;
	free(name.path);
	return name.kind == TDAT_OUTPUT_STREAM;
}

/* Finds the file that is made or replaced, behind links: a link to a file stays a link. */
static enum tdat_status find(struct cli_table_file *f, const char *path, bool force,
			     struct tdat_error *err)
{
	struct tdat_output_name name;
	enum tdat_status st = tdat_output_name_find(&name, path, err);

	*f = (struct cli_table_file){
		.fd = -1, .path = path, .force = force, .real = name.path, .mode = name.mode};
	if (st == TDAT_OK && name.kind == TDAT_OUTPUT_FOLDER)
		st = tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET, "%s is a directory", path);
	else if (st == TDAT_OK && name.kind == TDAT_OUTPUT_FILE && !force)
		st = tdat_error_set(err, TDAT_E_SYSTEM, TDAT_NO_OFFSET,
				    "%s exists already; --force replaces it", path);
	return st;
}

static enum tdat_status start(struct cli_table_file *f, struct tdat_error *err)
{
	enum tdat_status st = cli_unfinished_file(&f->made, f->real, err);

	if (st == TDAT_OK)
		f->fd = cli_unfinished_fd(f->made);
	return st;
}

/* Opens an output: standard output, a stream, or a temporary file beside its name. */
enum tdat_status cli_table_file_open(struct cli_table_file *f, const char *path, bool force,
				     struct tdat_error *err)
{
	enum tdat_status st;

	*f = (struct cli_table_file){.fd = STDOUT_FILENO, .path = path, .mode = -1};
	if (!strcmp(path, "-"))
		return TDAT_OK;
	if (cli_table_file_is_stream(path)) {
		f->fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
		return f->fd < 0 ? tdat_error_set_errno(err, errno, "cannot write %s", path)
				 : TDAT_OK;
	}
	st = find(f, path, force, err);
	return st == TDAT_OK ? start(f, err) : st;
}

/* Reserves a name for an exporter that writes the file itself. */
enum tdat_status cli_table_file_reserve(struct cli_table_file *f, const char *path, bool force,
					struct tdat_error *err)
{
	if (!cli_table_file_is_stream(path))
		return cli_table_file_open(f, path, force, err);
	*f = (struct cli_table_file){.fd = -1, .mode = -1};
	return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
			      "%s is not a regular file, which this format needs", path);
}

/* Opens a part of a data set, which replaces an older one. */
enum tdat_status cli_table_file_resume(struct cli_table_file *f, const char *path,
				       struct tdat_error *err)
{
	*f = (struct cli_table_file){.fd = -1, .path = path, .force = true, .mode = -1};
	f->real = strdup(path);
	return f->real ? start(f, err) : no_memory(f, err);
}

enum tdat_status cli_table_file_write(void *ctx, const void *data, size_t len,
				      struct tdat_error *err)
{
	const struct cli_table_file *f = ctx;

	if (tdat_fd_write(f->fd, data, len) == len)
		return TDAT_OK;
	return tdat_error_set_errno(err, errno, "cannot write %s",
				    strcmp(f->path, "-") ? f->path : "standard output");
}

/*
 * Reads back what was written, for formats whose end refers to their beginning. A short read means
 * that another process cut the file.
 */
enum tdat_status cli_table_file_read(void *ctx, uint64_t off, void *data, size_t len,
				     struct tdat_error *err)
{
	const struct cli_table_file *f = ctx;
	const size_t done = tdat_fd_read(f->fd, off, data, len);

	if (done == len)
		return TDAT_OK;
	if (errno)
		return tdat_error_set_errno(err, errno, "cannot read %s again", f->path);
	return tdat_error_set(err, TDAT_E_SYSTEM, off + done,
			      "%s was truncated while it was written: %zu bytes are missing",
			      f->path, len - done);
}

/* Gives the file its name. Without force a file that was made meanwhile stays. */
static enum tdat_status finish(const struct cli_table_file *f, struct tdat_error *err)
{
	if (f->pipe) {
		const enum tdat_status st = cli_part_pipe_give(
			f->pipe, cli_unfinished_name(f->made), f->piped_name, err);

		if (st != TDAT_OK || !f->keep)
			return st;
	}
	/* The replaced file's mode is kept if the right to set it is there. */
	if (f->mode >= 0)
		(void)!fchmod(f->fd, (mode_t)f->mode);
	if (fsync(f->fd) && errno != EINVAL && errno != EROFS)
		return tdat_error_set_errno(err, errno, "cannot write %s to the disk", f->path);
	if (cli_unfinished_finish(f->made, f->real, f->force ? CLI_FINISH_REPLACE : CLI_FINISH_NEW))
		return tdat_error_set_errno(err, errno, "cannot rename a temporary file to %s",
					    f->path);
	return TDAT_OK;
}

/*
 * Ends the file: gives it its name, or removes it with give_up. Safe on a file that was never
 * opened.
 */
enum tdat_status cli_table_file_close(struct cli_table_file *f, bool give_up,
				      struct tdat_error *err)
{
	enum tdat_status st = f->made && !give_up ? finish(f, err) : TDAT_OK;
	int rc = 0;

	if (f->made)
		rc = cli_unfinished_free(f->made);
	else if (f->fd >= 0 && f->fd != STDOUT_FILENO)
		rc = close(f->fd);
	if (rc && !give_up && st == TDAT_OK)
		st = tdat_error_set_errno(err, errno, "cannot write %s", f->path);
	free(f->real);
	*f = (struct cli_table_file){.fd = -1};
	return st;
}

/*
 * Returns FOLDER/TABLE with a suffix, which free() frees. Slashes of "system/event" become points;
 * blanks and control bytes, which shells split at, become "_".
 */
char *cli_table_file_name(const char *folder, const char *table, const char *suffix)
{
	char *path, *p;

	if (asprintf(&path, "%s/%s%s", folder, table, suffix) < 0)
		return NULL;
	for (p = path + strlen(folder) + 1; *p; p++) {
		if (*p == '/')
			*p = '.';
		else if ((unsigned char)*p <= ' ' || (unsigned char)*p == 0x7f || *p == '\\')
			*p = '_';
	}
	/* A point at the beginning would hide the file, or name the folder itself. */
	if (path[strlen(folder) + 1] == '.')
		path[strlen(folder) + 1] = '_';
	return path;
}

/* Reads a file of a data set that is known to be small. */
char *cli_table_file_text(const char *path, size_t *len)
{
	FILE *f = fopen(path, "re");
	struct tdat_build b;
	char buf[4096];
	size_t n;

	if (!f)
		return NULL;
	tdat_build_init(&b, false);
	while ((n = fread(buf, 1, sizeof(buf), f)))
		tdat_build_bytes(&b, buf, n);
	fclose(f);
	*len = b.len;
	return tdat_build_text(&b);
}
