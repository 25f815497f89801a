/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command tdat hist: answers the kernel's hist triggers from the events of a file. Triggers
 * come from the command line or a setup file and go to a tdat_hist of the library (lib/hist). All
 * are parsed before the exit, so all refusals are reported, in the words of the kernel's error_log.
 * The syntax is that of Documentation/trace/histogram.rst.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tdat/tdat.h>

#include "args/filter_opts.h"
#include "args/limits.h"
#include "commands/commands.h"
#include "commands/each_file.h"
#include "input/damage.h"
#include "input/text_file.h"
#include "input/trace_files.h"
#include "output/selection.h"
#include "safety/own_input.h"
#include "terminal/safe_text.h"

/* Bytes of a setup file; it holds at most some hundred lines. */
enum { SETUP_MOST = 4 * 1024 * 1024 };

/* The options, and the text of the setup file, which is read before the sandbox is entered. */
struct hist_args {
	struct tdat_limits limits;
	struct cli_filter filter;
	struct cli_cpus cpus;
	struct cli_list synths;
	const char *setup_path, *kernel;
	bool triggers, json, table, made;
	char *setup;			 /* the text of setup_path, with a NUL */
	struct tdat_filter *made_filter; /* of the options; NULL: all events */
	char *const *texts;		 /* triggers of the command line */
	int text_count;
};

static const struct cli_opt hist_opts[] = {
	CLI_INPUT,
	CLI_STRING(0, "setup", "SETUP", struct hist_args, setup_path,
		   "first read synthetic events and triggers from SETUP"),
	CLI_LIST(0, "synth", "TEXT", struct hist_args, synths,
		 "define a synthetic event: 'NAME TYPE FIELD; ...'; may be repeated"),
	CLI_FLAG(0, "triggers", struct hist_args, triggers,
		 "print the lines that the kernel's trigger files would contain after all events"),
	CLI_FLAG(0, "table", struct hist_args, table,
		 "print a table with aligned columns for each trigger"),
	CLI_FLAG(0, "json", struct hist_args, json, "print the triggers and their entries as JSON"),
	CLI_FLAG(0, "made", struct hist_args, made,
		 "print the generated synthetic events instead of histograms"),
	CLI_STRING(0, "kernel", "VERSION", struct hist_args, kernel,
		   "compute what this kernel version computes, such as 6.1 or 6.12 (default: the "
		   "version that "
		   "recorded the file)"),
	CLI_CPUS(0, "cpu", "LIST", struct hist_args, cpus, "only these CPUs, such as 2 or 0,2-3"),
	CLI_FILTER_OPTS(struct hist_args, filter),
	CLI_FILTER_TO(struct hist_args, filter),
	CLI_LIMITS(struct hist_args, limits),
	CLI_OPT_END,
};

/* ---- the texts of synthetic events and triggers ---- */

/*
 * Reports a refused text: first the kernel's lines of error_log, then our sentence. Other failures
 * than a refusal have no such lines.
 */
static int refused(struct tdat_hist *h, const char *what, const struct tdat_error *err)
{
	const char *log = tdat_hist_refusal(h);

	if (err->status != TDAT_E_USAGE && err->status != TDAT_E_NOT_FOUND &&
	    err->status != TDAT_E_UNSUPPORTED)
		return cli_fail(NULL, err);
	cli_put_lines(stderr, log, strlen(log));
	cli_error(NULL, "%s: %s", what, err->message);
	return CLI_USAGE;
}

/* Defines one synthetic event; its text is that of the tracefs file synthetic_events. */
static int add_synth(struct tdat_hist *h, const char *text)
{
	struct tdat_error err = TDAT_ERROR_INIT;

	return tdat_hist_synth(h, text, &err) ? refused(h, text, &err) : CLI_OK;
}

/*
 * Adds the trigger of "SYSTEM/EVENT TEXT"; "SYSTEM:EVENT" is accepted as well. TEXT is the one that
 * a live system takes in the event's file trigger.
 */
