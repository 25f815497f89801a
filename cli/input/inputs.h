/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The inputs of a capture as the user named them: files, "-", directories. A
 * directory stands for the regular files in it, by name, and for those deeper
 * that an importer wants; names starting with a dot are left out.
 */
#ifndef CLI_INPUTS_H
#define CLI_INPUTS_H

#include <tdat/emit.h>

struct cli_inputs {
	struct tdat_import_input *v;
	size_t count;
	size_t room;
	char *host; /* uname of this machine, where an input is of it */
};

/* Whose captures may be trees. */
struct cli_inputs_wants {
	const struct tdat_importer *importer; /* NULL: any of them */
	const struct tdat_import_option *options;
	size_t option_count;
};

/*
 * cli_inputs_open opens everything the words stand for. Returns CLI_OK, or
 * complains and returns an exit status; cli_inputs_fini either way.
 */
int cli_inputs_open(struct cli_inputs *in, char *const *words, size_t count,
		    const struct cli_inputs_wants *wants);
void cli_inputs_fini(struct cli_inputs *in);

/* One more input; the source is the inputs' from here on, also on failure. */
int cli_inputs_add(struct cli_inputs *in, const char *path, const char *name,
		   struct tdat_source *source);
int cli_inputs_add_file(struct cli_inputs *in, const char *path, const char *name);

/* cli_inputs_path finds the path of the input called name; name itself if none. */
const char *cli_inputs_path(const struct cli_inputs *in, const char *name);

/* cli_inputs_is_trace_dat: does this source begin as a trace.dat does? */
bool cli_inputs_is_trace_dat(const struct tdat_source *source);

#endif
