/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The terminal that standard output is: how wide, and which characters it has. */
#ifndef CLI_SCREEN_H
#define CLI_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

/* Columns of the terminal: COLUMNS, else what it says of itself. 0: a file or a pipe. */
size_t cli_screen_width(void);

/*
 * Prints words to stdout, and ends the line. Lines end before `width` (0: anywhere), and further
 * ones begin with `hang` blanks; column is where the cursor is.
 */
void cli_fold(const char *text, size_t column, size_t hang, size_t width);

/* The same, with the width of the terminal. */
void cli_screen_fold(const char *text, size_t column, size_t hang);

/* True if the locale of the environment is UTF-8. */
bool cli_screen_is_utf8(void);

#endif
