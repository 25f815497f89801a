/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events and their formats of a file, for "tdat list". */
#ifndef CLI_LIST_EVENTS_H
#define CLI_LIST_EVENTS_H

#include <stdbool.h>
#include <stddef.h>

#include <tdat/file.h>

struct list_request {
	const char *file;
	bool systems; /* only the systems */
	bool fields;  /* with the fields of each event */
	bool json;
	bool raw_bytes;	 /* stored formats as they are, on a terminal, too */
	char **patterns; /* system:event, may have * and ?; none: all */
	size_t pattern_count;
	struct tdat_limits limits;
};

/*
 * Lists what fits. One pattern without * and ? that fits an event prints the
 * event's format as it is stored. Returns an exit status.
 */
int list_events(const struct list_request *request);

/*
 * list_stored_name gives the name in the first line of a stored format, and its system: no format
 * is parsed for it. Empty: that line has none.
 */
struct tdat_span list_stored_name(const struct tdat_file *file, size_t index, const char **system);

#endif
