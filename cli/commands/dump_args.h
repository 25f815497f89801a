/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declares what the command line of tdat dump says. */
#ifndef CLI_DUMP_ARGS_H
#define CLI_DUMP_ARGS_H

#include <tdat/tdat.h>

#include "args/filter_opts.h"
#include "args/limits.h"
#include "input/import_temp.h"

struct dump_input {
	const char *path;
	int64_t ts_offset;
	uint64_t ts2secs;
};

struct dump_args {
	struct cli_import_opts import; /* first: see import_opts.h */
	struct dump_input *inputs;
	size_t input_count, input_room;
	bool by_option;	  /* inputs were named by -i */
	uint64_t ts2secs; /* given before any -i */
	bool no_plugins, raw_fields, latency_format, nanoseconds, ts_diff, wall, ts_check;
	struct tdat_iter_opts iter;
	struct cli_cpus cpus;
	bool align_ts;
	const char *format; /* of a foreign capture; NULL: trace.dat */
	int compat;
	uint64_t hz; /* 0: not given */
	struct cli_list plugin_dirs, plugin_options;
	struct cli_list raw_events, no_plugin_events; /* regular expressions */
	uint64_t threads;
	uint64_t limit; /* the first events; 0: all */
	uint64_t tail;	/* the last events; 0: all */
	bool json, csv, text;
	bool json_hex, json_strings;
	bool reverse;
	bool raw_bytes;
	struct cli_filter filter;
	struct tdat_limits limits;
};

extern const struct cli_opt dump_opts[];

/* Values of --compat, in the order of enum tdat_compat. */
extern const char *const dump_compat_names[];

/* Adds an input that the command line names; path stays the caller's. An exit status. */
int dump_add_input(struct dump_args *a, const char *path);

/* Options and plain arguments that belong to the inputs before them, also those of tdat report. */
int dump_opt_input(void *values, const struct cli_opt *opt, const char *value);
int dump_arg_input(void *values, const struct cli_opt *opt, const char *value);
int dump_opt_ts_offset(void *values, const struct cli_opt *opt, const char *value);
int dump_opt_ts2secs(void *values, const struct cli_opt *opt, const char *value);

/*
 * Refuses options that exclude each other, and sets what follows from several of them. The filter
 * is made by cli_filter_make afterwards.
 */
int dump_args_check(struct dump_args *a);

/* dump_events prints what the arguments say; importer NULL: of trace.dat files. An exit status. */
int dump_events(struct dump_args *a, const struct tdat_importer *importer);

void dump_args_fini(struct dump_args *a);

#endif
