/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Making a trace.dat.
 *
 * The writer collects metadata and events, spools CPU data to unlinked
 * temporary files (bounded memory), and makes the file visible only in
 * tdat_writer_finish: written beside the target, fsync'ed, renamed. A writer
 * that fails or is freed unfinished leaves the target as it was.
 *
 * Where the file system has nameless files, so does a killed process leave it,
 * and nothing else; only one killed while it replaces a file may leave a name
 * ".tdat-PID-N" beside it. A target that is a pipe or a device gets a copy of
 * the finished file. A full disk is TDAT_E_SYSTEM with ENOSPC and a sentence
 * with the bytes missing. The bytes written depend on the input alone, not on
 * the number of threads.
 */
#ifndef TDAT_WRITER_H
#define TDAT_WRITER_H

#include <tdat/emit.h>
#include <tdat/file.h>

TDAT_BEGIN_DECLS

struct tdat_writer;

struct tdat_writer_opts {
	size_t size;               /* sizeof(struct tdat_writer_opts) */
	uint32_t version;          /* 6 or 7; 0: 7 */
	const char *compression;   /* "none", "zlib", "zstd", "any" (best built in); NULL: "any".
				    * Version 6 knows only "none" */
	int level;                 /* codec level; 0: the codec's (zlib 9, zstd 3) */
	bool force;                /* replace an existing target */
	uint32_t threads;          /* compression threads; 0: one per online CPU */
	const char *tmpdir;        /* spool folder; NULL: the target's */
};

#define TDAT_WRITER_OPTS_INIT                                                                      \
	{                                                                                          \
		sizeof(struct tdat_writer_opts), 0, NULL, 0, false, 0, NULL                        \
	}

/*
 * tdat_writer_new prepares writing path ("-": standard output). An existing
 * target without opts->force is TDAT_E_USAGE with a sentence naming it.
 */
TDAT_API enum tdat_status tdat_writer_new(struct tdat_writer **out, const char *path,
					  const struct tdat_writer_opts *opts,
					  struct tdat_error *err);

/* tdat_writer_emit is the writer's tdat_emit, borrowed: feed it. */
TDAT_API const struct tdat_emit *tdat_writer_emit(struct tdat_writer *writer);

/*
 * tdat_writer_on_warn sets where ops->warn of the writer's emit goes. Without
 * it warnings are counted only. fn returning an error stops the import.
 */
typedef enum tdat_status (*tdat_warn_fn)(void *ctx, const char *input, uint64_t off,
					 const char *sentence, struct tdat_error *err);
TDAT_API void tdat_writer_on_warn(struct tdat_writer *writer, tdat_warn_fn fn, void *ctx);

/*
 * tdat_writer_on_progress sets who is told, now and then and from the thread that
 * called it, how many of all bytes tdat_writer_finish has laid out.
 */
typedef void (*tdat_progress_fn)(void *ctx, uint64_t done, uint64_t total);
TDAT_API void tdat_writer_on_progress(struct tdat_writer *writer, tdat_progress_fn fn, void *ctx);

/* tdat_writer_warnings counts warnings so far. */
TDAT_API uint64_t tdat_writer_warnings(const struct tdat_writer *writer);

/* tdat_writer_events counts events written so far. */
TDAT_API uint64_t tdat_writer_events(const struct tdat_writer *writer);

/*
 * tdat_writer_copy makes the new file a copy of an opened one, in the version and
 * with the compression the writer was made for: every part, option and unknown
 * section, the header's long size, and CPU data page by page as it is. Nothing is
 * decoded. The writer must be fresh and takes nothing else but
 * tdat_writer_finish, until which the file must stay open. What the version has
 * no place for is told as a warning (tdat_writer_on_warn) and left out; CPU data
 * it cannot hold is TDAT_E_UNSUPPORTED. Chunks already compressed with the same
 * algorithm are copied unless a level was asked for.
 */
TDAT_API enum tdat_status tdat_writer_copy(struct tdat_writer *writer,
					   const struct tdat_file *file, struct tdat_error *err);

/*
 * tdat_writer_copy_endian is tdat_writer_copy into the byte order big_endian:
 * header, parts, options, and every event field by field as its format tells. An
 * event, option or section whose layout is not told in detail is
 * TDAT_E_UNSUPPORTED with a sentence that names it. Events keep time stamps, CPUs
 * and lost marks; pages are built anew. In the file's own order it is
 * tdat_writer_copy.
 */
TDAT_API enum tdat_status tdat_writer_copy_endian(struct tdat_writer *writer,
						  struct tdat_file *file, bool big_endian,
						  struct tdat_error *err);

/* tdat_writer_finish lays the file out and makes it visible under its name. */
TDAT_API enum tdat_status tdat_writer_finish(struct tdat_writer *writer, struct tdat_error *err);

/* tdat_writer_free releases it; without a successful finish no file appears. */
TDAT_API void tdat_writer_free(struct tdat_writer *writer);

TDAT_END_DECLS
#endif
