/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Opens inputs (paths, descriptors, pipes, memory) and reads bytes of them at any offset. A
 * source is a file, or memory that holds what a pipe or a file without a size had. Reads are
 * pread(2) at an offset: nothing has a position, so threads share a source. Its length is fixed
 * when it is opened; bytes that are gone later are TDAT_E_DAMAGED, never zeros.
 */
#include <tdat/source.h>

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "build.h"
#include "checked.h"
#include "opts.h"
#include "packed.h"
#include "source_fd.h"
#include "temp_file.h"

struct tdat_source {
	char *name;
	uint64_t len;
	uint64_t start;	     /* of a part: where in fd it begins */
	int fd;		     /* -1: all bytes are at mem */
	bool part;	     /* others do not use fd, whose offsets are not those of the source */
	const uint8_t *mem;  /* a copy or the caller's memory; NULL: use fd */
	bool maps;	     /* windows of fd may be mapped */
	bool sparse;	     /* may have holes */
	uint8_t *owned;	     /* a pipe's copy */
	atomic_uint sharers; /* beside the opener */
};

/*
 * Pipes up to 16 MiB stay in memory; more goes to TMPDIR. Files without a size, such as those of
 * tracefs, are read in smaller steps.
 */
enum {
	PIPE_IN_MEMORY = 16 * 1024 * 1024,
	COPY_IN_MEMORY = 1024 * 1024, /* of each of many files */
	PIPE_STEP = 256 * 1024,
	UNSIZED_STEP = 64 * 1024,
	UNSIZED_LEN = 256 * 1024 * 1024 /* kallsyms and the like have some ten MiB */
};

/* How much of a pipe, or of a file that is copied, is read and where it goes. */
struct slurp_opts {
	size_t step;	   /* bytes of a read */
	size_t in_memory;  /* more goes to an unlinked file */
	uint64_t max_len;  /* enough when passed; 0: no limit */
	uint64_t limit;	   /* more is a failure */
	bool now;	   /* reading ends where it would have to wait */
	const void *magic; /* what does not begin so is not read on; NULL: anything */
	size_t magic_len;
};

/* A source without bytes; the caller sets fd or mem. NULL: no memory. */
static struct tdat_source *source_new(const char *name, struct tdat_error *err)
{
	struct tdat_source *src = calloc(1, sizeof(*src));

	if (src) {
		src->fd = -1;
		src->name = strdup(name);
	}
	if (!src || !src->name) {
		free(src);
		tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory to open %s", name);
		return NULL;
	}
	return src;
}

/* Gives the bytes of b to the source. */
static void keep(struct tdat_source *src, struct tdat_build *b)
{
	uint8_t *fit = realloc(b->ptr, b->len ? b->len : 1);

	src->owned = fit ? fit : b->ptr;
	src->mem = src->owned;
}

/* The limit is the user's (spool_len), so the sentence names it. */
static enum tdat_status too_long(const struct tdat_source *src, uint64_t limit,
				 struct tdat_error *err)
{
	return tdat_error_set(err, TDAT_E_LIMIT, limit,
			      "%s has more than %llu bytes, the limit spool_len for pipes and for "
			      "files of unknown size",
			      src->name, (unsigned long long)limit);
}

/* Whether what was read so far shows that the input does not begin with the magic asked for. */
static bool is_other(const struct tdat_source *src, const struct tdat_build *b,
		     const struct slurp_opts *opts)
{
	return opts->magic && src->len == b->len && b->len >= opts->magic_len &&
	       memcmp(b->ptr, opts->magic, opts->magic_len) != 0 && !tdat_packing(b->ptr, b->len);
}

/* Reads a pipe to its end, or until it has no more now: memory first, then an unlinked file. */
static enum tdat_status slurp(struct tdat_source *src, int fd, const struct slurp_opts *opts,
			      struct tdat_error *err)
{
	struct tdat_build b;
	enum tdat_status st = TDAT_OK;
	int spill = -1;

