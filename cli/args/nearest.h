/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The known name that is nearest to a mistyped one. */
#ifndef CLI_NEAREST_H
#define CLI_NEAREST_H

#include <stddef.h>

/*
 * cli_nearest picks the name that takes fewest edits (insert, delete, replace,
 * swap of neighbours) to become word; the first of equals. NULL without names.
 */
const char *cli_nearest(const char *word, const char *const *names, size_t count);

#endif
