/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command tdat latency: prints how long wakeups, interrupts, system calls and others took,
 * grouped by task, CPU or other columns. Rows of tables with a duration are grouped by
 * tdat_summary_groups, table by table; latency_text.c prints the result.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/commands.h"
#include "commands/summary_text.h"
#include "core/nearest.h"
#include "output/selection.h"
#include "tables/table_list.h"
#include "tables/trace_tables.h"
#include "terminal/columns.h"
#include "terminal/message.h"

struct latency_args {
	struct cli_table_args table; /* must be the first */
	struct cli_list tables, by;
	const char *value;
	uint64_t top, worst;
	bool json, csv, list, exact;
};

static const struct cli_opt latency_opts[] = {
	CLI_INPUT,
	CLI_WORDS(0, "table", "NAME[,NAME]", struct latency_args, tables,
		  "tables to summarize: wakeup, irq, softirq, syscall, sched ... (default: the "
		  "tables of --pair, or wakeup)"),
	CLI_STRING(0, "value", "COLUMN", struct latency_args, value,
		   "numeric column (default: dur, or value)"),
	CLI_LIST(0, "by", "COLUMN[,COLUMN]", struct latency_args, by,
		 "group by these columns (default: the table's main column, such as the task)"),
	CLI_U64(0, "top", "N", 0, 0, struct latency_args, top,
		"print at most N groups (default: 20; 0: all)"),
	CLI_U64(0, "worst", "N", 0, TDAT_GROUP_WORST, struct latency_args, worst,
		"print the N largest values (default: 5)"),
	CLI_FLAG(0, "list", struct latency_args, list, "list the tables with their number of rows"),
	CLI_FLAG(0, "json", struct latency_args, json,
		 "print the result, with all groups, as JSON"),
	CLI_FLAG(0, "csv", struct latency_args, csv, "print the groups as CSV"),
	CLI_EXACT(struct latency_args, exact),
	CLI_TABLE_PAIR(struct latency_args, table),
	CLI_TABLE_OPTS(struct latency_args, table),
	CLI_FILTER_TO(struct latency_args, table.filter),
	CLI_OPT_END,
};

/* One table of the command: the arguments of make() and print(). */
struct question {
	const struct latency_args *args;
	const char *table;
	char *const *paths;
	int path_count;
	bool first;
};

/* Fails with the nearest name of a table. */
static enum tdat_status no_table(const struct tdat_trace *trace, const char *name,
				 struct tdat_error *err)
{
	size_t count;
	const struct tdat_table *all = tdat_trace_tables(trace, &count);
	struct tdat_near near = {.word = name};

	for (size_t i = 0; i < count; i++)
		tdat_near_try(&near, all[i].name);
	return tdat_error_set(err, TDAT_E_NOT_FOUND, TDAT_NO_OFFSET, "there is no table '%s'%s",
			      name,
			      tdat_near_hint(&near, "; \"tdat latency --list\" lists the tables"));
}

/*
 * Makes the summary of one table; nothing is read yet. The paths go into the commands that show the
 * worst rows.
 */
static enum tdat_status make(const void *args, const struct tdat_trace *trace,
			     struct tdat_summary **out, struct tdat_error *err)
{
	const struct question *q = args;
	struct tdat_groups_opts opts = TDAT_GROUPS_OPTS_INIT;

	if (!tdat_trace_find(trace, q->table))
		return no_table(trace, q->table, err);
	opts.table = q->table;
	opts.value = q->args->value;
	opts.keys = q->args->by.v;
	opts.key_count = q->args->by.count;
	opts.worst = (uint32_t)q->args->worst;
	opts.paths = (const char *const *)q->paths;
	opts.path_count = (size_t)q->path_count;
	return tdat_summary_groups(out, trace, &opts, err);
}

/*
 * Prints one table. With JSON the tables are elements of one array, hence the comma between them.
 */
static int print(const void *args, struct cli_trace *t, const struct tdat_summary *s)
{
	const struct question *q = args;
	const struct tdat_groups_facts *f = tdat_groups_facts(s);
	int rc = CLI_OK;

	if (!f->rows && cli_table_lacks(q->table, &tdat_trace_find(t->trace, q->table)->about,
					t->inputs, t->input_count, &t->args->filter))
		t->status = CLI_FAILED;
	else if (!f->rows)
		cli_trace_warn_empty(t, q->table);
	/* An interval that is open at the end has a moment after it, but no length. */
	else if (f->rows == f->rows_without_value)
		cli_selection_warn(NULL, &t->args->filter, &t->args->cpus, t->inputs,
				   t->input_count);
	if (q->args->json) {
		if (!q->first)
			putchar(',');
		rc = cli_trace_json(s, 1);
	} else if (!(q->args->csv ? latency_csv(s)
				  : latency_text(s, q->args->top, q->args->exact))) {
		rc = cli_nomem();
	}
	if (q->args->csv)
		cli_trace_tell_notes(s);
	return rc;
}

