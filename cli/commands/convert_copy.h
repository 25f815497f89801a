/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The arguments of convert, and its way for an input that is a trace.dat. */
#ifndef CLI_CONVERT_COPY_H
#define CLI_CONVERT_COPY_H

#include "args/import_opts.h"
#include "input/input_list.h"
#include "output/output_file.h"

struct convert_args {
	struct cli_import_opts import; /* must be the first member, see import_opts.h */
	struct cli_output_file out;
	struct cli_list inputs; /* those of -i */
	const char *from;
	const char *to;		   /* NULL: trace.dat */
	struct tdat_limits limits; /* of a trace.dat that is copied */
};

/* convert_copy writes the one trace.dat among in with another version or compression. */
int convert_copy(const struct convert_args *args, struct cli_inputs *in);

#endif
