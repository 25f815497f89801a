/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The bytes of an input: a path, a descriptor, memory or a pipe.
 *
 * The library reads a regular file with pread(2), so a failing disk, or a program that truncates
 * the file, only causes an error. The library copies a pipe to memory, or, if it has more than 16
 * MiB, to an unlinked temporary file. It does the same with a file whose reported size is 0, such
 * as a file in /proc.
 *
 * With TDAT_ACCESS_MAP, the library maps windows of uncompressed CPU data instead of reading them.
 * A window has some hundred KiB, and is unmapped after its events are read. All other data is read
 * with pread. A window is also read with pread if the length of the file has changed since the file
 * was opened, or if the system cannot map the window or load its pages.
 *
 * A mapping has two dangers that pread does not have. First, the file may be truncated while a
 * window is mapped, or its disk, network or FUSE server may fail to load a page again. The next
 * access then raises SIGBUS in the accessing thread; unless the caller installed a handler, the
 * process ends. (If the new end of the file lies within the accessed page, there is no signal: the
 * missing bytes are read as zeros. When the library leaves the window, it finds that the file is
 * shorter, and reports damage.) Second, another program may write to the file between the check of
 * an event's length and its use; no reader can protect itself from this. Map only complete files
 * that no other program changes.
 *
 * Threads: a source does not change after it was opened. Several threads may call all functions of
 * this header except tdat_source_close at the same time with the same source.
 *
 * Owners: the caller closes a source, unless tdat_file_open_source took ownership.
 */
#ifndef TDAT_SOURCE_H
#define TDAT_SOURCE_H

#include <tdat/error.h>

TDAT_BEGIN_DECLS

struct tdat_source;

enum tdat_access {
	TDAT_ACCESS_READ = 0, /* pread */
	TDAT_ACCESS_MAP = 1   /* mmap of windows where possible, else pread; see above */
};

/*
 * tdat_source_open_path opens a file; "-" means standard input. A directory is an error. On success
 * the caller must close *out.
 */
TDAT_API enum tdat_status tdat_source_open_path(struct tdat_source **out, const char *path,
						enum tdat_access access, struct tdat_error *err);

/* Maximum bytes to store of a pipe, unless spool_len is set. */
#define TDAT_SPOOL_LEN (1ull << 30)

struct tdat_source_opts {
	size_t size; /* sizeof(struct tdat_source_opts) */
	enum tdat_access access;
	/*
	 * Maximum bytes to store of a pipe, or of a file whose reported size is 0; more bytes cause
	 * TDAT_E_LIMIT. 0: TDAT_SPOOL_LEN for a pipe, and 256 MiB for a file whose reported size is
	 * 0.
	 */
	uint64_t spool_len;
	/*
	 * The expected first bytes; NULL: any. If a pipe starts with other bytes, the library reads
	 * and stores only its first bytes.
	 */
	const void *magic;
	size_t magic_len;
};

#define TDAT_SOURCE_OPTS_INIT TDAT_SIZED(struct tdat_source_opts)

/* tdat_source_open is tdat_source_open_path with options; opts may be NULL. */
TDAT_API enum tdat_status tdat_source_open(struct tdat_source **out, const char *path,
					   const struct tdat_source_opts *opts,
					   struct tdat_error *err);

/*
 * tdat_source_open_copy copies the bytes that path can return now: up to its end, until a read
 * would wait, or until at least max_len bytes were read (0: no limit). It ignores the size that the
 * file system reports. The file does not stay open; only a large copy needs a descriptor, for an
 * unlinked temporary file. Use it for captures that consist of many small files, and for files of
 * tracefs. A device is an error. If max_len is 0, more than TDAT_SPOOL_LEN bytes are TDAT_E_LIMIT.
 */
TDAT_API enum tdat_status tdat_source_open_copy(struct tdat_source **out, const char *path,
						uint64_t max_len, struct tdat_error *err);

/* tdat_source_copy_fd does the same with an open file, starting at its current offset. */
TDAT_API enum tdat_status tdat_source_copy_fd(struct tdat_source **out, int fd, const char *name,
					      uint64_t max_len, struct tdat_error *err);

/*
 * tdat_source_open_fd opens a duplicate of a descriptor. The caller keeps the descriptor; its file
 * offset may change. Error messages use name, which is copied.
 */
TDAT_API enum tdat_status tdat_source_open_fd(struct tdat_source **out, int fd, const char *name,
					      enum tdat_access access, struct tdat_error *err);

/*
 * tdat_source_open_part opens len bytes at off of a regular file that no program changes, such as
 * an unpacked archive member. The caller keeps the descriptor. Up to 1 MiB is copied to memory; for
 * a longer part, the descriptor is duplicated.
 */
TDAT_API enum tdat_status tdat_source_open_part(struct tdat_source **out, int fd, uint64_t off,
						uint64_t len, const char *name,
						struct tdat_error *err);

/* tdat_source_open_memory borrows len bytes, which must outlive the source. */
TDAT_API enum tdat_status tdat_source_open_memory(struct tdat_source **out, const void *ptr,
						  size_t len, const char *name,
						  struct tdat_error *err);

/*
 * tdat_source_share returns the same source. tdat_source_close must then be called one more time.
 */
TDAT_API struct tdat_source *tdat_source_share(struct tdat_source *src);

/* tdat_source_close closes the source. NULL is allowed. */
TDAT_API void tdat_source_close(struct tdat_source *src);

/* tdat_source_len returns the length of the source when it was opened, in bytes. */
TDAT_API uint64_t tdat_source_len(const struct tdat_source *src);

/* tdat_source_name returns the path or name passed when it was opened; borrowed. */
TDAT_API const char *tdat_source_name(const struct tdat_source *src);

/*
 * tdat_source_read copies exactly len bytes from off to buf, and continues after interrupted and
 * short reads. Bytes outside the source, or truncated later, are TDAT_E_DAMAGED.
 */
TDAT_API enum tdat_status tdat_source_read(const struct tdat_source *src, uint64_t off, void *buf,
					   size_t len, struct tdat_error *err);

/*
 * tdat_source_skip_hole returns the first offset from off to end whose byte may be nonzero, or end
 * if there is none, so that callers can skip holes of sparse files.
 */
TDAT_API uint64_t tdat_source_skip_hole(const struct tdat_source *src, uint64_t off, uint64_t end);

/*
 * tdat_source_peek returns a pointer to len bytes at off without copying, valid until the source is
 * closed. It returns NULL if the source is not in memory or does not contain the range; then use
 * tdat_source_read.
 */
TDAT_API const uint8_t *tdat_source_peek(const struct tdat_source *src, uint64_t off, size_t len);

TDAT_END_DECLS
#endif