	tdat_build_init(&b, false);
	for (;;) {
		uint8_t *room = tdat_build_room(&b, opts->step);
		ssize_t n;

		if (!room) {
			st = tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
					    "no memory to read %s", src->name);
			break;
		}
		/*
		 * Reads go straight into the buffer; once spilled the buffer is emptied after
		 * each.
		 */
		n = read(fd, room, opts->step);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && !(opts->now && errno == EAGAIN)) {
			st = tdat_error_set_errno(err, errno, "cannot read %s", src->name);
			break;
		}
		if (n <= 0)
			break;
		b.len += (size_t)n;
		src->len += (uint64_t)n;
		if (is_other(src, &b, opts))
			break;
		if (src->len > opts->limit && (!opts->max_len || opts->limit < opts->max_len)) {
			st = too_long(src, opts->limit, err);
			break;
		}
		if (spill < 0 && b.len > opts->in_memory &&
		    (spill = tdat_temp_open(tdat_temp_dir())) < 0) {
			st = tdat_error_set_errno(err, errno, "cannot store %s in TMPDIR",
						  src->name);
			break;
		}
		if (spill >= 0 && tdat_fd_write(spill, b.ptr, b.len) != b.len) {
			st = tdat_error_set_errno(err, errno, "cannot store %s in TMPDIR",
						  src->name);
			break;
		}
		if (spill >= 0)
			b.len = 0;
		if (opts->max_len && src->len >= opts->max_len)
			break;
	}
	if (st == TDAT_OK && spill < 0) {
		keep(src, &b);
		return TDAT_OK;
	}
	tdat_build_fini(&b);
	if (st != TDAT_OK && spill >= 0)
		close(spill);
	else
		src->fd = spill;
	return st;
}

/* Returns how an input without a size is read: in which steps, how much, and how it must begin. */
static struct slurp_opts slurp_opts_of(const struct tdat_source_opts *opts, bool pipe)
{
	const uint64_t limit = pipe ? TDAT_SPOOL_LEN : UNSIZED_LEN;

	return (struct slurp_opts){
		.step = pipe ? PIPE_STEP : UNSIZED_STEP,
		.in_memory = PIPE_IN_MEMORY,
		.limit = opts->spool_len ? opts->spool_len : limit,
		.magic = opts->magic_len ? opts->magic : NULL,
		.magic_len = opts->magic_len,
	};
}

/* Sets src up from fd, which it keeps or closes. */
static enum tdat_status source_setup(struct tdat_source *src, int fd,
				     const struct tdat_source_opts *opts, struct tdat_error *err)
{
	struct slurp_opts how;
	enum tdat_status st;
	struct stat sb;

	if (fstat(fd, &sb)) {
		st = tdat_error_set_errno(err, errno, "cannot read %s", src->name);
	} else if (S_ISDIR(sb.st_mode)) {
		st = tdat_error_set(err, TDAT_E_FORMAT, TDAT_NO_OFFSET,
				    "%s is a directory: name the files in it", src->name);
	} else if (S_ISREG(sb.st_mode) && !sb.st_size) {
		/* Files of proc and tracefs have size 0 and yet have bytes. */
		how = slurp_opts_of(opts, false);
		st = slurp(src, fd, &how, err);
	} else if (S_ISREG(sb.st_mode)) {
		src->fd = fd;
		src->len = (uint64_t)sb.st_size;
		/* Fewer blocks than bytes: there may be holes, which need not be read. */
		src->sparse = (uint64_t)sb.st_blocks * 512 < src->len;
		src->maps = opts->access == TDAT_ACCESS_MAP;
		return TDAT_OK;
	} else if (S_ISFIFO(sb.st_mode) || S_ISSOCK(sb.st_mode) || isatty(fd)) {
		how = slurp_opts_of(opts, true);
		st = slurp(src, fd, &how, err);
	} else {
		st = tdat_error_set(err, TDAT_E_FORMAT, TDAT_NO_OFFSET,
				    "%s is a device, not a file or a pipe", src->name);
	}
	close(fd);
	return st;
}

/* The source owns fd from here on, also after a failure. */
static enum tdat_status open_own_fd(struct tdat_source **out, int fd, const char *name,
				    const struct tdat_source_opts *opts, struct tdat_error *err)
{
	struct tdat_source *src = source_new(name, err);
	enum tdat_status st;

	if (!src) {
		close(fd);
		return TDAT_E_NOMEM;
	}
	st = source_setup(src, fd, opts, err);
	if (st != TDAT_OK) {
		tdat_source_close(src);
		return st;
	}
	*out = src;
	return TDAT_OK;
}

/* Numbers below 3 stay free, so that no input takes the place of a standard descriptor. */
static enum tdat_status open_dup(struct tdat_source **out, int fd, const char *name,
				 const struct tdat_source_opts *opts, struct tdat_error *err)
{
	int own = fcntl(fd, F_DUPFD_CLOEXEC, 3);

	*out = NULL;
	if (own < 0)
		return tdat_error_set_errno(err, errno, "cannot read %s", name);
	return open_own_fd(out, own, name, opts, err);
}

/* The caller keeps fd; the source has a duplicate. */
enum tdat_status tdat_source_open_fd(struct tdat_source **out, int fd, const char *name,
				     enum tdat_access access, struct tdat_error *err)
{
	struct tdat_source_opts opts = TDAT_SOURCE_OPTS_INIT;

