/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The folders of a data set while files are exported to it. They are read from _schema.json,
 * planned from the tables of all inputs before the first part is written, looked up by each part,
 * and written before the record of a file. A plan beside the records lets a run that was killed be
 * continued with the same columns. export_lake.c and export_lake_file.c call it.
 */
#include "commands/export_lake_folders.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "terminal/message.h"

/* ---- what is there ---- */

/* True if an earlier export left records of inputs. */
static bool has_records(const char *records)
{
	DIR *folder = opendir(records);
	const struct dirent *e;
	bool found = false;

	while (folder && !found && (e = readdir(folder)))
		found = !strncmp(e->d_name, "file=", 5);
	if (folder)
		closedir(folder);
	return found;
}

/* True if a folder of that value is there: a run that was killed wrote parts to it. */
static bool is_there(const struct export_lake *lake, const char *value)
{
	struct cli_partition_place place = {.output = lake->output, .value = value};
	char *path = cli_partition_folder(&lake->partition, &place);
	const bool there = !path || !access(path, F_OK);

	free(path);
	return there;
}

/* Sets what names and types of columns depend on. */
static void set_rules(struct lake_folders *all, const struct export_lake *lake)
{
	const struct cli_partition *p = &lake->partition;

	for (size_t i = 0; i < p->count; i++)
		all->keys[i] = cli_partition_key_name(p->keys[i]);
	all->schema.keys = all->keys;
	all->schema.key_count = p->count;
	for (size_t i = 0; i < lake->option_count; i++)
		all->schema.as_signed |= !strcmp(lake->options[i].key, "unsigned") &&
					 !strcmp(lake->options[i].value, "decimal");
}

/* Folders that a killed run planned stay as it planned them where it may have written parts. */
static void keep_planned(struct lake_folders *all, const struct export_lake *lake)
{
	const struct lake_schema *s = &all->schema;

	for (size_t i = 0; i < s->names.count; i++)
		for (size_t k = 0; k < s->tables[i].count; k++) {
			struct lake_folder *f = &s->tables[i].folders[k];

			f->fixed |= is_there(lake, f->value);
			all->changed |= f->fixed && !f->used;
			f->used = f->fixed;
		}
}

int lake_folders_read(struct lake_folders *all, const struct export_lake *lake)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	char *records = NULL;
	bool found = false, planned;
	int rc = CLI_OK;

	set_rules(all, lake);
	if (asprintf(&all->path, "%s/_schema.json", lake->output) < 0 ||
	    asprintf(&records, "%s/_tdat", lake->output) < 0 ||
	    asprintf(&all->plan_path, "%s/plan", records) < 0)
		rc = cli_nomem();
	if (rc == CLI_OK && (lake_schema_read(&all->schema, all->path, true, &found, &err) ||
			     lake_schema_read(&all->schema, all->plan_path, false, &planned, &err)))
		rc = cli_fail(NULL, &err);
	if (rc == CLI_OK && !found && has_records(records)) {
		cli_error(lake->output,
			  "lacks _schema.json: an older tdat wrote it; export to another folder");
		rc = CLI_FAILED;
	}
	if (rc == CLI_OK)
		keep_planned(all, lake);
	free(records);
	return rc;
}

/* ---- the plan ---- */

static const char *event_name(const struct tdat_table *t)
{
	return t->event ? t->event : t->name;
}

/* Orders tables by the name of their event, and those of one name by their place in the trace. */
static int by_event(const void *a, const void *b)
{
	const struct tdat_table *const *x = a, *const *y = b;
	const int order = strcmp(event_name(*x), event_name(*y));

	return order ? order : ((*x)->index > (*y)->index) - ((*x)->index < (*y)->index);
}

/*
 * Marks all but the first of the tables whose events have one name in several systems. Their folder
 * is named after the table, unless an earlier file gave it a name.
 */
static bool find_same_events(const struct export_parts *x)
{
	size_t count;
	const struct tdat_table *all = tdat_trace_tables(x->trace, &count);
	const struct tdat_table **sorted = calloc(count + 1, sizeof(*sorted));

	if (!sorted)
		return false;
	for (size_t i = 0; i < count; i++)
		sorted[i] = &all[i];
	qsort(sorted, count, sizeof(*sorted), by_event);
	for (size_t i = 1; i < count; i++)
		x->parts[sorted[i]->index].same_event =
			!strcmp(event_name(sorted[i]), event_name(sorted[i - 1]));
	free(sorted);
	return true;
}

/* The value that names the first folder of a table. */
static const char *folder_value(const struct export_parts *x, const struct cli_partition *p,
				const struct tdat_table *t)
{
	return p->has[CLI_KEY_EVENT] && t->event && !x->parts[t->index].same_event ? t->event
										   : t->name;
}

enum tdat_status lake_folders_plan(struct lake_folders *all, const struct cli_partition *p,
				   const struct export_parts *x, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	if (!find_same_events(x))
		return tdat_error_no_memory(err, "an export");
	for (size_t i = 0; st == TDAT_OK && i < x->table_count; i++) {
		const struct tdat_table *t = x->tables[i];
		struct ArrowSchema schema;

		st = tdat_trace_schema(x->trace, t, &x->opts, &schema, err);
		if (st != TDAT_OK)
			break;
		st = lake_schema_plan(&all->schema, t->name, folder_value(x, p, t), &schema, err);
		schema.release(&schema);
	}
	return st;
}

/* ---- parts ---- */

enum tdat_status lake_folders_use(struct lake_folders *all, const struct tdat_table *table,
				  const struct ArrowSchema *schema, struct export_part *p,
				  const char **value, struct tdat_error *err)
{
	struct lake_folder *folder = lake_schema_find(&all->schema, table->name, schema);

	if (!folder)
		return tdat_error_set(err, TDAT_E_SYSTEM, TDAT_NO_OFFSET,
				      "the file changed while it was exported");
	pthread_mutex_lock(&all->lock);
	all->changed |= !folder->used;
	folder->used = true;
	pthread_mutex_unlock(&all->lock);
	*value = folder->value;
	p->shape = lake_shape_new(&all->schema, folder, schema);
	return p->shape ? TDAT_OK : tdat_error_no_memory(err, table->name);
}

enum tdat_status lake_folders_write(struct lake_folders *all, struct cli_part_pipe *pipe,
				    struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	pthread_mutex_lock(&all->lock);
	if (all->changed)
		st = lake_schema_write(&all->schema, all->path, true, pipe, err);
	all->changed &= st != TDAT_OK;
	pthread_mutex_unlock(&all->lock);
	return st;
}

void lake_folders_tell(const struct lake_folders *all, const char *output)
{
	const struct lake_schema *s = &all->schema;

	for (size_t i = 0; i < s->names.count; i++)
		for (size_t k = 0; k < s->tables[i].count; k++) {
			const struct lake_folder *f = &s->tables[i].folders[k];

			if (f->used && f->why)
				cli_error(output, "%s goes to a separate folder, %s: %s",
					  s->tables[i].name, f->value, f->why);
		}
}

void lake_folders_fini(struct lake_folders *all)
{
	lake_schema_fini(&all->schema);
	free(all->path);
	free(all->plan_path);
}
