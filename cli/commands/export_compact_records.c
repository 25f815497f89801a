/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps the records of a data set true while its parts are joined. Before folders are swapped each
 * record gets the new place of its rows beside the older one, afterwards places that are not there
 * are dropped. In between only what is there counts, for exports and for the next run, so that a
 * run may be killed anywhere. export_compact.c calls it.
 */
#include "commands/export_compact_records.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/search.h"
#include "input/directory.h"
#include "output/export_record.h"

static uint64_t name_hash(const struct compact_records *r, const char *name, size_t len)
{
	return tdat_hash_bytes(r->map.seed, name, len);
}

static char *record_path(const struct compact_records *r, const char *record)
{
	char *path;

	return asprintf(&path, "%s/_tdat/%s", r->lake, record) < 0 ? NULL : path;
}

/* Whether the export of the file that a part is of has ended: it has a record that says so. */
bool compact_has_record(const struct compact_records *r, const char *part, const char *suffix)
{
	const int len = (int)(strlen(part) - strlen("part-") - strlen(suffix));
	const struct cli_export_facts none = {.recipe = ""};
	bool found = false;
	char *record, *path;
	size_t i;

	if (compact_number(part, suffix))
		return true;
	if (asprintf(&record, "file=%.*s", len, part + strlen("part-")) < 0)
		return false;
	TDAT_SEARCH(i, r->count, strcmp(r->names[i], record) < 0);
	if (i < r->count && !strcmp(r->names[i], record)) {
		path = record_path(r, record);
		found = path && cli_export_record_look(path, &none, NULL, NULL) != CLI_EXPORT_NEW;
		free(path);
	}
	free(record);
	return found;
}

/* The part that a line names; NULL: none. */
static const char *part_of(const char *line)
{
	return !strncmp(line, "part ", 5)     ? line + 5
	       : !strncmp(line, "joined ", 7) ? line + 7
					      : NULL;
}

/* Adds to a line of a part where its rows will be. */
static void add_place(void *ctx, struct tdat_build *out, const char *line)
{
	const struct compact_records *r = ctx;
	const char *part = part_of(line), *base = part ? strrchr(part, '/') : NULL, *name;
	const size_t len = base ? (size_t)(base - part) : 0;
	uint32_t i = TDAT_MAP_NONE;

	tdat_build_printf(out, "%s\n", line);
	if (len)
		TDAT_MAP_FIND(i, &r->map, name_hash(r, part, len),
			      strlen(r->folders[i].name) == len &&
				      !memcmp(r->folders[i].name, part, len));
	name = i == TDAT_MAP_NONE ? NULL : compact_folder_find(&r->folders[i], base + 1);
	if (name)
		tdat_build_printf(out, "joined %.*s/%s\n", (int)len, part, name);
}

/* Leaves out a line of a part that is not there. */
static void drop_place(void *ctx, struct tdat_build *out, const char *line)
{
	const struct compact_records *r = ctx;
	const char *part = part_of(line);
	char *path = part ? cli_join_path(r->lake, part) : NULL;

	if (!path || !access(path, F_OK))
		tdat_build_printf(out, "%s\n", line);
	free(path);
}

static enum tdat_status edit_records(struct compact_records *r, cli_export_line_fn edit,
				     struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; st == TDAT_OK && i < r->count; i++) {
		char *path = record_path(r, r->names[i]);

		if (!path)
			st = tdat_error_no_memory(err, "a name");
		else if (!strncmp(r->names[i], "file=", 5))
			st = cli_export_record_edit(path, edit, r, err);
		free(path);
	}
	return st;
}

enum tdat_status compact_records_add(struct compact_records *r, struct tdat_error *err)
{
	return r->map.count ? edit_records(r, add_place, err) : TDAT_OK;
}

enum tdat_status compact_records_drop(struct compact_records *r, struct tdat_error *err)
{
	return edit_records(r, drop_place, err);
}
