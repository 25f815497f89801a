/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of the commands that write a trace.dat, turned into the writer's. */
#ifndef CLI_OUTPUT_FILE_H
#define CLI_OUTPUT_FILE_H

#include <tdat/file.h>
#include <tdat/writer.h>

#include "args/opt.h"
#include "terminal/progress.h"

struct cli_output_file {
	const char *path;
	const char *tmpdir;    /* NULL: beside path */
	uint64_t file_version; /* 0: not given */
	int64_t level;	       /* 0: not given */
	uint64_t threads;
	int compression; /* index of cli_compressions; -1: not given */
	bool force;
	bool strict; /* stop at the first warning and write nothing */
	bool quiet;
};

/* Names for --compression, ended by NULL. */
extern const char *const cli_compressions[];

/* Options of every command that writes; member is that of a struct cli_output_file in type. */
#define CLI_OUT_LEVEL(type, member)                                                                \
	CLI_I64(0, "level", "N", -7, 22, type, member,                                             \
		"compression level: zlib 1 to 9 (default: 9), zstd 1 to 22 (default: 3), or -1 "   \
		"to -7, which are faster; 0: the default")
#define CLI_OUT_THREADS(type, member)                                                              \
	CLI_U64(0, "threads", "N", 1, 1024, type, member,                                          \
		"use N threads for compression (default: one per CPU)")
#define CLI_OUT_TMPDIR(type, member)                                                               \
	CLI_STRING(0, "tmpdir", "DIR", type, member,                                               \
		   "folder for temporary files (default: the output's)")

/* cli_output_opts sets the writer's options; compression becomes NULL when not given. */
void cli_output_opts(const struct cli_output_file *out, struct tdat_writer_opts *opts);

/* cli_output_opts_like does the same; version and compression not given are the input's. */
void cli_output_opts_like(const struct cli_output_file *out, const struct tdat_file_info *info,
			  struct tdat_writer_opts *opts);

/* cli_output_taken complains of a file that is there already and is not to be replaced. */
int cli_output_taken(const char *path, bool force);
/*
 * cli_output_refused complains that the writer could not be made, with the option that
 * would have helped where there is one, and returns an exit status.
 */
int cli_output_refused(const struct cli_output_file *out, const struct tdat_error *err);

/* A trace.dat that is being written, for commands that make one of others. */
struct cli_writing {
	struct tdat_writer *writer;
	struct cli_progress progress;
	const char *path; /* that warnings are about; NULL: the input that they name */
	bool strict;	  /* the first warning ends the work */
};

/* Makes the writer, which reports warnings and progress; CLI_OK or an exit status. */
int cli_writing_open(struct cli_writing *w, const struct cli_output_file *out,
		     const struct tdat_writer_opts *opts);

/* Finishes the file, with a progress of that name, unless st is a failure before. */
enum tdat_status cli_writing_finish(struct cli_writing *w, const char *what, enum tdat_status st,
				    struct tdat_error *err);

#endif
