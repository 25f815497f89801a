/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The bytes of an input: a path, a descriptor, memory or a pipe.
 *
 * A regular file is read with pread(2), so that a file which another
 * program shortens, or a disk that fails, is an error and nothing worse. Pipes are
 * copied to memory, and above 16 MiB to an unlinked temporary file; so are files
 * that say they have no bytes, as those of /proc do.
 *
 * TDAT_ACCESS_MAP asks for windows of CPU data that is not compressed to be mapped
 * instead: some hundred KiB at a time, which are let go when their events are done.
 * All else is read as without it. A window is read, too, when the file no longer has the
 * length that it had when it was opened (it grows, or was cut), or when the system cannot map
 * it or cannot load its pages.
 *
 * A mapping has two dangers that reading has not. When the file is shortened while a
 * window of it is mapped, or its disk, network or FUSE server fails to give a page
 * that the system had dropped, the next touch raises SIGBUS in the thread that touches
 * it. The library touches no signals: without a handler of the caller's the process
 * ends. And when another program writes into the file, the bytes of an event may
 * change between the check of their length and their use, which no reader can be safe
 * from. Map only what is complete and belongs to nobody who would do that. Bytes that
 * are cut off in the page the new end is in become zeros without a signal; streams
 * notice the shorter file when they leave the window, and report damage.
 *
 * Threads: a source does not change after it was opened. All functions of this header but
 * tdat_source_close may be called by several threads at once for the same source.
 *
 * Owners: a source is the caller's to close, unless tdat_file_open_source took it over.
 */
#ifndef TDAT_SOURCE_H
#define TDAT_SOURCE_H

#include <tdat/error.h>

TDAT_BEGIN_DECLS

struct tdat_source;

enum tdat_access {
	TDAT_ACCESS_READ = 0, /* pread */
	TDAT_ACCESS_MAP = 1   /* mmap of windows where it can, else pread; see above */
};

/*
 * tdat_source_open_path opens a file; "-" means standard input. Directories
 * are refused with a sentence. On success *out is the caller's to close.
 */
TDAT_API enum tdat_status tdat_source_open_path(struct tdat_source **out, const char *path,
						enum tdat_access access, struct tdat_error *err);

/* Bytes that are stored of a pipe at most, unless spool_len says otherwise. */
#define TDAT_SPOOL_LEN (1ull << 30)

struct tdat_source_opts {
	size_t size; /* sizeof(struct tdat_source_opts) */
	enum tdat_access access;
	/*
	 * Bytes stored of a pipe, or of a file that says it has none; more are
	 * TDAT_E_LIMIT. 0: TDAT_SPOOL_LEN, and 256 MiB of such a file.
	 */
	uint64_t spool_len;
	/*
	 * First bytes of what is looked for; NULL: anything. Of a pipe that begins with
	 * others only these are read, so that the source holds them and no more.
	 */
	const void *magic;
	size_t magic_len;
};

#define TDAT_SOURCE_OPTS_INIT TDAT_SIZED(struct tdat_source_opts)

/* tdat_source_open is tdat_source_open_path with options; NULL: the defaults. */
TDAT_API enum tdat_status tdat_source_open(struct tdat_source **out, const char *path,
					   const struct tdat_source_opts *opts,
					   struct tdat_error *err);

/*
 * tdat_source_open_copy copies the bytes that can be read of path now: up to its end, until a
 * read would wait, or until max_len bytes (0: no limit) are passed. The size that the file
 * system gives does not matter. The file does not stay open; only a large copy needs a
 * descriptor, that of an unlinked temporary file. This is meant for captures of many small
 * files, and for files of tracefs. Devices are refused; more than TDAT_SPOOL_LEN without
 * max_len is TDAT_E_LIMIT.
 */
TDAT_API enum tdat_status tdat_source_open_copy(struct tdat_source **out, const char *path,
						uint64_t max_len, struct tdat_error *err);

/* tdat_source_copy_fd does the same with an open file, from where it would be read next. */
TDAT_API enum tdat_status tdat_source_copy_fd(struct tdat_source **out, int fd, const char *name,
					      uint64_t max_len, struct tdat_error *err);

/*
 * tdat_source_open_fd takes a descriptor that stays the caller's (it is
 * duplicated); the offset at which it would read next may move. name is used in
 * sentences and copied.
 */
TDAT_API enum tdat_status tdat_source_open_fd(struct tdat_source **out, int fd, const char *name,
					      enum tdat_access access, struct tdat_error *err);

/*
 * tdat_source_open_part takes len bytes at off of a regular file that nobody changes, such as a
 * member of what was unpacked. The descriptor stays the caller's: 1 MiB or less is copied to
 * memory, else the descriptor is duplicated.
 */
TDAT_API enum tdat_status tdat_source_open_part(struct tdat_source **out, int fd, uint64_t off,
						uint64_t len, const char *name,
						struct tdat_error *err);

/* tdat_source_open_memory borrows len bytes that must outlive the source. */
TDAT_API enum tdat_status tdat_source_open_memory(struct tdat_source **out, const void *ptr,
						  size_t len, const char *name,
						  struct tdat_error *err);

/* tdat_source_share returns the same source, which is then to be closed once more. */
TDAT_API struct tdat_source *tdat_source_share(struct tdat_source *src);

/* tdat_source_close closes the source. NULL is allowed. */
TDAT_API void tdat_source_close(struct tdat_source *src);

/* tdat_source_len is the number of bytes there were when it was opened. */
TDAT_API uint64_t tdat_source_len(const struct tdat_source *src);

/* tdat_source_name is the path or name it was opened with; borrowed. */
TDAT_API const char *tdat_source_name(const struct tdat_source *src);

/*
 * tdat_source_read copies exactly len bytes from off into buf. Bytes outside
 * the source, or that a shrunken file no longer has, are TDAT_E_DAMAGED.
 * Interrupted and short reads are continued.
 */
TDAT_API enum tdat_status tdat_source_read(const struct tdat_source *src, uint64_t off, void *buf,
					   size_t len, struct tdat_error *err);

/*
 * tdat_source_skip_hole returns the first offset from off to end whose byte may be other
 * than zero, end when there is none: holes of sparse files need not be read.
 */
TDAT_API uint64_t tdat_source_skip_hole(const struct tdat_source *src, uint64_t off, uint64_t end);

/*
 * tdat_source_peek returns len bytes at off without copying, valid until the
 * source is closed, or NULL when the source is not in memory or the range is
 * outside it; then use tdat_source_read.
 */
TDAT_API const uint8_t *tdat_source_peek(const struct tdat_source *src, uint64_t off, size_t len);

TDAT_END_DECLS
#endif
