/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Joins the parts of one folder of a data set. Parts come in order of their names; each is appended
 * to the file that is open until the exporter says that this one is large enough. Parts that stay
 * are linked into the new folder, which export_compact.c swaps with the older one. A part that
 * cannot be joined gives up the new folder. Joined parts get numbers that the folder never had, so
 * that a name never means two files.
 */
#include "commands/export_compact_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/grow.h"
#include "core/search.h"
#include "output/table_file.h"
#include "terminal/message.h"

/* The file that parts are appended to. */
struct joining {
	struct compact_folder *folder;
	const struct tdat_columns_ops *ops;
	const char *from; /* the folder of the parts */
	char *path;	  /* of the new file; NULL: there is none */
	struct cli_table_file file;
	void *joined;		  /* of the exporter */
	const char *first, *last; /* names of parts in it */
	size_t parts;
	unsigned number;
};

unsigned compact_number(const char *name, const char *suffix)
{
	unsigned long n;
	char *end;

	if (strncmp(name, "joined-", 7) != 0)
		return 0;
	n = strtoul(name + 7, &end, 10);
	return end > name + 7 && !strcmp(end, suffix) && n < 1u << 30 ? (unsigned)n + 1 : 0;
}

/*
 * Files of the new folder have it behind their names until the folder is about to be swapped:
 * readers of all names that end with the suffix would find them beside the records.
 */
#define HIDDEN ".tdat-part"

static char *join_path(const char *folder, const char *name, const char *end)
{
	char *path;

	return asprintf(&path, "%s/%s%s", folder, name, end) < 0 ? NULL : path;
}

/* ---- parts that stay ---- */

static enum tdat_status copy_part(const char *from, const char *to, struct tdat_error *err)
{
	struct cli_table_file in = {.fd = open(from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW),
				    .path = from},
			      out;
	enum tdat_status st = in.fd < 0 ? tdat_error_set_errno(err, errno, "cannot read %s", from)
					: cli_table_file_resume(&out, to, err);
	const bool opened = st == TDAT_OK;
	char block[1 << 16];
	ssize_t n = 1;

	while (st == TDAT_OK && (n = read(in.fd, block, sizeof(block))) > 0)
		st = cli_table_file_write(&out, block, (size_t)n, err);
	if (n < 0)
		st = tdat_error_set_errno(err, errno, "cannot read %s", from);
	if (opened && st == TDAT_OK)
		st = cli_table_file_close(&out, false, err);
	else if (opened)
		cli_table_file_close(&out, true, NULL);
	if (in.fd >= 0)
		close(in.fd);
	return st;
}

/* Gives a part its name in the new folder, too: by a link, or a copy where there are no links. */
static enum tdat_status keep(const struct joining *j, const char *name, struct tdat_error *err)
{
	char *from = join_path(j->from, name, "");
	char *to = join_path(cli_unfinished_name(j->folder->made), name, HIDDEN);
	enum tdat_status st = from && to ? TDAT_OK : tdat_error_no_memory(err, "a name");

	if (st == TDAT_OK && link(from, to))
		st = copy_part(from, to, err);
	free(from);
	free(to);
	return st;
}

/* ---- parts that are joined ---- */

static enum tdat_status open_file(struct joining *j, struct tdat_error *err)
{
	enum tdat_status st;

	if (asprintf(&j->path, "%s/joined-%u%s" HIDDEN, cli_unfinished_name(j->folder->made),
		     j->number, j->ops->suffix) < 0)
		j->path = NULL;
	if (!j->path)
		return tdat_error_no_memory(err, "a name");
	st = cli_table_file_resume(&j->file, j->path, err);
	return st == TDAT_OK ? j->ops->join->begin(&j->joined, cli_table_file_write, &j->file, err)
			     : st;
}

static bool remember(const struct joining *j)
{
	struct compact_folder *f = j->folder;
	struct compact_join *made;

	if (!TDAT_GROW(f->joins, &f->cap, f->count + 1))
		return false;
	made = &f->joins[f->count++];
	*made = (struct compact_join){
		.first = strdup(j->first), .last = strdup(j->last), .parts = j->parts};
	if (asprintf(&made->name, "joined-%u%s", j->number, j->ops->suffix) < 0)
		made->name = NULL;
	return made->first && made->last && made->name;
}

/* Ends the file. One of a single part is given up, and the part stays. */
static enum tdat_status close_file(struct joining *j, bool give_up, struct tdat_error *err)
{
	const bool whole = !give_up && j->parts > 1;
	enum tdat_status st = TDAT_OK, closed = TDAT_OK;

	if (!j->path)
		return TDAT_OK;
	if (j->joined)
		st = j->ops->join->end(j->joined, !whole, err);
	if (j->file.path)
		closed = cli_table_file_close(&j->file, !whole || st != TDAT_OK,
					      st == TDAT_OK ? err : NULL);
	st = st == TDAT_OK ? closed : st;
	if (st == TDAT_OK && whole && !remember(j))
		st = tdat_error_no_memory(err, "names");
	else if (st == TDAT_OK && !give_up && j->parts)
		st = whole ? TDAT_OK : keep(j, j->first, err);
	j->number += whole;
	free(j->path);
	j->path = NULL;
	j->joined = NULL;
	j->parts = 0;
	return st;
}

