/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Joins the small parts of a data set: export --compact. It walks over the folders, makes a new one
 * for each that has parts to join (export_compact_folder.c), says in the records where rows will
 * be, swaps the folders, and takes out of the records what is there no more. Records may name parts
 * that are not there, and only those that are count: so a run may be killed anywhere. Parts of
 * files without a record stay, as their export may be killed, too.
 */
#include "commands/export_compact.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands/export_compact_records.h"
#include "commands/export_lake.h"
#include "commands/export_lake_swap.h"
#include "core/map.h"
#include "input/directory.h"
#include "output/lake_schema.h"
#include "safety/descriptors.h"
#include "terminal/message.h"

struct compact {
	const char *lake;
	const struct tdat_columns_ops *ops;
	struct lake_schema schema;
	struct compact_records records; /* and the folders that are made */
	size_t joined, waiting;		/* parts that are joined, and those without a record */
	size_t by_file, parts;		/* folders of one file; parts that are there */
	bool failed;
};

static void fail(struct compact *c, const struct tdat_error *err)
{
	cli_fail(c->lake, err);
	c->failed = true;
}

/* ---- what is there ---- */

/* Removes what killed runs left beside the records: ".NAME.tdat-part". */
static void remove_left(const struct compact *c, const char *records)
{
	static const char end[] = ".tdat-part";
	DIR *folder = opendir(records);
	const struct dirent *e;

	while (folder && (e = readdir(folder))) {
		const size_t len = strlen(e->d_name);
		struct cli_unfinished *u;
		char *path;

		if (e->d_name[0] != '.' || len < sizeof(end) + 1 ||
		    strcmp(e->d_name + len - sizeof(end) + 1, end) != 0 ||
		    asprintf(&path, "%s/_tdat/%.*s", c->lake, (int)(len - sizeof(end)),
			     e->d_name + 1) < 0)
			continue;
		/* To make one removes one that is left. */
		if (cli_unfinished_folder(&u, path, NULL) == TDAT_OK)
			cli_unfinished_free(u);
		free(path);
	}
	if (folder)
		closedir(folder);
}

/* Reads the schema and the names of records. An exit status, after a complaint. */
static int read_lake(struct compact *c)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	char *schema = cli_join_path(c->lake, "_schema.json");
	char *records = cli_join_path(c->lake, "_tdat");
	bool found;
	int rc = schema && records ? CLI_OK : cli_nomem();

	if (rc == CLI_OK && lake_schema_read(&c->schema, schema, true, &found, &err))
		rc = cli_fail(NULL, &err);
	if (rc == CLI_OK) {
		remove_left(c, records);
		rc = cli_read_names(open(records, O_RDONLY | O_DIRECTORY | O_CLOEXEC), records,
				    &c->records.names, &c->records.count);
	}
	free(schema);
	free(records);
	return rc;
}

/* Whether the schema lists a folder, by the value of its key event, or else table. */
static bool is_listed(const struct compact *c, const char *folder)
{
	const char *event = strstr(folder, "event="), *table = strstr(folder, "table=");
	const char *value = event ? event + 6 : table ? table + 6 : "";
	const size_t len = strcspn(value, "/");
	struct tdat_build name = {.len = 0};
	bool found = false;

	for (size_t i = 0; i < c->schema.names.count && !found; i++)
		for (size_t k = 0; k < c->schema.tables[i].count && !found; k++) {
			name.len = 0;
			cli_partition_value(&name, c->schema.tables[i].folders[k].value);
			found = name.len == len && !memcmp(name.ptr, value, len);
		}
	tdat_build_fini(&name);
	return found;
}

/* ---- the walk ---- */

enum entry { ENTRY_PART, ENTRY_FOLDER, ENTRY_OWN, ENTRY_FOREIGN };

/* What an entry of a folder is; top: of the data set itself. */
static enum entry kind_of(const struct compact *c, const char *folder, const char *name, bool top)
{
	char *path = cli_join_path(folder, name);
	const size_t len = strlen(name), end = strlen(c->ops->suffix);
	struct stat sb = {.st_mode = 0};

