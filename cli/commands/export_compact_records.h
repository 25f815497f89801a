/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The records of a data set whose parts are joined, and the folders that are made for that. */
#ifndef CLI_EXPORT_COMPACT_RECORDS_H
#define CLI_EXPORT_COMPACT_RECORDS_H

#include "commands/export_compact_folder.h"
#include "core/map.h"

struct compact_records {
	const char *lake;
	char **names; /* of the files in OUTPUT/_tdat, in order */
	size_t count;
	struct compact_folder *folders; /* by their names; map.count of them */
	struct tdat_map map;
	size_t cap;
};

/* Whether the export of the file that a part is of has ended: it has a record that says so. */
bool compact_has_record(const struct compact_records *r, const char *part, const char *suffix);

/* Says in the records where rows will be, beside where they are. */
enum tdat_status compact_records_add(struct compact_records *r, struct tdat_error *err);
/* Takes the parts out of the records that are not there. */
enum tdat_status compact_records_drop(struct compact_records *r, struct tdat_error *err);

#endif
