/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tdat info: what a trace.dat holds, without printing its events. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tdat/tdat.h>

#include "args/cmd.h"
#include "input/trace_files.h"
#include "commands/info.h"
#include "args/limits.h"
#include "commands/info_parts.h"

static const struct cli_opt info_opts[] = {
	CLI_FLAG(0, "count", struct info_args, count, "count events and lost events of each CPU"),
	CLI_FLAG('v', "verbose", struct info_args, verbose, "list sections and options, too"),
	CLI_FLAG(0, "json", struct info_args, json, "print the same facts as JSON"),
	CLI_FLAG(0, "stat", struct info_args, stat, "print the kernel's buffer statistics"),
	CLI_FLAG(0, "uname", struct info_args, uname, "print the traced host's uname"),
	CLI_FLAG(0, "version-of", struct info_args, version,
		 "print the version of the program that made the file"),
	CLI_FLAG(0, "cpus", struct info_args, cpus, "list the CPUs that have data"),
	CLI_FLAG(0, "first-event", struct info_args, first, "with the time of their first event"),
	CLI_FLAG(0, "last-event", struct info_args, last, "with the time of their last event"),
	CLI_FLAG(0, "check-events", struct info_args, check_events,
		 "parse all event formats; exit 1 when one is broken"),
	CLI_FLAG(0, "ts-check", struct info_args, ts_check,
		 "exit 1 when time goes back on a CPU, and say where"),
	CLI_STRING(0, "section", "NAME", struct info_args, section,
		   "print a stored part as it is: header_page, header_event, kallsyms, printk, "
		   "cmdlines, tgids, latency, formats, options, btf, modules"),
	CLI_FLAG(0, "raw-bytes", struct info_args, raw_bytes,
		 "with --section on a terminal: control bytes as they are, not as \\xNN"),
	CLI_LIMITS(struct info_args, limits),
	CLI_OPT_END,
};

/* The text of a string option, without its NUL. */
struct tdat_span info_text_of(const struct tdat_file *file, uint16_t id)
{
	const struct tdat_option *o = tdat_file_option(file, id);
	struct tdat_span s = {NULL, 0};

	if (o && o->data.len) {
		s.ptr = o->data.ptr;
		s.len = strnlen((const char *)o->data.ptr, o->data.len);
	}
	return s;
}

void info_each_foreign(struct tdat_file *file,
		       void (*fn)(void *ctx, const struct tdat_format *format,
				  enum tdat_print_kind kind, const char *reason),
		       void *ctx)
{
	const struct tdat_iter_input in = {file, 0, 0};
	size_t i, count = tdat_file_format_count(file);
	struct tdat_printer *printer;

	if (tdat_printer_new(&printer, &in, 1, NULL, NULL))
		return;
	for (i = 0; i < count; i++) {
		const struct tdat_format *format;
		enum tdat_print_kind kind;
		const char *reason;

		if (!tdat_file_format(file, i, &format, NULL) &&
		    !tdat_printer_kind(printer, 0, tdat_format_id(format), &kind, &reason, NULL) &&
		    kind != TDAT_PRINT_COMPILED && kind != TDAT_PRINT_NATIVE)
			fn(ctx, format, kind, reason);
	}
	tdat_printer_free(printer);
}

static void free_summaries(struct info_facts *f)
{
	size_t i;

	for (i = 0; f->cpus && i < f->buffer_count; i++)
		free(f->cpus[i]);
	free(f->cpus);
	f->cpus = NULL;
}

/* Times and counts of every CPU of every buffer. */
static int summarise(struct info_facts *f, const struct info_args *a, const char *path)
{
	size_t i, k;

	f->cpus = calloc(f->buffer_count + 1, sizeof(*f->cpus));
	if (!f->cpus)
		return cli_nomem();
	for (i = 0; i < f->buffer_count; i++) {
		f->cpus[i] = calloc(f->buffers[i].cpu_count + 1, sizeof(**f->cpus));
		if (!f->cpus[i])
			return cli_nomem();
		for (k = 0; k < f->buffers[i].cpu_count; k++) {
			struct tdat_error err = TDAT_ERROR_INIT;

			if (tdat_file_cpu_summary(f->file, i, k, a->count, &f->cpus[i][k], &err))
				return cli_fail(path, &err);
		}
	}
	return CLI_OK;
}