/*
 * Checks that all tables and columns exist before the first one is read: a misspelled last table
 * must not cost the time of the others.
 */
static int look_at_tables(const struct latency_args *a, const struct cli_trace *trace,
			  const char *const *tables, size_t count)
{
	int rc = CLI_OK;

	for (size_t i = 0; i < count && rc == CLI_OK; i++) {
		const struct question q = {.args = a, .table = tables[i]};
		struct tdat_error err = TDAT_ERROR_INIT;
		struct tdat_summary *s = NULL;

		if (make(&q, trace->trace, &s, &err))
			rc = cli_fail(NULL, &err);
		tdat_summary_free(s);
	}
	return rc;
}

/* The tables of the pairs that were given: "[NAME:] ...". NULL: no memory. */
static char **pair_tables(const struct cli_list *pairs)
{
	char **names = calloc(pairs->count + 1, sizeof(*names));

	for (size_t i = 0; names && i < pairs->count; i++) {
		const char *text = pairs->v[i] + strspn(pairs->v[i], " ");
		const size_t len = strcspn(text, ": /(");

		names[i] = text[len + strspn(text + len, " ")] == ':' ? strndup(text, len)
								      : strdup("pair");
		if (!names[i])
			return NULL; /* the program ends */
	}
	return names;
}

/* Opens the trace once and reads it for each table. */
static int latency_tables(const struct latency_args *a, const char *const *tables, size_t count,
			  int argc, char **argv)
{
	struct cli_trace t;
	int rc = cli_trace_open(&t, "latency", &a->table, argv + 1, argc - 1);

	if (rc == CLI_OK)
		rc = look_at_tables(a, &t, tables, count);
	if (rc == CLI_OK) {
		if (a->json)
			putchar('[');
		for (size_t i = 0; i < count && rc == CLI_OK; i++) {
			const struct question q = {a, tables[i], argv + 1, argc - 1, !i};
			const struct cli_summary def = {&q, make, print, NULL};

			rc = cli_trace_sum_up(&t, &def);
		}
		if (a->json)
			puts("\n]");
	}
	rc = rc == CLI_OK ? t.status : rc;
	cli_trace_close(&t);
	return rc;
}

/* Tables that latencies are made of: derived ones, also those of --pair. */
static int list_tables(const struct latency_args *a, int argc, char **argv)
{
	struct cli_trace t;
	int rc = cli_trace_open(&t, "latency", &a->table, argv + 1, argc - 1);

	if (rc == CLI_OK)
		rc = cli_trace_list(&t, true, a->json);
	rc = rc == CLI_OK ? t.status : rc;
	cli_trace_close(&t);
	return rc;
}

/* Without --table, the tables are those of --pair, or wakeup. */
static int latency_files(const struct latency_args *a, int argc, char **argv)
{
	static const char *const standard[] = {"wakeup"};
	char **names;
	int rc;

	if (a->list)
		return list_tables(a, argc, argv);
	if (a->tables.count)
		return latency_tables(a, a->tables.v, a->tables.count, argc, argv);
	if (!a->table.pairs.count)
		return latency_tables(a, standard, 1, argc, argv);
	names = pair_tables(&a->table.pairs);
	if (!names)
		return cli_nomem();
	rc = latency_tables(a, (const char *const *)names, a->table.pairs.count, argc, argv);
	for (size_t i = 0; i < a->table.pairs.count; i++)
		free(names[i]);
	free(names);
	return rc;
}

static int latency_run(const struct cli_cmd *cmd, int argc, char **argv)
{
	struct latency_args a = {.table = CLI_TABLE_ARGS_INIT, .top = 20, .worst = 5};
	int status;

	if (cli_opt_parse(cmd, latency_opts, &argc, argv, &a, &status)) {
		if (a.json && a.csv) {
			cli_error(NULL, "--json and --csv cannot be combined");
			status = CLI_USAGE;
		} else {
			status = latency_files(&a, argc, argv);
		}
	}
	cli_list_fini(&a.tables);
	cli_list_fini(&a.by);
	cli_table_args_fini(&a.table);
	return status;
}

static const char *const latency_synopsis[] = {"[--table NAME] [OPTION]... [FILE]...", NULL};
static const char *const latency_notes[] = {
	"The default FILE is trace.dat; - is standard input. Several files are read as one trace.",
	"docs/analysis.md defines the tables. Any table with a numeric column is accepted.", NULL};

const struct cli_cmd cli_cmd_latency = {
	"latency",	  "Show how long wakeups, interrupts and system calls took",
	latency_synopsis, latency_opts,
	latency_notes,	  latency_run,
};
