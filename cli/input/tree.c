/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens the files of captures that are a tree of directories. Only names that the importer wants
 * are opened, in the order of their bytes, and only below the directory (beneath.c). In a live
 * tracefs files are copied, as their size is not known before they are read.
 */
#include "input/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "input/beneath.h"
#include "input/directory.h"
#include "input/packed.h"
#include "terminal/message.h"

enum {
	TREE_DEPTH_MAX = 16,
	TREE_ENTRIES_MAX = 1000000,
	COPY_MAX =
		1024 *
		1024 /* smaller files are copied, so that many of them need no open descriptors */
};

/* One walk over a tree. root is the path that the user gave, for messages. */
struct tree {
	struct cli_inputs *in;
	int fd; /* of root */
	const char *root;
	const struct cli_inputs_wants *wants;
	bool live;
	size_t entries; /* looked at so far */
};

/*
 * Asks the importer, or without one all importers, by the name relative to root. Folders end with a
 * slash.
 */
bool cli_tree_wanted(const struct cli_inputs_wants *wants, const char *name, bool live)
{
	struct tdat_import_request request = {sizeof(request), .options = wants->options,
					      .option_count = wants->option_count};
	const struct tdat_importer *const *all;
	size_t count;

	if (wants->importer)
		return wants->importer->wants && wants->importer->wants(&request, name, live);
	all = tdat_importers(&count);
	for (size_t i = 0; i < count; i++)
		if (all[i]->wants && all[i]->wants(&request, name, live))
			return true;
	return false;
}

/* A file may be packed: name.gz is then called as the importer asks. */
static bool wanted(const struct tree *t, const char *name)
{
	char *plain = t->live ? NULL : cli_packed_name(name);
	const bool is = cli_tree_wanted(t->wants, name, t->live) ||
			(plain && cli_tree_wanted(t->wants, plain, false));

	free(plain);
	return is;
}

/*
 * Returns the most bytes to read of a ring buffer; 0: the file is not one. Reading it finds no end
 * while events come in, hence the size of the buffer bounds it.
 */
static uint64_t live_limit(const char *path)
{
	const char *slash = strrchr(path, '/');
	unsigned long long kb = 0;
	uint64_t limit = 0;
	char *sizes;
	FILE *f;

	/* The files of a CPU in tracefs that hold raw pages. */
	if (!slash || (strcmp(slash, "/trace_pipe_raw") && strcmp(slash, "/snapshot_raw")))
		return 0;
	if (asprintf(&sizes, "%.*s/buffer_size_kb", (int)(slash - path), path) < 0)
		return 0;
	f = fopen(sizes, "re");
	/* Pages hold less than their size: allow a 64th more, and 1 MiB for half full ones. */
	if (f && fscanf(f, "%llu", &kb) == 1 && kb < UINT64_MAX >> 12)
		limit = (kb + kb / 64 + 1024) * 1024;
	if (f)
		fclose(f);
	free(sizes);
	return limit;
}

/* Large files stay open and are read later; small ones are copied, which needs no descriptor. */
static int add(struct tree *t, const char *path, const char *name, const struct stat *sb)
{
	const bool large = !t->live && S_ISREG(sb->st_mode) && sb->st_size > COPY_MAX;

	return cli_inputs_add_below(t->in, t->fd, path, name, !large,
				    t->live ? live_limit(path) : 0);
}

static int walk(struct tree *t, const char *dir, const char *prefix, size_t depth);

/*
 * Handles a link: one to a file is followed as far as it stays below root, one to a directory is
 * not followed.
 */
static int visit_link(struct tree *t, const char *path, const char *name, const char *folder,
		      size_t depth)
{
	const struct stat any = {.st_mode = 0};
	int fd;

	/* cli_inputs_open() has handled the files of the directory itself already. */
	if (!depth && !t->live) /* it is an input already, or was reported */
		return CLI_OK;
	if (wanted(t, name))
		return add(t, path, name, &any);
	if (!wanted(t, folder))
		return CLI_OK;
	fd = cli_beneath_open(t->fd, name, true);
	if (fd < 0 && errno != EXDEV)
		return CLI_OK;
	if (fd >= 0)
		close(fd);
	cli_inputs_leave_out(t->in, path, "is a link to a directory");
	return CLI_OK;
}

