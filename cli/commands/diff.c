/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command tdat diff: compares two recordings, or two parts of one, and prints the changes that
 * are beyond noise (tdat_diff_new). Each file is a sample of its side; with --a and --b each file
 * is one of both sides, with other options that choose events. All files are opened, then the
 * sandbox is entered, then they are read one by one. diff_text.c and diff_html.c print, diff_gate.c
 * decides about the exit status.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "args/words.h"
#include "commands/commands.h"
#include "commands/diff_out.h"
#include "core/grow.h"
#include "input/damage.h"
#include "output/json_out.h"
#include "output/selection.h"
#include "safety/own_input.h"
#include "tables/trace_tables.h"
#include "terminal/columns.h"
#include "terminal/message.h"

enum { BY_NAME, BY_PID };
static const char *const by_names[] = {"name", "pid", NULL};

struct diff_args {
	struct cli_table_args table; /* must be the first */
	const char *selections[TDAT_DIFF_SIDES], *min_change;
	struct cli_list gates;
	int by;
	bool json, markdown, html, exact;
};

static const struct cli_opt diff_opts[] = {
	CLI_INPUT,
	CLI_STRING(0, "a", "OPTIONS", struct diff_args, selections[0],
		   "compare this part of FILE, such as '--until 1' or '--comm nginx'"),
	CLI_STRING(0, "b", "OPTIONS", struct diff_args, selections[1],
		   "compare it with this part of FILE"),
	CLI_STRING(0, "min-change", "PERCENT", struct diff_args, min_change,
		   "show changes of at least PERCENT (default: 5%)"),
	CLI_LIST(0, "fail-on", "WHAT[:PERCENT]", struct diff_args, gates,
		 "exit with status 3 if WHAT changed: any, wakeup, wakeup.p99:10%, syscall:+20%"),
	CLI_CHOICE(0, "by", "TASK", by_names, struct diff_args, by,
		   "match tasks by name with digits replaced (default), or pid: by name and pid"),
	CLI_FLAG(0, "json", struct diff_args, json, "print the result as JSON"),
	CLI_FLAG(0, "markdown", struct diff_args, markdown, "print a Markdown table"),
	CLI_FLAG(0, "html", struct diff_args, html, "print an HTML page with histograms"),
	CLI_EXACT(struct diff_args, exact),
	CLI_TABLE_PAIR(struct diff_args, table),
	CLI_TABLE_OPTS(struct diff_args, table),
	CLI_FILTER_TO(struct diff_args, table.filter),
	CLI_OPT_END,
};

/* ---- selections ---- */

static int refuse_file(void *values, const struct cli_opt *opt, const char *value)
{
	(void)values;
	(void)opt;
	cli_error(NULL, "--a and --b accept options that select events, not '%s'", value);
	return CLI_USAGE;
}

/* The options that a selection may have. */
static const struct cli_opt selection_opts[] = {
	CLI_CPUS(0, "cpu", "LIST", struct diff_args, table.cpus, "only these CPUs"),
	CLI_FILTER_OPTS(struct diff_args, table.filter),
	CLI_FILTER_TO(struct diff_args, table.filter),
	CLI_ARG(refuse_file),
	CLI_OPT_END,
};

/* One side: its options, and the words that they lie in. */
struct side {
	struct diff_args args;
	struct cli_words_split words;
	struct tdat_filter *filter;
};

static void side_fini(struct side *s)
{
	cli_table_args_fini(&s->args.table);
	tdat_filter_free(s->filter);
	free(s->words.list);
}

