/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tdat info: what a trace.dat holds, without printing its events. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tdat/tdat.h>

#include "cmd.h"
#include "info.h"

static const struct cli_opt info_opts[] = {
	CLI_FLAG(0, "count", struct info_args, count, "count events and lost events of each CPU"),
	CLI_FLAG('v', "verbose", struct info_args, verbose, "list sections and options, too"),
	CLI_FLAG(0, "json", struct info_args, json, "print the same facts as JSON"),
	CLI_OPT_END,
};

/* The text of a string option, without its NUL. */
struct tdat_span info_option_text(const struct tdat_file *file, uint16_t id)
{
	const struct tdat_option *o = tdat_file_option(file, id);
	struct tdat_span s = {NULL, 0};

	if (o && o->data.len) {
		s.ptr = o->data.ptr;
		s.len = strnlen((const char *)o->data.ptr, o->data.len);
	}
	return s;
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

static int info_file(const struct info_args *a, struct cli_json *j, const char *path, bool first)
{
	struct tdat_open_opts opts = TDAT_OPEN_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_file *file;
	struct info_facts f;
	int status;
	size_t i;

	opts.access = TDAT_ACCESS_READ;
	opts.tolerate_damage = true;
	if (tdat_file_open(&file, path, &opts, &err)) {
		if (a->json)
			info_json_error(j, path, &err);
		return cli_fail(path, &err);
	}
	gather(&f, file);
	status = summarise(&f, a, path);
	if (status == CLI_OK && a->json)
		info_json(j, &f, a);
	else if (status == CLI_OK)
		info_text(&f, a, first);
	for (i = 0; i < f.damage_count; i++)
		status = cli_fail(path, &f.damage[i]);
	free_summaries(&f);
	tdat_file_close(file);
	return status;
}

static int info_run(const struct cli_cmd *cmd, int argc, char **argv)
{
	struct info_args a = {false, false, false};
	static const char *const fallback = "trace.dat";
	struct cli_json j;
	int status, i;

	if (!cli_opt_parse(cmd, info_opts, &argc, argv, &a, &status))
		return status;
	status = CLI_OK;
	if (a.json) {
		cli_json_init(&j, stdout, true);
		cli_json_array(&j, NULL);
	}
	for (i = 1; i < argc || i == 1; i++) {
		int one = info_file(&a, &j, argc > 1 ? argv[i] : fallback, i == 1);

		if (one != CLI_OK)
			status = one;
	}
	if (a.json) {
		cli_json_array_end(&j);
		cli_json_end(&j);
	}
	return status;
}

static const char *const info_synopsis[] = {"[--count] [-v] [--json] [FILE]...", NULL};
static const char *const info_notes[] = {"FILE is trace.dat when none is named; - is standard input.",
					 NULL};

const struct cli_cmd cli_cmd_info = {
	"info", "Tell what trace.dat files hold.", info_synopsis, info_opts, info_notes, info_run,
};