static int add_trigger(struct tdat_hist *h, const char *text, bool of_setup)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	char *copy = strdup(text), *event, *rest;
	int rc = CLI_OK;

	if (!copy)
		return cli_nomem();
	rest = copy + strcspn(copy, " \t");
	event = copy + strcspn(copy, "/:");
	/* The name must have a separator before the first blank. */
	if (!*rest || event >= rest) {
		cli_error(NULL, "'%s' is not a trigger such as SYSTEM/EVENT hist:keys=...", text);
		rc = CLI_USAGE;
	} else {
		*rest++ = *event++ = '\0';
		rest += strspn(rest, " \t");
		if (tdat_hist_trigger(h, copy, event, rest, &err)) {
			rc = refused(h, text, &err);
			/* Other triggers count nothing: a setup may have them. */
			if (of_setup && err.status == TDAT_E_UNSUPPORTED)
				rc = CLI_OK;
		}
	}
	free(copy);
	return rc;
}

/*
 * Returns the worse of two exit statuses: parsing continues after a refusal, to report all of them.
 */
static int worse(int a, int b)
{
	return a > b ? a : b;
}

/*
 * Adds the lines "synth TEXT", "trig SYSTEM/EVENT TEXT" and "late SYSTEM/EVENT TEXT" of the setup
 * file in their order; other lines are skipped. The text is cut into lines in place.
 */
static int add_setup(struct tdat_hist *h, const struct hist_args *a)
{
	int rc = CLI_OK;

	for (char *line = a->setup, *end; line && *line; line = end) {
		end = strchr(line, '\n');
		if (end)
			*end++ = '\0';
		if (!strncmp(line, "synth ", 6))
			rc = worse(rc, add_synth(h, line + 6));
		else if (!strncmp(line, "trig ", 5) || !strncmp(line, "late ", 5))
			rc = worse(rc, add_trigger(h, line + 5, true));
	}
	return rc;
}

/* Adds all definitions: --synth, the setup file, then the arguments. */
static int add_all(struct tdat_hist *h, const struct hist_args *a)
{
	int rc = CLI_OK;

	/* A synthetic event must be there before the triggers that make it. */
	for (size_t i = 0; i < a->synths.count; i++)
		rc = worse(rc, add_synth(h, a->synths.v[i]));
	rc = worse(rc, add_setup(h, a));
	for (int i = 0; i < a->text_count; i++)
		rc = worse(rc, add_trigger(h, a->texts[i], false));
	return rc;
}

/* Reads the setup file before the sandbox is entered; it is parsed afterwards. */
static int read_setup(struct hist_args *a)
{
	return a->setup_path ? cli_text_file(a->setup_path, SETUP_MOST, "a trigger setup",
					     CLI_USAGE, &a->setup)
			     : CLI_OK;
}

/* ---- output ---- */

/* Stored text may hold control bytes; a terminal gets them escaped. */
static enum tdat_status put_text(void *ctx, const void *data, size_t len, struct tdat_error *err)
{
	(void)ctx;
	if (cli_put_stored(data, len, false))
		return TDAT_OK;
	return tdat_error_set_errno(err, errno, "standard output");
}

/* Prints one field of a synthetic event as NAME=VALUE; arrays are hexadecimal. */
static void put_field(const struct tdat_field *f, struct tdat_span record)
{
	const bool is_signed = f->flags & TDAT_FIELD_SIGNED;
	struct tdat_span s;
	int64_t i;
	uint64_t u;

	printf(" %s=", f->name);
	if (f->flags & TDAT_FIELD_STRING) {
		if (!tdat_field_string(f, record, &s, NULL))
			cli_put_text(stdout, (const char *)s.ptr, s.len);
	} else if (f->flags & (TDAT_FIELD_ARRAY | TDAT_FIELD_DYNAMIC)) {
		if (!tdat_field_bytes(f, record, &s, NULL))
			for (size_t k = 0; k < s.len; k++)
				printf("%02x", s.ptr[k]);
	} else if (is_signed && !tdat_field_i64(f, record, &i, NULL)) {
		printf("%lld", (long long)i);
	} else if (!is_signed && !tdat_field_u64(f, record, &u, NULL)) {
		printf("%llu", (unsigned long long)u);
	}
}

