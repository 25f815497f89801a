/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Options of importers and exporters: keys with values. (tdat/file_option.h has the options of a
 * trace.dat, which have numbers.)
 *
 * Owners: tables of descriptions are static. The function that takes a caller's keys and values
 * documents how long it borrows them.
 *
 * Threads: both structs are plain data, only read.
 */
#ifndef TDAT_KEYED_OPTION_H
#define TDAT_KEYED_OPTION_H

#include <tdat/base.h>

/* An option that a caller passes. */
struct tdat_keyed_option {
	const char *key;   /* "subbuf-size" */
	const char *value; /* "8192"; "" for a flag */
};

/* An option that an importer or exporter supports, for help texts and checks. */
struct tdat_keyed_option_desc {
	const char *key;  /* "subbuf-size"; tdat prints a key of one letter as "-R" */
	const char *arg;  /* "BYTES", the kind of value, or NULL for a flag */
	const char *help; /* one line */
};

#endif
