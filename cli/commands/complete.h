/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers the completions of the shells: completions/. */
#ifndef CLI_COMPLETE_H
#define CLI_COMPLETE_H

#include "args/command.h"

/*
 * complete_run prints what the last of the words may become, a line each: options, their values,
 * or names out of the file that the words name; nothing where a file is wanted. commands is ended
 * by NULL. Returns the exit status.
 */
int complete_run(const struct cli_cmd *const *commands, int argc, char **argv);

#endif
