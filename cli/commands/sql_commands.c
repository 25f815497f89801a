/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The commands of tdat sql that start with a point: which tables there are, and how rows are
 * printed. They cover only what SQL does not: tables, schema, output mode, help, quit. An unknown
 * word is refused with a hint.
 */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/sql_commands.h"
#include "tables/table_list.h"
#include "terminal/message.h"
#include "terminal/safe_text.h"

/* A command: its argument is trimmed, and "" if there is none. */
struct command {
	const char *name, *arg, *help;
	int (*run)(struct cli_sql *s, const char *arg, bool *quit);
};

enum { COMMANDS = 7 }; /* with the one that ends the list */

static const struct command commands[COMMANDS];

/* Prints a name as SQL needs it: in quotes unless it is a plain word. Table names hold a slash. */
static void put_name(const char *name)
{
	const bool plain = !name[strspn(name, "abcdefghijklmnopqrstuvwxyz"
					      "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] &&
			   !sqlite3_keyword_check(name, (int)strlen(name));

	fputs(plain ? "" : "\"", stdout);
	for (const char *p = name; *p;) {
		const size_t n = strcspn(p, "\"");

		cli_put_text(stdout, p, n);
		fputs(p[n] ? "\"\"" : "", stdout);
		p += n + (p[n] != '\0');
	}
	fputs(plain ? "" : "\"", stdout);
}

/* Each table once: short names are second names of tables. Views have no rows of their own. */
static int list_tables(struct cli_sql *s, const char *arg, bool *quit)
{
	const struct tdat_table_opts opts = TDAT_TABLE_OPTS_INIT;
	const struct cli_table_list def = {.glob = *arg ? arg : NULL,
					   .put = put_name,
					   .inputs = s->inputs,
					   .input_count = s->input_count,
					   .opts = &opts};
	const char *const *views = sql_views();
	const int rc = cli_table_list(s->trace, &def, NULL);

	(void)quit;
	for (; *views; views++)
		if (!*arg || !fnmatch(arg, *views, 0))
			puts(*views);
	return rc;
}

/* Prints "table (column type, ...)". Hidden columns can be asked for by name only. */
static int show_schema(struct cli_sql *s, const char *arg, bool *quit)
{
	const char *separator = " (";
	sqlite3_stmt *stmt;

	(void)quit;
	if (!*arg) {
		cli_error(NULL, ".schema needs a table name; .tables lists the tables");
		return CLI_USAGE;
	}
	if (sql_need(s->queries, arg)) {
		cli_error(NULL, "SQL: %s", sql_prepare_message(s->queries));
		return CLI_FAILED;
	}
	if (sqlite3_prepare_v2(s->db, "SELECT name, type, hidden FROM pragma_table_xinfo(?)", -1,
			       &stmt, NULL) ||
	    sqlite3_bind_text(stmt, 1, arg, -1, SQLITE_STATIC)) {
		cli_error(NULL, "SQL: %s", sqlite3_errmsg(s->db));
		return CLI_FAILED;
	}
	while (sqlite3_step(stmt) == SQLITE_ROW) {
		/*
		 * The head is printed with the first column: without one the table does not exist.
		 */
		if (!strcmp(separator, " ("))
			put_name(arg);
		printf("%s", separator);
		put_name((const char *)sqlite3_column_text(stmt, 0));
		printf(" %s%s", (const char *)sqlite3_column_text(stmt, 1),
		       sqlite3_column_int(stmt, 2) ? " HIDDEN" : "");
		separator = ", ";
	}
	sqlite3_finalize(stmt);
	if (!strcmp(separator, " (")) {
		struct tdat_near near = {.word = arg};

		cli_sql_near_table(s, &near);
		cli_error(NULL, "there is no table '%s'%s", arg, tdat_near_hint(&near, ""));
		return CLI_USAGE;
	}
	puts(")");
	return CLI_OK;
}

/* The form holds for all later statements. */
static int set_mode(struct cli_sql *s, const char *arg, bool *quit)
{
	/* In the order of enum cli_result_form. */
	static const char *const names[] = {"table", "csv", "json", "jsonl", "markdown"};

	(void)quit;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(arg, names[i]) != 0)
			continue;
		s->form = (enum cli_result_form)i;
		return CLI_OK;
	}
	cli_error(NULL, ".mode accepts table, csv, json, jsonl and markdown");
	return CLI_USAGE;
}

static int leave(struct cli_sql *s, const char *arg, bool *quit)
{
	(void)s;
	(void)arg;
	*quit = true;
	return CLI_OK;
}

static int show_help(struct cli_sql *s, const char *arg, bool *quit)
{
	(void)s;
	(void)arg;
	(void)quit;
	for (const struct command *c = commands; c->name; c++)
		printf("%s%s%-*s %s\n", c->name, *c->arg ? " " : "",
		       (int)(18 - strlen(c->name) - (*c->arg != '\0')), c->arg, c->help);
	puts("Statements end with a semicolon. Ctrl-C ends a query; pressed twice, it ends tdat.");
	return CLI_OK;
}

static const struct command commands[COMMANDS] = {
	{".help", "", "print this list", show_help},
	{".mode", "FORM", "print rows as table, csv, json, jsonl or markdown", set_mode},
	{".quit", "", "end tdat, as Ctrl-D does", leave},
	{".exit", "", "same as .quit", leave},
	{".schema", "TABLE", "list the columns of a table", show_schema},
	{".tables", "[GLOB]", "list the tables with their number of rows", list_tables},
	{NULL, NULL, NULL, NULL},
};

/* Runs one command line. *quit becomes true if the shell is to end. */
int cli_sql_command(struct cli_sql *s, const char *line, bool *quit)
{
	const size_t len = strcspn(line, " \t");
	size_t end;
	char *arg;
	int rc;

	for (const struct command *c = commands; c->name; c++) {
		if (strlen(c->name) != len || strncmp(c->name, line, len) != 0)
			continue;
		arg = strdup(line + len + strspn(line + len, " \t"));
		if (!arg)
			return cli_nomem();
		end = strlen(arg);
		while (end && strchr(" \t\r\n;", arg[end - 1]))
			arg[--end] = '\0';
		rc = c->run(s, arg, quit);
		free(arg);
		return rc;
	}
	cli_error(NULL, "there is no command '%.*s'; .help lists the commands", (int)len, line);
	return CLI_USAGE;
}
