/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Paths and names of the entries of directories. Names are sorted by bytes, so captures are read in
 * one order on all file systems and in all locales.
 */
#include "input/directory.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "core/grow.h"
#include "core/search.h"
#include "terminal/message.h"

/* TRACEFS_MAGIC of <linux/magic.h>. */
enum { TRACEFS_MAGIC = 0x74726163 };

/*
 * A live tracefs is read in another way: its files have no size, and reading some removes events.
 */
bool cli_directory_is_tracefs(const char *path)
{
	struct statfs fs;

	return !statfs(path, &fs) && (unsigned long)fs.f_type == TRACEFS_MAGIC;
}

char *cli_join_path(const char *dir, const char *name)
{
	size_t len = strlen(dir);
	char *path;

	if (asprintf(&path, "%s%s%s", dir, len && dir[len - 1] == '/' ? "" : "/", name) < 0)
		return NULL;
	return path;
}

void cli_free_names(char **names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(names[i]);
	free(names);
}

/*
 * Reads the names of a directory and closes fd. Hidden names are left out. *out is freed by
 * cli_free_names().
 */
int cli_read_names(int fd, const char *path, char ***out, size_t *count)
{
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	size_t room = 0, n = 0;
	char **names = NULL;
	struct dirent *e;
	int rc = CLI_OK;

	if (!dir) {
		cli_error(path, "cannot open the directory: %s", strerror(errno));
		if (fd >= 0)
			close(fd);
		return CLI_FAILED;
	}
	errno = 0;
	while (rc == CLI_OK && (e = readdir(dir))) {
		if (e->d_name[0] == '.')
			continue;
		if (!TDAT_GROW(names, &room, n + 1)) {
			rc = cli_nomem();
			break;
		}
		names[n] = strdup(e->d_name);
		if (!names[n++])
			rc = cli_nomem();
		errno = 0;
	}
	if (rc == CLI_OK && errno) {
		cli_error(path, "cannot read the directory: %s", strerror(errno));
		rc = CLI_FAILED;
	}
	closedir(dir);
	if (rc != CLI_OK) {
		cli_free_names(names, n);
		return rc;
	}
	if (n)
		qsort(names, n, sizeof(*names), tdat_by_text);
	*out = names;
	*count = n;
	return CLI_OK;
}
