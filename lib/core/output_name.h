/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds out what the name of an output leads to before anything is written. */
#ifndef TDAT_CORE_OUTPUT_NAME_H
#define TDAT_CORE_OUTPUT_NAME_H

#include <tdat/error.h>

enum tdat_output_kind {
	TDAT_OUTPUT_NEW,    /* nothing is there */
	TDAT_OUTPUT_FILE,   /* a file, which may be replaced, or a link to nothing */
	TDAT_OUTPUT_STREAM, /* a pipe, a device or "-", standard output: they are written to */
	TDAT_OUTPUT_FOLDER
};

struct tdat_output_name {
	enum tdat_output_kind kind;
	char *path; /* of the file to make or replace, behind links; the caller frees it */
	int mode;   /* permissions of the file that is replaced; -1: there is none */
};

/* TDAT_E_SYSTEM for a name that cannot be looked at. After a failure path is NULL. */
enum tdat_status tdat_output_name_find(struct tdat_output_name *out, const char *path,
				       struct tdat_error *err);

#endif