/* Parses a selection behind what was given for both sides, which a copy of the options has. */
static int parse_selection(struct side *s, const char *text)
{
	static const struct cli_cmd self = {"diff", "", NULL, selection_opts, NULL, NULL};
	char **argv;
	int argc, status = CLI_OK;

	if (!cli_words_split(&s->words, text)) {
		if (s->words.count)
			return cli_nomem();
		cli_error(NULL, "missing closing quote in '%s'", text);
		return CLI_USAGE;
	}
	argv = calloc(s->words.count + 2, sizeof(*argv));
	if (!argv)
		return cli_nomem();
	argv[0] = (char *)(uintptr_t) "diff";
	memcpy(&argv[1], s->words.list, s->words.count * sizeof(*argv));
	argc = (int)s->words.count + 1;
	if (!cli_opt_parse(&self, selection_opts, &argc, argv, &s->args, &status) &&
	    status == CLI_OK) {
		cli_error(NULL, "--a and --b accept options that select events, not --help");
		status = CLI_USAGE;
	}
	free(argv);
	return status;
}

static bool copy_list(struct cli_list *to, const struct cli_list *from)
{
	for (size_t i = 0; i < from->count; i++)
		if (!cli_list_add(to, from->v[i]))
			return false;
	return true;
}

/* The options of both sides become those of one, to which its selection adds. */
static bool copy_args(struct diff_args *to, const struct diff_args *from)
{
	struct cli_filter *f = &to->table.filter;
	const struct cli_filter *g = &from->table.filter;
	bool good;

	*to = *from;
	to->table.pairs = f->events = f->pids = f->comms = f->buffers =
		(struct cli_list){NULL, 0, 0};
	to->table.cpus = (struct cli_cpus){NULL, 0};
	f->exprs = NULL;
	f->expr_count = f->expr_room = 0;
	good = copy_list(&to->table.pairs, &from->table.pairs) &&
	       copy_list(&f->events, &g->events) && copy_list(&f->pids, &g->pids) &&
	       copy_list(&f->comms, &g->comms) && copy_list(&f->buffers, &g->buffers);
	for (size_t i = 0; i < from->table.cpus.count && good; i++)
		good = cli_cpus_add(&to->table.cpus, from->table.cpus.v[i], from->table.cpus.v[i]);
	if (!good || !g->expr_count)
		return good;
	f->exprs = calloc(g->expr_count, sizeof(*f->exprs));
	if (!f->exprs)
		return false;
	memcpy(f->exprs, g->exprs, g->expr_count * sizeof(*f->exprs));
	f->expr_count = f->expr_room = g->expr_count;
	return true;
}

static int make_sides(struct side sides[TDAT_DIFF_SIDES], const struct diff_args *a)
{
	int rc = CLI_OK;

	for (size_t i = 0; i < TDAT_DIFF_SIDES && rc == CLI_OK; i++) {
		rc = copy_args(&sides[i].args, a) ? CLI_OK : cli_nomem();
		if (rc == CLI_OK && a->selections[i])
			rc = parse_selection(&sides[i], a->selections[i]);
		if (rc == CLI_OK)
			rc = cli_filter_make(&sides[i].args.table.filter, &sides[i].filter);
	}
	return rc;
}

/* ---- files ---- */

/* The files of the sides; with selections those of the first are of both. */
struct inputs {
	char **files;
	size_t count, cap;
	size_t before; /* of the first side */
	bool both;
};

static bool add_file(struct inputs *in, const char *path)
{
	char *copy = TDAT_GROW(in->files, &in->cap, in->count + 1) ? strdup(path) : NULL;

	if (copy)
		in->files[in->count++] = copy;
	return copy;
}

/* Adds the file of that name, or, where there is none, all that match it as a pattern. */
static int add_files(struct inputs *in, const char *word)
{
	glob_t found;
	bool good = true;
	int rc;

	/* What is neither is kept as it is: opening it says what is wrong. */
	if (!strpbrk(word, "*?[") || !access(word, F_OK))
		return add_file(in, word) ? CLI_OK : cli_nomem();
	rc = glob(word, 0, NULL, &found);
	if (rc == GLOB_NOMATCH) {
		cli_error(word, "no file matches");
		return CLI_FAILED;
	}
	for (size_t i = 0; !rc && good && i < found.gl_pathc; i++)
		good = add_file(in, found.gl_pathv[i]);
	globfree(&found);
	return rc || !good ? cli_nomem() : CLI_OK;
}

