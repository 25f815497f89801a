/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Options of importers and exporters, which have a key and a value. (Options of a trace.dat,
 * which have a number, are in tdat/file_option.h.)
 *
 * Owners: tables of descriptions are static. Keys and values that a caller gives are borrowed as
 * long as the function that takes them says.
 *
 * Threads: both are plain data, read only.
 */
#ifndef TDAT_KEYED_OPTION_H
#define TDAT_KEYED_OPTION_H

#include <tdat/base.h>

/* An option as a caller gives it. */
struct tdat_keyed_option {
	const char *key;   /* "subbuf-size" */
	const char *value; /* "8192"; "" for a flag */
};

/* An option that an importer or exporter has, for help and for checks of what a caller gives. */
struct tdat_keyed_option_desc {
	const char *key;  /* "subbuf-size"; tdat writes a key of one letter as "-R" */
	const char *arg;  /* "BYTES", what the value is, or NULL for a flag */
	const char *help; /* one line */
};

#endif
