/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command tdat profile: prints where the time of each task and CPU went. tdat_summary_profile
 * adds it up in one pass over derived tables; profile_text.c prints it. Nothing is printed before
 * everything was read.
 */
#include <stdio.h>

#include "commands/commands.h"
#include "commands/summary_text.h"
#include "tables/table_list.h"
#include "tables/trace_tables.h"
#include "terminal/columns.h"
#include "terminal/message.h"

struct profile_args {
	struct cli_table_args table; /* must be the first */
	uint64_t top;
	bool json, csv, exact;
};

static const struct cli_opt profile_opts[] = {
	CLI_INPUT,
	CLI_U64(0, "top", "N", 0, 0, struct profile_args, top,
		"print at most N tasks (default: 20; 0: all)"),
	CLI_FLAG(0, "json", struct profile_args, json, "print the result, with all tasks, as JSON"),
	CLI_FLAG(0, "csv", struct profile_args, csv, "print one line per task as CSV"),
	CLI_EXACT(struct profile_args, exact),
	CLI_TABLE_OPTS(struct profile_args, table),
	CLI_FILTER_TO(struct profile_args, table.filter),
	CLI_OPT_END,
};

/*
 * True if the profile has no number to print. It may have tasks nevertheless: those that ran, or
 * waited, when the trace ended.
 */
static bool is_empty(const struct tdat_summary *s)
{
	const struct tdat_profile_task *t;
	const struct tdat_profile_cpu *c;

	for (size_t i = 0; (t = tdat_profile_task(s, i)); i++)
		if (t->on_cpu || t->waiting || t->blocked || t->sleeping || t->wakeups ||
		    t->migrations || t->page_faults || t->irqs.count || t->softirqs.count ||
		    t->syscalls.count || t->functions.count)
			return false;
	for (size_t i = 0; (c = tdat_profile_cpu(s, i)); i++)
		if (c->busy || c->idle || c->irqs.count || c->softirqs.count)
			return false;
	return true;
}

/* The callback of cli_sum_up() that makes the summary; nothing is read yet. */
static enum tdat_status make(const void *args, const struct tdat_trace *trace,
			     struct tdat_summary **out, struct tdat_error *err)
{
	(void)args;
	return tdat_summary_profile(out, trace, err);
}

/* Prints one of three forms. Text has its notes in itself; CSV has them on stderr. */
static int print(const void *args, struct cli_trace *t, const struct tdat_summary *s)
{
	const struct profile_args *a = args;
	int rc = CLI_OK;

	if (a->json) {
		rc = cli_trace_json(s, 0);
		putchar('\n');
	} else if (a->csv) {
		profile_csv(s, t->input_count > 1);
		cli_trace_tell_notes(s);
	} else if (!profile_text(s, a->top, a->exact)) {
		rc = cli_nomem();
	}
	if (rc == CLI_OK && is_empty(s) &&
	    cli_table_lacks("profile", &tdat_trace_find(t->trace, "sched")->about, t->inputs,
			    t->input_count, &t->args->filter))
		t->status = CLI_FAILED;
	else if (rc == CLI_OK && is_empty(s))
		cli_trace_warn_empty(t, "profile");
	return rc;
}

/* The exit status is that of cli_sum_up(): 1 after damage. */
static int profile_run(const struct cli_cmd *cmd, int argc, char **argv)
{
	struct profile_args a = {.table = CLI_TABLE_ARGS_INIT, .top = 20};
	const struct cli_summary def = {&a, make, print, NULL};
	int status;

	if (cli_opt_parse(cmd, profile_opts, &argc, argv, &a, &status)) {
		if (a.json && a.csv) {
			cli_error(NULL, "--json and --csv cannot be combined");
			status = CLI_USAGE;
		} else {
			status = cli_sum_up("profile", &a.table, argc, argv, &def);
		}
	}
	cli_table_args_fini(&a.table);
	return status;
}

static const char *const profile_synopsis[] = {"[OPTION]... [FILE]...", NULL};
static const char *const profile_notes[] = {
	"The default FILE is trace.dat; - is standard input. Several files are read as one trace.",
	"docs/analysis.md defines the tables that profile adds up.", NULL};

const struct cli_cmd cli_cmd_profile = {
	"profile",	  "Show where each task and CPU spent its time",
	profile_synopsis, profile_opts,
	profile_notes,	  profile_run,
};
