/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes a trace.dat.
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
 *
 * Threads: a writer belongs to one thread at a time; several writers may be used by several
 * threads at once. tdat_writer_finish compresses on threads of its own, which have ended when
 * it returns. The functions for warnings and progress are called on the thread that called
 * the library; they may read the writer's counts but must not hand it anything.
 *
 * Owners: a writer is the caller's to free. Its tdat_emit belongs to it. Strings of options
 * are copied; files that are copied from stay the caller's.
 */
#ifndef TDAT_WRITER_H
#define TDAT_WRITER_H

#include <tdat/emit.h>
#include <tdat/file.h>

TDAT_BEGIN_DECLS

struct tdat_writer;

struct tdat_writer_opts {
	size_t size;		 /* sizeof(struct tdat_writer_opts) */
	uint32_t version;	 /* 6 or 7; 0: 7 */
	const char *compression; /* "none", "zlib", "zstd", "any" (best built in); NULL: "any".
				  * Version 6 knows only "none" */
	int level;		 /* zlib 1 to 9, zstd -7 to 22; 0: the codec's (zlib 9, zstd 3) */
	bool force;		 /* replace an existing target */
	uint32_t threads;	 /* for compression and copies; 0: one per online CPU */
	const char *tmpdir;	 /* spool folder; NULL: the target's */
	const int *fd;		 /* an open, empty file to write, which stays the caller's;
				  * NULL: the path */
};

#define TDAT_WRITER_OPTS_INIT TDAT_SIZED(struct tdat_writer_opts)

/*
 * tdat_writer_new prepares writing path ("-": standard output). An existing
 * target without opts->force is TDAT_E_USAGE with a sentence naming it. With opts->fd
 * path is only a name for sentences, and spools lie in the folder that TMPDIR names.
 */
TDAT_API enum tdat_status tdat_writer_new(struct tdat_writer **out, const char *path,
					  const struct tdat_writer_opts *opts,
					  struct tdat_error *err);

/*
 * tdat_writer_emit gives the tdat_emit (tdat/emit.h) by which the writer gets metadata and
 * events; borrowed until tdat_writer_free.
 */
TDAT_API const struct tdat_emit *tdat_writer_emit(struct tdat_writer *writer);

/*
 * tdat_writer_on_warn sets the function that gets warnings: those of tdat_emit_warn of the
 * writer's tdat_emit, and those of copies and merges. Without one they are only counted. When it
 * returns a failure, the call that warned fails with that status.
 */
typedef enum tdat_status (*tdat_warn_fn)(void *ctx, const char *input, uint64_t off,
					 const char *sentence, struct tdat_error *err);
TDAT_API void tdat_writer_on_warn(struct tdat_writer *writer, tdat_warn_fn fn, void *ctx);
/* tdat_writer_on_note sets the function that gets notes likewise: advice, which is no warning. */
TDAT_API void tdat_writer_on_note(struct tdat_writer *writer, tdat_warn_fn fn, void *ctx);

/*
 * tdat_writer_on_progress sets a function that tdat_writer_finish calls now and then with the
 * number of bytes that are laid out (done) of those there are (total).
 */
typedef void (*tdat_progress_fn)(void *ctx, uint64_t done, uint64_t total);
TDAT_API void tdat_writer_on_progress(struct tdat_writer *writer, tdat_progress_fn fn, void *ctx);

/*
 * tdat_writer_on_events sets the function that gets the number of events from time to time while
 * they come; its total is 0. Threads that fill CPUs (tdat_emit_cpu_emit) call it, too.
 */
TDAT_API void tdat_writer_on_events(struct tdat_writer *writer, tdat_progress_fn fn, void *ctx);

/* tdat_writer_on_fact sets the function that gets facts about the capture (tdat_emit_fact). */
typedef void (*tdat_fact_fn)(void *ctx, const char *key, const char *value);
TDAT_API void tdat_writer_on_fact(struct tdat_writer *writer, tdat_fact_fn fn, void *ctx);

/* tdat_writer_warnings counts warnings so far. */
TDAT_API uint64_t tdat_writer_warnings(const struct tdat_writer *writer);

/* tdat_writer_events counts events written so far. */
TDAT_API uint64_t tdat_writer_events(const struct tdat_writer *writer);

/* tdat_writer_cpus counts the CPUs that have events, each once for all buffers. */
TDAT_API uint32_t tdat_writer_cpus(const struct tdat_writer *writer);

/*
 * tdat_writer_copy makes the new file a copy of an opened one, in the version and
 * with the compression the writer was made for: every part, option and unknown
 * section, the header's long size, and CPU data page by page as it is. Nothing is
 * decoded. The writer must be fresh and takes nothing else; call tdat_writer_finish next,
 * until which the file must stay open. Metadata that the version cannot hold is left out with
 * a warning (tdat_writer_on_warn); CPU data that it cannot hold is TDAT_E_UNSUPPORTED. Chunks
 * already compressed with the same algorithm are copied unless a level was asked for.
 */
TDAT_API enum tdat_status tdat_writer_copy(struct tdat_writer *writer, const struct tdat_file *file,
					   struct tdat_error *err);

/*
 * tdat_writer_copy_endian is tdat_writer_copy into the byte order big_endian:
 * header, parts, options, and every event field by field by its format. An event, option or
 * section whose fields are not all known is TDAT_E_UNSUPPORTED with a sentence that names
 * it. Events keep time stamps, CPUs and marks of lost events; pages are built anew. If the
 * file has that byte order already, this is tdat_writer_copy.
 */
TDAT_API enum tdat_status tdat_writer_copy_endian(struct tdat_writer *writer,
						  struct tdat_file *file, bool big_endian,
						  struct tdat_error *err);

/*
 * tdat_writer_finish lays the file out and makes it visible under its name. It is called once;
 * after it, also when it failed, the writer can only be freed.
 */
TDAT_API enum tdat_status tdat_writer_finish(struct tdat_writer *writer, struct tdat_error *err);

/* tdat_writer_free frees the writer (NULL is allowed); unless it was finished no file appears. */
TDAT_API void tdat_writer_free(struct tdat_writer *writer);

TDAT_END_DECLS
#endif
