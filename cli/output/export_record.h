/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The record of an input that was exported to a data set: OUTPUT/_tdat/FILE, by which a later run
 * sees that the file is there already. It appears when all parts are whole. Readers of data sets
 * leave out names that begin with '_'.
 */
#ifndef CLI_EXPORT_RECORD_H
#define CLI_EXPORT_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "core/build.h"

/* What makes two exports the same. */
struct cli_export_facts {
	uint64_t len;	    /* bytes of the input */
	int64_t mtime_ns;   /* its time of last change */
	uint64_t trace_id;  /* 0: none */
	const char *recipe; /* options that decide what is written, on one line */
	bool given;	    /* its parts were given to a command, and are not in the folder */
};

enum cli_export_state {
	CLI_EXPORT_NEW,	    /* there is no record, or the export did not end */
	CLI_EXPORT_DONE,    /* of the same input and recipe */
	CLI_EXPORT_DAMAGED, /* the same; the input was damaged */
	CLI_EXPORT_OTHER    /* of another input of that name, or another recipe */
};

/*
 * cli_export_record_path makes the path of the record of an input; the caller frees it. NULL: no
 * memory.
 */
char *cli_export_record_path(const char *output, const char *file);

/*
 * cli_export_record_look compares the record at path with facts. parts and joined, unless NULL, get
 * the names of the parts that it lists, each with a NUL; joined those that have rows of other
 * inputs, too (export --compact).
 */
enum cli_export_state cli_export_record_look(const char *path, const struct cli_export_facts *facts,
					     struct tdat_build *parts, struct tdat_build *joined);
/* cli_export_record_write writes the record; parts are as above. */
enum tdat_status cli_export_record_write(const char *path, const struct cli_export_facts *facts,
					 bool damaged, const struct tdat_build *parts,
					 struct tdat_error *err);

/* cli_export_record_edit writes a record anew, with what edit appends for each of its lines. */
typedef void (*cli_export_line_fn)(void *ctx, struct tdat_build *out, const char *line);
enum tdat_status cli_export_record_edit(const char *path, cli_export_line_fn edit, void *ctx,
					struct tdat_error *err);
/* Says in a record that its input is exported once more: until that ends, it is as if new. */
enum tdat_status cli_export_record_reopen(const char *path, struct tdat_error *err);

#endif
