/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command tdat info: prints facts about a trace.dat without its events. It collects facts
 * (info_facts.c) and prints them as text or JSON, or single parts (info_parts.c). Counting events
 * reads all pages: of a large file this is done only on request.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tdat/tdat.h>

#include "args/limits.h"
#include "commands/commands.h"
#include "commands/each_file.h"
#include "commands/info_parts.h"
#include "input/damage.h"
#include "input/trace_files.h"
#include "terminal/columns.h"
#include "terminal/message.h"
#include "commands/info_facts.h"

static const struct cli_opt info_opts[] = {
	CLI_INPUT,
	CLI_FLAG(0, "count", struct info_args, count, "count events in files of any size"),
	CLI_FLAG(0, "verbose", struct info_args, verbose, "also list sections and options"),
	CLI_FLAG('v', NULL, struct info_args, verbose, NULL),
	CLI_FLAG(0, "json", struct info_args, json, "print the facts as JSON"),
	CLI_EXACT(struct info_args, exact),
	INFO_PART_OPTS(struct info_args),
	CLI_BIT(0, "version-of", INFO_VERSION, struct info_args, parts,
		"print the version of the program that wrote the file"),
	CLI_BIT(0, "check-events", INFO_CHECK_EVENTS, struct info_args, parts,
		"parse all event formats; exit 1 if one is invalid"),
	CLI_BIT(0, "ts-check", INFO_TS_CHECK, struct info_args, parts,
		"report timestamps that go backward on a CPU, and exit 1 if there are any"),
	CLI_CHOICE(0, "section", "NAME", info_section_names, struct info_args, section,
		   "print a part of the metadata unchanged: header_page, header_event, kallsyms, "
		   "printk, cmdlines, tgids, latency, formats, options, btf, modules"),
	CLI_FLAG(0, "raw-bytes", struct info_args, raw_bytes,
		 "with --section: print control bytes to a terminal unchanged"),
	CLI_LIMITS(struct info_args, limits),
	CLI_OPT_END,
};

/* Prints one opened file. Damage is reported in each form, hence after the output. */
static int print_file(const struct info_args *a, struct tdat_json *j, struct tdat_file *file,
		      const struct cli_file *from, bool first)
{
	const char *path = from->path;
	struct info_facts f;
	int status = CLI_OK, one;

	info_facts_init(&f, file, from);
	if (a->section >= 0) {
		status = info_section(file, path, a->section, a->raw_bytes);
	} else if (a->parts) {
		status = info_parts(file, path, a->parts);
	} else {
		status = info_facts_count(&f, path, a->count);
		if (status == CLI_OK && a->json)
			info_json(j, &f, a);
		else if (status == CLI_OK && !info_text(&f, a, first))
			status = cli_nomem();
	}
	one = cli_file_damage(path, file);
	status = status == CLI_OK ? one : status;
	if (status == CLI_OK && f.bad_pages)
		status = CLI_FAILED;
	info_facts_fini(&f);
	return status;
}

/* A file that cannot be opened has an entry in the JSON, too. */
static int info_file(const void *args, struct tdat_json *j, struct cli_files *files, size_t i)
{
	const struct info_args *a = args;
	const char *path = files->v[i].path;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_file *file;
	int status;

	if (cli_files_parse(files, i, &a->limits, &file, &err)) {
		if (a->json)
			info_json_error(j, path, &err);
		return cli_fail(path, &err);
	}
	status = print_file(a, j, file, &files->v[i], !i);
	tdat_file_close(file);
	return status;
}

/* --json prints all facts; together with an option for one of them it would be ambiguous. */
static int info_run(const struct cli_cmd *cmd, int argc, char **argv)
{
	struct info_args a = {.section = -1, .limits = TDAT_LIMITS_INIT};
	struct cli_each each = {"info", &a.limits, false, false, info_file, &a};
	int status;

	if (!cli_opt_parse(cmd, info_opts, &argc, argv, &a, &status))
		return status;
	if (a.json && (a.section >= 0 || a.parts)) {
		cli_error(NULL, "--json prints all facts; it cannot be combined with an option for "
				"one fact");
		return CLI_USAGE;
	}
	each.json = a.json;
	return cli_each_file(&each, argv + 1, argc - 1);
}

static const char *const info_synopsis[] = {"[--count] [--verbose] [--json] [FILE]...",
					    "OPTION... [FILE]...", NULL};
static const char *const info_notes[] = {"The default FILE is trace.dat; - is standard input.",
					 NULL};

const struct cli_cmd cli_cmd_info = {
	"info", "Show the contents of a trace.dat", info_synopsis, info_opts, info_notes, info_run,
};
