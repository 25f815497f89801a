/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command tdat list: lists the events of a file, or the formats that can be read and written.
 * Formats come from the tables of the library, so a new importer or exporter appears by itself.
 * Events are listed by list_events.c.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <tdat/emit.h>
#include <tdat/export.h>

#include "args/limits.h"
#include "commands/commands.h"
#include "commands/list_events.h"
#include "output/json_out.h"
#include "tables/trace_tables.h"
#include "terminal/message.h"
#include "terminal/screen.h"

struct list_args {
	bool formats, tables;
	bool json;
	bool systems;
	bool fields;
	bool raw_bytes;
	const char *input;
	struct tdat_limits limits;
};

static const struct cli_opt list_opts[] = {
	CLI_FLAG(0, "formats", struct list_args, formats,
		 "list the supported formats with their options"),
	CLI_STRING('i', "input", "FILE", struct list_args, input,
		   "list the events of FILE (default: trace.dat)"),
	CLI_FLAG(0, "systems", struct list_args, systems, "list only the event systems"),
	CLI_FLAG(0, "fields", struct list_args, fields, "also list the fields of each event"),
	CLI_FLAG(0, "tables", struct list_args, tables,
		 "list the tables of FILE with their number of rows"),
	CLI_FLAG(0, "json", struct list_args, json, "print the list as JSON"),
	CLI_FLAG(0, "raw-bytes", struct list_args, raw_bytes,
		 "print control bytes of a stored format to a terminal unchanged"),
	CLI_LIMITS(struct list_args, limits),
	CLI_OPT_END,
};

/* How dump names an option of the library's text, json and event_csv; NULL: it has none such. */
static const char *name_in_dump(const char *key)
{
	static const char *const names[][2] = {{"wall", "--time wall"},
					       {"hex", "--json-hex"},
					       {"strings", "--json-strings"},
					       {"event", "-e"},
					       {"system", NULL},
					       {"r", NULL},
					       {"n", NULL}};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i][0], key))
			return names[i][1];
	return "";
}

/*
 * Prints one option of a format as it is typed: "-O key=ARG" of export; else "--key ARG", "-k ARG"
 * of a single letter, or the name that dump has for it.
 */
static void text_option(const struct tdat_keyed_option_desc *o, const char *kind)
{
	const bool exported = kind && strcmp(kind, "events") != 0;
	const char *typed = kind && !exported ? name_in_dump(o->key) : "";
	int n;

	if (!typed)
		return;
	n = printf("    %s%s%s%s",
		   exported    ? "-O "
		   : *typed    ? typed
		   : o->key[1] ? "--"
			       : "-",
		   *typed ? "" : o->key,
		   !o->arg    ? ""
		   : exported ? "="
			      : " ",
		   o->arg ? o->arg : "");
	n += printf("%*s ", n < 30 ? 30 - n : 0, "");
	cli_screen_fold(o->help, (size_t)n, 31);
}

static void json_option(struct tdat_json *j, const struct tdat_keyed_option_desc *o)
{
	tdat_json_object(j, NULL);
	tdat_json_str(j, "name", o->key);
	tdat_json_str(j, "argument", o->arg);
	tdat_json_str(j, "help", o->help);
	tdat_json_object_end(j);
}

/* Lists an importer, or an exporter of a kind, with its options. j NULL: as text. */
static void list_format(struct tdat_json *j, const char *name, const char *kind,
			const char *summary, const struct tdat_keyed_option_desc *options)
{
	if (!j) {
		cli_screen_fold(summary, (size_t)printf("%-14s ", name), 15);
		for (; options && options->key; options++)
			text_option(options, kind);
		return;
	}
	tdat_json_object(j, NULL);
	tdat_json_str(j, "name", name);
	if (kind)
		tdat_json_str(j, "kind", kind);
	tdat_json_str(j, "summary", summary);
	tdat_json_array(j, "options");
	for (; options && options->key; options++)
		json_option(j, options);
	tdat_json_array_end(j);
	tdat_json_object_end(j);
}

/* Importers are empty in a build without them, and then have no heading. */
static void list_importers(struct tdat_json *j)
{
	size_t count;
	const struct tdat_importer *const *table = tdat_importers(&count);

	if (j)
		tdat_json_array(j, "formats");
	else if (count)
		puts("Formats that convert and dump --format read:");
	for (size_t i = 0; i < count; i++)
		list_format(j, table[i]->name, NULL, table[i]->summary, table[i]->options);
	if (j)
		tdat_json_array_end(j);
}

