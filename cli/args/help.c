/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the help of a command from its table of options. Text and widths come from the table
 * alone, so help, parser and manual page (tests/lint/options.sh) cannot differ. Prints to stdout,
 * and leaves the exit to its caller.
 */
#include "args/help.h"

#include <stdio.h>
#include <string.h>

/* The column where descriptions begin, and the width of a terminal that everyone has. */
enum { LEFT_WIDTH = 28, LINE_WIDTH = 80 };

/* Prints the words of text from column LEFT_WIDTH on; column is where the cursor is. */
static void put_wrapped(const char *text, size_t column)
{
	bool first = true;

	/* A long option has its description on the next line. */
	if (column + 2 > LEFT_WIDTH) {
		putchar('\n');
		column = 0;
	}
	printf("%*s", (int)(LEFT_WIDTH - column), "");
	column = LEFT_WIDTH;
	while (*text) {
		size_t len = strcspn(text, " ");

		if (!first && column + 1 + len > LINE_WIDTH) {
			printf("\n%*s", LEFT_WIDTH, "");
			column = LEFT_WIDTH;
		} else if (!first) {
			putchar(' ');
			column++;
		}
		printf("%.*s", (int)len, text);
		column += len;
		first = false;
		text += len;
		text += strspn(text, " ");
	}
	putchar('\n');
}

/* One option: both names and the argument at the left, the description behind. */
static void put_row(const struct cli_opt *opt)
{
	char left[80];
	int n = 0;

	if (opt->short_name && opt->long_name)
		n = snprintf(left, sizeof(left), "  -%c, --%s", opt->short_name, opt->long_name);
	else if (opt->short_name)
		n = snprintf(left, sizeof(left), "  -%c", opt->short_name);
	else
		n = snprintf(left, sizeof(left), "      --%s", opt->long_name);
	if (opt->arg && (size_t)n < sizeof(left))
		n += snprintf(left + n, sizeof(left) - (size_t)n, " %s", opt->arg);
	fputs(left, stdout);
	put_wrapped(opt->help, (size_t)n);
}

/* Options without a help text exist, but are not shown. */
static void print_rows(const struct cli_opt *opts)
{
	static const struct cli_opt help = {.short_name = 'h',
					    .long_name = "help",
					    .kind = CLI_OPT_FLAG,
					    .help = "show this help"};

	for (; opts->kind != CLI_OPT_LAST; opts++)
		if (opts->help && opts->kind != CLI_OPT_ARG)
			put_row(opts);
	put_row(&help);
}

/* Called for --help and for "tdat help COMMAND". */
void cli_opt_help(const struct cli_cmd *cmd, const struct cli_opt *opts)
{
	for (size_t i = 0; cmd->synopsis[i]; i++)
		printf("%s tdat %s %s\n", i ? "      " : "Usage:", cmd->name, cmd->synopsis[i]);
	printf("\n%s\n\nOptions:\n", cmd->summary);
	print_rows(opts);
	if (cmd->notes)
		putchar('\n');
	for (size_t i = 0; cmd->notes && cmd->notes[i]; i++)
		puts(cmd->notes[i]);
}
