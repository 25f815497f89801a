/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Work that a process of its own does, with another sandbox than the command's. */
#ifndef CLI_APART_H
#define CLI_APART_H

#include <stdio.h>

#include <tdat/error.h>

/*
 * cli_apart runs work in a child, which ends with this process, and take here, which reads what
 * work writes to its stream. It waits for the child's end and returns what take returned. what
 * begins the sentence of a failure: "cannot be unpacked". To be called before threads and the
 * sandbox.
 */
enum tdat_status cli_apart(void (*work)(void *ctx, FILE *to),
			   enum tdat_status (*take)(void *ctx, FILE *from, struct tdat_error *err),
			   void *ctx, const char *what, struct tdat_error *err);

#endif
