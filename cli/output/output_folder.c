/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a folder of files, such as CTF. It is made beside its final name, files are appended while
 * the export runs, and it is renamed when everything is on the disk. An existing folder is replaced
 * only if an export made it.
 */
#include "output/output_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/grow.h"
#include "core/temp_file.h"

static enum tdat_status no_memory(const struct cli_folder *f, struct tdat_error *err)
{
	return tdat_error_no_memory(err, f->path);
}

/* Makes FOLDER/NAME; NULL: no memory. */
static char *inside(const char *folder, const char *name)
{
	char *path;

	return asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
}

/* True if the folder has no entries; false also if it is not a folder. */
static bool is_empty(const char *path)
{
	DIR *dir = opendir(path);
	bool empty = dir;
	const struct dirent *e;

	while (empty && (e = readdir(dir)))
		empty = !strcmp(e->d_name, ".") || !strcmp(e->d_name, "..");
	if (dir)
		closedir(dir);
	return empty;
}

/* True if there is a file "metadata" that begins like those of CTF: no other folder is replaced. */
static bool is_export(const char *path)
{
	static const char start[] = "/* CTF 1.8 */";
	char text[sizeof(start)] = "", *metadata = inside(path, "metadata");
	const int fd = metadata ? open(metadata, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : -1;
	const bool yes = fd >= 0 && read(fd, text, sizeof(start) - 1) == sizeof(start) - 1 &&
			 !strcmp(text, start);

	if (fd >= 0)
		close(fd);
	free(metadata);
	return yes;
}

/* Begins a folder under a temporary name. An empty folder is replaced without --force. */
enum tdat_status cli_folder_open(struct cli_folder *f, const char *path, bool force,
				 struct tdat_error *err)
{
	struct stat sb;

	*f = (struct cli_folder){.path = path};
	if (!lstat(path, &sb) && !is_empty(path)) {
		if (!force)
			return tdat_error_set(err, TDAT_E_SYSTEM, TDAT_NO_OFFSET,
					      "%s exists already; --force replaces it", path);
		if (!is_export(path))
			return tdat_error_set(
				err, TDAT_E_SYSTEM, TDAT_NO_OFFSET,
				"%s is not a folder of an earlier export, and is kept", path);
		f->replace = true;
	}
	return cli_unfinished_folder(&f->made, path, err);
}

/* Keeps the name of a file, to bring it to the disk at the end. */
static bool remember(struct cli_folder *f, const char *name)
{
	if (!TDAT_GROW(f->names, &f->room, f->count + 1))
		return false;
	f->names[f->count] = strdup(name);
	return f->names[f->count] && ++f->count;
}

/*
 * Appends to a file of the folder; its first call makes it. Exporters write many streams in turn.
 */
enum tdat_status cli_folder_write(void *ctx, const char *name, const void *data, size_t len,
				  struct tdat_error *err)
{
	struct cli_folder *f = ctx;
	char *path = inside(cli_unfinished_name(f->made), name);
	const int flags = O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW;
	enum tdat_status st;
	int fd;

	if (!path)
		return no_memory(f, err);
	/*
	 * Many streams would need more descriptors than a process may have, so that no file stays
	 * open.
	 */
	fd = open(path, flags);
	if (fd < 0 && errno == ENOENT) {
		if (!remember(f, name)) {
			free(path);
			return no_memory(f, err);
		}
		fd = open(path, flags | O_CREAT | O_EXCL, 0666);
	}
	st = fd >= 0 && tdat_fd_write(fd, data, len) == len
		     ? TDAT_OK
		     : tdat_error_set_errno(err, errno, "cannot write %s/%s", f->path, name);
	free(path);
	if (fd >= 0 && close(fd) && st == TDAT_OK)
		st = tdat_error_set_errno(err, errno, "cannot write %s/%s", f->path, name);
	return st;
}

/*
 * Brings all files to the disk before the folder gets its name: after a crash the name must not be
 * that of half an export.
 */
static enum tdat_status sync_files(const struct cli_folder *f, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; i < f->count && st == TDAT_OK; i++) {
		char *path = inside(cli_unfinished_name(f->made), f->names[i]);
		const int fd = path ? open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW) : -1;

		if (!path)
			st = no_memory(f, err);
		else if (fd < 0 || (fsync(fd) && errno != EINVAL && errno != EROFS))
			st = tdat_error_set_errno(err, errno, "cannot write %s/%s to the disk",
						  f->path, f->names[i]);
		if (fd >= 0)
			close(fd);
		free(path);
	}
	return st;
}

/* Finishes the folder, or removes it with give_up. It is safe to call it twice. */
enum tdat_status cli_folder_close(struct cli_folder *f, bool give_up, struct tdat_error *err)
{
	enum tdat_status st = f->made && !give_up ? sync_files(f, err) : TDAT_OK;

	if (f->made && !give_up && st == TDAT_OK &&
	    cli_unfinished_finish(f->made, f->path,
				  f->replace ? CLI_FINISH_EXCHANGE : CLI_FINISH_REPLACE))
		st = tdat_error_set_errno(err, errno, "cannot rename a temporary file to %s",
					  f->path);
	cli_unfinished_free(f->made);
	for (size_t i = 0; i < f->count; i++)
		free(f->names[i]);
	free(f->names);
	*f = (struct cli_folder){.path = NULL};
	return st;
}