/* Appends an open part, or keeps it if it is large enough. */
static enum tdat_status add_open(struct joining *j, const char *name,
				 const struct tdat_join_part *part, struct tdat_error *err)
{
	enum tdat_status st = j->path ? TDAT_OK : open_file(j, err);

	if (st == TDAT_OK)
		st = j->ops->join->add(j->joined, part, err);
	if (st == TDAT_E_LIMIT && j->parts) {
		st = close_file(j, false, err);
		return st == TDAT_OK ? add_open(j, name, part, err) : st;
	}
	if (st == TDAT_E_LIMIT)
		return keep(j, name, err);
	j->first = j->parts ? j->first : name;
	j->last = name;
	j->parts++;
	return st;
}

static bool add(struct joining *j, const char *name)
{
	char *path = join_path(j->from, name, "");
	struct cli_table_file in = {.fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : -1,
				    .path = path};
	struct tdat_error err = TDAT_ERROR_INIT;
	enum tdat_status st;
	struct stat sb;

	if (!path)
		st = tdat_error_no_memory(&err, "a name");
	else if (in.fd < 0 || fstat(in.fd, &sb))
		st = tdat_error_set_errno(&err, errno, "cannot be read");
	else
		st = add_open(j, name,
			      &(struct tdat_join_part){.read = cli_table_file_read,
						       .read_ctx = &in,
						       .len = (uint64_t)sb.st_size},
			      &err);
	if (st == TDAT_E_FORMAT || st == TDAT_E_UNSUPPORTED)
		cli_error(path, "%s; its folder stays unchanged until the part is exported again",
			  err.message);
	else if (st != TDAT_OK)
		cli_fail(path, &err);
	if (in.fd >= 0)
		close(in.fd);
	free(path);
	return st == TDAT_OK;
}

/* The new folder is as open to others as the older one. */
static void keep_mode(const struct joining *j)
{
	struct stat sb;

	if (!stat(j->from, &sb))
		(void)!fchmod(cli_unfinished_fd(j->folder->made), sb.st_mode & 07777);
}

bool compact_folder_make(struct compact_folder *f, const char *lake, size_t number,
			 const struct tdat_columns_ops *ops, char *const *parts, const bool *ready,
			 size_t part_count)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct joining j = {.folder = f, .ops = ops};
	char *from = join_path(lake, f->name, ""), *path;
	enum tdat_status st;
	bool ok = from && asprintf(&path, "%s/_tdat/%zu", lake, number) >= 0;

	st = ok ? cli_unfinished_folder(&f->made, path, &err) : tdat_error_no_memory(&err, "names");
	if (ok)
		free(path);
	j.from = from;
	for (size_t i = 0; i < part_count; i++) {
		const unsigned least = compact_number(parts[i], ops->suffix);

		j.number = least > j.number ? least : j.number;
	}
	for (size_t i = 0; st == TDAT_OK && ok && i < part_count; i++)
		if (ready[i])
			ok = add(&j, parts[i]);
		else
			st = keep(&j, parts[i], &err);
	if (st == TDAT_OK)
		st = close_file(&j, !ok, &err);
	else
		close_file(&j, true, NULL);
	if (st != TDAT_OK)
		cli_fail(from, &err);
	ok = ok && st == TDAT_OK;
	if (ok && f->count) {
		keep_mode(&j);
	} else {
		cli_unfinished_free(f->made);
		f->made = NULL;
	}
	free(from);
	return ok;
}

enum tdat_status compact_folder_reveal(const struct compact_folder *f, struct tdat_error *err)
{
	const char *folder = cli_unfinished_name(f->made);
	DIR *dir = opendir(folder);
	enum tdat_status st =
		dir ? TDAT_OK : tdat_error_set_errno(err, errno, "cannot read %s", folder);
	const struct dirent *e;

	/* A name that is read again after its rename has no such end. */
	while (st == TDAT_OK && (e = readdir(dir))) {
		const size_t len = strlen(e->d_name), end = strlen(HIDDEN);
		char *from, *to;

		if (len <= end || strcmp(e->d_name + len - end, HIDDEN) != 0)
			continue;
		from = join_path(folder, e->d_name, "");
		to = from ? strndup(from, strlen(from) - end) : NULL;
		if (!to)
			st = tdat_error_no_memory(err, "a name");
		else if (rename(from, to))
			st = tdat_error_set_errno(err, errno, "cannot rename %s", to);
		free(from);
		free(to);
	}
	if (dir)
		closedir(dir);
	return st;
}

void compact_folder_fini(struct compact_folder *f)
{
	for (size_t i = 0; i < f->count; i++) {
		free(f->joins[i].first);
		free(f->joins[i].last);
		free(f->joins[i].name);
	}
	free(f->joins);
	free(f->name);
	cli_unfinished_free(f->made);
	*f = (struct compact_folder){.name = NULL};
}

const char *compact_folder_find(const struct compact_folder *f, const char *part)
{
	char *kept = join_path(cli_unfinished_name(f->made), part, HIDDEN);
	const bool stays = !kept || !access(kept, F_OK);
	size_t i;

	free(kept);
	TDAT_SEARCH(i, f->count, strcmp(f->joins[i].last, part) < 0);
	return !stays && i < f->count && strcmp(f->joins[i].first, part) <= 0 ? f->joins[i].name
									      : NULL;
}
