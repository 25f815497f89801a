/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds where the new file is made, and moves it to its final name. The new file is a nameless
 * file in the target's folder where the system can do that, else one with a temporary name. It
 * gets its name only when it is complete; an existing target is replaced by rename(2). Pipes
 * and devices get a copy of a file in TMPDIR. A file that is to get a name is not one of
 * core/temp_file.h: its permissions follow the umask, and its temporary name can be seen.
 */
#include "target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif
#include <unistd.h>

#include "core/output_name.h"
#include "core/temp_file.h"
#include "disk.h"

/* The message of both checks: before the file is made, and when it gets its name. */
static enum tdat_status exists(const struct write_out *out, struct tdat_error *err)
{
	return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
			      "%s already exists and is replaced only with force", out->name);
}

/* A file without a name needs no folder of the target. */
static enum tdat_status spool_dir(struct write_out *out, struct tdat_error *err)
{
	out->dir = strdup(tdat_temp_dir());
	return out->dir ? TDAT_OK : tdat_error_no_memory(err, out->name);
}

/* Streams cannot be patched: the file is made in TMPDIR and copied. */
static enum tdat_status find_stream(struct write_out *out, const char *path, struct tdat_error *err)
{
	/* "-" is duplicated, so that closing it leaves standard output open. */
	out->stream = !strcmp(path, "-") ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
					 : open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	if (out->stream < 0)
		return tdat_error_set_errno(err, errno, "cannot write %s", out->name);
	return spool_dir(out, err);
}

/* Resolves links and decides by the kind of the target: file, pipe or device, folder. */
static enum tdat_status find_target(struct write_out *out, const char *path, struct tdat_error *err)
{
	struct tdat_output_name name;
	enum tdat_status st;

	st = tdat_output_name_find(&name, path, err);
	if (st != TDAT_OK)
		return st;
	if (name.kind == TDAT_OUTPUT_STREAM) {
		free(name.path);
		return find_stream(out, path, err);
	}
	out->path = name.path;
	out->mode = name.mode;
	if (name.kind == TDAT_OUTPUT_FOLDER)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET, "%s is a directory", path);
	/* Checked now to fail early; commit_new() checks again without a race. */
	if (name.kind == TDAT_OUTPUT_FILE && !out->force)
		return exists(out, err);
	out->dir = write_disk_dir(out->path);
	return out->dir ? TDAT_OK : tdat_error_no_memory(err, out->name);
}

/* A nameless file can be linked only through /proc. */
static bool proc_path(int fd, char *buf, size_t len)
{
	snprintf(buf, len, "/proc/self/fd/%d", fd);
	return !access(buf, F_OK);
}

/* Makes a name beside the target, in out->temp; opening or linking it shows whether it is free. */
static bool temp_name(struct write_out *out, unsigned attempt)
{
	free(out->temp);
	if (asprintf(&out->temp, "%s/.tdat-%ld-%u", out->dir, (long)getpid(), attempt) < 0)
		out->temp = NULL;
	return out->temp;
}

static void temp_forget(struct write_out *out)
{
	free(out->temp);
	out->temp = NULL;
}

enum { TEMP_TRIES = 10000 };

/* Creates a file under a name that nobody has. Tries the next name if one is taken. */
static enum tdat_status temp_named(struct write_out *out, struct tdat_error *err)
{
	for (unsigned i = 0; i < TEMP_TRIES; i++) {
		int errnum;

		if (!temp_name(out, i))
			return tdat_error_no_memory(err, out->name);
		out->fd = open(out->temp, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (out->fd >= 0)
			return TDAT_OK;
		errnum = errno;
		temp_forget(out);
		errno = errnum;
		if (errno != EEXIST && errno != EINTR)
			break;
	}
	return tdat_error_set_errno(err, errno, "cannot create a file in %s to write %s", out->dir,
				    out->name);
}

/* Creates the file that is written: without a name if the system can do that. */
static enum tdat_status make_file(struct write_out *out, struct tdat_error *err)
{
	char proc[64];

	if (out->stream >= 0) {
		out->fd = tdat_temp_open(out->dir);
		if (out->fd >= 0)
			return TDAT_OK;
		return tdat_error_set_errno(err, errno, "cannot create a file in %s to write %s",
					    out->dir, out->name);
	}
#ifdef O_TMPFILE
	do {
		out->fd = open(out->dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
	} while (out->fd < 0 && errno == EINTR);
	/* Without /proc the file could not get a name later. */
	if (out->fd >= 0 && proc_path(out->fd, proc, sizeof(proc)))
		return TDAT_OK;
	if (out->fd >= 0)
		close(out->fd);
#endif
	return temp_named(out, err);
}

enum tdat_status write_out_open(struct write_out *out, const char *path, bool force,
				struct tdat_error *err)
{
	enum tdat_status st =
		write_out_init(out, strcmp(path, "-") ? path : "standard output", err);

