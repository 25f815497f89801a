/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * tdat/source.h - the bytes of an input: a path, a descriptor, memory or a pipe.
 *
 * A source is immutable after opening and may be used by several threads at
 * once. A regular file is read with pread(2), so that a file which another
 * program shortens, or a disk that fails, is an error and nothing worse. Mapped
 * (TDAT_ACCESS_MAP) either would raise SIGBUS, which ends the process: ask for
 * it only where nobody can shorten the file. Pipes are copied to memory, and above 16 MiB to an
 * unlinked temporary file; so are files that say they have no bytes, as those of
 * /proc do.
 */
#ifndef TDAT_SOURCE_H
#define TDAT_SOURCE_H

#include <tdat/error.h>

TDAT_BEGIN_DECLS

struct tdat_source;

enum tdat_access {
	TDAT_ACCESS_READ = 0, /* pread */
	TDAT_ACCESS_MAP = 1   /* mmap where it can, else read */
};

/*
 * tdat_source_open_path opens a file; "-" means standard input. Directories
 * are refused with a sentence. On success *out is the caller's to close.
 */
TDAT_API enum tdat_status tdat_source_open_path(struct tdat_source **out, const char *path,
						enum tdat_access access, struct tdat_error *err);

/*
 * tdat_source_open_copy copies what can be read of path now: to its end, until a
 * read would wait, or until max_len bytes (0: no limit) are passed. Whatever size
 * the file says it has; nothing stays open but, for much, an unlinked temporary
 * file. For small files of which there are many, and for those of tracefs.
 */
TDAT_API enum tdat_status tdat_source_open_copy(struct tdat_source **out, const char *path,
						uint64_t max_len, struct tdat_error *err);

/*
 * tdat_source_open_fd takes a descriptor that stays the caller's (it is
 * duplicated); the offset at which it would read next may move. name is used in
 * sentences and copied.
 */
TDAT_API enum tdat_status tdat_source_open_fd(struct tdat_source **out, int fd, const char *name,
					      enum tdat_access access, struct tdat_error *err);

/* tdat_source_open_memory borrows len bytes that must outlive the source. */
TDAT_API enum tdat_status tdat_source_open_memory(struct tdat_source **out, const void *ptr,
						  size_t len, const char *name,
						  struct tdat_error *err);

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
 * tdat_source_peek returns len bytes at off without copying, valid until the
 * source is closed, or NULL when the source is not in memory or the range is
 * outside it; then use tdat_source_read.
 */
TDAT_API const uint8_t *tdat_source_peek(const struct tdat_source *src, uint64_t off, size_t len);

/*
 * tdat_source_done tells that the mapped bytes of a range will not be needed
 * soon, so that they need not count against the process. A hint; never fails.
 */
TDAT_API void tdat_source_done(const struct tdat_source *src, uint64_t off, uint64_t len);

TDAT_END_DECLS
#endif
