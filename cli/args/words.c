/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splits a text into words as a shell does, without any expansion. The words lie behind the list of
 * pointers in one piece of memory, as no word is longer than the text. Used by tdat diff for --a
 * and
 * --b.
 */
#include "args/words.h"

#include <stdlib.h>
#include <string.h>

#define BLANKS " \t\n"

/* Copies one word to *to and moves both pointers behind it. False: a quote is not closed. */
static bool take_word(const char **from, char **to)
{
	char quote = 0;

	for (; **from && (quote || !strchr(BLANKS, **from)); ++*from) {
		const char c = **from, next = (*from)[1];

		if (c == quote) {
			quote = 0;
		} else if (!quote && (c == '\'' || c == '"')) {
			quote = c;
		} else if (c == '\\' && next &&
			   (!quote || (quote == '"' && (next == '"' || next == '\\')))) {
			*(*to)++ = next;
			++*from;
		} else {
			*(*to)++ = c;
		}
	}
	*(*to)++ = '\0';
	return !quote;
}

bool cli_words_split(struct cli_words_split *out, const char *text)
{
	const size_t len = strlen(text), most = len / 2 + 2;
	char *to;

	*out = (struct cli_words_split){malloc(most * sizeof(char *) + len + most + 1), 1};
	if (!out->list)
		return false;
	to = (char *)&out->list[most];
	out->count = 0;
	while (*(text += strspn(text, BLANKS))) {
		out->list[out->count++] = to;
		if (!take_word(&text, &to)) {
			free(out->list);
			*out = (struct cli_words_split){NULL, 0};
			return false;
		}
	}
	out->list[out->count] = NULL;
	return true;
}
