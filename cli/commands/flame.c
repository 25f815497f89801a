/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command tdat flame: draws the stacks of a trace, or folds them to text. tdat_summary_flame
 * makes a tree of them, and its JSON for speedscope; flame_text.c and flame_svg.c print the other
 * forms.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "commands/commands.h"
#include "commands/flame_out.h"
#include "commands/summary_text.h"
#include "input/damage.h"
#include "output/output_file.h"
#include "output/output_name.h"
#include "output/table_file.h"
#include "safety/own_input.h"
#include "tables/table_list.h"
#include "tables/trace_tables.h"
#include "terminal/columns.h"
#include "terminal/message.h"

/* In the order of enum tdat_flame_source. */
static const char *const source_names[] = {"kernel-stack", "user-stack", "function", "off-cpu",
					   NULL};

/* The order of output_names. */
enum { FOLDED, SPEEDSCOPE, SVG, TEXT };
static const char *const output_names[] = {"folded", "speedscope", "svg", "text", NULL};

struct flame_args {
	struct cli_table_args table; /* must be the first */
	int source, output;	     /* output -1: as the name of the file says */
	bool by_task, force, exact, diff;
};

static const struct cli_opt flame_opts[] = {
	CLI_INPUT,
	CLI_CHOICE(
		0, "of", "SOURCE", source_names, struct flame_args, source,
		"kernel-stack or user-stack: number of stacks; function: own time of "
		"function_graph calls; "
		"off-cpu: time off the CPU by stack (default: the first that the trace contains)"),
	CLI_CHOICE(
		0, "to", "FORMAT", output_names, struct flame_args, output,
		"folded, speedscope, svg or text (default: by the suffix of -o, otherwise folded)"),
	CLI_STRING('o', "output", "FILE", struct flame_args, table.output,
		   "write FILE: .svg is a picture, .json is for speedscope"),
	CLI_FLAG('f', "force", struct flame_args, force, "replace an existing file"),
	CLI_EXACT(struct flame_args, exact),
	CLI_FLAG(0, "diff", struct flame_args, diff,
		 "compare two FILEs; red: larger share in the second, blue: smaller"),
	CLI_FLAG(0, "by-task", struct flame_args, by_task,
		 "add the task's pid to its name in each stack"),
	CLI_TABLE_OPTS(struct flame_args, table),
	CLI_OPT_END,
};

/*
 * Reports stacks that are not drawn: notes of the tables, no stack at all, or more than the tree
 * can hold.
 */
static void tell(struct cli_trace *t, const struct tdat_summary *s)
{
	const struct tdat_flame *f = tdat_flame(s);

	cli_trace_tell_notes(s);
	if (!f->stacks)
		cli_trace_warn_empty(t, f->title);
	if (f->dropped) {
		/*
		 * The tree is bounded in nodes and bytes of names; what did not fit makes the
		 * result incomplete.
		 */
		cli_error(NULL,
			  "more than %zu different stacks, or %zu MiB of names: a weight of %llu "
			  "is omitted",
			  f->node_most, f->name_len_most >> 20, (unsigned long long)f->dropped);
		t->status = CLI_FAILED;
	}
}

/* The callback of cli_sum_up() that makes the summary; nothing is read yet. */
static enum tdat_status make(const void *args, const struct tdat_trace *trace,
			     struct tdat_summary **out, struct tdat_error *err)
{
	const struct flame_args *a = args;

	return tdat_summary_flame(out, trace, (enum tdat_flame_source)a->source, a->by_task, err);
}

/* other: the second tree of --diff, else NULL. */
static int print_form(const struct tdat_summary *s, const struct tdat_summary *other,
		      const struct flame_args *a)
{
	bool good = true;
	int rc = CLI_OK;

	if (other && a->output == SVG) {
		flame_diff_svg(s, other);
	} else if (other) {
		good = a->output == TEXT ? flame_diff_text(s, other) : flame_diff_folded(s, other);
	} else if (a->output == SVG) {
		flame_svg(s);
	} else if (a->output == SPEEDSCOPE) {
		rc = cli_trace_json(s, -1);
		putchar('\n');
	} else if (a->output == TEXT) {
		good = flame_tree(s, a->exact);
	} else {
		flame_folded(s);
	}
	return good ? rc : cli_nomem();
}

