/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program: finds the command that the first word names and runs it. It guards the standard
 * descriptors, calls the command's function with its words, and closes stdout with a check: a full
 * disk is an error. A new command is one row of the table below.
 */
#include <stdio.h>
#include <string.h>

#include <tdat/base.h>

#include "args/help.h"
#include "args/nearest.h"
#include "commands/commands.h"
#include "safety/descriptors.h"
#include "safety/stack.h"
#include "user-events/commands/user_events.h"

/* The order of the help. Commands that were left out of the build are here, too (absent.c). */
static const struct cli_cmd *const commands[] = {
	/* clang-format off */
	&cli_cmd_check,
	&cli_cmd_convert,
	&cli_cmd_dump,
	&cli_cmd_export,
	&cli_cmd_hist,
	&cli_cmd_flame,
	&cli_cmd_info,
	&cli_cmd_latency,
	&cli_cmd_list,
	&cli_cmd_merge,
	&cli_cmd_profile,
	&cli_cmd_repair,
	&cli_cmd_report,
	&cli_cmd_split,
	&cli_cmd_sql,
	&cli_cmd_stat,
	&cli_cmd_user_events,
	&cli_cmd_view,
	NULL,
	/* clang-format on */
};

struct main_args {
	bool version;
};

static const struct cli_opt main_opts[] = {
	CLI_FLAG('V', "version", struct main_args, version, "show the version"),
	CLI_OPT_END,
};

static const struct cli_cmd *find_command(const char *name)
{
	for (size_t i = 0; commands[i]; i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

/* Suggests the nearest command, but never runs it. */
static int unknown_command(const char *name)
{
	const char *names[sizeof(commands) / sizeof(commands[0])] = {"help"};
	size_t count = 1;

	for (size_t i = 0; commands[i]; i++)
		names[count++] = commands[i]->name;
	cli_error(NULL, "unknown command '%s'; the nearest is '%s'", name,
		  cli_nearest(name, names, count));
	return CLI_USAGE;
}

/* stdout if help was asked for, stderr after a mistake. */
static void print_help(FILE *to)
{
	fputs("Usage: tdat COMMAND [OPTIONS] [FILE...]\n"
	      "\n"
	      "Read, write and convert trace.dat files.\n"
	      "\n"
	      "Commands:\n",
	      to);
	for (size_t i = 0; commands[i]; i++)
		fprintf(to, "  %-12s %s\n", commands[i]->name, commands[i]->summary);
	fputs("\n'tdat COMMAND --help' tells the options of a command.\n", to);
}

static int print_version(void)
{
	printf("tdat %s\n", tdat_version());
	return CLI_OK;
}

/* "tdat help [COMMAND]" */
static int help_command(int argc, char **argv)
{
	const struct cli_cmd *cmd;

	if (argc < 2) {
		print_help(stdout);
		return CLI_OK;
	}
	cmd = find_command(argv[1]);
	if (!cmd)
		return unknown_command(argv[1]);
	cli_opt_help(cmd, cmd->opts);
	return CLI_OK;
}

/* Handles an option before the command: --version or --help. */
static int main_option(char *word)
{
	static const char *const synopsis[] = {"", NULL};
	const struct cli_cmd self = {NULL, "", synopsis, main_opts, NULL, NULL};
	struct main_args args = {false};
	char *argv[] = {"tdat", word, NULL};
	int argc = 2, status;

	if (!strcmp(word, "-h") || !strcmp(word, "--help")) {
		print_help(stdout);
		return CLI_OK;
	}
	if (!cli_opt_parse(&self, main_opts, &argc, argv, &args, &status))
		return status;
	if (args.version)
		return print_version();
	return unknown_command(word);
}

/* argv[0] becomes the command's name; its options follow. */
static int dispatch(int argc, char **argv)
{
	const struct cli_cmd *cmd;

	if (argc < 2) {
		print_help(stderr);
		return CLI_USAGE;
	}
	if (argv[1][0] == '-')
		return main_option(argv[1]);
	if (!strcmp(argv[1], "help"))
		return help_command(argc - 1, argv + 1);
	cmd = find_command(argv[1]);
	if (!cmd)
		return unknown_command(argv[1]);
	return cmd->run(cmd, argc - 1, argv + 1);
}

/* The only place that closes stdout: a failed write changes the exit status. */
int main(int argc, char **argv)
{
	cli_stdio_guard();
	setvbuf(stderr, NULL, _IOLBF, 0); /* a line is one write */
	return cli_stdout_close(cli_stack_run(dispatch, argc, argv));
}