	opts.access = access;
	return open_dup(out, fd, name, &opts, err);
}

/*
 * Opens path. Opening a device may wait, start something, or make a terminal the process's own:
 * none of that happens here. Returns -1 with errno on failure.
 */
static int open_named(const char *path)
{
	struct stat sb;
	int fd, flags = O_RDONLY | O_CLOEXEC | O_NOCTTY;

	/* O_NONBLOCK: opening a device must not wait. A FIFO must wait for its writer. */
	if (!stat(path, &sb) && !S_ISFIFO(sb.st_mode))
		flags |= O_NONBLOCK;
	do {
		fd = open(path, flags);
	} while (fd < 0 && errno == EINTR);
	if (fd >= 0 && flags & O_NONBLOCK)
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	return fd;
}

/* "-" is standard input; a file with that name is "./-". */
enum tdat_status tdat_source_open(struct tdat_source **out, const char *path,
				  const struct tdat_source_opts *opts, struct tdat_error *err)
{
	struct tdat_source_opts own = TDAT_SOURCE_OPTS_INIT;
	int fd;

	*out = NULL;
	tdat_opts_copy(&own, sizeof(own), opts);
	if (!strcmp(path, "-"))
		return open_dup(out, STDIN_FILENO, "standard input", &own, err);
	fd = open_named(path);
	if (fd < 0)
		return tdat_error_set_errno(err, errno, "cannot open %s", path);
	return open_own_fd(out, fd, path, &own, err);
}

/* Opens a path with the given access and no other option. */
enum tdat_status tdat_source_open_path(struct tdat_source **out, const char *path,
				       enum tdat_access access, struct tdat_error *err)
{
	struct tdat_source_opts opts = TDAT_SOURCE_OPTS_INIT;

	opts.access = access;
	return tdat_source_open(out, path, &opts, err);
}

/* Devices are refused: reading one may have effects, and it may have no end. */
static enum tdat_status copy_setup(struct tdat_source *src, int fd, uint64_t max_len,
				   struct tdat_error *err)
{
	struct slurp_opts opts = {.step = UNSIZED_STEP,
				  .in_memory = COPY_IN_MEMORY,
				  .max_len = max_len,
				  .limit = TDAT_SPOOL_LEN,
				  .now = true};
	struct stat sb;

	if (fstat(fd, &sb))
		return tdat_error_set_errno(err, errno, "cannot read %s", src->name);
	if (!S_ISREG(sb.st_mode) && !S_ISFIFO(sb.st_mode))
		return tdat_error_set(err, TDAT_E_FORMAT, TDAT_NO_OFFSET, "%s is %s", src->name,
				      S_ISDIR(sb.st_mode) ? "a directory" : "a device, not a file");
	/* one byte more than its size, to see that it ends there */
	if (S_ISREG(sb.st_mode) && sb.st_size > 0 && sb.st_size < UNSIZED_STEP)
		opts.step = (size_t)sb.st_size + 1;
	return slurp(src, fd, &opts, err);
}

/* Copies what fd has now, up to about max_len bytes; fd stays open. */
enum tdat_status tdat_source_copy_fd(struct tdat_source **out, int fd, const char *name,
				     uint64_t max_len, struct tdat_error *err)
{
	struct tdat_source *src = source_new(name, err);
	enum tdat_status st = src ? copy_setup(src, fd, max_len, err) : TDAT_E_NOMEM;

	*out = NULL;
	if (st == TDAT_OK)
		*out = src;
	else
		tdat_source_close(src);
	return st;
}

/* O_NONBLOCK, because opening a FIFO or reading a live file must not wait. */
enum tdat_status tdat_source_open_copy(struct tdat_source **out, const char *path, uint64_t max_len,
				       struct tdat_error *err)
{
	enum tdat_status st;
	int fd;

	*out = NULL;
	do {
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	} while (fd < 0 && errno == EINTR);
	if (fd < 0)
		return tdat_error_set_errno(err, errno, "cannot open %s", path);
	st = tdat_source_copy_fd(out, fd, path, max_len, err);
	close(fd);
	return st;
}

/* An empty source has a pointer, too, so that callers need no special case. */
enum tdat_status tdat_source_open_memory(struct tdat_source **out, const void *ptr, size_t len,
					 const char *name, struct tdat_error *err)
{
	struct tdat_source *src = source_new(name, err);

	*out = src;
	if (!src)
		return TDAT_E_NOMEM;
	src->mem = ptr ? ptr : (const uint8_t *)"";
	src->len = len;
	return TDAT_OK;
}

/* Reads a small part into memory. */
static enum tdat_status part_in_memory(struct tdat_source *src, int fd, uint64_t off,
				       struct tdat_error *err)
{
	const size_t len = (size_t)src->len;

