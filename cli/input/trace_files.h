/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The trace.dat files that a command reads, and captures that become one: all are opened first,
 * then the sandbox is entered, then they are parsed, one by one. A damaged one is read as far as it
 * goes.
 */
#ifndef CLI_TRACE_FILES_H
#define CLI_TRACE_FILES_H

#include <tdat/iter.h>

#include "args/import_opts.h"

struct cli_file {
	const char *path;
	struct tdat_source *source;	      /* NULL: could not be opened, or parsed already */
	struct tdat_error err;		      /* why source is NULL */
	char *member;			      /* path, if it is one of an archive; else NULL */
	const struct tdat_importer *importer; /* of a capture; NULL: it is a trace.dat */
	uint64_t capture_len;		      /* bytes of a capture's files, unpacked */
	bool doubted;			      /* it was read in part, which was reported */
};

struct cli_files {
	struct cli_file *v;
	size_t count, room;
	uint64_t spool_len;    /* the limit spool_len of the library; set before the first file is
				  opened */
	const char *tmpdir;    /* where packed files are unpacked; NULL: TMPDIR */
	const char *output;    /* stays writable when files are open; NULL: nothing does */
	bool strict;	       /* damage of metadata is a failure */
	bool as_is;	       /* what is no trace.dat is not imported */
	struct cli_list parts; /* further files of captures that were named before them */
	const struct tdat_importer *importer; /* of captures; NULL: the one whose format they have
					       */
};

/*
 * cli_files_join puts words that name a further file of a capture (NAME.blktrace.1 behind
 * NAME.blktrace.0) behind the others, and returns the number of these; cli_files_add reads the
 * others with the first one. Words are the first members of structs of item_size bytes.
 */
size_t cli_files_join(struct cli_files *files, void *words, size_t count, size_t item_size);

/*
 * cli_files_add opens one more file; cli_files_parse returns the failure if that fails. It is not
 * mapped for commands that write a file, which SIGBUS would leave half made, and for those that run
 * until they are told to end. CLI_OK, or an exit status after a complaint that memory ran out.
 */
int cli_files_add(struct cli_files *files, const char *path, bool may_map);

/*
 * cli_files_add_capture opens one more file: what the capture becomes that all words together are,
 * with the importer of files and the options given.
 */
int cli_files_add_capture(struct cli_files *files, const struct cli_import_opts *given,
			  char *const *words, size_t count);

/* cli_files_open opens all paths, or trace.dat when count is 0, and enters the sandbox. */
int cli_files_open(struct cli_files *files, char *const *paths, int count, bool may_map);

/*
 * cli_files_open_sorting does the same for a command that stores in tmpdir what it sorts, and with
 * typing then reads lines from a terminal.
 */
int cli_files_open_sorting(struct cli_files *files, char *const *paths, int count,
			   const char *tmpdir, bool typing);

/*
 * cli_files_peek opens file i beforehand, as cli_files_parse will do again. The caller closes *out,
 * which is NULL on failure.
 */
enum tdat_status cli_files_peek(struct cli_files *files, size_t i, const struct tdat_limits *limits,
				struct tdat_file **out, struct tdat_error *err);

/* cli_files_parse gives file i, once; the caller closes *out, which is NULL on failure. */
enum tdat_status cli_files_parse(struct cli_files *files, size_t i,
				 const struct tdat_limits *limits, struct tdat_file **out,
				 struct tdat_error *err);

/*
 * cli_files_parse_all parses all files as *count inputs of an iterator, and reports what is broken
 * in them, which makes *status CLI_FAILED. CLI_OK, or an exit status after a complaint; the caller
 * calls cli_files_free_inputs either way.
 */
int cli_files_parse_all(struct cli_files *files, const struct tdat_limits *limits,
			struct tdat_iter_input **inputs, size_t *count, int *status);

void cli_files_free_inputs(struct tdat_iter_input *inputs, size_t count);

void cli_files_close(struct cli_files *files);

#endif
