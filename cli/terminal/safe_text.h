/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text of files and file names, written so that no byte of it drives a terminal. */
#ifndef CLI_SAFE_TEXT_H
#define CLI_SAFE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/build.h"

/*
 * cli_put_text writes bytes that may come from a file or a file name:
 * printable ASCII and well-formed UTF-8 as they are; control bytes (also the
 * C1 range), characters that nobody sees, such as those that turn the direction of
 * text (tdat_utf8_is_hidden), and broken UTF-8 as \xNN, so that no terminal acts on them.
 */
void cli_put_text(FILE *to, const char *text, size_t len);

/* The same of a string. */
void cli_put_str(FILE *to, const char *text);

/* The same into memory, with a backslash before the characters of `also`. */
void cli_build_text(struct tdat_build *out, const void *text, size_t len, const char *also);

/* cli_put_lines is cli_put_text, except that line ends and tabs stay as they are. */
void cli_put_lines(FILE *to, const char *text, size_t len);

/*
 * cli_put_stored prints text of a file to stdout as it is stored; on a terminal it
 * does what cli_put_lines does, unless raw is asked for. False: it could not be
 * written.
 */
bool cli_put_stored(const char *text, size_t len, bool raw);

#endif
