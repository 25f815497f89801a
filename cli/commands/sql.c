/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command tdat sql: answers queries of the tables of a trace. A query comes from the command
 * line, a file or a shell; all run in one session (sql_session.c). Files are opened and the
 * temporary folder is named before the sandbox is entered.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "args/limits.h"
#include "commands/commands.h"
#include "commands/sql_commands.h"
#include "commands/sql_shell.h"
#include "core/temp_file.h"
#include "input/text_file.h"
#include "safety/own_input.h"

struct sql_args {
	bool csv, json, jsonl, markdown;
	bool raw_ts, no_date, perfetto, no_pushdown;
	const char *script;
	struct tdat_limits limits;
};

static const struct cli_opt sql_opts[] = {
	CLI_INPUT,
	CLI_FLAG(0, "csv", struct sql_args, csv, "print rows as CSV"),
	CLI_FLAG(0, "json", struct sql_args, json, "print rows as one JSON array of objects"),
	CLI_FLAG(0, "jsonl", struct sql_args, jsonl,
		 "print each row as a JSON object on its own line"),
	CLI_FLAG(0, "markdown", struct sql_args, markdown, "print rows as a Markdown table"),
	CLI_STRING(0, "file", "SCRIPT", struct sql_args, script,
		   "run the statements in SCRIPT; - is standard input"),
	CLI_STRING('f', NULL, "SCRIPT", struct sql_args, script, NULL),
	CLI_FLAG(0, "perfetto", struct sql_args, perfetto,
		 "prefer Perfetto's tables, such as sched, to tdat's"),
	CLI_FLAG(0, "raw-ts", struct sql_args, raw_ts,
		 "use timestamps as stored in the ring buffer"),
	CLI_FLAG(0, "nodate", struct sql_args, no_date,
		 "do not add the offset of trace-cmd record --date"),
	CLI_FLAG(0, "no-pushdown", struct sql_args, no_pushdown,
		 "read all rows and let SQLite select, to debug tdat"),
	CLI_LIMITS(struct sql_args, limits),
	CLI_OPT_END,
};

/* ---- what to run ---- */

/*
 * True if the last argument is a query: no file has that name. One that stands alone must have a
 * blank, else it is the name of a file that is missing.
 */
static bool has_query(const struct sql_args *a, int count, char **words)
{
	return !a->script && count > 0 && strcmp(words[count - 1], "-") != 0 &&
	       access(words[count - 1], F_OK) != 0 && (count > 1 || strchr(words[0], ' '));
}

/* At most one form may be chosen; the default is aligned columns. */
static int choose_form(const struct sql_args *a, enum cli_result_form *form)
{
	if (a->csv + a->json + a->jsonl + a->markdown > 1) {
		cli_error(NULL, "--csv, --json, --jsonl and --markdown cannot be combined");
		return CLI_USAGE;
	}
	*form = a->csv	      ? CLI_RESULT_CSV
		: a->json     ? CLI_RESULT_JSON
		: a->jsonl    ? CLI_RESULT_JSONL
		: a->markdown ? CLI_RESULT_MARKDOWN
			      : CLI_RESULT_TABLE;
	return CLI_OK;
}

/* Opens the files and enters the sandbox. Other files, such as a script, were read before. */
static int open_session(const struct sql_args *a, struct cli_sql *s, char **paths, int count,
			bool typing)
{
	const struct cli_sql_def def = {&a->limits, a->raw_ts, a->no_date, a->perfetto,
					a->no_pushdown};
	const char *dir = tdat_temp_dir();
	int rc = cli_output_check_text("sql", paths, (size_t)count);

	if (rc != CLI_OK)
		return rc;
	if (sqlite3_initialize() == SQLITE_OK)
		sqlite3_randomness(0, NULL);
	/* Otherwise SQLite would try folders that the sandbox forbids. */
	sqlite3_temp_directory = sqlite3_mprintf("%s", dir);
	rc = cli_files_open_sorting(&s->files, paths, count, dir, typing);
	return rc == CLI_OK ? cli_sql_open(s, &def) : rc;
}

/* Where the line of text ends that begins with a point behind whole statements; or the text ends.
 */
static char *statements_end(char *text)
{
	char *end = text;

	while ((end = strstr(end, "\n.")) != NULL) {
		bool whole;

		*end = '\0';
		whole = sqlite3_complete(text);
		*end++ = '\n';
		if (whole)
			return end;
	}
	return text + strlen(text);
}