static void gather(struct info_facts *f, struct tdat_file *file)
{
	memset(f, 0, sizeof(*f));
	f->file = file;
	f->info = tdat_file_info(file);
	f->buffers = tdat_file_buffers(file, &f->buffer_count);
	f->options = tdat_file_options(file, &f->option_count);
	f->sections = tdat_file_sections(file, &f->section_count);
	f->damage = tdat_file_damage(file, &f->damage_count);
	f->symbol_count = tdat_file_symbol_count(file);
	f->printk_count = tdat_file_printk_count(file);
	f->comm_count = tdat_file_comm_count(file);
}

/* Opening has told of those it reads itself. */
static bool is_told(const struct info_facts *f, const struct tdat_option *o)
{
	size_t i;

	for (i = 0; i < f->damage_count; i++)
		if (f->damage[i].off >= o->off && f->damage[i].off <= o->off + o->data.len)
			return true;
	return false;
}

static int broken_options(const struct info_facts *f, const char *path)
{
	int status = CLI_OK;
	size_t i;

	for (i = 0; i < f->option_count; i++) {
		struct tdat_error err = TDAT_ERROR_INIT;

		if (tdat_option_decode(f->file, &f->options[i], NULL, &err) &&
		    !is_told(f, &f->options[i]))
			status = cli_fail(path, &err);
	}
	return status;
}

static unsigned wanted_parts(const struct info_args *a)
{
	return (a->stat ? INFO_STAT : 0u) | (a->uname ? INFO_UNAME : 0u) |
	       (a->version ? INFO_VERSION : 0u) | (a->cpus ? INFO_CPUS : 0u) |
	       (a->first ? INFO_FIRST : 0u) | (a->last ? INFO_LAST : 0u) |
	       (a->check_events ? INFO_CHECK_EVENTS : 0u) | (a->ts_check ? INFO_TS_CHECK : 0u);
}

static int tell(const struct info_args *a, struct cli_json *j, struct tdat_file *file,
		const char *path, bool first)
{
	struct info_facts f;
	int status = CLI_OK, one;
	size_t i;

	gather(&f, file);
	if (a->section) {
		status = info_section(file, path, a->section, a->raw_bytes);
	} else if (wanted_parts(a)) {
		status = info_parts(file, path, wanted_parts(a));
	} else {
		status = summarise(&f, a, path);
		if (status == CLI_OK && a->json)
			info_json(j, &f, a);
		else if (status == CLI_OK)
			info_text(&f, a, first);
	}
	if (a->json || a->verbose) {
		one = broken_options(&f, path);
		status = status == CLI_OK ? one : status;
	}
	for (i = 0; i < f.damage_count; i++) {
		one = cli_fail(path, &f.damage[i]);
		status = status == CLI_OK ? one : status;
	}
	free_summaries(&f);
	return status;
}

static int info_file(const struct info_args *a, struct cli_json *j, struct cli_files *files,
		     size_t i)
{
	const char *path = files->v[i].path;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_file *file;
	int status;

	if (cli_files_parse(files, i, &a->limits, &file, &err)) {
		if (a->json)
			info_json_error(j, path, &err);
		return cli_fail(path, &err);
	}
	status = tell(a, j, file, path, !i);
	tdat_file_close(file);
	return status;
}

static int info_run(const struct cli_cmd *cmd, int argc, char **argv)
{
	struct info_args a = {.limits = TDAT_LIMITS_INIT};
	struct cli_files files = {NULL, 0};
	struct cli_json j;
	int status;

	if (!cli_opt_parse(cmd, info_opts, &argc, argv, &a, &status))
		return status;
	if (a.json && (a.section || wanted_parts(&a))) {
		cli_error(NULL, "--json tells all facts; it does not go with an option for one");
		return CLI_USAGE;
	}
	status = cli_files_open(&files, argv + 1, argc - 1);
	if (a.json) {
		cli_json_init(&j, stdout, true);
		cli_json_array(&j, NULL);
	}
	for (size_t i = 0; i < files.count; i++) {
		int one = info_file(&a, &j, &files, i);

		if (one != CLI_OK)
			status = one;
	}
	if (a.json) {
		cli_json_array_end(&j);
		cli_json_end(&j);
	}
	cli_files_close(&files);
	return status;
}

static const char *const info_synopsis[] = {"[--count] [-v] [--json] [FILE]...", "OPTION... [FILE]...", NULL};
static const char *const info_notes[] = {"FILE is trace.dat when none is named; - is standard input.",
					 NULL};

const struct cli_cmd cli_cmd_info = {
	"info", "Tell what trace.dat files hold.", info_synopsis, info_opts, info_notes, info_run,
};