	out->force = force;
	if (st == TDAT_OK)
		st = find_target(out, path, err);
	return st == TDAT_OK ? make_file(out, err) : st;
}

/* The caller's file is never named. */
enum tdat_status write_out_open_fd(struct write_out *out, const char *name, int fd,
				   struct tdat_error *err)
{
	enum tdat_status st = write_out_init(out, name, err);

	if (st != TDAT_OK)
		return st;
	out->temporary = true;
	out->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (out->fd < 0)
		return tdat_error_set_errno(err, errno, "%s", name);
	return spool_dir(out, err);
}

/* Makes a nameless file visible by a link; fails when to exists. */
static int link_nameless(int fd, const char *to)
{
	char proc[64];

	if (!proc_path(fd, proc, sizeof(proc)))
		return -1;
	return linkat(AT_FDCWD, proc, AT_FDCWD, to, AT_SYMLINK_FOLLOW);
}

/* Gives the file its name without replacing one: it fails when a target was made meanwhile. */
static enum tdat_status commit_new(struct write_out *out, struct tdat_error *err)
{
	int rc;

	if (out->temp) {
		/*
		 * Some file systems have no hard links: renameat2() does the same there, for which
		 * the C library has had a function since glibc 2.28.
		 */
		rc = link(out->temp, out->path);
#ifdef RENAME_NOREPLACE
		if (rc && (errno == EPERM || errno == EOPNOTSUPP)) {
			rc = (int)syscall(SYS_renameat2, AT_FDCWD, out->temp, AT_FDCWD, out->path,
					  RENAME_NOREPLACE);
			if (!rc)
				temp_forget(out);
		}
#endif
	} else {
		rc = link_nameless(out->fd, out->path);
	}
	if (rc && errno == EEXIST)
		return exists(out, err);
	if (rc)
		return tdat_error_set_errno(err, errno, "cannot name %s", out->name);
	return TDAT_OK;
}

/* Replaces the target by rename(2), for which the file must have a name of its own first. */
static enum tdat_status commit_replace(struct write_out *out, struct tdat_error *err)
{
	for (unsigned i = 0; !out->temp; i++) {
		int errnum;

		if (!temp_name(out, i))
			return tdat_error_no_memory(err, out->name);
		if (!link_nameless(out->fd, out->temp))
			break;
		/* free() may change errno. */
		errnum = errno;
		temp_forget(out);
		if (errnum != EEXIST || i == TEMP_TRIES)
			return tdat_error_set_errno(err, errnum, "cannot name %s", out->name);
	}
	if (rename(out->temp, out->path))
		return tdat_error_set_errno(err, errno, "cannot replace %s", out->name);
	temp_forget(out);
	return TDAT_OK;
}

/* Makes the new name durable: fsync() of the file does not include its folder. */
static enum tdat_status sync_dir(const struct write_out *out, struct tdat_error *err)
{
	int fd = open(out->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), errnum = 0;

	if (fd < 0)
		return TDAT_OK; /* a folder one may write but not read */
	if (fsync(fd) && errno != EINVAL && errno != EROFS)
		errnum = errno;
	close(fd);
	if (errnum)
		return tdat_error_set_errno(err, errnum, "cannot make the name of %s durable",
					    out->name);
	return TDAT_OK;
}

/* Contents first, then the name: after a crash the name never leads to a part of a file. */
enum tdat_status write_out_commit(struct write_out *out, struct tdat_error *err)
{
	enum tdat_status st = write_out_finish(out, err);

	if (st != TDAT_OK || out->temporary || out->stream >= 0)
		return st;
	if (out->mode >= 0)
		(void)fchmod(
			out->fd,
			(mode_t)out->mode); /* without the right to do so the file keeps its mode */
	/* EINVAL, EROFS: the file system has nothing to sync. */
	if (fsync(out->fd) && errno != EINVAL && errno != EROFS)
		return tdat_error_set_errno(err, errno, "cannot write %s to the disk", out->name);
	st = out->force ? commit_replace(out, err) : commit_new(out, err);
	if (st != TDAT_OK)
		return st;
	/* The second name of a file that was linked. */
	if (out->temp)
		unlink(out->temp);
	temp_forget(out);
	return sync_dir(out, err);
}