/*
 * Called for each synthetic event that a trigger's action makes, at once, with the event that
 * caused it.
 */
static enum tdat_status put_made(void *ctx, const struct tdat_event_format *format,
				 struct tdat_span record, const struct tdat_event *from,
				 struct tdat_error *err)
{
	const char *name = tdat_event_format_name(format);
	const struct tdat_field *fields;
	size_t count;

	(void)ctx;
	(void)err;
	printf("[%03u] %llu ", from->cpu, (unsigned long long)from->ts);
	cli_put_str(stdout, name);
	putchar(':');
	fields = tdat_event_format_fields(format, &count);
	for (size_t i = 0; i < count; i++)
		if (!(fields[i].flags & TDAT_FIELD_COMMON))
			put_field(&fields[i], record);
	putchar('\n');
	return TDAT_OK;
}

/* One of four forms; without an option it is the text of the kernel's file hist. */
static int print_views(struct tdat_hist *h, const struct hist_args *a, const char *path)
{
	const enum tdat_hist_view view = a->triggers ? TDAT_HIST_TRIGGERS
					 : a->json   ? TDAT_HIST_JSON
					 : a->table  ? TDAT_HIST_TABLE
						     : TDAT_HIST_KERNEL;
	struct tdat_error err = TDAT_ERROR_INIT;

	if (a->made || !tdat_hist_write(h, view, put_text, NULL, &err))
		return CLI_OK;
	return cli_fail(path, &err);
}

/*
 * Reports damage, which makes the exit status 1, and notes about values that the file could not
 * provide, which do not.
 */
static int report(struct tdat_hist *h, const char *path, struct tdat_file *file)
{
	const struct tdat_stream_damage *list;
	const char *note;
	size_t count;

	list = tdat_hist_damage(h, &count);
	for (size_t i = 0; i < count; i++)
		cli_damage(path, file, &list[i]);
	for (size_t i = 0; (note = tdat_hist_note(h, i)); i++)
		cli_error(path, "%s", note);
	return count ? CLI_FAILED : CLI_OK;
}

/* Replays one file: a session with all triggers, one pass over the events, then the output. */
static int replay(const struct hist_args *a, const char *path, struct tdat_file *file)
{
	struct tdat_hist_opts opts = TDAT_HIST_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_hist *h;
	int rc;

	opts.kernel = a->kernel;
	/* The library's buffer NULL is the top one. */
	if (a->filter.buffers.count && strcmp(a->filter.buffers.v[0], "top") != 0)
		opts.buffer = a->filter.buffers.v[0];
	opts.filter = a->made_filter;
	if (a->cpus.count) {
		opts.cpus = a->cpus.v;
		opts.cpu_count = a->cpus.count;
	}
	if (tdat_hist_new(&h, file, &opts, &err))
		return cli_fail(path, &err);
	rc = add_all(h, a);
	if (rc == CLI_OK && a->made)
		tdat_hist_on_synth(h, put_made, NULL);
	if (rc == CLI_OK && tdat_hist_run(h, &err))
		rc = cli_fail(path, &err);
	if (rc == CLI_OK && !tdat_hist_events(h))
		cli_selection_warn(path, &a->filter, &a->cpus,
				   &(const struct tdat_iter_input){file, 0, 0}, 1);
	if (rc == CLI_OK)
		rc = print_views(h, a, path);
	if (rc == CLI_OK)
		rc = report(h, path, file);
	tdat_hist_free(h);
	return rc;
}

