/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes a trace.dat.
 *
 * The writer collects metadata and events. CPU data goes to unlinked temporary files, so memory is
 * bounded. The file appears only in tdat_writer_finish, which writes it next to the target, calls
 * fsync, and renames it. A writer that fails, or is freed before it finishes, does not change the
 * target.
 *
 * On file systems with unnamed files (O_TMPFILE), a killed process also leaves the target unchanged
 * and no other file; only if killed while it replaces a file, it may leave a file ".tdat-PID-N"
 * next to it. A target that is a pipe or a device gets a copy of the finished file. A full disk is
 * TDAT_E_SYSTEM with ENOSPC; the error contains the number of missing bytes. The written bytes
 * depend only on the input, not on the number of threads.
 *
 * Threads: a writer belongs to one thread at a time; several threads may use several writers.
 * tdat_writer_finish compresses on its own threads, which end before it returns. The functions for
 * warnings and progress run on the thread that called the library; they may read the writer's
 * counts but must not pass it data.
 *
 * Owners: the caller frees a writer. Its tdat_emit belongs to it. Strings of options are copied;
 * the caller keeps ownership of files from which the writer copies.
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
	const char *compression; /* "none", "zlib", "zstd", "any" (the best that was built in);
				  * NULL: "any". Version 6 allows only "none" */
	int level;		 /* zlib 1 to 9, zstd -7 to 22; 0: default (zlib 9, zstd 3) */
	bool force;		 /* replace an existing target */
	uint32_t threads;	 /* for compression and copies; 0: one per online CPU */
	const char *tmpdir;	 /* folder for temporary files; NULL: the target's */
	const int *fd;		 /* an open, empty file to write, owned by the caller; NULL: path */
};

#define TDAT_WRITER_OPTS_INIT TDAT_SIZED(struct tdat_writer_opts)

/*
 * tdat_writer_new prepares a writer for path ("-": standard output). An existing target without
 * opts->force is TDAT_E_USAGE; the error names it. With opts->fd, path is only a name for error
 * messages, and temporary files are in the folder TMPDIR.
 */
TDAT_API enum tdat_status tdat_writer_new(struct tdat_writer **out, const char *path,
					  const struct tdat_writer_opts *opts,
					  struct tdat_error *err);

/*
 * tdat_writer_emit returns the writer's tdat_emit (tdat/emit.h), to which metadata and events are
 * passed; borrowed until tdat_writer_free.
 */
TDAT_API const struct tdat_emit *tdat_writer_emit(struct tdat_writer *writer);

/*
 * tdat_writer_on_warn sets the function that receives warnings of tdat_emit_warn, of copies and of
 * merges. Without one, they are only counted. If it fails, the call that warned fails with its
 * status.
 */
typedef enum tdat_status (*tdat_warn_fn)(void *ctx, const char *input, uint64_t off,
					 const char *sentence, struct tdat_error *err);
TDAT_API void tdat_writer_on_warn(struct tdat_writer *writer, tdat_warn_fn fn, void *ctx);
/* tdat_writer_on_note sets the function that receives notes: problems that lose no data. */
TDAT_API void tdat_writer_on_note(struct tdat_writer *writer, tdat_warn_fn fn, void *ctx);

/*
 * tdat_writer_on_progress sets a function that tdat_writer_finish calls from time to time with the
 * number of bytes written (done) and the number of all bytes (total).
 */
typedef void (*tdat_progress_fn)(void *ctx, uint64_t done, uint64_t total);
TDAT_API void tdat_writer_on_progress(struct tdat_writer *writer, tdat_progress_fn fn, void *ctx);

/*
 * tdat_writer_on_events sets a function that receives the number of events from time to time while
 * events arrive; its total is 0. Threads that fill CPUs (tdat_emit_cpu_emit) call it as well.
 */
TDAT_API void tdat_writer_on_events(struct tdat_writer *writer, tdat_progress_fn fn, void *ctx);

/* tdat_writer_on_fact sets the function that receives facts about the capture (tdat_emit_fact). */
typedef void (*tdat_fact_fn)(void *ctx, const char *key, const char *value);
TDAT_API void tdat_writer_on_fact(struct tdat_writer *writer, tdat_fact_fn fn, void *ctx);

/* tdat_writer_warnings returns the number of warnings so far. */
TDAT_API uint64_t tdat_writer_warnings(const struct tdat_writer *writer);

/* tdat_writer_events returns the number of events written so far. */
TDAT_API uint64_t tdat_writer_events(const struct tdat_writer *writer);

/* tdat_writer_cpus returns the number of CPUs with events; a CPU counts once for all buffers. */
TDAT_API uint32_t tdat_writer_cpus(const struct tdat_writer *writer);

/*
 * tdat_writer_copy makes the new file a copy of an opened one, in the version and compression of
 * the writer. It copies every part, option and unknown section, the header's long size, and
 * unchanged pages of CPU data, without decoding them. The writer must be unused and accepts nothing
 * else; call tdat_writer_finish next, and keep the file open until then. Metadata that the version
 * cannot store is omitted with a warning (tdat_writer_on_warn); CPU data that it cannot store is
 * TDAT_E_UNSUPPORTED. Chunks compressed with the same algorithm are copied unless a level is set.
 */
TDAT_API enum tdat_status tdat_writer_copy(struct tdat_writer *writer, const struct tdat_file *file,
					   struct tdat_error *err);

/*
 * tdat_writer_copy_endian is tdat_writer_copy into another byte order: it converts header, parts,
 * options, and every event field by field with its format. An event, option or section with unknown
 * fields is TDAT_E_UNSUPPORTED; the error names it. Events keep timestamps, CPUs and marks of lost
 * events; pages are rebuilt. If the file already has the byte order, this is tdat_writer_copy.
 */
TDAT_API enum tdat_status tdat_writer_copy_endian(struct tdat_writer *writer,
						  struct tdat_file *file, bool big_endian,
						  struct tdat_error *err);

/*
 * tdat_writer_finish writes the file and makes it visible under its name. Call it once; afterwards,
 * even if it failed, only free the writer.
 */
TDAT_API enum tdat_status tdat_writer_finish(struct tdat_writer *writer, struct tdat_error *err);

/* tdat_writer_free frees the writer. NULL is allowed. Unless it was finished, no file appears. */
TDAT_API void tdat_writer_free(struct tdat_writer *writer);

TDAT_END_DECLS
#endif