	if (path)
		lstat(path, &sb);
	free(path);
	if (top && (!strcmp(name, "_tdat") || !strcmp(name, "_schema.json")))
		return ENTRY_OWN;
	if (S_ISDIR(sb.st_mode))
		return strchr(name, '=') ? ENTRY_FOLDER : ENTRY_FOREIGN;
	if (!S_ISREG(sb.st_mode))
		return ENTRY_FOREIGN;
	return compact_number(name, c->ops->suffix) ||
			       (len > end + 5 && !strncmp(name, "part-", 5) &&
				!strcmp(name + len - end, c->ops->suffix))
		       ? ENTRY_PART
		       : ENTRY_FOREIGN;
}

/* Joins the parts of a folder, which has nothing else. */
static void join_parts(struct compact *c, const char *folder, char *const *parts, size_t count)
{
	struct compact_folder *f;
	bool *ready = calloc(count, sizeof(*ready));
	size_t n = 0;

	if (!ready || !TDAT_MAP_GROW(&c->records.map, c->records.folders, &c->records.cap) ||
	    !(folder = strdup(folder))) {
		c->failed = true;
		cli_nomem();
		free(ready);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		ready[i] = compact_has_record(&c->records, parts[i], c->ops->suffix);
		n += ready[i];
	}
	c->waiting += count - n;
	f = &c->records.folders[c->records.map.count];
	*f = (struct compact_folder){.name = (char *)(uintptr_t)folder};
	if (n > 1)
		c->failed |= !compact_folder_make(f, c->lake, c->records.map.count, c->ops, parts,
						  ready, count);
	free(ready);
	if (f->made)
		tdat_map_add(&c->records.map,
			     tdat_hash_bytes(c->records.map.seed, f->name, strlen(f->name)));
	else
		compact_folder_fini(f);
}

static void walk(struct compact *c, const char *folder, unsigned depth);

/* True if the part of a file is in its folder: --part-pipe leaves that empty. */
static bool has_part(const struct compact *c, const char *folder)
{
	char *path;
	bool there;

	if (asprintf(&path, "%s/%s/part-0%s", c->lake, folder, c->ops->suffix) < 0)
		return true;
	there = !access(path, F_OK);
	free(path);
	return there;
}

/* Walks over the entries of a folder of the data set. Parts are moved to the front of names. */
static void walk_entries(struct compact *c, const char *folder, const char *path, char **names,
			 size_t count, unsigned depth)
{
	size_t parts = 0, folders = 0;

	for (size_t i = 0; i < count; i++) {
		const enum entry kind = kind_of(c, path, names[i], !depth);
		char *name = names[i];

		if (kind == ENTRY_FOREIGN) {
			cli_error(path, "contains %s, which %s; nothing in it was joined", name,
				  strncmp(name, "part-", 5) || strstr(name, c->ops->suffix)
					  ? "tdat did not write"
					  : "has another format");
			c->failed = true;
			return;
		}
		folders += kind == ENTRY_FOLDER;
		if (kind == ENTRY_PART) {
			memmove(&names[parts + 1], &names[parts], (i - parts) * sizeof(*names));
			names[parts++] = name;
		}
	}
	c->parts += parts;
	if (parts > 1 && (folders || !depth || !is_listed(c, folder))) {
		cli_error(path,
			  folders ? "contains both parts and folders; nothing in it was joined"
				  : "is missing from _schema.json; nothing in it was joined");
		c->failed = true;
	} else if (parts > 1) {
		join_parts(c, folder, names, parts);
	}
	for (size_t i = parts; i < count; i++) {
		char *below = !depth ? strdup(names[i]) : cli_join_path(folder, names[i]);

		if (!strncmp(names[i], "file=", 5)) {
			c->by_file++;
			c->parts += below && has_part(c, below);
		} else if (below && strchr(names[i], '=') && depth < CLI_KEYS)
			walk(c, below, depth + 1);
		free(below);
	}
}

/* A hidden file, which would go with the folder, unless it is an unfinished one of a killed run. */
static bool has_hidden(const char *path)
{
	DIR *folder = opendir(path);
	const struct dirent *e;
	bool found = false;

	while (folder && !found && (e = readdir(folder)))
		found = e->d_name[0] == '.' && strcmp(e->d_name, ".") && strcmp(e->d_name, "..") &&
			!strstr(e->d_name, ".tdat-part");
	if (folder)
		closedir(folder);
	return found;
}

