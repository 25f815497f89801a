/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options that stand in one argument, as a shell would split it. */
#ifndef CLI_WORDS_H
#define CLI_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* The words; text[0] to text[count - 1], and NULL. free() frees list, and all words with it. */
struct cli_words_split {
	char **list;
	size_t count;
};

/*
 * cli_words_split splits text at blanks. Quotes and backslashes protect them: all between '...',
 * all but \" and \\ between "...", and what a backslash stands before. False: a quote is not
 * closed, or memory ran out (list is NULL and count 1 then).
 */
bool cli_words_split(struct cli_words_split *out, const char *text);

#endif
