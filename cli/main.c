/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program: finds the command that the first word names and runs it. It guards the standard
 * descriptors, calls the command's function with its words, and closes stdout with a check: a full
 * disk is an error. A new command is one entry of the groups below.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <tdat/base.h>

#include "args/help.h"
#include "commands/commands.h"
#include "commands/complete.h"
#include "commands/overview.h"
#include "core/nearest.h"
#include "input/damage.h"
#include "input/unpack.h"
#include "safety/descriptors.h"
#include "safety/stack.h"
#include "terminal/pager.h"
#include "terminal/screen.h"
#include "user-events/commands/user_events.h"
#include "version.h"

/* Commands that belong together, in the order of the help. */
struct group {
	const char *what, *example;
	const struct cli_cmd *const commands[9]; /* ended by NULL */
};

/* Commands that were left out of the build are here, too (absent.c). */
static const struct group groups[] = {
	{"Read a trace",
	 "tdat dump --head 20 trace.dat",
	 {&cli_cmd_info, &cli_cmd_check, &cli_cmd_list, &cli_cmd_dump, &cli_cmd_report,
	  &cli_cmd_view}},
	{"Analyze a trace",
	 "tdat latency trace.dat",
	 {&cli_cmd_stat, &cli_cmd_latency, &cli_cmd_why, &cli_cmd_profile, &cli_cmd_diff,
	  &cli_cmd_flame, &cli_cmd_hist, &cli_cmd_sql}},
	{"Change a trace",
	 "tdat repair -o whole.dat broken.dat",
	 {&cli_cmd_repair, &cli_cmd_split, &cli_cmd_merge}},
	{"Convert a trace",
	 "tdat export --to parquet -o tables trace.dat",
	 {&cli_cmd_convert, &cli_cmd_export, &cli_cmd_user_events}},
};

enum { GROUPS = sizeof(groups) / sizeof(groups[0]), COMMANDS_MOST = GROUPS * 8 };

struct main_args {
	bool version, verbose, json;
};

static const struct cli_opt main_opts[] = {
	CLI_FLAG('V', "version", struct main_args, version, "show the version"),
	CLI_FLAG('v', "verbose", struct main_args, verbose, "also print how it was built"),
	CLI_FLAG(0, "json", struct main_args, json, "print it as JSON"),
	CLI_OPT_END,
};

static const struct cli_cmd *find_command(const char *name)
{
	for (size_t g = 0; g < GROUPS; g++)
		for (const struct cli_cmd *const *c = groups[g].commands; *c; c++)
			if (!strcmp((*c)->name, name))
				return *c;
	return NULL;
}

/* Says what answers a word that other programs have for a command. False: it is none of these. */
static bool is_of_others(const char *name)
{
	static const struct {
		const char *name, *answer;
	} list[] = {
		{"record", "trace-cmd records the kernel; \"tdat user-events record\" records "
			   "user_events of programs"},
		{"start", "trace-cmd controls a live kernel"},
		{"stop", "trace-cmd controls a live kernel"},
		{"extract",
		 "trace-cmd extracts from a live kernel; \"tdat convert\" reads a copy of "
		 "tracefs"},
		{"show", "\"tdat dump\" prints events, \"tdat view\" shows a timeline"},
		{"print", "\"tdat dump\" prints events"},
		{"cat", "\"tdat dump\" prints events"},
		{"script", "\"tdat dump\" prints events"},
		{"restore", "\"tdat repair HEAD CPUFILE...\" joins the parts of a recording"},
		{"version", "run \"tdat --version\""},
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		if (strcmp(list[i].name, name))
			continue;
		cli_error(NULL, "'%s' is not a tdat command: %s", name, list[i].answer);
		return true;
	}
	return false;
}

/* Suggests the nearest command, but never runs it. */
static int unknown_command(const char *name)
{
	struct tdat_near near = {.word = name};

	if (is_of_others(name))
		return CLI_USAGE;
	tdat_near_try(&near, "help");
	for (size_t g = 0; g < GROUPS; g++)
		for (const struct cli_cmd *const *c = groups[g].commands; *c; c++)
			tdat_near_try(&near, (*c)->name);
	cli_error(NULL, "'%s' is neither a command nor a file%s", name,
		  tdat_near_hint(&near, "; \"tdat help\" lists the commands"));
	return CLI_USAGE;
}