static int find_files(struct inputs *in, const struct diff_args *a, int argc, char **argv)
{
	int rc = CLI_OK;

	in->both = a->selections[0] || a->selections[1];
	if (in->both ? argc > 2 : argc != 3) {
		cli_error(NULL, "%s",
			  in->both ? "--a and --b compare parts of one FILE, which may be a pattern"
				   : "diff needs two FILEs or patterns, BEFORE and AFTER, or one "
				     "FILE with --a and --b");
		return CLI_USAGE;
	}
	if (in->both && !(a->selections[0] && a->selections[1])) {
		cli_error(NULL, "--a and --b must be given together");
		return CLI_USAGE;
	}
	for (int i = 1; i < argc && rc == CLI_OK; i++) {
		rc = add_files(in, argv[i]);
		in->before = i == 1 ? in->count : in->before;
	}
	if (rc == CLI_OK && argc == 1)
		rc = add_files(in, "trace.dat");
	if (rc == CLI_OK)
		rc = cli_output_check_text("diff", in->files, in->count);
	return rc;
}

/* Reads a file as a sample of a side. */
static int add_sample(struct tdat_diff *d, size_t number, struct side *side,
		      struct tdat_iter_input *input, const char *path, int *status)
{
	const struct cli_filter *f = &side->args.table.filter;
	struct cli_trace t = {.args = &side->args.table,
			      .inputs = input,
			      .input_count = 1,
			      .filter = side->filter};
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_table_opts opts;
	int rc = cli_trace_make(&t);

	if (rc != CLI_OK)
		return rc;
	opts = cli_trace_opts(&t);
	if (tdat_diff_add(d, (enum tdat_diff_side)number, t.trace, &opts, f->from, f->until, &err))
		rc = cli_fail(path, &err);
	else if (t.status != CLI_OK)
		*status = t.status;
	tdat_trace_free(t.trace);
	return rc;
}

/* Parses one file, and reads it for the sides that it is of. */
static int read_file(struct tdat_diff *d, struct cli_files *files, size_t i,
		     struct side sides[TDAT_DIFF_SIDES], const struct inputs *in, int *status)
{
	struct tdat_iter_input input = {.file = NULL};
	struct tdat_error err = TDAT_ERROR_INIT;
	const char *path = files->v[i].path;
	int rc = CLI_OK;

	if (cli_files_parse(files, i, &sides[0].args.table.limits, &input.file, &err))
		return cli_fail(path, &err);
	if (cli_file_damage(path, input.file) != CLI_OK)
		*status = CLI_FAILED;
	for (size_t side = 0; side < TDAT_DIFF_SIDES && rc == CLI_OK; side++)
		if (in->both || (i >= in->before) == (side == TDAT_DIFF_B))
			rc = add_sample(d, side, &sides[side], &input, path, status);
	if (cli_undescribed_all(&input, 1) != CLI_OK)
		*status = CLI_FAILED;
	tdat_file_close(input.file);
	return rc;
}

/* ---- the whole ---- */

static int print_json(const struct tdat_diff *d)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	const int rc =
		tdat_diff_json(d, 0, cli_trace_put, NULL, &err) ? cli_fail(NULL, &err) : CLI_OK;

	putchar('\n');
	return rc;
}

/* The name of a side: its selection, or its file, of several the first one. */
static char *name_of(const struct diff_args *a, const struct inputs *in, size_t side)
{
	const size_t first = side && !in->both ? in->before : 0;
	const size_t end = side || in->both ? in->count : in->before;
	struct tdat_build b;

	tdat_build_init(&b, false);
	if (a->selections[side])
		tdat_build_printf(&b, "%s of ", a->selections[side]);
	tdat_build_str(&b, in->files[first]);
	if (end - first > 1)
		tdat_build_printf(&b, " and %zu more", end - first - 1);
	return tdat_build_text(&b);
}