	src->owned = malloc(len ? len : 1);
	if (!src->owned)
		return tdat_error_no_memory(err, "a part of a file");
	if (tdat_fd_read(fd, off, src->owned, len) != len)
		return tdat_error_set_errno(err, errno ? errno : EIO, "cannot read %s", src->name);
	src->mem = src->owned;
	return TDAT_OK;
}

/* Many small parts need no descriptors. A part that begins with its file is as the file is. */
enum tdat_status tdat_source_open_part(struct tdat_source **out, int fd, uint64_t off, uint64_t len,
				       const char *name, struct tdat_error *err)
{
	struct tdat_source *src = source_new(name, err);
	enum tdat_status st = src ? TDAT_OK : TDAT_E_NOMEM;
	struct stat sb;

	*out = NULL;
	if (src && (fstat(fd, &sb) || !tdat_range_ok(off, len, (uint64_t)sb.st_size)))
		st = tdat_error_set(err, TDAT_E_DAMAGED, off,
				    "the file that contains %s is too short", name);
	if (st == TDAT_OK) {
		src->len = len;
		if (len <= COPY_IN_MEMORY) {
			st = part_in_memory(src, fd, off, err);
		} else {
			src->start = off;
			src->part = off || len != (uint64_t)sb.st_size;
			src->fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
			if (src->fd < 0)
				st = tdat_error_set_errno(err, errno, "cannot read %s", name);
		}
	}
	if (st == TDAT_OK)
		*out = src;
	else
		tdat_source_close(src);
	return st;
}

/* NULL does nothing. Memory of tdat_source_open_memory() stays the caller's. */
struct tdat_source *tdat_source_share(struct tdat_source *src)
{
	atomic_fetch_add(&src->sharers, 1);
	return src;
}

void tdat_source_close(struct tdat_source *src)
{
	if (!src || atomic_fetch_sub(&src->sharers, 1))
		return;
	if (src->fd >= 0)
		close(src->fd);
	free(src->owned);
	free(src->name);
	free(src);
}

uint64_t tdat_source_len(const struct tdat_source *src)
{
	return src->len;
}

/* -1: the bytes are in memory, or a part of a file. */
int tdat_source_fd(const struct tdat_source *src)
{
	return src->part ? -1 : src->fd;
}

/* True if windows of the file may be mapped (source_window.c). */
bool tdat_source_maps(const struct tdat_source *src)
{
	return src->maps;
}

/* A failure of lseek() means that the bytes are read: holes are only a shortcut. */
uint64_t tdat_source_skip_hole(const struct tdat_source *src, uint64_t off, uint64_t end)
{
#ifdef SEEK_DATA
	off_t next;

	if (!src->sparse || off >= end)
		return off;
	next = lseek(src->fd, (off_t)off, SEEK_DATA);
	if (next < 0)
		return errno == ENXIO ? end : off;
	return (uint64_t)next < end ? (uint64_t)next : end;
#else
	(void)src;
	(void)end;
	return off;
#endif
}

const char *tdat_source_name(const struct tdat_source *src)
{
	return src->name;
}

/* A file that shrank gives 0 bytes here, which is damage, not the end of the input. */
enum tdat_status tdat_source_read(const struct tdat_source *src, uint64_t off, void *buf,
				  size_t len, struct tdat_error *err)
{
	uint8_t *p = buf;

	if (!tdat_range_ok(off, len, src->len))
		return tdat_error_set(
			err, TDAT_E_DAMAGED, off,
			"%zu bytes are needed at offset %llu, but the file ends at %llu", len,
			(unsigned long long)off, (unsigned long long)src->len);
	if (src->mem) {
		if (len)
			memcpy(p, src->mem + off, len);
		return TDAT_OK;
	}
	/* pread() may return less: a signal, or the end of a file that shrank. */
	while (len) {
		ssize_t n = pread(src->fd, p, len, (off_t)(src->start + off));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return tdat_error_set_errno(err, errno, "cannot read at offset %llu",
						    (unsigned long long)off);
		if (n == 0)
			return tdat_error_set(err, TDAT_E_DAMAGED, off,
					      "the file was truncated while it was read: it has no "
					      "data at offset %llu",
					      (unsigned long long)off);
		p += n;
		off += (uint64_t)n;
		len -= (size_t)n;
	}
	return TDAT_OK;
}

/* Bytes without a copy; NULL: the source is not in memory, or does not have them. */
const uint8_t *tdat_source_peek(const struct tdat_source *src, uint64_t off, size_t len)
{
	if (!src->mem || !tdat_range_ok(off, len, src->len))
		return NULL;
	return src->mem + off;
}
