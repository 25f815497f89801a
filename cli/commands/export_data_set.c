/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Describes an export to a data set, and by which options its parts are known again. The recipe is
 * a text of the options that decide which bytes a part has; a part that was written by another
 * recipe is written anew. export_lake.c does the work.
 */
#include "commands/export_data_set.h"

#include <string.h>

#include "commands/export_lake.h"
#include "core/build.h"
#include "output/lake_schema.h"
#include "terminal/message.h"

/* Values are escaped, so a blank or "=" in one cannot be read as another word. */
static void put_word(struct tdat_build *b, const char *key, const char *value)
{
	tdat_build_str(b, key);
	tdat_build_u8(b, '=');
	cli_partition_exact(b, value);
	tdat_build_u8(b, ' ');
}

static void put_words(struct tdat_build *b, const char *key, const struct cli_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		put_word(b, key, list->v[i]);
}

/*
 * Makes the recipe: the options that decide which bytes are written, on one line. Options such as
 * --threads and --force do not belong to it. False: no memory.
 */
static bool make_recipe(struct tdat_build *b, const struct export_args *a)
{
	const struct cli_filter *f = &a->filter;

	put_word(b, "to", a->to);
	put_word(b, "partition", a->partition);
	if (a->part_pipe)
		put_word(b, "part-pipe", a->part_pipe);
	put_words(b, "table", &a->tables);
	put_words(b, "column", &a->columns);
	put_words(b, "pair", &a->pairs);
	for (size_t i = 0; i < a->option_count; i++) {
		put_word(b, "option", a->options[i].key);
		put_word(b, "value", a->options[i].value);
	}
	for (size_t i = 0; i < a->cpus.count; i++)
		tdat_build_printf(b, "cpu=%u ", a->cpus.v[i]);
	for (size_t i = 0; i < f->expr_count; i++)
		put_word(b, f->exprs[i].negative ? "not" : "filter", f->exprs[i].text);
	put_words(b, "event", &f->events);
	put_words(b, "pid", &f->pids);
	put_words(b, "comm", &f->comms);
	put_words(b, "buffer", &f->buffers);
	if (f->from)
		put_word(b, "from", f->from);
	if (f->until)
		put_word(b, "until", f->until);
	tdat_build_str(b, a->raw_ts ? "raw-ts " : "");
	tdat_build_str(b, a->no_date ? "nodate " : "");
	tdat_build_u8(b, '\0');
	return !b->failed;
}

/* A data set takes no other keys than its own: parts at different depths break its readers. */
int export_data_set_keys(struct export_args *a, const struct tdat_exporter *exporter, size_t count,
			 char **kept)
{
	const char *keys = count < 2 ? NULL : "event,file";
	struct tdat_error err = TDAT_ERROR_INIT;
	bool found = false;

	*kept = NULL;
	if (!exporter->columns || exporter->columns->own_file || !a->output ||
	    !strcmp(a->output, "-"))
		keys = NULL;
	else if (lake_schema_keys(a->output, &found, kept, &err))
		return cli_fail(NULL, &err);
	if (found)
		keys = *kept ? *kept : "event,file";
	if (found && a->partition && (*kept || !strcmp(a->partition, "none")) &&
	    strcmp(a->partition, keys) != 0) {
		cli_error(a->output,
			  "is a data set with folders by %s: omit --partition %s, or name another "
			  "folder",
			  keys, a->partition);
		return CLI_USAGE;
	}
	if (!a->partition)
		a->partition = keys;
	else if (!strcmp(a->partition, "none"))
		a->partition = NULL;
	return CLI_OK;
}

/* Partitions need a folder and a format with a file for each table. */
int export_data_set(const struct export_args *a, const struct tdat_exporter *exporter,
		    const struct tdat_filter *filter, char *const *paths, size_t count)
{
	struct export_lake lake = {.exporter = exporter,
				   .options = a->options,
				   .option_count = a->option_count,
				   .output = a->output,
				   .trace = TDAT_TRACE_OPTS_INIT,
				   .table = TDAT_TABLE_OPTS_INIT,
				   .limits = a->limits,
				   .force = a->force,
				   .quiet = a->quiet,
				   .command = a->part_pipe,
				   .wanted = export_wants_table,
				   .wanted_ctx = a};
	struct tdat_build recipe;
	int rc = cli_partition_parse(a->partition, &lake.partition);

	if (rc != CLI_OK)
		return rc;
	if (!exporter->columns || exporter->columns->own_file || !a->output ||
	    !strcmp(a->output, "-")) {
		cli_error(NULL, "--partition needs -o, the folder of the data set, and a format "
				"with one file per table");
		return CLI_USAGE;
	}
	export_args_opts(a, filter, &lake.trace, &lake.table);
	tdat_build_init(&recipe, false);
	if (make_recipe(&recipe, a)) {
		lake.recipe = (const char *)recipe.ptr;
		rc = export_lake_run(&lake, paths, count);
	} else {
		rc = cli_nomem();
	}
	tdat_build_fini(&recipe);
	return rc;
}
