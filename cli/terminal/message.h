/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Exit statuses, and the complaints on standard error that go with them. */
#ifndef CLI_MESSAGE_H
#define CLI_MESSAGE_H

#include <stdint.h>

#include <tdat/error.h>

enum cli_exit {
	CLI_OK = 0,
	CLI_FAILED = 1, /* something failed, was damaged or came with warnings */
	CLI_USAGE = 2,	/* the command line makes no sense */
	CLI_CHANGED = 3 /* diff found a change that --fail-on names */
};

/*
 * cli_error prints "tdat: FILE: sentence" on stderr, one line, made safe with
 * cli_put_text. file may be NULL.
 */
void cli_error(const char *file, const char *fmt, ...) TDAT_PRINTF(2, 3);

/*
 * cli_fail prints the library's sentence as cli_error does (without FILE when
 * the sentence names it already) and returns CLI_FAILED, or CLI_USAGE for
 * TDAT_E_USAGE.
 */
int cli_fail(const char *file, const struct tdat_error *err);

/* cli_left_out says on stderr what a table had to leave out, as cli_error does. */
void cli_left_out(const char *table, uint64_t count, const char *what);

/* cli_nomem complains that memory ran out and returns CLI_FAILED. */
int cli_nomem(void);

#endif
