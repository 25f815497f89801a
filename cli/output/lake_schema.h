/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The columns of a data set: each table has a folder, and all parts in it have the same columns
 * with the same types, so that readers need not put schemas together. OUTPUT/_schema.json keeps
 * them. A table that does not fit what is there gets a folder of its own, "sched_switch@2".
 */
#ifndef CLI_LAKE_SCHEMA_H
#define CLI_LAKE_SCHEMA_H

#include <stdbool.h>

#include <tdat/arrow.h>
#include <tdat/error.h>

#include "core/map.h"
#include "output/lake_type.h"

struct cli_part_pipe;

struct lake_column {
	char *name;		  /* in the parts */
	char *field;		  /* the name that the format has; NULL: no field */
	char type[LAKE_TYPE_LEN]; /* "int64", "list<text>", "dictionary" */
	bool nullable;
};

struct lake_folder {
	char *value; /* of the key event or table */
	struct lake_column *columns;
	size_t count, cap;
	bool fixed; /* an earlier run wrote parts: columns stay as they are */
	bool used;  /* there are parts */
	char *why;  /* what did not fit into the folder before; NULL: this is the first */
};

struct lake_table {
	char *name;
	struct lake_folder *folders;
	size_t count, cap;
};

/* All zero: empty. While it is planned it belongs to one thread; then folders may be found by all.
 */
struct lake_schema {
	const char *const *keys; /* names of partitions: no column of a part has one */
	size_t key_count;
	char *partition; /* the keys that the file names, "event,file"; NULL: none */
	bool as_signed;	 /* parts have signed integers only (export -O unsigned=decimal) */
	struct lake_table *tables;
	size_t cap;
	struct tdat_map names, values; /* tables, by name and by the value of their first folder */
};

void lake_schema_fini(struct lake_schema *s);

/*
 * Adds the folders that a file of lake_schema_write() lists, as they are (fixed), or to be
 * extended. *found: there is such a file.
 */
enum tdat_status lake_schema_read(struct lake_schema *s, const char *path, bool fixed, bool *found,
				  struct tdat_error *err);
/*
 * Finds whether a folder is a data set, and with which keys, which free() frees; *keys NULL: they
 * are not recorded.
 */
enum tdat_status lake_schema_keys(const char *folder, bool *found, char **keys,
				  struct tdat_error *err);
/* Writes all folders, or those with parts; they are sorted. pipe, unless NULL, gets the file. */
enum tdat_status lake_schema_write(const struct lake_schema *s, const char *path, bool used_only,
				   struct cli_part_pipe *pipe, struct tdat_error *err);

/*
 * Makes room for a table's columns: widens a folder that is not fixed, or adds one. value names the
 * first folder of the table, unless another table has it.
 */
enum tdat_status lake_schema_plan(struct lake_schema *s, const char *table, const char *value,
				  const struct ArrowSchema *columns, struct tdat_error *err);
/* The first folder of a table that holds its columns; NULL: it was not planned. */
struct lake_folder *lake_schema_find(const struct lake_schema *s, const char *table,
				     const struct ArrowSchema *columns);

/*
 * For the reader of the file: the table of that name, which is made with a first folder; a further
 * folder without columns. NULL: no memory.
 */
struct lake_table *lake_schema_table(struct lake_schema *s, const char *name, const char *value);
struct lake_folder *lake_table_add(struct lake_table *t, const char *value);
void lake_folder_fini(struct lake_folder *f);

/* Which columns of a folder and of a table are the same. */
struct lake_match {
	int64_t *source; /* of each column of the folder: that of the table, or -1 */
	int64_t *place;	 /* of each column of the table: that of the folder, or -1 */
};

/* False: no memory; lake_match_fini is needed even so. */
bool lake_match_init(struct lake_match *m, const struct lake_schema *s, const struct lake_folder *f,
		     const struct ArrowSchema *table);
void lake_match_fini(struct lake_match *m);

#endif
