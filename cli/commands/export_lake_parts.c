/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds and removes parts of a data set that a record names. */
#include "commands/export_lake_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "terminal/message.h"

/* Names are separated by NUL bytes. The search is linear, as an input has few parts. */
static bool is_in(const struct tdat_build *names, const char *name)
{
	for (size_t at = 0; at < names->len; at += strlen((char *)names->ptr + at) + 1)
		if (!strcmp((char *)names->ptr + at, name))
			return true;
	return false;
}

/* The path of a part; free() frees it. NULL: no memory, or the name leads out of the data set. */
static char *path_of(const char *output, const char *name)
{
	char *path;

	/* Others may have changed the record: nothing outside of the data set is touched. */
	if (*name == '/' || strstr(name, "..") || asprintf(&path, "%s/%s", output, name) < 0)
		return NULL;
	return path;
}

const char *lake_parts_find(const char *output, const struct tdat_build *names)
{
	for (size_t at = 0; at < names->len; at += strlen((char *)names->ptr + at) + 1) {
		const char *name = (char *)names->ptr + at;
		char *path = path_of(output, name);
		const bool is_there = path && !access(path, F_OK);

		free(path);
		if (is_there)
			return name;
	}
	return NULL;
}

void lake_parts_remove(const char *output, const struct tdat_build *had,
		       const struct tdat_build *made, bool given)
{
	for (size_t at = 0; at < had->len; at += strlen((char *)had->ptr + at) + 1) {
		const char *name = (char *)had->ptr + at;
		char *path = is_in(made, name) ? NULL : path_of(output, name);

		if (path && given)
			cli_error(output, "%s is obsolete: remove it where --part-pipe stored it",
				  name);
		else if (path)
			unlink(path);
		free(path);
	}
}