/* Lets standard output be the file, which gets its name when it is whole. */
static int print_file(const struct tdat_summary *s, const struct tdat_summary *other,
		      const struct flame_args *a)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct cli_table_file file;
	int rc;

	if (cli_table_file_open(&file, a->table.output, a->force, &err) ||
	    (dup2(file.fd, STDOUT_FILENO) < 0 &&
	     tdat_error_set_errno(&err, errno, "cannot write %s", a->table.output))) {
		cli_table_file_close(&file, true, NULL);
		return cli_fail(NULL, &err);
	}
	rc = print_form(s, other, a);
	if (rc == CLI_OK && fflush(stdout))
		tdat_error_set_errno(&err, errno, "cannot write %s", a->table.output);
	if (rc != CLI_OK || err.status != TDAT_OK)
		cli_table_file_close(&file, true, NULL);
	else
		cli_table_file_close(&file, false, &err);
	clearerr(stdout); /* its failure is reported here */
	return rc == CLI_OK && err.status != TDAT_OK ? cli_fail(NULL, &err) : rc;
}

/* Whether a trace lacks what stacks are made of, which was reported. */
static bool lacks(const struct cli_trace *t, const struct tdat_summary *s)
{
	const struct tdat_flame *f = tdat_flame(s);

	/* Time off the CPU has weights without stacks, too. */
	return (!f->stacks || strstr(f->about.needs, " ftrace/kernel_stack")) &&
	       cli_table_lacks("flame", &f->about, t->inputs, t->input_count, &t->args->filter);
}

/* Prints the tree after all events were read. Reports follow on stderr. */
static int print(const void *args, struct cli_trace *t, const struct tdat_summary *s)
{
	const struct flame_args *a = args;
	int rc = CLI_OK;

	if (lacks(t, s))
		return CLI_FAILED;
	rc = a->table.output ? print_file(s, NULL, a) : print_form(s, NULL, a);
	if (rc == CLI_OK)
		tell(t, s);
	return rc;
}

/* ---- two traces ---- */

/* One of them, while the other one is read. */
struct half {
	struct cli_trace t;
	struct tdat_iter_input input;
	struct tdat_summary *s;
};

/* Reads file number i. */
static int read_half(struct half *h, struct cli_files *files, size_t i, const struct flame_args *a,
		     struct tdat_filter *filter)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	const char *path = files->v[i].path;
	int rc;

	h->t = (struct cli_trace){
		.args = &a->table, .inputs = &h->input, .input_count = 1, .filter = filter};
	if (cli_files_parse(files, i, &a->table.limits, &h->input.file, &err))
		return cli_fail(path, &err);
	if (cli_file_damage(path, h->input.file) != CLI_OK)
		h->t.status = CLI_FAILED;
	rc = cli_trace_make(&h->t);
	if (rc == CLI_OK && make(a, h->t.trace, &h->s, &err))
		rc = cli_fail(path, &err);
	if (rc == CLI_OK)
		rc = cli_trace_run(&h->t, h->s);
	return rc == CLI_OK && lacks(&h->t, h->s) ? CLI_FAILED : rc;
}

static int print_both(const struct half h[2], const struct flame_args *a)
{
	const char *const titles[] = {tdat_flame(h[0].s)->title, tdat_flame(h[1].s)->title};

	if (strcmp(titles[0], titles[1]) != 0) {
		cli_error(NULL, "one file contains \"%s\", the other \"%s\": select one with --of",
			  titles[0], titles[1]);
		return CLI_FAILED;
	}
	return a->table.output ? print_file(h[0].s, h[1].s, a) : print_form(h[0].s, h[1].s, a);
}