/* The same of "tdat help WORD", which knows questions, too. */
static int unknown_topic(const char *name)
{
	struct tdat_near near = {.word = name};

	tdat_near_try(&near, "questions");
	if (!*near.best)
		return unknown_command(name);
	cli_error(NULL, "no help for '%s'%s", name, tdat_near_hint(&near, ""));
	return CLI_USAGE;
}

/* stdout if help was asked for, stderr after a mistake. */
static void print_help(FILE *to)
{
	fputs("Usage: tdat COMMAND [OPTION]... [FILE]...\n"
	      "       tdat FILE...   summarize files, and list commands to run next\n",
	      to);
	for (size_t g = 0; g < GROUPS; g++) {
		fprintf(to, "\n%s: %s\n", groups[g].what, groups[g].example);
		for (const struct cli_cmd *const *c = groups[g].commands; *c; c++)
			fprintf(to, "  %-12s %s\n", (*c)->name, (*c)->summary);
	}
	fputs("\n"
	      "'tdat COMMAND --help' shows the options of a command.\n"
	      "'tdat help questions' lists questions with the command that answers each.\n",
	      to);
}

/* "tdat help questions" */
static void print_questions(void)
{
	static const char *const rows[][2] = {
		{"What is in this file?", "tdat trace.dat"},
		{"Is the file intact?", "tdat check trace.dat"},
		{"How do I repair it?", "tdat repair -o whole.dat trace.dat"},
		{"Were events dropped, and where?", "tdat stat trace.dat"},
		{"What happened?", "tdat dump trace.dat"},
		{"What happened at 12.5 s?", "tdat dump --from 12.49 --until 12.51 trace.dat"},
		{"What did one task do?", "tdat dump --comm nginx trace.dat"},
		{"Which events are most frequent?", "tdat stat trace.dat"},
		{"Which task waited longest to run?", "tdat latency trace.dat"},
		{"How long did disk requests take?", "tdat latency --table block_io trace.dat"},
		{"Which system calls are slow?", "tdat latency --table syscall trace.dat"},
		{"Why did a task wait?", "tdat why --task nginx trace.dat"},
		{"Where did the time go?", "tdat profile trace.dat"},
		{"What changed between two runs?", "tdat diff before.dat after.dat"},
		{"Which functions took the time?", "tdat flame -o flame.svg trace.dat"},
		{"How many events by task and type?", "tdat stat --by comm,event trace.dat"},
		{"How do I query it in SQL?", "tdat sql trace.dat 'SELECT ...'"},
		{"What does it look like?", "tdat view trace.dat"},
		{"How do I share it as one file?", "tdat view -o picture.html trace.dat"},
		{"How do I share a part of it?",
		 "tdat split --from 12 --until 13 -o part.dat -i trace.dat"},
		{"How do I query a thousand files?", "tdat export --to parquet -o lake *.dat"},
		{"How do I open it in Perfetto?",
		 "tdat export --to perfetto -o trace.pftrace trace.dat"},
		{"How do I convert another format?", "tdat convert -o trace.dat CAPTURE"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		printf("%-33s %s\n", rows[i][0], rows[i][1]);
}

/* The first word that is no option, from argv[1] on; argc: none. */
static int first_word(int argc, char **argv)
{
	int i = 1;

	for (; i < argc && argv[i][0] == '-' && argv[i][1]; i++)
		i += !strcmp(argv[i], "--color") || !strcmp(argv[i], "--max");
	return i < argc ? i : argc;
}

/* Options that need neither a command nor a file. */
static bool is_alone(const char *word)
{
	return !strcmp(word, "-h") || !strcmp(word, "--help") || !strcmp(word, "-V") ||
	       !strcmp(word, "--version");
}

/* "tdat --color always dump": options before the command go behind it. */
static void put_command_first(int argc, char **argv)
{
	const int at = first_word(argc, argv);
	char *word = at > 1 && at < argc ? argv[at] : NULL;

	if (!word || (strcmp(word, "help") != 0 && !find_command(word)))
		return;
	memmove(argv + 2, argv + 1, (size_t)(at - 1) * sizeof(*argv));
	argv[1] = word;
}

/* "tdat help [COMMAND]" */
static int help_command(int argc, char **argv)
{
	const int at = first_word(argc, argv);
	const struct cli_cmd *cmd;

	if (at == argc) {
		print_help(stdout);
		return CLI_OK;
	}
	if (!strcmp(argv[at], "questions")) {
		print_questions();
		return CLI_OK;
	}
	cmd = find_command(argv[at]);
	if (!cmd)
		return unknown_topic(argv[at]);
	cli_opt_help(cmd, cmd->opts, false);
	return CLI_OK;
}

/* Handles options without a command: --version or --help. */
static int main_options(int argc, char **argv)
{
	static const char *const synopsis[] = {"", NULL};
	const struct cli_cmd self = {NULL, "", synopsis, main_opts, NULL, NULL};
	struct main_args args = {false, false, false};
	int status;

	/* The help of no command is the list of commands, wherever the option stands. */
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "-h") || !strcmp(argv[i], "--help") ||
		    !strcmp(argv[i], "--help-all")) {
			print_help(stdout);
			return CLI_OK;
		}
	if (!cli_opt_parse(&self, main_opts, &argc, argv, &args, &status))
		return status;
	if (args.version)
		return print_version(args.verbose, args.json);
	return unknown_command(argv[1]);
}

