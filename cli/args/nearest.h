/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The known name that is nearest to a mistyped one. */
#ifndef CLI_NEAREST_H
#define CLI_NEAREST_H

#include <stddef.h>

/* Room for a hint. */
enum { CLI_HINT = 128 };

/*
 * cli_near finds the name that takes fewest edits (insert, delete, replace, swap of neighbors) to
 * become word, at most two, or the first that word begins. NULL: none is near.
 */
const char *cli_near(const char *word, const char *const *names, size_t count);

/*
 * cli_hint writes "; did you mean 'NAME'?" of that name into buf and returns it; "" where none is
 * near.
 */
const char *cli_hint(char buf[CLI_HINT], const char *word, const char *const *names, size_t count);

#endif
