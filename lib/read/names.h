/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names of tasks: a pid has one in a file, whatever is read of it. It is that of saved_cmdlines;
 * where there is none, the last one that an event of the kernel's scheduler says. Reading all of
 * these takes a pass over the file, which is made when a pid without a saved name is first met.
 */
#ifndef TDAT_READ_NAMES_H
#define TDAT_READ_NAMES_H

#include <tdat/iter.h>

#include "file/file.h"

/* A name that an event says. */
struct read_told {
	uint64_t ts;
	int32_t pid;
	struct tdat_span comm; /* not empty */
	const struct tdat_event_format *format;
};

/* False: no memory. */
typedef bool (*read_told_fn)(void *ctx, const struct read_told *told);

/* Calls fn for all names that events of the input say, in their order. */
enum tdat_status read_names_told(const struct tdat_iter_input *in,
				 const struct tdat_iter_opts *opts, read_told_fn fn, void *ctx,
				 struct tdat_error *err);

/* The names of all pids that have one; it makes the pass. NULL only without memory. */
const struct model_tasks *read_names(const struct tdat_file *file);

/* The name of a pid: "<idle>" of 0, "<...>" without one. It lives as long as the file. */
struct tdat_span read_name(const struct tdat_file *file, int32_t pid);

/* Why the pass, if it was made, did not read all of the file. */
enum tdat_status read_names_status(const struct tdat_file *file, struct tdat_error *err);

#endif