static void walk(struct compact *c, const char *folder, unsigned depth)
{
	char *path = depth ? cli_join_path(c->lake, folder) : strdup(c->lake), **names;
	size_t count;

	if (!path || cli_read_names(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC |
						       (depth ? O_NOFOLLOW : 0)),
				    path, &names, &count) != CLI_OK) {
		c->failed = true;
	} else if (depth && has_hidden(path)) {
		cli_error(path, "contains hidden files, which tdat did not write; nothing in it "
				"was joined");
		c->failed = true;
		cli_free_names(names, count);
	} else {
		walk_entries(c, folder, path, names, count, depth);
		cli_free_names(names, count);
	}
	free(path);
}

/* ---- the whole ---- */

static void swap_folders(struct compact *c)
{
	for (size_t i = 0; i < c->records.map.count; i++) {
		struct compact_folder *f = &c->records.folders[i];
		struct tdat_error err = TDAT_ERROR_INIT;

		if (compact_folder_reveal(f, &err) || lake_swap(c->lake, f->name, f->made, &err)) {
			fail(c, &err);
		} else {
			for (size_t k = 0; k < f->count; k++)
				c->joined += f->joins[k].parts;
		}
		cli_unfinished_free(f->made);
		f->made = NULL;
	}
}

static void tell(struct compact *c, bool quiet)
{
	size_t files = 0;

	for (size_t i = 0; i < c->records.map.count; i++)
		files += c->records.folders[i].count;
	if (c->waiting)
		cli_error(c->lake,
			  "%zu part%s of unfinished exports not joined; export these files again",
			  c->waiting, c->waiting == 1 ? "" : "s");
	if (!c->parts && !c->failed) {
		cli_error(
			c->lake,
			"contains no parts: an export with --part-pipe pipes them to its command");
		c->failed = true;
	} else if (!c->records.map.count && c->by_file && !c->failed) {
		cli_error(c->lake,
			  "nothing to join: each folder of a file contains one part; export to "
			  "another folder with --partition event, and join that");
		c->failed = true;
	} else if (!quiet && !c->records.map.count && !c->failed) {
		cli_error(c->lake, "nothing to join: no folder contains several small parts");
	} else if (!quiet && c->joined) {
		cli_error(c->lake, "%zu parts joined into %zu", c->joined, files);
	}
}

static void run(struct compact *c, bool quiet)
{
	struct tdat_error err = TDAT_ERROR_INIT;

	walk(c, "", 0);
	if (compact_records_drop(&c->records, &err) || compact_records_add(&c->records, &err))
		fail(c, &err);
	else
		swap_folders(c);
	if (compact_records_drop(&c->records, &err))
		fail(c, &err);
	tell(c, quiet);
}

int export_compact(const char *lake, const struct tdat_exporter *exporter, bool quiet)
{
	struct compact c = {.lake = lake, .ops = exporter->columns, .records.lake = lake};
	char *schema = cli_join_path(lake, "_schema.json");
	int lock_fd = -1, rc = CLI_OK;

	if (!schema || access(schema, F_OK)) {
		cli_error(lake, "is not a data set written by tdat: _schema.json is missing");
		rc = CLI_FAILED;
	}
	free(schema);
	cli_raise_file_limit();
	if (rc == CLI_OK)
		rc = export_lake_open(lake, CLI_SANDBOX_MOVING, &lock_fd);
	if (rc == CLI_OK)
		rc = read_lake(&c);
	if (rc == CLI_OK) {
		run(&c, quiet);
		rc = c.failed ? CLI_FAILED : CLI_OK;
	}
	for (size_t i = 0; i < c.records.map.count; i++)
		compact_folder_fini(&c.records.folders[i]);
	free(c.records.folders);
	tdat_map_fini(&c.records.map);
	cli_free_names(c.records.names, c.records.count);
	lake_schema_fini(&c.schema);
	if (lock_fd >= 0)
		close(lock_fd);
	return rc;
}
