/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every command shares: exit codes, complaints on stderr, colours, the
 * nearest name to a mistyped one.
 */
#ifndef CLI_COMMON_H
#define CLI_COMMON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <tdat/error.h>

enum cli_exit {
	CLI_OK = 0,
	CLI_FAILED = 1, /* something failed, was damaged or came with warnings */
	CLI_USAGE = 2   /* the command line makes no sense */
};

/*
 * cli_put_text writes bytes that may come from a file or a file name:
 * printable ASCII and well-formed UTF-8 as they are, control bytes (also the
 * C1 range) and broken UTF-8 as \xNN, so that no terminal acts on them.
 */
void cli_put_text(FILE *to, const char *text, size_t len);

/* cli_put_lines is cli_put_text, but line ends and tabs stay. */
void cli_put_lines(FILE *to, const char *text, size_t len);

/*
 * cli_put_stored prints text of a file to stdout as it is stored; on a terminal as
 * cli_put_lines does unless raw is asked for. False: it could not be written.
 */
bool cli_put_stored(const char *text, size_t len, bool raw);

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

/* cli_nomem complains that memory ran out and returns CLI_FAILED. */
int cli_nomem(void);

/*
 * cli_nearest picks the name that takes fewest edits (insert, delete, replace,
 * swap of neighbours) to become word; the first of equals. NULL without names.
 */
const char *cli_nearest(const char *word, const char *const *names, size_t count);

/* cli_stdio_guard opens /dev/null in place of a closed descriptor 0, 1 or 2. */
void cli_stdio_guard(void);

/*
 * cli_stdout_close flushes and closes stdout. Output that could not be written
 * (full disk, closed descriptor) makes a complaint and CLI_FAILED; else it
 * returns status.
 */
int cli_stdout_close(int status);

/* cli_raise_file_limit lets many files be open at once: soft limits are often 1024. */
void cli_raise_file_limit(void);

/* cli_color: is colour wanted on this stream (terminal, TERM, NO_COLOR)? */
bool cli_color(FILE *to);

#endif
