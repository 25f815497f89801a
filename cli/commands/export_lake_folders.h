/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The folders of a data set's tables, with their columns (output/lake_schema.h). */
#ifndef CLI_EXPORT_LAKE_FOLDERS_H
#define CLI_EXPORT_LAKE_FOLDERS_H

#include <pthread.h>

#include "commands/export_lake_facts.h"
#include "commands/export_parts.h"

struct lake_folders {
	struct lake_schema schema;
	const char *keys[CLI_KEYS];
	char *path;	      /* OUTPUT/_schema.json */
	char *plan_path;      /* OUTPUT/_tdat/plan: folders that a run is about to use */
	pthread_mutex_t lock; /* of changes, while inputs are exported */
	bool changed;	      /* the file lacks folders that are used */
};

/* Reads the folders of earlier exports. An exit status, after a complaint. */
int lake_folders_read(struct lake_folders *all, const struct export_lake *lake);
void lake_folders_fini(struct lake_folders *all);

/* Plans the folders of all tables of a file that are wanted, whether or not they have rows. */
enum tdat_status lake_folders_plan(struct lake_folders *all, const struct cli_partition *p,
				   const struct export_parts *x, struct tdat_error *err);

/* Finds the folder of a table, which was planned, and makes the shape of the part's rows. */
enum tdat_status lake_folders_use(struct lake_folders *all, const struct tdat_table *table,
				  const struct ArrowSchema *schema, struct export_part *p,
				  const char **value, struct tdat_error *err);
/* Writes the schema of the data set if folders are used that it does not have; pipe gets it, too.
 */
enum tdat_status lake_folders_write(struct lake_folders *all, struct cli_part_pipe *pipe,
				    struct tdat_error *err);

/* Says which folders this run opened beside the first one of a table, and why. */
void lake_folders_tell(const struct lake_folders *all, const char *output);

#endif
