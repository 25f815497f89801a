/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Joins the parts of one folder of a data set into a new folder. */
#ifndef CLI_EXPORT_COMPACT_FOLDER_H
#define CLI_EXPORT_COMPACT_FOLDER_H

#include <tdat/export.h>

#include "safety/unfinished.h"

/* Parts that were joined into one: those of the folder from first to last that are not kept. */
struct compact_join {
	char *first, *last, *name;
	size_t parts;
};

struct compact_folder {
	char *name;		     /* below the data set: "event=sched_switch/host=h" */
	struct cli_unfinished *made; /* the new folder, with the parts that stay and joined ones */
	struct compact_join *joins;  /* in order of their first part */
	size_t count, cap;
};

/* How many a name's number says that there are: "joined-7.parquet"; 0: it has another form. */
unsigned compact_number(const char *name, const char *suffix);

/*
 * Makes the new folder beside the records of the data set; number names it. parts are those of the
 * folder, in order; ready: they may be joined. False, after a complaint: the folder stays. With
 * count 0 there was nothing to join, and nothing is made.
 */
bool compact_folder_make(struct compact_folder *f, const char *lake, size_t number,
			 const struct tdat_columns_ops *ops, char *const *parts, const bool *ready,
			 size_t part_count);
/* Gives the files of the new folder their names, right before it is swapped. */
enum tdat_status compact_folder_reveal(const struct compact_folder *f, struct tdat_error *err);
void compact_folder_fini(struct compact_folder *f);

/* The new name of a part of the folder; NULL: it keeps its name, or is none of them. */
const char *compact_folder_find(const struct compact_folder *f, const char *part);

#endif
