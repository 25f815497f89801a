/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the two halves of convert share: foreign captures, and trace.dat files. */
#ifndef CLI_CONVERT_H
#define CLI_CONVERT_H

#include <tdat/writer.h>

#include "args/import_opts.h"
#include "input/inputs.h"

struct convert_args {
	struct cli_import_opts import; /* first: see import_opts.h */
	const char *from;
	int to;
	const char *output;
	uint64_t file_version;
	int compression; /* index of cli_compressions; -1 not given */
	uint64_t level;
	uint64_t threads;
	const char *tmpdir;
	bool force;
	bool strict;
	bool quiet;
	struct tdat_limits limits; /* of a trace.dat that is copied */
};

extern const char *const cli_compressions[];

/* Options that every command with an output has: field is that of convert_args. */
#define CLI_OUT_LEVEL(type, field)                                                         \
	CLI_U64(0, "level", "N", 1, 22, type, field,                                       \
		"level of compression: zlib 1 to 9 (default: 9), zstd 1 to 22 (default: 3)")
#define CLI_OUT_THREADS(type, field)                                                       \
	CLI_U64(0, "threads", "N", 1, 1024, type, field,                                   \
		"threads that compress (default: one per CPU)")
#define CLI_OUT_TMPDIR(type, field)                                                        \
	CLI_STRING(0, "tmpdir", "DIR", type, field,                                        \
		   "where temporary files go (default: beside the output)")

/* The writer's options as args tell them; compression NULL when not given. */
void cli_convert_opts(const struct convert_args *args, struct tdat_writer_opts *opts);

/* The same, and what is not asked for is as the input has it. */
void cli_convert_opts_like(const struct convert_args *args, const struct tdat_file_info *info,
			   struct tdat_writer_opts *opts);

/* Complains that there is no writer, with the option that would have helped. */
int cli_convert_no_writer(const struct convert_args *args, const struct tdat_error *err);

/* Converts the one trace.dat among in to another version or compression. */
int cli_convert_copy(const struct convert_args *args, struct cli_inputs *in);

#endif
