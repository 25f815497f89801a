/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command tdat why: explains why a task waited. The table critical_path has the segments,
 * tdat_summary_why the causes; why_text.c prints them. What is explained: the worst wakeup of the
 * trace, the longest waits of tasks, the wait at a time, a window of a task, or all together.
 */
#include <stdio.h>
#include <string.h>

#include "args/ts_offset.h"
#include "commands/commands.h"
#include "commands/summary_text.h"
#include "output/selection.h"
#include "tables/table_list.h"
#include "tables/trace_tables.h"
#include "terminal/columns.h"
#include "terminal/message.h"

/* In the order of enum tdat_explained. */
static const char *const of_names[] = {"all", "waits", "wakeups", NULL};

struct why_args {
	struct cli_table_args table; /* must be the first */
	struct cli_list tasks;
	const char *at;
	uint64_t worst, top;
	int of; /* -1: as the other options say */
	bool summary, json, csv, exact;
	char *const *paths;
	int path_count;
};

static const struct cli_opt why_opts[] = {
	CLI_INPUT,
	CLI_WORDS(
		0, "task", "NAME|PID", struct why_args, tasks,
		"explain the longest waits of this task, or with --from or --until the whole span"),
	CLI_STRING(0, "at", "TIME", struct why_args, at, "explain the wait that contains TIME"),
	CLI_U64(0, "worst", "N", 1, 1000, struct why_args, worst,
		"explain the N longest waits or wakeups (default: 5 for a task, else 1)"),
	CLI_CHOICE(0, "of", "WHAT", of_names, struct why_args, of,
		   "waits: off the CPU; wakeups: from the wakeup until the task gets a CPU; all: "
		   "the whole time (default: waits for a task, else wakeups)"),
	CLI_FLAG(0, "summary", struct why_args, summary,
		 "add up the causes of all wakeups, or of all waits of a task"),
	CLI_U64(0, "top", "N", 0, 0, struct why_args, top,
		"print at most N causes of each wait or wakeup (default: 5, or 20 with --summary; "
		"0: all)"),
	CLI_FLAG(0, "json", struct why_args, json, "print all segments and causes as JSON"),
	CLI_FLAG(0, "csv", struct why_args, csv,
		 "print all segments as CSV, or with --summary causes"),
	CLI_EXACT(struct why_args, exact),
	CLI_TABLE_OPTS(struct why_args, table),
	CLI_FILTER_TO(struct why_args, table.filter),
	CLI_OPT_END,
};

/* The text of a time in the unit of the column ts. */
static enum tdat_status find_time(const struct tdat_trace *trace, const char *text, bool *has,
				  int64_t *ts, struct tdat_error *err)
{
	*has = text;
	return text ? tdat_trace_time(trace, text, ts, err) : TDAT_OK;
}

/*
 * Says which events the trace lacks, and what it can explain without them. False: it has all.
 */
static bool tell_lack(const struct why_args *a, const struct cli_trace *t)
{
	const struct tdat_table_about *waits = &tdat_trace_find(t->trace, "critical_path")->about;
	const bool wakeups = a->of == TDAT_EXPLAIN_WAKEUPS;
	char sentence[TDAT_LACKS_SENTENCE_LEN], record[TDAT_LACKS_LEN];

	if (!cli_table_lacks("why", wakeups ? &tdat_trace_find(t->trace, "wakeup")->about : waits,
			     t->inputs, t->input_count, &t->args->filter))
		return false;
	if (wakeups &&
	    !tdat_table_lacks(sentence, record, "why", waits, t->inputs, t->input_count, NULL))
		cli_error(NULL, "--of waits explains waits without these events");
	return true;
}

/* A window is cut to its times; a wait at a time is shown whole. */
static enum tdat_status make(const void *args, const struct tdat_trace *trace,
			     struct tdat_summary **out, struct tdat_error *err)
{
	const struct why_args *a = args;
	const struct cli_filter *f = &a->table.filter;
	struct tdat_why_opts opts = TDAT_WHY_OPTS_INIT;
	enum tdat_status st = TDAT_OK;

	opts.of = (enum tdat_explained)a->of;
	opts.worst = a->summary ? 0 : (uint32_t)a->worst;
	opts.paths = (const char *const *)a->paths;
	opts.path_count = (size_t)a->path_count;
	if (opts.of == TDAT_EXPLAIN_ALL && !a->at) {
		st = find_time(trace, f->from, &opts.has_from, &opts.from_ts, err);
		if (st == TDAT_OK)
			st = find_time(trace, f->until, &opts.has_to, &opts.to_ts, err);
	}
	return st == TDAT_OK ? tdat_summary_why(out, trace, &opts, err) : st;
}

