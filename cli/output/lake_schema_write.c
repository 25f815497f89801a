/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the file _schema.json of a data set: tables, their folders and the columns of each, sorted
 * by table, so that the order of the export makes no difference. export_lake.c calls it before the
 * record of a file; lake_schema_read.c reads it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "core/json_writer.h"
#include "core/search.h"
#include "output/lake_schema.h"
#include "output/table_file.h"

/* A folder and its table, to be sorted. */
struct entry {
	const struct lake_table *table;
	const struct lake_folder *folder;
	size_t number; /* of the folder in its table */
};

static int by_table(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	const int order = strcmp(x->table->name, y->table->name);

	return order ? order : TDAT_ORDER(x->number, y->number, 0);
}

/* Lists the folders that are to be written; free() frees them. NULL: no memory. */
static struct entry *list_folders(const struct lake_schema *s, bool used_only, size_t *count)
{
	struct entry *list = NULL;
	size_t cap = 0, n = 0;

	if (!TDAT_GROW(list, &cap, 1))
		return NULL;
	for (size_t i = 0; i < s->names.count; i++)
		for (size_t k = 0; k < s->tables[i].count; k++) {
			const struct lake_folder *f = &s->tables[i].folders[k];

			if ((used_only && !f->used) || !f->count)
				continue;
			if (!TDAT_GROW(list, &cap, n + 1)) {
				free(list);
				return NULL;
			}
			list[n++] = (struct entry){&s->tables[i], f, k};
		}
	qsort(list, n, sizeof(*list), by_table);
	*count = n;
	return list;
}

static void put_folder(struct tdat_json *j, const struct entry *e)
{
	tdat_json_object(j, NULL);
	tdat_json_str(j, "table", e->table->name);
	tdat_json_str(j, "first", e->table->folders[0].value);
	tdat_json_str(j, "folder", e->folder->value);
	tdat_json_array(j, "columns");
	for (size_t i = 0; i < e->folder->count; i++) {
		const struct lake_column *c = &e->folder->columns[i];

		tdat_json_object(j, NULL);
		tdat_json_str(j, "name", c->name);
		tdat_json_str(j, "type", c->type);
		tdat_json_bool(j, "nullable", c->nullable);
		if (c->field)
			tdat_json_str(j, "field", c->field);
		tdat_json_object_end(j);
	}
	tdat_json_array_end(j);
	tdat_json_object_end(j);
}

/* Where the text goes, piece by piece: it has megabytes for thousands of tables. */
struct target {
	struct cli_table_file file;
	struct tdat_build piece;
	enum tdat_status st;
	struct tdat_error *err;
};

enum { PIECE_LEN = 1 << 16 };

static void flush(struct target *t)
{
	if (t->st == TDAT_OK && t->piece.failed)
		t->st = tdat_error_no_memory(t->err, "the schema of a data set");
	if (t->st == TDAT_OK)
		t->st = cli_table_file_write(&t->file, t->piece.ptr, t->piece.len, t->err);
	t->piece.len = 0;
}

/* The keys as --partition takes them: at most five names. */
static void put_keys(struct tdat_json *j, const struct lake_schema *s)
{
	char text[64] = "";
	size_t used = 0;

	for (size_t i = 0; i < s->key_count && used < sizeof(text); i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s", i ? "," : "",
					 s->keys[i]);
	tdat_json_str(j, "partition", text);
}

static void write_folders(struct target *t, const struct lake_schema *s, const struct entry *list,
			  size_t count)
{
	struct tdat_json j = {.out = &t->piece, .pretty = true};

	tdat_json_object(&j, NULL);
	tdat_json_u64(&j, "version", 1);
	put_keys(&j, s);
	tdat_json_array(&j, "folders");
	for (size_t i = 0; i < count; i++) {
		put_folder(&j, &list[i]);
		if (t->piece.len >= PIECE_LEN)
			flush(t);
	}
	tdat_json_array_end(&j);
	tdat_json_object_end(&j);
	tdat_build_u8(&t->piece, '\n');
	flush(t);
}

enum tdat_status lake_schema_write(const struct lake_schema *s, const char *path, bool used_only,
				   struct cli_part_pipe *pipe, struct tdat_error *err)
{
	size_t count = 0;
	struct entry *list = list_folders(s, used_only, &count);
	struct target t = {.err = err};

	if (!list)
		return tdat_error_no_memory(err, path);
	tdat_build_init(&t.piece, false);
	t.st = cli_table_file_resume(&t.file, path, err);
	t.file.pipe = pipe;
	t.file.piped_name = "_schema.json";
	t.file.keep = true;
	if (t.st == TDAT_OK) {
		write_folders(&t, s, list, count);
		if (t.st == TDAT_OK)
			t.st = cli_table_file_close(&t.file, false, err);
		else
			cli_table_file_close(&t.file, true, NULL);
	}
	tdat_build_fini(&t.piece);
	free(list);
	return t.st;
}
