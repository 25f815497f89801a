/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A growing list of opened inputs, each with its path and the name importers know it by. */
#ifndef CLI_INPUT_LIST_H
#define CLI_INPUT_LIST_H

#include <tdat/emit.h>

struct cli_inputs {
	struct tdat_import_input *v;
	size_t count;
	size_t room;
	char *host;	    /* uname of this machine, if an input is from it; else NULL */
	size_t left_out;    /* entries of directories that were reported and not opened */
	bool quiet;	    /* they are counted only */
	uint64_t spool_len; /* the limit spool_len of the library */
	const char *tmpdir; /* where packed inputs are unpacked; NULL: TMPDIR */
};

/* cli_inputs_add adds an input; the source belongs to the list from here on, also on failure. */
int cli_inputs_add(struct cli_inputs *in, const char *path, const char *name,
		   struct tdat_source *source);

/*
 * cli_inputs_add_below opens name below the directory root and adds it; path is what it is called
 * in complaints. What leaves root or is no file is reported, counted and left out. With copy it is
 * copied, max_len bytes of it at most (0: all). A compressed file is unpacked. CLI_OK, or an exit
 * status.
 */
int cli_inputs_add_below(struct cli_inputs *in, int root, const char *path, const char *name,
			 bool copy, uint64_t max_len);

/* cli_inputs_leave_out counts an entry that is not opened, and says why. */
void cli_inputs_leave_out(struct cli_inputs *in, const char *path, const char *why);

/* cli_inputs_fini closes all inputs and frees the list. */
void cli_inputs_fini(struct cli_inputs *in);

/* cli_inputs_len adds up the bytes of all inputs. */
uint64_t cli_inputs_len(const struct cli_inputs *in);

/* cli_inputs_path finds the path of the input called name; name itself if none. */
const char *cli_inputs_path(const struct cli_inputs *in, const char *name);

#endif
