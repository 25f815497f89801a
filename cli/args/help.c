/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the help of a command from its table of options. Text and widths come from the table
 * alone, so help, parser and manual page (tests/lint/options.sh) cannot differ. Prints to stdout,
 * and leaves the exit to its caller.
 */
#include "args/help.h"

#include <stdio.h>
#include <string.h>

#include "args/examples.h"
#include "terminal/screen.h"

/* The column where descriptions begin, and the width of a terminal that everyone has. */
enum { LEFT_WIDTH = 28, LINE_WIDTH = 80 };

/* Prints the words of text from column LEFT_WIDTH on; column is where the cursor is. */
static void put_wrapped(const char *text, size_t column)
{
	/* A long option has its description on the next line. */
	if (column + 2 > LEFT_WIDTH) {
		putchar('\n');
		column = 0;
	}
	printf("%*s", (int)(LEFT_WIDTH - column), "");
	cli_fold(text, LEFT_WIDTH, LEFT_WIDTH, LINE_WIDTH);
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

/* Options that many commands have. --help names those of a group, --help-all describes them. */
static const struct group {
	const char *command; /* NULL: of any */
	const char *what;
	const char *const names[18]; /* ended by NULL */
} groups[] = {
	{"report",
	 "Print facts instead of events:",
	 {"endian", "page-size", "functions", "printk", "event-names", "events", "event", "stat",
	  "uname", "version", "cpus", "first-event", "last-event", "check-events", "ts-check"}},
	{"export",
	 "Output format:",
	 {"option", "ctf-names", "partition", "part-pipe", "compact", "perfetto-compat", "tracks",
	  "pair"}},
	{"convert", "Input format:", {"from"}},
	{NULL,
	 "Select events:",
	 {"event", "pid", "comm", "cpu", "buffer", "from", "until", "filter", "invert", "no-irq",
	  "no-softirq"}},
	{NULL,
	 "Timestamps:",
	 {"time", "utc", "nanoseconds", "align-ts", "ts-diff", "raw-ts", "nodate", "ts-offset",
	  "ts2secs"}},
	{NULL,
	 "Event text:",
	 {"latency", "raw", "raw-event", "no-plugins", "no-plugin-event", "local-plugins",
	  "plugin-dir", "option", "compat", "hz", "raw-bytes", "json-hex", "json-strings"}},
	{NULL, "Output files:", {"force", "file-version", "compression", "level"}},
	{NULL, "General:", {"threads", "tmpdir", "max", "quiet"}},
};

enum { GROUPS = sizeof(groups) / sizeof(groups[0]) };

static bool is_listed(const struct group *g, const char *name)
{
	for (const char *const *n = g->names; *n; n++)
		if (!strcmp(*n, name))
			return true;
	return false;
}

/* The group of an option; GROUPS: it belongs to its command alone. */
static size_t group_of(const struct cli_cmd *cmd, const struct cli_opt *opt)
{
	size_t g = 0;

	if (!opt->long_name)
		return GROUPS;
	while (g < GROUPS && ((groups[g].command && strcmp(groups[g].command, cmd->name) != 0) ||
			      !is_listed(&groups[g], opt->long_name)))
		g++;
	return g;
}

/* Names an option behind the others of its line: "-e --event GLOB" or "--pid LIST". */
static void put_name(const struct cli_opt *opt, size_t *column)
{
	char name[80];
	const char letter[] = {'-', opt->short_name, ' ', '\0'};
	size_t len;

	snprintf(name, sizeof(name), "%s--%s%s%s", opt->short_name ? letter : "", opt->long_name,
		 opt->arg ? " " : "", opt->arg ? opt->arg : "");
	len = strlen(name);
	if (*column && *column + 2 + len >= LINE_WIDTH) {
		fputs(",\n", stdout);
		*column = 0;
	}
	*column += (size_t)printf("%s%s", *column ? ", " : "  ", name);
}

/*
 * Prints the options of a group: their rows, or with `names` their names alone. Options without a
 * help text exist, but are not shown.
 */
static void print_group(const struct cli_cmd *cmd, const struct cli_opt *opts, size_t g, bool names)
{
	bool first = true;
	size_t column = 0;

	for (; opts->kind != CLI_OPT_LAST; opts++) {
		if (!opts->help || opts->kind == CLI_OPT_ARG || group_of(cmd, opts) != g)
			continue;
		if (first && g < GROUPS)
			printf("%s\n", groups[g].what);
		first = false;
		if (names)
			put_name(opts, &column);
		else
			put_row(opts);
	}
	if (column)
		putchar('\n');
}

static void print_rows(const struct cli_cmd *cmd, const struct cli_opt *opts, bool all)
{
	static const struct cli_opt help[] = {
		{.short_name = 'h', .long_name = "help", .help = "show this help"},
		{.long_name = "help-all", .help = "also describe the options below"},
		{.long_name = "color",
		 .arg = "WHEN",
		 .help = "when to use color: auto, always or never"},
		{.long_name = "no-pager", .help = "print long text without a pager"},
	};

	print_group(cmd, opts, GROUPS, false);
	for (size_t i = 0; i < (all ? 4 : 2); i++)
		put_row(&help[i]);
	for (size_t g = 0; g < GROUPS; g++)
		print_group(cmd, opts, g, !all);
}

/* Called for --help, --help-all, and for "tdat help COMMAND". */
void cli_opt_help(const struct cli_cmd *cmd, const struct cli_opt *opts, bool all)
{
	const char *const *examples = cli_examples(cmd->name);

	for (size_t i = 0; cmd->synopsis[i]; i++)
		printf("%s tdat %s%s%s\n", i ? "      " : "Usage:", cmd->name,
		       *cmd->name ? " " : "", cmd->synopsis[i]);
	printf("\n%s\n", cmd->summary);
	for (size_t i = 0; i < CLI_EXAMPLES && examples; i++)
		printf("%s%s\n", i ? "  " : "\nExamples:\n  ", examples[i]);
	puts("\nOptions:");
	print_rows(cmd, opts, all);
	if (cmd->notes)
		putchar('\n');
	for (size_t i = 0; cmd->notes && cmd->notes[i]; i++)
		cli_fold(cmd->notes[i], 0, 0, LINE_WIDTH);
}
