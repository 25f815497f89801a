/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files and folders that are written beside their name and get it when they are whole. Nobody
 * ever sees half of one, and none is left: signals that end the program remove them, and what a
 * process left that was killed is removed when the same name is written again.
 */
#ifndef CLI_UNFINISHED_H
#define CLI_UNFINISHED_H

#include <stdbool.h>

#include <tdat/error.h>

struct cli_unfinished;

/*
 * cli_unfinished_file makes the file ".NAME.tdat-part" beside path, or one with a number where
 * another process writes the same. cli_unfinished_folder makes a folder.
 */
enum tdat_status cli_unfinished_file(struct cli_unfinished **out, const char *path,
				     struct tdat_error *err);
enum tdat_status cli_unfinished_folder(struct cli_unfinished **out, const char *path,
				       struct tdat_error *err);

const char *cli_unfinished_name(const struct cli_unfinished *u);
/* Returns the descriptor of the file or folder, which closes with it. */
int cli_unfinished_fd(const struct cli_unfinished *u);

enum cli_finish {
	CLI_FINISH_NEW,	    /* what has the name stays, which is a failure */
	CLI_FINISH_REPLACE, /* a file, or an empty folder, is replaced */
	CLI_FINISH_EXCHANGE /* a folder is replaced and removed */
};
/* cli_unfinished_finish gives it its name; returns 0, or -1 with errno. */
int cli_unfinished_finish(struct cli_unfinished *u, const char *to, enum cli_finish how);
/*
 * Removes what has not got its name, and what was exchanged; NULL: nothing. Returns what close()
 * of the file did.
 */
int cli_unfinished_free(struct cli_unfinished *u);

/*
 * cli_unfinished_end removes all of them, for a signal handler that ends the program then: other
 * threads can neither make nor name one any more.
 */
void cli_unfinished_end(void);

#endif
