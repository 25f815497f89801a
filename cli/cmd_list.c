/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include <tdat/emit.h>

#include "cmd.h"
#include "json.h"

struct list_args {
	bool formats;
	bool json;
};

static const struct cli_opt list_opts[] = {
	CLI_FLAG(0, "formats", struct list_args, formats,
		 "list the formats that convert can read, with their options"),
	CLI_FLAG(0, "json", struct list_args, json, "print the list as JSON"),
	CLI_OPT_END,
};

static void text_importer(const struct tdat_importer *im)
{
	const struct tdat_import_opt_desc *o;

	printf("%-14s %s\n", im->name, im->summary);
	for (o = im->options; o && o->key; o++) {
		int n = printf("    --%s%s%s", o->key, o->arg ? " " : "", o->arg ? o->arg : "");

		printf("%*s %s\n", n < 30 ? 30 - n : 0, "", o->help);
	}
}

static void json_importer(struct cli_json *j, const struct tdat_importer *im)
{
	const struct tdat_import_opt_desc *o;

	cli_json_object(j, NULL);
	cli_json_str(j, "name", im->name);
	cli_json_str(j, "summary", im->summary);
	cli_json_array(j, "options");
	for (o = im->options; o && o->key; o++) {
		cli_json_object(j, NULL);
		cli_json_str(j, "name", o->key);
		cli_json_str(j, "argument", o->arg);
		cli_json_str(j, "help", o->help);
		cli_json_object_end(j);
	}
	cli_json_array_end(j);
	cli_json_object_end(j);
}

static void list_formats(bool as_json)
{
	const struct tdat_importer *const *table;
	struct cli_json j;
	size_t count;

	table = tdat_importers(&count);
	if (!as_json) {
		for (size_t i = 0; i < count; i++)
			text_importer(table[i]);
		return;
	}
	cli_json_init(&j, stdout, true);
	cli_json_object(&j, NULL);
	cli_json_array(&j, "formats");
	for (size_t i = 0; i < count; i++)
		json_importer(&j, table[i]);
	cli_json_array_end(&j);
	cli_json_object_end(&j);
	cli_json_end(&j);
}

static int list_run(const struct cli_cmd *cmd, int argc, char **argv)
{
	struct list_args args = {false, false};
	int status;

	if (!cli_opt_parse(cmd, list_opts, &argc, argv, &args, &status))
		return status;
	if (argc > 1) {
		cli_error(NULL, "list takes no file here, not '%s'", argv[1]);
		return CLI_USAGE;
	}
	if (!args.formats) {
		cli_error(NULL, "list needs to know what: --formats");
		return CLI_USAGE;
	}
	list_formats(args.json);
	return CLI_OK;
}

static const char *const list_synopsis[] = {"--formats [--json]", NULL};

const struct cli_cmd cli_cmd_list = {
	.name = "list",
	.summary = "List the formats that can be converted.",
	.synopsis = list_synopsis,
	.opts = list_opts,
	.run = list_run,
};
