/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file of one exported table: it is written beside its name, and gets that name when it is
 * whole, so that nobody ever sees half of it.
 */
#ifndef CLI_TABLE_FILE_H
#define CLI_TABLE_FILE_H

#include <stdbool.h>

#include <tdat/export.h>

#include "output/part_pipe.h"
#include "safety/unfinished.h"

struct cli_table_file {
	int fd;			     /* -1: not open */
	const char *path;	     /* borrowed; "-": standard output */
	char *real;		     /* the name behind links that it gets */
	struct cli_unfinished *made; /* NULL: it is a stream, or not open */
	int mode;		     /* permissions of the file that it replaces; -1: of none */
	bool force;		     /* replace an existing file */
	struct cli_part_pipe *pipe;  /* gets the whole file as piped_name; NULL: nobody does */
	const char *piped_name;
	bool keep; /* the file gets its name even so */
};

/*
 * Whether what is written to path goes through a pipe, a device or the like, which is not made,
 * replaced or read again.
 */
bool cli_table_file_is_stream(const char *path);
/*
 * cli_table_file_open makes the file, or opens a stream; path must outlive it. force replaces an
 * existing file, of a link the one that it leads to.
 */
enum tdat_status cli_table_file_open(struct cli_table_file *f, const char *path, bool force,
				     struct tdat_error *err);
/*
 * cli_table_file_reserve does the same for an exporter that writes the file f->made itself, which
 * is empty.
 */
enum tdat_status cli_table_file_reserve(struct cli_table_file *f, const char *path, bool force,
					struct tdat_error *err);
/* cli_table_file_resume makes the file, and replaces an existing one or a link. */
enum tdat_status cli_table_file_resume(struct cli_table_file *f, const char *path,
				       struct tdat_error *err);
/* A tdat_write_fn; ctx is the struct cli_table_file. */
enum tdat_status cli_table_file_write(void *ctx, const void *data, size_t len,
				      struct tdat_error *err);
/* A tdat_read_back_fn, of files that have a temporary name. */
enum tdat_status cli_table_file_read(void *ctx, uint64_t off, void *data, size_t len,
				     struct tdat_error *err);
/* cli_table_file_close gives it its name. After a failure, and with give_up, no file is left. */
enum tdat_status cli_table_file_close(struct cli_table_file *f, bool give_up,
				      struct tdat_error *err);

/*
 * cli_table_file_text returns all of a file with a NUL, which free() frees; NULL: there is none, or
 * it cannot be read.
 */
char *cli_table_file_text(const char *path, size_t *len);

/*
 * cli_table_file_name makes the name of a table's file in a folder: FOLDER/sched.sched_switch.csv.
 * What is not fit for a name of a file, in names that come from a trace, becomes '_'. The caller
 * frees it; NULL: no memory.
 */
char *cli_table_file_name(const char *folder, const char *table, const char *suffix);

#endif
