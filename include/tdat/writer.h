/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes a trace.dat.
 *
 * The writer collects metadata and events. It stores CPU data in unlinked temporary files, so that
 * the use of memory is bounded. tdat_writer_finish writes the new file in the target's folder,
 * calls fsync, and renames the file to the target. If a writer fails, or is freed before it
 * finishes, the target does not change.
 *
 * If the process is killed, the target also does not change. On file systems with unnamed files
 * (O_TMPFILE), a killed process leaves no other file, with one exception: while it replaces an
 * existing target, it may leave a file ".tdat-PID-N" in the target's folder. If the target is a
 * pipe or a device, the finished file is copied to it. A full disk is TDAT_E_SYSTEM with ENOSPC;
 * the error contains the number of missing bytes. The written bytes depend only on the input, not
 * on the number of threads.
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
 * tdat_writer_new prepares a writer for path ("-": standard output). If the target exists and
 * opts->force is not set, the status is TDAT_E_USAGE, and the error names the target. With
 * opts->fd, path is only a name for error messages, and temporary files are in the folder TMPDIR.
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
 * merges. Without a function, warnings are only counted. If the function fails, the call that
 * reported the warning fails with the function's status.
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
 * tdat_writer_on_events sets a function that the writer calls from time to time while it receives
 * events. done is the number of events, and total is 0. Threads that pass events of single CPUs
 * (tdat_emit_cpu_emit) call the function as well.
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
 * the writer. It copies every part, option and unknown section, the header's long size, and the
 * pages of CPU data, without decoding or changing them. The writer must be unused, and accepts no
 * other data. Call tdat_writer_finish next, and keep the file open until tdat_writer_finish
 * returns. Metadata that the version cannot store is omitted with a warning (tdat_writer_on_warn);
 * CPU data that it cannot store is TDAT_E_UNSUPPORTED. If the file and the writer use the same
 * compression, and no level is set, compressed chunks are copied unchanged.
 */
TDAT_API enum tdat_status tdat_writer_copy(struct tdat_writer *writer, const struct tdat_file *file,
					   struct tdat_error *err);

/*
 * tdat_writer_copy_endian is like tdat_writer_copy, but changes the byte order. It converts the
 * header, parts and options, and every field of every event as the event's format describes it. If
 * the fields of an event, option or section are unknown, the status is TDAT_E_UNSUPPORTED, and the
 * error names this event, option or section. Events keep their timestamps, CPUs and counts of
 * dropped events; pages are rebuilt. If the file already has the byte order, the function does the
 * same as tdat_writer_copy.
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