/* The whole of --diff. */
static int flame_diff(const struct flame_args *a, char **paths, int count)
{
	struct half h[2] = {{.s = NULL}};
	struct cli_files files = {.spool_len = a->table.limits.spool_len,
				  .output = a->table.output};
	struct tdat_filter *filter = NULL;
	int rc = cli_filter_make(&a->table.filter, &filter);

	if (rc == CLI_OK)
		rc = cli_output_check_text("flame", paths, (size_t)count);
	if (rc == CLI_OK)
		rc = cli_files_open(&files, paths, count, false);
	for (size_t i = 0; i < 2 && rc == CLI_OK; i++)
		rc = read_half(&h[i], &files, i, a, filter);
	if (rc == CLI_OK)
		rc = print_both(h, a);
	for (size_t i = 0; i < 2; i++) {
		if (rc == CLI_OK)
			tell(&h[i].t, h[i].s);
		rc = rc == CLI_OK ? h[i].t.status : rc;
		tdat_summary_free(h[i].s);
		tdat_trace_free(h[i].t.trace);
		tdat_file_close(h[i].input.file);
	}
	tdat_filter_free(filter);
	cli_files_close(&files);
	return rc;
}

/* What --diff needs. CLI_OK, or an exit status after a complaint. */
static int check_diff(const struct flame_args *a, int count)
{
	if (count != 2)
		cli_error(NULL, "--diff needs two FILEs");
	else if (a->output == SPEEDSCOPE)
		cli_error(NULL, "--diff cannot write speedscope; use folded, svg or text");
	else
		return CLI_OK;
	return CLI_USAGE;
}

/* ---- arguments ---- */

/* The form that the end of the name says; -1 after a complaint. */
static int named_output(const char *path)
{
	if (cli_name_ends(path, ".svg"))
		return SVG;
	if (cli_name_ends(path, ".json"))
		return SPEEDSCOPE;
	if (!cli_name_has_end(path) || cli_name_ends(path, ".folded .txt"))
		return FOLDED;
	cli_error(path, "the suffix does not select a format; use .svg, .json or .folded, or give "
			"--to FORMAT");
	return -1;
}

/* What exists, and an input, is refused before anything is read. */
static int check_output(const struct flame_args *a, char *const *inputs, size_t count)
{
	int rc = CLI_OK;

	if (!a->table.output)
		return CLI_OK;
	rc = cli_output_check("flame", a->table.output, a->force, (const char *const *)inputs,
			      count);
	return rc == CLI_OK ? cli_output_taken(a->table.output, a->force) : rc;
}

static int flame_run(const struct cli_cmd *cmd, int argc, char **argv)
{
	struct flame_args a = {
		.table = CLI_TABLE_ARGS_INIT, .source = TDAT_FLAME_ANY, .output = -1};
	const struct cli_summary def = {&a, make, print, NULL};
	int status;

	if (cli_opt_parse(cmd, flame_opts, &argc, argv, &a, &status)) {
		if (a.output < 0)
			a.output = named_output(a.table.output);
		status = a.output < 0 ? CLI_USAGE : check_output(&a, argv + 1, (size_t)argc - 1);
		if (status == CLI_OK && a.diff)
			status = check_diff(&a, argc - 1);
		if (status == CLI_OK)
			status = a.diff ? flame_diff(&a, argv + 1, argc - 1)
					: cli_sum_up("flame", &a.table, argc, argv, &def);
	}
	cli_table_args_fini(&a.table);
	return status;
}

static const char *const flame_synopsis[] = {"[--of SOURCE] [--to FORMAT] [OPTION]... [FILE]...",
					     "--diff [OPTION]... BEFORE AFTER", NULL};
static const char *const flame_notes[] = {
	"The default FILE is trace.dat; - is standard input. Several files are read as one trace.",
	NULL};

const struct cli_cmd cli_cmd_flame = {
	"flame",	"Draw a flame graph of the stacks, or print folded stacks",
	flame_synopsis, flame_opts,
	flame_notes,	flame_run,
};