/* "tdat __complete WORD...": for the completions of shells. */
static int complete(int argc, char **argv)
{
	const struct cli_cmd *all[COMMANDS_MOST + 1];
	size_t count = 0;

	for (size_t g = 0; g < GROUPS; g++)
		for (const struct cli_cmd *const *c = groups[g].commands; *c; c++)
			all[count++] = *c;
	all[count] = NULL;
	return complete_run(all, argc, argv);
}

/* argv[0] becomes the command's name; its options follow. */
static int dispatch(int argc, char **argv)
{
	const int at = first_word(argc, argv);
	const struct cli_cmd *cmd;

	if (argc < 2) {
		print_help(stderr);
		return CLI_USAGE;
	}
	if (at == argc || is_alone(argv[1]))
		return main_options(argc, argv);
	if (!strcmp(argv[1], "help"))
		return help_command(argc - 1, argv + 1);
	if (!strcmp(argv[1], "__complete"))
		return complete(argc - 1, argv + 1);
	cmd = find_command(argv[1]);
	if (cmd)
		return cmd->run(cmd, argc - 1, argv + 1);
	/* Without a command, files are looked at. */
	if (!strcmp(argv[at], "-") || !access(argv[at], F_OK))
		return overview_run(argc, argv);
	return unknown_command(argv[at]);
}

/* Whether what the line prints may be longer than a screen. */
static bool is_paged(int argc, char **argv)
{
	static const char *const names[] = {"dump",    "report",  "info",  "list", "stat",
					    "latency", "profile", "check", "hist", "flame",
					    "why",     "diff",	  "help"};
	bool paged = argc > 1 && (argv[1][0] == '-' || !find_command(argv[1]));

	for (size_t i = 0; argc > 1 && i < sizeof(names) / sizeof(names[0]); i++)
		paged |= !strcmp(argv[1], names[i]);
	for (int i = 1; i < argc; i++) {
		paged |= !strncmp(argv[i], "--help", 6);
		if (!strncmp(argv[i], "--no-pa", 7) || !strcmp(argv[i], "--version") ||
		    !strcmp(argv[i], "__complete"))
			return false;
	}
	return paged;
}

/* What was read of a doubted input is not all of it, whatever the command made of it. */
static int end(int status)
{
	return cli_stdout_close(status == CLI_OK && cli_input_doubts() ? CLI_FAILED : status);
}

/* The only place that closes stdout: a failed write changes the exit status. */
int main(int argc, char **argv)
{
	cli_stdio_guard();
	put_command_first(argc, argv);
	setvbuf(stderr, NULL, _IOLBF, 0); /* a line is one write */
	if (is_paged(argc, argv))
		cli_pager_start(cli_screen_width());
	return end(cli_stack_run(dispatch, argc, argv));
}