/* Exporters by kind: each kind belongs to another command. */
static void list_exporters(struct tdat_json *j)
{
	static const struct {
		const char *name, *heading;
	} kinds[] = {
		[TDAT_EXPORT_EVENTS] = {"events",
					"Formats that dump, dump --json and dump --csv write:"},
		[TDAT_EXPORT_TABLES] = {"tables", "Formats that export writes from tables:"},
		[TDAT_EXPORT_PACKETS] = {"packets", "Formats that export writes from events:"}};
	size_t count;
	const struct tdat_exporter *const *table = tdat_exporters(&count);

	if (j)
		tdat_json_array(j, "exports");
	for (size_t kind = 0; kind < sizeof(kinds) / sizeof(kinds[0]); kind++) {
		if (!j)
			printf("\n%s\n", kinds[kind].heading);
		for (size_t i = 0; i < count; i++)
			if (table[i]->kind == kind)
				list_format(j, table[i]->name, kinds[kind].name, table[i]->summary,
					    table[i]->options);
	}
	if (j)
		tdat_json_array_end(j);
}

/* Needs no file. A build without importers is reported, as their list would look forgotten. */
static void list_formats(bool as_json)
{
	struct tdat_json j;

	if (!tdat_has(TDAT_COMPONENT_IMPORTERS))
		cli_error(NULL, "this tdat was built without importers (TDAT_IMPORTERS=OFF)");
	if (!as_json) {
		list_importers(NULL);
		list_exporters(NULL);
		return;
	}
	cli_json_init(&j, stdout, true);
	tdat_json_object(&j, NULL);
	list_importers(&j);
	list_exporters(&j);
	tdat_json_object_end(&j);
	cli_json_end(&j);
}

/*
 * Without -i the first word that names an existing file is the file; the others are events. Returns
 * the number of these, at the beginning of words.
 */
static int take_file(struct list_args *args, char **words, int count)
{
	int kept = 0;

	for (int i = 0; i < count; i++) {
		if (!args->input && (!strcmp(words[i], "-") || !access(words[i], F_OK)))
			args->input = words[i];
		else
			words[kept++] = words[i];
	}
	if (!args->input)
		args->input = "trace.dat";
	return kept;
}

/* The tables of one file, as commands with tables know them. */
static int list_tables(const struct list_args *a)
{
	struct cli_table_args args = CLI_TABLE_ARGS_INIT;
	char *const paths[] = {(char *)a->input};
	struct cli_trace t;
	int rc;

	args.limits = a->limits;
	rc = cli_trace_open(&t, "list", &args, paths, 1);
	if (rc == CLI_OK)
		rc = cli_trace_list(&t, false, a->json);
	rc = rc == CLI_OK ? t.status : rc;
	cli_trace_close(&t);
	return rc;
}

/* --formats and events are two lists with options of their own. */
static int list_run(const struct cli_cmd *cmd, int argc, char **argv)
{
	struct list_args args = {.limits = TDAT_LIMITS_INIT};
	struct list_request request;
	int status, patterns;

	if (!cli_opt_parse(cmd, list_opts, &argc, argv, &args, &status))
		return status;
	if (args.formats && argc > 1) {
		cli_error(NULL, "--formats does not accept an event, such as '%s'", argv[1]);
		return CLI_USAGE;
	}
	if (args.formats) {
		list_formats(args.json);
		return CLI_OK;
	}
	patterns = take_file(&args, argv + 1, argc - 1);
	if (args.tables && patterns) {
		cli_error(NULL, "--tables does not accept an event, such as '%s'", argv[1]);
		return CLI_USAGE;
	}
	if (args.tables)
		return list_tables(&args);
	request = (struct list_request){.file = args.input,
					.systems = args.systems,
					.fields = args.fields,
					.json = args.json,
					.raw_bytes = args.raw_bytes,
					.patterns = argv + 1,
					.pattern_count = (size_t)patterns,
					.limits = args.limits};
	return list_events(&request);
}

static const char *const list_notes[] = {
	"EVENT is system/event, system:event, a system or an event, and may contain the wildcards "
	"* and ?. The full name of one event prints its stored format file.",
	NULL};
static const char *const list_synopsis[] = {"[--systems] [--fields] [--json] [FILE] [EVENT]...",
					    "--tables [--json] [FILE]", "--formats [--json]", NULL};

const struct cli_cmd cli_cmd_list = {
	.name = "list",
	.summary = "List the events or tables of a file, or the supported formats",
	.synopsis = list_synopsis,
	.opts = list_opts,
	.notes = list_notes,
	.run = list_run,
};
