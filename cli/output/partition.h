/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hive partitions: folders called KEY=VALUE, by which readers of a data set choose files and make
 * columns. docs/exports.md defines the keys.
 */
#ifndef CLI_PARTITION_H
#define CLI_PARTITION_H

#include <stdbool.h>

#include <tdat/table.h>

#include "core/build.h"

enum cli_partition_key { CLI_KEY_TABLE, CLI_KEY_SYSTEM, CLI_KEY_EVENT, CLI_KEY_FILE, CLI_KEY_HOST };
enum { CLI_KEYS = CLI_KEY_HOST + 1 };

/* The keys of a data set, in the order of its folders. */
struct cli_partition {
	enum cli_partition_key keys[CLI_KEYS];
	size_t count;
	bool has[CLI_KEYS];
};

const char *cli_partition_key_name(enum cli_partition_key key);

/* Reads "event,file". CLI_OK, or CLI_USAGE after a complaint. */
int cli_partition_parse(const char *text, struct cli_partition *p);

/*
 * Appends a value as Hive writes it: what is not fit for a name of a folder as %XX, bytes that are
 * not UTF-8 as U+FFFD; nothing as __HIVE_DEFAULT_PARTITION__.
 */
void cli_partition_value(struct tdat_build *out, const char *value);
/* The same, but that different values stay different: such bytes are %XX, too. */
void cli_partition_exact(struct tdat_build *out, const char *value);

/* What the values of a part's keys are made of. */
struct cli_partition_place {
	const char *output;	 /* the folder of the data set */
	const char *file, *host; /* "" where it is not known */
	const struct tdat_table *table;
	const char *value; /* of the table's folder (lake_schema.h), for the key event or table */
};

/* Whether the key is the one whose value names the folder of a table. */
bool cli_partition_names_table(const struct cli_partition *p, enum cli_partition_key key);

/*
 * The name of a part's file, with all folders of it: OUTPUT/event=sched_switch/file=a.dat/part-0
 * and the suffix. The caller frees it; NULL: no memory.
 */
char *cli_partition_path(const struct cli_partition *p, const struct cli_partition_place *place,
			 const char *suffix);

/*
 * The folder of all parts of a table, if its key is the first one; else that of the data set. The
 * caller frees it; NULL: no memory.
 */
char *cli_partition_folder(const struct cli_partition *p, const struct cli_partition_place *place);

/* cli_partition_folders makes the folders that path names from a place on, up to its last slash. */
enum tdat_status cli_partition_folders(char *path, size_t from, struct tdat_error *err);

#endif