static int hist_file(const void *args, struct tdat_json *j, struct cli_files *files, size_t index)
{
	const struct hist_args *a = args;
	const char *path = files->v[index].path;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_file *file;
	int rc, damage;

	(void)j;
	if (cli_files_parse(files, index, &a->limits, &file, &err))
		return cli_fail(path, &err);
	damage = cli_file_damage(path, file);
	rc = replay(a, path, file);
	tdat_file_close(file);
	return rc == CLI_OK ? damage : rc;
}

/*
 * True if a plain argument is a trigger and not a file: it has a blank, as in "sched/sched_switch
 * hist:keys=next_pid".
 */
static bool is_trigger(const char *arg)
{
	const size_t len = strcspn(arg, " \t");

	return arg[len] && (strstr(arg + len, "hist") || strchr(arg + len, ':'));
}

/* Checks the command line before anything is opened. */
static int hist_all(struct hist_args *a, int argc, char **argv)
{
	const struct cli_each each = {"hist", &a->limits, false, true, hist_file, a};
	char *path = NULL;
	int rc = CLI_OK, first = 1;

	if (argc > 1 && !is_trigger(argv[1]))
		path = argv[first++];
	if (first == argc && !a->setup_path) {
		cli_error(NULL, "hist needs a trigger or --setup");
		return CLI_USAGE;
	}
	if (a->triggers + a->json + a->table + a->made > 1) {
		cli_error(NULL, "--triggers, --table, --json and --made cannot be combined");
		return CLI_USAGE;
	}
	if (a->filter.buffers.count > 1) {
		cli_error(NULL,
			  "--buffer must select one buffer, because triggers run on one buffer");
		return CLI_USAGE;
	}
	for (int i = first; i < argc; i++)
		if (!path && !is_trigger(argv[i]) && !access(argv[i], F_OK)) {
			cli_error(argv[i], "is a file, which must precede the triggers: tdat hist "
					   "FILE TRIGGER...");
			return CLI_USAGE;
		}
	a->texts = argv + first;
	a->text_count = argc - first;
	if (a->setup_path)
		rc = cli_output_check("hist", "-", true, &a->setup_path, 1);
	if (rc == CLI_OK)
		rc = read_setup(a);
	if (rc == CLI_OK)
		rc = cli_filter_make(&a->filter, &a->made_filter);
	if (rc == CLI_OK)
		rc = cli_each_file(&each, &path, path ? 1 : 0);
	tdat_filter_free(a->made_filter);
	return rc;
}

static int hist_run(const struct cli_cmd *cmd, int argc, char **argv)
{
	struct hist_args a = {.limits = TDAT_LIMITS_INIT};
	int status;

	if (cli_opt_parse(cmd, hist_opts, &argc, argv, &a, &status))
		status = hist_all(&a, argc, argv);
	cli_cpus_fini(&a.cpus);
	cli_filter_fini(&a.filter);
	cli_list_fini(&a.synths);
	free(a.setup);
	return status;
}

static const char *const hist_synopsis[] = {
	"[OPTION]... [FILE] 'SYSTEM/EVENT hist:keys=... [if FILTER]'...",
	"[OPTION]... --setup SETUP [FILE] [TRIGGER]...", NULL};
static const char *const hist_notes[] = {
	"The default FILE is trace.dat; - is standard input. A TRIGGER is an event and the text "
	"that its trigger file in tracefs accepts. SETUP contains lines 'synth TEXT' and 'trig "
	"SYSTEM/EVENT TEXT'; other lines are ignored.",
	"Exit status: 0 success, 1 damaged input or failure, 2 wrong usage or a rejected trigger.",
	NULL,
};

const struct cli_cmd cli_cmd_hist = {
	.name = "hist",
	.summary = "Compute the kernel's hist triggers from the events of a file",
	.synopsis = hist_synopsis,
	.opts = hist_opts,
	.notes = hist_notes,
	.run = hist_run,
};