static int print(const struct tdat_diff *d, const struct diff_args *a, const struct inputs *in)
{
	char *sides[] = {name_of(a, in, 0), name_of(a, in, 1)};
	const struct diff_names names = {{sides[0], sides[1]}};
	int rc = CLI_OK;

	if (!sides[0] || !sides[1])
		rc = cli_nomem();
	else if (a->json)
		rc = print_json(d);
	else if (!(a->html	 ? diff_html(d, &names)
		   : a->markdown ? diff_markdown(d, &names)
				 : diff_text(d, &names, a->exact)))
		rc = cli_nomem();
	free(sides[0]);
	free(sides[1]);
	return rc;
}

/* Reads all files, compares, and prints. A change that --fail-on names wins over damage. */
static int compare(struct tdat_diff *d, const struct diff_args *a, struct side sides[],
		   const struct inputs *in)
{
	struct cli_files files = {.spool_len = a->table.limits.spool_len};
	struct tdat_error err = TDAT_ERROR_INIT;
	int status = CLI_OK;
	int rc = cli_files_open(&files, in->files, (int)in->count, false);

	for (size_t i = 0; i < files.count && rc == CLI_OK; i++)
		rc = read_file(d, &files, i, sides, in, &status);
	if (rc == CLI_OK && tdat_diff_run(d, &err))
		rc = cli_fail(NULL, &err);
	if (rc == CLI_OK)
		rc = print(d, a, in);
	if (rc == CLI_OK && diff_gate_trips(&a->gates, d))
		rc = CLI_CHANGED;
	cli_files_close(&files);
	return rc == CLI_OK ? status : rc;
}

static int diff_files(const struct diff_args *a, int argc, char **argv)
{
	struct tdat_diff_opts opts = TDAT_DIFF_OPTS_INIT;
	struct side sides[TDAT_DIFF_SIDES] = {{.words = {NULL, 0}}};
	struct inputs in = {.before = 0};
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_diff *d = NULL;
	double least = 0.05;
	int rc = CLI_OK;

	if (a->json + a->markdown + a->html > 1) {
		cli_error(NULL, "--json, --markdown and --html cannot be combined");
		return CLI_USAGE;
	}
	if (a->min_change && !diff_percent(a->min_change, &least)) {
		cli_error(NULL, "--min-change needs a percentage such as 5%%, not '%s'",
			  a->min_change);
		return CLI_USAGE;
	}
	/* 0 is the default of the library. */
	opts.min_change = least > 0 ? least : -1;
	opts.by_pid = a->by == BY_PID;
	if (tdat_diff_new(&d, &opts, &err))
		rc = cli_fail(NULL, &err);
	if (rc == CLI_OK)
		rc = diff_gate_check(&a->gates, d, &a->table.pairs, least);
	if (rc == CLI_OK)
		rc = make_sides(sides, a);
	if (rc == CLI_OK)
		rc = find_files(&in, a, argc, argv);
	if (rc == CLI_OK)
		rc = compare(d, a, sides, &in);
	for (size_t i = 0; i < in.count; i++)
		free(in.files[i]);
	free(in.files);
	for (size_t i = 0; i < TDAT_DIFF_SIDES; i++)
		side_fini(&sides[i]);
	tdat_diff_free(d);
	return rc;
}

static int diff_run(const struct cli_cmd *cmd, int argc, char **argv)
{
	struct diff_args a = {.table = CLI_TABLE_ARGS_INIT};
	int status;

	if (cli_opt_parse(cmd, diff_opts, &argc, argv, &a, &status))
		status = diff_files(&a, argc, argv);
	cli_list_fini(&a.gates);
	cli_table_args_fini(&a.table);
	return status;
}

static const char *const diff_synopsis[] = {"[OPTION]... BEFORE AFTER",
					    "--a OPTIONS --b OPTIONS [OPTION]... [FILE]", NULL};
static const char *const diff_notes[] = {
	"BEFORE, AFTER and FILE may be quoted patterns; each matching file is one sample.",
	"docs/diff.md defines the metrics and tests.", NULL};

const struct cli_cmd cli_cmd_diff = {
	"diff",	       "Compare two recordings: show what changed beyond noise",
	diff_synopsis, diff_opts,
	diff_notes,    diff_run,
};
