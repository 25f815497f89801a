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
};

enum cli_export_state {
	CLI_EXPORT_NEW,	    /* there is no record */
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
 * cli_export_record_look compares the record at path with facts. parts, unless NULL, gets the names
 * of the parts that it lists, each with a NUL.
 */
enum cli_export_state cli_export_record_look(const char *path, const struct cli_export_facts *facts,
					     struct tdat_build *parts);
/* cli_export_record_write writes the record; parts are as above. */
enum tdat_status cli_export_record_write(const char *path, const struct cli_export_facts *facts,
					 bool damaged, const struct tdat_build *parts,
					 struct tdat_error *err);

#endif