static int print(const void *args, struct cli_trace *t, const struct tdat_summary *s)
{
	static const char *const of_words[] = {"time of a task", "wait", "wakeup"};
	const struct why_args *a = args;
	struct tdat_near near;
	int rc = CLI_OK;

	if (!tdat_why_interval(s, 0)) {
		if (tell_lack(a, t))
			t->status = CLI_FAILED;
		else if (a->at && a->of != TDAT_EXPLAIN_ALL)
			cli_error(NULL,
				  "no selected task waited at %s; use --of all to see what the "
				  "task did",
				  a->at);
		else
			cli_error(NULL, "no selected %s begins and ends in the trace%s",
				  of_words[a->of],
				  cli_selection_hint(&near, &a->table.filter.comms, t->inputs,
						     t->input_count));
	}
	if (a->json) {
		rc = cli_trace_json(s, 0);
		putchar('\n');
	} else if (a->csv) {
		why_csv(s, a->summary);
	} else if (!why_text(s, &(struct why_text){a->top, (enum tdat_explained)a->of, a->summary,
						   a->exact})) {
		rc = cli_nomem();
	}
	cli_trace_tell_notes(s);
	return rc;
}

/* --task is --pid or --comm. CLI_OK, or an exit status after a complaint. */
static int choose_tasks(struct why_args *a)
{
	struct cli_filter *f = &a->table.filter;
	int64_t pid;

	for (size_t i = 0; i < a->tasks.count; i++)
		if (!cli_list_add(cli_number(a->tasks.v[i], &pid) ? &f->pids : &f->comms,
				  a->tasks.v[i]))
			return cli_nomem();
	if (!a->tasks.count || !f->pids.count || !f->comms.count)
		return CLI_OK;
	cli_error(NULL, "--task accepts task names or pids, not both");
	return CLI_USAGE;
}

/* Sets what the options leave open. CLI_OK, or an exit status after a complaint. */
static int complete(struct why_args *a)
{
	struct cli_filter *f = &a->table.filter;
	const bool of_task = f->pids.count || f->comms.count;
	const bool window = (f->from || f->until) && of_task && !a->worst && !a->summary;

	if ((a->json && a->csv) || (a->at && (f->from || f->until || a->summary)) ||
	    (a->summary && a->worst)) {
		cli_error(NULL,
			  a->json && a->csv ? "--json and --csv cannot be combined"
			  : a->at ? "--at cannot be combined with --from, --until or --summary"
				  : "--summary cannot be combined with --worst");
		return CLI_USAGE;
	}
	if (a->of < 0)
		a->of = window	  ? TDAT_EXPLAIN_ALL
			: of_task ? TDAT_EXPLAIN_WAITS
				  : TDAT_EXPLAIN_WAKEUPS;
	if (a->of == TDAT_EXPLAIN_ALL && !of_task && !a->summary) {
		cli_error(NULL, "--of all needs --task");
		return CLI_USAGE;
	}
	if (a->of == TDAT_EXPLAIN_ALL && a->worst) {
		cli_error(NULL, "--worst cannot be combined with --of all");
		return CLI_USAGE;
	}
	if (a->of != TDAT_EXPLAIN_ALL && !a->worst)
		a->worst = of_task && !a->at ? 5 : 1;
	if (a->at)
		f->from = f->until = a->at;
	return CLI_OK;
}

static int why_run(const struct cli_cmd *cmd, int argc, char **argv)
{
	struct why_args a = {.table = CLI_TABLE_ARGS_INIT, .of = -1, .top = UINT64_MAX};
	const struct cli_summary def = {&a, make, print, NULL};
	int status;

	if (cli_opt_parse(cmd, why_opts, &argc, argv, &a, &status)) {
		status = choose_tasks(&a);
		if (status == CLI_OK)
			status = complete(&a);
		if (a.top == UINT64_MAX)
			a.top = a.summary ? 20 : 5;
		a.paths = argv + 1;
		a.path_count = argc - 1;
		if (status == CLI_OK)
			status = cli_sum_up("why", &a.table, argc, argv, &def);
	}
	cli_list_fini(&a.tasks);
	cli_table_args_fini(&a.table);
	return status;
}

static const char *const why_synopsis[] = {"[--task NAME|PID] [OPTION]... [FILE]...", NULL};
static const char *const why_notes[] = {
	"The default FILE is trace.dat; - is standard input. Several files are read as one trace.",
	"docs/analysis.md defines the causes, and the events that prove them.", NULL};

const struct cli_cmd cli_cmd_why = {
	"why",	      "Explain why a task waited: what ran instead, what delayed its wakeup",
	why_synopsis, why_opts,
	why_notes,    why_run,
};