/* Adds one entry of a directory, or walks it. Devices that an importer wants are reported. */
static int visit(struct tree *t, const char *path, const char *name, size_t depth)
{
	struct stat sb;
	char *folder;
	int rc;

	if (fstatat(t->fd, name, &sb, AT_SYMLINK_NOFOLLOW)) {
		cli_error(path, "cannot open: %s", strerror(errno));
		return CLI_FAILED;
	}
	if (S_ISREG(sb.st_mode) || S_ISFIFO(sb.st_mode)) {
		bool done = !depth && !t->live; /* it is an input already */

		return !done && wanted(t, name) ? add(t, path, name, &sb) : CLI_OK;
	}
	if (!S_ISDIR(sb.st_mode) && !S_ISLNK(sb.st_mode)) {
		if (!wanted(t, name))
			return CLI_OK;
		cli_inputs_leave_out(t->in, path, "is neither a file nor a directory");
		return CLI_OK;
	}
	if (asprintf(&folder, "%s/", name) < 0)
		return cli_nomem();
	if (S_ISLNK(sb.st_mode))
		rc = visit_link(t, path, name, folder, depth);
	else
		rc = depth < TREE_DEPTH_MAX && wanted(t, folder) ? walk(t, path, folder, depth + 1)
								 : CLI_OK;
	free(folder);
	return rc;
}

/* Walks one directory. prefix is its name relative to root, with a slash at the end. */
static int walk(struct tree *t, const char *dir, const char *prefix, size_t depth)
{
	char **names, *name, *path;
	size_t count;
	int rc = cli_read_names(cli_beneath_open(t->fd, *prefix ? prefix : ".", true), dir, &names,
				&count);

	if (rc)
		return rc;
	/* Bounds the time for a directory that was named by mistake, such as "/". */
	t->entries += count;
	if (t->entries > TREE_ENTRIES_MAX) {
		cli_error(t->root,
			  "more than %d files and folders: name the capture's folder, or its "
			  "format with --from",
			  TREE_ENTRIES_MAX);
		rc = CLI_FAILED;
	}
	for (size_t i = 0; i < count && rc == CLI_OK; i++) {
		path = cli_join_path(dir, names[i]);
		if (!path || asprintf(&name, "%s%s", prefix, names[i]) < 0)
			name = NULL;
		rc = name ? visit(t, path, name, depth) : cli_nomem();
		free(path);
		free(name);
	}
	cli_free_names(names, count);
	return rc;
}

/*
 * Adds the files that only the tracefs around an instance has: names of tasks and printk formats.
 */
static int add_around(struct cli_inputs *in, const char *root)
{
	static const char *const names[] = {"saved_cmdlines", "printk_formats"};
	int rc = CLI_OK;

	for (size_t i = 0; i < 2 && rc == CLI_OK; i++) {
		struct tdat_error err = TDAT_ERROR_INIT;
		struct tdat_source *source;
		char *path;

		if (asprintf(&path, "%s/../../%s", root, names[i]) < 0)
			return cli_nomem();
		/* A file that the instance has itself is kept; "../.." must be a tracefs, too. */
		if (cli_inputs_path(in, names[i]) == names[i] && cli_directory_is_tracefs(path) &&
		    tdat_source_open_copy(&source, path, 0, &err) == TDAT_OK)
			rc = cli_inputs_add(in, path, names[i], source);
		free(path);
	}
	return rc;
}

/*
 * Adds facts of this machine for a live tracefs: kallsyms and uname. A copied tracefs has them as
 * files beside it.
 */
static int add_host(struct cli_inputs *in)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_source *source;
	struct utsname u;
	char *text;
	int rc;

	if (tdat_source_open_copy(&source, "/proc/kallsyms", 0, &err) == TDAT_OK)
		rc = cli_inputs_add(in, "/proc/kallsyms", "kallsyms", source);
	else
		rc = cli_fail(NULL, &err);
	if (rc || uname(&u))
		return rc;
	if (asprintf(&text, "%s %s %s %s", u.sysname, u.nodename, u.release, u.machine) < 0)
		return cli_nomem();
	if (in->host) { /* two mounts of the same machine */
		free(text);
		return CLI_OK;
	}
	in->host = text;
	if (tdat_source_open_memory(&source, text, strlen(text), "uname", &err))
		return cli_fail(NULL, &err);
	return cli_inputs_add(in, "uname", "uname", source);
}

/* Importers without wants() take single files only, and get no tree. */
int cli_tree_add(struct cli_inputs *in, int fd, const char *root,
		 const struct cli_inputs_wants *wants, bool live)
{
	struct tree t = {in, fd, root, wants, live, 0};
	size_t before = in->count;
	int rc = CLI_OK;

	if (!wants->importer || wants->importer->wants)
		rc = walk(&t, root, "", 0);
	if (rc == CLI_OK && live && in->count > before)
		rc = add_around(in, root);
	return rc == CLI_OK && live && in->count > before ? add_host(in) : rc;
}
