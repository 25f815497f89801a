/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gives finished files to a command of the user, such as one that puts them into an object store.
 */
#ifndef CLI_PART_PIPE_H
#define CLI_PART_PIPE_H

#include <stdint.h>

#include <tdat/error.h>

struct cli_part_pipe;

/*
 * cli_part_pipe_start makes processes that run the command, as the sandbox forbids that: call it
 * before the sandbox, threads and locks. count: how many commands run at once.
 */
enum tdat_status cli_part_pipe_start(struct cli_part_pipe **out, const char *command,
				     uint32_t count, struct tdat_error *err);
/*
 * cli_part_pipe_give runs the command with the file at path as its standard input, and name as
 * TDAT_PART in its environment. TDAT_OK: it ended with 0. Threads may call it at once.
 */
enum tdat_status cli_part_pipe_give(struct cli_part_pipe *p, const char *path, const char *name,
				    struct tdat_error *err);
void cli_part_pipe_stop(struct cli_part_pipe *p);

#endif