/* A line that begins with a point, where no statement is open, is a command of the shell. */
static int run_text(struct cli_sql *s, char *text)
{
	bool quit = false;
	int rc = CLI_OK;

	while (rc == CLI_OK && !quit && *(text += strspn(text, " \t\r\n"))) {
		char *end = *text == '.' ? text + strcspn(text, "\n") : statements_end(text);
		const char was = *end;

		*end = '\0';
		rc = *text == '.' ? cli_sql_command(s, text, &quit) : cli_sql_run(s, text);
		*end = was;
		text = end;
	}
	return rc;
}

/* The history of typed lines is opened before the sandbox is entered. */
static int run_shell(const struct sql_args *a, struct cli_sql *s, char **paths, int count)
{
	struct cli_sql_shell shell;
	int rc;

	cli_sql_shell_start(&shell, s);
	rc = open_session(a, s, paths, count, true);
	if (rc == CLI_OK)
		return cli_sql_shell_run(&shell);
	cli_line_end(&shell.lines);
	return rc;
}

/* A shell runs if both ends are terminals and there is neither a query nor a script. */
static int run(const struct sql_args *a, struct cli_sql *s, char **words, int count, char **script)
{
	const bool query = has_query(a, count, words);
	const char *const file = a->script ? a->script : "-";
	int rc = choose_form(a, &s->form);

	for (int i = 0; rc == CLI_OK && !query && !strcmp(file, "-") && i < count; i++) {
		if (strcmp(words[i], "-") != 0)
			continue;
		cli_error("-", "standard input is the trace: give the query as the last argument, "
			       "or with --file");
		return CLI_USAGE;
	}
	for (int i = 0; i + 1 < count; i++)
		if (strchr(words[i], ' ') && access(words[i], F_OK) != 0) {
			cli_error(words[i], "is not a file; the query is the last argument: tdat "
					    "sql FILE QUERY");
			return CLI_USAGE;
		}
	if (rc == CLI_OK && !query && !a->script && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))
		return run_shell(a, s, words, count);
	if (rc == CLI_OK && !query)
		rc = cli_output_check("sql", "-", true, &file, 1);
	if (rc == CLI_OK && !query)
		rc = cli_text_file(file, CLI_SQL_SCRIPT_MOST, "an SQL script", CLI_FAILED, script);
	if (rc == CLI_OK)
		rc = open_session(a, s, words, query ? count - 1 : count, false);
	return rc == CLI_OK ? run_text(s, query ? words[count - 1] : *script) : rc;
}

/* A query may begin with a comment, which is not an option: no option has a blank in its name. */
static char *behind_comments(char *query)
{
	const size_t name = strcspn(query, " \t\r\n=");

	if (strncmp(query, "--", 2) != 0 || !query[name] || query[name] == '=')
		return query;
	while (!strncmp(query, "--", 2)) {
		query += strcspn(query, "\n");
		query += strspn(query, " \t\r\n");
	}
	return query;
}

static int sql_run(const struct cli_cmd *cmd, int argc, char **argv)
{
	struct sql_args args = {.limits = TDAT_LIMITS_INIT};
	struct cli_sql session = {.status = CLI_OK};
	char *script = NULL;
	int status;

	if (argc > 1)
		argv[argc - 1] = behind_comments(argv[argc - 1]);
	if (!cli_opt_parse(cmd, sql_opts, &argc, argv, &args, &status))
		return status;
	session.files.spool_len = args.limits.spool_len;
	status = run(&args, &session, argv + 1, argc - 1, &script);
	/* Damage that opening met counts without a statement, too. */
	status = status == CLI_OK ? session.status : status;
	cli_sql_close(&session);
	free(script);
	return status;
}

static const char *const synopsis[] = {"[OPTION]... [FILE]... QUERY",
				       "[OPTION]... [--file SCRIPT] [FILE]...", NULL};
static const char *const notes[] = {
	"The default FILE is trace.dat; several files are read as one trace. Without QUERY, sql "
	"reads statements from standard input; on a terminal it is a shell. The last argument is "
	"QUERY unless it names a file; a single argument is a query if it contains a space.",
	"Tables are events, tasks, \"sched/sched_switch\" or sched_switch, and others that "
	"docs/tables.md describes.",
	"Exit status: 0 success, 1 damaged input or failure, 2 wrong usage or an invalid "
	"statement.",
	NULL,
};

const struct cli_cmd cli_cmd_sql = {
	.name = "sql",
	.summary = "Run SQL queries on the tables of a trace",
	.synopsis = synopsis,
	.opts = sql_opts,
	.notes = notes,
	.run = sql_run,
};
